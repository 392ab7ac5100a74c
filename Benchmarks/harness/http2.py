"""One gRPC call, byte by byte: it shows whether a server speaks gRPC, and how soon it answers."""
import socket
import struct
import time

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, SETTINGS, PING, GOAWAY = 0, 1, 4, 6, 7
END_STREAM, END_HEADERS, ACK = 1, 4, 1


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def literal(name, value):
    """A header field that is not indexed, without Huffman coding (RFC 7541, 6.2.2)."""
    return b"\0" + b"".join(bytes([len(text)]) + text.encode() for text in (name, value))


def request(path, message):
    fields = [
        (":method", "POST"), (":scheme", "http"), (":path", path), (":authority", "localhost"),
        ("te", "trailers"), ("content-type", "application/grpc")]
    header_block = b"".join(literal(*field) for field in fields)
    return (
        PREFACE + frame(SETTINGS, 0, 0) + frame(HEADERS, END_HEADERS, 1, header_block)
        + frame(DATA, END_STREAM, 1, message))


def read_exactly(connection, count):
    read = b""
    while len(read) < count:
        part = connection.recv(count - len(read))
        if not part:
            raise ConnectionError("closed")
        read += part
    return read


def call(connection, path, message):
    """Makes a call, and returns the answer's DATA when the server has ended the stream."""
    connection.sendall(request(path, message))
    body = b""
    while True:
        head = read_exactly(connection, 9)
        length, kind, flags, stream = int.from_bytes(head[:3], "big"), head[3], head[4], int.from_bytes(head[5:], "big")
        payload = read_exactly(connection, length)
        if kind == GOAWAY:
            raise ConnectionError("refused")
        if kind in (SETTINGS, PING) and not flags & ACK:
            connection.sendall(frame(kind, ACK, 0, payload if kind == PING else b""))
        if kind == DATA and stream == 1:
            body += payload
        if kind in (DATA, HEADERS) and stream == 1 and flags & END_STREAM:
            return body


def answers(socket_path, path, patience=5):
    """Whether an echo over gRPC comes back as it was sent."""
    message = b"\0" + (6).to_bytes(4, "big") + b"\x0a\x04echo"
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(patience)
            connection.connect(socket_path)
            return call(connection, path, message) == message
    except OSError:
        return False


def first_answer(socket_path, path, patience=20):
    """Waits for a starting server, and returns the time of its first answer."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        if answers(socket_path, path):
            return time.monotonic()
        time.sleep(0.0002)
    raise TimeoutError("no answer over gRPC")
