"""The effect of a purge on others: a user with very many followers is purged, while another user writes one profile after another. The followers are
inserted while no server runs, in random order, so that a step of the purge changes as many pages as possible."""
import os
import random
import shutil
import sqlite3
import uuid

from . import loads, product
from .product import PROFILE, body, enrol, field, write_requests
from .ttrpc import Client

ACCOUNT = "pulseboard.account.v1.AccountService"
FOLLOWERS, QUICK_FOLLOWERS = 200_000, 5_000
WRITES, QUICK_WRITES = 6_000, 300
START = 1_700_000_000_000_000  # microseconds


def fill(path, followers):
    """Makes `followers` people follow number 1."""
    choose = random.Random(1)
    database = sqlite3.connect(path, isolation_level=None)
    for setting in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -2000000"):
        database.execute(f"PRAGMA {setting}")
    database.execute("BEGIN")
    numbers = choose.sample(range(10, followers + 10), followers)
    database.executemany(
        "INSERT INTO profile (number, user_id, username, username_key, display_name, status_message, version, create_time, update_time) "
        f"VALUES (?, ?, ?, ?, '', '', 1, {START}, {START})",
        ((number, uuid.UUID(int=choose.getrandbits(128), version=4).bytes, f"p{number}", f"p{number}") for number in numbers))
    database.executemany("INSERT INTO following (follower, followee, follow_time) VALUES (?, 1, ?)", ((number, START + at) for at, number in enumerate(numbers)))
    database.executemany("INSERT INTO follower (followee, follow_time, follower) VALUES (1, ?, ?)", ((START + at, number) for at, number in enumerate(numbers)))
    database.executemany("INSERT INTO follow_count (number, followers, following) VALUES (?, 0, 1)", ((number,) for number in numbers))
    database.execute(f"INSERT INTO follow_count (number, followers, following) VALUES (1, {followers}, 0) ON CONFLICT (number) DO UPDATE SET followers = {followers}")
    database.execute("COMMIT")
    database.close()


def measure(runs, quick, socket_path, work, record):
    """Measures one write at a time, and reports p99 and the longest."""
    daemon = product.Daemon(socket_path, work, "purges", ["--withdrawal-grace", "0"])
    path = os.path.join(work, "requests")
    for turn in range(runs):
        shutil.rmtree(daemon.data, ignore_errors=True)
        try:
            with daemon.running:
                leaver, writer = enrol(socket_path, 2)
            fill(os.path.join(daemon.data, "pulseboard.sqlite"), QUICK_FOLLOWERS if quick else FOLLOWERS)

            def writes(name, running):
                count = QUICK_WRITES if quick else WRITES
                write_requests(path, (
                    body(PROFILE, "UpdateProfile", field(1, field(4, f"{name} {number}")), writer[0]) for number in range(count)))
                product.keep(record, name, turn, lambda: loads.generator(
                    running, ["--connections", 1, "--in-flight", 1, "--requests", path]))

            with daemon.running as running:
                writes("write-alone", running)
                with Client(socket_path) as client:
                    client.call(ACCOUNT, "RequestWithdrawal", b"", leaver[0])
            # The purge begins with the server.
            with daemon.running as running:
                writes("write-beside-purge", running)
                record({"part": "product", "measure": "purge", "round": turn, "followers_left": followers_left(daemon.data)})
        finally:
            shutil.rmtree(daemon.data, ignore_errors=True)


def followers_left(data):
    database = sqlite3.connect(os.path.join(data, "pulseboard.sqlite"))
    try:
        return database.execute("SELECT count(*) FROM follower WHERE followee = 1").fetchone()[0]
    finally:
        database.close()
