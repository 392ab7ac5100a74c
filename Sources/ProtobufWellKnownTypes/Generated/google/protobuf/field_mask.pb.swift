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

    public init(unpacked pointer: UnsafeRawPointer) {
        let message = pointer.assumingMemoryBound(to: Google__Protobuf__FieldMask.self)
        self.paths = MessageReader.strings(message.pointee.n_paths, message.pointee.paths)
        self.unknownFields = MessageReader.unknownFields(pointer)
    }

    public func fill(
        _ pointer: UnsafeMutableRawPointer, with encoder: inout MessageEncoder
    ) throws(EncodingError) {
        let message = pointer.assumingMemoryBound(to: Google__Protobuf__FieldMask.self)
        (message.pointee.n_paths, message.pointee.paths) = try encoder.strings(self.paths, field: "paths")
        encoder.unknownFields(self.unknownFields, into: pointer)
    }
}
