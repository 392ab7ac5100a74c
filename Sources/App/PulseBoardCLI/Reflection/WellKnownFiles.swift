import ProtobufC
import ProtobufSchema
import ProtobufWellKnownTypes

/// The files of `google.protobuf` and `google.rpc` that this program holds itself.
enum WellKnownFiles {
    private static let all: [FileDescriptor] = [
        Google_Protobuf_AnyFile.descriptor, Google_Protobuf_DurationFile.descriptor, Google_Protobuf_EmptyFile.descriptor,
        Google_Protobuf_FieldMaskFile.descriptor, Google_Protobuf_StructFile.descriptor,
        Google_Protobuf_TimestampFile.descriptor, Google_Protobuf_WrappersFile.descriptor, Google_Rpc_StatusFile.descriptor,
        Google_Rpc_ErrorDetailsFile.descriptor,
    ]

    /// The types that errors are explained with, whatever server they come from.
    static let errorDetails = TypeRegistry([
        Google_Rpc_ErrorInfo.self, Google_Rpc_RetryInfo.self, Google_Rpc_BadRequest.self, Google_Rpc_RequestInfo.self,
        Google_Rpc_ResourceInfo.self, Google_Rpc_Help.self, Google_Rpc_LocalizedMessage.self,
    ])

    /// The file of that name.
    static func file(named name: String) -> SchemaFile? {
        all.first { $0.name == name }.flatMap { try? SchemaFile(serializedBytes: $0.serializedBytes) }
    }
}
