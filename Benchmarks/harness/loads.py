"""Ways to put load on a server. Each returns one record, a dictionary."""
import json
import os
import re
import statistics
import subprocess
import tempfile

from . import places
from .protobuf import varint
from .servers import GRPC, TTRPC

LONGEST = 120  # seconds, for one load


class LoadFailed(Exception):
    pass


def run(command, cpu=None):
    finished = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=LONGEST,
        preexec_fn=None if cpu is None else lambda: os.sched_setaffinity(0, {cpu}))
    if finished.returncode != 0:
        raise LoadFailed(f"{os.path.basename(command[0])}: {finished.stderr.strip()[-300:]}")
    return finished.stdout


def last_line(output):
    return json.loads(output.strip().splitlines()[-1])


def generator(running, options, cpu=None):
    """Runs the load generator with any options."""
    return last_line(run(
        [places.program("load-generator"), "--socket", running.socket_path, "--pid", str(running.pid), *map(str, options)], cpu))


def ttrpc_load(server, running, workload, cpu=None):
    return generator(running, [
        "--method", server.method, "--connections", workload.connections, "--in-flight", workload.in_flight,
        "--bytes", workload.byte_count, "--seconds", workload.seconds, "--warm-up", workload.warm_up], cpu)


def cpp_load(server, running, workload, cpu=None):
    """gRPC's own C++ client. It calls `Echo` only."""
    return last_line(run(
        [places.program("grpc-cpp-client"), running.socket_path, str(workload.connections), str(workload.in_flight),
         str(workload.byte_count), str(workload.seconds), str(workload.warm_up), str(running.pid)], cpu))


def grpc_message(byte_count):
    """A request in HTTP/2's DATA: flag, length, `bytes data = 1`."""
    data = bytes(ord("a") + (i * 7 + i // 251) % 26 for i in range(byte_count))
    message = b"\x0a" + varint(byte_count) + data
    return b"\0" + len(message).to_bytes(4, "big") + message


def h2load_command(server, socket_path, connections, in_flight, body_path, *more):
    # By `te: trailers` a gRPC server recognises a gRPC client.
    return ["h2load", "-B", f"unix:{socket_path}", "-c", str(connections), "-m", str(in_flight), "-d", body_path,
            "-H", "content-type: application/grpc", "-H", "te: trailers", *more, f"http://localhost/bench.Bench/{server.method}"]


def h2load(server, running, workload, cpu=None):
    """nghttp2's load generator, twice: for the calls, and for the time that each takes. Its log writes a line with a system call for every call,
    which would make it slower than the servers. It measures in whole seconds. Every answer must be as long as the request."""
    message = grpc_message(workload.byte_count)
    # Slower servers need most of a second for 256 large calls at once, so one second would count only the first
    # answers.
    seconds = max(1, round(workload.seconds)) * (1 if workload.byte_count < 100_000 else 3)
    with tempfile.TemporaryDirectory() as folder:
        body, log = os.path.join(folder, "body"), os.path.join(folder, "log")
        with open(body, "wb") as file:
            file.write(message)

        def load(*options):
            command = h2load_command(
                server, running.socket_path, workload.connections, workload.in_flight, body, "-D", str(seconds), *options)
            return h2load_counts(run(command, cpu), workload, message)

        before = running.cpu_seconds()
        succeeded, calls_per_second = load()
        cpu_seconds = running.cpu_seconds() - before
        load(f"--log-file={log}")
        with open(log, encoding="ascii") as file:
            latencies = sorted(int(line.split()[2]) for line in file)
    if not latencies:
        raise LoadFailed("h2load has logged no call")
    return {
        "connections": workload.connections, "in_flight": workload.in_flight, "bytes": workload.byte_count, "calls": succeeded,
        "calls_per_second": calls_per_second, "p50_us": statistics.median(latencies),
        "p99_us": latencies[min(len(latencies) - 1, len(latencies) * 99 // 100)],
        "server_cpu_us": cpu_seconds * 1e6 / succeeded}


def h2load_counts(output, workload, message):
    """The number of successful calls, and the rate, from h2load's output."""
    counts = re.search(r"requests: (\d+) total, .* (\d+) succeeded, (\d+) failed, (\d+) errored", output)
    rate = re.search(r"finished in .*?, ([\d.]+) req/s", output)
    data = re.search(r"\((\d+)\) data", output)
    if not counts or not rate or not data:
        raise LoadFailed(f"h2load says something else: {output[-300:]}")
    total, succeeded, failed, errored = map(int, counts.groups())
    # h2load does not show trailers. A refusal has no message, so the number of bytes reveals it. The last answers may
    # be cut off.
    slack = workload.connections * workload.in_flight * len(message)
    if failed or errored or succeeded == 0 or abs(int(data[1]) - succeeded * len(message)) > slack:
        raise LoadFailed(f"h2load: {succeeded} of {total} succeeded with {data[1]} bytes of {len(message)} each")
    return succeeded, round(float(rate[1]))


def loads_for(server):
    """The ways to load a server, the fair one for comparisons first."""
    if server.protocol == TTRPC:
        return {"load-generator": ttrpc_load}
    assert server.protocol == GRPC
    # The cheapest client comes first, because it leaves most of the machine to the server.
    return {"h2load": h2load} | ({"grpc-cpp-client": cpp_load} if server.method == "Echo" else {})
