// Written by protoc-gen-pulseboard-swift from google/protobuf/empty.proto.
// Do not edit: change that file and generate again.

internal import WellKnownTypesC
import ProtobufC

/// `google.protobuf.Empty`.
public struct Google_Protobuf_Empty: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Google__Protobuf__Empty.self,
        initializedBy: google__protobuf__empty__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// `google/protobuf/empty.proto` in protobuf's own terms, for server reflection.
public enum Google_Protobuf_EmptyFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "google/protobuf/empty.proto",
        dependencies: [],
        serialized: """
            \n\u{1b}google/protobuf/empty.proto\u{12}\u{f}google.protobuf\"\u{7}\n\u{5}EmptyB}\n\u{13}com.googl\
            e.protobufB\nEmptyProtoP\u{1}Z.google.golang.org/protobuf/types/known/emptypb\u{f8}\u{1}\u{1}\u{a2}\
            \u{2}\u{3}GPB\u{aa}\u{2}\u{1e}Google.Protobuf.WellKnownTypesb\u{6}proto3
            """)
}
