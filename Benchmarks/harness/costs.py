"""What a server costs: memory, start-up, instructions and system calls for a call."""
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

from . import http2, loads, places, servers
from .loads import LoadFailed
from .servers import GRPC, Running

IDLE_CONNECTIONS = 1000
STARTS = 9
# The loads for counting instructions and system calls: connections, calls in flight.
COUNTED = [(1, 1), (1, 64), (16, 16)]


@dataclass(frozen=True)
class Program:
    """A program that can be started and called once: a server of the comparison, or a shipped program of this project."""
    name: str
    title: str
    protocol: str
    command: object  # of the socket's path: the words to start it
    build: tuple
    call: tuple = ()  # options of the load generator
    echo: str = "Echo"


def programs(compared, work):
    """The servers of the comparison, and the shipped programs: the Greeter example and pulseboardd."""
    for server in compared:
        yield Program(
            server.name, server.title, server.protocol, server.command, server.build, ("--method", server.method), server.method)
    # HelloRequest { name = "x" }
    hello = ("--service", "greeter.v1.Greeter", "--method", "SayHello", "--message", "0a0178", "--metadata", "caller:benchmark")
    yield Program(
        "greeter", "Greeter example, lean", servers.TTRPC,
        lambda socket: [places.product("greeter-server"), socket], servers.GREETER_BUILD, hello)
    yield Program(
        "greeter-shared", "Greeter example, shared libraries", servers.TTRPC,
        lambda socket: [str(servers.SHARED_GREETER_FOLDER / "release" / "greeter-server"), socket], servers.SHARED_GREETER_BUILD, hello)
    yield Program(
        "pulseboardd", "pulseboardd", servers.TTRPC,
        lambda socket: [places.product("pulseboardd"), "--socket", socket, "--data-directory", os.path.join(work, "costs")],
        servers.DAEMON_BUILD, ("--service", "pulseboard.auth.v1.AuthService", "--method", "GetAuthState", "--message", ""))


def measure_memory(program, socket_path):
    with Running(program.command(socket_path), socket_path) as running:
        if program.protocol == GRPC:
            return loads.last_line(loads.run(
                [places.program("grpc-cpp-client"), "idle", socket_path, str(IDLE_CONNECTIONS), str(running.pid)]))
        return loads.generator(running, ["--idle", IDLE_CONNECTIONS, *program.call])


def start_once(program, socket_path):
    """Milliseconds from exec to the first answer; None: no answer in this protocol."""
    if os.path.exists(socket_path):
        os.unlink(socket_path)
    command = program.command(socket_path)
    if program.protocol != GRPC:
        output = loads.run([places.program("load-generator"), "--socket", socket_path, *program.call, "--start-up", "--", *command])
        return loads.last_line(output)["start_up_ms"]
    begin = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        return (http2.first_answer(socket_path, f"/bench.Bench/{program.echo}") - begin) * 1e3
    finally:
        process.terminate()
        process.wait()
        process.stdin.close()


def measure_start_up(program, socket_path):
    times = [start_once(program, socket_path) for _ in range(STARTS)]
    return {"start_up_ms": statistics.median(times), "fastest_ms": min(times), "slowest_ms": max(times)}


# MARK: counts for a call. Two runs that differ in nothing but the number of calls: what they differ by is what calls cost,
# and starting, connecting and stopping cancel out.

def make_calls(program, running, connections, in_flight, count):
    if program.protocol == GRPC:
        with tempfile.NamedTemporaryFile() as body:
            body.write(loads.grpc_message(64))
            body.flush()
            server = next(server for server in servers.SERVERS if server.name == program.name)
            command = loads.h2load_command(server, running.socket_path, connections, in_flight, body.name, "-n", str(count))
            if f" {count} succeeded" not in loads.run(command):
                raise LoadFailed("h2load: not every call succeeded")
    else:
        loads.generator(running, ["--connections", connections, "--in-flight", in_flight, "--calls", count, *program.call])


def instructions_of(program, socket_path, connections, in_flight, count):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "callgrind")
        wrapper = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--quiet"]
        words = program.command(socket_path)
        # Valgrind fails on debugging information in DWARF 5, and none is needed here.
        stripped = os.path.join(folder, "server")
        subprocess.run(["strip", "--strip-debug", "-o", stripped, words[0]], check=True)
        # Go interrupts its threads with signals, and callgrind then counts wrongly.
        environment = {"GODEBUG": "asyncpreemptoff=1", "LD_PRELOAD": places.program("sigsuspend.so")}
        with Running([stripped, *words[1:]], socket_path, wrapper=wrapper, patience=120, environment=environment) as running:
            make_calls(program, running, connections, in_flight, count)
        with open(out, encoding="utf-8", errors="replace") as file:
            totals = re.findall(r"^(?:totals|summary): (\d+)", file.read(), re.MULTILINE)
    return max(map(int, totals))


def measure_instructions(program, socket_path):
    """User-mode instructions, at 1×64. callgrind runs the server's threads one at a time, so other loads would show nothing more."""
    few, many = 2_000, 10_000
    counts = [instructions_of(program, socket_path, 1, 64, count) for count in (few, many)]
    return {"instructions_per_call": round((counts[1] - counts[0]) / (many - few))}


def perf_works():
    command = ["perf", "stat", "-x,", "-e", "raw_syscalls:sys_enter", "true"]
    if not shutil.which("perf"):
        return False
    told = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return told.returncode == 0 and bool(re.search(r"^\d+,", told.stdout, re.MULTILINE))


def system_calls_of(program, running, connections, in_flight, count, with_perf):
    """How many system calls the server makes while it answers `count` calls."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "count")
        pid = str(running.pid)
        counter = ["perf", "stat", "-x,", "-e", "raw_syscalls:sys_enter", "-o", out, "-p", pid] if with_perf else [
            "strace", "-f", "-c", "-q", "-o", out, "-p", pid]
        process = subprocess.Popen(counter, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_until_counting(process, running.pid, with_perf)
            make_calls(program, running, connections, in_flight, count)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(10)
        with open(out, encoding="utf-8") as file:
            text = file.read()
    if with_perf:
        return int(re.search(r"^(\d+),", text, re.MULTILINE)[1])
    return sum(int(line.split()[3]) for line in text.splitlines() if re.match(r"\s*\d+\.\d+\s.*\w$", line) and "total" not in line)


def wait_until_counting(process, pid, with_perf):
    """Waits until strace traces the server, or until perf, which reports nothing, has had time to attach."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and process.poll() is None:
        if with_perf:
            return time.sleep(0.5)
        with open(f"/proc/{pid}/status", encoding="utf-8") as status:
            if not re.search(r"^TracerPid:\s+0$", status.read(), re.MULTILINE):
                return None
        time.sleep(0.02)
    raise LoadFailed("system calls cannot be counted here")


def measure_system_calls(program, socket_path):
    with_perf = perf_works()
    few, many = (5_000, 50_000) if with_perf else (1_000, 10_000)
    result = {"counted_with": "perf" if with_perf else "strace"}
    with Running(program.command(socket_path), socket_path) as running:
        for connections, in_flight in COUNTED:
            counts = [system_calls_of(program, running, connections, in_flight, count, with_perf) for count in (few, many)]
            result[f"{connections}x{in_flight}"] = round((counts[1] - counts[0]) / (many - few), 4)
    return result


MEASURES = {
    "memory": measure_memory, "start-up": measure_start_up, "instructions": measure_instructions,
    "system-calls": measure_system_calls}
# For programs other than echo servers, calls are not counted.
OF_ECHO_ONLY = {"instructions", "system-calls"}


def plan(program):
    echoes = program.name not in ("greeter", "greeter-shared", "pulseboardd")
    return [name for name in MEASURES if echoes or name not in OF_ECHO_ONLY]


def measure(compared, wanted, socket_path, work, record):
    speaks = {}
    for program in programs(compared, work):
        for name in plan(program):
            label = f"costs/{program.name}/{name}"
            if not wanted(label) or speaks.get(program.name) is False:
                continue
            print(label, flush=True)
            if program.protocol == GRPC and program.name not in speaks:
                with Running(program.command(socket_path), socket_path):
                    speaks[program.name] = http2.answers(socket_path, f"/bench.Bench/{program.echo}")
                if not speaks[program.name]:
                    print(f"  {program.title} does not answer over gRPC: left out", file=sys.stderr)
                    continue
            try:
                result = MEASURES[name](program, socket_path)
            except (LoadFailed, RuntimeError, OSError, ValueError, TypeError, subprocess.TimeoutExpired) as failure:
                print(f"  {label}: {failure}", file=sys.stderr)
                continue
            record({"part": "costs", "server": program.name, "cost": name} | result)
