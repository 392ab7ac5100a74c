"""Bytes of both wire protocols, made by hand, because no correct client would send them."""
import socket
import struct
import time
from dataclasses import dataclass

# MARK: protobuf


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, value):
    """A string, bytes or message."""
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def fields(message):
    """The fields of a message by number. Of a repeated field, the last value."""
    found, at = {}, 0

    def take():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(message):
        key = take()
        if key & 7 == 0:
            found[key >> 3] = take()
            continue
        length = {2: take, 1: lambda: 8, 5: lambda: 4}[key & 7]()
        found[key >> 3] = message[at:at + length]
        at += length
    return found


# MARK: what else a conversation may do

# Its connection is closed by the client.
HANG_UP = object()


@dataclass(frozen=True)
class WithFile:
    """Bytes that are sent together with a file (SCM_RIGHTS). Whoever closes it last has to wait for some seconds."""
    data: bytes
    seconds: int


# MARK: ttrpc

REQUEST, RESPONSE, DATA, CANCEL = 1, 2, 3, 0x10
CLOSED, OPEN, NO_DATA = 1, 2, 4


def ttrpc(body, stream, kind=REQUEST, flags=0):
    return struct.pack(">IIBB", len(body), stream, kind, flags) + body


def request(method, message=b"", metadata=()):
    """The body of a request frame; `method` is service and method with a slash between."""
    service, name = method.split("/")
    pairs = b"".join(field(5, field(1, key) + field(2, value)) for key, value in metadata)
    return field(1, service) + field(2, name) + field(3, message) + pairs


def bearer(token):
    return [("authorization", f"Bearer {token}")]


class Refused(Exception):
    """A failed call; `code` is gRPC's."""

    def __init__(self, code, text):
        super().__init__(f"{code}: {text}")
        self.code = code


class Caller:
    """One call at a time over ttrpc, each with a time limit, seconds."""

    def __init__(self, path, patience):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(patience)
        self.connect(path, time.monotonic() + patience)
        self.stream = 1

    def connect(self, path, until):
        while True:
            try:
                return self.socket.connect(path)
            except BlockingIOError:  # the queue of new connections is full, which other clients wait out
                if time.monotonic() > until:
                    raise
                time.sleep(0.005)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def read(self, count):
        read = b""
        while len(read) < count:
            part = self.socket.recv(count - len(read))
            if not part:
                raise ConnectionError("closed by the server")
            read += part
        return read

    def call(self, method, message=b"", metadata=()):
        """The fields of the answer."""
        self.socket.sendall(ttrpc(request(method, message, metadata), self.stream))
        self.stream += 2
        length, *_ = struct.unpack(">IIBB", self.read(10))
        answer = fields(self.read(length))
        status = fields(answer.get(1, b""))
        if status.get(1):
            raise Refused(status[1], status.get(2, b"").decode())
        return fields(answer.get(2, b""))


# MARK: HTTP/2 (RFC 9113) and HPACK (RFC 7541)

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
H2_DATA, H2_HEADERS, H2_PRIORITY, H2_RST_STREAM, H2_SETTINGS, H2_PING, H2_WINDOW_UPDATE, H2_CONTINUATION = 0, 1, 2, 3, 4, 6, 8, 9
H2_PRIORITY_UPDATE, H2_UNKNOWN = 0x10, 0xFE
END_STREAM, END_HEADERS, ACK = 1, 4, 1
INITIAL_WINDOW_SIZE = 4


def h2(kind, flags, stream, payload=b""):
    return len(payload).to_bytes(3, "big") + struct.pack(">BBI", kind, flags, stream) + payload


def hello(**settings):
    """The first bytes of a client: preface, SETTINGS, and the acknowledgement of the server's SETTINGS."""
    chosen = b"".join(struct.pack(">HI", {"initial_window": INITIAL_WINDOW_SIZE}[name], value) for name, value in settings.items())
    return PREFACE + h2(H2_SETTINGS, 0, 0, chosen) + h2(H2_SETTINGS, ACK, 0)


def integer(value, prefix, first=0):
    """HPACK's integer with a prefix of this many bits."""
    most = (1 << prefix) - 1
    if value < most:
        return bytes([first | value])
    return bytes([first | most]) + varint(value - most)


def literal(name, value, indexed=False):
    """A header with literal name and value, added to the table if `indexed`."""
    name, value = name.encode(), value.encode() if isinstance(value, str) else value
    return (b"\x40" if indexed else b"\x00") + integer(len(name), 7) + name + integer(len(value), 7) + value


def from_table(index):
    """A header of the table by its number. The newest is 62."""
    return integer(index, 7, 0x80)


# `:method POST` and `:scheme http` from HPACK's static table.
POST, HTTP = from_table(3), from_table(6)


def headers(method, more=b"", indexed=False):
    """The header block of a gRPC call."""
    return POST + HTTP + literal(":path", f"/{method}", indexed) + literal("content-type", "application/grpc", indexed) + literal(
        "te", "trailers", indexed) + more


def message(body=b"", compressed=False):
    """A gRPC message as in DATA."""
    return struct.pack(">BI", compressed, len(body)) + body


def data(stream, body, flags=0, most=16_384):
    """DATA frames of at most 16 KiB, the last one with the flags."""
    parts = [body[at:at + most] for at in range(0, len(body), most)] or [b""]
    return b"".join(h2(H2_DATA, flags if index == len(parts) - 1 else 0, stream, part) for index, part in enumerate(parts))


def call(stream, method, body=b"", more=b""):
    """A whole call with one request."""
    return h2(H2_HEADERS, END_HEADERS, stream, headers(method, more)) + data(stream, message(body), END_STREAM)
