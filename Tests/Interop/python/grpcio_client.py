#!/usr/bin/env python3
"""Calls interop-server with grpcio, Google's own gRPC: grpcio_client.py SOCKET CASE… Exits with 0 if every case passed."""
import sys
import threading

import grpc
from google.protobuf import wrappers_pb2
from google.rpc import status_pb2

SERVICE = "/interop.v1.Shapes/"
Bytes, Text = wrappers_pb2.BytesValue, wrappers_pb2.StringValue
TIMEOUT = 30  # seconds, so that a server that does not answer fails the case
OPTIONS = [("grpc.max_receive_message_length", 16 << 20), ("grpc.max_send_message_length", 16 << 20)]


class Stubs:
    def __init__(self, channel):
        self.channel = channel
        unary, stream = channel.unary_unary, channel.unary_stream
        self.echo = self.method(unary, "Echo", Bytes)
        self.size = self.method(unary, "Size", Text)
        self.hang = self.method(unary, "Hang", Bytes)
        self.cancelled = self.method(unary, "Cancelled", Text)
        self.context = self.method(unary, "Context", Text)
        self.watch = self.method(stream, "Watch", Bytes)
        self.upload = self.method(channel.stream_unary, "Upload", Text)
        self.chat = self.method(channel.stream_stream, "Chat", Bytes)
        self.hang_stream = self.method(channel.stream_stream, "HangStream", Bytes)

    @staticmethod
    def method(kind, name, response):
        return kind(SERVICE + name, lambda message: message.SerializeToString(), response.FromString)


def expect(actual, expected):
    if actual != expected:
        sys.exit(f"got {actual!r}, not {expected!r}")


def failure(call):
    try:
        call()
    except grpc.RpcError as error:
        return error
    sys.exit("the call succeeded")


def unary(stubs):
    for size in (0, 1, 5, 16_378, 16_384, 65_530, 65_536, 271_828, 4_000_000):
        value = bytes(index % 251 for index in range(size))
        expect(stubs.echo(Bytes(value=value), timeout=TIMEOUT).value, value)


def many(stubs):
    calls = [stubs.echo.future(Bytes(value=b"%d" % index), timeout=TIMEOUT) for index in range(3000)]
    for index, call in enumerate(calls):
        expect(call.result().value, b"%d" % index)


def server_stream(stubs):
    responses = list(stubs.watch(Text(value="500:10000"), timeout=TIMEOUT))
    expect([len(response.value) for response in responses], [10_000] * 500)
    expect([response.value[:1] for response in responses], [bytes([index % 256]) for index in range(500)])
    expect(list(stubs.watch(Text(value="0:0"), timeout=TIMEOUT)), [])
    expect(len(list(stubs.watch(Text(value="3:3000000"), timeout=TIMEOUT))), 3)


def client_stream(stubs):
    expect(stubs.upload((Bytes(value=b"x" * size) for size in (27182, 8, 1828, 45904)), timeout=TIMEOUT).value, "4 74922")
    expect(stubs.upload(iter(()), timeout=TIMEOUT).value, "0 0")
    expect(stubs.upload((Bytes(value=b"y" * 100_000) for _ in range(300)), timeout=TIMEOUT).value, "300 30000000")
    expect(stubs.upload((Bytes(value=b"y" * 4_000_000) for _ in range(5)), timeout=TIMEOUT).value, "5 20000000")


def ping_pong(stubs):
    requests, ready = [b"a", b"", b"x" * 70_000, b"end"], threading.Semaphore(1)

    def paced():
        for request in requests:
            ready.acquire()
            yield Bytes(value=request)

    answers = []
    for response in stubs.chat(paced(), timeout=TIMEOUT):
        answers.append(response.value)
        ready.release()
    expect(answers, requests)
    expect(list(stubs.chat(iter(()), timeout=TIMEOUT)), [])


def metadata(stubs):
    binary = bytes(range(256))
    sent = (("x-echo-initial", "first"), ("x-echo-trailing-bin", binary), ("x-echo-trailing-bin", b""), ("x-echo-trailing-bin", b"\xab"))
    _, call = stubs.echo.with_call(Bytes(), timeout=TIMEOUT, metadata=sent)
    expect([value for key, value in call.initial_metadata() if key == "x-echo-initial"], ["first"])
    expect([value for key, value in call.trailing_metadata() if key == "x-echo-trailing-bin"], [binary, b"", b"\xab"])
    stream = stubs.chat(iter([Bytes(value=b"x")]), timeout=TIMEOUT, metadata=sent)
    expect([value for key, value in stream.initial_metadata() if key == "x-echo-initial"], ["first"])
    expect(len(list(stream)), 1)
    expect([value for key, value in stream.trailing_metadata() if key == "x-echo-trailing-bin"], [binary, b"", b"\xab"])
    error = failure(lambda: stubs.echo(Bytes(), timeout=TIMEOUT, metadata=sent + (("x-fail", "5 gone"),)))
    expect([value for key, value in error.initial_metadata() if key == "x-echo-initial"], ["first"])
    expect([value for key, value in error.trailing_metadata() if key == "x-echo-trailing-bin"], [binary, b"", b"\xab"])


def context(stubs):
    lines = stubs.context(Bytes(), timeout=TIMEOUT, metadata=(("x-one", "1"), ("x-one", "2"))).value.split("\n")
    expect(lines[0], "deadline=true")
    expect(stubs.context(Bytes()).value.split("\n")[0], "deadline=false")
    expect([line for line in lines if line.startswith("x-one")], ["x-one=1", "x-one=2"])
    reserved = ("grpc-", ":", "te=", "content-type=")
    expect([line for line in lines if line.startswith(reserved)], [])


def errors(stubs):
    for code in range(1, 17):
        error = failure(lambda: stubs.echo(Bytes(), timeout=TIMEOUT, metadata=(("x-fail", f"{code} text"),)))
        expect(error.code().value[0], code)
        expect(error.details(), "text 안녕\n%\t")
        packed = dict(error.trailing_metadata())["grpc-status-details-bin"]
        status = status_pb2.Status.FromString(packed)
        detail = Text()
        expect(status.details[0].Unpack(detail), True)
        expect((status.code, status.message, detail.value), (code, "text 안녕\n%\t", "text"))
    error = failure(lambda: list(stubs.watch(Text(value="nonsense"), timeout=TIMEOUT)))
    expect(error.code(), grpc.StatusCode.INVALID_ARGUMENT)


def unimplemented(stubs):
    for path in ("/interop.v1.Shapes/None", "/interop.v1.None/Echo", "/None", "/"):
        call = stubs.channel.unary_unary(path, Bytes.SerializeToString, Bytes.FromString)
        expect(failure(lambda: call(Bytes(), timeout=TIMEOUT)).code(), grpc.StatusCode.UNIMPLEMENTED)
    expect(stubs.echo(Bytes(value=b"on"), timeout=TIMEOUT).value, b"on")


def cardinality(stubs):
    for method in ("Echo", "Watch"):
        call = stubs.channel.stream_stream(SERVICE + method, Text.SerializeToString, Bytes.FromString)
        for requests in ([], [Text(value="1:1"), Text(value="1:1")]):
            error = failure(lambda: list(call(iter(requests), timeout=TIMEOUT)))
            expect(error.code(), grpc.StatusCode.UNIMPLEMENTED)


def deadline(stubs):
    expect(failure(lambda: stubs.hang(Bytes(), timeout=0.05)).code(), grpc.StatusCode.DEADLINE_EXCEEDED)
    expect(failure(lambda: list(stubs.hang_stream(iter([Bytes()]), timeout=0.05))).code(), grpc.StatusCode.DEADLINE_EXCEEDED)


def cancelled_count(stubs):
    return int(stubs.cancelled(Bytes(), timeout=TIMEOUT).value)


def cancel(stubs):
    before = cancelled_count(stubs)
    call = stubs.hang.future(Bytes())
    call.cancel()
    expect(call.code(), grpc.StatusCode.CANCELLED)
    # The first response has come, so the handler runs.
    stream = stubs.hang_stream(iter([Bytes()]))
    next(stream)
    stream.cancel()
    expect(failure(lambda: next(stream)).code(), grpc.StatusCode.CANCELLED)
    # RST_STREAM is sent before the next call on the same connection, and the handler gets it at once or soon after.
    while cancelled_count(stubs) <= before:
        pass


def compression(stubs):
    text = b"compressible " * 20_000
    for kind in (grpc.Compression.Gzip, grpc.Compression.Deflate, grpc.Compression.NoCompression):
        expect(stubs.echo(Bytes(value=text), timeout=TIMEOUT, compression=kind).value, text)
        expect(stubs.echo(Bytes(value=text), timeout=TIMEOUT, compression=kind, metadata=(("x-compress", "1"),)).value, text)
        uploaded = stubs.upload(iter([Bytes(value=text)] * 5), timeout=TIMEOUT, compression=kind)
        expect(uploaded.value, f"5 {5 * len(text)}")
    answers = stubs.chat(iter([Bytes(value=b"c" * 50_000), Bytes(value=b"p" * 50_000)]), timeout=TIMEOUT, metadata=(("x-compress", "1"),))
    expect([answer.value[:1] for answer in answers], [b"c", b"p"])


def too_large(stubs):
    for kind in (grpc.Compression.NoCompression, grpc.Compression.Gzip):
        error = failure(lambda: stubs.echo(Bytes(value=b"x" * (5 << 20)), timeout=TIMEOUT, compression=kind))
        expect(error.code(), grpc.StatusCode.RESOURCE_EXHAUSTED)
    expect(stubs.echo(Bytes(value=b"on"), timeout=TIMEOUT).value, b"on")


def large_headers(stubs):
    pairs = tuple((f"x-{index}", "v" * 1000) for index in range(20))
    expect(failure(lambda: stubs.echo(Bytes(), timeout=TIMEOUT, metadata=pairs)).code(), grpc.StatusCode.RESOURCE_EXHAUSTED)
    expect(stubs.echo(Bytes(value=b"on"), timeout=TIMEOUT).value, b"on")


def slow_reader(stubs):
    """A stream that is not read blocks only its own handler."""
    stream = stubs.watch(Text(value="2000:100000"), timeout=TIMEOUT * 2)
    next(stream)
    for index in range(50):
        expect(stubs.echo(Bytes(value=b"%d" % index), timeout=TIMEOUT).value, b"%d" % index)
    expect(sum(1 for _ in stream), 1999)


CASES = {
    case.__name__: case
    for case in (
        unary, many, server_stream, client_stream, ping_pong, metadata, context, errors, unimplemented, cardinality, deadline,
        cancel, compression, too_large, large_headers, slow_reader)
}


def main():
    for name in sys.argv[2:] or CASES:
        with grpc.insecure_channel("unix:" + sys.argv[1], options=OPTIONS) as channel:
            CASES[name](Stubs(channel))
        print(name, "ok", flush=True)


main()
