// Written by protoc-gen-pulseboard-swift from google/protobuf/any.proto.
// Do not edit: change that file and generate again.

internal import WellKnownTypesC
import ProtobufC

/// `google.protobuf.Any`.
public struct Google_Protobuf_Any: Message {
    /// `type_url`, field 1.
    public var typeURL: String = ""
    /// `value`, field 2.
    public var value: [UInt8] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        typeURL: String = "",
        value: [UInt8] = []
    ) {
        self.typeURL = typeURL
        self.value = value
    }

    public static let descriptor = MessageDescriptor(
        of: Google__Protobuf__Any.self,
        initializedBy: google__protobuf__any__init)

    public init(unpacked pointer: UnsafeRawPointer) {
        let message = pointer.assumingMemoryBound(to: Google__Protobuf__Any.self)
        self.typeURL = MessageReader.string(message.pointee.type_url)
        self.value = MessageReader.bytes(message.pointee.value)
        self.unknownFields = MessageReader.unknownFields(pointer)
    }

    public func fill(
        _ pointer: UnsafeMutableRawPointer, with encoder: inout MessageEncoder
    ) throws(EncodingError) {
        let message = pointer.assumingMemoryBound(to: Google__Protobuf__Any.self)
        if !self.typeURL.isEmpty {
            message.pointee.type_url = try encoder.string(self.typeURL, field: "type_url")
        }
        if !self.value.isEmpty {
            message.pointee.value = encoder.bytes(self.value)
        }
        encoder.unknownFields(self.unknownFields, into: pointer)
    }
}
