#!/usr/bin/env python3
"""Calls interop-server with grpclib, a gRPC in pure Python: grpclib_client.py SOCKET CASE… Exits with 0 if every case passed."""
import asyncio
import sys

from google.protobuf import wrappers_pb2
from grpclib.client import Channel, StreamStreamMethod, StreamUnaryMethod, UnaryStreamMethod, UnaryUnaryMethod
from grpclib.const import Status
from grpclib.exceptions import GRPCError

SERVICE = "/interop.v1.Shapes/"
Bytes, Text = wrappers_pb2.BytesValue, wrappers_pb2.StringValue
TIMEOUT = 30  # seconds


def expect(actual, expected):
    if actual != expected:
        sys.exit(f"got {actual!r}, not {expected!r}")


async def status_of(call):
    try:
        await call
    except GRPCError as error:
        return error
    sys.exit("the call succeeded")


async def unary(channel):
    echo = UnaryUnaryMethod(channel, SERVICE + "Echo", Bytes, Bytes)
    for size in (0, 1, 16_384, 65_536, 1_000_000):
        expect((await echo(Bytes(value=b"x" * size), timeout=TIMEOUT)).value, b"x" * size)
    answers = await asyncio.gather(*(echo(Bytes(value=b"%d" % index), timeout=TIMEOUT) for index in range(200)))
    expect([answer.value for answer in answers], [b"%d" % index for index in range(200)])


async def streams(channel):
    watch = UnaryStreamMethod(channel, SERVICE + "Watch", Text, Bytes)
    expect(len(await watch(Text(value="100:20000"), timeout=TIMEOUT)), 100)
    upload = StreamUnaryMethod(channel, SERVICE + "Upload", Bytes, Text)
    expect((await upload([Bytes(value=b"x" * 20_000)] * 100, timeout=TIMEOUT)).value, "100 2000000")
    async with StreamStreamMethod(channel, SERVICE + "Chat", Bytes, Bytes).open(timeout=TIMEOUT) as stream:
        for word in (b"a", b"", b"b" * 50_000):
            await stream.send_message(Bytes(value=word))
            expect((await stream.recv_message()).value, word)
        await stream.end()
        expect(await stream.recv_message(), None)


async def metadata(channel):
    sent = {"x-echo-initial": "first", "x-echo-trailing-bin": b"\x00\xff\x10"}
    async with UnaryUnaryMethod(channel, SERVICE + "Echo", Bytes, Bytes).open(timeout=TIMEOUT, metadata=sent) as stream:
        await stream.send_message(Bytes(), end=True)
        await stream.recv_message()
        await stream.recv_trailing_metadata()
        expect(stream.initial_metadata["x-echo-initial"], "first")
        expect(stream.trailing_metadata["x-echo-trailing-bin"], b"\x00\xff\x10")


async def errors(channel):
    echo = UnaryUnaryMethod(channel, SERVICE + "Echo", Bytes, Bytes)
    error = await status_of(echo(Bytes(), timeout=TIMEOUT, metadata={"x-fail": "9 text"}))
    expect((error.status, error.message), (Status.FAILED_PRECONDITION, "text 안녕\n%\t"))
    unknown = UnaryUnaryMethod(channel, SERVICE + "None", Bytes, Bytes)
    expect((await status_of(unknown(Bytes(), timeout=TIMEOUT))).status, Status.UNIMPLEMENTED)


async def deadline(channel):
    hang = UnaryUnaryMethod(channel, SERVICE + "Hang", Bytes, Bytes)
    try:
        await hang(Bytes(), timeout=0.05)
    except asyncio.TimeoutError:
        return
    except GRPCError as error:
        return expect(error.status, Status.DEADLINE_EXCEEDED)
    sys.exit("the call succeeded")


async def cancel(channel):
    count = UnaryUnaryMethod(channel, SERVICE + "Cancelled", Bytes, Text)
    before = int((await count(Bytes(), timeout=TIMEOUT)).value)
    async with StreamStreamMethod(channel, SERVICE + "HangStream", Bytes, Bytes).open(timeout=TIMEOUT) as stream:
        await stream.send_message(Bytes())
        await stream.recv_message()
        await stream.cancel()
    while int((await count(Bytes(), timeout=TIMEOUT)).value) <= before:
        pass


CASES = {case.__name__: case for case in (unary, streams, metadata, errors, deadline, cancel)}


async def main():
    for name in sys.argv[2:] or CASES:
        channel = Channel(path=sys.argv[1])
        try:
            await CASES[name](channel)
        finally:
            channel.close()
        print(name, "ok", flush=True)


asyncio.run(main())
