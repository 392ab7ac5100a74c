"""A small ttrpc client for preparing measurements: one call at a time, and request bodies for the load generator."""
import socket
import struct

from .protobuf import field, fields


class CallFailed(Exception):
    pass


def body(service, method, message=b"", token=None):
    """The body of a request frame."""
    request = field(1, service) + field(2, method) + field(3, message)
    if token:
        request += field(5, field(1, "authorization") + field(2, f"Bearer {token}"))
    return request


class Client:
    def __init__(self, socket_path):
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.connect(socket_path)
        self.next_id = 1

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def read(self, count):
        read = b""
        while len(read) < count:
            part = self.connection.recv(count - len(read))
            if not part:
                raise CallFailed("the server closed the connection")
            read += part
        return read

    def call(self, service, method, message=b"", token=None):
        """The fields of the answer."""
        request = body(service, method, message, token)
        self.connection.sendall(struct.pack(">IIBB", len(request), self.next_id, 1, 0) + request)
        self.next_id += 2
        return self.answer(service, method)

    def send_stream(self, service, method, messages, token=None):
        """Sends messages on one stream, and returns the fields of the answer. Flag 1 closes this side, 2 leaves it open, 4 marks a frame without a
        message."""
        stream, frames = self.next_id, [(1, 2, body(service, method, token=token))]
        self.next_id += 2
        frames += [(3, 0, message) for message in messages] + [(3, 1 | 4, b"")]
        for kind, flags, data in frames:
            self.connection.sendall(struct.pack(">IIBB", len(data), stream, kind, flags) + data)
        return self.answer(service, method)

    def answer(self, service, method):
        length, *_ = struct.unpack(">IIBB", self.read(10))
        response = fields(self.read(length))
        status = fields(response.get(1, b""))
        if status.get(1):
            raise CallFailed(f"{service}/{method}: {status[1]} {status.get(2, b'').decode()}")
        return fields(response.get(2, b""))
