// Written by protoc-gen-pulseboard-swift from greeter.proto.
// Do not edit: change that file and generate again.

internal import GreeterC
import ProtobufC

/// `greeter.v1.HelloRequest`.
public struct HelloRequest: Message {
    /// Whom to greet.
    public var name: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(name: String = "") {
        self.name = name
    }

    public static let descriptor = MessageDescriptor(
        of: Greeter__V1__HelloRequest.self,
        initializedBy: greeter__v1__hello_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Greeter__V1__HelloRequest.self)
        self.name = MessageReader.string(message.pointee.name)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Greeter__V1__HelloRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.name.isEmpty {
            message.pointee.name = try encoder.string(self.name, field: "name")
        }
    }
}

/// `greeter.v1.HelloReply`.
public struct HelloReply: Message {
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
        of: Greeter__V1__HelloReply.self,
        initializedBy: greeter__v1__hello_reply__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Greeter__V1__HelloReply.self)
        self.text = MessageReader.string(message.pointee.text)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Greeter__V1__HelloReply.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.text.isEmpty {
            message.pointee.text = try encoder.string(self.text, field: "text")
        }
    }
}

/// `greeter.v1.CountDownRequest`.
public struct CountDownRequest: Message {
    /// The first number.
    public var from: UInt32 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(from: UInt32 = 0) {
        self.from = from
    }

    public static let descriptor = MessageDescriptor(
        of: Greeter__V1__CountDownRequest.self,
        initializedBy: greeter__v1__count_down_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Greeter__V1__CountDownRequest.self)
        self.from = message.pointee.from
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Greeter__V1__CountDownRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.from = self.from
    }
}

/// `greeter.v1.Count`.
public struct Count: Message {
    /// `number`, field 1.
    public var number: UInt32 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(number: UInt32 = 0) {
        self.number = number
    }

    public static let descriptor = MessageDescriptor(
        of: Greeter__V1__Count.self,
        initializedBy: greeter__v1__count__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Greeter__V1__Count.self)
        self.number = message.pointee.number
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Greeter__V1__Count.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.number = self.number
    }
}

/// `greeter.v1.ChatLine`.
public struct ChatLine: Message {
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
        of: Greeter__V1__ChatLine.self,
        initializedBy: greeter__v1__chat_line__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Greeter__V1__ChatLine.self)
        self.text = MessageReader.string(message.pointee.text)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Greeter__V1__ChatLine.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.text.isEmpty {
            message.pointee.text = try encoder.string(self.text, field: "text")
        }
    }
}

/// `greeter.proto` in protobuf's own terms, for server reflection.
public enum GreeterFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "greeter.proto",
        dependencies: [],
        serialized: """
            \n\rgreeter.proto\u{12}\ngreeter.v1\"\"\n\u{c}HelloRequest\u{12}\u{12}\n\u{4}name\u{18}\u{1} \u{1}(\
            \tR\u{4}name\" \n\nHelloReply\u{12}\u{12}\n\u{4}text\u{18}\u{1} \u{1}(\tR\u{4}text\"&\n\u{10}CountD\
            ownRequest\u{12}\u{12}\n\u{4}from\u{18}\u{1} \u{1}(\rR\u{4}from\"\u{1f}\n\u{5}Count\u{12}\u{16}\n\
            \u{6}number\u{18}\u{1} \u{1}(\rR\u{6}number\"\u{1e}\n\u{8}ChatLine\u{12}\u{12}\n\u{4}text\u{18}\
            \u{1} \u{1}(\tR\u{4}text2\u{84}\u{2}\n\u{7}Greeter\u{12}<\n\u{8}SayHello\u{12}\u{18}.greeter.v1.Hel\
            loRequest\u{1a}\u{16}.greeter.v1.HelloReply\u{12}>\n\tCountDown\u{12}\u{1c}.greeter.v1.CountDownReq\
            uest\u{1a}\u{11}.greeter.v1.Count0\u{1}\u{12}C\n\rSayHelloToAll\u{12}\u{18}.greeter.v1.HelloRequest\
            \u{1a}\u{16}.greeter.v1.HelloReply(\u{1}\u{12}6\n\u{4}Chat\u{12}\u{14}.greeter.v1.ChatLine\u{1a}\
            \u{14}.greeter.v1.ChatLine(\u{1}0\u{1}B\u{3}\u{ba}\u{2}\0b\u{6}proto3
            """)
}
