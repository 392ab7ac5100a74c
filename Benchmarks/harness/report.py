"""The tables and plots of docs/performance.md. Only the part between the marks is replaced; hand-written text stays."""
import re

from . import places, plots
from .medians import Medians
from .servers import SERVERS
from .targets import targets

SHAPES = ["1x1", "1x64", "16x1", "16x16"]
SIZES = {64: "64 B", 4096: "4 KiB", 262_144: "256 KiB"}
MISSING = "–"


def short(value):
    """A number with three digits for people."""
    if value is None:
        return MISSING
    for bound, unit in ((1e6, " M"), (1e4, " k")):
        if value >= bound:
            scaled = value / (bound if bound == 1e6 else 1e3)
            return (f"{scaled:.2f}" if scaled < 10 else f"{scaled:.1f}" if scaled < 100 else f"{scaled:,.0f}") + unit
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def table(head, rows):
    """Markdown; numbers to the right."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def named(server):
    return f"{server.title} ({server.protocol})"


def with_ratio(summary, name, number=short):
    if name not in summary:
        return MISSING
    ratio = summary.get(f"{name}_to_reference")
    return number(summary[name]) + (f" ({ratio:.2f})" if ratio and ratio >= 0.1 else f" ({ratio:.2g})" if ratio else "")


def microseconds(value):
    return MISSING if value is None else f"{value:,.0f}" if value >= 100 else short(value)


def latency(summary):
    return f"{microseconds(summary['p50_us'])} / {microseconds(summary['p99_us'])}" if "p50_us" in summary else MISSING


def matrix_table(medians, size, workloads, cell):
    rows = [
        [named(server), *(cell(medians.matrix(server.name, workload)) for workload in workloads.values())] for server in SERVERS]
    return table([SIZES[size], *workloads], [row for row in rows if any(value != MISSING for value in row[1:])])


def columns(size):
    found = {shape.replace("x", " × "): f"{shape}/{size}" for shape in SHAPES}
    pinned = {f"{shape.replace('x', ' × ')}, one CPU": f"{shape}/{size}/pinned" for shape in ("1x1", "1x64")}
    return found | (pinned if size == 64 else {})


def matrix_sections(medians):
    metrics = [
        ("Calls a second", "In parentheses: to the reference.", lambda summary: with_ratio(summary, "calls_per_second")),
        ("Latency", "Microseconds, median / 99th percentile.", latency),
        ("Server CPU", "Microseconds of CPU time a call, and in parentheses: to the reference.",
         lambda summary: with_ratio(summary, "server_cpu_us", microseconds))]
    for title, caption, cell in metrics:
        tables = [matrix_table(medians, size, columns(size), cell) for size in SIZES]
        yield f"### {title}\n\n{caption}\n\n" + "\n".join(text for text in tables if text.count("\n") > 2)


def grpc_section(medians):
    loads = {"h2load": "h2load", "grpc-cpp-client": "gRPC's C++ client"}
    rows = []
    for server in SERVERS:
        for load, title in loads.items():
            cells = [medians.matrix(server.name, f"{shape}/64", load) for shape in ("1x1", "1x64", "16x16")]
            if any(cells):
                rows.append([
                    server.title, title, *(short(cell.get("calls_per_second")) for cell in cells), latency(cells[0])])
    return "### gRPC by two clients\n\n64 B; calls a second, and latency at 1 × 1.\n\n" + table(
        ["", "client", "1 × 1", "1 × 64", "16 × 16", "µs at 1 × 1"], rows) if rows else ""


def costs_section(medians):
    names = {server.name: named(server) for server in SERVERS} | {
        "greeter": "the Greeter example, lean (docs/your-own-service.md)",
        "greeter-shared": "the same with Swift's shared libraries", "pulseboardd": "pulseboardd"}
    rows = []
    for name, title in names.items():
        memory, start = medians.cost(name, "memory"), medians.cost(name, "start-up")
        instructions, calls = medians.cost(name, "instructions"), medians.cost(name, "system-calls")
        if not any((memory, start, instructions, calls)):
            continue
        idle = [memory.get(key) and memory[key] / 1024 for key in ("before_kib", "resident_kib")]
        rows.append([
            title, *map(short, idle), short(memory.get("kib_per_connection")), short(start.get("start_up_ms")),
            f"{instructions['instructions_per_call']:,}" if instructions else MISSING,
            *(short(calls.get(shape)) for shape in ("1x1", "1x64", "16x16"))])
    caption = (
        "Resident memory before any call and with 1,000 idle connections that have made one each, and what each took after the first; "
        "milliseconds from exec to the first answer, the median of nine; instructions in user mode for a call of 64 B (1 × 64); system calls for a call.")
    return f"### Memory, start-up, instructions, system calls\n\n{caption}\n\n" + table(
        ["", "idle MiB", "1,000 conn. MiB", "KiB a conn.", "start ms", "instructions", "sys 1 × 1", "sys 1 × 64", "sys 16 × 16"],
        rows) if rows else ""


def streams_section(medians):
    rows = [
        [f"{direction}, {SIZES[size]}", short(found.get("messages_per_second"))]
        for size in (64, 4096) for direction in ("download", "upload")
        if (found := medians.find(part="streams", direction=direction, bytes=size))]
    return "### Streams\n\nOne stream, one way, our client and our server: messages a second.\n\n" + table(
        ["", "messages/s"], rows) if rows else ""


def product_section(medians):
    titles = {
        "ours": "Echo, synchronous handler", "ours-async": "Echo, async handler", "my-profile": "GetMyProfile, from memory",
        "profile-by-id": "GetProfile by id, from memory", "profile-by-name": "GetProfile by username, from memory",
        "profile-in-store": "BatchGetProfiles of one, from the store",
        "follow": "Follow, durable", "sign-in-peer": "SignIn of a named account, durable",
        "sign-in-rs256": "SignIn with an ID token, RS256, durable", "sign-in-es256": "SignIn with an ID token, ES256, durable",
        "image-96": "GetProfileImage, 96 px", "image-400": "GetProfileImage, 400 px"}
    rows = [
        [title, short(found.get("calls_per_second")), latency(found), microseconds(found.get("server_cpu_us"))]
        for measure, title in titles.items() if (found := medians.product(measure))]
    text = "### The product\n\nOne connection, 64 calls in flight, a bearer token with every call of PulseBoard's.\n\n" + table(
        ["", "calls/s", "µs p50 / p99", "server CPU µs"], rows) if rows else ""
    text += pictures_text(medians) + searches_text(medians) + purges_text(medians) + diary_text(medians) + growth_text(medians) + store_text(medians)
    if network := medians.product("network"):
        text += (
            f"\n`pulseboard load` of {network.get('people', 0):,} people and {network.get('follows', 0):,} follows took "
            f"{network['load_seconds']:.1f} s ({network['server_cpu_seconds']:.1f} s of server CPU). The data directory then has "
            f"{network['database_bytes'] / 1e6:.0f} MB, the WAL included.\n")
    return text


def diary_text(medians):
    titles = {
        "diary-save": "a save, durable, without a server", "diary-disk": "the least that the disk takes for that: one sync of 12 KiB in place",
        "diary-month": "all entries of a month, in a diary of 10,000", "diary-live": "a save on one device until another one shows it",
        "diary-peer": "the same with Radicale and two runs of vdirsyncer"}
    rows = [[title, latency(found)] for measure, title in titles.items() if (found := medians.product(measure))]
    if not rows:
        return ""
    lines = []
    for entries in (10_000, 20_000):
        if found := medians.product(f"diary-first-{entries}"):
            lines.append(
                f"A diary of {entries:,} entries of a hundred characters is uploaded at {short(found['uploaded_per_second'])} entries/s, and a new device reads "
                f"it in {found['download_seconds_x1000'] / 1e3:.2f} s, {short(found['downloaded_per_second'])} entries/s.")
    if found := medians.product("diary-peer"):
        lines.append(
            f"Radicale and vdirsyncer upload {short(found['uploaded_per_second'])} and read {short(found['downloaded_per_second'])} such entries a second.")
    if found := medians.product("diary-bytes"):
        lines.append(
            f"A new entry of a hundred characters takes {found['writer_bytes']:,.0f} bytes between the server and the device that writes it, both ways together, and "
            f"{found['reader_bytes']:,.0f} between the server and a device that follows.")
    return "\n#### A diary\n\n" + table(["", "µs p50 / p99"], rows) + "\n" + "\n".join(lines) + "\n"


def pictures_text(medians):
    titles = {"upload-400px": "400 × 400", "upload-12mp": "4,000 × 3,000"}
    rows = [
        [title, f"{found['bytes'] / 1e3:,.0f} KB", f"{found['calls_per_second']:.1f}", microseconds(found["server_cpu_us"]),
         *(f"{found[name] / 2**20:.1f} MiB" for name in ("server_rise_bytes", "decoder_peak_bytes"))]
        for measure, title in titles.items() if (found := medians.product(measure))]
    return (
        "\nUploaded pictures (JPEG), two decoded at a time: received, decoded and stored in three sizes, durable. The decoder is a process of its own.\n\n" + table(
            ["", "size", "pictures/s", "server CPU µs", "server memory rises by", "decoder memory"], rows)) if rows else ""


def searches_text(medians):
    titles = {
        "network/prefix": "the network's people, by how they begin", "million/prefix": "a million, by how they begin",
        "million/composing": "a million, while Hangul is composed", "million/initials": "a million, by initial consonants (ㅁㅈ)",
        "million/mixed": "a million, consonants among syllables (ㅁ지)", "million/mixed-absent": "the same, nobody is called so"}
    rows = [
        [title, short(found["calls_per_second"]), latency(found), microseconds(found["server_cpu_us"])]
        for measure, title in titles.items() if (found := medians.product(f"search/{measure}"))]
    return "\nSearches for a page of 50, one connection, 8 in flight.\n\n" + table(
        ["", "calls/s", "µs p50 / p99", "server CPU µs"], rows) if rows else ""


def purges_text(medians):
    titles = {"write-alone": "nobody leaves", "write-beside-purge": "a purge of 200,000 followers goes on"}
    rows = [
        [title, *(f"{found[name] / 1e3:.2f} ms" for name in ("p50_us", "p99_us", "longest_us"))]
        for measure, title in titles.items() if (found := medians.product(measure))]
    return "\nA profile is written, one write after the other, and meanwhile:\n\n" + table(["", "median", "p99", "longest"], rows) if rows else ""


def growth_text(medians):
    titles = {
        "relationship": "GetRelationship", "first-page": "ListFollowers, the first page of 20",
        "page-1000": "ListFollowers, the 1,000th page of 20", "counts": "GetFollowCounts"}
    rows = []
    for operation, title in titles.items():
        stages = [medians.product(f"growth/{stage}/{operation}") for stage in ("100k", "10m")]
        if all(stages):
            rows.append([title, *(microseconds(stage["server_cpu_us"]) for stage in stages), *map(latency, stages)])
    if not rows:
        return ""
    growth = medians.product("growth")
    return (
        f"\nThe same load on a graph of 100 k edges among 100 k people, grown to {growth['edges']:,} edges. An edge takes "
        f"{growth['bytes_per_edge']:.0f} bytes of the database, {growth['database_bytes'] / 1e6:,.0f} MB in all.\n\n" + table(
            ["", "CPU µs, 100 k", "CPU µs, grown", "µs p50 / p99, 100 k", "µs p50 / p99, grown"], rows))


def store_text(medians):
    titles = {
        "follow": "Follow, durable, 64 in flight", "alone": "Follow, durable, one at a time", "profile": "GetProfile by username, 64 in flight (SQLite: from memory)",
        "list": "ListFollowers, the first page of 20, 64 in flight"}
    rows = []
    for operation, title in titles.items():
        rates = [
            medians.product(f"store/{name}/{operation}").get("calls_per_second") for name in ("postgresql", "pgbench", "psycopg", "sqlite")]
        if all(rates):
            ours, bench, peer, sqlite = rates
            rows.append([title, short(ours), short(bench), f"{ours / bench:.2f} ×", short(peer), f"{ours / peer:.1f} ×", short(sqlite)])
    if not rows:
        return ""
    return (
        "\nThe store on PostgreSQL, 1,000 people, every COMMIT synced. pgbench runs the same statements, prepared, without a server before it. The "
        "service on psycopg is `Benchmarks/Peers/psycopg`, two processes. Calls a second:\n\n" + table(
            ["", "PostgreSQL", "pgbench", "to pgbench", "psycopg", "to psycopg", "SQLite"], rows))


def targets_section(medians):
    rows = [
        [target.title, ("≤ " if target.at_most else "≥ ") + short_bound(target), short(target.value) + target.unit,
         "yes" if target.is_reached else "**no**"]
        for target in targets(medians) if target.value is not None]
    return "### Targets\n\n" + table(["", "target", "measured", "reached"], rows) if rows else ""


def short_bound(target):
    return f"{target.bound:,}{target.unit}"


def heading(machine):
    return (
        f"Measured {machine['date']} at commit {machine['commit']}: {machine['cpu']}, {machine['cpus']} CPUs, Linux "
        f"{machine['kernel']}, load average {machine['load_before']:.1f} before and {machine['load_after']:.1f} after; medians of {machine['runs']} rounds of "
        f"{machine['seconds']:g} s, all servers in turn in each.\n")


def plot_files(medians):
    shapes = {shape.replace("x", " × "): shape for shape in SHAPES}
    for name, title, sizes, metric in (
            ("calls", "calls a second", SIZES, "calls_per_second"), ("cpu", "server CPU µs a call", [64], "server_cpu_us")):
        for size in sizes:
            panels = {
                panel: [(server, medians.matrix(server.name, f"{shape}/{size}").get(metric)) for server in SERVERS]
                for panel, shape in shapes.items()}
            if any(value for panel in panels.values() for _, value in panel):
                yield f"{name}-{size}.svg", f"{SIZES[size]}: {title}", panels


def write(summaries, machine):
    medians = Medians(summaries)
    sections = [heading(machine), targets_section(medians)]
    places.PLOTS.mkdir(exist_ok=True)
    images = []
    for name, title, panels in plot_files(medians):
        (places.PLOTS / name).write_text(plots.bars(title, panels, short), encoding="utf-8")
        images.append(f"![{title}](performance/{name})\n")
    sections += ["\n".join(images), *matrix_sections(medians), grpc_section(medians), costs_section(medians),
                 streams_section(medians), product_section(medians)]
    generated = "\n".join(section for section in sections if section)
    page = places.PAGE.read_text(encoding="utf-8")
    marks = re.compile(r"(<!-- figures: begin[^\n]*-->\n).*(<!-- figures: end -->)", re.DOTALL)
    if not marks.search(page):
        raise SystemExit(f"{places.PAGE} has no marks for the figures")
    places.PAGE.write_text(marks.sub(lambda found: f"{found[1]}\n{generated}\n{found[2]}", page), encoding="utf-8")
