"""The results, as a line for people, and as the table of docs/reliability.md."""
import datetime
import json
import os
import platform
import re
import subprocess

MISSING = "–"

HEADING = (
    f"{'ATTACK':<48}{'P50 ms':>9}{'P99 ms':>9}{'MOST ms':>9}{'EQUAL P99':>10}{'CPUS':>6}{'MiB':>7}{'LEFT':>6}{'IDLE s':>8}{'STOP s':>8}{'PROBES':>8}"
    f"{'CLOSED':>13}{'> 4 ms':>12}  KEPT")


def machine(package, is_short):
    model = re.search(r"model name\s*: (.*)", open("/proc/cpuinfo", encoding="utf-8").read())
    commit = subprocess.run(
        ["git", "-C", str(package), "describe", "--always", "--dirty"], stdout=subprocess.PIPE, text=True).stdout.strip()
    return {
        "date": datetime.date.today().isoformat(), "commit": commit or "unknown", "cpu": model[1] if model else platform.machine(),
        "cpus": os.cpu_count(), "kernel": platform.release(), "short": is_short}


def probed(found):
    probes = found.get("probes", {}).values()
    return f"{sum(one.get('answered', 0) for one in probes)}/{sum(one.get('asked', 0) for one in probes)}"


def closed(found):
    lines = found.get("connections", {})
    return f"{lines.get('ever_closed', 0)}/{lines.get('connections', 0)}"


def long_turns(found):
    """The turns of the event loops that took longer than 4 ms, and all turns."""
    return f"{found['turns'][1]}/{found['turns'][0]}" if "turns" in found else MISSING


def line(found):
    if "victim" not in found:
        return f"{found['attack']:<48}{'; '.join(found['broken'])}"
    victim, reference = found["victim"], found.get("reference", {})
    return (
        f"{found['attack']:<48}{victim['p50']:>9.2f}{victim['p99']:>9.1f}{victim['most']:>9.1f}{reference.get('p99', 0):>10.1f}{found.get('cpus', 0):>6.2f}"
        f"{found.get('peak_mib', 0):>7.0f}{found.get('left_mib', 0):>6.0f}{found.get('idle', 0):>8.1f}{found.get('stopped', 0):>8.1f}{probed(found):>8}{closed(found):>13}"
        f"{long_turns(found):>12}  {'yes' if not found['broken'] else 'NO'}")


# MARK: the page

MARKS = "<!-- hostile: begin -->\n", "<!-- hostile: end -->\n"
BEFORE = "Tests/Hostile/before.jsonl"  # of 61d76b9, which kept few of the promises; a later attack has the commit in its `seen`


def write(package, about, results):
    """Writes the table of docs/reliability.md. The text around it stays."""
    page = package / "docs" / "reliability.md"
    text = page.read_text(encoding="utf-8")
    start, end = text.index(MARKS[0]) + len(MARKS[0]), text.index(MARKS[1])
    before = {one["attack"]: one for one in map(json.loads, (package / BEFORE).read_text(encoding="utf-8").splitlines()) if "attack" in one}
    page.write_text(text[:start] + table(about, before, results) + text[end:], encoding="utf-8")
    print(f"figures: {page.relative_to(package)}")


def table(about, before, results):
    heads = [
        "attack", "before: p50 / p99 ms", "MiB", "others", "now: p50 / p99 ms", "equal load p99 ms", "MiB", "left", "idle s", "SIGTERM s", "others", "ended",
        "turns > 4 ms", "kept"]
    rows = [heads, ["---"] + ["---:"] * (len(heads) - 2) + ["---"]]
    rows += [
        [one["attack"], *earlier(before.get(one["attack"], {})), latencies(one), number(one.get("reference", {}).get("p99")), whole(one.get("peak_mib")),
         whole(one.get("left_mib")), number(one.get("idle")), number(one.get("stopped")), probed(one).replace("/", " of "), closed(one).replace("/", " of "), long_turns(one).replace("/", " of "),
         "no" if one.get("broken") else "yes"]
        for one in results]
    about = (
        f"{about['date']}, commit {about['commit']}, {about['cpus']} × {about['cpu']}, Linux {about['kernel']}. Before: commit 61d76b9 on 2 × AMD EPYC.\n\n")
    return about + "\n".join("| " + " | ".join(row) + " |" for row in rows) + "\n"


def earlier(one):
    return [latencies(one), whole(one.get("peak_mib")), probed(one).replace("/", " of ") if one.get("probes") else MISSING]


def latencies(one):
    victim = one.get("victim")
    return f"{number(victim['p50'])} / {number(victim['p99'])}" if victim else MISSING


def number(value):
    """A number with three digits."""
    return MISSING if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def whole(value):
    return f"{value:,.0f}" if value else MISSING
