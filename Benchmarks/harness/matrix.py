"""Calls/s, latency and CPU time: every server under every load, all servers in turn, several rounds."""
import sys
from dataclasses import dataclass

from . import http2
from .loads import LoadFailed, loads_for
from .servers import GRPC, Running


@dataclass(frozen=True)
class Workload:
    connections: int
    in_flight: int
    byte_count: int
    seconds: float
    warm_up: float
    pinned: bool = False  # server and client share one CPU

    @property
    def label(self):
        return f"{self.connections}x{self.in_flight}/{self.byte_count}" + ("/pinned" if self.pinned else "")


def workloads(seconds, warm_up):
    shapes = [(1, 1), (1, 64), (16, 1), (16, 16)]
    every = [Workload(*shape, size, seconds, warm_up) for size in (64, 4096, 262_144) for shape in shapes]
    return every + [Workload(1, 1, 64, seconds, warm_up, pinned=True)]


# The C++ client shows what gRPC's own users get; it is asked where the comparison is made.
CPP_CLIENT = {"1x1/64", "1x1/64/pinned", "1x64/64", "16x16/64"}


def plan(server, workloads, wanted):
    """(label, name of the load, the load, workload) of what is to be measured of a server."""
    for workload in workloads:
        for name, load in loads_for(server).items():
            label = f"matrix/{server.name}/{workload.label}"
            if wanted(label) and (name != "grpc-cpp-client" or workload.label in CPP_CLIENT):
                yield label, name, load, workload


def measure(servers, workloads, runs, wanted, socket_path, record):
    """`record` is called with each measurement as it comes."""
    silent = set()
    for turn in range(runs):
        for server in servers:
            jobs = list(plan(server, workloads, wanted))
            if server.name in silent or not jobs:
                continue
            print(f"round {turn + 1} of {runs}: {server.title} ({server.protocol})", flush=True)
            # Pinning holds for a process's whole life: the pinned loads get a server of their own.
            for pinned in (False, True):
                chosen = [job for job in jobs if job[3].pinned == pinned]
                try:
                    speaks = not chosen or measure_one(server, chosen, turn, 0 if pinned else None, socket_path, record)
                except RuntimeError as failure:  # it does not start, or has ended
                    print(f"  {failure}", file=sys.stderr)
                    speaks = False
                if not speaks:
                    silent.add(server.name)
                    break


def measure_one(server, jobs, turn, cpu, socket_path, record):
    """All jobs of one server in one round; False: it does not speak the protocol."""
    with Running(server.command(socket_path), socket_path, cpu) as running:
        if server.protocol == GRPC and not http2.answers(socket_path, f"/bench.Bench/{server.method}"):
            print(f"  {server.title} does not answer over gRPC: left out", file=sys.stderr)
            return False
        for label, name, load, workload in jobs:
            identity = {"part": "matrix", "server": server.name, "load": name, "workload": workload.label, "round": turn}
            try:
                record(identity | load(server, running, workload, cpu))
            except (LoadFailed, TimeoutError) as failure:
                print(f"  {label}: {failure}", file=sys.stderr)
    return True
