#!/usr/bin/env python3
"""Runs gRPC's interoperability cases with grpcio against a server of grpc.testing.TestService: grpcio_interop_client.py SOCKET CASE…

grpcio does not show whether a response was compressed, so the compression cases check only the answers, and that the server recognised compressed
requests. """
import queue
import sys

import grpc
import interop_messages as messages
from interop_messages import SERVICE

TIMEOUT = 30  # seconds, so that a server that does not answer fails the case
REQUEST_SIZES = [27182, 8, 1828, 45904]
RESPONSE_SIZES = [31415, 9, 2653, 58979]
METADATA = (("x-grpc-test-echo-initial", "test_initial_metadata_value"), ("x-grpc-test-echo-trailing-bin", b"\xab\xab\xab"))


def method(kind, name, response, service=SERVICE):
    return kind(service + name, lambda message: message.SerializeToString(), response.FromString)


class Stubs:
    def __init__(self, channel):
        self.empty = method(channel.unary_unary, "EmptyCall", messages.Empty)
        self.unary = method(channel.unary_unary, "UnaryCall", messages.SimpleResponse)
        self.output = method(channel.unary_stream, "StreamingOutputCall", messages.StreamingOutputCallResponse)
        self.input = method(channel.stream_unary, "StreamingInputCall", messages.StreamingInputCallResponse)
        self.duplex = method(channel.stream_stream, "FullDuplexCall", messages.StreamingOutputCallResponse)
        self.half_duplex = method(channel.stream_stream, "HalfDuplexCall", messages.StreamingOutputCallResponse)
        self.unimplemented = method(channel.unary_unary, "UnimplementedCall", messages.Empty)
        self.elsewhere = method(channel.unary_unary, "UnimplementedCall", messages.Empty, "/grpc.testing.UnimplementedService/")


def expect(actual, expected):
    if actual != expected:
        sys.exit(f"got {actual!r}, not {expected!r}")


def failure(code, call, text=None):
    try:
        call()
    except grpc.RpcError as error:
        expect(error.code(), code)
        if text is not None:
            expect(error.details(), text)
        return
    sys.exit("the call succeeded")


def payload(size):
    return messages.Payload(body=bytes(size))


def large(**fields):
    return messages.SimpleRequest(response_size=314159, payload=payload(271828), **fields)


def asking(*sizes, payload_size=0, **fields):
    parameters = [messages.ResponseParameters(size=size) for size in sizes]
    return messages.StreamingOutputCallRequest(response_parameters=parameters, payload=payload(payload_size), **fields)


def check(response, size):
    expect(response.payload.body, bytes(size))


def empty_unary(stubs):
    expect(stubs.empty(messages.Empty(), timeout=TIMEOUT), messages.Empty())


def large_unary(stubs):
    check(stubs.unary(large(), timeout=TIMEOUT), 314159)


def client_compressed_unary(stubs):
    expected = large(expect_compressed=messages.BoolValue(value=True))
    failure(grpc.StatusCode.INVALID_ARGUMENT, lambda: stubs.unary(expected, timeout=TIMEOUT))
    for algorithm in (grpc.Compression.Gzip, grpc.Compression.Deflate):
        check(stubs.unary(expected, timeout=TIMEOUT, compression=algorithm), 314159)
    check(stubs.unary(large(expect_compressed=messages.BoolValue(value=False)), timeout=TIMEOUT), 314159)


def server_compressed_unary(stubs):
    for value in (True, False):
        check(stubs.unary(large(response_compressed=messages.BoolValue(value=value)), timeout=TIMEOUT), 314159)


def client_streaming(stubs):
    requests = (messages.StreamingInputCallRequest(payload=payload(size)) for size in REQUEST_SIZES)
    expect(stubs.input(requests, timeout=TIMEOUT).aggregated_payload_size, 74922)


def client_compressed_streaming(stubs):
    truth = messages.BoolValue(value=True)
    requests = [messages.StreamingInputCallRequest(payload=payload(27182), expect_compressed=truth)]
    failure(grpc.StatusCode.INVALID_ARGUMENT, lambda: stubs.input(iter(requests), timeout=TIMEOUT))
    expect(stubs.input(iter(requests), timeout=TIMEOUT, compression=grpc.Compression.Gzip).aggregated_payload_size, 27182)


def server_streaming(stubs):
    for response, size in zip(stubs.output(asking(*RESPONSE_SIZES), timeout=TIMEOUT), RESPONSE_SIZES, strict=True):
        check(response, size)


def server_compressed_streaming(stubs):
    request = asking(31415, 92653)
    request.response_parameters[0].compressed.value = True
    request.response_parameters[1].compressed.value = False
    for response, size in zip(stubs.output(request, timeout=TIMEOUT), (31415, 92653), strict=True):
        check(response, size)


def ping_pong(stubs):
    requests = queue.SimpleQueue()
    responses = stubs.duplex(iter(requests.get, None), timeout=TIMEOUT)
    for request_size, response_size in zip(REQUEST_SIZES, RESPONSE_SIZES):
        requests.put(asking(response_size, payload_size=request_size))
        check(next(responses), response_size)
    requests.put(None)
    expect(list(responses), [])


def half_duplex(stubs):
    """Java's suite has it: no response comes before the last request is sent."""
    requests = queue.SimpleQueue()
    responses = stubs.half_duplex(iter(requests.get, None), timeout=TIMEOUT)
    for request_size, response_size in zip(REQUEST_SIZES, RESPONSE_SIZES):
        requests.put(asking(response_size, payload_size=request_size))
    requests.put(None)
    for response, size in zip(responses, RESPONSE_SIZES, strict=True):
        check(response, size)


def empty_stream(stubs):
    expect(list(stubs.duplex(iter(()), timeout=TIMEOUT)), [])


def custom_metadata(stubs):
    def echoes(call):
        expect(dict(call.initial_metadata()).get(METADATA[0][0]), METADATA[0][1])
        expect(dict(call.trailing_metadata()).get(METADATA[1][0]), METADATA[1][1])

    response, call = stubs.unary.with_call(large(), metadata=METADATA, timeout=TIMEOUT)
    check(response, 314159)
    echoes(call)
    call = stubs.duplex(iter([asking(31415, payload_size=27182)]), metadata=METADATA, timeout=TIMEOUT)
    expect(len(list(call)), 1)
    echoes(call)


def status(stubs, text):
    wanted = messages.EchoStatus(code=2, message=text)
    failure(grpc.StatusCode.UNKNOWN, lambda: stubs.unary(messages.SimpleRequest(response_status=wanted), timeout=TIMEOUT), text)
    failure(grpc.StatusCode.UNKNOWN, lambda: list(stubs.duplex(iter([asking(response_status=wanted)]), timeout=TIMEOUT)), text)


def status_code_and_message(stubs):
    status(stubs, "test status message")


def special_status_message(stubs):
    status(stubs, "\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n")


def unimplemented_method(stubs):
    failure(grpc.StatusCode.UNIMPLEMENTED, lambda: stubs.unimplemented(messages.Empty(), timeout=TIMEOUT))


def unimplemented_service(stubs):
    failure(grpc.StatusCode.UNIMPLEMENTED, lambda: stubs.elsewhere(messages.Empty(), timeout=TIMEOUT))


# In both cases the client's half stays open, so that only the client can end the call.
def cancel_after_begin(stubs):
    requests = queue.SimpleQueue()
    call = stubs.input.future(iter(requests.get, None), timeout=TIMEOUT)
    call.cancel()
    expect(call.cancelled(), True)
    requests.put(None)


def cancel_after_first_response(stubs):
    requests = queue.SimpleQueue()
    requests.put(asking(31415, payload_size=27182))
    call = stubs.duplex(iter(requests.get, None), timeout=TIMEOUT)
    check(next(call), 31415)
    call.cancel()
    expect(call.code(), grpc.StatusCode.CANCELLED)
    requests.put(None)


def timeout_on_sleeping_server(stubs):
    request = asking(31415, payload_size=27182)
    request.response_parameters[0].interval_us = 1_000_000
    failure(grpc.StatusCode.DEADLINE_EXCEEDED, lambda: list(stubs.duplex(iter([request]), timeout=0.001)))


def main():
    with grpc.insecure_channel(f"unix:{sys.argv[1]}") as channel:
        stubs = Stubs(channel)
        for case in sys.argv[2:]:
            globals()[case](stubs)
            print(f"{case}: ok")


if __name__ == "__main__":
    main()
