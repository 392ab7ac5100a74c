"""The follow graph grown a hundredfold: the cost of reads, and the space of an edge.

While no server runs, SQL inserts the same rows as follows do: `following` with its index, `follower`, and the counts of both sides. There are no
events, because nobody watches. The rows come in the order of their time and with random keys, so that pages are split and filled as by single
follows. All reads go through the server."""
import os
import random
import shutil
import sqlite3
import uuid

from . import loads, product
from .product import FOLLOW, body, enrol, write_requests
from .protobuf import field, varint
from .ttrpc import Client

PEOPLE = 100_000
STAGES, QUICK_STAGES = {"100k": 100_000, "10m": 10_000_000}, {"100k": 100_000, "10m": 400_000}
OPERATIONS = ("relationship", "first-page", "page-1000", "counts")
CALLS, LIST_CALLS = 60_000, 10_000
PAGE = 20
# From the start, the last person has a list of this many pages, and the people before have followers for some pages.
DEEP_PAGES, POPULAR, POPULAR_FOLLOWERS = 1_001, 200, 100
ORDINARY = PEOPLE - POPULAR - 1
START = 1_700_000_000_000_000  # microseconds

PEOPLE_ROWS = (
    "profile (number, user_id, username, username_key, display_name, status_message, version, create_time, update_time) "
    f"SELECT user, id, 'g' || number, 'g' || number, 'Person ' || number, '', 1, {START}, {START} FROM person",
    "username (username_key, user_id, kind, take_time, expire_time, skeleton, likeness) "
    "SELECT 'g' || number, id, 0, 0, 0, 'g' || number, 0 FROM person", "profile_term SELECT 'g' || number, id, 0 FROM person",
    "profile_term SELECT 'person ' || number, id, 1 FROM person",
    "follow_count (number, followers, following) SELECT user, 0, 0 FROM person")
COUNTS = """
    UPDATE follow_count SET followers = (SELECT count(*) FROM follower WHERE followee = number),
        following = (SELECT count(*) FROM following WHERE follower = number)"""


class Graph:
    """The people and edges of a database that no server has open."""

    def __init__(self, path):
        self.path = path
        self.people = [uuid.UUID(int=number, version=4) for number in random_numbers(PEOPLE)]
        # Their numbers in the database. Number 1 is the reader.
        self.users = random.Random(3).sample(range(2, PEOPLE + 2), PEOPLE)
        self.edges = self.rounds = 0

    def open(self):
        self.database = sqlite3.connect(self.path, isolation_level=None)
        self.database.execute("PRAGMA journal_mode = DELETE")
        # Nobody else uses the database, and after a crash only the measurement is lost.
        for setting in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -4000000", "temp_store = MEMORY"):
            self.database.execute(f"PRAGMA {setting}")
        self.database.execute("CREATE TEMP TABLE person (number INTEGER PRIMARY KEY, id BLOB, user INTEGER)")
        rows = ((number, person.bytes, self.users[number]) for number, person in enumerate(self.people))
        # One transaction: keys are random, so each COMMIT would write nearly every page.
        self.database.execute("BEGIN")
        self.database.executemany("INSERT INTO person VALUES (?, ?, ?)", rows)

    def run(self, sql):
        """Runs a statement, and returns how many rows it inserted."""
        return self.database.execute(sql).rowcount

    def add(self, first, count, followee):
        """Makes `count` people, beginning with the first, follow the people whose number the expression computes from `a.number`."""
        time = f"{START + self.edges} + a.number"
        chosen = f"""
            FROM person a JOIN person b ON b.number = {followee}
            WHERE a.number >= {first} AND a.number < {first + count} ORDER BY a.number"""
        self.run(f"INSERT INTO following SELECT a.user, b.user, {time} {chosen}")
        self.edges += self.run(f"INSERT INTO follower SELECT b.user, {time}, a.user {chosen}")

    def grow(self, edges):
        self.open()
        if self.edges == 0:
            for rows in PEOPLE_ROWS:
                self.run(f"INSERT INTO {rows}")
            self.add(0, DEEP_PAGES * PAGE, f"{PEOPLE - 1}")
            for number in range(POPULAR):
                self.add(number * ORDINARY // (2 * POPULAR), POPULAR_FOLLOWERS, f"{ORDINARY + number}")
        while self.edges < edges:
            # In each round everybody follows one more person, a new one each time.
            self.rounds += 1
            self.add(0, min(ORDINARY, edges - self.edges), f"(a.number + {self.rounds * 769}) % {ORDINARY}")
        self.run(COUNTS)
        self.database.execute("COMMIT")
        self.database.close()


def random_numbers(count):
    source = random.Random(1)
    return [source.getrandbits(128) for _ in range(count)]


def asked(user, page=""):
    return field(1, str(user)) + varint(2 << 3) + varint(PAGE) + (field(3, page) if page else b"")


def token_of_page_1000(socket_path, user, token):
    page = ""
    with Client(socket_path) as client:
        for _ in range(999):
            page = client.call(FOLLOW, "ListFollowers", asked(user, page), token)[2].decode()
    return page


def requests_of(graph, token, socket_path):
    """For each operation on the present graph: the method, the number of calls, and the function that makes a message."""
    choose = random.Random(2)
    deep = graph.people[-1]
    page = token_of_page_1000(socket_path, deep, token)
    # People with at least a page of followers. Later that is everybody.
    listed = graph.people[ORDINARY:-1] if graph.rounds < 2 * PAGE else choose.sample(graph.people[:-1], 2_000)
    return {
        "relationship": ("GetRelationship", CALLS, lambda: field(1, str(choose.choice(graph.people)))),
        "first-page": ("ListFollowers", LIST_CALLS, lambda: asked(choose.choice(listed))),
        "page-1000": ("ListFollowers", LIST_CALLS, lambda: asked(deep, page)),
        "counts": ("GetFollowCounts", CALLS, lambda: field(1, str(choose.choice(graph.people))))}


def measure_reads(servers, token, runs, work, record):
    """Measures both graphs in turn, so that the machine's state is the same for both. `servers`: the process and requests of each stage."""
    path = os.path.join(work, "requests")
    for turn in range(-1, runs):
        for operation in OPERATIONS:
            for stage, (running, requests) in servers.items():
                method, calls, message = requests[operation]
                write_requests(path, (body(FOLLOW, method, message(), token) for _ in range(calls)))
                # The first turn is a warm-up.
                product.keep(
                    record if turn >= 0 else lambda _: None, f"growth/{stage}/{operation}", turn,
                    lambda: loads.generator(running, ["--connections", 1, "--in-flight", 64, "--requests", path]))


def measure(runs, quick, socket_path, work, record):
    small, large = (QUICK_STAGES if quick else STAGES).items()
    daemons = {stage: product.Daemon(f"{socket_path}-{stage}", work, f"growth-{stage}") for stage, _ in (small, large)}
    first, second = daemons.values()
    for daemon in daemons.values():
        shutil.rmtree(daemon.data, ignore_errors=True)
    try:
        with second.running as running:
            token = enrol(running.socket_path, 1)[0][0]
        graph = Graph(os.path.join(second.data, "pulseboard.sqlite"))
        graph.grow(small[1])
        small_edges, small_size = graph.edges, second.database_bytes()
        shutil.copytree(second.data, first.data)
        with first.running as running:
            servers = {small[0]: (running, requests_of(graph, token, running.socket_path))}
            graph.grow(large[1])
            with second.running as running:
                servers[large[0]] = (running, requests_of(graph, token, running.socket_path))
                measure_reads(servers, token, runs, work, record)
        size = second.database_bytes()
        record({
            "part": "product", "measure": "growth", "edges": graph.edges, "database_bytes": size,
            "bytes_per_edge": round((size - small_size) / (graph.edges - small_edges), 1)})
    finally:
        for daemon in daemons.values():
            shutil.rmtree(daemon.data, ignore_errors=True)
