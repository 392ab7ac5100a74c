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

    public init(unpacked pointer: UnsafeRawPointer) {
        self.unknownFields = MessageReader.unknownFields(pointer)
    }

    public func fill(
        _ pointer: UnsafeMutableRawPointer, with encoder: inout MessageEncoder
    ) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: pointer)
    }
}
