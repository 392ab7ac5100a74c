"""Clients of two servers that record acknowledged writes and check them."""
import collections
import json
import os
import random
import subprocess
import threading
import time

FOLLOW = "pulseboard.follow.v1.FollowService"
PROFILE = "pulseboard.profile.v1.ProfileService"


class Server:
    """One pulseboardd on the cluster."""

    def __init__(self, folder, number, programs, address):
        self.socket = str(folder / f"server{number}.sock")
        self.errors = open(folder / f"server{number}.log", "ab")
        self.process = subprocess.Popen(
            [str(programs / "pulseboardd"), "--socket", self.socket, "--data-directory", str(folder / "data"), "--store", address],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        if "ready" not in self.process.stdout.readline():
            raise SystemExit(f"failover: pulseboardd did not start; see {self.errors.name}")


class Client:
    """One account, which can call either server."""

    def __init__(self, servers, programs, home, account):
        self.servers = servers
        self.program = str(programs / "pulseboard")
        self.environment = {"HOME": str(home), "LANG": "C.UTF-8", "PATH": os.environ["PATH"]}
        self.account = account

    def start(self, server, *words, **options):
        return subprocess.Popen(
            [self.program, *words, "--account", self.account], env={**self.environment, "PULSEBOARD_SOCKET": server.socket},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)

    def run(self, server, *words):
        process = self.start(server, *words)
        output, errors = process.communicate()
        return process.returncode == 0, output if process.returncode == 0 else errors

    def call(self, server, method, **fields):
        return self.run(server, "rpc", "call", method, "--auth", "-d", json.dumps(fields))

    def enter(self, username):
        for server in self.servers:
            self.expect(self.run(server, "auth", "login"))
        self.expect(self.run(self.servers[0], "profile", "create", "--username", username))
        return json.loads(self.expect(self.run(self.servers[1], "profile", "show", "--json")))["userId"]

    @staticmethod
    def expect(outcome):
        if not outcome[0]:
            raise SystemExit(f"failover: {outcome[1]}")
        return outcome[1]


class Writer(threading.Thread):
    """Follows and unfollows a user again and again, through either server. Each write is repeated with its request id until it is acknowledged. After
    every fifth write, the other server is checked."""

    # If a write is not acknowledged within this time, a promise is broken.
    PATIENCE = 90

    def __init__(self, number, servers, programs, home):
        super().__init__(daemon=True)
        self.client = Client(servers, programs, home, f"writer{number}")
        self.client.enter(f"writer{number}")
        self.target = Client(servers, programs, home, f"target{number}").enter(f"target{number}")
        self.random = random.Random(number)
        self.begin = self.first_position()
        self.acknowledged = []
        self.times = []
        self.refusals = collections.Counter()
        self.problems = []
        self.ends = threading.Event()

    def first_position(self):
        watch = self.client.start(self.client.servers[0], "follow", "watch", "--json")
        token = json.loads(watch.stdout.readline())["resumeToken"]
        watch.terminate()
        watch.communicate()
        return token

    def run(self):
        number = 0
        while not self.ends.is_set() and not self.problems:
            number += 1
            follows = number % 2 == 1
            if not self.write(number, "Follow" if follows else "Unfollow"):
                return
            self.acknowledged.append("KIND_FOLLOWED" if follows else "KIND_UNFOLLOWED")
            self.times.append(time.monotonic())
            if number % 5 == 0:
                self.read("STATE_FOLLOWED" if follows else "STATE_UNFOLLOWED")

    def write(self, number, method):
        end = time.monotonic() + self.PATIENCE
        while time.monotonic() < end:
            server = self.random.choice(self.client.servers)
            done, words = self.client.call(server, f"{FOLLOW}/{method}", userId=self.target, requestId=f"r{number}")
            if done:
                return True
            self.refusals[words.strip().splitlines()[0][:100] if words.strip() else "no words"] += 1
            time.sleep(0.1)
        self.problems.append(f"{method} {number} was not acknowledged for {self.PATIENCE} s")
        return False

    def read(self, expected):
        for server in self.client.servers:
            done, words = self.client.call(server, f"{FOLLOW}/GetRelationship", userId=self.target)
            if done and json.loads(words)["state"] != expected:
                self.problems.append(f"after an acknowledged write a server says {words}, not {expected}")

    def verify(self):
        """Checks that all events since the beginning are the acknowledged writes, in their order, each once."""
        watch = self.client.start(self.client.servers[1], "follow", "watch", "--json", "--resume", self.begin)
        # The next write marks the end.
        self.write(len(self.acknowledged) + 1, "Unfollow" if len(self.acknowledged) % 2 else "Follow")
        wanted = self.acknowledged + ["KIND_UNFOLLOWED" if len(self.acknowledged) % 2 else "KIND_FOLLOWED"]
        told = []
        # If an event is missing, the watch would wait for it for ever.
        timer = threading.Timer(self.PATIENCE, watch.terminate)
        timer.start()
        for line in watch.stdout:
            event = json.loads(line).get("event")
            if event:
                told.append(event["kind"])
            if len(told) >= len(wanted):
                break
        # A further event would mean that a write was applied twice.
        follows = json.loads(Client.expect(self.client.run(self.client.servers[0], "follow", "counts", "--json")))
        if int(follows.get("following", 0)) != (wanted[-1] == "KIND_FOLLOWED"):
            self.problems.append(f"the counts are {follows}")
        timer.cancel()
        watch.terminate()
        watch.communicate()
        if told != wanted:
            first = next((i for i, pair in enumerate(zip(told, wanted)) if pair[0] != pair[1]), min(len(told), len(wanted)))
            self.problems.append(f"{len(wanted)} writes were acknowledged, {len(told)} are told; they differ from number {first} on")
