"""Measures PulseBoard's own calls, as a gateway makes them."""
import os
import re
import shutil
import subprocess
import sys
import time

from . import loads, places
from .loads import LoadFailed
from .servers import SERVERS, Running
from .protobuf import field, fields
from .ttrpc import Client, body

AUTH, PROFILE, FOLLOW = (f"pulseboard.{name}.v1.{name.capitalize()}Service" for name in ("auth", "profile", "follow"))


def write_requests(path, bodies):
    """Writes requests in the format of the load generator's --requests."""
    with open(path, "wb") as file:
        for request in bodies:
            file.write(len(request).to_bytes(4, "big") + request)


def enrol(socket_path, count):
    """Signs in `count` accounts and creates their profiles: (token, user id, username)."""
    people = []
    with Client(socket_path) as client:
        for number in range(count):
            answer = client.call(AUTH, "SignIn", field(1, field(1, f"benchmark-{number}")))
            token, username = answer[2].decode(), f"b{number:05}"
            client.call(PROFILE, "CreateProfile", field(1, username) + field(2, f"Person {number}"), token)
            people.append((token, fields(answer[1])[2].decode(), username))
    return people


class Daemon:
    """A pulseboardd on a new, empty database, for the time of a `with`."""

    def __init__(self, socket_path, work, name="product", options=()):
        self.data = os.path.join(work, name)
        self.running = Running(
            [places.product("pulseboardd"), "--socket", socket_path, "--data-directory", self.data, *options], socket_path)

    def __enter__(self):
        shutil.rmtree(self.data, ignore_errors=True)
        return self.running.__enter__()

    def __exit__(self, *_):
        self.running.__exit__()
        shutil.rmtree(self.data, ignore_errors=True)

    def database_bytes(self):
        return sum(os.path.getsize(os.path.join(self.data, name)) for name in os.listdir(self.data))


# MARK: reads

READERS = 200

# The numbers of store reads and of follows in one round.
READS, FOLLOWS = 40_000, 10_000
QUICK_READS, QUICK_FOLLOWS = 2_000, 500


def measure_reads(seconds, reads, socket_path, work, turn, wanted, record):
    """Echo and reads under the same load in the same round: one connection, 64 calls in flight."""
    shape = ["--connections", 1, "--in-flight", 64]
    timed = [*shape, "--seconds", seconds, "--warm-up", seconds / 5]
    for server in SERVERS:
        if server.name in ("ours", "ours-async") and wanted(f"product/{server.name}"):
            with Running(server.command(socket_path), socket_path) as running:
                keep(record, server.name, turn, lambda: loads.generator(running, [*timed, "--method", server.method]))
    names = [name for name in ("my-profile", "profile-by-id", "profile-by-name", "profile-in-store") if wanted(f"product/{name}")]
    if not names:
        return
    with Daemon(socket_path, work) as running:
        people = enrol(socket_path, READERS)
        requests = os.path.join(work, "requests")
        token = people[0][0]
        bearer = ["--metadata", f"authorization:Bearer {token}"]
        # The reader's own profile and another's, both in memory after the first call.
        in_memory = {
            "my-profile": ["GetMyProfile", b""], "profile-by-id": ["GetProfile", field(1, people[1][1])],
            "profile-by-name": ["GetProfile", field(2, people[1][2])]}
        for name in names:
            if name in in_memory:
                method, message = in_memory[name]
                keep(record, name, turn, lambda: loads.generator(
                    running, [*timed, *bearer, "--service", PROFILE, "--method", method, "--message", message.hex()]))
            else:
                # A batch is read from the store every time.
                write_requests(requests, (
                    body(PROFILE, "BatchGetProfiles", field(1, people[call % READERS][1]), token) for call in range(reads)))
                keep(record, name, turn, lambda: loads.generator(running, [*shape, "--requests", requests]))


def keep(record, name, turn, measure):
    try:
        record({"part": "product", "measure": name, "round": turn} | measure())
    except (LoadFailed, subprocess.TimeoutExpired) as failure:
        print(f"  product/{name}: {failure}", file=sys.stderr)


# MARK: durable writes

FOLLOWERS = 250


def measure_follows(runs, follows, socket_path, work, record):
    """Measures follows of many people over one connection, 64 in flight. Each is durable before it is answered, and none is repeated."""
    with Daemon(socket_path, work) as running:
        people = enrol(socket_path, FOLLOWERS)
        # Neighbouring requests have different followers and different followed people.
        pairs = [(turn, (turn + distance) % FOLLOWERS) for distance in range(1, FOLLOWERS) for turn in range(FOLLOWERS)]
        a_round = min(follows, len(pairs) // runs)
        requests = os.path.join(work, "requests")
        for turn in range(runs):
            chosen = pairs[turn * a_round:(turn + 1) * a_round]
            write_requests(requests, (
                body(FOLLOW, "Follow", field(1, people[followee][1]), people[follower][0]) for follower, followee in chosen))
            keep(record, "follow", turn, lambda: loads.generator(
                running, ["--connections", 1, "--in-flight", 64, "--requests", requests]))


# MARK: a whole network

def measure_network(users, follows, socket_path, work, record):
    """`pulseboard load` of a network given as CSV files, client and server on this machine."""
    daemon = Daemon(socket_path, work)
    with daemon as running:
        begin = time.monotonic()
        finished = subprocess.run(
            [places.product("pulseboard"), "load", "--socket", socket_path, "--users", users, "--follows", follows],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        seconds = time.monotonic() - begin
        if finished.returncode != 0:
            return print(f"  product/network: {finished.stdout[-300:]}", file=sys.stderr)
        created = dict(re.findall(r"^(people|follows)\s+[\d,]+\s+([\d,]+)", finished.stdout, re.MULTILINE))
        counts = {name: int(count.replace(",", "")) for name, count in created.items()}
        record({
            "part": "product", "measure": "network", "round": 0, "load_seconds": round(seconds, 2), **counts,
            "server_cpu_seconds": round(running.cpu_seconds(), 2), "database_bytes": daemon.database_bytes()})
