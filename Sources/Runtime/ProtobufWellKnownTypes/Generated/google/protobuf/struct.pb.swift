// Written by protoc-gen-pulseboard-swift from google/protobuf/struct.proto.
// Do not edit: change that file and generate again.

internal import WellKnownTypesC
import ProtobufC

/// `google.protobuf.NullValue`.
public enum Google_Protobuf_NullValue: ProtobufEnum {
    /// `NULL_VALUE`, number 0.
    case nullValue
    /// A number that this schema does not name, sent by a newer peer.
    case unrecognized(Int32)

    /// The value of number 0.
    public init() { self = .nullValue }

    /// The value of that number, or ``unrecognized(_:)``.
    public init(rawValue: Int32) {
        self = switch rawValue {
        case 0: .nullValue
        default: .unrecognized(rawValue)
        }
    }

    /// The number.
    public var rawValue: Int32 {
        switch self {
        case .nullValue: 0
        case .unrecognized(let number): number
        }
    }
}

/// `google.protobuf.Struct`.
public struct Google_Protobuf_Struct: Message {
    /// `fields`, field 1.
    public var fields: [String: Google_Protobuf_Value] = [:]
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(fields: [String: Google_Protobuf_Value] = [:]) {
        self.fields = fields
    }

    public static let descriptor = MessageDescriptor(
        of: Google__Protobuf__Struct.self,
        initializedBy: google__protobuf__struct__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Google__Protobuf__Struct.self)
        let fieldsEntries: [FieldsEntry] = MessageReader.messages(message.pointee.n_fields, message.pointee.fields)
        self.fields = Dictionary(fieldsEntries.map { ($0.key, $0.value ?? .init()) }, uniquingKeysWith: { $1 })
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Google__Protobuf__Struct.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        let fieldsEntries = self.fields.sorted { $0.key < $1.key }
            .map { FieldsEntry(key: $0.key, value: $0.value) }
        (message.pointee.n_fields, message.pointee.fields) = try encoder.messages(
            fieldsEntries, as: Google__Protobuf__Struct__FieldsEntry.self, field: "fields")
    }

    /// One pair of a map: `google.protobuf.Struct.FieldsEntry`.
    fileprivate struct FieldsEntry: Message {
        /// `key`, field 1.
        fileprivate var key: String = ""
        /// `value`, field 2.
        fileprivate var value: Google_Protobuf_Value?
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: String = "",
            value: Google_Protobuf_Value? = nil
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: Google__Protobuf__Struct__FieldsEntry.self,
            initializedBy: google__protobuf__struct__fields_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: Google__Protobuf__Struct__FieldsEntry.self)
            self.key = MessageReader.string(message.pointee.key)
            self.value = MessageReader.message(message.pointee.value)
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: Google__Protobuf__Struct__FieldsEntry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            if !self.key.isEmpty {
                message.pointee.key = try encoder.string(self.key, field: "key")
            }
            message.pointee.value = try encoder.message(self.value, as: Google__Protobuf__Value.self, field: "value")
        }
    }
}

/// `google.protobuf.Value`.
public struct Google_Protobuf_Value: Message {
    /// The `kind` that is set, if any.
    public var kind: OneOf_Kind?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(kind: OneOf_Kind? = nil) {
        self.kind = kind
    }

    public static let descriptor = MessageDescriptor(
        of: Google__Protobuf__Value.self,
        initializedBy: google__protobuf__value__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Google__Protobuf__Value.self)
        switch message.pointee.kind_case.rawValue {
        case 1: self.kind = .nullValue(MessageReader.enumeration(message.pointee.null_value))
        case 2: self.kind = .numberValue(message.pointee.number_value)
        case 3: self.kind = .stringValue(MessageReader.string(message.pointee.string_value))
        case 4: self.kind = .boolValue(MessageReader.bool(message.pointee.bool_value))
        case 5: self.kind = MessageReader.message(message.pointee.struct_value).map { .structValue($0) }
        case 6: self.kind = MessageReader.message(message.pointee.list_value).map { .listValue($0) }
        default: break
        }
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Google__Protobuf__Value.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        switch self.kind {
        case .nullValue(let value)?:
            message.pointee.kind_case = .init(rawValue: 1)
            message.pointee.null_value = encoder.enumeration(value, as: Google__Protobuf__NullValue.self)
        case .numberValue(let value)?:
            message.pointee.kind_case = .init(rawValue: 2)
            message.pointee.number_value = value
        case .stringValue(let value)?:
            message.pointee.kind_case = .init(rawValue: 3)
            message.pointee.string_value = try encoder.string(value, field: "string_value")
        case .boolValue(let value)?:
            message.pointee.kind_case = .init(rawValue: 4)
            message.pointee.bool_value = value ? 1 : 0
        case .structValue(let value)?:
            message.pointee.kind_case = .init(rawValue: 5)
            message.pointee.struct_value = try encoder.message(
                value, as: Google__Protobuf__Struct.self, field: "struct_value")
        case .listValue(let value)?:
            message.pointee.kind_case = .init(rawValue: 6)
            message.pointee.list_value = try encoder.message(
                value, as: Google__Protobuf__ListValue.self, field: "list_value")
        case nil: break
        }
    }

    /// What ``kind`` can be.
    public enum OneOf_Kind: Hashable, Sendable {
        /// `null_value`, field 1.
        case nullValue(Google_Protobuf_NullValue)
        /// `number_value`, field 2.
        case numberValue(Double)
        /// `string_value`, field 3.
        case stringValue(String)
        /// `bool_value`, field 4.
        case boolValue(Bool)
        /// `struct_value`, field 5.
        case structValue(Google_Protobuf_Struct)
        /// `list_value`, field 6.
        case listValue(Google_Protobuf_ListValue)
    }
}

/// `google.protobuf.ListValue`.
public struct Google_Protobuf_ListValue: Message {
    /// `values`, field 1.
    public var values: [Google_Protobuf_Value] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(values: [Google_Protobuf_Value] = []) {
        self.values = values
    }

    public static let descriptor = MessageDescriptor(
        of: Google__Protobuf__ListValue.self,
        initializedBy: google__protobuf__list_value__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Google__Protobuf__ListValue.self)
        self.values = MessageReader.messages(message.pointee.n_values, message.pointee.values)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Google__Protobuf__ListValue.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_values, message.pointee.values) = try encoder.messages(
            self.values, as: Google__Protobuf__Value.self, field: "values")
    }
}

/// `google/protobuf/struct.proto` in protobuf's own terms, for server reflection.
public enum Google_Protobuf_StructFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "google/protobuf/struct.proto",
        dependencies: [],
        serialized: """
            \n\u{1c}google/protobuf/struct.proto\u{12}\u{f}google.protobuf\"\u{98}\u{1}\n\u{6}Struct\u{12};\n\
            \u{6}fields\u{18}\u{1} \u{3}(\u{b}2#.google.protobuf.Struct.FieldsEntryR\u{6}fields\u{1a}Q\n\u{b}Fi\
            eldsEntry\u{12}\u{10}\n\u{3}key\u{18}\u{1} \u{1}(\tR\u{3}key\u{12},\n\u{5}value\u{18}\u{2} \u{1}(\
            \u{b}2\u{16}.google.protobuf.ValueR\u{5}value:\u{2}8\u{1}\"\u{b2}\u{2}\n\u{5}Value\u{12};\n\nnull_v\
            alue\u{18}\u{1} \u{1}(\u{e}2\u{1a}.google.protobuf.NullValueH\0R\tnullValue\u{12}#\n\u{c}number_val\
            ue\u{18}\u{2} \u{1}(\u{1}H\0R\u{b}numberValue\u{12}#\n\u{c}string_value\u{18}\u{3} \u{1}(\tH\0R\
            \u{b}stringValue\u{12}\u{1f}\n\nbool_value\u{18}\u{4} \u{1}(\u{8}H\0R\tboolValue\u{12}<\n\u{c}struc\
            t_value\u{18}\u{5} \u{1}(\u{b}2\u{17}.google.protobuf.StructH\0R\u{b}structValue\u{12};\n\nlist_val\
            ue\u{18}\u{6} \u{1}(\u{b}2\u{1a}.google.protobuf.ListValueH\0R\tlistValueB\u{6}\n\u{4}kind\";\n\tLi\
            stValue\u{12}.\n\u{6}values\u{18}\u{1} \u{3}(\u{b}2\u{16}.google.protobuf.ValueR\u{6}values*\u{1b}\
            \n\tNullValue\u{12}\u{e}\n\nNULL_VALUE\u{10}\0B\u{7f}\n\u{13}com.google.protobufB\u{b}StructProtoP\
            \u{1}Z/google.golang.org/protobuf/types/known/structpb\u{f8}\u{1}\u{1}\u{a2}\u{2}\u{3}GPB\u{aa}\
            \u{2}\u{1e}Google.Protobuf.WellKnownTypesb\u{6}proto3
            """)
}
