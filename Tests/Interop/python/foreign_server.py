#!/usr/bin/env python3
"""A foreign gRPC server with reflection, for `pulseboard rpc`: foreign_server.py SOCKET.

It serves grpc.health.v1.Health and foreign.v1.Sums, whose .proto has features that the project's do not use: proto2 with required fields and
defaults, proto3 `optional`, a chosen JSON name, maps, every number type. Both files exist only here. """
import signal
import sys
from concurrent import futures

import grpc
from google.protobuf import any_pb2, descriptor_pb2, descriptor_pool, message_factory
from google.rpc import error_details_pb2, status_pb2
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from grpc_status import rpc_status

Field = descriptor_pb2.FieldDescriptorProto


def field(name, number, kind, label=Field.LABEL_OPTIONAL, **more):
    return Field(name=name, number=number, type=kind, label=label, **more)


def files():
    old = descriptor_pb2.FileDescriptorProto(name="foreign/v1/old.proto", package="foreign.v1", syntax="proto2")
    old.message_type.add(name="Old").field.extend([
        field("needed", 1, Field.TYPE_SINT64, Field.LABEL_REQUIRED),
        field("note", 2, Field.TYPE_STRING, default_value="none"),
    ])
    sums = descriptor_pb2.FileDescriptorProto(
        name="foreign/v1/sums.proto", package="foreign.v1", syntax="proto3", dependency=["foreign/v1/old.proto"])
    number = sums.message_type.add(name="Number")
    number.field.extend([
        field("value", 1, Field.TYPE_SFIXED64, json_name="theValue"),
        field("scale", 2, Field.TYPE_UINT32, json_name="scale", oneof_index=0, proto3_optional=True),
        field("old", 3, Field.TYPE_MESSAGE, json_name="old", type_name=".foreign.v1.Old"),
        field("counts", 4, Field.TYPE_MESSAGE, Field.LABEL_REPEATED, json_name="counts", type_name=".foreign.v1.Number.CountsEntry"),
    ])
    number.oneof_decl.add(name="_scale")
    entry = number.nested_type.add(name="CountsEntry", options=descriptor_pb2.MessageOptions(map_entry=True))
    entry.field.extend([field("key", 1, Field.TYPE_STRING), field("value", 2, Field.TYPE_DOUBLE)])
    service = sums.service.add(name="Sums")
    for name, asks, answers in (("Echo", False, False), ("Sum", True, False), ("Count", False, True), ("Running", True, True), ("Fail", False, False)):
        service.method.add(
            name=name, input_type=".foreign.v1.Number", output_type=".foreign.v1.Number", client_streaming=asks,
            server_streaming=answers)
    return old, sums


def fail(request, context):
    status = status_pb2.Status(code=9, message="not on Sundays")
    for detail in (error_details_pb2.ErrorInfo(reason="SUNDAY", domain="foreign"), request):
        packed = any_pb2.Any()
        packed.Pack(detail)
        status.details.append(packed)
    status.details.append(any_pb2.Any(type_url="type.googleapis.com/nobody.Knows", value=b"\x01\x02"))
    context.abort_with_status(rpc_status.to_status(status))


def main():
    pool = descriptor_pool.Default()
    for file in files():
        pool.AddSerializedFile(file.SerializeToString())
    Number = message_factory.GetMessageClass(pool.FindMessageTypeByName("foreign.v1.Number"))

    def running(requests):
        total = 0
        for request in requests:
            total += request.value
            yield Number(value=total)

    def last(numbers):
        total = Number()
        for total in numbers:
            pass
        return total

    def handler(kind, body):
        return kind(body, Number.FromString, Number.SerializeToString)

    methods = {
        "Echo": handler(grpc.unary_unary_rpc_method_handler, lambda request, context: request),
        "Sum": handler(grpc.stream_unary_rpc_method_handler, lambda requests, context: last(running(requests))),
        "Count": handler(
            grpc.unary_stream_rpc_method_handler, lambda request, context: (Number(value=n) for n in range(request.value))),
        "Running": handler(grpc.stream_stream_rpc_method_handler, lambda requests, context: running(requests)),
        "Fail": handler(grpc.unary_unary_rpc_method_handler, fail),
    }
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=8))
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("foreign.v1.Sums", methods),))
    health_pb2_grpc.add_HealthServicer_to_server(health.HealthServicer(), server)
    reflection.enable_server_reflection(
        ("foreign.v1.Sums", health_pb2.DESCRIPTOR.services_by_name["Health"].full_name, reflection.SERVICE_NAME), server)
    if server.add_insecure_port("unix:" + sys.argv[1]) == 0:
        sys.exit("cannot listen")
    server.start()
    signal.signal(signal.SIGTERM, lambda *_: server.stop(None))
    print("ready", flush=True)
    server.wait_for_termination()


main()
