"""Makes nodes of a cluster fail under load, and checks every promise of docs/scaling.md."""
import argparse
import pathlib
import re
import shutil
import signal
import sys
import tempfile
import threading
import time

from failover.cluster import PROGRAMS, TTL, Cluster
from failover.load import Server, Writer
from failover.register import Register

# Longest time without an acknowledged write, in seconds: two leases of a leader, four seconds, and a margin for a slow
# machine.
LONGEST_GAP = 30
WRITERS = 4
REGISTERS = 2


def kill_primary(cluster):
    node = cluster.leader()
    node.signal(signal.SIGKILL)
    return node.start


def freeze_primary(cluster):
    return freeze(cluster.leader())


def kill_etcd_leader(cluster):
    node = cluster.etcd_leader()
    node.signal(signal.SIGKILL, ("etcd",))

    # Only etcd restarts. The node may be the primary's, and stopping it would be another failure.
    return node.start_etcd


def freeze_etcd_leader(cluster):
    return freeze(cluster.etcd_leader(), ("etcd",))


def kill_standby(cluster):
    node = standby(cluster)
    node.signal(signal.SIGKILL)
    return node.start


def freeze_standby(cluster):
    return freeze(standby(cluster))


def standby(cluster):
    primary = cluster.leader()
    return next(node for node in cluster.nodes if node is not primary)


def freeze(node, programs=PROGRAMS):
    node.signal(signal.SIGSTOP, programs)
    return lambda: node.signal(signal.SIGCONT, programs)


FAILURES = {
    "kill the primary's node": kill_primary,
    "freeze the primary's node": freeze_primary,
    "kill the leader of etcd": kill_etcd_leader,
    "freeze the leader of etcd": freeze_etcd_leader,
    "kill a standby's node": kill_standby,
    "freeze a standby's node": freeze_standby,
}


def gap(moments, begin, end):
    """The longest part of a span without any of the moments."""
    times = sorted([begin, *(t for t in moments if begin <= t <= end), end])
    return max(later - earlier for earlier, later in zip(times, times[1:]))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10, help="how often each failure happens")
    parser.add_argument("--only", metavar="REGEX", default="", help="failures with a matching name")
    parser.add_argument("--programs", type=pathlib.Path, default=pathlib.Path(".build/debug"), help="the folder of pulseboardd and pulseboard")
    arguments = parser.parse_args()
    programs = arguments.programs.resolve()
    # Whoever ends the test by a signal does not leave its cluster behind.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    # A socket's path must be short.
    folder = pathlib.Path(tempfile.mkdtemp(prefix="pbf-", dir="/tmp"))
    folder.chmod(0o755)
    (folder / "cluster").mkdir()
    cluster = Cluster(folder / "cluster")
    servers, problems = [], []
    # A thread that dies would check nothing any more.
    threading.excepthook = lambda failed: problems.append(f"a thread ended: {failed.exc_type.__name__}: {failed.exc_value}")
    chosen = {name: fail for name, fail in FAILURES.items() if re.search(arguments.only, name)}
    if not chosen:
        parser.error(f"no failure has a name like {arguments.only}")
    try:
        cluster.up()
        servers = [Server(folder, number, programs, cluster.address) for number in (1, 2)]
        writers = [Writer(number, servers, programs, folder) for number in range(1, WRITERS + 1)]
        registers = [Register(number, servers, programs, folder) for number in range(1, REGISTERS + 1)]
        for each in writers + registers:
            each.start()
        for turn in range(arguments.rounds):
            for name, fail in chosen.items():
                time.sleep(3)
                begin = time.monotonic()
                repair = fail(cluster)
                # Longer than a change of the primary may take, so that a frozen primary wakes up after its successor
                # took over.
                time.sleep(2 * TTL + 5)
                repair()
                cluster.settle()
                end = time.monotonic()
                longest = max(gap(list(writer.times), begin, end) for writer in writers)
                unread = gap([read[1] for register in registers for read in list(register.reads)], begin, end)
                print(f"{turn + 1} {name}: longest time of a client without a write {longest:.1f} s, without a read {unread:.1f} s", flush=True)
                if longest > LONGEST_GAP:
                    problems.append(f"{name}: a client got no acknowledgement for {longest:.1f} s")
        for writer in writers:
            writer.ends.set()
        for writer in writers:
            writer.join()
            writer.verify()
            problems += writer.problems
        for register in registers:
            register.stop()
            register.verify()
            problems += register.problems
        print(f"{sum(len(register.writes) for register in registers)} writes and {sum(len(register.reads) for register in registers)} reads of registers in order")
        problems += [f"a server ended by itself: {server.process.poll()}" for server in servers if server.process.poll() is not None]
        refusals = sum(sum(writer.refusals.values()) for writer in writers)
        print(f"{sum(len(writer.acknowledged) for writer in writers)} writes acknowledged, {refusals} refused and repeated")
        for words, count in sum((writer.refusals for writer in writers), start=type(writers[0].refusals)()).most_common(5):
            print(f"  {count} times: {words}")
    finally:
        for server in servers:
            server.process.terminate()
            server.process.wait()
        cluster.down()
    for problem in problems:
        print(f"broken: {problem}")
    if problems:
        print(f"the logs are in {folder}")
        sys.exit(1)
    shutil.rmtree(folder)
    print("every promise was kept")


main()
