"""Calls/s, latency and CPU time: every server under every load, all servers in turn, several rounds."""
import contextlib
import sys
import time
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
    # With one connection both ends take turns, and the result depends on where the kernel runs them. With pinning all
    # rounds are alike.
    return every + [Workload(1, in_flight, 64, seconds, warm_up, pinned=True) for in_flight in (1, 64)]


# The C++ client shows the speed for users of gRPC. It is used where servers are compared.
CPP_CLIENT = {"1x1/64", "1x1/64/pinned", "1x64/64", "16x16/64"}


def plan(server, workloads, wanted):
    """The jobs for a server: (label, name of the load, the load, workload)."""
    for workload in workloads:
        for name, load in loads_for(server).items():
            label = f"matrix/{server.name}/{workload.label}"
            if wanted(label) and (name != "grpc-cpp-client" or workload.label in CPP_CLIENT):
                yield label, name, load, workload


def measure(servers, workloads, runs, wanted, socket_path, record):
    """Measures everything, and calls `record` with each measurement."""
    silent = set()
    for turn in range(runs):
        # Pinning lasts for a process's whole life, so pinned loads have their own servers.
        for cpu in (None, 0):
            loads = [workload for workload in workloads if workload.pinned == (cpu is not None)]
            with contextlib.ExitStack() as stack:
                running = start(stack, servers, loads, cpu, wanted, socket_path, silent)
                for workload in loads:
                    # Under each load all servers are measured in turn, so that a ratio compares results of the same
                    # seconds.
                    jobs = [(*one, job) for one in running for job in plan(one[0], [workload], wanted)]
                    if jobs:
                        print(f"round {turn + 1} of {runs}: {workload.label}", flush=True)
                    for server, process, job in jobs:
                        measure_one(server, process, job, turn, cpu, record)


def start(stack, servers, loads, cpu, wanted, socket_path, silent):
    """Starts the servers to measure, each in a new process. Returns them with their processes."""
    running = []
    for index, server in enumerate(servers):
        if server.name in silent or not list(plan(server, loads, wanted)):
            continue
        path = f"{socket_path}{index}"
        try:
            process = stack.enter_context(Running(server.command(path), path, cpu))
            if server.protocol == GRPC and not http2.answers(path, f"/bench.Bench/{server.method}"):
                raise RuntimeError(f"{server.title} does not answer over gRPC: left out")
            running.append((server, process))
        except (RuntimeError, OSError) as failure:
            print(f"  {failure}", file=sys.stderr)
            silent.add(server.name)
    return running


def settle(process):
    """Waits at most a second until a server has finished the work that its client left (such as 256 calls of 256 KiB)."""
    before = process.cpu_seconds()
    for _ in range(20):
        time.sleep(0.05)
        now = process.cpu_seconds()
        if now - before < 0.005:
            return
        before = now


def measure_one(server, process, job, turn, cpu, record):
    """Measures one job of a ``plan``."""
    label, name, load, workload = job
    identity = {"part": "matrix", "server": server.name, "load": name, "workload": workload.label, "round": turn}
    try:
        record(identity | load(server, process, workload, cpu))
        settle(process)
    except (LoadFailed, OSError) as failure:
        print(f"  {label}: {failure}", file=sys.stderr)
