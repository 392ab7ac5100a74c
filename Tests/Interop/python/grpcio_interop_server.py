#!/usr/bin/env python3
"""Serves grpc.testing.TestService with grpcio on a Unix socket until SIGTERM: grpcio_interop_server.py SOCKET

grpcio does not tell handlers whether a request was compressed, so `expect_compressed` is ignored.
"""
import concurrent.futures
import signal
import sys
import threading
import time

import grpc
import interop_messages as messages

ECHO_INITIAL, ECHO_TRAILING = "x-grpc-test-echo-initial", "x-grpc-test-echo-trailing-bin"


def echo(context):
    metadata = dict(context.invocation_metadata())
    if ECHO_INITIAL in metadata:
        context.send_initial_metadata([(ECHO_INITIAL, metadata[ECHO_INITIAL])])
    if ECHO_TRAILING in metadata:
        context.set_trailing_metadata([(ECHO_TRAILING, metadata[ECHO_TRAILING])])


def check(status, context):
    if status.code:
        code = next(code for code in grpc.StatusCode if code.value[0] == status.code)
        context.abort(code, status.message)


def unary(request, context):
    if request.response_compressed.value:
        context.set_compression(grpc.Compression.Gzip)
    echo(context)
    check(request.response_status, context)
    return messages.SimpleResponse(payload=messages.Payload(body=bytes(request.response_size)))


def answers(request, context):
    for parameters in request.response_parameters:
        time.sleep(parameters.interval_us / 1e6)
        if request.response_parameters[0].HasField("compressed") and not parameters.compressed.value:
            context.disable_next_message_compression()
        yield messages.StreamingOutputCallResponse(payload=messages.Payload(body=bytes(parameters.size)))
    check(request.response_status, context)


def output(request, context):
    if any(parameters.compressed.value for parameters in request.response_parameters):
        context.set_compression(grpc.Compression.Gzip)
    echo(context)
    yield from answers(request, context)


def duplex(requests, context):
    echo(context)
    for request in requests:
        yield from answers(request, context)


def collect(requests, context):
    return messages.StreamingInputCallResponse(aggregated_payload_size=sum(len(request.payload.body) for request in requests))


def handler(kind, behaviour, request):
    return kind(behaviour, request_deserializer=request.FromString, response_serializer=lambda message: message.SerializeToString())


def main():
    server = grpc.server(concurrent.futures.ThreadPoolExecutor(max_workers=16))
    handlers = {
        "EmptyCall": handler(grpc.unary_unary_rpc_method_handler, lambda request, context: request, messages.Empty),
        "UnaryCall": handler(grpc.unary_unary_rpc_method_handler, unary, messages.SimpleRequest),
        "StreamingOutputCall": handler(grpc.unary_stream_rpc_method_handler, output, messages.StreamingOutputCallRequest),
        "StreamingInputCall": handler(grpc.stream_unary_rpc_method_handler, collect, messages.StreamingInputCallRequest),
        "FullDuplexCall": handler(grpc.stream_stream_rpc_method_handler, duplex, messages.StreamingOutputCallRequest),
    }
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler("grpc.testing.TestService", handlers)])
    server.add_insecure_port(f"unix:{sys.argv[1]}")
    server.start()
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    print("ready", flush=True)
    ended.wait()
    server.stop(grace=10).wait()


if __name__ == "__main__":
    main()
