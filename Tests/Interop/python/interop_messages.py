"""The messages of gRPC's interoperability tests, read from this repository's own .proto by protoc when a peer starts."""
import os
import subprocess
import tempfile

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

PROTO = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Proto")
SERVICE = "/grpc.testing.TestService/"


def load(path, package):
    """The message classes of a .proto that imports nothing, by name."""
    with tempfile.NamedTemporaryFile(suffix=".pb") as file:
        subprocess.run(["protoc", f"-I{PROTO}", f"--descriptor_set_out={file.name}", path], check=True)
        files = descriptor_pb2.FileDescriptorSet.FromString(file.read())
    pool = descriptor_pool.DescriptorPool()
    for file in files.file:
        pool.Add(file)
    names = pool.FindFileByName(path).message_types_by_name
    return {name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{package}.{name}")) for name in names}


globals().update(load("grpc/testing/interop.proto", "grpc.testing"))
