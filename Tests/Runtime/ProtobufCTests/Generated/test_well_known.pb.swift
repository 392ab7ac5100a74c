// Written by protoc-gen-pulseboard-swift from test_well_known.proto.
// Do not edit: change that file and generate again.

internal import ProtobufCTestMessages
import ProtobufC
import ProtobufWellKnownTypes

/// `pulseboard.test.WellKnown`.
internal struct Pulseboard_Test_WellKnown: Message {
    /// `timestamp`, field 1.
    internal var timestamp: Google_Protobuf_Timestamp?
    /// `duration`, field 2.
    internal var duration: Google_Protobuf_Duration?
    /// `field_mask`, field 3.
    internal var fieldMask: Google_Protobuf_FieldMask?
    /// `any`, field 4.
    internal var `any`: Google_Protobuf_Any?
    /// `empty`, field 5.
    internal var empty: Google_Protobuf_Empty?
    /// `structure`, field 6.
    internal var structure: Google_Protobuf_Struct?
    /// `value`, field 7.
    internal var value: Google_Protobuf_Value?
    /// `list`, field 8.
    internal var list: Google_Protobuf_ListValue?
    /// `null_value`, field 9.
    internal var nullValue: Google_Protobuf_NullValue = .init()
    /// `bool_value`, field 10.
    internal var boolValue: Google_Protobuf_BoolValue?
    /// `bytes_value`, field 11.
    internal var bytesValue: Google_Protobuf_BytesValue?
    /// `double_value`, field 12.
    internal var doubleValue: Google_Protobuf_DoubleValue?
    /// `float_value`, field 13.
    internal var floatValue: Google_Protobuf_FloatValue?
    /// `int32_value`, field 14.
    internal var int32Value: Google_Protobuf_Int32Value?
    /// `int64_value`, field 15.
    internal var int64Value: Google_Protobuf_Int64Value?
    /// `string_value`, field 16.
    internal var stringValue: Google_Protobuf_StringValue?
    /// `uint32_value`, field 17.
    internal var uint32Value: Google_Protobuf_UInt32Value?
    /// `uint64_value`, field 18.
    internal var uint64Value: Google_Protobuf_UInt64Value?
    /// `values`, field 19.
    internal var values: [Google_Protobuf_Value] = []
    /// The `choice` that is set, if any.
    internal var choice: OneOf_Choice?
    /// `anys`, field 23.
    internal var anys: [Google_Protobuf_Any] = []
    /// `values_by_name`, field 24.
    internal var valuesByName: [String: Google_Protobuf_Value] = [:]
    internal var unknownFields = UnknownFields()

    /// A message with every field at its default.
    internal init() {}

    /// A message with the fields given; the others have their defaults.
    internal init(
        timestamp: Google_Protobuf_Timestamp? = nil,
        duration: Google_Protobuf_Duration? = nil,
        fieldMask: Google_Protobuf_FieldMask? = nil,
        `any`: Google_Protobuf_Any? = nil,
        empty: Google_Protobuf_Empty? = nil,
        structure: Google_Protobuf_Struct? = nil,
        value: Google_Protobuf_Value? = nil,
        list: Google_Protobuf_ListValue? = nil,
        nullValue: Google_Protobuf_NullValue = .init(),
        boolValue: Google_Protobuf_BoolValue? = nil,
        bytesValue: Google_Protobuf_BytesValue? = nil,
        doubleValue: Google_Protobuf_DoubleValue? = nil,
        floatValue: Google_Protobuf_FloatValue? = nil,
        int32Value: Google_Protobuf_Int32Value? = nil,
        int64Value: Google_Protobuf_Int64Value? = nil,
        stringValue: Google_Protobuf_StringValue? = nil,
        uint32Value: Google_Protobuf_UInt32Value? = nil,
        uint64Value: Google_Protobuf_UInt64Value? = nil,
        values: [Google_Protobuf_Value] = [],
        choice: OneOf_Choice? = nil,
        anys: [Google_Protobuf_Any] = [],
        valuesByName: [String: Google_Protobuf_Value] = [:]
    ) {
        self.timestamp = timestamp
        self.duration = duration
        self.fieldMask = fieldMask
        self.`any` = `any`
        self.empty = empty
        self.structure = structure
        self.value = value
        self.list = list
        self.nullValue = nullValue
        self.boolValue = boolValue
        self.bytesValue = bytesValue
        self.doubleValue = doubleValue
        self.floatValue = floatValue
        self.int32Value = int32Value
        self.int64Value = int64Value
        self.stringValue = stringValue
        self.uint32Value = uint32Value
        self.uint64Value = uint64Value
        self.values = values
        self.choice = choice
        self.anys = anys
        self.valuesByName = valuesByName
    }

    internal static let descriptor = MessageDescriptor(
        of: Pulseboard__Test__WellKnown.self,
        initializedBy: pulseboard__test__well_known__init)

    internal init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Test__WellKnown.self)
        self.timestamp = MessageReader.message(message.pointee.timestamp)
        self.duration = MessageReader.message(message.pointee.duration)
        self.fieldMask = MessageReader.message(message.pointee.field_mask)
        self.`any` = MessageReader.message(message.pointee.any)
        self.empty = MessageReader.message(message.pointee.empty)
        self.structure = MessageReader.message(message.pointee.structure)
        self.value = MessageReader.message(message.pointee.value)
        self.list = MessageReader.message(message.pointee.list)
        self.nullValue = MessageReader.enumeration(message.pointee.null_value)
        self.boolValue = MessageReader.message(message.pointee.bool_value)
        self.bytesValue = MessageReader.message(message.pointee.bytes_value)
        self.doubleValue = MessageReader.message(message.pointee.double_value)
        self.floatValue = MessageReader.message(message.pointee.float_value)
        self.int32Value = MessageReader.message(message.pointee.int32_value)
        self.int64Value = MessageReader.message(message.pointee.int64_value)
        self.stringValue = MessageReader.message(message.pointee.string_value)
        self.uint32Value = MessageReader.message(message.pointee.uint32_value)
        self.uint64Value = MessageReader.message(message.pointee.uint64_value)
        self.values = MessageReader.messages(message.pointee.n_values, message.pointee.values)
        switch message.pointee.choice_case.rawValue {
        case 20: self.choice = .nullChoice(MessageReader.enumeration(message.pointee.null_choice))
        case 21: self.choice = MessageReader.message(message.pointee.value_choice).map { .valueChoice($0) }
        case 22: self.choice = .textChoice(MessageReader.string(message.pointee.text_choice))
        default: break
        }
        self.anys = MessageReader.messages(message.pointee.n_anys, message.pointee.anys)
        let valuesByNameEntries: [ValuesByNameEntry] = MessageReader.messages(
            message.pointee.n_values_by_name, message.pointee.values_by_name)
        self.valuesByName = Dictionary(
            valuesByNameEntries.map { ($0.key, $0.value ?? .init()) }, uniquingKeysWith: { $1 })
        self.unknownFields = unpacked.unknownFields
    }

    internal func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Test__WellKnown.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.timestamp = try encoder.message(
            self.timestamp, as: Google__Protobuf__Timestamp.self, field: "timestamp")
        message.pointee.duration = try encoder.message(
            self.duration, as: Google__Protobuf__Duration.self, field: "duration")
        message.pointee.field_mask = try encoder.message(
            self.fieldMask, as: Google__Protobuf__FieldMask.self, field: "field_mask")
        message.pointee.any = try encoder.message(self.`any`, as: Google__Protobuf__Any.self, field: "any")
        message.pointee.empty = try encoder.message(self.empty, as: Google__Protobuf__Empty.self, field: "empty")
        message.pointee.structure = try encoder.message(
            self.structure, as: Google__Protobuf__Struct.self, field: "structure")
        message.pointee.value = try encoder.message(self.value, as: Google__Protobuf__Value.self, field: "value")
        message.pointee.list = try encoder.message(self.list, as: Google__Protobuf__ListValue.self, field: "list")
        message.pointee.null_value = encoder.enumeration(self.nullValue, as: Google__Protobuf__NullValue.self)
        message.pointee.bool_value = try encoder.message(
            self.boolValue, as: Google__Protobuf__BoolValue.self, field: "bool_value")
        message.pointee.bytes_value = try encoder.message(
            self.bytesValue, as: Google__Protobuf__BytesValue.self, field: "bytes_value")
        message.pointee.double_value = try encoder.message(
            self.doubleValue, as: Google__Protobuf__DoubleValue.self, field: "double_value")
        message.pointee.float_value = try encoder.message(
            self.floatValue, as: Google__Protobuf__FloatValue.self, field: "float_value")
        message.pointee.int32_value = try encoder.message(
            self.int32Value, as: Google__Protobuf__Int32Value.self, field: "int32_value")
        message.pointee.int64_value = try encoder.message(
            self.int64Value, as: Google__Protobuf__Int64Value.self, field: "int64_value")
        message.pointee.string_value = try encoder.message(
            self.stringValue, as: Google__Protobuf__StringValue.self, field: "string_value")
        message.pointee.uint32_value = try encoder.message(
            self.uint32Value, as: Google__Protobuf__UInt32Value.self, field: "uint32_value")
        message.pointee.uint64_value = try encoder.message(
            self.uint64Value, as: Google__Protobuf__UInt64Value.self, field: "uint64_value")
        (message.pointee.n_values, message.pointee.values) = try encoder.messages(
            self.values, as: Google__Protobuf__Value.self, field: "values")
        switch self.choice {
        case .nullChoice(let value)?:
            message.pointee.choice_case = .init(rawValue: 20)
            message.pointee.null_choice = encoder.enumeration(value, as: Google__Protobuf__NullValue.self)
        case .valueChoice(let value)?:
            message.pointee.choice_case = .init(rawValue: 21)
            message.pointee.value_choice = try encoder.message(
                value, as: Google__Protobuf__Value.self, field: "value_choice")
        case .textChoice(let value)?:
            message.pointee.choice_case = .init(rawValue: 22)
            message.pointee.text_choice = try encoder.string(value, field: "text_choice")
        case nil: break
        }
        (message.pointee.n_anys, message.pointee.anys) = try encoder.messages(
            self.anys, as: Google__Protobuf__Any.self, field: "anys")
        let valuesByNameEntries = self.valuesByName.sorted { $0.key < $1.key }
            .map { ValuesByNameEntry(key: $0.key, value: $0.value) }
        (message.pointee.n_values_by_name, message.pointee.values_by_name) = try encoder.messages(
            valuesByNameEntries, as: Pulseboard__Test__WellKnown__ValuesByNameEntry.self, field: "values_by_name")
    }

    /// What ``choice`` can be.
    internal enum OneOf_Choice: Hashable, Sendable {
        /// `null_choice`, field 20.
        case nullChoice(Google_Protobuf_NullValue)
        /// `value_choice`, field 21.
        case valueChoice(Google_Protobuf_Value)
        /// `text_choice`, field 22.
        case textChoice(String)
    }

    /// One pair of a map: `pulseboard.test.WellKnown.ValuesByNameEntry`.
    fileprivate struct ValuesByNameEntry: Message {
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
            of: Pulseboard__Test__WellKnown__ValuesByNameEntry.self,
            initializedBy: pulseboard__test__well_known__values_by_name_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: Pulseboard__Test__WellKnown__ValuesByNameEntry.self)
            self.key = MessageReader.string(message.pointee.key)
            self.value = MessageReader.message(message.pointee.value)
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: Pulseboard__Test__WellKnown__ValuesByNameEntry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            if !self.key.isEmpty {
                message.pointee.key = try encoder.string(self.key, field: "key")
            }
            message.pointee.value = try encoder.message(self.value, as: Google__Protobuf__Value.self, field: "value")
        }
    }
}

/// `test_well_known.proto` in protobuf's own terms, for server reflection.
internal enum Pulseboard_Test_TestWellKnownFile {
    /// The file with those that it imports.
    internal static let descriptor = FileDescriptor(
        name: "test_well_known.proto",
        dependencies: [
            Google_Protobuf_AnyFile.descriptor,
            Google_Protobuf_DurationFile.descriptor,
            Google_Protobuf_EmptyFile.descriptor,
            Google_Protobuf_FieldMaskFile.descriptor,
            Google_Protobuf_StructFile.descriptor,
            Google_Protobuf_TimestampFile.descriptor,
            Google_Protobuf_WrappersFile.descriptor,
        ],
        serialized: """
            \n\u{15}test_well_known.proto\u{12}\u{f}pulseboard.test\u{1a}\u{19}google/protobuf/any.proto\u{1a}\
            \u{1e}google/protobuf/duration.proto\u{1a}\u{1b}google/protobuf/empty.proto\u{1a} google/protobuf/f\
            ield_mask.proto\u{1a}\u{1c}google/protobuf/struct.proto\u{1a}\u{1f}google/protobuf/timestamp.proto\
            \u{1a}\u{1e}google/protobuf/wrappers.proto\"\u{c4}\u{b}\n\tWellKnown\u{12}8\n\ttimestamp\u{18}\u{1}\
             \u{1}(\u{b}2\u{1a}.google.protobuf.TimestampR\ttimestamp\u{12}5\n\u{8}duration\u{18}\u{2} \u{1}(\
            \u{b}2\u{19}.google.protobuf.DurationR\u{8}duration\u{12}9\n\nfield_mask\u{18}\u{3} \u{1}(\u{b}2\
            \u{1a}.google.protobuf.FieldMaskR\tfieldMask\u{12}&\n\u{3}any\u{18}\u{4} \u{1}(\u{b}2\u{14}.google.\
            protobuf.AnyR\u{3}any\u{12},\n\u{5}empty\u{18}\u{5} \u{1}(\u{b}2\u{16}.google.protobuf.EmptyR\u{5}e\
            mpty\u{12}5\n\tstructure\u{18}\u{6} \u{1}(\u{b}2\u{17}.google.protobuf.StructR\tstructure\u{12},\n\
            \u{5}value\u{18}\u{7} \u{1}(\u{b}2\u{16}.google.protobuf.ValueR\u{5}value\u{12}.\n\u{4}list\u{18}\
            \u{8} \u{1}(\u{b}2\u{1a}.google.protobuf.ListValueR\u{4}list\u{12}9\n\nnull_value\u{18}\t \u{1}(\
            \u{e}2\u{1a}.google.protobuf.NullValueR\tnullValue\u{12}9\n\nbool_value\u{18}\n \u{1}(\u{b}2\u{1a}.\
            google.protobuf.BoolValueR\tboolValue\u{12}<\n\u{b}bytes_value\u{18}\u{b} \u{1}(\u{b}2\u{1b}.google\
            .protobuf.BytesValueR\nbytesValue\u{12}?\n\u{c}double_value\u{18}\u{c} \u{1}(\u{b}2\u{1c}.google.pr\
            otobuf.DoubleValueR\u{b}doubleValue\u{12}<\n\u{b}float_value\u{18}\r \u{1}(\u{b}2\u{1b}.google.prot\
            obuf.FloatValueR\nfloatValue\u{12}<\n\u{b}int32_value\u{18}\u{e} \u{1}(\u{b}2\u{1b}.google.protobuf\
            .Int32ValueR\nint32Value\u{12}<\n\u{b}int64_value\u{18}\u{f} \u{1}(\u{b}2\u{1b}.google.protobuf.Int\
            64ValueR\nint64Value\u{12}?\n\u{c}string_value\u{18}\u{10} \u{1}(\u{b}2\u{1c}.google.protobuf.Strin\
            gValueR\u{b}stringValue\u{12}?\n\u{c}uint32_value\u{18}\u{11} \u{1}(\u{b}2\u{1c}.google.protobuf.UI\
            nt32ValueR\u{b}uint32Value\u{12}?\n\u{c}uint64_value\u{18}\u{12} \u{1}(\u{b}2\u{1c}.google.protobuf\
            .UInt64ValueR\u{b}uint64Value\u{12}.\n\u{6}values\u{18}\u{13} \u{3}(\u{b}2\u{16}.google.protobuf.Va\
            lueR\u{6}values\u{12}=\n\u{b}null_choice\u{18}\u{14} \u{1}(\u{e}2\u{1a}.google.protobuf.NullValueH\
            \0R\nnullChoice\u{12};\n\u{c}value_choice\u{18}\u{15} \u{1}(\u{b}2\u{16}.google.protobuf.ValueH\0R\
            \u{b}valueChoice\u{12}!\n\u{b}text_choice\u{18}\u{16} \u{1}(\tH\0R\ntextChoice\u{12}(\n\u{4}anys\
            \u{18}\u{17} \u{3}(\u{b}2\u{14}.google.protobuf.AnyR\u{4}anys\u{12}R\n\u{e}values_by_name\u{18}\
            \u{18} \u{3}(\u{b}2,.pulseboard.test.WellKnown.ValuesByNameEntryR\u{c}valuesByName\u{1a}W\n\u{11}Va\
            luesByNameEntry\u{12}\u{10}\n\u{3}key\u{18}\u{1} \u{1}(\tR\u{3}key\u{12},\n\u{5}value\u{18}\u{2} \
            \u{1}(\u{b}2\u{16}.google.protobuf.ValueR\u{5}value:\u{2}8\u{1}B\u{8}\n\u{6}choiceb\u{6}proto3
            """)
}
