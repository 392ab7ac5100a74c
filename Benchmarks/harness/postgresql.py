"""The store on PostgreSQL: compared with pgbench running the same statements, with SQLite, and with a simple service on psycopg. All four do the same
work in the same round: follows that are durable before they are answered, profiles by username, and first pages of followers, 64 of them in flight.
pgbench has no server in front; it shows the speed of PostgreSQL itself on this machine. PostgreSQL syncs each COMMIT, as it comes."""
import os
import pwd
import random
import re
import shutil
import subprocess
import uuid
import venv

from . import loads, places, product
from .growth import asked
from .loads import LoadFailed
from .product import FOLLOW, PROFILE, body, enrol, field, write_requests
from .servers import Running

PEOPLE = 1_000
# Two connections, because each of the service's two processes takes one.
CONNECTIONS, IN_FLIGHT = 2, 64
OPERATIONS = ("follow", "profile", "list")
# The number of calls in one round of each.
CALLS, QUICK_CALLS = {"follow": 6_000, "profile": 60_000, "list": 30_000}, {"follow": 300, "profile": 2_000, "list": 1_000}

PEER = places.BENCHMARKS / "Peers/psycopg"
USER = "decode(lpad(to_hex(:{}::bigint), 32, '0'), 'hex')"
A, B = USER.format("a"), USER.format("b")
STANDING = "SELECT p.number, c.last_event, c.event_count, c.events_until FROM profile p LEFT JOIN follow_count c ON c.number = p.number WHERE p.user_id = {};"
LEAVING = "SELECT number, withdraw_time FROM withdrawal WHERE user_id = {} AND is_over = 0;"
LOCK = "INSERT INTO owner (user_id, last_change) VALUES ({}, 1) ON CONFLICT (user_id) DO UPDATE SET last_change = owner.last_change + 1;"
COUNT = "UPDATE follow_count SET followers = followers + {}, following = following + {}, last_event = 0, event_count = 0 WHERE number = 1000000 + :{};"
CHOOSE = f"\\set a random(1, {PEOPLE})\n\\set b random(1, {PEOPLE})\n\\set t random(1, 1000000000000)\n"
# The statements of pulseboardd, in its order. There are over a hundred thousand pairs, so few come twice.
PGBENCH = {
    "follow": CHOOSE + "\\set x least(:a, :b)\n\\set y greatest(:a, :b)\n" + "\n".join((
        "BEGIN;", LOCK.format(USER.format("x")), LOCK.format(USER.format("y")), LEAVING.format(A), LEAVING.format(B), STANDING.format(A), STANDING.format(B),
        "SELECT follow_time FROM following WHERE follower = 1000000 + :a AND followee = 1000000 + :b;", COUNT.format(0, 1, "x"), COUNT.format(1, 0, "y"),
        "INSERT INTO following (follower, followee, follow_time) VALUES (1000000 + :a, 1000000 + :b, :t) ON CONFLICT DO NOTHING;",
        "INSERT INTO follower (followee, follow_time, follower) VALUES (1000000 + :b, :t, 1000000 + :a) ON CONFLICT DO NOTHING;",
        "SELECT follow_time FROM following WHERE follower = 1000000 + :b AND followee = 1000000 + :a;",
        "INSERT INTO operation (operation_id, create_time, is_void) VALUES (decode(md5(random()::text), 'hex'), :t, 0);", "COMMIT;")),
    "profile": CHOOSE + (
        "SELECT u.user_id, p.user_id, p.username, p.username_key, p.display_name, p.status_message, p.version, p.create_time, p.update_time, p.image_id "
        "FROM username u LEFT JOIN profile p ON p.user_id = u.user_id WHERE u.username_key = 'p' || :a AND u.kind = 0;"),
    "list": CHOOSE + (
        "SELECT e.follow_time, e.follower, p.user_id, p.username, p.username_key, p.display_name, p.image_id "
        f"FROM follower e LEFT JOIN profile p ON p.number = e.follower WHERE e.followee = (SELECT number FROM profile WHERE user_id = {A}) "
        "ORDER BY e.follow_time DESC LIMIT 21;"),
}
# The settings of pulseboardd's connections, for all.
SETTINGS = {"PGOPTIONS": " ".join(f"-c {name}=off" for name in (
    "jit", "enable_seqscan", "enable_bitmapscan", "enable_hashjoin", "enable_mergejoin", "enable_sort", "enable_memoize"))}
# The people for pgbench. Each follows the next sixty, so that pgbench and pulseboardd list the same number of rows.
SYNTHETIC = f"""
    INSERT INTO profile (user_id, number, username, username_key, display_name, status_message, version, create_time, update_time)
    SELECT decode(lpad(to_hex(n), 32, '0'), 'hex'), 1000000 + n, 'p' || n, 'p' || n, 'Person ' || n, '', 1, 0, 0 FROM generate_series(1, {PEOPLE}) n;
    INSERT INTO username SELECT 'p' || n, decode(lpad(to_hex(n), 32, '0'), 'hex'), 0, 0, 0, 'p' || n, 0 FROM generate_series(1, {PEOPLE}) n;
    INSERT INTO follow_count (number, followers, following) SELECT 1000000 + n, 60, 60 FROM generate_series(1, {PEOPLE}) n;
    INSERT INTO following SELECT 1000000 + n, 1000000 + (n + d) % {PEOPLE} + 1, d FROM generate_series(1, {PEOPLE}) n, generate_series(1, 60) d;
    INSERT INTO follower SELECT followee, follow_time, follower FROM following WHERE follower > 1000000;
    ANALYZE;"""


class Cluster:
    """A separate PostgreSQL on a Unix socket, with sync."""

    def __init__(self, work):
        self.folder = os.path.join(work, "pg")
        versions = sorted((int(name) for name in os.listdir("/usr/lib/postgresql")), reverse=True)
        self.programs = f"/usr/lib/postgresql/{versions[0]}/bin"
        self.identity = {}
        if os.getuid() == 0:
            user = pwd.getpwnam("postgres")
            self.identity = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}

    def run(self, program, *arguments, **options):
        done = subprocess.run(
            [f"{self.programs}/{program}", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd="/", **self.identity, **options)
        if done.returncode != 0:
            raise LoadFailed(f"{program}: {done.stdout[-500:]}")
        return done.stdout

    def __enter__(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder, mode=0o755)
        if self.identity:
            os.chown(self.folder, self.identity["user"], self.identity["group"])
            # Parent folders may be closed to others, but the socket's folder must not be.
            for parent in [self.folder, os.path.dirname(self.folder)]:
                os.chmod(parent, 0o755)
        self.run("initdb", "-D", f"{self.folder}/data", "-U", "pulseboard", "-A", "trust", "-E", "UTF8", "--locale=C")
        settings = "-c listen_addresses= -c max_connections=200 -c shared_buffers=256MB"
        self.run("pg_ctl", "-D", f"{self.folder}/data", "-l", f"{self.folder}/log", "-w", "-o", f"-k {self.folder} {settings}", "start")
        self.run("createdb", "-h", self.folder, "-U", "pulseboard", "pulseboard")
        self.address = f"postgresql:///pulseboard?host={self.folder}&user=pulseboard"
        return self

    def __exit__(self, *_):
        self.run("pg_ctl", "-D", f"{self.folder}/data", "-m", "immediate", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)

    def psql(self, sql):
        return self.run("psql", "-qAtd", self.address, "-v", "ON_ERROR_STOP=1", "-c", sql)

    def logged(self):
        """Bytes of the write-ahead log so far."""
        return int(self.psql("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn"))

    def pgbench(self, script, connections, seconds):
        """Transactions a second."""
        path = os.path.join(self.folder, "script.sql")
        with open(path, "w", encoding="utf-8") as file:
            file.write(script + "\n")
        output = self.run(
            "pgbench", "-n", "-M", "prepared", "-c", str(connections), "-j", str(min(2, connections)), "-T", str(seconds), "-f", path, self.address,
            env=os.environ | SETTINGS)
        return float(re.search(r"tps = ([\d.]+)", output)[1])


def environment_of_peer(work):
    """A Python environment with psycopg, made once."""
    folder = places.BUILT / "psycopg"
    python = folder / "bin/python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "-r", PEER / "requirements.txt"], check=True)
    return str(python)


class Caller:
    """People of one server, and their requests."""

    def __init__(self, running):
        self.running = running
        self.people = enrol(running.socket_path, PEOPLE)
        self.random = random.Random(7)
        # Each pair once, in an order in which neighbours have nobody in common. The first thirty of each person make the lists.
        self.pairs = ((turn, (turn + distance) % PEOPLE) for distance in range(1, PEOPLE) for turn in range(PEOPLE))

    def requests(self, operation, count):
        for _ in range(count):
            if operation == "follow":
                follower, followee = next(self.pairs)
                yield body(FOLLOW, "Follow", field(1, self.people[followee][1]), self.people[follower][0])
            elif operation == "profile":
                yield body(PROFILE, "GetProfile", field(2, self.random.choice(self.people)[2]), self.people[0][0])
            else:
                yield body(FOLLOW, "ListFollowers", asked(self.random.choice(self.people)[1]), self.people[0][0])

    def load(self, running, operation, count, work):
        path = os.path.join(work, "requests")
        write_requests(path, self.requests(operation, count))
        return loads.generator(running, ["--connections", CONNECTIONS, "--in-flight", IN_FLIGHT // CONNECTIONS, "--requests", path])


def measure(runs, quick, socket_path, work, record):
    calls = QUICK_CALLS if quick else CALLS
    seconds = 1 if quick else 3
    python = environment_of_peer(work)
    with Cluster(os.path.dirname(socket_path)) as cluster:
        shared = product.Daemon(f"{socket_path}-pg", work, "postgresql", ["--store", cluster.address])
        alone = product.Daemon(f"{socket_path}-lite", work, "sqlite")
        peer = Running([python, str(PEER / "service.py"), f"{socket_path}-py", cluster.address], f"{socket_path}-py", environment=SETTINGS)
        with shared as on_postgresql, alone as on_sqlite, peer as on_psycopg:
            one, other = Caller(on_postgresql), Caller(on_sqlite)
            # Not earlier, because a listening server may still be making its tables.
            cluster.psql(SYNTHETIC)
            # Lists to read, and prepared statements everywhere.
            for caller, running in ((one, on_postgresql), (other, on_sqlite)):
                caller.load(running, "follow", 20 * PEOPLE if not quick else PEOPLE, work)
            one.load(on_psycopg, "follow", PEOPLE, work)
            for turn in range(runs):
                for operation in OPERATIONS:
                    for name, caller, running in (
                            ("postgresql", one, on_postgresql), ("sqlite", other, on_sqlite), ("psycopg", one, on_psycopg)):
                        product.keep(
                            record, f"store/{name}/{operation}", turn, lambda: caller.load(running, operation, calls[operation], work))
                    product.keep(
                        record, f"store/pgbench/{operation}", turn,
                        lambda: {"calls_per_second": round(cluster.pgbench(PGBENCH[operation], IN_FLIGHT, seconds))})
                # One call at a time.
                product.keep(
                    record, "store/pgbench/alone", turn,
                    lambda: {"calls_per_second": round(cluster.pgbench(PGBENCH["follow"], 1, seconds))})
                path = os.path.join(work, "requests")
                for name, caller, running in (("postgresql", one, on_postgresql), ("sqlite", other, on_sqlite), ("psycopg", one, on_psycopg)):
                    write_requests(path, caller.requests("follow", calls["follow"] // 10))
                    product.keep(
                        record, f"store/{name}/alone", turn,
                        lambda: loads.generator(running, ["--connections", 1, "--in-flight", 1, "--requests", path]))


# MARK: growth

GROWN_PEOPLE = 100_000
STAGES, QUICK_STAGES = {"100k": 1, "10m": 100}, {"100k": 1, "10m": 4}  # edges of each person
GROWTH_CALLS = {"relationship": 40_000, "first-page": 8_000, "counts": 40_000, "follow": 4_000}
ID = "decode(md5(n::text), 'hex')"
# Times are in the order of the edges, and each round touches all keys in both tables. So pages are split and filled as by single
# follows.
GROWN = f"""
    INSERT INTO profile (user_id, number, username, username_key, display_name, status_message, version, create_time, update_time)
    SELECT {ID}, 1000000 + n, 'g' || n, 'g' || n, 'Person ' || n, '', 1, 0, 0 FROM generate_series(1, {GROWN_PEOPLE}) n;
    INSERT INTO username SELECT 'g' || n, {ID}, 0, 0, 0, 'g' || n, 0 FROM generate_series(1, {GROWN_PEOPLE}) n;
    INSERT INTO follow_count (number, followers, following) SELECT 1000000 + n, 0, 0 FROM generate_series(1, {GROWN_PEOPLE}) n"""


def grow(cluster, done, edges):
    """Makes everybody follow `edges` more people, a different one in each round, ten rounds at a time."""
    for first in range(done, edges, 10):
        count = min(10, edges - first)
        pairs = (
            f"SELECT 1000000 + n, 1000000 + (n + r * 769) % {GROWN_PEOPLE} + 1, r * {GROWN_PEOPLE} + n "
            f"FROM generate_series({first + 1}, {first + count}) r, generate_series(1, {GROWN_PEOPLE}) n ORDER BY r, n")
        cluster.psql(f"SET synchronous_commit = off; INSERT INTO following (follower, followee, follow_time) {pairs}")
        cluster.psql(f"SET synchronous_commit = off; INSERT INTO follower (follower, followee, follow_time) {pairs}")
    cluster.psql(f"UPDATE follow_count SET followers = {edges}, following = {edges} WHERE number > 1000000")
    cluster.psql("VACUUM ANALYZE")


def measure_growth(runs, quick, socket_path, work, record):
    """Reads and follows on 100,000 edges, and on a hundred times as many."""
    with Cluster(os.path.dirname(socket_path)) as cluster:
        with product.Daemon(f"{socket_path}-pg", work, "postgresql", ["--store", cluster.address]) as running:
            people = enrol(running.socket_path, 200)
            cluster.psql(GROWN)
            ids = [str(uuid.UUID(hex=line)) for line in cluster.psql("SELECT encode(user_id, 'hex') FROM profile WHERE number > 1000000").split()]
            choose = random.Random(2)
            choose.shuffle(ids)
            pairs = ((follower, followee) for followee in ids for follower in people)
            empty, done = int(cluster.psql("SELECT pg_database_size('pulseboard')")), 0
            for stage, edges in (QUICK_STAGES if quick else STAGES).items():
                grow(cluster, done, edges)
                done = edges
                for turn in range(-1, runs):
                    for operation, calls in GROWTH_CALLS.items():
                        def requests():
                            for _ in range(calls // (10 if quick else 1)):
                                if operation == "follow":
                                    follower, followee = next(pairs)
                                    yield body(FOLLOW, "Follow", field(1, followee), follower[0])
                                elif operation == "first-page":
                                    yield body(FOLLOW, "ListFollowers", asked(choose.choice(ids)), people[0][0])
                                else:
                                    method = "GetRelationship" if operation == "relationship" else "GetFollowCounts"
                                    yield body(FOLLOW, method, field(1, choose.choice(ids)), people[0][0])

                        path = os.path.join(work, "requests")
                        write_requests(path, requests())
                        logged = cluster.logged()

                        def load():
                            measured = loads.generator(running, ["--connections", 1, "--in-flight", IN_FLIGHT, "--requests", path])
                            return measured | {"log_bytes_per_call": round((cluster.logged() - logged) / measured["calls"])}

                        # The first turn is a warm-up.
                        product.keep(record if turn >= 0 else lambda _: None, f"store-growth/{stage}/{operation}", turn, load)
            size = int(cluster.psql("SELECT pg_database_size('pulseboard')"))
            record({
                "part": "product", "measure": "store-growth", "edges": done * GROWN_PEOPLE, "database_bytes": size,
                "bytes_per_edge": round((size - empty) / (done * GROWN_PEOPLE), 1)})
