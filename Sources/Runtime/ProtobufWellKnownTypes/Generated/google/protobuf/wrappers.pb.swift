// Written by protoc-gen-pulseboard-swift from google/protobuf/wrappers.proto.
// Do not edit: change that file and generate again.

internal import WellKnownTypesC
import ProtobufC

/// `google.protobuf.DoubleValue`.
public struct Google_Protobuf_DoubleValue: Message {
    /// `value`, field 1.
    public var value: Double = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(value: Double = 0) {
        self.value = value
    }

    public static let descriptor = MessageDescriptor(
        of: Google__Protobuf__DoubleValue.self,
        initializedBy: google__protobuf__double_value__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Google__Protobuf__DoubleValue.self)
        self.value = message.pointee.value
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Google__Protobuf__DoubleValue.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.value = self.value
        encoder.negativeZero(self.value, number: 1, into: blank)
    }
}

/// `google.protobuf.FloatValue`.
public struct Google_Protobuf_FloatValue: Message {
    /// `value`, field 1.
    public var value: Float = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(value: Float = 0) {
        self.value = value
    }

    public static let descriptor = MessageDescriptor(
        of: Google__Protobuf__FloatValue.self,
        initializedBy: google__protobuf__float_value__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Google__Protobuf__FloatValue.self)
        self.value = message.pointee.value
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Google__Protobuf__FloatValue.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.value = self.value
        encoder.negativeZero(self.value, number: 1, into: blank)
    }
}

/// `google.protobuf.Int64Value`.
public struct Google_Protobuf_Int64Value: Message {
    /// `value`, field 1.
    public var value: Int64 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(value: Int64 = 0) {
        self.value = value
    }

    public static let descriptor = MessageDescriptor(
        of: Google__Protobuf__Int64Value.self,
        initializedBy: google__protobuf__int64_value__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Google__Protobuf__Int64Value.self)
        self.value = message.pointee.value
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Google__Protobuf__Int64Value.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.value = self.value
    }
}

/// `google.protobuf.UInt64Value`.
public struct Google_Protobuf_UInt64Value: Message {
    /// `value`, field 1.
    public var value: UInt64 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(value: UInt64 = 0) {
        self.value = value
    }

    public static let descriptor = MessageDescriptor(
        of: Google__Protobuf__UInt64Value.self,
        initializedBy: google__protobuf__uint64_value__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Google__Protobuf__UInt64Value.self)
        self.value = message.pointee.value
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Google__Protobuf__UInt64Value.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.value = self.value
    }
}

/// `google.protobuf.Int32Value`.
public struct Google_Protobuf_Int32Value: Message {
    /// `value`, field 1.
    public var value: Int32 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(value: Int32 = 0) {
        self.value = value
    }

    public static let descriptor = MessageDescriptor(
        of: Google__Protobuf__Int32Value.self,
        initializedBy: google__protobuf__int32_value__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Google__Protobuf__Int32Value.self)
        self.value = message.pointee.value
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Google__Protobuf__Int32Value.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.value = self.value
    }
}

/// `google.protobuf.UInt32Value`.
public struct Google_Protobuf_UInt32Value: Message {
    /// `value`, field 1.
    public var value: UInt32 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(value: UInt32 = 0) {
        self.value = value
    }

    public static let descriptor = MessageDescriptor(
        of: Google__Protobuf__UInt32Value.self,
        initializedBy: google__protobuf__uint32_value__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Google__Protobuf__UInt32Value.self)
        self.value = message.pointee.value
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Google__Protobuf__UInt32Value.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.value = self.value
    }
}

/// `google.protobuf.BoolValue`.
public struct Google_Protobuf_BoolValue: Message {
    /// `value`, field 1.
    public var value: Bool = false
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(value: Bool = false) {
        self.value = value
    }

    public static let descriptor = MessageDescriptor(
        of: Google__Protobuf__BoolValue.self,
        initializedBy: google__protobuf__bool_value__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Google__Protobuf__BoolValue.self)
        self.value = MessageReader.bool(message.pointee.value)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Google__Protobuf__BoolValue.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.value = self.value ? 1 : 0
    }
}

/// `google.protobuf.StringValue`.
public struct Google_Protobuf_StringValue: Message {
    /// `value`, field 1.
    public var value: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(value: String = "") {
        self.value = value
    }

    public static let descriptor = MessageDescriptor(
        of: Google__Protobuf__StringValue.self,
        initializedBy: google__protobuf__string_value__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Google__Protobuf__StringValue.self)
        self.value = MessageReader.string(message.pointee.value)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Google__Protobuf__StringValue.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.value.isEmpty {
            message.pointee.value = try encoder.string(self.value, field: "value")
        }
    }
}

/// `google.protobuf.BytesValue`.
public struct Google_Protobuf_BytesValue: Message {
    /// `value`, field 1.
    public var value: [UInt8] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(value: [UInt8] = []) {
        self.value = value
    }

    public static let descriptor = MessageDescriptor(
        of: Google__Protobuf__BytesValue.self,
        initializedBy: google__protobuf__bytes_value__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Google__Protobuf__BytesValue.self)
        self.value = MessageReader.bytes(message.pointee.value)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Google__Protobuf__BytesValue.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.value.isEmpty {
            message.pointee.value = encoder.bytes(self.value)
        }
    }
}

/// `google/protobuf/wrappers.proto` in protobuf's own terms, for server reflection.
public enum Google_Protobuf_WrappersFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "google/protobuf/wrappers.proto",
        dependencies: [],
        serialized: """
            \n\u{1e}google/protobuf/wrappers.proto\u{12}\u{f}google.protobuf\"#\n\u{b}DoubleValue\u{12}\u{14}\n\
            \u{5}value\u{18}\u{1} \u{1}(\u{1}R\u{5}value\"\"\n\nFloatValue\u{12}\u{14}\n\u{5}value\u{18}\u{1} \
            \u{1}(\u{2}R\u{5}value\"\"\n\nInt64Value\u{12}\u{14}\n\u{5}value\u{18}\u{1} \u{1}(\u{3}R\u{5}value\
            \"#\n\u{b}UInt64Value\u{12}\u{14}\n\u{5}value\u{18}\u{1} \u{1}(\u{4}R\u{5}value\"\"\n\nInt32Value\
            \u{12}\u{14}\n\u{5}value\u{18}\u{1} \u{1}(\u{5}R\u{5}value\"#\n\u{b}UInt32Value\u{12}\u{14}\n\u{5}v\
            alue\u{18}\u{1} \u{1}(\rR\u{5}value\"!\n\tBoolValue\u{12}\u{14}\n\u{5}value\u{18}\u{1} \u{1}(\u{8}R\
            \u{5}value\"#\n\u{b}StringValue\u{12}\u{14}\n\u{5}value\u{18}\u{1} \u{1}(\tR\u{5}value\"\"\n\nBytes\
            Value\u{12}\u{14}\n\u{5}value\u{18}\u{1} \u{1}(\u{c}R\u{5}valueB\u{83}\u{1}\n\u{13}com.google.proto\
            bufB\rWrappersProtoP\u{1}Z1google.golang.org/protobuf/types/known/wrapperspb\u{f8}\u{1}\u{1}\u{a2}\
            \u{2}\u{3}GPB\u{aa}\u{2}\u{1e}Google.Protobuf.WellKnownTypesb\u{6}proto3
            """)
}
