// Written by protoc-gen-pulseboard-swift from conformance/conformance.proto.
// Do not edit: change that file and generate again.

internal import ConformanceMessagesC
import ProtobufC
import ProtobufWellKnownTypes

/// `conformance.WireFormat`.
public enum Conformance_WireFormat: ProtobufEnum {
    /// `UNSPECIFIED`, number 0.
    case unspecified
    /// `PROTOBUF`, number 1.
    case protobuf
    /// `JSON`, number 2.
    case json
    /// `JSPB`, number 3.
    case jspb
    /// `TEXT_FORMAT`, number 4.
    case textFormat
    /// A number that this schema does not name, sent by a newer peer.
    case unrecognized(Int32)

    /// The value of number 0.
    public init() { self = .unspecified }

    /// The value of that number, or ``unrecognized(_:)``.
    public init(rawValue: Int32) {
        self = switch rawValue {
        case 0: .unspecified
        case 1: .protobuf
        case 2: .json
        case 3: .jspb
        case 4: .textFormat
        default: .unrecognized(rawValue)
        }
    }

    /// The number.
    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .protobuf: 1
        case .json: 2
        case .jspb: 3
        case .textFormat: 4
        case .unrecognized(let number): number
        }
    }
}

/// `conformance.TestCategory`.
public enum Conformance_TestCategory: ProtobufEnum {
    /// `UNSPECIFIED_TEST`, number 0.
    case unspecifiedTest
    /// `BINARY_TEST`, number 1.
    case binaryTest
    /// `JSON_TEST`, number 2.
    case jsonTest
    /// `JSON_IGNORE_UNKNOWN_PARSING_TEST`, number 3.
    case jsonIgnoreUnknownParsingTest
    /// `JSPB_TEST`, number 4.
    case jspbTest
    /// `TEXT_FORMAT_TEST`, number 5.
    case textFormatTest
    /// A number that this schema does not name, sent by a newer peer.
    case unrecognized(Int32)

    /// The value of number 0.
    public init() { self = .unspecifiedTest }

    /// The value of that number, or ``unrecognized(_:)``.
    public init(rawValue: Int32) {
        self = switch rawValue {
        case 0: .unspecifiedTest
        case 1: .binaryTest
        case 2: .jsonTest
        case 3: .jsonIgnoreUnknownParsingTest
        case 4: .jspbTest
        case 5: .textFormatTest
        default: .unrecognized(rawValue)
        }
    }

    /// The number.
    public var rawValue: Int32 {
        switch self {
        case .unspecifiedTest: 0
        case .binaryTest: 1
        case .jsonTest: 2
        case .jsonIgnoreUnknownParsingTest: 3
        case .jspbTest: 4
        case .textFormatTest: 5
        case .unrecognized(let number): number
        }
    }
}

/// `conformance.FailureSet`.
public struct Conformance_FailureSet: Message {
    /// `failure`, field 1.
    public var failure: [String] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(failure: [String] = []) {
        self.failure = failure
    }

    public static let descriptor = MessageDescriptor(
        of: Conformance__FailureSet.self,
        initializedBy: conformance__failure_set__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Conformance__FailureSet.self)
        self.failure = MessageReader.strings(message.pointee.n_failure, message.pointee.failure)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Conformance__FailureSet.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_failure, message.pointee.failure) = try encoder.strings(self.failure, field: "failure")
    }
}

/// `conformance.ConformanceRequest`.
public struct Conformance_ConformanceRequest: Message {
    /// The `payload` that is set, if any.
    public var payload: OneOf_Payload?
    /// `requested_output_format`, field 3.
    public var requestedOutputFormat: Conformance_WireFormat = .init()
    /// `message_type`, field 4.
    public var messageType: String = ""
    /// `test_category`, field 5.
    public var testCategory: Conformance_TestCategory = .init()
    /// `jspb_encoding_options`, field 6.
    public var jspbEncodingOptions: Conformance_JspbEncodingConfig?
    /// `print_unknown_fields`, field 9.
    public var printUnknownFields: Bool = false
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        payload: OneOf_Payload? = nil,
        requestedOutputFormat: Conformance_WireFormat = .init(),
        messageType: String = "",
        testCategory: Conformance_TestCategory = .init(),
        jspbEncodingOptions: Conformance_JspbEncodingConfig? = nil,
        printUnknownFields: Bool = false
    ) {
        self.payload = payload
        self.requestedOutputFormat = requestedOutputFormat
        self.messageType = messageType
        self.testCategory = testCategory
        self.jspbEncodingOptions = jspbEncodingOptions
        self.printUnknownFields = printUnknownFields
    }

    public static let descriptor = MessageDescriptor(
        of: Conformance__ConformanceRequest.self,
        initializedBy: conformance__conformance_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Conformance__ConformanceRequest.self)
        switch message.pointee.payload_case.rawValue {
        case 1: self.payload = .protobufPayload(MessageReader.bytes(message.pointee.protobuf_payload))
        case 2: self.payload = .jsonPayload(MessageReader.string(message.pointee.json_payload))
        case 7: self.payload = .jspbPayload(MessageReader.string(message.pointee.jspb_payload))
        case 8: self.payload = .textPayload(MessageReader.string(message.pointee.text_payload))
        default: break
        }
        self.requestedOutputFormat = MessageReader.enumeration(message.pointee.requested_output_format)
        self.messageType = MessageReader.string(message.pointee.message_type)
        self.testCategory = MessageReader.enumeration(message.pointee.test_category)
        self.jspbEncodingOptions = MessageReader.message(message.pointee.jspb_encoding_options)
        self.printUnknownFields = MessageReader.bool(message.pointee.print_unknown_fields)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Conformance__ConformanceRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        switch self.payload {
        case .protobufPayload(let value)?:
            message.pointee.payload_case = .init(rawValue: 1)
            message.pointee.protobuf_payload = encoder.bytes(value)
        case .jsonPayload(let value)?:
            message.pointee.payload_case = .init(rawValue: 2)
            message.pointee.json_payload = try encoder.string(value, field: "json_payload")
        case .jspbPayload(let value)?:
            message.pointee.payload_case = .init(rawValue: 7)
            message.pointee.jspb_payload = try encoder.string(value, field: "jspb_payload")
        case .textPayload(let value)?:
            message.pointee.payload_case = .init(rawValue: 8)
            message.pointee.text_payload = try encoder.string(value, field: "text_payload")
        case nil: break
        }
        message.pointee.requested_output_format = encoder.enumeration(
            self.requestedOutputFormat, as: Conformance__WireFormat.self)
        if !self.messageType.isEmpty {
            message.pointee.message_type = try encoder.string(self.messageType, field: "message_type")
        }
        message.pointee.test_category = encoder.enumeration(self.testCategory, as: Conformance__TestCategory.self)
        message.pointee.jspb_encoding_options = try encoder.message(
            self.jspbEncodingOptions, as: Conformance__JspbEncodingConfig.self, field: "jspb_encoding_options")
        message.pointee.print_unknown_fields = self.printUnknownFields ? 1 : 0
    }

    /// What ``payload`` can be.
    public enum OneOf_Payload: Hashable, Sendable {
        /// `protobuf_payload`, field 1.
        case protobufPayload([UInt8])
        /// `json_payload`, field 2.
        case jsonPayload(String)
        /// `jspb_payload`, field 7.
        case jspbPayload(String)
        /// `text_payload`, field 8.
        case textPayload(String)
    }
}

/// `conformance.ConformanceResponse`.
public struct Conformance_ConformanceResponse: Message {
    /// The `result` that is set, if any.
    public var result: OneOf_Result?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(result: OneOf_Result? = nil) {
        self.result = result
    }

    public static let descriptor = MessageDescriptor(
        of: Conformance__ConformanceResponse.self,
        initializedBy: conformance__conformance_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Conformance__ConformanceResponse.self)
        switch message.pointee.result_case.rawValue {
        case 1: self.result = .parseError(MessageReader.string(message.pointee.parse_error))
        case 6: self.result = .serializeError(MessageReader.string(message.pointee.serialize_error))
        case 2: self.result = .runtimeError(MessageReader.string(message.pointee.runtime_error))
        case 3: self.result = .protobufPayload(MessageReader.bytes(message.pointee.protobuf_payload))
        case 4: self.result = .jsonPayload(MessageReader.string(message.pointee.json_payload))
        case 5: self.result = .skipped(MessageReader.string(message.pointee.skipped))
        case 7: self.result = .jspbPayload(MessageReader.string(message.pointee.jspb_payload))
        case 8: self.result = .textPayload(MessageReader.string(message.pointee.text_payload))
        default: break
        }
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Conformance__ConformanceResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        switch self.result {
        case .parseError(let value)?:
            message.pointee.result_case = .init(rawValue: 1)
            message.pointee.parse_error = try encoder.string(value, field: "parse_error")
        case .serializeError(let value)?:
            message.pointee.result_case = .init(rawValue: 6)
            message.pointee.serialize_error = try encoder.string(value, field: "serialize_error")
        case .runtimeError(let value)?:
            message.pointee.result_case = .init(rawValue: 2)
            message.pointee.runtime_error = try encoder.string(value, field: "runtime_error")
        case .protobufPayload(let value)?:
            message.pointee.result_case = .init(rawValue: 3)
            message.pointee.protobuf_payload = encoder.bytes(value)
        case .jsonPayload(let value)?:
            message.pointee.result_case = .init(rawValue: 4)
            message.pointee.json_payload = try encoder.string(value, field: "json_payload")
        case .skipped(let value)?:
            message.pointee.result_case = .init(rawValue: 5)
            message.pointee.skipped = try encoder.string(value, field: "skipped")
        case .jspbPayload(let value)?:
            message.pointee.result_case = .init(rawValue: 7)
            message.pointee.jspb_payload = try encoder.string(value, field: "jspb_payload")
        case .textPayload(let value)?:
            message.pointee.result_case = .init(rawValue: 8)
            message.pointee.text_payload = try encoder.string(value, field: "text_payload")
        case nil: break
        }
    }

    /// What ``result`` can be.
    public enum OneOf_Result: Hashable, Sendable {
        /// `parse_error`, field 1.
        case parseError(String)
        /// `serialize_error`, field 6.
        case serializeError(String)
        /// `runtime_error`, field 2.
        case runtimeError(String)
        /// `protobuf_payload`, field 3.
        case protobufPayload([UInt8])
        /// `json_payload`, field 4.
        case jsonPayload(String)
        /// `skipped`, field 5.
        case skipped(String)
        /// `jspb_payload`, field 7.
        case jspbPayload(String)
        /// `text_payload`, field 8.
        case textPayload(String)
    }
}

/// `conformance.JspbEncodingConfig`.
public struct Conformance_JspbEncodingConfig: Message {
    /// `use_jspb_array_any_format`, field 1.
    public var useJspbArrayAnyFormat: Bool = false
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(useJspbArrayAnyFormat: Bool = false) {
        self.useJspbArrayAnyFormat = useJspbArrayAnyFormat
    }

    public static let descriptor = MessageDescriptor(
        of: Conformance__JspbEncodingConfig.self,
        initializedBy: conformance__jspb_encoding_config__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Conformance__JspbEncodingConfig.self)
        self.useJspbArrayAnyFormat = MessageReader.bool(message.pointee.use_jspb_array_any_format)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Conformance__JspbEncodingConfig.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.use_jspb_array_any_format = self.useJspbArrayAnyFormat ? 1 : 0
    }
}

/// `conformance/conformance.proto` in protobuf's own terms, for server reflection.
public enum Conformance_ConformanceFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "conformance/conformance.proto",
        dependencies: [],
        serialized: """
            \n\u{1d}conformance/conformance.proto\u{12}\u{b}conformance\"&\n\nFailureSet\u{12}\u{18}\n\u{7}fail\
            ure\u{18}\u{1} \u{3}(\tR\u{7}failure\"\u{f6}\u{3}\n\u{12}ConformanceRequest\u{12}+\n\u{10}protobuf_\
            payload\u{18}\u{1} \u{1}(\u{c}H\0R\u{f}protobufPayload\u{12}#\n\u{c}json_payload\u{18}\u{2} \u{1}(\
            \tH\0R\u{b}jsonPayload\u{12}#\n\u{c}jspb_payload\u{18}\u{7} \u{1}(\tH\0R\u{b}jspbPayload\u{12}#\n\
            \u{c}text_payload\u{18}\u{8} \u{1}(\tH\0R\u{b}textPayload\u{12}O\n\u{17}requested_output_format\
            \u{18}\u{3} \u{1}(\u{e}2\u{17}.conformance.WireFormatR\u{15}requestedOutputFormat\u{12}!\n\u{c}mess\
            age_type\u{18}\u{4} \u{1}(\tR\u{b}messageType\u{12}>\n\rtest_category\u{18}\u{5} \u{1}(\u{e}2\u{19}\
            .conformance.TestCategoryR\u{c}testCategory\u{12}S\n\u{15}jspb_encoding_options\u{18}\u{6} \u{1}(\
            \u{b}2\u{1f}.conformance.JspbEncodingConfigR\u{13}jspbEncodingOptions\u{12}0\n\u{14}print_unknown_f\
            ields\u{18}\t \u{1}(\u{8}R\u{12}printUnknownFieldsB\t\n\u{7}payload\"\u{cc}\u{2}\n\u{13}Conformance\
            Response\u{12}!\n\u{b}parse_error\u{18}\u{1} \u{1}(\tH\0R\nparseError\u{12})\n\u{f}serialize_error\
            \u{18}\u{6} \u{1}(\tH\0R\u{e}serializeError\u{12}%\n\rruntime_error\u{18}\u{2} \u{1}(\tH\0R\u{c}run\
            timeError\u{12}+\n\u{10}protobuf_payload\u{18}\u{3} \u{1}(\u{c}H\0R\u{f}protobufPayload\u{12}#\n\
            \u{c}json_payload\u{18}\u{4} \u{1}(\tH\0R\u{b}jsonPayload\u{12}\u{1a}\n\u{7}skipped\u{18}\u{5} \
            \u{1}(\tH\0R\u{7}skipped\u{12}#\n\u{c}jspb_payload\u{18}\u{7} \u{1}(\tH\0R\u{b}jspbPayload\u{12}#\n\
            \u{c}text_payload\u{18}\u{8} \u{1}(\tH\0R\u{b}textPayloadB\u{8}\n\u{6}result\"N\n\u{12}JspbEncoding\
            Config\u{12}8\n\u{19}use_jspb_array_any_format\u{18}\u{1} \u{1}(\u{8}R\u{15}useJspbArrayAnyFormat*P\
            \n\nWireFormat\u{12}\u{f}\n\u{b}UNSPECIFIED\u{10}\0\u{12}\u{c}\n\u{8}PROTOBUF\u{10}\u{1}\u{12}\u{8}\
            \n\u{4}JSON\u{10}\u{2}\u{12}\u{8}\n\u{4}JSPB\u{10}\u{3}\u{12}\u{f}\n\u{b}TEXT_FORMAT\u{10}\u{4}*\
            \u{8f}\u{1}\n\u{c}TestCategory\u{12}\u{14}\n\u{10}UNSPECIFIED_TEST\u{10}\0\u{12}\u{f}\n\u{b}BINARY_\
            TEST\u{10}\u{1}\u{12}\r\n\tJSON_TEST\u{10}\u{2}\u{12}$\n JSON_IGNORE_UNKNOWN_PARSING_TEST\u{10}\
            \u{3}\u{12}\r\n\tJSPB_TEST\u{10}\u{4}\u{12}\u{14}\n\u{10}TEXT_FORMAT_TEST\u{10}\u{5}b\u{6}proto3
            """)
}
