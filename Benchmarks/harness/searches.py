"""Searches by name: among a network's people, and among a million with generated Korean names. The million are inserted while no server runs, with
SQL that makes the same rows as profiles do."""
import os
import random
import shutil
import sqlite3
import subprocess
import uuid

from . import loads, places, product
from .product import PROFILE, body, enrol, write_requests
from .protobuf import field, varint

MILLION, QUICK_MILLION = 1_000_000, 20_000
START = 1_700_000_000_000_000  # microseconds
PAGE = 50

# The searches of a round, by kind, with texts that find people among the names below.
KOREAN = {
    "prefix": ["김민", "이서", "박지", "최하"], "composing": ["김미", "하", "서여", "고"], "initials": ["ㅁㅈ", "ㄱㅁㅈ", "ㅇㅅㅇ", "ㅎㄴ"],
    "mixed": ["ㅁ지", "김ㅁㅈ", "ㄱ민ㅈ", "ㄱㅅ연"],
    # Nobody has such a name, so the search skips all names that begin like it.
    "mixed-absent": ["ㅇㅇ힣", "ㄱㅈ꽥", "ㅅㅇ쀍", "ㅇㅈ뷁"],
}
LATIN = {"prefix": ["jo", "mar", "alex", "da"]}
CALLS = 2_000

FAMILIES = "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민"
FIRSTS = "민서지하예도주시준현은수유연아건우재승태소나채다가윤정희성영진선경미혜원상동규찬호"
SECONDS = "준우진서현민호연아은지수영희빈율원재훈석환성경미정혜린나윤하라솔별찬규태건이인"
INITIALS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"


def initials(text):
    return "".join(INITIALS[(ord(letter) - 0xAC00) // 588] if "가" <= letter <= "힣" else letter for letter in text)


def fill(path, count):
    """Adds `count` people with Korean display names and numbered usernames."""
    choose = random.Random(1)
    database = sqlite3.connect(path, isolation_level=None)
    for setting in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -2000000"):
        database.execute(f"PRAGMA {setting}")
    database.execute("BEGIN")
    for number in range(count):
        user = uuid.UUID(int=choose.getrandbits(128), version=4).bytes
        shown = choose.choice(FAMILIES) + choose.choice(FIRSTS) + choose.choice(SECONDS)
        name = shown[1:] + base36(number)
        database.execute(
            "INSERT INTO profile (user_id, username, username_key, display_name, status_message, version, create_time, update_time) "
            "VALUES (?, ?, ?, ?, '', 1, ?, ?)", (user, name, name, shown, START, START))
        database.execute(
            "INSERT INTO username (username_key, user_id, kind, take_time, expire_time, skeleton, likeness) VALUES (?, ?, 0, 0, 0, ?, 0)",
            (name, user, name))
        database.executemany("INSERT INTO profile_term (term, user_id, kind) VALUES (?, ?, ?)", [
            (name, user, 0), (shown, user, 1), (initials(name), user, 2), (initials(shown), user, 3)])
    database.execute("INSERT INTO follow_count (number, followers, following) SELECT number, 0, 0 FROM profile WHERE true ON CONFLICT DO NOTHING")
    database.execute("COMMIT")
    database.close()


def base36(number):
    digits = ""
    while True:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
        if number == 0:
            return digits


def measure_searches(running, token, kinds, among, runs, work, record):
    path = os.path.join(work, "requests")
    for turn in range(runs):
        for kind, texts in kinds.items():
            write_requests(path, (
                body(PROFILE, "SearchProfiles", field(1, texts[call % len(texts)]) + varint(2 << 3) + varint(PAGE), token) for call in range(CALLS)))
            product.keep(record, f"search/{among}/{kind}", turn, lambda: loads.generator(
                running, ["--connections", 1, "--in-flight", 8, "--requests", path]))


def measure(runs, quick, users, socket_path, work, record):
    if users:
        with product.Daemon(socket_path, work) as running:
            subprocess.run(
                [places.product("pulseboard"), "load", "--socket", socket_path, "--users", users], check=True,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            measure_searches(running, enrol(socket_path, 1)[0][0], LATIN, "network", runs, work, record)
    daemon = product.Daemon(socket_path, work, "searches")
    shutil.rmtree(daemon.data, ignore_errors=True)
    try:
        with daemon.running:
            token = enrol(socket_path, 1)[0][0]
        fill(os.path.join(daemon.data, "pulseboard.sqlite"), QUICK_MILLION if quick else MILLION)
        with daemon.running as running:
            measure_searches(running, token, KOREAN, "million", runs, work, record)
    finally:
        shutil.rmtree(daemon.data, ignore_errors=True)
