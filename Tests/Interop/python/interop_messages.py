"""The messages of gRPC's interoperability tests, read from this repository's own .proto by protoc when a peer starts."""
import os
import subprocess
import tempfile

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

PROTO = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Proto")
SERVICE = "/grpc.testing.TestService/"


def _load():
    with tempfile.NamedTemporaryFile(suffix=".pb") as file:
        subprocess.run(
            ["protoc", f"-I{PROTO}", f"--descriptor_set_out={file.name}", "grpc/testing/interop.proto"], check=True)
        files = descriptor_pb2.FileDescriptorSet.FromString(file.read())
    pool = descriptor_pool.DescriptorPool()
    for file in files.file:
        pool.Add(file)
    names = pool.FindFileByName("grpc/testing/interop.proto").message_types_by_name
    return {name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"grpc.testing.{name}")) for name in names}


globals().update(_load())
