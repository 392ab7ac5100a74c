"""Runs one attack on a new server with a victim, measures it, and finds the broken promises."""
import json
import math
import os
import re
import select
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass

from . import attacker, wire

# Server, attacker, victim, and clients that only check whether the server still answers.
SERVER, ATTACKER, VICTIM, BYSTANDER = 12344, 12345, 12346, 12347

VICTIM_RATE = 200  # calls a second
PATIENCE = 5  # seconds that the victim's last answers are waited for
PROBE_EVERY, PROBE_PATIENCE = 0.25, 1.0  # seconds

# p99 may be three times that with ordinary clients that use the same CPU time. One request may hold a loop for 5 ms, so lower values are not
# judged.
LATENCY_RATIO, LEAST_LATENCY = 3, 6.0  # times; milliseconds
IDLE_WITHIN = 1.0  # seconds
# The same behind a gateway. The server does not know who is who there, so the connections of all take turns with each other.
LEAST_LATENCY_BEHIND_GATEWAY = 60.0  # milliseconds
# How many turns of an event loop, one of them may be longer than 4 ms. The machine takes the CPU from the server now and then.
TURNS_EACH_LONG_ONE = 200
# What may be left of a load's memory, and how soon.
MEMORY_LEFT, MEMORY_BACK_WITHIN = 128, 8.0  # MiB; seconds
# The same load is measured again if even a process that only sleeps was this late. The second number is the maximum of tries.
MACHINE_LATE, MOST_REFERENCES = 0.05, 4  # seconds; times

# The short form measures only a few hundred latencies, on any machine and beside other programs, so its p99 means little. Its bound is so high that
# only a blocked server exceeds it. The full form judges the rest.
SHORT_LEAST_LATENCY = 250.0  # milliseconds
SHORT_SLACK = 3  # times each span of time that is promised
SHORT_ANSWERED = 0.9  # of the probes

BY_USERNAME = "pulseboard.profile.v1.ProfileService/GetProfile"
FOLLOW_COUNTS = "pulseboard.follow.v1.FollowService/GetFollowCounts"


@dataclass
class Facts:
    socket_path: str
    token: str
    victim: str  # its user id
    scale: float
    seconds: float


class Uids:
    """The uids of a trial: different ones if this process can change its uid, otherwise the same for all."""

    def __init__(self):
        self.differ = os.getuid() == 0
        own = os.getuid()
        self.server, self.attacker, self.victim, self.bystander = (
            (SERVER, ATTACKER, VICTIM, BYSTANDER) if self.differ else (own,) * 4)

    def of_victim(self, gateway):
        """The uid that connects for the victim. A gateway connects for attacker and victim."""
        return self.attacker if gateway else self.victim


class Server:
    """A pulseboardd on an empty database, for the time of a `with`."""

    def __init__(self, work, program, arguments, uids, unread_log=False):
        self.folder = os.path.join(work, "server")
        self.socket_path, self.remote_socket_path = (os.path.join(self.folder, name) for name in ("s", "remote"))
        self.program, self.arguments, self.uids, self.unread_log = program, arguments, uids, unread_log

    def __enter__(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.mkdir(self.folder, 0o755)
        data = os.path.join(self.folder, "data")
        os.mkdir(data, 0o700)
        owner = {}
        if self.uids.differ:
            owner = {"user": self.uids.server, "group": self.uids.server, "extra_groups": []}
            for path in (self.folder, data):
                os.chown(path, self.uids.server, self.uids.server)
        self.log = open(os.path.join(self.folder, "log"), "wb")
        self.process = subprocess.Popen(
            # The soft limit of descriptors is a service's default. The hard limit is lower than the default of 524,288.
            ["prlimit", "--nofile=1024:4096", self.program, "--socket", self.socket_path, "--socket-mode", "666", "--remote-socket",
             self.remote_socket_path, "--remote-socket-mode", "666", "--data-directory", data, *self.arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE if self.unread_log else self.log, **owner)
        self.pid = self.process.pid
        if not select.select([self.process.stdout], [], [], 30)[0] or not self.process.stdout.readline():
            self.process.kill()
            raise RuntimeError(f"{self.program} does not serve: {open(self.log.name, errors='replace').read()[-300:]}")
        return self

    def entrance(self, gateway):
        """The socket of a trial's clients."""
        return self.remote_socket_path if gateway else self.socket_path

    def cpu_seconds(self):
        """CPU time so far, all threads (clock_getcpuclockid(3))."""
        return time.clock_gettime((~self.pid << 3) | 2)

    def resident_mib(self, most=False):
        """Memory in RAM, now or at most so far."""
        with open(f"/proc/{self.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmHWM" if most else "VmRSS")) / 1024

    def mib_left(self, promised, seconds):
        """Memory in RAM as soon as it is as little as promised, or after so many seconds."""
        end = time.monotonic() + seconds
        while (left := self.resident_mib()) > promised and time.monotonic() < end:
            time.sleep(0.1)
        return left

    def seconds_until_idle(self, most):
        """How long the server keeps working: until it uses less than a twentieth of a CPU for 0.2 s."""
        start, last = time.monotonic(), self.cpu_seconds()
        while (waited := time.monotonic() - start) < most:
            time.sleep(0.2)
            present = self.cpu_seconds()
            if present - last < 0.01:
                return waited
            last = present
        return most

    def stop(self, most):
        """Seconds from SIGTERM to the end. After `most` seconds it is killed."""
        start = time.monotonic()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(most)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return most
        return time.monotonic() - start

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        if self.process.stderr:
            self.process.stderr.close()
        self.log.close()


def sign_in(server, uid, username=None):
    """Signs in a uid, and returns the token. Creates a profile if a name is given."""
    def work():
        with wire.Caller(server.socket_path, 10) as caller:
            token = caller.call("pulseboard.auth.v1.AuthService/SignIn", wire.field(1, b""))[2].decode()
            if username:
                try:
                    caller.call("pulseboard.profile.v1.ProfileService/CreateProfile", wire.field(1, username), wire.bearer(token))
                except wire.Refused as refusal:
                    if refusal.code != 6 and server.uids.differ:  # ALREADY_EXISTS: where all share a uid
                        raise
            return token
    result = attacker.run_as(uid, work)
    if isinstance(result, dict):
        raise RuntimeError(f"signing in as {uid}: {result.get('error')}")
    return result


def user_named(username, server, token):
    """The id of a user."""
    with wire.Caller(server.socket_path, 10) as caller:
        return caller.call(BY_USERNAME, wire.field(2, username), wire.bearer(token))[1].decode()


def loop_turns(server, uid):
    """How many turns the event loops have made, and how many of them were longer than 4 ms (2^22 ns) and 17 ms (2^24 ns)."""
    def work():
        with wire.Caller(server.socket_path, 10) as caller:
            return caller.call("pulseboard.admin.v1.AdminService/GetMetrics")[1].decode()
    metrics = attacker.run_as(uid, work)
    if not isinstance(metrics, str):
        raise RuntimeError(f"reading the metrics: {metrics.get('error')}")
    counts = {}
    for bound, count in re.findall(r'^pulseboard_loop_turn_duration_seconds_bucket\{[^}]*le="([^"]+)"[^}]*\} (\d+)', metrics, re.MULTILINE):
        counts[float(bound)] = counts.get(float(bound), 0) + int(count)
    every = counts[math.inf]
    return [every, *(every - counts[next(bound for bound in counts if abs(bound - 2 ** power / 1e9) < 1e-6)] for power in (22, 24))]


PROBES = (
    ("health", "grpc.health.v1.Health/Check", b""),
    ("sign-in", "pulseboard.auth.v1.AuthService/SignIn", wire.field(1, b"")),
    ("admin", "pulseboard.admin.v1.AdminService/GetServerInfo", b""),
)


def probe(socket_path, method, message, until):
    """Calls the server repeatedly, each time on a new connection. Returns how many calls were answered, and the slowest in seconds."""
    asked = answered = 0
    slowest, last = 0.0, ""
    while time.monotonic() < until:
        begin = time.monotonic()
        asked += 1
        try:
            with wire.Caller(socket_path, PROBE_PATIENCE) as caller:
                caller.call(method, message)
            answered += 1
        except (OSError, wire.Refused) as failure:
            last = f"{type(failure).__name__} {failure}"
        slowest = max(slowest, time.monotonic() - begin)
        time.sleep(max(0.0, min(PROBE_EVERY, until - time.monotonic())))
    return {"asked": asked, "answered": answered, "slowest": slowest, "last_failure": last}


def lateness(until):
    """How late, in seconds at worst, a process is that only wakes up each millisecond: the delay of the machine itself."""
    latest = 0.0
    while (before := time.monotonic()) < until:
        time.sleep(0.001)
        latest = max(latest, time.monotonic() - before - 0.001)
    return latest


def run_promptly(pid):
    """Gives a process priority for the CPU, if that is permitted. So it measures the server, and not its own wait for a CPU that the attacker uses."""
    try:
        os.sched_setscheduler(pid, os.SCHED_FIFO, os.sched_param(1))
    except OSError:
        pass


class Client:
    """The correct client of client.c, in a separate process."""

    def __init__(self, program, socket_path, token, uid, rate, seconds, connections=1, most_waiting=0, is_prompt=False):
        # The first is answered from memory, the second from the store.
        calls = (BY_USERNAME, wire.field(2, "victim")), (FOLLOW_COUNTS, b"")
        requests = ",".join(wire.request(method, message, wire.bearer(token)).hex() for method, message in calls)
        owner = {"user": uid, "group": uid, "extra_groups": []} if os.getuid() == 0 else {}
        self.most = seconds + PATIENCE + 10
        self.process = subprocess.Popen(
            [program, socket_path, requests, str(rate), str(seconds), str(connections), str(most_waiting), str(PATIENCE)],
            stdout=subprocess.PIPE, **owner)
        if is_prompt:
            run_promptly(self.process.pid)

    def result(self):
        text, _ = self.process.communicate(timeout=self.most)
        return json.loads(text)


class Ground:
    """The environment of trials: the programs, the uids, and the effect of ordinary clients on a victim."""

    def __init__(self, work, daemon, client, scale, is_short):
        self.work, self.daemon, self.client, self.scale, self.is_short = work, daemon, client, scale, is_short
        self.uids = Uids()
        self.references = {}
        self.cost = None

    # MARK: the same CPU time, spent by ordinary clients

    def reference(self, cpus, gateway):
        """The victim's latencies while ordinary clients and the server use this much CPU, to a quarter."""
        cpus = min(math.ceil(cpus * 4) / 4, os.cpu_count())
        if (cpus, gateway) not in self.references:
            with Server(self.work, self.daemon, (), self.uids) as server:
                victim, other = (sign_in(server, uid, name) for uid, name in (
                    (self.uids.victim, "victim"), (self.uids.attacker, "ordinary")))
                if self.cost is None:
                    self.cost = self.ordinary(server, other, victim, 5_000, 1.5, False)[1] / 5_000
                seconds = 2 if self.is_short else 4
                for _ in range(MOST_REFERENCES):
                    witness = attacker.fork_as(self.uids.bystander, lambda until=time.monotonic() + seconds: lateness(until))
                    self.references[cpus, gateway] = self.ordinary(server, other, victim, max(1, cpus / self.cost), seconds, gateway)
                    # A measurement that the machine delayed says nothing about the server, and cannot be compared with an attack.
                    if attacker.result_of(*witness) < MACHINE_LATE:
                        break
        return self.references[cpus, gateway]

    def ordinary(self, server, token, victims_token, rate, seconds, gateway):
        """The victim's results, and how much CPU the ordinary clients and the server used."""
        begin, cpu = time.monotonic(), server.cpu_seconds()
        path = server.entrance(gateway)
        clients = Client(self.client, path, token, self.uids.attacker, rate, seconds, connections=16, most_waiting=16)
        victim = Client(self.client, path, victims_token, self.uids.of_victim(gateway), VICTIM_RATE, seconds, is_prompt=True)
        seen, spent = victim.result(), clients.result()["cpu"]
        return seen, (server.cpu_seconds() - cpu + spent) / min(time.monotonic() - begin, seconds)

    # MARK: a trial

    def trial(self, attack):
        seconds = attack.short_seconds if self.is_short else attack.seconds
        with Server(self.work, self.daemon, attack.arguments, self.uids, attack.unread_log) as server:
            token = sign_in(server, self.uids.victim, "victim")
            attackers_token = sign_in(server, self.uids.attacker)
            facts = Facts(server.entrance(attack.gateway), attackers_token, user_named("victim", server, attackers_token), self.scale, seconds)
            begin = time.monotonic() + 0.3
            until = begin + seconds
            probes = [
                (name, attacker.fork_as(
                    self.uids.server if name == "admin" else self.uids.bystander,
                    lambda method=method, message=message: probe(server.socket_path, method, message, until)))
                for name, method, message in PROBES]
            attacking = attacker.fork_as(self.uids.attacker, lambda: self.attack(attack, facts, begin, until))
            time.sleep(max(0.0, begin - time.monotonic()))
            cpu = server.cpu_seconds()
            victim = Client(
                self.client, server.entrance(attack.gateway), token, self.uids.of_victim(attack.gateway), VICTIM_RATE, seconds, is_prompt=True)
            if attack.stops_meanwhile:
                time.sleep(1)
                stopped = server.stop(15)
            found = {"attack": attack.name, "section": attack.section, "seconds": seconds}
            found["connections"] = attacker.result_of(*attacking)
            found["probes"] = {name: attacker.result_of(*process) for name, process in probes}
            if attack.stops_meanwhile:
                found["victim"] = victim.result()
                found |= {"stopped": stopped, "peak_mib": 0.0, "idle": 0.0, "cpus": 0.0}
                return found | {"broken": list(self.broken(attack, found))}
            alive = server.process.poll() is None
            found["alive"] = alive
            if alive:
                found["cpus"] = (server.cpu_seconds() - cpu + found["connections"].get("cpu", 0)) / seconds
                found["idle"] = server.seconds_until_idle(5)
            found["victim"] = victim.result()
            if alive:
                found["turns"] = loop_turns(server, self.uids.server)
                found["peak_mib"] = server.resident_mib(most=True)
                found["left_mib"] = server.mib_left(MEMORY_LEFT, MEMORY_BACK_WITHIN * (SHORT_SLACK if self.is_short else 1))
                found["stopped"] = server.stop(12)
        if alive and attack.latency:
            found["reference"], found["reference_cpus"] = self.reference(found["cpus"], attack.gateway)
        return found | {"broken": list(self.broken(attack, found))}

    def attack(self, attack, facts, begin, until):
        lines = attacker.prepared(attack, facts)
        time.sleep(max(0.0, begin - time.monotonic()))
        cpu = time.process_time()
        return attacker.carry_out(attack, lines, until) | {"cpu": time.process_time() - cpu}

    # MARK: promises

    def broken(self, attack, found):
        slack = SHORT_SLACK if self.is_short else 1
        if "error" in found["connections"]:
            yield f"the attack itself failed: {found['connections']['error']}"
            return
        if attack.stops_meanwhile:
            if found["stopped"] > attack.stops_within * slack:
                yield f"SIGTERM took {found['stopped']:.1f} s, promised {attack.stops_within:g} s"
            return
        if not found["alive"]:
            yield "the server ended"
            return
        victim = found["victim"]
        if victim["lost"] or victim["refused"] or victim["broken"]:
            yield f"the victim: {victim['refused']} calls refused, {victim['lost']} without an answer, {victim['broken']} broken connections"
        if attack.latency:
            least = SHORT_LEAST_LATENCY if self.is_short else LEAST_LATENCY_BEHIND_GATEWAY if attack.gateway else LEAST_LATENCY
            most = max(LATENCY_RATIO * found["reference"]["p99"], least)
            if victim["p99"] > most:
                yield f"the victim's p99 is {victim['p99']:.1f} ms, promised {most:.1f} ms"
        every, long, _ = found["turns"]
        if not self.is_short and long * TURNS_EACH_LONG_ONE > every:
            yield f"{long} of {every} turns of the event loops took longer than 4 ms, promised one in {TURNS_EACH_LONG_ONE}"
        if found["peak_mib"] > attack.memory:
            yield f"{found['peak_mib']:.0f} MiB, promised {attack.memory} MiB"
        if found["left_mib"] > MEMORY_LEFT:
            yield f"{found['left_mib']:.0f} MiB left after the end, promised {MEMORY_LEFT} MiB"
        if found["idle"] > IDLE_WITHIN * slack:
            yield f"busy for {found['idle']:.1f} s after the end, promised {IDLE_WITHIN:g} s"
        for name, probed in found["probes"].items():
            if probed.get("answered", 0) < probed.get("asked", 1) * (SHORT_ANSWERED if self.is_short else 1):
                yield f"{name}: {probed.get('answered')} of {probed.get('asked')} answered ({probed.get('last_failure') or probed.get('error')})"
        lines = found["connections"]
        if attack.every_connection_ends and lines["ever_closed"] < lines["connections"]:
            yield f"{lines['connections'] - lines['ever_closed']} of {lines['connections']} connections were never ended"
        if attack.longest_open and lines["longest_open"] > attack.longest_open * slack:
            yield f"a connection lasted {lines['longest_open']:.1f} s, promised {attack.longest_open:g} s"
        if found["stopped"] > attack.stops_within * slack:
            yield f"SIGTERM took {found['stopped']:.1f} s, promised {attack.stops_within:g} s"
