#!/usr/bin/env python3
"""Asks a server about its health and its services with grpcio's own packages: standard_services_client.py SOCKET CASE…

Exits with 0 if every case passed. The server is pulseboardd with nobody signed in.
"""
import sys

import grpc
from google.protobuf import descriptor_pool, message_factory
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

TIMEOUT = 30  # seconds, so that a server that does not answer fails the case
AUTH = "pulseboard.auth.v1.AuthService"


def expect(actual, expected):
    if actual != expected:
        sys.exit(f"got {actual!r}, not {expected!r}")


def health_check(channel):
    stub = health_pb2_grpc.HealthStub(channel)
    for service in ("", AUTH, "grpc.health.v1.Health"):
        answer = stub.Check(health_pb2.HealthCheckRequest(service=service), timeout=TIMEOUT)
        expect(answer.status, health_pb2.HealthCheckResponse.SERVING)
    try:
        stub.Check(health_pb2.HealthCheckRequest(service="none.Such"), timeout=TIMEOUT)
    except grpc.RpcError as error:
        expect(error.code(), grpc.StatusCode.NOT_FOUND)
    else:
        sys.exit("a service that nobody has is healthy")


def health_watch(channel):
    stub = health_pb2_grpc.HealthStub(channel)
    known = stub.Watch(health_pb2.HealthCheckRequest(service=AUTH), timeout=TIMEOUT)
    expect(next(known).status, health_pb2.HealthCheckResponse.SERVING)
    unknown = stub.Watch(health_pb2.HealthCheckRequest(service="none.Such"), timeout=TIMEOUT)
    expect(next(unknown).status, health_pb2.HealthCheckResponse.SERVICE_UNKNOWN)
    expect(unknown.is_active(), True)
    known.cancel()
    unknown.cancel()


def reflection(channel):
    """A call of a method without generated code, by descriptors from the server."""
    database = ProtoReflectionDescriptorDatabase(channel)
    expect(AUTH in database.get_services(), True)
    pool = descriptor_pool.DescriptorPool(database)
    method = pool.FindServiceByName(AUTH).FindMethodByName("GetAuthState")
    expect(pool.FindFileByName("google/protobuf/timestamp.proto").package, "google.protobuf")
    request = message_factory.GetMessageClass(method.input_type)
    response = message_factory.GetMessageClass(method.output_type)
    call = channel.unary_unary(f"/{AUTH}/GetAuthState", request.SerializeToString, response.FromString)
    state = call(request(), timeout=TIMEOUT)
    expect(method.output_type.fields_by_name["state"].enum_type.values_by_number[state.state].name, "STATE_SIGNED_OUT")


def reflection_errors(channel):
    stub = reflection_pb2_grpc.ServerReflectionStub(channel)
    questions = [
        reflection_pb2.ServerReflectionRequest(file_by_filename="none.proto"),
        reflection_pb2.ServerReflectionRequest(file_containing_symbol="none.Such"),
        reflection_pb2.ServerReflectionRequest(
            file_containing_extension=reflection_pb2.ExtensionRequest(containing_type=AUTH, extension_number=1)),
        reflection_pb2.ServerReflectionRequest(all_extension_numbers_of_type="none.Such"),
        reflection_pb2.ServerReflectionRequest(),
        reflection_pb2.ServerReflectionRequest(host="h", list_services=""),
    ]
    answers = list(stub.ServerReflectionInfo(iter(questions), timeout=TIMEOUT))
    expect([answer.error_response.error_code for answer in answers], [5, 5, 5, 5, 3, 0])
    expect(answers[-1].valid_host, "h")
    expect([answer.original_request for answer in answers], questions)


CASES = {case.__name__: case for case in (health_check, health_watch, reflection, reflection_errors)}


def main():
    with grpc.insecure_channel("unix:" + sys.argv[1]) as channel:
        for name in sys.argv[2:] or CASES:
            CASES[name](channel)
            print(name, "ok", flush=True)


main()
