// Written by protoc-gen-pulseboard-swift from google/protobuf/field_mask.proto.
// Do not edit: change that file and generate again.

internal import WellKnownTypesC
import ProtobufC

/// `google.protobuf.FieldMask`.
public struct Google_Protobuf_FieldMask: Message {
    /// `paths`, field 1.
    public var paths: [String] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(paths: [String] = []) {
        self.paths = paths
    }

    public static let descriptor = MessageDescriptor(
        of: Google__Protobuf__FieldMask.self,
        initializedBy: google__protobuf__field_mask__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Google__Protobuf__FieldMask.self)
        self.paths = MessageReader.strings(message.pointee.n_paths, message.pointee.paths)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Google__Protobuf__FieldMask.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_paths, message.pointee.paths) = try encoder.strings(self.paths, field: "paths")
    }
}

/// `google/protobuf/field_mask.proto` in protobuf's own terms, for server reflection.
public enum Google_Protobuf_FieldMaskFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "google/protobuf/field_mask.proto",
        dependencies: [],
        serialized: """
            \n google/protobuf/field_mask.proto\u{12}\u{f}google.protobuf\"!\n\tFieldMask\u{12}\u{14}\n\u{5}pat\
            hs\u{18}\u{1} \u{3}(\tR\u{5}pathsB\u{85}\u{1}\n\u{13}com.google.protobufB\u{e}FieldMaskProtoP\u{1}Z\
            2google.golang.org/protobuf/types/known/fieldmaskpb\u{f8}\u{1}\u{1}\u{a2}\u{2}\u{3}GPB\u{aa}\u{2}\
            \u{1e}Google.Protobuf.WellKnownTypesb\u{6}proto3
            """)
}
