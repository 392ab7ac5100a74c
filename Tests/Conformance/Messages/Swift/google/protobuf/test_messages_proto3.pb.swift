// Written by protoc-gen-pulseboard-swift from google/protobuf/test_messages_proto3.proto.
// Do not edit: change that file and generate again.

internal import ConformanceMessagesC
import ProtobufC
import ProtobufWellKnownTypes

/// `protobuf_test_messages.proto3.ForeignEnum`.
public enum ProtobufTestMessages_Proto3_ForeignEnum: ProtobufEnum {
    /// `FOREIGN_FOO`, number 0.
    case foreignFoo
    /// `FOREIGN_BAR`, number 1.
    case foreignBar
    /// `FOREIGN_BAZ`, number 2.
    case foreignBaz
    /// A number that this schema does not name, sent by a newer peer.
    case unrecognized(Int32)

    /// The value of number 0.
    public init() { self = .foreignFoo }

    /// The value of that number, or ``unrecognized(_:)``.
    public init(rawValue: Int32) {
        self = switch rawValue {
        case 0: .foreignFoo
        case 1: .foreignBar
        case 2: .foreignBaz
        default: .unrecognized(rawValue)
        }
    }

    /// The number.
    public var rawValue: Int32 {
        switch self {
        case .foreignFoo: 0
        case .foreignBar: 1
        case .foreignBaz: 2
        case .unrecognized(let number): number
        }
    }
}

/// `protobuf_test_messages.proto3.TestAllTypesProto3`.
public struct ProtobufTestMessages_Proto3_TestAllTypesProto3: Message {
    /// `optional_int32`, field 1.
    public var optionalInt32: Int32 = 0
    /// `optional_int64`, field 2.
    public var optionalInt64: Int64 = 0
    /// `optional_uint32`, field 3.
    public var optionalUint32: UInt32 = 0
    /// `optional_uint64`, field 4.
    public var optionalUint64: UInt64 = 0
    /// `optional_sint32`, field 5.
    public var optionalSint32: Int32 = 0
    /// `optional_sint64`, field 6.
    public var optionalSint64: Int64 = 0
    /// `optional_fixed32`, field 7.
    public var optionalFixed32: UInt32 = 0
    /// `optional_fixed64`, field 8.
    public var optionalFixed64: UInt64 = 0
    /// `optional_sfixed32`, field 9.
    public var optionalSfixed32: Int32 = 0
    /// `optional_sfixed64`, field 10.
    public var optionalSfixed64: Int64 = 0
    /// `optional_float`, field 11.
    public var optionalFloat: Float = 0
    /// `optional_double`, field 12.
    public var optionalDouble: Double = 0
    /// `optional_bool`, field 13.
    public var optionalBool: Bool = false
    /// `optional_string`, field 14.
    public var optionalString: String = ""
    /// `optional_bytes`, field 15.
    public var optionalBytes: [UInt8] = []
    /// `optional_nested_message`, field 18.
    public var optionalNestedMessage: ProtobufTestMessages_Proto3_TestAllTypesProto3.NestedMessage? {
        get { optionalNestedMessageStorage_.first }
        set { optionalNestedMessageStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `optionalNestedMessage` out of line: the type contains itself.
    private var optionalNestedMessageStorage_: [ProtobufTestMessages_Proto3_TestAllTypesProto3.NestedMessage] = []
    /// `optional_foreign_message`, field 19.
    public var optionalForeignMessage: ProtobufTestMessages_Proto3_ForeignMessage?
    /// `optional_nested_enum`, field 21.
    public var optionalNestedEnum: ProtobufTestMessages_Proto3_TestAllTypesProto3.NestedEnum = .init()
    /// `optional_foreign_enum`, field 22.
    public var optionalForeignEnum: ProtobufTestMessages_Proto3_ForeignEnum = .init()
    /// `optional_aliased_enum`, field 23.
    public var optionalAliasedEnum: ProtobufTestMessages_Proto3_TestAllTypesProto3.AliasedEnum = .init()
    /// `optional_string_piece`, field 24.
    public var optionalStringPiece: String = ""
    /// `optional_cord`, field 25.
    public var optionalCord: String = ""
    /// `recursive_message`, field 27.
    public var recursiveMessage: ProtobufTestMessages_Proto3_TestAllTypesProto3? {
        get { recursiveMessageStorage_.first }
        set { recursiveMessageStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `recursiveMessage` out of line: the type contains itself.
    private var recursiveMessageStorage_: [ProtobufTestMessages_Proto3_TestAllTypesProto3] = []
    /// `repeated_int32`, field 31.
    public var repeatedInt32: [Int32] = []
    /// `repeated_int64`, field 32.
    public var repeatedInt64: [Int64] = []
    /// `repeated_uint32`, field 33.
    public var repeatedUint32: [UInt32] = []
    /// `repeated_uint64`, field 34.
    public var repeatedUint64: [UInt64] = []
    /// `repeated_sint32`, field 35.
    public var repeatedSint32: [Int32] = []
    /// `repeated_sint64`, field 36.
    public var repeatedSint64: [Int64] = []
    /// `repeated_fixed32`, field 37.
    public var repeatedFixed32: [UInt32] = []
    /// `repeated_fixed64`, field 38.
    public var repeatedFixed64: [UInt64] = []
    /// `repeated_sfixed32`, field 39.
    public var repeatedSfixed32: [Int32] = []
    /// `repeated_sfixed64`, field 40.
    public var repeatedSfixed64: [Int64] = []
    /// `repeated_float`, field 41.
    public var repeatedFloat: [Float] = []
    /// `repeated_double`, field 42.
    public var repeatedDouble: [Double] = []
    /// `repeated_bool`, field 43.
    public var repeatedBool: [Bool] = []
    /// `repeated_string`, field 44.
    public var repeatedString: [String] = []
    /// `repeated_bytes`, field 45.
    public var repeatedBytes: [[UInt8]] = []
    /// `repeated_nested_message`, field 48.
    public var repeatedNestedMessage: [ProtobufTestMessages_Proto3_TestAllTypesProto3.NestedMessage] = []
    /// `repeated_foreign_message`, field 49.
    public var repeatedForeignMessage: [ProtobufTestMessages_Proto3_ForeignMessage] = []
    /// `repeated_nested_enum`, field 51.
    public var repeatedNestedEnum: [ProtobufTestMessages_Proto3_TestAllTypesProto3.NestedEnum] = []
    /// `repeated_foreign_enum`, field 52.
    public var repeatedForeignEnum: [ProtobufTestMessages_Proto3_ForeignEnum] = []
    /// `repeated_string_piece`, field 54.
    public var repeatedStringPiece: [String] = []
    /// `repeated_cord`, field 55.
    public var repeatedCord: [String] = []
    /// `packed_int32`, field 75.
    public var packedInt32: [Int32] = []
    /// `packed_int64`, field 76.
    public var packedInt64: [Int64] = []
    /// `packed_uint32`, field 77.
    public var packedUint32: [UInt32] = []
    /// `packed_uint64`, field 78.
    public var packedUint64: [UInt64] = []
    /// `packed_sint32`, field 79.
    public var packedSint32: [Int32] = []
    /// `packed_sint64`, field 80.
    public var packedSint64: [Int64] = []
    /// `packed_fixed32`, field 81.
    public var packedFixed32: [UInt32] = []
    /// `packed_fixed64`, field 82.
    public var packedFixed64: [UInt64] = []
    /// `packed_sfixed32`, field 83.
    public var packedSfixed32: [Int32] = []
    /// `packed_sfixed64`, field 84.
    public var packedSfixed64: [Int64] = []
    /// `packed_float`, field 85.
    public var packedFloat: [Float] = []
    /// `packed_double`, field 86.
    public var packedDouble: [Double] = []
    /// `packed_bool`, field 87.
    public var packedBool: [Bool] = []
    /// `packed_nested_enum`, field 88.
    public var packedNestedEnum: [ProtobufTestMessages_Proto3_TestAllTypesProto3.NestedEnum] = []
    /// `unpacked_int32`, field 89.
    public var unpackedInt32: [Int32] = []
    /// `unpacked_int64`, field 90.
    public var unpackedInt64: [Int64] = []
    /// `unpacked_uint32`, field 91.
    public var unpackedUint32: [UInt32] = []
    /// `unpacked_uint64`, field 92.
    public var unpackedUint64: [UInt64] = []
    /// `unpacked_sint32`, field 93.
    public var unpackedSint32: [Int32] = []
    /// `unpacked_sint64`, field 94.
    public var unpackedSint64: [Int64] = []
    /// `unpacked_fixed32`, field 95.
    public var unpackedFixed32: [UInt32] = []
    /// `unpacked_fixed64`, field 96.
    public var unpackedFixed64: [UInt64] = []
    /// `unpacked_sfixed32`, field 97.
    public var unpackedSfixed32: [Int32] = []
    /// `unpacked_sfixed64`, field 98.
    public var unpackedSfixed64: [Int64] = []
    /// `unpacked_float`, field 99.
    public var unpackedFloat: [Float] = []
    /// `unpacked_double`, field 100.
    public var unpackedDouble: [Double] = []
    /// `unpacked_bool`, field 101.
    public var unpackedBool: [Bool] = []
    /// `unpacked_nested_enum`, field 102.
    public var unpackedNestedEnum: [ProtobufTestMessages_Proto3_TestAllTypesProto3.NestedEnum] = []
    /// `map_int32_int32`, field 56.
    public var mapInt32Int32: [Int32: Int32] = [:]
    /// `map_int64_int64`, field 57.
    public var mapInt64Int64: [Int64: Int64] = [:]
    /// `map_uint32_uint32`, field 58.
    public var mapUint32Uint32: [UInt32: UInt32] = [:]
    /// `map_uint64_uint64`, field 59.
    public var mapUint64Uint64: [UInt64: UInt64] = [:]
    /// `map_sint32_sint32`, field 60.
    public var mapSint32Sint32: [Int32: Int32] = [:]
    /// `map_sint64_sint64`, field 61.
    public var mapSint64Sint64: [Int64: Int64] = [:]
    /// `map_fixed32_fixed32`, field 62.
    public var mapFixed32Fixed32: [UInt32: UInt32] = [:]
    /// `map_fixed64_fixed64`, field 63.
    public var mapFixed64Fixed64: [UInt64: UInt64] = [:]
    /// `map_sfixed32_sfixed32`, field 64.
    public var mapSfixed32Sfixed32: [Int32: Int32] = [:]
    /// `map_sfixed64_sfixed64`, field 65.
    public var mapSfixed64Sfixed64: [Int64: Int64] = [:]
    /// `map_int32_float`, field 66.
    public var mapInt32Float: [Int32: Float] = [:]
    /// `map_int32_double`, field 67.
    public var mapInt32Double: [Int32: Double] = [:]
    /// `map_bool_bool`, field 68.
    public var mapBoolBool: [Bool: Bool] = [:]
    /// `map_string_string`, field 69.
    public var mapStringString: [String: String] = [:]
    /// `map_string_bytes`, field 70.
    public var mapStringBytes: [String: [UInt8]] = [:]
    /// `map_string_nested_message`, field 71.
    public var mapStringNestedMessage: [String: ProtobufTestMessages_Proto3_TestAllTypesProto3.NestedMessage] = [:]
    /// `map_string_foreign_message`, field 72.
    public var mapStringForeignMessage: [String: ProtobufTestMessages_Proto3_ForeignMessage] = [:]
    /// `map_string_nested_enum`, field 73.
    public var mapStringNestedEnum: [String: ProtobufTestMessages_Proto3_TestAllTypesProto3.NestedEnum] = [:]
    /// `map_string_foreign_enum`, field 74.
    public var mapStringForeignEnum: [String: ProtobufTestMessages_Proto3_ForeignEnum] = [:]
    /// The `oneof_field` that is set, if any.
    public var oneofField: OneOf_OneofField?
    /// `optional_bool_wrapper`, field 201.
    public var optionalBoolWrapper: Google_Protobuf_BoolValue?
    /// `optional_int32_wrapper`, field 202.
    public var optionalInt32Wrapper: Google_Protobuf_Int32Value?
    /// `optional_int64_wrapper`, field 203.
    public var optionalInt64Wrapper: Google_Protobuf_Int64Value?
    /// `optional_uint32_wrapper`, field 204.
    public var optionalUint32Wrapper: Google_Protobuf_UInt32Value?
    /// `optional_uint64_wrapper`, field 205.
    public var optionalUint64Wrapper: Google_Protobuf_UInt64Value?
    /// `optional_float_wrapper`, field 206.
    public var optionalFloatWrapper: Google_Protobuf_FloatValue?
    /// `optional_double_wrapper`, field 207.
    public var optionalDoubleWrapper: Google_Protobuf_DoubleValue?
    /// `optional_string_wrapper`, field 208.
    public var optionalStringWrapper: Google_Protobuf_StringValue?
    /// `optional_bytes_wrapper`, field 209.
    public var optionalBytesWrapper: Google_Protobuf_BytesValue?
    /// `repeated_bool_wrapper`, field 211.
    public var repeatedBoolWrapper: [Google_Protobuf_BoolValue] = []
    /// `repeated_int32_wrapper`, field 212.
    public var repeatedInt32Wrapper: [Google_Protobuf_Int32Value] = []
    /// `repeated_int64_wrapper`, field 213.
    public var repeatedInt64Wrapper: [Google_Protobuf_Int64Value] = []
    /// `repeated_uint32_wrapper`, field 214.
    public var repeatedUint32Wrapper: [Google_Protobuf_UInt32Value] = []
    /// `repeated_uint64_wrapper`, field 215.
    public var repeatedUint64Wrapper: [Google_Protobuf_UInt64Value] = []
    /// `repeated_float_wrapper`, field 216.
    public var repeatedFloatWrapper: [Google_Protobuf_FloatValue] = []
    /// `repeated_double_wrapper`, field 217.
    public var repeatedDoubleWrapper: [Google_Protobuf_DoubleValue] = []
    /// `repeated_string_wrapper`, field 218.
    public var repeatedStringWrapper: [Google_Protobuf_StringValue] = []
    /// `repeated_bytes_wrapper`, field 219.
    public var repeatedBytesWrapper: [Google_Protobuf_BytesValue] = []
    /// `optional_duration`, field 301.
    public var optionalDuration: Google_Protobuf_Duration?
    /// `optional_timestamp`, field 302.
    public var optionalTimestamp: Google_Protobuf_Timestamp?
    /// `optional_field_mask`, field 303.
    public var optionalFieldMask: Google_Protobuf_FieldMask?
    /// `optional_struct`, field 304.
    public var optionalStruct: Google_Protobuf_Struct?
    /// `optional_any`, field 305.
    public var optionalAny: Google_Protobuf_Any?
    /// `optional_value`, field 306.
    public var optionalValue: Google_Protobuf_Value?
    /// `optional_null_value`, field 307.
    public var optionalNullValue: Google_Protobuf_NullValue = .init()
    /// `repeated_duration`, field 311.
    public var repeatedDuration: [Google_Protobuf_Duration] = []
    /// `repeated_timestamp`, field 312.
    public var repeatedTimestamp: [Google_Protobuf_Timestamp] = []
    /// `repeated_fieldmask`, field 313.
    public var repeatedFieldmask: [Google_Protobuf_FieldMask] = []
    /// `repeated_struct`, field 324.
    public var repeatedStruct: [Google_Protobuf_Struct] = []
    /// `repeated_any`, field 315.
    public var repeatedAny: [Google_Protobuf_Any] = []
    /// `repeated_value`, field 316.
    public var repeatedValue: [Google_Protobuf_Value] = []
    /// `repeated_list_value`, field 317.
    public var repeatedListValue: [Google_Protobuf_ListValue] = []
    /// `fieldname1`, field 401.
    public var fieldname1: Int32 = 0
    /// `field_name2`, field 402.
    public var fieldName2: Int32 = 0
    /// `_field_name3`, field 403.
    public var fieldName3: Int32 = 0
    /// `field__name4_`, field 404.
    public var fieldName4: Int32 = 0
    /// `field0name5`, field 405.
    public var field0name5: Int32 = 0
    /// `field_0_name6`, field 406.
    public var field0Name6: Int32 = 0
    /// `fieldName7`, field 407.
    public var fieldName7: Int32 = 0
    /// `FieldName8`, field 408.
    public var fieldName8: Int32 = 0
    /// `field_Name9`, field 409.
    public var fieldName9: Int32 = 0
    /// `Field_Name10`, field 410.
    public var fieldName10: Int32 = 0
    /// `FIELD_NAME11`, field 411.
    public var fieldNAME11: Int32 = 0
    /// `FIELD_name12`, field 412.
    public var fieldName12: Int32 = 0
    /// `__field_name13`, field 413.
    public var fieldName13: Int32 = 0
    /// `__Field_name14`, field 414.
    public var fieldName14: Int32 = 0
    /// `field__name15`, field 415.
    public var fieldName15: Int32 = 0
    /// `field__Name16`, field 416.
    public var fieldName16: Int32 = 0
    /// `field_name17__`, field 417.
    public var fieldName17: Int32 = 0
    /// `Field_name18__`, field 418.
    public var fieldName18: Int32 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        optionalInt32: Int32 = 0,
        optionalInt64: Int64 = 0,
        optionalUint32: UInt32 = 0,
        optionalUint64: UInt64 = 0,
        optionalSint32: Int32 = 0,
        optionalSint64: Int64 = 0,
        optionalFixed32: UInt32 = 0,
        optionalFixed64: UInt64 = 0,
        optionalSfixed32: Int32 = 0,
        optionalSfixed64: Int64 = 0,
        optionalFloat: Float = 0,
        optionalDouble: Double = 0,
        optionalBool: Bool = false,
        optionalString: String = "",
        optionalBytes: [UInt8] = [],
        optionalNestedMessage: ProtobufTestMessages_Proto3_TestAllTypesProto3.NestedMessage? = nil,
        optionalForeignMessage: ProtobufTestMessages_Proto3_ForeignMessage? = nil,
        optionalNestedEnum: ProtobufTestMessages_Proto3_TestAllTypesProto3.NestedEnum = .init(),
        optionalForeignEnum: ProtobufTestMessages_Proto3_ForeignEnum = .init(),
        optionalAliasedEnum: ProtobufTestMessages_Proto3_TestAllTypesProto3.AliasedEnum = .init(),
        optionalStringPiece: String = "",
        optionalCord: String = "",
        recursiveMessage: ProtobufTestMessages_Proto3_TestAllTypesProto3? = nil,
        repeatedInt32: [Int32] = [],
        repeatedInt64: [Int64] = [],
        repeatedUint32: [UInt32] = [],
        repeatedUint64: [UInt64] = [],
        repeatedSint32: [Int32] = [],
        repeatedSint64: [Int64] = [],
        repeatedFixed32: [UInt32] = [],
        repeatedFixed64: [UInt64] = [],
        repeatedSfixed32: [Int32] = [],
        repeatedSfixed64: [Int64] = [],
        repeatedFloat: [Float] = [],
        repeatedDouble: [Double] = [],
        repeatedBool: [Bool] = [],
        repeatedString: [String] = [],
        repeatedBytes: [[UInt8]] = [],
        repeatedNestedMessage: [ProtobufTestMessages_Proto3_TestAllTypesProto3.NestedMessage] = [],
        repeatedForeignMessage: [ProtobufTestMessages_Proto3_ForeignMessage] = [],
        repeatedNestedEnum: [ProtobufTestMessages_Proto3_TestAllTypesProto3.NestedEnum] = [],
        repeatedForeignEnum: [ProtobufTestMessages_Proto3_ForeignEnum] = [],
        repeatedStringPiece: [String] = [],
        repeatedCord: [String] = [],
        packedInt32: [Int32] = [],
        packedInt64: [Int64] = [],
        packedUint32: [UInt32] = [],
        packedUint64: [UInt64] = [],
        packedSint32: [Int32] = [],
        packedSint64: [Int64] = [],
        packedFixed32: [UInt32] = [],
        packedFixed64: [UInt64] = [],
        packedSfixed32: [Int32] = [],
        packedSfixed64: [Int64] = [],
        packedFloat: [Float] = [],
        packedDouble: [Double] = [],
        packedBool: [Bool] = [],
        packedNestedEnum: [ProtobufTestMessages_Proto3_TestAllTypesProto3.NestedEnum] = [],
        unpackedInt32: [Int32] = [],
        unpackedInt64: [Int64] = [],
        unpackedUint32: [UInt32] = [],
        unpackedUint64: [UInt64] = [],
        unpackedSint32: [Int32] = [],
        unpackedSint64: [Int64] = [],
        unpackedFixed32: [UInt32] = [],
        unpackedFixed64: [UInt64] = [],
        unpackedSfixed32: [Int32] = [],
        unpackedSfixed64: [Int64] = [],
        unpackedFloat: [Float] = [],
        unpackedDouble: [Double] = [],
        unpackedBool: [Bool] = [],
        unpackedNestedEnum: [ProtobufTestMessages_Proto3_TestAllTypesProto3.NestedEnum] = [],
        mapInt32Int32: [Int32: Int32] = [:],
        mapInt64Int64: [Int64: Int64] = [:],
        mapUint32Uint32: [UInt32: UInt32] = [:],
        mapUint64Uint64: [UInt64: UInt64] = [:],
        mapSint32Sint32: [Int32: Int32] = [:],
        mapSint64Sint64: [Int64: Int64] = [:],
        mapFixed32Fixed32: [UInt32: UInt32] = [:],
        mapFixed64Fixed64: [UInt64: UInt64] = [:],
        mapSfixed32Sfixed32: [Int32: Int32] = [:],
        mapSfixed64Sfixed64: [Int64: Int64] = [:],
        mapInt32Float: [Int32: Float] = [:],
        mapInt32Double: [Int32: Double] = [:],
        mapBoolBool: [Bool: Bool] = [:],
        mapStringString: [String: String] = [:],
        mapStringBytes: [String: [UInt8]] = [:],
        mapStringNestedMessage: [String: ProtobufTestMessages_Proto3_TestAllTypesProto3.NestedMessage] = [:],
        mapStringForeignMessage: [String: ProtobufTestMessages_Proto3_ForeignMessage] = [:],
        mapStringNestedEnum: [String: ProtobufTestMessages_Proto3_TestAllTypesProto3.NestedEnum] = [:],
        mapStringForeignEnum: [String: ProtobufTestMessages_Proto3_ForeignEnum] = [:],
        oneofField: OneOf_OneofField? = nil,
        optionalBoolWrapper: Google_Protobuf_BoolValue? = nil,
        optionalInt32Wrapper: Google_Protobuf_Int32Value? = nil,
        optionalInt64Wrapper: Google_Protobuf_Int64Value? = nil,
        optionalUint32Wrapper: Google_Protobuf_UInt32Value? = nil,
        optionalUint64Wrapper: Google_Protobuf_UInt64Value? = nil,
        optionalFloatWrapper: Google_Protobuf_FloatValue? = nil,
        optionalDoubleWrapper: Google_Protobuf_DoubleValue? = nil,
        optionalStringWrapper: Google_Protobuf_StringValue? = nil,
        optionalBytesWrapper: Google_Protobuf_BytesValue? = nil,
        repeatedBoolWrapper: [Google_Protobuf_BoolValue] = [],
        repeatedInt32Wrapper: [Google_Protobuf_Int32Value] = [],
        repeatedInt64Wrapper: [Google_Protobuf_Int64Value] = [],
        repeatedUint32Wrapper: [Google_Protobuf_UInt32Value] = [],
        repeatedUint64Wrapper: [Google_Protobuf_UInt64Value] = [],
        repeatedFloatWrapper: [Google_Protobuf_FloatValue] = [],
        repeatedDoubleWrapper: [Google_Protobuf_DoubleValue] = [],
        repeatedStringWrapper: [Google_Protobuf_StringValue] = [],
        repeatedBytesWrapper: [Google_Protobuf_BytesValue] = [],
        optionalDuration: Google_Protobuf_Duration? = nil,
        optionalTimestamp: Google_Protobuf_Timestamp? = nil,
        optionalFieldMask: Google_Protobuf_FieldMask? = nil,
        optionalStruct: Google_Protobuf_Struct? = nil,
        optionalAny: Google_Protobuf_Any? = nil,
        optionalValue: Google_Protobuf_Value? = nil,
        optionalNullValue: Google_Protobuf_NullValue = .init(),
        repeatedDuration: [Google_Protobuf_Duration] = [],
        repeatedTimestamp: [Google_Protobuf_Timestamp] = [],
        repeatedFieldmask: [Google_Protobuf_FieldMask] = [],
        repeatedStruct: [Google_Protobuf_Struct] = [],
        repeatedAny: [Google_Protobuf_Any] = [],
        repeatedValue: [Google_Protobuf_Value] = [],
        repeatedListValue: [Google_Protobuf_ListValue] = [],
        fieldname1: Int32 = 0,
        fieldName2: Int32 = 0,
        fieldName3: Int32 = 0,
        fieldName4: Int32 = 0,
        field0name5: Int32 = 0,
        field0Name6: Int32 = 0,
        fieldName7: Int32 = 0,
        fieldName8: Int32 = 0,
        fieldName9: Int32 = 0,
        fieldName10: Int32 = 0,
        fieldNAME11: Int32 = 0,
        fieldName12: Int32 = 0,
        fieldName13: Int32 = 0,
        fieldName14: Int32 = 0,
        fieldName15: Int32 = 0,
        fieldName16: Int32 = 0,
        fieldName17: Int32 = 0,
        fieldName18: Int32 = 0
    ) {
        self.optionalInt32 = optionalInt32
        self.optionalInt64 = optionalInt64
        self.optionalUint32 = optionalUint32
        self.optionalUint64 = optionalUint64
        self.optionalSint32 = optionalSint32
        self.optionalSint64 = optionalSint64
        self.optionalFixed32 = optionalFixed32
        self.optionalFixed64 = optionalFixed64
        self.optionalSfixed32 = optionalSfixed32
        self.optionalSfixed64 = optionalSfixed64
        self.optionalFloat = optionalFloat
        self.optionalDouble = optionalDouble
        self.optionalBool = optionalBool
        self.optionalString = optionalString
        self.optionalBytes = optionalBytes
        self.optionalNestedMessage = optionalNestedMessage
        self.optionalForeignMessage = optionalForeignMessage
        self.optionalNestedEnum = optionalNestedEnum
        self.optionalForeignEnum = optionalForeignEnum
        self.optionalAliasedEnum = optionalAliasedEnum
        self.optionalStringPiece = optionalStringPiece
        self.optionalCord = optionalCord
        self.recursiveMessage = recursiveMessage
        self.repeatedInt32 = repeatedInt32
        self.repeatedInt64 = repeatedInt64
        self.repeatedUint32 = repeatedUint32
        self.repeatedUint64 = repeatedUint64
        self.repeatedSint32 = repeatedSint32
        self.repeatedSint64 = repeatedSint64
        self.repeatedFixed32 = repeatedFixed32
        self.repeatedFixed64 = repeatedFixed64
        self.repeatedSfixed32 = repeatedSfixed32
        self.repeatedSfixed64 = repeatedSfixed64
        self.repeatedFloat = repeatedFloat
        self.repeatedDouble = repeatedDouble
        self.repeatedBool = repeatedBool
        self.repeatedString = repeatedString
        self.repeatedBytes = repeatedBytes
        self.repeatedNestedMessage = repeatedNestedMessage
        self.repeatedForeignMessage = repeatedForeignMessage
        self.repeatedNestedEnum = repeatedNestedEnum
        self.repeatedForeignEnum = repeatedForeignEnum
        self.repeatedStringPiece = repeatedStringPiece
        self.repeatedCord = repeatedCord
        self.packedInt32 = packedInt32
        self.packedInt64 = packedInt64
        self.packedUint32 = packedUint32
        self.packedUint64 = packedUint64
        self.packedSint32 = packedSint32
        self.packedSint64 = packedSint64
        self.packedFixed32 = packedFixed32
        self.packedFixed64 = packedFixed64
        self.packedSfixed32 = packedSfixed32
        self.packedSfixed64 = packedSfixed64
        self.packedFloat = packedFloat
        self.packedDouble = packedDouble
        self.packedBool = packedBool
        self.packedNestedEnum = packedNestedEnum
        self.unpackedInt32 = unpackedInt32
        self.unpackedInt64 = unpackedInt64
        self.unpackedUint32 = unpackedUint32
        self.unpackedUint64 = unpackedUint64
        self.unpackedSint32 = unpackedSint32
        self.unpackedSint64 = unpackedSint64
        self.unpackedFixed32 = unpackedFixed32
        self.unpackedFixed64 = unpackedFixed64
        self.unpackedSfixed32 = unpackedSfixed32
        self.unpackedSfixed64 = unpackedSfixed64
        self.unpackedFloat = unpackedFloat
        self.unpackedDouble = unpackedDouble
        self.unpackedBool = unpackedBool
        self.unpackedNestedEnum = unpackedNestedEnum
        self.mapInt32Int32 = mapInt32Int32
        self.mapInt64Int64 = mapInt64Int64
        self.mapUint32Uint32 = mapUint32Uint32
        self.mapUint64Uint64 = mapUint64Uint64
        self.mapSint32Sint32 = mapSint32Sint32
        self.mapSint64Sint64 = mapSint64Sint64
        self.mapFixed32Fixed32 = mapFixed32Fixed32
        self.mapFixed64Fixed64 = mapFixed64Fixed64
        self.mapSfixed32Sfixed32 = mapSfixed32Sfixed32
        self.mapSfixed64Sfixed64 = mapSfixed64Sfixed64
        self.mapInt32Float = mapInt32Float
        self.mapInt32Double = mapInt32Double
        self.mapBoolBool = mapBoolBool
        self.mapStringString = mapStringString
        self.mapStringBytes = mapStringBytes
        self.mapStringNestedMessage = mapStringNestedMessage
        self.mapStringForeignMessage = mapStringForeignMessage
        self.mapStringNestedEnum = mapStringNestedEnum
        self.mapStringForeignEnum = mapStringForeignEnum
        self.oneofField = oneofField
        self.optionalBoolWrapper = optionalBoolWrapper
        self.optionalInt32Wrapper = optionalInt32Wrapper
        self.optionalInt64Wrapper = optionalInt64Wrapper
        self.optionalUint32Wrapper = optionalUint32Wrapper
        self.optionalUint64Wrapper = optionalUint64Wrapper
        self.optionalFloatWrapper = optionalFloatWrapper
        self.optionalDoubleWrapper = optionalDoubleWrapper
        self.optionalStringWrapper = optionalStringWrapper
        self.optionalBytesWrapper = optionalBytesWrapper
        self.repeatedBoolWrapper = repeatedBoolWrapper
        self.repeatedInt32Wrapper = repeatedInt32Wrapper
        self.repeatedInt64Wrapper = repeatedInt64Wrapper
        self.repeatedUint32Wrapper = repeatedUint32Wrapper
        self.repeatedUint64Wrapper = repeatedUint64Wrapper
        self.repeatedFloatWrapper = repeatedFloatWrapper
        self.repeatedDoubleWrapper = repeatedDoubleWrapper
        self.repeatedStringWrapper = repeatedStringWrapper
        self.repeatedBytesWrapper = repeatedBytesWrapper
        self.optionalDuration = optionalDuration
        self.optionalTimestamp = optionalTimestamp
        self.optionalFieldMask = optionalFieldMask
        self.optionalStruct = optionalStruct
        self.optionalAny = optionalAny
        self.optionalValue = optionalValue
        self.optionalNullValue = optionalNullValue
        self.repeatedDuration = repeatedDuration
        self.repeatedTimestamp = repeatedTimestamp
        self.repeatedFieldmask = repeatedFieldmask
        self.repeatedStruct = repeatedStruct
        self.repeatedAny = repeatedAny
        self.repeatedValue = repeatedValue
        self.repeatedListValue = repeatedListValue
        self.fieldname1 = fieldname1
        self.fieldName2 = fieldName2
        self.fieldName3 = fieldName3
        self.fieldName4 = fieldName4
        self.field0name5 = field0name5
        self.field0Name6 = field0Name6
        self.fieldName7 = fieldName7
        self.fieldName8 = fieldName8
        self.fieldName9 = fieldName9
        self.fieldName10 = fieldName10
        self.fieldNAME11 = fieldNAME11
        self.fieldName12 = fieldName12
        self.fieldName13 = fieldName13
        self.fieldName14 = fieldName14
        self.fieldName15 = fieldName15
        self.fieldName16 = fieldName16
        self.fieldName17 = fieldName17
        self.fieldName18 = fieldName18
    }

    public static let descriptor = MessageDescriptor(
        of: ProtobufTestMessages__Proto3__TestAllTypesProto3.self,
        initializedBy: protobuf_test_messages__proto3__test_all_types_proto3__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: ProtobufTestMessages__Proto3__TestAllTypesProto3.self)
        self.optionalInt32 = message.pointee.optional_int32
        self.optionalInt64 = message.pointee.optional_int64
        self.optionalUint32 = message.pointee.optional_uint32
        self.optionalUint64 = message.pointee.optional_uint64
        self.optionalSint32 = message.pointee.optional_sint32
        self.optionalSint64 = message.pointee.optional_sint64
        self.optionalFixed32 = message.pointee.optional_fixed32
        self.optionalFixed64 = message.pointee.optional_fixed64
        self.optionalSfixed32 = message.pointee.optional_sfixed32
        self.optionalSfixed64 = message.pointee.optional_sfixed64
        self.optionalFloat = message.pointee.optional_float
        self.optionalDouble = message.pointee.optional_double
        self.optionalBool = MessageReader.bool(message.pointee.optional_bool)
        self.optionalString = MessageReader.string(message.pointee.optional_string)
        self.optionalBytes = MessageReader.bytes(message.pointee.optional_bytes)
        self.optionalNestedMessage = MessageReader.message(message.pointee.optional_nested_message)
        self.optionalForeignMessage = MessageReader.message(message.pointee.optional_foreign_message)
        self.optionalNestedEnum = MessageReader.enumeration(message.pointee.optional_nested_enum)
        self.optionalForeignEnum = MessageReader.enumeration(message.pointee.optional_foreign_enum)
        self.optionalAliasedEnum = MessageReader.enumeration(message.pointee.optional_aliased_enum)
        self.optionalStringPiece = MessageReader.string(message.pointee.optional_string_piece)
        self.optionalCord = MessageReader.string(message.pointee.optional_cord)
        self.recursiveMessage = MessageReader.message(message.pointee.recursive_message)
        self.repeatedInt32 = MessageReader.scalars(message.pointee.n_repeated_int32, message.pointee.repeated_int32)
        self.repeatedInt64 = MessageReader.scalars(message.pointee.n_repeated_int64, message.pointee.repeated_int64)
        self.repeatedUint32 = MessageReader.scalars(message.pointee.n_repeated_uint32, message.pointee.repeated_uint32)
        self.repeatedUint64 = MessageReader.scalars(message.pointee.n_repeated_uint64, message.pointee.repeated_uint64)
        self.repeatedSint32 = MessageReader.scalars(message.pointee.n_repeated_sint32, message.pointee.repeated_sint32)
        self.repeatedSint64 = MessageReader.scalars(message.pointee.n_repeated_sint64, message.pointee.repeated_sint64)
        self.repeatedFixed32 = MessageReader.scalars(
            message.pointee.n_repeated_fixed32, message.pointee.repeated_fixed32)
        self.repeatedFixed64 = MessageReader.scalars(
            message.pointee.n_repeated_fixed64, message.pointee.repeated_fixed64)
        self.repeatedSfixed32 = MessageReader.scalars(
            message.pointee.n_repeated_sfixed32, message.pointee.repeated_sfixed32)
        self.repeatedSfixed64 = MessageReader.scalars(
            message.pointee.n_repeated_sfixed64, message.pointee.repeated_sfixed64)
        self.repeatedFloat = MessageReader.scalars(message.pointee.n_repeated_float, message.pointee.repeated_float)
        self.repeatedDouble = MessageReader.scalars(message.pointee.n_repeated_double, message.pointee.repeated_double)
        self.repeatedBool = MessageReader.bools(message.pointee.n_repeated_bool, message.pointee.repeated_bool)
        self.repeatedString = MessageReader.strings(message.pointee.n_repeated_string, message.pointee.repeated_string)
        self.repeatedBytes = MessageReader.bytesArray(message.pointee.n_repeated_bytes, message.pointee.repeated_bytes)
        self.repeatedNestedMessage = MessageReader.messages(
            message.pointee.n_repeated_nested_message, message.pointee.repeated_nested_message)
        self.repeatedForeignMessage = MessageReader.messages(
            message.pointee.n_repeated_foreign_message, message.pointee.repeated_foreign_message)
        self.repeatedNestedEnum = MessageReader.enums(
            message.pointee.n_repeated_nested_enum, message.pointee.repeated_nested_enum)
        self.repeatedForeignEnum = MessageReader.enums(
            message.pointee.n_repeated_foreign_enum, message.pointee.repeated_foreign_enum)
        self.repeatedStringPiece = MessageReader.strings(
            message.pointee.n_repeated_string_piece, message.pointee.repeated_string_piece)
        self.repeatedCord = MessageReader.strings(message.pointee.n_repeated_cord, message.pointee.repeated_cord)
        self.packedInt32 = MessageReader.scalars(message.pointee.n_packed_int32, message.pointee.packed_int32)
        self.packedInt64 = MessageReader.scalars(message.pointee.n_packed_int64, message.pointee.packed_int64)
        self.packedUint32 = MessageReader.scalars(message.pointee.n_packed_uint32, message.pointee.packed_uint32)
        self.packedUint64 = MessageReader.scalars(message.pointee.n_packed_uint64, message.pointee.packed_uint64)
        self.packedSint32 = MessageReader.scalars(message.pointee.n_packed_sint32, message.pointee.packed_sint32)
        self.packedSint64 = MessageReader.scalars(message.pointee.n_packed_sint64, message.pointee.packed_sint64)
        self.packedFixed32 = MessageReader.scalars(message.pointee.n_packed_fixed32, message.pointee.packed_fixed32)
        self.packedFixed64 = MessageReader.scalars(message.pointee.n_packed_fixed64, message.pointee.packed_fixed64)
        self.packedSfixed32 = MessageReader.scalars(message.pointee.n_packed_sfixed32, message.pointee.packed_sfixed32)
        self.packedSfixed64 = MessageReader.scalars(message.pointee.n_packed_sfixed64, message.pointee.packed_sfixed64)
        self.packedFloat = MessageReader.scalars(message.pointee.n_packed_float, message.pointee.packed_float)
        self.packedDouble = MessageReader.scalars(message.pointee.n_packed_double, message.pointee.packed_double)
        self.packedBool = MessageReader.bools(message.pointee.n_packed_bool, message.pointee.packed_bool)
        self.packedNestedEnum = MessageReader.enums(
            message.pointee.n_packed_nested_enum, message.pointee.packed_nested_enum)
        self.unpackedInt32 = MessageReader.scalars(message.pointee.n_unpacked_int32, message.pointee.unpacked_int32)
        self.unpackedInt64 = MessageReader.scalars(message.pointee.n_unpacked_int64, message.pointee.unpacked_int64)
        self.unpackedUint32 = MessageReader.scalars(message.pointee.n_unpacked_uint32, message.pointee.unpacked_uint32)
        self.unpackedUint64 = MessageReader.scalars(message.pointee.n_unpacked_uint64, message.pointee.unpacked_uint64)
        self.unpackedSint32 = MessageReader.scalars(message.pointee.n_unpacked_sint32, message.pointee.unpacked_sint32)
        self.unpackedSint64 = MessageReader.scalars(message.pointee.n_unpacked_sint64, message.pointee.unpacked_sint64)
        self.unpackedFixed32 = MessageReader.scalars(
            message.pointee.n_unpacked_fixed32, message.pointee.unpacked_fixed32)
        self.unpackedFixed64 = MessageReader.scalars(
            message.pointee.n_unpacked_fixed64, message.pointee.unpacked_fixed64)
        self.unpackedSfixed32 = MessageReader.scalars(
            message.pointee.n_unpacked_sfixed32, message.pointee.unpacked_sfixed32)
        self.unpackedSfixed64 = MessageReader.scalars(
            message.pointee.n_unpacked_sfixed64, message.pointee.unpacked_sfixed64)
        self.unpackedFloat = MessageReader.scalars(message.pointee.n_unpacked_float, message.pointee.unpacked_float)
        self.unpackedDouble = MessageReader.scalars(message.pointee.n_unpacked_double, message.pointee.unpacked_double)
        self.unpackedBool = MessageReader.bools(message.pointee.n_unpacked_bool, message.pointee.unpacked_bool)
        self.unpackedNestedEnum = MessageReader.enums(
            message.pointee.n_unpacked_nested_enum, message.pointee.unpacked_nested_enum)
        let mapInt32Int32Entries: [MapInt32Int32Entry] = MessageReader.messages(
            message.pointee.n_map_int32_int32, message.pointee.map_int32_int32)
        self.mapInt32Int32 = Dictionary(mapInt32Int32Entries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        let mapInt64Int64Entries: [MapInt64Int64Entry] = MessageReader.messages(
            message.pointee.n_map_int64_int64, message.pointee.map_int64_int64)
        self.mapInt64Int64 = Dictionary(mapInt64Int64Entries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        let mapUint32Uint32Entries: [MapUint32Uint32Entry] = MessageReader.messages(
            message.pointee.n_map_uint32_uint32, message.pointee.map_uint32_uint32)
        self.mapUint32Uint32 = Dictionary(mapUint32Uint32Entries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        let mapUint64Uint64Entries: [MapUint64Uint64Entry] = MessageReader.messages(
            message.pointee.n_map_uint64_uint64, message.pointee.map_uint64_uint64)
        self.mapUint64Uint64 = Dictionary(mapUint64Uint64Entries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        let mapSint32Sint32Entries: [MapSint32Sint32Entry] = MessageReader.messages(
            message.pointee.n_map_sint32_sint32, message.pointee.map_sint32_sint32)
        self.mapSint32Sint32 = Dictionary(mapSint32Sint32Entries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        let mapSint64Sint64Entries: [MapSint64Sint64Entry] = MessageReader.messages(
            message.pointee.n_map_sint64_sint64, message.pointee.map_sint64_sint64)
        self.mapSint64Sint64 = Dictionary(mapSint64Sint64Entries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        let mapFixed32Fixed32Entries: [MapFixed32Fixed32Entry] = MessageReader.messages(
            message.pointee.n_map_fixed32_fixed32, message.pointee.map_fixed32_fixed32)
        self.mapFixed32Fixed32 = Dictionary(
            mapFixed32Fixed32Entries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        let mapFixed64Fixed64Entries: [MapFixed64Fixed64Entry] = MessageReader.messages(
            message.pointee.n_map_fixed64_fixed64, message.pointee.map_fixed64_fixed64)
        self.mapFixed64Fixed64 = Dictionary(
            mapFixed64Fixed64Entries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        let mapSfixed32Sfixed32Entries: [MapSfixed32Sfixed32Entry] = MessageReader.messages(
            message.pointee.n_map_sfixed32_sfixed32, message.pointee.map_sfixed32_sfixed32)
        self.mapSfixed32Sfixed32 = Dictionary(
            mapSfixed32Sfixed32Entries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        let mapSfixed64Sfixed64Entries: [MapSfixed64Sfixed64Entry] = MessageReader.messages(
            message.pointee.n_map_sfixed64_sfixed64, message.pointee.map_sfixed64_sfixed64)
        self.mapSfixed64Sfixed64 = Dictionary(
            mapSfixed64Sfixed64Entries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        let mapInt32FloatEntries: [MapInt32FloatEntry] = MessageReader.messages(
            message.pointee.n_map_int32_float, message.pointee.map_int32_float)
        self.mapInt32Float = Dictionary(mapInt32FloatEntries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        let mapInt32DoubleEntries: [MapInt32DoubleEntry] = MessageReader.messages(
            message.pointee.n_map_int32_double, message.pointee.map_int32_double)
        self.mapInt32Double = Dictionary(mapInt32DoubleEntries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        let mapBoolBoolEntries: [MapBoolBoolEntry] = MessageReader.messages(
            message.pointee.n_map_bool_bool, message.pointee.map_bool_bool)
        self.mapBoolBool = Dictionary(mapBoolBoolEntries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        let mapStringStringEntries: [MapStringStringEntry] = MessageReader.messages(
            message.pointee.n_map_string_string, message.pointee.map_string_string)
        self.mapStringString = Dictionary(mapStringStringEntries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        let mapStringBytesEntries: [MapStringBytesEntry] = MessageReader.messages(
            message.pointee.n_map_string_bytes, message.pointee.map_string_bytes)
        self.mapStringBytes = Dictionary(mapStringBytesEntries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        let mapStringNestedMessageEntries: [MapStringNestedMessageEntry] = MessageReader.messages(
            message.pointee.n_map_string_nested_message, message.pointee.map_string_nested_message)
        self.mapStringNestedMessage = Dictionary(
            mapStringNestedMessageEntries.map { ($0.key, $0.value ?? .init()) }, uniquingKeysWith: { $1 })
        let mapStringForeignMessageEntries: [MapStringForeignMessageEntry] = MessageReader.messages(
            message.pointee.n_map_string_foreign_message, message.pointee.map_string_foreign_message)
        self.mapStringForeignMessage = Dictionary(
            mapStringForeignMessageEntries.map { ($0.key, $0.value ?? .init()) }, uniquingKeysWith: { $1 })
        let mapStringNestedEnumEntries: [MapStringNestedEnumEntry] = MessageReader.messages(
            message.pointee.n_map_string_nested_enum, message.pointee.map_string_nested_enum)
        self.mapStringNestedEnum = Dictionary(
            mapStringNestedEnumEntries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        let mapStringForeignEnumEntries: [MapStringForeignEnumEntry] = MessageReader.messages(
            message.pointee.n_map_string_foreign_enum, message.pointee.map_string_foreign_enum)
        self.mapStringForeignEnum = Dictionary(
            mapStringForeignEnumEntries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        switch message.pointee.oneof_field_case.rawValue {
        case 111: self.oneofField = .oneofUint32(message.pointee.oneof_uint32)
        case 112: self.oneofField = MessageReader.message(message.pointee.oneof_nested_message).map { .oneofNestedMessage($0) }
        case 113: self.oneofField = .oneofString(MessageReader.string(message.pointee.oneof_string))
        case 114: self.oneofField = .oneofBytes(MessageReader.bytes(message.pointee.oneof_bytes))
        case 115: self.oneofField = .oneofBool(MessageReader.bool(message.pointee.oneof_bool))
        case 116: self.oneofField = .oneofUint64(message.pointee.oneof_uint64)
        case 117: self.oneofField = .oneofFloat(message.pointee.oneof_float)
        case 118: self.oneofField = .oneofDouble(message.pointee.oneof_double)
        case 119: self.oneofField = .oneofEnum(MessageReader.enumeration(message.pointee.oneof_enum))
        case 120: self.oneofField = .oneofNullValue(MessageReader.enumeration(message.pointee.oneof_null_value))
        default: break
        }
        self.optionalBoolWrapper = MessageReader.message(message.pointee.optional_bool_wrapper)
        self.optionalInt32Wrapper = MessageReader.message(message.pointee.optional_int32_wrapper)
        self.optionalInt64Wrapper = MessageReader.message(message.pointee.optional_int64_wrapper)
        self.optionalUint32Wrapper = MessageReader.message(message.pointee.optional_uint32_wrapper)
        self.optionalUint64Wrapper = MessageReader.message(message.pointee.optional_uint64_wrapper)
        self.optionalFloatWrapper = MessageReader.message(message.pointee.optional_float_wrapper)
        self.optionalDoubleWrapper = MessageReader.message(message.pointee.optional_double_wrapper)
        self.optionalStringWrapper = MessageReader.message(message.pointee.optional_string_wrapper)
        self.optionalBytesWrapper = MessageReader.message(message.pointee.optional_bytes_wrapper)
        self.repeatedBoolWrapper = MessageReader.messages(
            message.pointee.n_repeated_bool_wrapper, message.pointee.repeated_bool_wrapper)
        self.repeatedInt32Wrapper = MessageReader.messages(
            message.pointee.n_repeated_int32_wrapper, message.pointee.repeated_int32_wrapper)
        self.repeatedInt64Wrapper = MessageReader.messages(
            message.pointee.n_repeated_int64_wrapper, message.pointee.repeated_int64_wrapper)
        self.repeatedUint32Wrapper = MessageReader.messages(
            message.pointee.n_repeated_uint32_wrapper, message.pointee.repeated_uint32_wrapper)
        self.repeatedUint64Wrapper = MessageReader.messages(
            message.pointee.n_repeated_uint64_wrapper, message.pointee.repeated_uint64_wrapper)
        self.repeatedFloatWrapper = MessageReader.messages(
            message.pointee.n_repeated_float_wrapper, message.pointee.repeated_float_wrapper)
        self.repeatedDoubleWrapper = MessageReader.messages(
            message.pointee.n_repeated_double_wrapper, message.pointee.repeated_double_wrapper)
        self.repeatedStringWrapper = MessageReader.messages(
            message.pointee.n_repeated_string_wrapper, message.pointee.repeated_string_wrapper)
        self.repeatedBytesWrapper = MessageReader.messages(
            message.pointee.n_repeated_bytes_wrapper, message.pointee.repeated_bytes_wrapper)
        self.optionalDuration = MessageReader.message(message.pointee.optional_duration)
        self.optionalTimestamp = MessageReader.message(message.pointee.optional_timestamp)
        self.optionalFieldMask = MessageReader.message(message.pointee.optional_field_mask)
        self.optionalStruct = MessageReader.message(message.pointee.optional_struct)
        self.optionalAny = MessageReader.message(message.pointee.optional_any)
        self.optionalValue = MessageReader.message(message.pointee.optional_value)
        self.optionalNullValue = MessageReader.enumeration(message.pointee.optional_null_value)
        self.repeatedDuration = MessageReader.messages(
            message.pointee.n_repeated_duration, message.pointee.repeated_duration)
        self.repeatedTimestamp = MessageReader.messages(
            message.pointee.n_repeated_timestamp, message.pointee.repeated_timestamp)
        self.repeatedFieldmask = MessageReader.messages(
            message.pointee.n_repeated_fieldmask, message.pointee.repeated_fieldmask)
        self.repeatedStruct = MessageReader.messages(message.pointee.n_repeated_struct, message.pointee.repeated_struct)
        self.repeatedAny = MessageReader.messages(message.pointee.n_repeated_any, message.pointee.repeated_any)
        self.repeatedValue = MessageReader.messages(message.pointee.n_repeated_value, message.pointee.repeated_value)
        self.repeatedListValue = MessageReader.messages(
            message.pointee.n_repeated_list_value, message.pointee.repeated_list_value)
        self.fieldname1 = message.pointee.fieldname1
        self.fieldName2 = message.pointee.field_name2
        self.fieldName3 = message.pointee._field_name3
        self.fieldName4 = message.pointee.field__name4_
        self.field0name5 = message.pointee.field0name5
        self.field0Name6 = message.pointee.field_0_name6
        self.fieldName7 = message.pointee.fieldname7
        self.fieldName8 = message.pointee.fieldname8
        self.fieldName9 = message.pointee.field_name9
        self.fieldName10 = message.pointee.field_name10
        self.fieldNAME11 = message.pointee.field_name11
        self.fieldName12 = message.pointee.field_name12
        self.fieldName13 = message.pointee.__field_name13
        self.fieldName14 = message.pointee.__field_name14
        self.fieldName15 = message.pointee.field__name15
        self.fieldName16 = message.pointee.field__name16
        self.fieldName17 = message.pointee.field_name17__
        self.fieldName18 = message.pointee.field_name18__
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: ProtobufTestMessages__Proto3__TestAllTypesProto3.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.optional_int32 = self.optionalInt32
        message.pointee.optional_int64 = self.optionalInt64
        message.pointee.optional_uint32 = self.optionalUint32
        message.pointee.optional_uint64 = self.optionalUint64
        message.pointee.optional_sint32 = self.optionalSint32
        message.pointee.optional_sint64 = self.optionalSint64
        message.pointee.optional_fixed32 = self.optionalFixed32
        message.pointee.optional_fixed64 = self.optionalFixed64
        message.pointee.optional_sfixed32 = self.optionalSfixed32
        message.pointee.optional_sfixed64 = self.optionalSfixed64
        message.pointee.optional_float = self.optionalFloat
        encoder.negativeZero(self.optionalFloat, number: 11, into: blank)
        message.pointee.optional_double = self.optionalDouble
        encoder.negativeZero(self.optionalDouble, number: 12, into: blank)
        message.pointee.optional_bool = self.optionalBool ? 1 : 0
        if !self.optionalString.isEmpty {
            message.pointee.optional_string = try encoder.string(self.optionalString, field: "optional_string")
        }
        if !self.optionalBytes.isEmpty {
            message.pointee.optional_bytes = encoder.bytes(self.optionalBytes)
        }
        message.pointee.optional_nested_message = try encoder.message(
            self.optionalNestedMessage, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__NestedMessage.self, field: "optional_nested_message")
        message.pointee.optional_foreign_message = try encoder.message(
            self.optionalForeignMessage, as: ProtobufTestMessages__Proto3__ForeignMessage.self, field: "optional_foreign_message")
        message.pointee.optional_nested_enum = encoder.enumeration(
            self.optionalNestedEnum, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__NestedEnum.self)
        message.pointee.optional_foreign_enum = encoder.enumeration(
            self.optionalForeignEnum, as: ProtobufTestMessages__Proto3__ForeignEnum.self)
        message.pointee.optional_aliased_enum = encoder.enumeration(
            self.optionalAliasedEnum, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__AliasedEnum.self)
        if !self.optionalStringPiece.isEmpty {
            message.pointee.optional_string_piece = try encoder.string(
                self.optionalStringPiece, field: "optional_string_piece")
        }
        if !self.optionalCord.isEmpty {
            message.pointee.optional_cord = try encoder.string(self.optionalCord, field: "optional_cord")
        }
        message.pointee.recursive_message = try encoder.message(
            self.recursiveMessage, as: ProtobufTestMessages__Proto3__TestAllTypesProto3.self, field: "recursive_message")
        (message.pointee.n_repeated_int32, message.pointee.repeated_int32) = encoder.scalars(self.repeatedInt32)
        (message.pointee.n_repeated_int64, message.pointee.repeated_int64) = encoder.scalars(self.repeatedInt64)
        (message.pointee.n_repeated_uint32, message.pointee.repeated_uint32) = encoder.scalars(self.repeatedUint32)
        (message.pointee.n_repeated_uint64, message.pointee.repeated_uint64) = encoder.scalars(self.repeatedUint64)
        (message.pointee.n_repeated_sint32, message.pointee.repeated_sint32) = encoder.scalars(self.repeatedSint32)
        (message.pointee.n_repeated_sint64, message.pointee.repeated_sint64) = encoder.scalars(self.repeatedSint64)
        (message.pointee.n_repeated_fixed32, message.pointee.repeated_fixed32) = encoder.scalars(self.repeatedFixed32)
        (message.pointee.n_repeated_fixed64, message.pointee.repeated_fixed64) = encoder.scalars(self.repeatedFixed64)
        (message.pointee.n_repeated_sfixed32, message.pointee.repeated_sfixed32) = encoder.scalars(
            self.repeatedSfixed32)
        (message.pointee.n_repeated_sfixed64, message.pointee.repeated_sfixed64) = encoder.scalars(
            self.repeatedSfixed64)
        (message.pointee.n_repeated_float, message.pointee.repeated_float) = encoder.scalars(self.repeatedFloat)
        (message.pointee.n_repeated_double, message.pointee.repeated_double) = encoder.scalars(self.repeatedDouble)
        (message.pointee.n_repeated_bool, message.pointee.repeated_bool) = encoder.bools(self.repeatedBool)
        (message.pointee.n_repeated_string, message.pointee.repeated_string) = try encoder.strings(
            self.repeatedString, field: "repeated_string")
        (message.pointee.n_repeated_bytes, message.pointee.repeated_bytes) = encoder.bytesArray(self.repeatedBytes)
        (message.pointee.n_repeated_nested_message, message.pointee.repeated_nested_message) = try encoder.messages(
            self.repeatedNestedMessage, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__NestedMessage.self, field: "repeated_nested_message")
        (message.pointee.n_repeated_foreign_message, message.pointee.repeated_foreign_message) = try encoder.messages(
            self.repeatedForeignMessage, as: ProtobufTestMessages__Proto3__ForeignMessage.self, field: "repeated_foreign_message")
        (message.pointee.n_repeated_nested_enum, message.pointee.repeated_nested_enum) = encoder.enums(
            self.repeatedNestedEnum, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__NestedEnum.self)
        (message.pointee.n_repeated_foreign_enum, message.pointee.repeated_foreign_enum) = encoder.enums(
            self.repeatedForeignEnum, as: ProtobufTestMessages__Proto3__ForeignEnum.self)
        (message.pointee.n_repeated_string_piece, message.pointee.repeated_string_piece) = try encoder.strings(
            self.repeatedStringPiece, field: "repeated_string_piece")
        (message.pointee.n_repeated_cord, message.pointee.repeated_cord) = try encoder.strings(
            self.repeatedCord, field: "repeated_cord")
        (message.pointee.n_packed_int32, message.pointee.packed_int32) = encoder.scalars(self.packedInt32)
        (message.pointee.n_packed_int64, message.pointee.packed_int64) = encoder.scalars(self.packedInt64)
        (message.pointee.n_packed_uint32, message.pointee.packed_uint32) = encoder.scalars(self.packedUint32)
        (message.pointee.n_packed_uint64, message.pointee.packed_uint64) = encoder.scalars(self.packedUint64)
        (message.pointee.n_packed_sint32, message.pointee.packed_sint32) = encoder.scalars(self.packedSint32)
        (message.pointee.n_packed_sint64, message.pointee.packed_sint64) = encoder.scalars(self.packedSint64)
        (message.pointee.n_packed_fixed32, message.pointee.packed_fixed32) = encoder.scalars(self.packedFixed32)
        (message.pointee.n_packed_fixed64, message.pointee.packed_fixed64) = encoder.scalars(self.packedFixed64)
        (message.pointee.n_packed_sfixed32, message.pointee.packed_sfixed32) = encoder.scalars(self.packedSfixed32)
        (message.pointee.n_packed_sfixed64, message.pointee.packed_sfixed64) = encoder.scalars(self.packedSfixed64)
        (message.pointee.n_packed_float, message.pointee.packed_float) = encoder.scalars(self.packedFloat)
        (message.pointee.n_packed_double, message.pointee.packed_double) = encoder.scalars(self.packedDouble)
        (message.pointee.n_packed_bool, message.pointee.packed_bool) = encoder.bools(self.packedBool)
        (message.pointee.n_packed_nested_enum, message.pointee.packed_nested_enum) = encoder.enums(
            self.packedNestedEnum, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__NestedEnum.self)
        (message.pointee.n_unpacked_int32, message.pointee.unpacked_int32) = encoder.scalars(self.unpackedInt32)
        (message.pointee.n_unpacked_int64, message.pointee.unpacked_int64) = encoder.scalars(self.unpackedInt64)
        (message.pointee.n_unpacked_uint32, message.pointee.unpacked_uint32) = encoder.scalars(self.unpackedUint32)
        (message.pointee.n_unpacked_uint64, message.pointee.unpacked_uint64) = encoder.scalars(self.unpackedUint64)
        (message.pointee.n_unpacked_sint32, message.pointee.unpacked_sint32) = encoder.scalars(self.unpackedSint32)
        (message.pointee.n_unpacked_sint64, message.pointee.unpacked_sint64) = encoder.scalars(self.unpackedSint64)
        (message.pointee.n_unpacked_fixed32, message.pointee.unpacked_fixed32) = encoder.scalars(self.unpackedFixed32)
        (message.pointee.n_unpacked_fixed64, message.pointee.unpacked_fixed64) = encoder.scalars(self.unpackedFixed64)
        (message.pointee.n_unpacked_sfixed32, message.pointee.unpacked_sfixed32) = encoder.scalars(
            self.unpackedSfixed32)
        (message.pointee.n_unpacked_sfixed64, message.pointee.unpacked_sfixed64) = encoder.scalars(
            self.unpackedSfixed64)
        (message.pointee.n_unpacked_float, message.pointee.unpacked_float) = encoder.scalars(self.unpackedFloat)
        (message.pointee.n_unpacked_double, message.pointee.unpacked_double) = encoder.scalars(self.unpackedDouble)
        (message.pointee.n_unpacked_bool, message.pointee.unpacked_bool) = encoder.bools(self.unpackedBool)
        (message.pointee.n_unpacked_nested_enum, message.pointee.unpacked_nested_enum) = encoder.enums(
            self.unpackedNestedEnum, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__NestedEnum.self)
        let mapInt32Int32Entries = self.mapInt32Int32.sorted { $0.key < $1.key }
            .map { MapInt32Int32Entry(key: $0.key, value: $0.value) }
        (message.pointee.n_map_int32_int32, message.pointee.map_int32_int32) = try encoder.messages(
            mapInt32Int32Entries, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapInt32Int32Entry.self, field: "map_int32_int32")
        let mapInt64Int64Entries = self.mapInt64Int64.sorted { $0.key < $1.key }
            .map { MapInt64Int64Entry(key: $0.key, value: $0.value) }
        (message.pointee.n_map_int64_int64, message.pointee.map_int64_int64) = try encoder.messages(
            mapInt64Int64Entries, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapInt64Int64Entry.self, field: "map_int64_int64")
        let mapUint32Uint32Entries = self.mapUint32Uint32.sorted { $0.key < $1.key }
            .map { MapUint32Uint32Entry(key: $0.key, value: $0.value) }
        (message.pointee.n_map_uint32_uint32, message.pointee.map_uint32_uint32) = try encoder.messages(
            mapUint32Uint32Entries, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapUint32Uint32Entry.self, field: "map_uint32_uint32")
        let mapUint64Uint64Entries = self.mapUint64Uint64.sorted { $0.key < $1.key }
            .map { MapUint64Uint64Entry(key: $0.key, value: $0.value) }
        (message.pointee.n_map_uint64_uint64, message.pointee.map_uint64_uint64) = try encoder.messages(
            mapUint64Uint64Entries, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapUint64Uint64Entry.self, field: "map_uint64_uint64")
        let mapSint32Sint32Entries = self.mapSint32Sint32.sorted { $0.key < $1.key }
            .map { MapSint32Sint32Entry(key: $0.key, value: $0.value) }
        (message.pointee.n_map_sint32_sint32, message.pointee.map_sint32_sint32) = try encoder.messages(
            mapSint32Sint32Entries, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapSint32Sint32Entry.self, field: "map_sint32_sint32")
        let mapSint64Sint64Entries = self.mapSint64Sint64.sorted { $0.key < $1.key }
            .map { MapSint64Sint64Entry(key: $0.key, value: $0.value) }
        (message.pointee.n_map_sint64_sint64, message.pointee.map_sint64_sint64) = try encoder.messages(
            mapSint64Sint64Entries, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapSint64Sint64Entry.self, field: "map_sint64_sint64")
        let mapFixed32Fixed32Entries = self.mapFixed32Fixed32.sorted { $0.key < $1.key }
            .map { MapFixed32Fixed32Entry(key: $0.key, value: $0.value) }
        (message.pointee.n_map_fixed32_fixed32, message.pointee.map_fixed32_fixed32) = try encoder.messages(
            mapFixed32Fixed32Entries, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapFixed32Fixed32Entry.self, field: "map_fixed32_fixed32")
        let mapFixed64Fixed64Entries = self.mapFixed64Fixed64.sorted { $0.key < $1.key }
            .map { MapFixed64Fixed64Entry(key: $0.key, value: $0.value) }
        (message.pointee.n_map_fixed64_fixed64, message.pointee.map_fixed64_fixed64) = try encoder.messages(
            mapFixed64Fixed64Entries, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapFixed64Fixed64Entry.self, field: "map_fixed64_fixed64")
        let mapSfixed32Sfixed32Entries = self.mapSfixed32Sfixed32.sorted { $0.key < $1.key }
            .map { MapSfixed32Sfixed32Entry(key: $0.key, value: $0.value) }
        (message.pointee.n_map_sfixed32_sfixed32, message.pointee.map_sfixed32_sfixed32) = try encoder.messages(
            mapSfixed32Sfixed32Entries, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapSfixed32Sfixed32Entry.self, field: "map_sfixed32_sfixed32")
        let mapSfixed64Sfixed64Entries = self.mapSfixed64Sfixed64.sorted { $0.key < $1.key }
            .map { MapSfixed64Sfixed64Entry(key: $0.key, value: $0.value) }
        (message.pointee.n_map_sfixed64_sfixed64, message.pointee.map_sfixed64_sfixed64) = try encoder.messages(
            mapSfixed64Sfixed64Entries, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapSfixed64Sfixed64Entry.self, field: "map_sfixed64_sfixed64")
        let mapInt32FloatEntries = self.mapInt32Float.sorted { $0.key < $1.key }
            .map { MapInt32FloatEntry(key: $0.key, value: $0.value) }
        (message.pointee.n_map_int32_float, message.pointee.map_int32_float) = try encoder.messages(
            mapInt32FloatEntries, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapInt32FloatEntry.self, field: "map_int32_float")
        let mapInt32DoubleEntries = self.mapInt32Double.sorted { $0.key < $1.key }
            .map { MapInt32DoubleEntry(key: $0.key, value: $0.value) }
        (message.pointee.n_map_int32_double, message.pointee.map_int32_double) = try encoder.messages(
            mapInt32DoubleEntries, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapInt32DoubleEntry.self, field: "map_int32_double")
        let mapBoolBoolEntries = self.mapBoolBool.sorted { !$0.key && $1.key }
            .map { MapBoolBoolEntry(key: $0.key, value: $0.value) }
        (message.pointee.n_map_bool_bool, message.pointee.map_bool_bool) = try encoder.messages(
            mapBoolBoolEntries, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapBoolBoolEntry.self, field: "map_bool_bool")
        let mapStringStringEntries = self.mapStringString.sorted { $0.key < $1.key }
            .map { MapStringStringEntry(key: $0.key, value: $0.value) }
        (message.pointee.n_map_string_string, message.pointee.map_string_string) = try encoder.messages(
            mapStringStringEntries, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapStringStringEntry.self, field: "map_string_string")
        let mapStringBytesEntries = self.mapStringBytes.sorted { $0.key < $1.key }
            .map { MapStringBytesEntry(key: $0.key, value: $0.value) }
        (message.pointee.n_map_string_bytes, message.pointee.map_string_bytes) = try encoder.messages(
            mapStringBytesEntries, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapStringBytesEntry.self, field: "map_string_bytes")
        let mapStringNestedMessageEntries = self.mapStringNestedMessage.sorted { $0.key < $1.key }
            .map { MapStringNestedMessageEntry(key: $0.key, value: $0.value) }
        (message.pointee.n_map_string_nested_message, message.pointee.map_string_nested_message) = try encoder.messages(
            mapStringNestedMessageEntries, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapStringNestedMessageEntry.self, field: "map_string_nested_message")
        let mapStringForeignMessageEntries = self.mapStringForeignMessage.sorted { $0.key < $1.key }
            .map { MapStringForeignMessageEntry(key: $0.key, value: $0.value) }
        (message.pointee.n_map_string_foreign_message, message.pointee.map_string_foreign_message) = try encoder.messages(
            mapStringForeignMessageEntries, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapStringForeignMessageEntry.self, field: "map_string_foreign_message")
        let mapStringNestedEnumEntries = self.mapStringNestedEnum.sorted { $0.key < $1.key }
            .map { MapStringNestedEnumEntry(key: $0.key, value: $0.value) }
        (message.pointee.n_map_string_nested_enum, message.pointee.map_string_nested_enum) = try encoder.messages(
            mapStringNestedEnumEntries, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapStringNestedEnumEntry.self, field: "map_string_nested_enum")
        let mapStringForeignEnumEntries = self.mapStringForeignEnum.sorted { $0.key < $1.key }
            .map { MapStringForeignEnumEntry(key: $0.key, value: $0.value) }
        (message.pointee.n_map_string_foreign_enum, message.pointee.map_string_foreign_enum) = try encoder.messages(
            mapStringForeignEnumEntries, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapStringForeignEnumEntry.self, field: "map_string_foreign_enum")
        switch self.oneofField {
        case .oneofUint32(let value)?:
            message.pointee.oneof_field_case = .init(rawValue: 111)
            message.pointee.oneof_uint32 = value
        case .oneofNestedMessage(let value)?:
            message.pointee.oneof_field_case = .init(rawValue: 112)
            message.pointee.oneof_nested_message = try encoder.message(
                value, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__NestedMessage.self, field: "oneof_nested_message")
        case .oneofString(let value)?:
            message.pointee.oneof_field_case = .init(rawValue: 113)
            message.pointee.oneof_string = try encoder.string(value, field: "oneof_string")
        case .oneofBytes(let value)?:
            message.pointee.oneof_field_case = .init(rawValue: 114)
            message.pointee.oneof_bytes = encoder.bytes(value)
        case .oneofBool(let value)?:
            message.pointee.oneof_field_case = .init(rawValue: 115)
            message.pointee.oneof_bool = value ? 1 : 0
        case .oneofUint64(let value)?:
            message.pointee.oneof_field_case = .init(rawValue: 116)
            message.pointee.oneof_uint64 = value
        case .oneofFloat(let value)?:
            message.pointee.oneof_field_case = .init(rawValue: 117)
            message.pointee.oneof_float = value
        case .oneofDouble(let value)?:
            message.pointee.oneof_field_case = .init(rawValue: 118)
            message.pointee.oneof_double = value
        case .oneofEnum(let value)?:
            message.pointee.oneof_field_case = .init(rawValue: 119)
            message.pointee.oneof_enum = encoder.enumeration(
                value, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__NestedEnum.self)
        case .oneofNullValue(let value)?:
            message.pointee.oneof_field_case = .init(rawValue: 120)
            message.pointee.oneof_null_value = encoder.enumeration(value, as: Google__Protobuf__NullValue.self)
        case nil: break
        }
        message.pointee.optional_bool_wrapper = try encoder.message(
            self.optionalBoolWrapper, as: Google__Protobuf__BoolValue.self, field: "optional_bool_wrapper")
        message.pointee.optional_int32_wrapper = try encoder.message(
            self.optionalInt32Wrapper, as: Google__Protobuf__Int32Value.self, field: "optional_int32_wrapper")
        message.pointee.optional_int64_wrapper = try encoder.message(
            self.optionalInt64Wrapper, as: Google__Protobuf__Int64Value.self, field: "optional_int64_wrapper")
        message.pointee.optional_uint32_wrapper = try encoder.message(
            self.optionalUint32Wrapper, as: Google__Protobuf__UInt32Value.self, field: "optional_uint32_wrapper")
        message.pointee.optional_uint64_wrapper = try encoder.message(
            self.optionalUint64Wrapper, as: Google__Protobuf__UInt64Value.self, field: "optional_uint64_wrapper")
        message.pointee.optional_float_wrapper = try encoder.message(
            self.optionalFloatWrapper, as: Google__Protobuf__FloatValue.self, field: "optional_float_wrapper")
        message.pointee.optional_double_wrapper = try encoder.message(
            self.optionalDoubleWrapper, as: Google__Protobuf__DoubleValue.self, field: "optional_double_wrapper")
        message.pointee.optional_string_wrapper = try encoder.message(
            self.optionalStringWrapper, as: Google__Protobuf__StringValue.self, field: "optional_string_wrapper")
        message.pointee.optional_bytes_wrapper = try encoder.message(
            self.optionalBytesWrapper, as: Google__Protobuf__BytesValue.self, field: "optional_bytes_wrapper")
        (message.pointee.n_repeated_bool_wrapper, message.pointee.repeated_bool_wrapper) = try encoder.messages(
            self.repeatedBoolWrapper, as: Google__Protobuf__BoolValue.self, field: "repeated_bool_wrapper")
        (message.pointee.n_repeated_int32_wrapper, message.pointee.repeated_int32_wrapper) = try encoder.messages(
            self.repeatedInt32Wrapper, as: Google__Protobuf__Int32Value.self, field: "repeated_int32_wrapper")
        (message.pointee.n_repeated_int64_wrapper, message.pointee.repeated_int64_wrapper) = try encoder.messages(
            self.repeatedInt64Wrapper, as: Google__Protobuf__Int64Value.self, field: "repeated_int64_wrapper")
        (message.pointee.n_repeated_uint32_wrapper, message.pointee.repeated_uint32_wrapper) = try encoder.messages(
            self.repeatedUint32Wrapper, as: Google__Protobuf__UInt32Value.self, field: "repeated_uint32_wrapper")
        (message.pointee.n_repeated_uint64_wrapper, message.pointee.repeated_uint64_wrapper) = try encoder.messages(
            self.repeatedUint64Wrapper, as: Google__Protobuf__UInt64Value.self, field: "repeated_uint64_wrapper")
        (message.pointee.n_repeated_float_wrapper, message.pointee.repeated_float_wrapper) = try encoder.messages(
            self.repeatedFloatWrapper, as: Google__Protobuf__FloatValue.self, field: "repeated_float_wrapper")
        (message.pointee.n_repeated_double_wrapper, message.pointee.repeated_double_wrapper) = try encoder.messages(
            self.repeatedDoubleWrapper, as: Google__Protobuf__DoubleValue.self, field: "repeated_double_wrapper")
        (message.pointee.n_repeated_string_wrapper, message.pointee.repeated_string_wrapper) = try encoder.messages(
            self.repeatedStringWrapper, as: Google__Protobuf__StringValue.self, field: "repeated_string_wrapper")
        (message.pointee.n_repeated_bytes_wrapper, message.pointee.repeated_bytes_wrapper) = try encoder.messages(
            self.repeatedBytesWrapper, as: Google__Protobuf__BytesValue.self, field: "repeated_bytes_wrapper")
        message.pointee.optional_duration = try encoder.message(
            self.optionalDuration, as: Google__Protobuf__Duration.self, field: "optional_duration")
        message.pointee.optional_timestamp = try encoder.message(
            self.optionalTimestamp, as: Google__Protobuf__Timestamp.self, field: "optional_timestamp")
        message.pointee.optional_field_mask = try encoder.message(
            self.optionalFieldMask, as: Google__Protobuf__FieldMask.self, field: "optional_field_mask")
        message.pointee.optional_struct = try encoder.message(
            self.optionalStruct, as: Google__Protobuf__Struct.self, field: "optional_struct")
        message.pointee.optional_any = try encoder.message(
            self.optionalAny, as: Google__Protobuf__Any.self, field: "optional_any")
        message.pointee.optional_value = try encoder.message(
            self.optionalValue, as: Google__Protobuf__Value.self, field: "optional_value")
        message.pointee.optional_null_value = encoder.enumeration(
            self.optionalNullValue, as: Google__Protobuf__NullValue.self)
        (message.pointee.n_repeated_duration, message.pointee.repeated_duration) = try encoder.messages(
            self.repeatedDuration, as: Google__Protobuf__Duration.self, field: "repeated_duration")
        (message.pointee.n_repeated_timestamp, message.pointee.repeated_timestamp) = try encoder.messages(
            self.repeatedTimestamp, as: Google__Protobuf__Timestamp.self, field: "repeated_timestamp")
        (message.pointee.n_repeated_fieldmask, message.pointee.repeated_fieldmask) = try encoder.messages(
            self.repeatedFieldmask, as: Google__Protobuf__FieldMask.self, field: "repeated_fieldmask")
        (message.pointee.n_repeated_struct, message.pointee.repeated_struct) = try encoder.messages(
            self.repeatedStruct, as: Google__Protobuf__Struct.self, field: "repeated_struct")
        (message.pointee.n_repeated_any, message.pointee.repeated_any) = try encoder.messages(
            self.repeatedAny, as: Google__Protobuf__Any.self, field: "repeated_any")
        (message.pointee.n_repeated_value, message.pointee.repeated_value) = try encoder.messages(
            self.repeatedValue, as: Google__Protobuf__Value.self, field: "repeated_value")
        (message.pointee.n_repeated_list_value, message.pointee.repeated_list_value) = try encoder.messages(
            self.repeatedListValue, as: Google__Protobuf__ListValue.self, field: "repeated_list_value")
        message.pointee.fieldname1 = self.fieldname1
        message.pointee.field_name2 = self.fieldName2
        message.pointee._field_name3 = self.fieldName3
        message.pointee.field__name4_ = self.fieldName4
        message.pointee.field0name5 = self.field0name5
        message.pointee.field_0_name6 = self.field0Name6
        message.pointee.fieldname7 = self.fieldName7
        message.pointee.fieldname8 = self.fieldName8
        message.pointee.field_name9 = self.fieldName9
        message.pointee.field_name10 = self.fieldName10
        message.pointee.field_name11 = self.fieldNAME11
        message.pointee.field_name12 = self.fieldName12
        message.pointee.__field_name13 = self.fieldName13
        message.pointee.__field_name14 = self.fieldName14
        message.pointee.field__name15 = self.fieldName15
        message.pointee.field__name16 = self.fieldName16
        message.pointee.field_name17__ = self.fieldName17
        message.pointee.field_name18__ = self.fieldName18
    }

    /// What ``oneofField`` can be.
    public enum OneOf_OneofField: Hashable, Sendable {
        /// `oneof_uint32`, field 111.
        case oneofUint32(UInt32)
        /// `oneof_nested_message`, field 112.
        indirect case oneofNestedMessage(ProtobufTestMessages_Proto3_TestAllTypesProto3.NestedMessage)
        /// `oneof_string`, field 113.
        case oneofString(String)
        /// `oneof_bytes`, field 114.
        case oneofBytes([UInt8])
        /// `oneof_bool`, field 115.
        case oneofBool(Bool)
        /// `oneof_uint64`, field 116.
        case oneofUint64(UInt64)
        /// `oneof_float`, field 117.
        case oneofFloat(Float)
        /// `oneof_double`, field 118.
        case oneofDouble(Double)
        /// `oneof_enum`, field 119.
        case oneofEnum(ProtobufTestMessages_Proto3_TestAllTypesProto3.NestedEnum)
        /// `oneof_null_value`, field 120.
        case oneofNullValue(Google_Protobuf_NullValue)
    }

    /// `protobuf_test_messages.proto3.TestAllTypesProto3.NestedEnum`.
    public enum NestedEnum: ProtobufEnum {
        /// `FOO`, number 0.
        case foo
        /// `BAR`, number 1.
        case bar
        /// `BAZ`, number 2.
        case baz
        /// `NEG`, number -1.
        case neg
        /// A number that this schema does not name, sent by a newer peer.
        case unrecognized(Int32)

        /// The value of number 0.
        public init() { self = .foo }

        /// The value of that number, or ``unrecognized(_:)``.
        public init(rawValue: Int32) {
            self = switch rawValue {
            case 0: .foo
            case 1: .bar
            case 2: .baz
            case -1: .neg
            default: .unrecognized(rawValue)
            }
        }

        /// The number.
        public var rawValue: Int32 {
            switch self {
            case .foo: 0
            case .bar: 1
            case .baz: 2
            case .neg: -1
            case .unrecognized(let number): number
            }
        }
    }

    /// `protobuf_test_messages.proto3.TestAllTypesProto3.AliasedEnum`.
    public enum AliasedEnum: ProtobufEnum {
        /// `ALIAS_FOO`, number 0.
        case aliasFoo
        /// `ALIAS_BAR`, number 1.
        case aliasBar
        /// `ALIAS_BAZ`, number 2.
        case aliasBaz
        /// A number that this schema does not name, sent by a newer peer.
        case unrecognized(Int32)

        /// Another name of ``aliasBaz``.
        public static let moo = Self.aliasBaz

        /// Another name of ``aliasBaz``.
        public static let bAz = Self.aliasBaz

        /// The value of number 0.
        public init() { self = .aliasFoo }

        /// The value of that number, or ``unrecognized(_:)``.
        public init(rawValue: Int32) {
            self = switch rawValue {
            case 0: .aliasFoo
            case 1: .aliasBar
            case 2: .aliasBaz
            default: .unrecognized(rawValue)
            }
        }

        /// The number.
        public var rawValue: Int32 {
            switch self {
            case .aliasFoo: 0
            case .aliasBar: 1
            case .aliasBaz: 2
            case .unrecognized(let number): number
            }
        }
    }

    /// `protobuf_test_messages.proto3.TestAllTypesProto3.NestedMessage`.
    public struct NestedMessage: Message {
        /// `a`, field 1.
        public var a: Int32 = 0
        /// `corecursive`, field 2.
        public var corecursive: ProtobufTestMessages_Proto3_TestAllTypesProto3? {
            get { corecursiveStorage_.first }
            set { corecursiveStorage_ = newValue.map { [$0] } ?? [] }
        }
        /// Holds `corecursive` out of line: the type contains itself.
        private var corecursiveStorage_: [ProtobufTestMessages_Proto3_TestAllTypesProto3] = []
        public var unknownFields = UnknownFields()

        /// A message with every field at its default.
        public init() {}

        /// A message with the fields given; the others have their defaults.
        public init(
            a: Int32 = 0,
            corecursive: ProtobufTestMessages_Proto3_TestAllTypesProto3? = nil
        ) {
            self.a = a
            self.corecursive = corecursive
        }

        public static let descriptor = MessageDescriptor(
            of: ProtobufTestMessages__Proto3__TestAllTypesProto3__NestedMessage.self,
            initializedBy: protobuf_test_messages__proto3__test_all_types_proto3__nested_message__init)

        public init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: ProtobufTestMessages__Proto3__TestAllTypesProto3__NestedMessage.self)
            self.a = message.pointee.a
            self.corecursive = MessageReader.message(message.pointee.corecursive)
            self.unknownFields = unpacked.unknownFields
        }

        public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: ProtobufTestMessages__Proto3__TestAllTypesProto3__NestedMessage.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            message.pointee.a = self.a
            message.pointee.corecursive = try encoder.message(
                self.corecursive, as: ProtobufTestMessages__Proto3__TestAllTypesProto3.self, field: "corecursive")
        }
    }

    /// One pair of a map: `protobuf_test_messages.proto3.TestAllTypesProto3.MapInt32Int32Entry`.
    fileprivate struct MapInt32Int32Entry: Message {
        /// `key`, field 1.
        fileprivate var key: Int32 = 0
        /// `value`, field 2.
        fileprivate var value: Int32 = 0
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: Int32 = 0,
            value: Int32 = 0
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapInt32Int32Entry.self,
            initializedBy: protobuf_test_messages__proto3__test_all_types_proto3__map_int32_int32_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(
                to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapInt32Int32Entry.self)
            self.key = message.pointee.key
            self.value = message.pointee.value
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapInt32Int32Entry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            message.pointee.key = self.key
            message.pointee.value = self.value
        }
    }

    /// One pair of a map: `protobuf_test_messages.proto3.TestAllTypesProto3.MapInt64Int64Entry`.
    fileprivate struct MapInt64Int64Entry: Message {
        /// `key`, field 1.
        fileprivate var key: Int64 = 0
        /// `value`, field 2.
        fileprivate var value: Int64 = 0
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: Int64 = 0,
            value: Int64 = 0
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapInt64Int64Entry.self,
            initializedBy: protobuf_test_messages__proto3__test_all_types_proto3__map_int64_int64_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(
                to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapInt64Int64Entry.self)
            self.key = message.pointee.key
            self.value = message.pointee.value
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapInt64Int64Entry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            message.pointee.key = self.key
            message.pointee.value = self.value
        }
    }

    /// One pair of a map: `protobuf_test_messages.proto3.TestAllTypesProto3.MapUint32Uint32Entry`.
    fileprivate struct MapUint32Uint32Entry: Message {
        /// `key`, field 1.
        fileprivate var key: UInt32 = 0
        /// `value`, field 2.
        fileprivate var value: UInt32 = 0
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: UInt32 = 0,
            value: UInt32 = 0
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapUint32Uint32Entry.self,
            initializedBy: protobuf_test_messages__proto3__test_all_types_proto3__map_uint32_uint32_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(
                to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapUint32Uint32Entry.self)
            self.key = message.pointee.key
            self.value = message.pointee.value
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapUint32Uint32Entry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            message.pointee.key = self.key
            message.pointee.value = self.value
        }
    }

    /// One pair of a map: `protobuf_test_messages.proto3.TestAllTypesProto3.MapUint64Uint64Entry`.
    fileprivate struct MapUint64Uint64Entry: Message {
        /// `key`, field 1.
        fileprivate var key: UInt64 = 0
        /// `value`, field 2.
        fileprivate var value: UInt64 = 0
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: UInt64 = 0,
            value: UInt64 = 0
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapUint64Uint64Entry.self,
            initializedBy: protobuf_test_messages__proto3__test_all_types_proto3__map_uint64_uint64_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(
                to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapUint64Uint64Entry.self)
            self.key = message.pointee.key
            self.value = message.pointee.value
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapUint64Uint64Entry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            message.pointee.key = self.key
            message.pointee.value = self.value
        }
    }

    /// One pair of a map: `protobuf_test_messages.proto3.TestAllTypesProto3.MapSint32Sint32Entry`.
    fileprivate struct MapSint32Sint32Entry: Message {
        /// `key`, field 1.
        fileprivate var key: Int32 = 0
        /// `value`, field 2.
        fileprivate var value: Int32 = 0
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: Int32 = 0,
            value: Int32 = 0
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapSint32Sint32Entry.self,
            initializedBy: protobuf_test_messages__proto3__test_all_types_proto3__map_sint32_sint32_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(
                to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapSint32Sint32Entry.self)
            self.key = message.pointee.key
            self.value = message.pointee.value
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapSint32Sint32Entry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            message.pointee.key = self.key
            message.pointee.value = self.value
        }
    }

    /// One pair of a map: `protobuf_test_messages.proto3.TestAllTypesProto3.MapSint64Sint64Entry`.
    fileprivate struct MapSint64Sint64Entry: Message {
        /// `key`, field 1.
        fileprivate var key: Int64 = 0
        /// `value`, field 2.
        fileprivate var value: Int64 = 0
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: Int64 = 0,
            value: Int64 = 0
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapSint64Sint64Entry.self,
            initializedBy: protobuf_test_messages__proto3__test_all_types_proto3__map_sint64_sint64_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(
                to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapSint64Sint64Entry.self)
            self.key = message.pointee.key
            self.value = message.pointee.value
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapSint64Sint64Entry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            message.pointee.key = self.key
            message.pointee.value = self.value
        }
    }

    /// One pair of a map: `protobuf_test_messages.proto3.TestAllTypesProto3.MapFixed32Fixed32Entry`.
    fileprivate struct MapFixed32Fixed32Entry: Message {
        /// `key`, field 1.
        fileprivate var key: UInt32 = 0
        /// `value`, field 2.
        fileprivate var value: UInt32 = 0
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: UInt32 = 0,
            value: UInt32 = 0
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapFixed32Fixed32Entry.self,
            initializedBy: protobuf_test_messages__proto3__test_all_types_proto3__map_fixed32_fixed32_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(
                to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapFixed32Fixed32Entry.self)
            self.key = message.pointee.key
            self.value = message.pointee.value
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(
                to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapFixed32Fixed32Entry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            message.pointee.key = self.key
            message.pointee.value = self.value
        }
    }

    /// One pair of a map: `protobuf_test_messages.proto3.TestAllTypesProto3.MapFixed64Fixed64Entry`.
    fileprivate struct MapFixed64Fixed64Entry: Message {
        /// `key`, field 1.
        fileprivate var key: UInt64 = 0
        /// `value`, field 2.
        fileprivate var value: UInt64 = 0
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: UInt64 = 0,
            value: UInt64 = 0
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapFixed64Fixed64Entry.self,
            initializedBy: protobuf_test_messages__proto3__test_all_types_proto3__map_fixed64_fixed64_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(
                to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapFixed64Fixed64Entry.self)
            self.key = message.pointee.key
            self.value = message.pointee.value
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(
                to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapFixed64Fixed64Entry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            message.pointee.key = self.key
            message.pointee.value = self.value
        }
    }

    /// One pair of a map: `protobuf_test_messages.proto3.TestAllTypesProto3.MapSfixed32Sfixed32Entry`.
    fileprivate struct MapSfixed32Sfixed32Entry: Message {
        /// `key`, field 1.
        fileprivate var key: Int32 = 0
        /// `value`, field 2.
        fileprivate var value: Int32 = 0
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: Int32 = 0,
            value: Int32 = 0
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapSfixed32Sfixed32Entry.self,
            initializedBy: protobuf_test_messages__proto3__test_all_types_proto3__map_sfixed32_sfixed32_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(
                to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapSfixed32Sfixed32Entry.self)
            self.key = message.pointee.key
            self.value = message.pointee.value
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(
                to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapSfixed32Sfixed32Entry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            message.pointee.key = self.key
            message.pointee.value = self.value
        }
    }

    /// One pair of a map: `protobuf_test_messages.proto3.TestAllTypesProto3.MapSfixed64Sfixed64Entry`.
    fileprivate struct MapSfixed64Sfixed64Entry: Message {
        /// `key`, field 1.
        fileprivate var key: Int64 = 0
        /// `value`, field 2.
        fileprivate var value: Int64 = 0
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: Int64 = 0,
            value: Int64 = 0
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapSfixed64Sfixed64Entry.self,
            initializedBy: protobuf_test_messages__proto3__test_all_types_proto3__map_sfixed64_sfixed64_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(
                to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapSfixed64Sfixed64Entry.self)
            self.key = message.pointee.key
            self.value = message.pointee.value
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(
                to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapSfixed64Sfixed64Entry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            message.pointee.key = self.key
            message.pointee.value = self.value
        }
    }

    /// One pair of a map: `protobuf_test_messages.proto3.TestAllTypesProto3.MapInt32FloatEntry`.
    fileprivate struct MapInt32FloatEntry: Message {
        /// `key`, field 1.
        fileprivate var key: Int32 = 0
        /// `value`, field 2.
        fileprivate var value: Float = 0
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: Int32 = 0,
            value: Float = 0
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapInt32FloatEntry.self,
            initializedBy: protobuf_test_messages__proto3__test_all_types_proto3__map_int32_float_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(
                to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapInt32FloatEntry.self)
            self.key = message.pointee.key
            self.value = message.pointee.value
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapInt32FloatEntry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            message.pointee.key = self.key
            message.pointee.value = self.value
            encoder.negativeZero(self.value, number: 2, into: blank)
        }
    }

    /// One pair of a map: `protobuf_test_messages.proto3.TestAllTypesProto3.MapInt32DoubleEntry`.
    fileprivate struct MapInt32DoubleEntry: Message {
        /// `key`, field 1.
        fileprivate var key: Int32 = 0
        /// `value`, field 2.
        fileprivate var value: Double = 0
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: Int32 = 0,
            value: Double = 0
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapInt32DoubleEntry.self,
            initializedBy: protobuf_test_messages__proto3__test_all_types_proto3__map_int32_double_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(
                to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapInt32DoubleEntry.self)
            self.key = message.pointee.key
            self.value = message.pointee.value
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapInt32DoubleEntry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            message.pointee.key = self.key
            message.pointee.value = self.value
            encoder.negativeZero(self.value, number: 2, into: blank)
        }
    }

    /// One pair of a map: `protobuf_test_messages.proto3.TestAllTypesProto3.MapBoolBoolEntry`.
    fileprivate struct MapBoolBoolEntry: Message {
        /// `key`, field 1.
        fileprivate var key: Bool = false
        /// `value`, field 2.
        fileprivate var value: Bool = false
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: Bool = false,
            value: Bool = false
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapBoolBoolEntry.self,
            initializedBy: protobuf_test_messages__proto3__test_all_types_proto3__map_bool_bool_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapBoolBoolEntry.self)
            self.key = MessageReader.bool(message.pointee.key)
            self.value = MessageReader.bool(message.pointee.value)
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapBoolBoolEntry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            message.pointee.key = self.key ? 1 : 0
            message.pointee.value = self.value ? 1 : 0
        }
    }

    /// One pair of a map: `protobuf_test_messages.proto3.TestAllTypesProto3.MapStringStringEntry`.
    fileprivate struct MapStringStringEntry: Message {
        /// `key`, field 1.
        fileprivate var key: String = ""
        /// `value`, field 2.
        fileprivate var value: String = ""
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: String = "",
            value: String = ""
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapStringStringEntry.self,
            initializedBy: protobuf_test_messages__proto3__test_all_types_proto3__map_string_string_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(
                to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapStringStringEntry.self)
            self.key = MessageReader.string(message.pointee.key)
            self.value = MessageReader.string(message.pointee.value)
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapStringStringEntry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            if !self.key.isEmpty {
                message.pointee.key = try encoder.string(self.key, field: "key")
            }
            if !self.value.isEmpty {
                message.pointee.value = try encoder.string(self.value, field: "value")
            }
        }
    }

    /// One pair of a map: `protobuf_test_messages.proto3.TestAllTypesProto3.MapStringBytesEntry`.
    fileprivate struct MapStringBytesEntry: Message {
        /// `key`, field 1.
        fileprivate var key: String = ""
        /// `value`, field 2.
        fileprivate var value: [UInt8] = []
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: String = "",
            value: [UInt8] = []
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapStringBytesEntry.self,
            initializedBy: protobuf_test_messages__proto3__test_all_types_proto3__map_string_bytes_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(
                to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapStringBytesEntry.self)
            self.key = MessageReader.string(message.pointee.key)
            self.value = MessageReader.bytes(message.pointee.value)
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapStringBytesEntry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            if !self.key.isEmpty {
                message.pointee.key = try encoder.string(self.key, field: "key")
            }
            if !self.value.isEmpty {
                message.pointee.value = encoder.bytes(self.value)
            }
        }
    }

    /// One pair of a map: `protobuf_test_messages.proto3.TestAllTypesProto3.MapStringNestedMessageEntry`.
    fileprivate struct MapStringNestedMessageEntry: Message {
        /// `key`, field 1.
        fileprivate var key: String = ""
        /// `value`, field 2.
        fileprivate var value: ProtobufTestMessages_Proto3_TestAllTypesProto3.NestedMessage?
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: String = "",
            value: ProtobufTestMessages_Proto3_TestAllTypesProto3.NestedMessage? = nil
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapStringNestedMessageEntry.self,
            initializedBy: protobuf_test_messages__proto3__test_all_types_proto3__map_string_nested_message_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(
                to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapStringNestedMessageEntry.self)
            self.key = MessageReader.string(message.pointee.key)
            self.value = MessageReader.message(message.pointee.value)
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(
                to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapStringNestedMessageEntry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            if !self.key.isEmpty {
                message.pointee.key = try encoder.string(self.key, field: "key")
            }
            message.pointee.value = try encoder.message(
                self.value, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__NestedMessage.self, field: "value")
        }
    }

    /// One pair of a map: `protobuf_test_messages.proto3.TestAllTypesProto3.MapStringForeignMessageEntry`.
    fileprivate struct MapStringForeignMessageEntry: Message {
        /// `key`, field 1.
        fileprivate var key: String = ""
        /// `value`, field 2.
        fileprivate var value: ProtobufTestMessages_Proto3_ForeignMessage?
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: String = "",
            value: ProtobufTestMessages_Proto3_ForeignMessage? = nil
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapStringForeignMessageEntry.self,
            initializedBy: protobuf_test_messages__proto3__test_all_types_proto3__map_string_foreign_message_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(
                to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapStringForeignMessageEntry.self)
            self.key = MessageReader.string(message.pointee.key)
            self.value = MessageReader.message(message.pointee.value)
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(
                to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapStringForeignMessageEntry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            if !self.key.isEmpty {
                message.pointee.key = try encoder.string(self.key, field: "key")
            }
            message.pointee.value = try encoder.message(
                self.value, as: ProtobufTestMessages__Proto3__ForeignMessage.self, field: "value")
        }
    }

    /// One pair of a map: `protobuf_test_messages.proto3.TestAllTypesProto3.MapStringNestedEnumEntry`.
    fileprivate struct MapStringNestedEnumEntry: Message {
        /// `key`, field 1.
        fileprivate var key: String = ""
        /// `value`, field 2.
        fileprivate var value: ProtobufTestMessages_Proto3_TestAllTypesProto3.NestedEnum = .init()
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: String = "",
            value: ProtobufTestMessages_Proto3_TestAllTypesProto3.NestedEnum = .init()
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapStringNestedEnumEntry.self,
            initializedBy: protobuf_test_messages__proto3__test_all_types_proto3__map_string_nested_enum_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(
                to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapStringNestedEnumEntry.self)
            self.key = MessageReader.string(message.pointee.key)
            self.value = MessageReader.enumeration(message.pointee.value)
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(
                to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapStringNestedEnumEntry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            if !self.key.isEmpty {
                message.pointee.key = try encoder.string(self.key, field: "key")
            }
            message.pointee.value = encoder.enumeration(
                self.value, as: ProtobufTestMessages__Proto3__TestAllTypesProto3__NestedEnum.self)
        }
    }

    /// One pair of a map: `protobuf_test_messages.proto3.TestAllTypesProto3.MapStringForeignEnumEntry`.
    fileprivate struct MapStringForeignEnumEntry: Message {
        /// `key`, field 1.
        fileprivate var key: String = ""
        /// `value`, field 2.
        fileprivate var value: ProtobufTestMessages_Proto3_ForeignEnum = .init()
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: String = "",
            value: ProtobufTestMessages_Proto3_ForeignEnum = .init()
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapStringForeignEnumEntry.self,
            initializedBy: protobuf_test_messages__proto3__test_all_types_proto3__map_string_foreign_enum_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(
                to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapStringForeignEnumEntry.self)
            self.key = MessageReader.string(message.pointee.key)
            self.value = MessageReader.enumeration(message.pointee.value)
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(
                to: ProtobufTestMessages__Proto3__TestAllTypesProto3__MapStringForeignEnumEntry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            if !self.key.isEmpty {
                message.pointee.key = try encoder.string(self.key, field: "key")
            }
            message.pointee.value = encoder.enumeration(self.value, as: ProtobufTestMessages__Proto3__ForeignEnum.self)
        }
    }
}

/// `protobuf_test_messages.proto3.ForeignMessage`.
public struct ProtobufTestMessages_Proto3_ForeignMessage: Message {
    /// `c`, field 1.
    public var c: Int32 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(c: Int32 = 0) {
        self.c = c
    }

    public static let descriptor = MessageDescriptor(
        of: ProtobufTestMessages__Proto3__ForeignMessage.self,
        initializedBy: protobuf_test_messages__proto3__foreign_message__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: ProtobufTestMessages__Proto3__ForeignMessage.self)
        self.c = message.pointee.c
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: ProtobufTestMessages__Proto3__ForeignMessage.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.c = self.c
    }
}

/// `protobuf_test_messages.proto3.NullHypothesisProto3`.
public struct ProtobufTestMessages_Proto3_NullHypothesisProto3: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: ProtobufTestMessages__Proto3__NullHypothesisProto3.self,
        initializedBy: protobuf_test_messages__proto3__null_hypothesis_proto3__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// `protobuf_test_messages.proto3.EnumOnlyProto3`.
public struct ProtobufTestMessages_Proto3_EnumOnlyProto3: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: ProtobufTestMessages__Proto3__EnumOnlyProto3.self,
        initializedBy: protobuf_test_messages__proto3__enum_only_proto3__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }

    /// `protobuf_test_messages.proto3.EnumOnlyProto3.Bool`.
    public enum BoolEnum: ProtobufEnum {
        /// `kFalse`, number 0.
        case kFalse
        /// `kTrue`, number 1.
        case kTrue
        /// A number that this schema does not name, sent by a newer peer.
        case unrecognized(Int32)

        /// The value of number 0.
        public init() { self = .kFalse }

        /// The value of that number, or ``unrecognized(_:)``.
        public init(rawValue: Int32) {
            self = switch rawValue {
            case 0: .kFalse
            case 1: .kTrue
            default: .unrecognized(rawValue)
            }
        }

        /// The number.
        public var rawValue: Int32 {
            switch self {
            case .kFalse: 0
            case .kTrue: 1
            case .unrecognized(let number): number
            }
        }
    }
}

/// `google/protobuf/test_messages_proto3.proto` in protobuf's own terms, for server reflection.
public enum ProtobufTestMessages_Proto3_TestMessagesProto3File {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "google/protobuf/test_messages_proto3.proto",
        dependencies: [
            Google_Protobuf_AnyFile.descriptor,
            Google_Protobuf_DurationFile.descriptor,
            Google_Protobuf_FieldMaskFile.descriptor,
            Google_Protobuf_StructFile.descriptor,
            Google_Protobuf_TimestampFile.descriptor,
            Google_Protobuf_WrappersFile.descriptor,
        ],
        serialized: """
            \n*google/protobuf/test_messages_proto3.proto\u{12}\u{1d}protobuf_test_messages.proto3\u{1a}\u{19}g\
            oogle/protobuf/any.proto\u{1a}\u{1e}google/protobuf/duration.proto\u{1a} google/protobuf/field_mask\
            .proto\u{1a}\u{1c}google/protobuf/struct.proto\u{1a}\u{1f}google/protobuf/timestamp.proto\u{1a}\
            \u{1e}google/protobuf/wrappers.proto\"\u{99}[\n\u{12}TestAllTypesProto3\u{12}%\n\u{e}optional_int32\
            \u{18}\u{1} \u{1}(\u{5}R\roptionalInt32\u{12}%\n\u{e}optional_int64\u{18}\u{2} \u{1}(\u{3}R\roption\
            alInt64\u{12}'\n\u{f}optional_uint32\u{18}\u{3} \u{1}(\rR\u{e}optionalUint32\u{12}'\n\u{f}optional_\
            uint64\u{18}\u{4} \u{1}(\u{4}R\u{e}optionalUint64\u{12}'\n\u{f}optional_sint32\u{18}\u{5} \u{1}(\
            \u{11}R\u{e}optionalSint32\u{12}'\n\u{f}optional_sint64\u{18}\u{6} \u{1}(\u{12}R\u{e}optionalSint64\
            \u{12})\n\u{10}optional_fixed32\u{18}\u{7} \u{1}(\u{7}R\u{f}optionalFixed32\u{12})\n\u{10}optional_\
            fixed64\u{18}\u{8} \u{1}(\u{6}R\u{f}optionalFixed64\u{12}+\n\u{11}optional_sfixed32\u{18}\t \u{1}(\
            \u{f}R\u{10}optionalSfixed32\u{12}+\n\u{11}optional_sfixed64\u{18}\n \u{1}(\u{10}R\u{10}optionalSfi\
            xed64\u{12}%\n\u{e}optional_float\u{18}\u{b} \u{1}(\u{2}R\roptionalFloat\u{12}'\n\u{f}optional_doub\
            le\u{18}\u{c} \u{1}(\u{1}R\u{e}optionalDouble\u{12}#\n\roptional_bool\u{18}\r \u{1}(\u{8}R\u{c}opti\
            onalBool\u{12}'\n\u{f}optional_string\u{18}\u{e} \u{1}(\tR\u{e}optionalString\u{12}%\n\u{e}optional\
            _bytes\u{18}\u{f} \u{1}(\u{c}R\roptionalBytes\u{12}w\n\u{17}optional_nested_message\u{18}\u{12} \
            \u{1}(\u{b}2?.protobuf_test_messages.proto3.TestAllTypesProto3.NestedMessageR\u{15}optionalNestedMe\
            ssage\u{12}g\n\u{18}optional_foreign_message\u{18}\u{13} \u{1}(\u{b}2-.protobuf_test_messages.proto\
            3.ForeignMessageR\u{16}optionalForeignMessage\u{12}n\n\u{14}optional_nested_enum\u{18}\u{15} \u{1}(\
            \u{e}2<.protobuf_test_messages.proto3.TestAllTypesProto3.NestedEnumR\u{12}optionalNestedEnum\u{12}^\
            \n\u{15}optional_foreign_enum\u{18}\u{16} \u{1}(\u{e}2*.protobuf_test_messages.proto3.ForeignEnumR\
            \u{13}optionalForeignEnum\u{12}q\n\u{15}optional_aliased_enum\u{18}\u{17} \u{1}(\u{e}2=.protobuf_te\
            st_messages.proto3.TestAllTypesProto3.AliasedEnumR\u{13}optionalAliasedEnum\u{12}6\n\u{15}optional_\
            string_piece\u{18}\u{18} \u{1}(\tB\u{2}\u{8}\u{2}R\u{13}optionalStringPiece\u{12}'\n\roptional_cord\
            \u{18}\u{19} \u{1}(\tB\u{2}\u{8}\u{1}R\u{c}optionalCord\u{12}^\n\u{11}recursive_message\u{18}\u{1b}\
             \u{1}(\u{b}21.protobuf_test_messages.proto3.TestAllTypesProto3R\u{10}recursiveMessage\u{12}%\n\
            \u{e}repeated_int32\u{18}\u{1f} \u{3}(\u{5}R\rrepeatedInt32\u{12}%\n\u{e}repeated_int64\u{18}  \
            \u{3}(\u{3}R\rrepeatedInt64\u{12}'\n\u{f}repeated_uint32\u{18}! \u{3}(\rR\u{e}repeatedUint32\u{12}'\
            \n\u{f}repeated_uint64\u{18}\" \u{3}(\u{4}R\u{e}repeatedUint64\u{12}'\n\u{f}repeated_sint32\u{18}# \
            \u{3}(\u{11}R\u{e}repeatedSint32\u{12}'\n\u{f}repeated_sint64\u{18}$ \u{3}(\u{12}R\u{e}repeatedSint\
            64\u{12})\n\u{10}repeated_fixed32\u{18}% \u{3}(\u{7}R\u{f}repeatedFixed32\u{12})\n\u{10}repeated_fi\
            xed64\u{18}& \u{3}(\u{6}R\u{f}repeatedFixed64\u{12}+\n\u{11}repeated_sfixed32\u{18}' \u{3}(\u{f}R\
            \u{10}repeatedSfixed32\u{12}+\n\u{11}repeated_sfixed64\u{18}( \u{3}(\u{10}R\u{10}repeatedSfixed64\
            \u{12}%\n\u{e}repeated_float\u{18}) \u{3}(\u{2}R\rrepeatedFloat\u{12}'\n\u{f}repeated_double\u{18}*\
             \u{3}(\u{1}R\u{e}repeatedDouble\u{12}#\n\rrepeated_bool\u{18}+ \u{3}(\u{8}R\u{c}repeatedBool\u{12}\
            '\n\u{f}repeated_string\u{18}, \u{3}(\tR\u{e}repeatedString\u{12}%\n\u{e}repeated_bytes\u{18}- \
            \u{3}(\u{c}R\rrepeatedBytes\u{12}w\n\u{17}repeated_nested_message\u{18}0 \u{3}(\u{b}2?.protobuf_tes\
            t_messages.proto3.TestAllTypesProto3.NestedMessageR\u{15}repeatedNestedMessage\u{12}g\n\u{18}repeat\
            ed_foreign_message\u{18}1 \u{3}(\u{b}2-.protobuf_test_messages.proto3.ForeignMessageR\u{16}repeated\
            ForeignMessage\u{12}n\n\u{14}repeated_nested_enum\u{18}3 \u{3}(\u{e}2<.protobuf_test_messages.proto\
            3.TestAllTypesProto3.NestedEnumR\u{12}repeatedNestedEnum\u{12}^\n\u{15}repeated_foreign_enum\u{18}4\
             \u{3}(\u{e}2*.protobuf_test_messages.proto3.ForeignEnumR\u{13}repeatedForeignEnum\u{12}6\n\u{15}re\
            peated_string_piece\u{18}6 \u{3}(\tB\u{2}\u{8}\u{2}R\u{13}repeatedStringPiece\u{12}'\n\rrepeated_co\
            rd\u{18}7 \u{3}(\tB\u{2}\u{8}\u{1}R\u{c}repeatedCord\u{12}%\n\u{c}packed_int32\u{18}K \u{3}(\u{5}B\
            \u{2}\u{10}\u{1}R\u{b}packedInt32\u{12}%\n\u{c}packed_int64\u{18}L \u{3}(\u{3}B\u{2}\u{10}\u{1}R\
            \u{b}packedInt64\u{12}'\n\rpacked_uint32\u{18}M \u{3}(\rB\u{2}\u{10}\u{1}R\u{c}packedUint32\u{12}'\
            \n\rpacked_uint64\u{18}N \u{3}(\u{4}B\u{2}\u{10}\u{1}R\u{c}packedUint64\u{12}'\n\rpacked_sint32\
            \u{18}O \u{3}(\u{11}B\u{2}\u{10}\u{1}R\u{c}packedSint32\u{12}'\n\rpacked_sint64\u{18}P \u{3}(\u{12}\
            B\u{2}\u{10}\u{1}R\u{c}packedSint64\u{12})\n\u{e}packed_fixed32\u{18}Q \u{3}(\u{7}B\u{2}\u{10}\u{1}\
            R\rpackedFixed32\u{12})\n\u{e}packed_fixed64\u{18}R \u{3}(\u{6}B\u{2}\u{10}\u{1}R\rpackedFixed64\
            \u{12}+\n\u{f}packed_sfixed32\u{18}S \u{3}(\u{f}B\u{2}\u{10}\u{1}R\u{e}packedSfixed32\u{12}+\n\u{f}\
            packed_sfixed64\u{18}T \u{3}(\u{10}B\u{2}\u{10}\u{1}R\u{e}packedSfixed64\u{12}%\n\u{c}packed_float\
            \u{18}U \u{3}(\u{2}B\u{2}\u{10}\u{1}R\u{b}packedFloat\u{12}'\n\rpacked_double\u{18}V \u{3}(\u{1}B\
            \u{2}\u{10}\u{1}R\u{c}packedDouble\u{12}#\n\u{b}packed_bool\u{18}W \u{3}(\u{8}B\u{2}\u{10}\u{1}R\np\
            ackedBool\u{12}n\n\u{12}packed_nested_enum\u{18}X \u{3}(\u{e}2<.protobuf_test_messages.proto3.TestA\
            llTypesProto3.NestedEnumB\u{2}\u{10}\u{1}R\u{10}packedNestedEnum\u{12})\n\u{e}unpacked_int32\u{18}Y\
             \u{3}(\u{5}B\u{2}\u{10}\0R\runpackedInt32\u{12})\n\u{e}unpacked_int64\u{18}Z \u{3}(\u{3}B\u{2}\
            \u{10}\0R\runpackedInt64\u{12}+\n\u{f}unpacked_uint32\u{18}[ \u{3}(\rB\u{2}\u{10}\0R\u{e}unpackedUi\
            nt32\u{12}+\n\u{f}unpacked_uint64\u{18}\\ \u{3}(\u{4}B\u{2}\u{10}\0R\u{e}unpackedUint64\u{12}+\n\
            \u{f}unpacked_sint32\u{18}] \u{3}(\u{11}B\u{2}\u{10}\0R\u{e}unpackedSint32\u{12}+\n\u{f}unpacked_si\
            nt64\u{18}^ \u{3}(\u{12}B\u{2}\u{10}\0R\u{e}unpackedSint64\u{12}-\n\u{10}unpacked_fixed32\u{18}_ \
            \u{3}(\u{7}B\u{2}\u{10}\0R\u{f}unpackedFixed32\u{12}-\n\u{10}unpacked_fixed64\u{18}` \u{3}(\u{6}B\
            \u{2}\u{10}\0R\u{f}unpackedFixed64\u{12}/\n\u{11}unpacked_sfixed32\u{18}a \u{3}(\u{f}B\u{2}\u{10}\0\
            R\u{10}unpackedSfixed32\u{12}/\n\u{11}unpacked_sfixed64\u{18}b \u{3}(\u{10}B\u{2}\u{10}\0R\u{10}unp\
            ackedSfixed64\u{12})\n\u{e}unpacked_float\u{18}c \u{3}(\u{2}B\u{2}\u{10}\0R\runpackedFloat\u{12}+\n\
            \u{f}unpacked_double\u{18}d \u{3}(\u{1}B\u{2}\u{10}\0R\u{e}unpackedDouble\u{12}'\n\runpacked_bool\
            \u{18}e \u{3}(\u{8}B\u{2}\u{10}\0R\u{c}unpackedBool\u{12}r\n\u{14}unpacked_nested_enum\u{18}f \u{3}\
            (\u{e}2<.protobuf_test_messages.proto3.TestAllTypesProto3.NestedEnumB\u{2}\u{10}\0R\u{12}unpackedNe\
            stedEnum\u{12}l\n\u{f}map_int32_int32\u{18}8 \u{3}(\u{b}2D.protobuf_test_messages.proto3.TestAllTyp\
            esProto3.MapInt32Int32EntryR\rmapInt32Int32\u{12}l\n\u{f}map_int64_int64\u{18}9 \u{3}(\u{b}2D.proto\
            buf_test_messages.proto3.TestAllTypesProto3.MapInt64Int64EntryR\rmapInt64Int64\u{12}r\n\u{11}map_ui\
            nt32_uint32\u{18}: \u{3}(\u{b}2F.protobuf_test_messages.proto3.TestAllTypesProto3.MapUint32Uint32En\
            tryR\u{f}mapUint32Uint32\u{12}r\n\u{11}map_uint64_uint64\u{18}; \u{3}(\u{b}2F.protobuf_test_message\
            s.proto3.TestAllTypesProto3.MapUint64Uint64EntryR\u{f}mapUint64Uint64\u{12}r\n\u{11}map_sint32_sint\
            32\u{18}< \u{3}(\u{b}2F.protobuf_test_messages.proto3.TestAllTypesProto3.MapSint32Sint32EntryR\u{f}\
            mapSint32Sint32\u{12}r\n\u{11}map_sint64_sint64\u{18}= \u{3}(\u{b}2F.protobuf_test_messages.proto3.\
            TestAllTypesProto3.MapSint64Sint64EntryR\u{f}mapSint64Sint64\u{12}x\n\u{13}map_fixed32_fixed32\
            \u{18}> \u{3}(\u{b}2H.protobuf_test_messages.proto3.TestAllTypesProto3.MapFixed32Fixed32EntryR\
            \u{11}mapFixed32Fixed32\u{12}x\n\u{13}map_fixed64_fixed64\u{18}? \u{3}(\u{b}2H.protobuf_test_messag\
            es.proto3.TestAllTypesProto3.MapFixed64Fixed64EntryR\u{11}mapFixed64Fixed64\u{12}~\n\u{15}map_sfixe\
            d32_sfixed32\u{18}@ \u{3}(\u{b}2J.protobuf_test_messages.proto3.TestAllTypesProto3.MapSfixed32Sfixe\
            d32EntryR\u{13}mapSfixed32Sfixed32\u{12}~\n\u{15}map_sfixed64_sfixed64\u{18}A \u{3}(\u{b}2J.protobu\
            f_test_messages.proto3.TestAllTypesProto3.MapSfixed64Sfixed64EntryR\u{13}mapSfixed64Sfixed64\u{12}l\
            \n\u{f}map_int32_float\u{18}B \u{3}(\u{b}2D.protobuf_test_messages.proto3.TestAllTypesProto3.MapInt\
            32FloatEntryR\rmapInt32Float\u{12}o\n\u{10}map_int32_double\u{18}C \u{3}(\u{b}2E.protobuf_test_mess\
            ages.proto3.TestAllTypesProto3.MapInt32DoubleEntryR\u{e}mapInt32Double\u{12}f\n\rmap_bool_bool\
            \u{18}D \u{3}(\u{b}2B.protobuf_test_messages.proto3.TestAllTypesProto3.MapBoolBoolEntryR\u{b}mapBoo\
            lBool\u{12}r\n\u{11}map_string_string\u{18}E \u{3}(\u{b}2F.protobuf_test_messages.proto3.TestAllTyp\
            esProto3.MapStringStringEntryR\u{f}mapStringString\u{12}o\n\u{10}map_string_bytes\u{18}F \u{3}(\
            \u{b}2E.protobuf_test_messages.proto3.TestAllTypesProto3.MapStringBytesEntryR\u{e}mapStringBytes\
            \u{12}\u{88}\u{1}\n\u{19}map_string_nested_message\u{18}G \u{3}(\u{b}2M.protobuf_test_messages.prot\
            o3.TestAllTypesProto3.MapStringNestedMessageEntryR\u{16}mapStringNestedMessage\u{12}\u{8b}\u{1}\n\
            \u{1a}map_string_foreign_message\u{18}H \u{3}(\u{b}2N.protobuf_test_messages.proto3.TestAllTypesPro\
            to3.MapStringForeignMessageEntryR\u{17}mapStringForeignMessage\u{12}\u{7f}\n\u{16}map_string_nested\
            _enum\u{18}I \u{3}(\u{b}2J.protobuf_test_messages.proto3.TestAllTypesProto3.MapStringNestedEnumEntr\
            yR\u{13}mapStringNestedEnum\u{12}\u{82}\u{1}\n\u{17}map_string_foreign_enum\u{18}J \u{3}(\u{b}2K.pr\
            otobuf_test_messages.proto3.TestAllTypesProto3.MapStringForeignEnumEntryR\u{14}mapStringForeignEnum\
            \u{12}#\n\u{c}oneof_uint32\u{18}o \u{1}(\rH\0R\u{b}oneofUint32\u{12}s\n\u{14}oneof_nested_message\
            \u{18}p \u{1}(\u{b}2?.protobuf_test_messages.proto3.TestAllTypesProto3.NestedMessageH\0R\u{12}oneof\
            NestedMessage\u{12}#\n\u{c}oneof_string\u{18}q \u{1}(\tH\0R\u{b}oneofString\u{12}!\n\u{b}oneof_byte\
            s\u{18}r \u{1}(\u{c}H\0R\noneofBytes\u{12}\u{1f}\n\noneof_bool\u{18}s \u{1}(\u{8}H\0R\toneofBool\
            \u{12}#\n\u{c}oneof_uint64\u{18}t \u{1}(\u{4}H\0R\u{b}oneofUint64\u{12}!\n\u{b}oneof_float\u{18}u \
            \u{1}(\u{2}H\0R\noneofFloat\u{12}#\n\u{c}oneof_double\u{18}v \u{1}(\u{1}H\0R\u{b}oneofDouble\u{12}]\
            \n\noneof_enum\u{18}w \u{1}(\u{e}2<.protobuf_test_messages.proto3.TestAllTypesProto3.NestedEnumH\0R\
            \toneofEnum\u{12}F\n\u{10}oneof_null_value\u{18}x \u{1}(\u{e}2\u{1a}.google.protobuf.NullValueH\0R\
            \u{e}oneofNullValue\u{12}O\n\u{15}optional_bool_wrapper\u{18}\u{c9}\u{1} \u{1}(\u{b}2\u{1a}.google.\
            protobuf.BoolValueR\u{13}optionalBoolWrapper\u{12}R\n\u{16}optional_int32_wrapper\u{18}\u{ca}\u{1} \
            \u{1}(\u{b}2\u{1b}.google.protobuf.Int32ValueR\u{14}optionalInt32Wrapper\u{12}R\n\u{16}optional_int\
            64_wrapper\u{18}\u{cb}\u{1} \u{1}(\u{b}2\u{1b}.google.protobuf.Int64ValueR\u{14}optionalInt64Wrappe\
            r\u{12}U\n\u{17}optional_uint32_wrapper\u{18}\u{cc}\u{1} \u{1}(\u{b}2\u{1c}.google.protobuf.UInt32V\
            alueR\u{15}optionalUint32Wrapper\u{12}U\n\u{17}optional_uint64_wrapper\u{18}\u{cd}\u{1} \u{1}(\u{b}\
            2\u{1c}.google.protobuf.UInt64ValueR\u{15}optionalUint64Wrapper\u{12}R\n\u{16}optional_float_wrappe\
            r\u{18}\u{ce}\u{1} \u{1}(\u{b}2\u{1b}.google.protobuf.FloatValueR\u{14}optionalFloatWrapper\u{12}U\
            \n\u{17}optional_double_wrapper\u{18}\u{cf}\u{1} \u{1}(\u{b}2\u{1c}.google.protobuf.DoubleValueR\
            \u{15}optionalDoubleWrapper\u{12}U\n\u{17}optional_string_wrapper\u{18}\u{d0}\u{1} \u{1}(\u{b}2\
            \u{1c}.google.protobuf.StringValueR\u{15}optionalStringWrapper\u{12}R\n\u{16}optional_bytes_wrapper\
            \u{18}\u{d1}\u{1} \u{1}(\u{b}2\u{1b}.google.protobuf.BytesValueR\u{14}optionalBytesWrapper\u{12}O\n\
            \u{15}repeated_bool_wrapper\u{18}\u{d3}\u{1} \u{3}(\u{b}2\u{1a}.google.protobuf.BoolValueR\u{13}rep\
            eatedBoolWrapper\u{12}R\n\u{16}repeated_int32_wrapper\u{18}\u{d4}\u{1} \u{3}(\u{b}2\u{1b}.google.pr\
            otobuf.Int32ValueR\u{14}repeatedInt32Wrapper\u{12}R\n\u{16}repeated_int64_wrapper\u{18}\u{d5}\u{1} \
            \u{3}(\u{b}2\u{1b}.google.protobuf.Int64ValueR\u{14}repeatedInt64Wrapper\u{12}U\n\u{17}repeated_uin\
            t32_wrapper\u{18}\u{d6}\u{1} \u{3}(\u{b}2\u{1c}.google.protobuf.UInt32ValueR\u{15}repeatedUint32Wra\
            pper\u{12}U\n\u{17}repeated_uint64_wrapper\u{18}\u{d7}\u{1} \u{3}(\u{b}2\u{1c}.google.protobuf.UInt\
            64ValueR\u{15}repeatedUint64Wrapper\u{12}R\n\u{16}repeated_float_wrapper\u{18}\u{d8}\u{1} \u{3}(\
            \u{b}2\u{1b}.google.protobuf.FloatValueR\u{14}repeatedFloatWrapper\u{12}U\n\u{17}repeated_double_wr\
            apper\u{18}\u{d9}\u{1} \u{3}(\u{b}2\u{1c}.google.protobuf.DoubleValueR\u{15}repeatedDoubleWrapper\
            \u{12}U\n\u{17}repeated_string_wrapper\u{18}\u{da}\u{1} \u{3}(\u{b}2\u{1c}.google.protobuf.StringVa\
            lueR\u{15}repeatedStringWrapper\u{12}R\n\u{16}repeated_bytes_wrapper\u{18}\u{db}\u{1} \u{3}(\u{b}2\
            \u{1b}.google.protobuf.BytesValueR\u{14}repeatedBytesWrapper\u{12}G\n\u{11}optional_duration\u{18}\
            \u{ad}\u{2} \u{1}(\u{b}2\u{19}.google.protobuf.DurationR\u{10}optionalDuration\u{12}J\n\u{12}option\
            al_timestamp\u{18}\u{ae}\u{2} \u{1}(\u{b}2\u{1a}.google.protobuf.TimestampR\u{11}optionalTimestamp\
            \u{12}K\n\u{13}optional_field_mask\u{18}\u{af}\u{2} \u{1}(\u{b}2\u{1a}.google.protobuf.FieldMaskR\
            \u{11}optionalFieldMask\u{12}A\n\u{f}optional_struct\u{18}\u{b0}\u{2} \u{1}(\u{b}2\u{17}.google.pro\
            tobuf.StructR\u{e}optionalStruct\u{12}8\n\u{c}optional_any\u{18}\u{b1}\u{2} \u{1}(\u{b}2\u{14}.goog\
            le.protobuf.AnyR\u{b}optionalAny\u{12}>\n\u{e}optional_value\u{18}\u{b2}\u{2} \u{1}(\u{b}2\u{16}.go\
            ogle.protobuf.ValueR\roptionalValue\u{12}K\n\u{13}optional_null_value\u{18}\u{b3}\u{2} \u{1}(\u{e}2\
            \u{1a}.google.protobuf.NullValueR\u{11}optionalNullValue\u{12}G\n\u{11}repeated_duration\u{18}\
            \u{b7}\u{2} \u{3}(\u{b}2\u{19}.google.protobuf.DurationR\u{10}repeatedDuration\u{12}J\n\u{12}repeat\
            ed_timestamp\u{18}\u{b8}\u{2} \u{3}(\u{b}2\u{1a}.google.protobuf.TimestampR\u{11}repeatedTimestamp\
            \u{12}J\n\u{12}repeated_fieldmask\u{18}\u{b9}\u{2} \u{3}(\u{b}2\u{1a}.google.protobuf.FieldMaskR\
            \u{11}repeatedFieldmask\u{12}A\n\u{f}repeated_struct\u{18}\u{c4}\u{2} \u{3}(\u{b}2\u{17}.google.pro\
            tobuf.StructR\u{e}repeatedStruct\u{12}8\n\u{c}repeated_any\u{18}\u{bb}\u{2} \u{3}(\u{b}2\u{14}.goog\
            le.protobuf.AnyR\u{b}repeatedAny\u{12}>\n\u{e}repeated_value\u{18}\u{bc}\u{2} \u{3}(\u{b}2\u{16}.go\
            ogle.protobuf.ValueR\rrepeatedValue\u{12}K\n\u{13}repeated_list_value\u{18}\u{bd}\u{2} \u{3}(\u{b}2\
            \u{1a}.google.protobuf.ListValueR\u{11}repeatedListValue\u{12}\u{1f}\n\nfieldname1\u{18}\u{91}\u{3}\
             \u{1}(\u{5}R\nfieldname1\u{12} \n\u{b}field_name2\u{18}\u{92}\u{3} \u{1}(\u{5}R\nfieldName2\u{12}!\
            \n\u{c}_field_name3\u{18}\u{93}\u{3} \u{1}(\u{5}R\nFieldName3\u{12}\"\n\rfield__name4_\u{18}\u{94}\
            \u{3} \u{1}(\u{5}R\nfieldName4\u{12}!\n\u{b}field0name5\u{18}\u{95}\u{3} \u{1}(\u{5}R\u{b}field0nam\
            e5\u{12}#\n\rfield_0_name6\u{18}\u{96}\u{3} \u{1}(\u{5}R\u{b}field0Name6\u{12}\u{1f}\n\nfieldName7\
            \u{18}\u{97}\u{3} \u{1}(\u{5}R\nfieldName7\u{12}\u{1f}\n\nFieldName8\u{18}\u{98}\u{3} \u{1}(\u{5}R\
            \nFieldName8\u{12} \n\u{b}field_Name9\u{18}\u{99}\u{3} \u{1}(\u{5}R\nfieldName9\u{12}\"\n\u{c}Field\
            _Name10\u{18}\u{9a}\u{3} \u{1}(\u{5}R\u{b}FieldName10\u{12}\"\n\u{c}FIELD_NAME11\u{18}\u{9b}\u{3} \
            \u{1}(\u{5}R\u{b}FIELDNAME11\u{12}\"\n\u{c}FIELD_name12\u{18}\u{9c}\u{3} \u{1}(\u{5}R\u{b}FIELDName\
            12\u{12}$\n\u{e}__field_name13\u{18}\u{9d}\u{3} \u{1}(\u{5}R\u{b}FieldName13\u{12}$\n\u{e}__Field_n\
            ame14\u{18}\u{9e}\u{3} \u{1}(\u{5}R\u{b}FieldName14\u{12}#\n\rfield__name15\u{18}\u{9f}\u{3} \u{1}(\
            \u{5}R\u{b}fieldName15\u{12}#\n\rfield__Name16\u{18}\u{a0}\u{3} \u{1}(\u{5}R\u{b}fieldName16\u{12}$\
            \n\u{e}field_name17__\u{18}\u{a1}\u{3} \u{1}(\u{5}R\u{b}fieldName17\u{12}$\n\u{e}Field_name18__\
            \u{18}\u{a2}\u{3} \u{1}(\u{5}R\u{b}FieldName18\u{1a}r\n\rNestedMessage\u{12}\u{c}\n\u{1}a\u{18}\
            \u{1} \u{1}(\u{5}R\u{1}a\u{12}S\n\u{b}corecursive\u{18}\u{2} \u{1}(\u{b}21.protobuf_test_messages.p\
            roto3.TestAllTypesProto3R\u{b}corecursive\u{1a}@\n\u{12}MapInt32Int32Entry\u{12}\u{10}\n\u{3}key\
            \u{18}\u{1} \u{1}(\u{5}R\u{3}key\u{12}\u{14}\n\u{5}value\u{18}\u{2} \u{1}(\u{5}R\u{5}value:\u{2}8\
            \u{1}\u{1a}@\n\u{12}MapInt64Int64Entry\u{12}\u{10}\n\u{3}key\u{18}\u{1} \u{1}(\u{3}R\u{3}key\u{12}\
            \u{14}\n\u{5}value\u{18}\u{2} \u{1}(\u{3}R\u{5}value:\u{2}8\u{1}\u{1a}B\n\u{14}MapUint32Uint32Entry\
            \u{12}\u{10}\n\u{3}key\u{18}\u{1} \u{1}(\rR\u{3}key\u{12}\u{14}\n\u{5}value\u{18}\u{2} \u{1}(\rR\
            \u{5}value:\u{2}8\u{1}\u{1a}B\n\u{14}MapUint64Uint64Entry\u{12}\u{10}\n\u{3}key\u{18}\u{1} \u{1}(\
            \u{4}R\u{3}key\u{12}\u{14}\n\u{5}value\u{18}\u{2} \u{1}(\u{4}R\u{5}value:\u{2}8\u{1}\u{1a}B\n\u{14}\
            MapSint32Sint32Entry\u{12}\u{10}\n\u{3}key\u{18}\u{1} \u{1}(\u{11}R\u{3}key\u{12}\u{14}\n\u{5}value\
            \u{18}\u{2} \u{1}(\u{11}R\u{5}value:\u{2}8\u{1}\u{1a}B\n\u{14}MapSint64Sint64Entry\u{12}\u{10}\n\
            \u{3}key\u{18}\u{1} \u{1}(\u{12}R\u{3}key\u{12}\u{14}\n\u{5}value\u{18}\u{2} \u{1}(\u{12}R\u{5}valu\
            e:\u{2}8\u{1}\u{1a}D\n\u{16}MapFixed32Fixed32Entry\u{12}\u{10}\n\u{3}key\u{18}\u{1} \u{1}(\u{7}R\
            \u{3}key\u{12}\u{14}\n\u{5}value\u{18}\u{2} \u{1}(\u{7}R\u{5}value:\u{2}8\u{1}\u{1a}D\n\u{16}MapFix\
            ed64Fixed64Entry\u{12}\u{10}\n\u{3}key\u{18}\u{1} \u{1}(\u{6}R\u{3}key\u{12}\u{14}\n\u{5}value\
            \u{18}\u{2} \u{1}(\u{6}R\u{5}value:\u{2}8\u{1}\u{1a}F\n\u{18}MapSfixed32Sfixed32Entry\u{12}\u{10}\n\
            \u{3}key\u{18}\u{1} \u{1}(\u{f}R\u{3}key\u{12}\u{14}\n\u{5}value\u{18}\u{2} \u{1}(\u{f}R\u{5}value:\
            \u{2}8\u{1}\u{1a}F\n\u{18}MapSfixed64Sfixed64Entry\u{12}\u{10}\n\u{3}key\u{18}\u{1} \u{1}(\u{10}R\
            \u{3}key\u{12}\u{14}\n\u{5}value\u{18}\u{2} \u{1}(\u{10}R\u{5}value:\u{2}8\u{1}\u{1a}@\n\u{12}MapIn\
            t32FloatEntry\u{12}\u{10}\n\u{3}key\u{18}\u{1} \u{1}(\u{5}R\u{3}key\u{12}\u{14}\n\u{5}value\u{18}\
            \u{2} \u{1}(\u{2}R\u{5}value:\u{2}8\u{1}\u{1a}A\n\u{13}MapInt32DoubleEntry\u{12}\u{10}\n\u{3}key\
            \u{18}\u{1} \u{1}(\u{5}R\u{3}key\u{12}\u{14}\n\u{5}value\u{18}\u{2} \u{1}(\u{1}R\u{5}value:\u{2}8\
            \u{1}\u{1a}>\n\u{10}MapBoolBoolEntry\u{12}\u{10}\n\u{3}key\u{18}\u{1} \u{1}(\u{8}R\u{3}key\u{12}\
            \u{14}\n\u{5}value\u{18}\u{2} \u{1}(\u{8}R\u{5}value:\u{2}8\u{1}\u{1a}B\n\u{14}MapStringStringEntry\
            \u{12}\u{10}\n\u{3}key\u{18}\u{1} \u{1}(\tR\u{3}key\u{12}\u{14}\n\u{5}value\u{18}\u{2} \u{1}(\tR\
            \u{5}value:\u{2}8\u{1}\u{1a}A\n\u{13}MapStringBytesEntry\u{12}\u{10}\n\u{3}key\u{18}\u{1} \u{1}(\tR\
            \u{3}key\u{12}\u{14}\n\u{5}value\u{18}\u{2} \u{1}(\u{c}R\u{5}value:\u{2}8\u{1}\u{1a}\u{8a}\u{1}\n\
            \u{1b}MapStringNestedMessageEntry\u{12}\u{10}\n\u{3}key\u{18}\u{1} \u{1}(\tR\u{3}key\u{12}U\n\u{5}v\
            alue\u{18}\u{2} \u{1}(\u{b}2?.protobuf_test_messages.proto3.TestAllTypesProto3.NestedMessageR\u{5}v\
            alue:\u{2}8\u{1}\u{1a}y\n\u{1c}MapStringForeignMessageEntry\u{12}\u{10}\n\u{3}key\u{18}\u{1} \u{1}(\
            \tR\u{3}key\u{12}C\n\u{5}value\u{18}\u{2} \u{1}(\u{b}2-.protobuf_test_messages.proto3.ForeignMessag\
            eR\u{5}value:\u{2}8\u{1}\u{1a}\u{84}\u{1}\n\u{18}MapStringNestedEnumEntry\u{12}\u{10}\n\u{3}key\
            \u{18}\u{1} \u{1}(\tR\u{3}key\u{12}R\n\u{5}value\u{18}\u{2} \u{1}(\u{e}2<.protobuf_test_messages.pr\
            oto3.TestAllTypesProto3.NestedEnumR\u{5}value:\u{2}8\u{1}\u{1a}s\n\u{19}MapStringForeignEnumEntry\
            \u{12}\u{10}\n\u{3}key\u{18}\u{1} \u{1}(\tR\u{3}key\u{12}@\n\u{5}value\u{18}\u{2} \u{1}(\u{e}2*.pro\
            tobuf_test_messages.proto3.ForeignEnumR\u{5}value:\u{2}8\u{1}\"9\n\nNestedEnum\u{12}\u{7}\n\u{3}FOO\
            \u{10}\0\u{12}\u{7}\n\u{3}BAR\u{10}\u{1}\u{12}\u{7}\n\u{3}BAZ\u{10}\u{2}\u{12}\u{10}\n\u{3}NEG\
            \u{10}\u{ff}\u{ff}\u{ff}\u{ff}\u{ff}\u{ff}\u{ff}\u{ff}\u{ff}\u{1}\"Y\n\u{b}AliasedEnum\u{12}\r\n\tA\
            LIAS_FOO\u{10}\0\u{12}\r\n\tALIAS_BAR\u{10}\u{1}\u{12}\r\n\tALIAS_BAZ\u{10}\u{2}\u{12}\u{7}\n\u{3}M\
            OO\u{10}\u{2}\u{12}\u{7}\n\u{3}moo\u{10}\u{2}\u{12}\u{7}\n\u{3}bAz\u{10}\u{2}\u{1a}\u{2}\u{10}\u{1}\
            B\r\n\u{b}oneof_fieldJ\u{6}\u{8}\u{f5}\u{3}\u{10}\u{ff}\u{3}\"\u{1e}\n\u{e}ForeignMessage\u{12}\
            \u{c}\n\u{1}c\u{18}\u{1} \u{1}(\u{5}R\u{1}c\"\u{16}\n\u{14}NullHypothesisProto3\"/\n\u{e}EnumOnlyPr\
            oto3\"\u{1d}\n\u{4}Bool\u{12}\n\n\u{6}kFalse\u{10}\0\u{12}\t\n\u{5}kTrue\u{10}\u{1}*@\n\u{b}Foreign\
            Enum\u{12}\u{f}\n\u{b}FOREIGN_FOO\u{10}\0\u{12}\u{f}\n\u{b}FOREIGN_BAR\u{10}\u{1}\u{12}\u{f}\n\u{b}\
            FOREIGN_BAZ\u{10}\u{2}b\u{6}proto3
            """)
}
