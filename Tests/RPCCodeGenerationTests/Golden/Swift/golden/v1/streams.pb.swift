// Written by protoc-gen-pulseboard-swift from golden/v1/streams.proto.
// Do not edit: change that file and generate again.

internal import GoldenMessagesC
import ProtobufC
import ProtobufWellKnownTypes

/// One thing that travels.
public struct GSItem: Message {
    /// `text`, field 1.
    public var text: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(text: String = "") {
        self.text = text
    }

    public static let descriptor = MessageDescriptor(
        of: Golden__V1__Item.self,
        initializedBy: golden__v1__item__init)

    public init(unpacked pointer: UnsafeRawPointer) {
        let message = pointer.assumingMemoryBound(to: Golden__V1__Item.self)
        self.text = MessageReader.string(message.pointee.text)
        self.unknownFields = MessageReader.unknownFields(pointer)
    }

    public func fill(
        _ pointer: UnsafeMutableRawPointer, with encoder: inout MessageEncoder
    ) throws(EncodingError) {
        let message = pointer.assumingMemoryBound(to: Golden__V1__Item.self)
        if !self.text.isEmpty {
            message.pointee.text = try encoder.string(self.text, field: "text")
        }
        encoder.unknownFields(self.unknownFields, into: pointer)
    }
}

/// How many things travelled.
public struct GSTotal: Message {
    /// `count`, field 1.
    public var count: Int32 = 0
    /// Their texts, in the order of arrival.
    public var texts: [String] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        count: Int32 = 0,
        texts: [String] = []
    ) {
        self.count = count
        self.texts = texts
    }

    public static let descriptor = MessageDescriptor(
        of: Golden__V1__Total.self,
        initializedBy: golden__v1__total__init)

    public init(unpacked pointer: UnsafeRawPointer) {
        let message = pointer.assumingMemoryBound(to: Golden__V1__Total.self)
        self.count = message.pointee.count
        self.texts = MessageReader.strings(message.pointee.n_texts, message.pointee.texts)
        self.unknownFields = MessageReader.unknownFields(pointer)
    }

    public func fill(
        _ pointer: UnsafeMutableRawPointer, with encoder: inout MessageEncoder
    ) throws(EncodingError) {
        let message = pointer.assumingMemoryBound(to: Golden__V1__Total.self)
        message.pointee.count = self.count
        (message.pointee.n_texts, message.pointee.texts) = try encoder.strings(self.texts, field: "texts")
        encoder.unknownFields(self.unknownFields, into: pointer)
    }
}
