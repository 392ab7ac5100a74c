#!/usr/bin/env python3
"""Breaks each rule of HTTP/2's framing once: h2_violations.py SOCKET. Exits with 0 if the server reacted to each as RFC 9113 requires: a connection
error ends the connection with GOAWAY and the error's code; a stream error resets the stream, and the connection keeps working. """
import socket
import struct
import sys

import h2.errors
import hpack

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM, END_HEADERS, PADDED, ACK = 1, 4, 8, 1
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
BODY = b"\0\0\0\0\0"
Codes = h2.errors.ErrorCodes


def frame(kind, flags=0, stream=0, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def block(path="/interop.v1.Shapes/Echo", extra=()):
    pairs = [(":method", "POST"), (":scheme", "http"), (":path", path), (":authority", "x"), ("content-type", "application/grpc")]
    return hpack.Encoder().encode(pairs + [("te", "trailers"), *extra], huffman=False)


def call(stream, end=True):
    """A whole call, or one that the client has not half-closed."""
    return frame(HEADERS, END_HEADERS, stream, block()) + frame(DATA, END_STREAM if end else 0, stream, BODY)


def setting(identifier, value):
    return frame(SETTINGS, 0, 0, struct.pack(">HI", identifier, value))


def window(stream, increment):
    return frame(WINDOW_UPDATE, 0, stream, struct.pack(">I", increment))


# What is sent after a call on stream 1 was answered and while one on stream 3 is open, with the code of the GOAWAY.
CONNECTION = {
    "DATA on stream 0": (frame(DATA, 0, 0, b"x"), Codes.PROTOCOL_ERROR),
    "DATA on a stream that was never opened": (frame(DATA, 0, 7, b"x"), Codes.PROTOCOL_ERROR),
    "HEADERS on stream 0": (frame(HEADERS, END_HEADERS, 0, block()), Codes.PROTOCOL_ERROR),
    "HEADERS on an even stream": (frame(HEADERS, END_HEADERS, 2, block()), Codes.PROTOCOL_ERROR),
    "padding longer than its frame": (frame(DATA, PADDED, 3, b"\xffx"), Codes.PROTOCOL_ERROR),
    "a frame over the size limit": (frame(HEADERS, END_HEADERS, 5, b"x" * 16_385), Codes.FRAME_SIZE_ERROR),
    "SETTINGS on a stream": (frame(SETTINGS, 0, 1), Codes.PROTOCOL_ERROR),
    "SETTINGS of five bytes": (frame(SETTINGS, 0, 0, b"12345"), Codes.FRAME_SIZE_ERROR),
    "an acknowledgement with settings": (frame(SETTINGS, ACK, 0, b"123456"), Codes.FRAME_SIZE_ERROR),
    "ENABLE_PUSH that is no truth value": (setting(2, 2), Codes.PROTOCOL_ERROR),
    "INITIAL_WINDOW_SIZE over the limit": (setting(4, 1 << 31), Codes.FLOW_CONTROL_ERROR),
    "MAX_FRAME_SIZE under the limit": (setting(5, 16_383), Codes.PROTOCOL_ERROR),
    "PING of seven bytes": (frame(PING, 0, 0, b"1234567"), Codes.FRAME_SIZE_ERROR),
    "PING on a stream": (frame(PING, 0, 1, b"12345678"), Codes.PROTOCOL_ERROR),
    "GOAWAY on a stream": (frame(GOAWAY, 0, 1, bytes(8)), Codes.PROTOCOL_ERROR),
    "PUSH_PROMISE of a client": (frame(PUSH_PROMISE, END_HEADERS, 1, struct.pack(">I", 2) + block()), Codes.PROTOCOL_ERROR),
    "RST_STREAM on stream 0": (frame(RST_STREAM, 0, 0, bytes(4)), Codes.PROTOCOL_ERROR),
    "RST_STREAM of a stream that was never opened": (frame(RST_STREAM, 0, 7, bytes(4)), Codes.PROTOCOL_ERROR),
    "RST_STREAM of three bytes": (frame(RST_STREAM, 0, 1, bytes(3)), Codes.FRAME_SIZE_ERROR),
    "WINDOW_UPDATE of three bytes": (frame(WINDOW_UPDATE, 0, 0, bytes(3)), Codes.FRAME_SIZE_ERROR),
    "WINDOW_UPDATE by nothing": (window(0, 0), Codes.PROTOCOL_ERROR),
    # A stream's error, which RFC 9113 (5.4) lets a server take for the connection's.
    "WINDOW_UPDATE of a stream by nothing": (window(3, 0), Codes.PROTOCOL_ERROR),
    "WINDOW_UPDATE of a stream that was never opened": (window(7, 1), Codes.PROTOCOL_ERROR),
    "a connection's window over the limit": (window(0, (1 << 31) - 1), Codes.FLOW_CONTROL_ERROR),
    "CONTINUATION of nothing": (frame(CONTINUATION, END_HEADERS, 1, b""), Codes.PROTOCOL_ERROR),
    "HEADERS that another frame interrupts": (frame(HEADERS, 0, 5, block()) + frame(PING, 0, 0, bytes(8)), Codes.PROTOCOL_ERROR),
    "HEADERS continued on another stream": (frame(HEADERS, 0, 5, block()) + frame(CONTINUATION, 4, 7, b""), Codes.PROTOCOL_ERROR),
    "headers that HPACK cannot read": (frame(HEADERS, END_HEADERS, 5, b"\xff\xff\xff\xff\xff\xff"), Codes.COMPRESSION_ERROR),
    "an HPACK index that is not there": (frame(HEADERS, END_HEADERS, 5, b"\xfe"), Codes.COMPRESSION_ERROR),
    "a dynamic table over the limit": (frame(HEADERS, END_HEADERS, 5, b"\x3f\xe2\xff\x03"), Codes.COMPRESSION_ERROR),
}

# The same, with the code of stream 3's reset.
STREAM = {
    "a stream's window over the limit": (window(3, (1 << 31) - 1), Codes.FLOW_CONTROL_ERROR),
    "HEADERS in the middle": (frame(HEADERS, END_HEADERS, 3, block()), Codes.PROTOCOL_ERROR),
}

# The same, but the server ignores it.
HARMLESS = {
    "a frame of a kind that nobody knows": frame(0xBE, 0xFF, 3, b"whatever"),
    "a setting that nobody knows": setting(0xBEEF, 7),
    "PRIORITY": frame(PRIORITY, 0, 3, bytes(5)),
    "an acknowledgement of a ping that was never sent": frame(PING, ACK, 0, b"12345678"),
    "DATA of no bytes": frame(DATA, 0, 3, b""),
    "padding": frame(DATA, PADDED, 3, b"\x04\0\0\0\0"),
    "RST_STREAM of a stream that is over": frame(RST_STREAM, 0, 1, bytes(4)),
    "WINDOW_UPDATE of a stream that is over": window(1, 1),
}


class Peer:
    """A connection, and what the server has sent on it."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(30)
        self.socket.connect(sys.argv[1])
        self.decoder = hpack.Decoder()
        self.pending = b""
        self.ends = {}  # by stream, how it ended
        self.goaway = None
        self.is_closed = False

    def send(self, data, *streams):
        """Sends, and reads until these streams have ended. Without streams, until the connection has ended."""
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass  # bytes that the server sent before it closed can still be read
        while not self.is_closed and not (streams and all(stream in self.ends for stream in streams)):
            try:
                chunk = self.socket.recv(65536)
            except ConnectionResetError:
                chunk = b""
            self.is_closed = not chunk
            self.pending += chunk
            while len(self.pending) >= 9 and len(self.pending) >= 9 + int.from_bytes(self.pending[:3], "big"):
                self.read_frame()
        return self.ends, self.goaway

    def read_frame(self):
        length, kind, flags = int.from_bytes(self.pending[:3], "big"), self.pending[3], self.pending[4]
        stream, payload = int.from_bytes(self.pending[5:9], "big"), self.pending[9 : 9 + length]
        self.pending = self.pending[9 + length :]
        if kind == HEADERS:
            fields = dict(self.decoder.decode(payload))
            if flags & END_STREAM:
                self.ends[stream] = ("grpc-status", int(fields.get("grpc-status", -1)))
        elif kind == RST_STREAM:
            self.ends.setdefault(stream, ("reset", Codes(int.from_bytes(payload, "big"))))
        elif kind == GOAWAY:
            self.goaway = Codes(int.from_bytes(payload[4:8], "big"))


def started():
    peer = Peer()
    peer.send(PREFACE + frame(SETTINGS) + call(1), 1)
    peer.send(call(3, end=False), 1)
    return peer


def main():
    answered = ("grpc-status", 0)
    outcomes = []
    for name, (data, code) in CONNECTION.items():
        outcomes.append((name, started().send(data), ({1: answered}, code)))
    for name, (data, code) in STREAM.items():
        outcomes.append((name, started().send(data + call(5), 3, 5), ({1: answered, 3: ("reset", code), 5: answered}, None)))
    for name, data in HARMLESS.items():
        outcome = started().send(data + frame(DATA, END_STREAM, 3), 3)
        outcomes.append((name, outcome, ({1: answered, 3: answered}, None)))
    outcomes.append(("no SETTINGS at the start", Peer().send(PREFACE + call(1)), ({}, Codes.PROTOCOL_ERROR)))
    wrong = 0
    for name, actual, expected in outcomes:
        if actual != expected:
            wrong += 1
            print(f"{name}: {actual}, not {expected}", file=sys.stderr)
        else:
            print(f"{name}: ok")
    sys.exit(1 if wrong else 0)


main()
