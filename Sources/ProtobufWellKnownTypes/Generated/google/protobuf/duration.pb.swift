// Written by protoc-gen-pulseboard-swift from google/protobuf/duration.proto.
// Do not edit: change that file and generate again.

internal import WellKnownTypesC
import ProtobufC

/// `google.protobuf.Duration`.
public struct Google_Protobuf_Duration: Message {
    /// `seconds`, field 1.
    public var seconds: Int64 = 0
    /// `nanos`, field 2.
    public var nanos: Int32 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        seconds: Int64 = 0,
        nanos: Int32 = 0
    ) {
        self.seconds = seconds
        self.nanos = nanos
    }

    public static let descriptor = MessageDescriptor(
        of: Google__Protobuf__Duration.self,
        initializedBy: google__protobuf__duration__init)

    public init(unpacked pointer: UnsafeRawPointer) {
        let message = pointer.assumingMemoryBound(to: Google__Protobuf__Duration.self)
        self.seconds = message.pointee.seconds
        self.nanos = message.pointee.nanos
        self.unknownFields = MessageReader.unknownFields(pointer)
    }

    public func fill(
        _ pointer: UnsafeMutableRawPointer, with encoder: inout MessageEncoder
    ) throws(EncodingError) {
        let message = pointer.assumingMemoryBound(to: Google__Protobuf__Duration.self)
        message.pointee.seconds = self.seconds
        message.pointee.nanos = self.nanos
        encoder.unknownFields(self.unknownFields, into: pointer)
    }
}
