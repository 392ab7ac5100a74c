// Written by protoc-gen-pulseboard-swift from grpc/testing/interop.proto.
// Do not edit: change that file and generate again.

internal import InteropMessagesC
import ProtobufC
import ProtobufWellKnownTypes

/// `grpc.testing.PayloadType`.
public enum Grpc_Testing_PayloadType: ProtobufEnum {
    /// Bytes that compress well: zeros.
    case compressable
    /// A number that this schema does not name, sent by a newer peer.
    case unrecognized(Int32)

    /// The value of number 0.
    public init() { self = .compressable }

    /// The value of that number, or ``unrecognized(_:)``.
    public init(rawValue: Int32) {
        self = switch rawValue {
        case 0: .compressable
        default: .unrecognized(rawValue)
        }
    }

    /// The number.
    public var rawValue: Int32 {
        switch self {
        case .compressable: 0
        case .unrecognized(let number): number
        }
    }
}

/// `grpc.testing.Empty`.
public struct Grpc_Testing_Empty: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Grpc__Testing__Empty.self,
        initializedBy: grpc__testing__empty__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// A truth value that may be left out.
public struct Grpc_Testing_BoolValue: Message {
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
        of: Grpc__Testing__BoolValue.self,
        initializedBy: grpc__testing__bool_value__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Grpc__Testing__BoolValue.self)
        self.value = MessageReader.bool(message.pointee.value)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Grpc__Testing__BoolValue.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.value = self.value ? 1 : 0
    }
}

/// `grpc.testing.Payload`.
public struct Grpc_Testing_Payload: Message {
    /// `type`, field 1.
    public var type: Grpc_Testing_PayloadType = .init()
    /// `body`, field 2.
    public var body: [UInt8] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        type: Grpc_Testing_PayloadType = .init(),
        body: [UInt8] = []
    ) {
        self.type = type
        self.body = body
    }

    public static let descriptor = MessageDescriptor(
        of: Grpc__Testing__Payload.self,
        initializedBy: grpc__testing__payload__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Grpc__Testing__Payload.self)
        self.type = MessageReader.enumeration(message.pointee.type)
        self.body = MessageReader.bytes(message.pointee.body)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Grpc__Testing__Payload.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.type = encoder.enumeration(self.type, as: Grpc__Testing__PayloadType.self)
        if !self.body.isEmpty {
            message.pointee.body = encoder.bytes(self.body)
        }
    }
}

/// The status that the call is to end with.
public struct Grpc_Testing_EchoStatus: Message {
    /// `code`, field 1.
    public var code: Int32 = 0
    /// `message`, field 2.
    public var message: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        code: Int32 = 0,
        message: String = ""
    ) {
        self.code = code
        self.message = message
    }

    public static let descriptor = MessageDescriptor(
        of: Grpc__Testing__EchoStatus.self,
        initializedBy: grpc__testing__echo_status__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Grpc__Testing__EchoStatus.self)
        self.code = message.pointee.code
        self.message = MessageReader.string(message.pointee.message)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Grpc__Testing__EchoStatus.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.code = self.code
        if !self.message.isEmpty {
            message.pointee.message = try encoder.string(self.message, field: "message")
        }
    }
}

/// `grpc.testing.SimpleRequest`.
public struct Grpc_Testing_SimpleRequest: Message {
    /// `response_type`, field 1.
    public var responseType: Grpc_Testing_PayloadType = .init()
    /// `response_size`, field 2.
    public var responseSize: Int32 = 0
    /// `payload`, field 3.
    public var payload: Grpc_Testing_Payload?
    /// `response_compressed`, field 6.
    public var responseCompressed: Grpc_Testing_BoolValue?
    /// `response_status`, field 7.
    public var responseStatus: Grpc_Testing_EchoStatus?
    /// Whether this request travelled compressed; when it did not as it says, the call fails.
    public var expectCompressed: Grpc_Testing_BoolValue?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        responseType: Grpc_Testing_PayloadType = .init(),
        responseSize: Int32 = 0,
        payload: Grpc_Testing_Payload? = nil,
        responseCompressed: Grpc_Testing_BoolValue? = nil,
        responseStatus: Grpc_Testing_EchoStatus? = nil,
        expectCompressed: Grpc_Testing_BoolValue? = nil
    ) {
        self.responseType = responseType
        self.responseSize = responseSize
        self.payload = payload
        self.responseCompressed = responseCompressed
        self.responseStatus = responseStatus
        self.expectCompressed = expectCompressed
    }

    public static let descriptor = MessageDescriptor(
        of: Grpc__Testing__SimpleRequest.self,
        initializedBy: grpc__testing__simple_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Grpc__Testing__SimpleRequest.self)
        self.responseType = MessageReader.enumeration(message.pointee.response_type)
        self.responseSize = message.pointee.response_size
        self.payload = MessageReader.message(message.pointee.payload)
        self.responseCompressed = MessageReader.message(message.pointee.response_compressed)
        self.responseStatus = MessageReader.message(message.pointee.response_status)
        self.expectCompressed = MessageReader.message(message.pointee.expect_compressed)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Grpc__Testing__SimpleRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.response_type = encoder.enumeration(self.responseType, as: Grpc__Testing__PayloadType.self)
        message.pointee.response_size = self.responseSize
        message.pointee.payload = try encoder.message(self.payload, as: Grpc__Testing__Payload.self, field: "payload")
        message.pointee.response_compressed = try encoder.message(
            self.responseCompressed, as: Grpc__Testing__BoolValue.self, field: "response_compressed")
        message.pointee.response_status = try encoder.message(
            self.responseStatus, as: Grpc__Testing__EchoStatus.self, field: "response_status")
        message.pointee.expect_compressed = try encoder.message(
            self.expectCompressed, as: Grpc__Testing__BoolValue.self, field: "expect_compressed")
    }
}

/// `grpc.testing.SimpleResponse`.
public struct Grpc_Testing_SimpleResponse: Message {
    /// `payload`, field 1.
    public var payload: Grpc_Testing_Payload?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(payload: Grpc_Testing_Payload? = nil) {
        self.payload = payload
    }

    public static let descriptor = MessageDescriptor(
        of: Grpc__Testing__SimpleResponse.self,
        initializedBy: grpc__testing__simple_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Grpc__Testing__SimpleResponse.self)
        self.payload = MessageReader.message(message.pointee.payload)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Grpc__Testing__SimpleResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.payload = try encoder.message(self.payload, as: Grpc__Testing__Payload.self, field: "payload")
    }
}

/// `grpc.testing.StreamingInputCallRequest`.
public struct Grpc_Testing_StreamingInputCallRequest: Message {
    /// `payload`, field 1.
    public var payload: Grpc_Testing_Payload?
    /// `expect_compressed`, field 2.
    public var expectCompressed: Grpc_Testing_BoolValue?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        payload: Grpc_Testing_Payload? = nil,
        expectCompressed: Grpc_Testing_BoolValue? = nil
    ) {
        self.payload = payload
        self.expectCompressed = expectCompressed
    }

    public static let descriptor = MessageDescriptor(
        of: Grpc__Testing__StreamingInputCallRequest.self,
        initializedBy: grpc__testing__streaming_input_call_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Grpc__Testing__StreamingInputCallRequest.self)
        self.payload = MessageReader.message(message.pointee.payload)
        self.expectCompressed = MessageReader.message(message.pointee.expect_compressed)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Grpc__Testing__StreamingInputCallRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.payload = try encoder.message(self.payload, as: Grpc__Testing__Payload.self, field: "payload")
        message.pointee.expect_compressed = try encoder.message(
            self.expectCompressed, as: Grpc__Testing__BoolValue.self, field: "expect_compressed")
    }
}

/// `grpc.testing.StreamingInputCallResponse`.
public struct Grpc_Testing_StreamingInputCallResponse: Message {
    /// `aggregated_payload_size`, field 1.
    public var aggregatedPayloadSize: Int32 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(aggregatedPayloadSize: Int32 = 0) {
        self.aggregatedPayloadSize = aggregatedPayloadSize
    }

    public static let descriptor = MessageDescriptor(
        of: Grpc__Testing__StreamingInputCallResponse.self,
        initializedBy: grpc__testing__streaming_input_call_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Grpc__Testing__StreamingInputCallResponse.self)
        self.aggregatedPayloadSize = message.pointee.aggregated_payload_size
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Grpc__Testing__StreamingInputCallResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.aggregated_payload_size = self.aggregatedPayloadSize
    }
}

/// `grpc.testing.ResponseParameters`.
public struct Grpc_Testing_ResponseParameters: Message {
    /// `size`, field 1.
    public var size: Int32 = 0
    /// How long to wait before the response, microseconds.
    public var intervalUs: Int32 = 0
    /// `compressed`, field 3.
    public var compressed: Grpc_Testing_BoolValue?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        size: Int32 = 0,
        intervalUs: Int32 = 0,
        compressed: Grpc_Testing_BoolValue? = nil
    ) {
        self.size = size
        self.intervalUs = intervalUs
        self.compressed = compressed
    }

    public static let descriptor = MessageDescriptor(
        of: Grpc__Testing__ResponseParameters.self,
        initializedBy: grpc__testing__response_parameters__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Grpc__Testing__ResponseParameters.self)
        self.size = message.pointee.size
        self.intervalUs = message.pointee.interval_us
        self.compressed = MessageReader.message(message.pointee.compressed)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Grpc__Testing__ResponseParameters.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.size = self.size
        message.pointee.interval_us = self.intervalUs
        message.pointee.compressed = try encoder.message(
            self.compressed, as: Grpc__Testing__BoolValue.self, field: "compressed")
    }
}

/// `grpc.testing.StreamingOutputCallRequest`.
public struct Grpc_Testing_StreamingOutputCallRequest: Message {
    /// `response_type`, field 1.
    public var responseType: Grpc_Testing_PayloadType = .init()
    /// `response_parameters`, field 2.
    public var responseParameters: [Grpc_Testing_ResponseParameters] = []
    /// `payload`, field 3.
    public var payload: Grpc_Testing_Payload?
    /// `response_status`, field 7.
    public var responseStatus: Grpc_Testing_EchoStatus?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        responseType: Grpc_Testing_PayloadType = .init(),
        responseParameters: [Grpc_Testing_ResponseParameters] = [],
        payload: Grpc_Testing_Payload? = nil,
        responseStatus: Grpc_Testing_EchoStatus? = nil
    ) {
        self.responseType = responseType
        self.responseParameters = responseParameters
        self.payload = payload
        self.responseStatus = responseStatus
    }

    public static let descriptor = MessageDescriptor(
        of: Grpc__Testing__StreamingOutputCallRequest.self,
        initializedBy: grpc__testing__streaming_output_call_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Grpc__Testing__StreamingOutputCallRequest.self)
        self.responseType = MessageReader.enumeration(message.pointee.response_type)
        self.responseParameters = MessageReader.messages(
            message.pointee.n_response_parameters, message.pointee.response_parameters)
        self.payload = MessageReader.message(message.pointee.payload)
        self.responseStatus = MessageReader.message(message.pointee.response_status)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Grpc__Testing__StreamingOutputCallRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.response_type = encoder.enumeration(self.responseType, as: Grpc__Testing__PayloadType.self)
        (message.pointee.n_response_parameters, message.pointee.response_parameters) = try encoder.messages(
            self.responseParameters, as: Grpc__Testing__ResponseParameters.self, field: "response_parameters")
        message.pointee.payload = try encoder.message(self.payload, as: Grpc__Testing__Payload.self, field: "payload")
        message.pointee.response_status = try encoder.message(
            self.responseStatus, as: Grpc__Testing__EchoStatus.self, field: "response_status")
    }
}

/// `grpc.testing.StreamingOutputCallResponse`.
public struct Grpc_Testing_StreamingOutputCallResponse: Message {
    /// `payload`, field 1.
    public var payload: Grpc_Testing_Payload?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(payload: Grpc_Testing_Payload? = nil) {
        self.payload = payload
    }

    public static let descriptor = MessageDescriptor(
        of: Grpc__Testing__StreamingOutputCallResponse.self,
        initializedBy: grpc__testing__streaming_output_call_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Grpc__Testing__StreamingOutputCallResponse.self)
        self.payload = MessageReader.message(message.pointee.payload)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Grpc__Testing__StreamingOutputCallResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.payload = try encoder.message(self.payload, as: Grpc__Testing__Payload.self, field: "payload")
    }
}

/// `grpc/testing/interop.proto` in protobuf's own terms, for server reflection.
public enum Grpc_Testing_InteropFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "grpc/testing/interop.proto",
        dependencies: [],
        serialized: """
            \n\u{1a}grpc/testing/interop.proto\u{12}\u{c}grpc.testing\"\u{7}\n\u{5}Empty\"!\n\tBoolValue\u{12}\
            \u{14}\n\u{5}value\u{18}\u{1} \u{1}(\u{8}R\u{5}value\"L\n\u{7}Payload\u{12}-\n\u{4}type\u{18}\u{1} \
            \u{1}(\u{e}2\u{19}.grpc.testing.PayloadTypeR\u{4}type\u{12}\u{12}\n\u{4}body\u{18}\u{2} \u{1}(\u{c}\
            R\u{4}body\":\n\nEchoStatus\u{12}\u{12}\n\u{4}code\u{18}\u{1} \u{1}(\u{5}R\u{4}code\u{12}\u{18}\n\
            \u{7}message\u{18}\u{2} \u{1}(\tR\u{7}message\"\u{f8}\u{2}\n\rSimpleRequest\u{12}>\n\rresponse_type\
            \u{18}\u{1} \u{1}(\u{e}2\u{19}.grpc.testing.PayloadTypeR\u{c}responseType\u{12}#\n\rresponse_size\
            \u{18}\u{2} \u{1}(\u{5}R\u{c}responseSize\u{12}/\n\u{7}payload\u{18}\u{3} \u{1}(\u{b}2\u{15}.grpc.t\
            esting.PayloadR\u{7}payload\u{12}H\n\u{13}response_compressed\u{18}\u{6} \u{1}(\u{b}2\u{17}.grpc.te\
            sting.BoolValueR\u{12}responseCompressed\u{12}A\n\u{f}response_status\u{18}\u{7} \u{1}(\u{b}2\u{18}\
            .grpc.testing.EchoStatusR\u{e}responseStatus\u{12}D\n\u{11}expect_compressed\u{18}\u{8} \u{1}(\u{b}\
            2\u{17}.grpc.testing.BoolValueR\u{10}expectCompressed\"A\n\u{e}SimpleResponse\u{12}/\n\u{7}payload\
            \u{18}\u{1} \u{1}(\u{b}2\u{15}.grpc.testing.PayloadR\u{7}payload\"\u{92}\u{1}\n\u{19}StreamingInput\
            CallRequest\u{12}/\n\u{7}payload\u{18}\u{1} \u{1}(\u{b}2\u{15}.grpc.testing.PayloadR\u{7}payload\
            \u{12}D\n\u{11}expect_compressed\u{18}\u{2} \u{1}(\u{b}2\u{17}.grpc.testing.BoolValueR\u{10}expectC\
            ompressed\"T\n\u{1a}StreamingInputCallResponse\u{12}6\n\u{17}aggregated_payload_size\u{18}\u{1} \
            \u{1}(\u{5}R\u{15}aggregatedPayloadSize\"\u{82}\u{1}\n\u{12}ResponseParameters\u{12}\u{12}\n\u{4}si\
            ze\u{18}\u{1} \u{1}(\u{5}R\u{4}size\u{12}\u{1f}\n\u{b}interval_us\u{18}\u{2} \u{1}(\u{5}R\ninterval\
            Us\u{12}7\n\ncompressed\u{18}\u{3} \u{1}(\u{b}2\u{17}.grpc.testing.BoolValueR\ncompressed\"\u{a3}\
            \u{2}\n\u{1a}StreamingOutputCallRequest\u{12}>\n\rresponse_type\u{18}\u{1} \u{1}(\u{e}2\u{19}.grpc.\
            testing.PayloadTypeR\u{c}responseType\u{12}Q\n\u{13}response_parameters\u{18}\u{2} \u{3}(\u{b}2 .gr\
            pc.testing.ResponseParametersR\u{12}responseParameters\u{12}/\n\u{7}payload\u{18}\u{3} \u{1}(\u{b}2\
            \u{15}.grpc.testing.PayloadR\u{7}payload\u{12}A\n\u{f}response_status\u{18}\u{7} \u{1}(\u{b}2\u{18}\
            .grpc.testing.EchoStatusR\u{e}responseStatus\"N\n\u{1b}StreamingOutputCallResponse\u{12}/\n\u{7}pay\
            load\u{18}\u{1} \u{1}(\u{b}2\u{15}.grpc.testing.PayloadR\u{7}payload*\u{1f}\n\u{b}PayloadType\u{12}\
            \u{10}\n\u{c}COMPRESSABLE\u{10}\02\u{fa}\u{4}\n\u{b}TestService\u{12}5\n\tEmptyCall\u{12}\u{13}.grp\
            c.testing.Empty\u{1a}\u{13}.grpc.testing.Empty\u{12}F\n\tUnaryCall\u{12}\u{1b}.grpc.testing.SimpleR\
            equest\u{1a}\u{1c}.grpc.testing.SimpleResponse\u{12}l\n\u{13}StreamingOutputCall\u{12}(.grpc.testin\
            g.StreamingOutputCallRequest\u{1a}).grpc.testing.StreamingOutputCallResponse0\u{1}\u{12}i\n\u{12}St\
            reamingInputCall\u{12}'.grpc.testing.StreamingInputCallRequest\u{1a}(.grpc.testing.StreamingInputCa\
            llResponse(\u{1}\u{12}i\n\u{e}FullDuplexCall\u{12}(.grpc.testing.StreamingOutputCallRequest\u{1a}).\
            grpc.testing.StreamingOutputCallResponse(\u{1}0\u{1}\u{12}i\n\u{e}HalfDuplexCall\u{12}(.grpc.testin\
            g.StreamingOutputCallRequest\u{1a}).grpc.testing.StreamingOutputCallResponse(\u{1}0\u{1}\u{12}=\n\
            \u{11}UnimplementedCall\u{12}\u{13}.grpc.testing.Empty\u{1a}\u{13}.grpc.testing.Empty2U\n\u{14}Unim\
            plementedService\u{12}=\n\u{11}UnimplementedCall\u{12}\u{13}.grpc.testing.Empty\u{1a}\u{13}.grpc.te\
            sting.Emptyb\u{6}proto3
            """)
}
