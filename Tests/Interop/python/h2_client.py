#!/usr/bin/env python3
"""Sends interop-server what no gRPC client sends: h2_client.py SOCKET CASE… Exits with 0 if every answer was as expected."""
import socket
import sys

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.settings

PATH = sys.argv[1]
ECHO = "/interop.v1.Shapes/Echo"


def expect(actual, expected):
    if actual != expected:
        sys.exit(f"got {actual!r}, not {expected!r}")


class Peer:
    """A connection whose events are read one by one."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(30)
        self.socket.connect(PATH)
        # h2 sends everything without checks, because the server's checks are tested.
        self.h2 = h2.connection.H2Connection(
            h2.config.H2Configuration(header_encoding="utf-8", validate_outbound_headers=False, normalize_outbound_headers=False))
        self.h2.initiate_connection()
        self.flush()
        self.events = []

    def flush(self):
        self.socket.sendall(self.h2.data_to_send())

    def request(self, changes=(), body=b"\0\0\0\0\0", end=True):
        headers = {
            ":method": "POST", ":scheme": "http", ":path": ECHO, ":authority": PATH, "content-type": "application/grpc", "te": "trailers"}
        headers.update(changes)
        stream = self.h2.get_next_available_stream_id()
        self.h2.send_headers(stream, [(name, value) for name, value in headers.items() if value is not None])
        if body is not None:
            self.h2.send_data(stream, body, end_stream=end)
        self.flush()
        return stream

    def next(self, *kinds):
        """The next event of these kinds; None if the server has closed the connection."""
        while True:
            for index, event in enumerate(self.events):
                if isinstance(event, kinds):
                    del self.events[: index + 1]
                    return event
            data = self.socket.recv(65536)
            if not data:
                return None
            self.events += self.h2.receive_data(data)
            try:
                self.flush()
            except (BrokenPipeError, ConnectionResetError):
                pass  # bytes that the server sent before it closed can still be read

    def status(self, stream):
        """What ends a stream: grpc-status, an HTTP status, or the code of a reset."""
        while True:
            event = self.next(h2.events.ResponseReceived, h2.events.TrailersReceived, h2.events.StreamReset)
            if event is None:
                sys.exit("the connection was closed")
            if event.stream_id != stream:
                continue
            if isinstance(event, h2.events.StreamReset):
                return "reset", int(event.error_code)
            fields = dict(event.headers)
            if "grpc-status" in fields:
                return "grpc", fields["grpc-status"]
            if fields.get(":status") != "200":
                return "http", fields[":status"]


def http():
    """Requests that are not gRPC, one after another on one connection, which keeps working."""
    peer = Peer()
    cases = [
        ({"content-type": "text/plain"}, ("http", "415")),
        ({"content-type": None}, ("http", "415")),
        ({":method": "GET"}, ("http", "405")),
        ({"te": None}, ("grpc", "13")),
        ({":path": None}, ("reset", h2.errors.ErrorCodes.PROTOCOL_ERROR)),
        ({"connection": "close"}, ("reset", h2.errors.ErrorCodes.PROTOCOL_ERROR)),
        ({"X-Upper": "1"}, ("reset", h2.errors.ErrorCodes.PROTOCOL_ERROR)),
        ({"grpc-timeout": "soon"}, ("grpc", "13")),
        ({"grpc-encoding": "snappy"}, ("grpc", "12")),
        ({"x-bin": "*"}, ("grpc", "13")),
        ({":path": "/"}, ("grpc", "12")),
        ({":authority": None}, ("grpc", "0")),
    ]
    for changes, answer in cases:
        expect(peer.status(peer.request(changes)), answer)
    for body, answer in [(b"\x02\0\0\0\0", "13"), (b"\0\0\0\0\x05ab", "13"), (b"", "12"), (b"\0\0\0\0\0" * 2, "12"), (b"\x01\0\0\0\0", "13")]:
        expect(peer.status(peer.request(body=body)), ("grpc", answer))
    expect(peer.status(peer.request(body=b"\0\xff\xff\xff\xff", end=False)), ("grpc", "8"))
    expect(peer.status(peer.request()), ("grpc", "0"))


def windows():
    """A client without a window gets its answer when it opens one."""
    peer = Peer()
    peer.h2.update_settings({h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: 0})
    stream = peer.request(body=b"\0\0\0\0\x05\x0a\x03abc")
    peer.next(h2.events.ResponseReceived)
    peer.h2.ping(b"12345678")
    peer.flush()
    # Nothing came in between: the answer to the ping is next.
    event = peer.next(h2.events.DataReceived, h2.events.PingAckReceived)
    expect(type(event), h2.events.PingAckReceived)
    peer.h2.increment_flow_control_window(4, stream)
    peer.flush()
    expect(peer.next(h2.events.DataReceived).data, b"\0\0\0\0")
    peer.h2.increment_flow_control_window(100, stream)
    peer.flush()
    expect(peer.next(h2.events.DataReceived).data, b"\x05\x0a\x03abc")
    expect(peer.status(stream), ("grpc", "0"))


def flooded(frame, reason):
    peer = Peer()
    expect(peer.status(peer.request()), ("grpc", "0"))
    try:
        for index in range(200):
            frame(peer, index)
            peer.flush()
    except (BrokenPipeError, ConnectionResetError):
        pass
    event = peer.next(h2.events.ConnectionTerminated)
    expect((int(event.error_code), event.additional_data), (h2.errors.ErrorCodes.ENHANCE_YOUR_CALM, reason))


def ping_flood():
    flooded(lambda peer, index: peer.h2.ping(b"%08d" % index), b"too_many_pings")


def settings_flood():
    flooded(
        lambda peer, index: peer.h2.update_settings({h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: 65_535 + index}), b"too_many_settings")


def drain():
    """A call that runs when the client sends GOAWAY is answered, and then the connection ends."""
    peer = Peer()
    stream = peer.request(end=False)
    peer.h2.send_data(stream, b"", end_stream=True)
    peer.h2.close_connection()
    peer.socket.sendall(peer.h2.data_to_send())
    data = b""
    while chunk := peer.socket.recv(65536):
        data += chunk
    if not data:
        sys.exit("nothing was answered")


CASES = {case.__name__: case for case in (http, windows, ping_flood, settings_flood, drain)}
for name in sys.argv[2:] or CASES:
    CASES[name]()
    print(name, "ok", flush=True)
