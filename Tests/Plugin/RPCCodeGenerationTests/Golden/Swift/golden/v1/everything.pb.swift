// Written by protoc-gen-pulseboard-swift from golden/v1/everything.proto.
// Do not edit: change that file and generate again.

internal import GoldenMessagesC
import ProtobufC
import ProtobufWellKnownTypes

/// Every kind of field.
///
/// The text has a second paragraph.
public struct Golden_V1_Everything: Message {
    /// An int32.
    public var aInt32: Int32 = 0
    /// `a_int64`, field 2.
    public var aInt64: Int64 = 0
    /// `a_uint32`, field 3.
    public var aUint32: UInt32 = 0
    /// `a_uint64`, field 4.
    public var aUint64: UInt64 = 0
    /// `a_sint32`, field 5.
    public var aSint32: Int32 = 0
    /// `a_sint64`, field 6.
    public var aSint64: Int64 = 0
    /// `a_fixed32`, field 7.
    public var aFixed32: UInt32 = 0
    /// `a_fixed64`, field 8.
    public var aFixed64: UInt64 = 0
    /// `a_sfixed32`, field 9.
    public var aSfixed32: Int32 = 0
    /// `a_sfixed64`, field 10.
    public var aSfixed64: Int64 = 0
    /// `a_float`, field 11.
    public var aFloat: Float = 0
    /// `a_double`, field 12.
    public var aDouble: Double = 0
    /// `a_bool`, field 13.
    public var aBool: Bool = false
    /// `a_string`, field 14.
    public var aString: String = ""
    /// `a_bytes`, field 15.
    public var aBytes: [UInt8] = []
    /// `mood`, field 16.
    public var mood: Golden_V1_Everything.Mood = .init()
    /// `inner`, field 17.
    public var inner: Golden_V1_Everything.Inner?
    /// `place`, field 18.
    public var place: Golden_V1_Place = .init()
    /// `many_int32`, field 21.
    public var manyInt32: [Int32] = []
    /// `many_int64`, field 22.
    public var manyInt64: [Int64] = []
    /// `many_uint32`, field 23.
    public var manyUint32: [UInt32] = []
    /// `many_uint64`, field 24.
    public var manyUint64: [UInt64] = []
    /// `many_sint32`, field 25.
    public var manySint32: [Int32] = []
    /// `many_sint64`, field 26.
    public var manySint64: [Int64] = []
    /// `many_fixed32`, field 27.
    public var manyFixed32: [UInt32] = []
    /// `many_fixed64`, field 28.
    public var manyFixed64: [UInt64] = []
    /// `many_sfixed32`, field 29.
    public var manySfixed32: [Int32] = []
    /// `many_sfixed64`, field 30.
    public var manySfixed64: [Int64] = []
    /// `many_float`, field 31.
    public var manyFloat: [Float] = []
    /// `many_double`, field 32.
    public var manyDouble: [Double] = []
    /// `many_bool`, field 33.
    public var manyBool: [Bool] = []
    /// `many_string`, field 34.
    public var manyString: [String] = []
    /// `many_bytes`, field 35.
    public var manyBytes: [[UInt8]] = []
    /// `many_mood`, field 36.
    public var manyMood: [Golden_V1_Everything.Mood] = []
    /// `many_inner`, field 37.
    public var manyInner: [Golden_V1_Everything.Inner] = []
    /// `unpacked_int32`, field 38.
    public var unpackedInt32: [Int32] = []
    /// `string_by_string`, field 41.
    public var stringByString: [String: String] = [:]
    /// `inner_by_int32`, field 42.
    public var innerByInt32: [Int32: Golden_V1_Everything.Inner] = [:]
    /// `mood_by_bool`, field 43.
    public var moodByBool: [Bool: Golden_V1_Everything.Mood] = [:]
    /// `bytes_by_uint64`, field 44.
    public var bytesByUint64: [UInt64: [UInt8]] = [:]
    /// `double_by_sint64`, field 45.
    public var doubleBySint64: [Int64: Double] = [:]
    /// `bool_by_string`, field 46.
    public var boolByString: [String: Bool] = [:]
    /// One of many.
    public var choice: OneOf_Choice?
    /// One field only: presence for a scalar.
    public var presentNumber: OneOf_PresentNumber?
    /// `time`, field 61.
    public var time: Google_Protobuf_Timestamp?
    /// `duration`, field 62.
    public var duration: Google_Protobuf_Duration?
    /// `field_mask`, field 63.
    public var fieldMask: Google_Protobuf_FieldMask?
    /// `any`, field 64.
    public var `any`: Google_Protobuf_Any?
    /// `string_value`, field 65.
    public var stringValue: Google_Protobuf_StringValue?
    /// `int64_value`, field 66.
    public var int64Value: Google_Protobuf_Int64Value?
    /// `bool_value`, field 67.
    public var boolValue: Google_Protobuf_BoolValue?
    /// `bytes_value`, field 68.
    public var bytesValue: Google_Protobuf_BytesValue?
    /// `struct`, field 69.
    public var `struct`: Google_Protobuf_Struct?
    /// `value`, field 70.
    public var value: Google_Protobuf_Value?
    /// `list_value`, field 71.
    public var listValue: Google_Protobuf_ListValue?
    /// `many_time`, field 72.
    public var manyTime: [Google_Protobuf_Timestamp] = []
    /// `time_by_string`, field 73.
    public var timeByString: [String: Google_Protobuf_Timestamp] = [:]
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        aInt32: Int32 = 0,
        aInt64: Int64 = 0,
        aUint32: UInt32 = 0,
        aUint64: UInt64 = 0,
        aSint32: Int32 = 0,
        aSint64: Int64 = 0,
        aFixed32: UInt32 = 0,
        aFixed64: UInt64 = 0,
        aSfixed32: Int32 = 0,
        aSfixed64: Int64 = 0,
        aFloat: Float = 0,
        aDouble: Double = 0,
        aBool: Bool = false,
        aString: String = "",
        aBytes: [UInt8] = [],
        mood: Golden_V1_Everything.Mood = .init(),
        inner: Golden_V1_Everything.Inner? = nil,
        place: Golden_V1_Place = .init(),
        manyInt32: [Int32] = [],
        manyInt64: [Int64] = [],
        manyUint32: [UInt32] = [],
        manyUint64: [UInt64] = [],
        manySint32: [Int32] = [],
        manySint64: [Int64] = [],
        manyFixed32: [UInt32] = [],
        manyFixed64: [UInt64] = [],
        manySfixed32: [Int32] = [],
        manySfixed64: [Int64] = [],
        manyFloat: [Float] = [],
        manyDouble: [Double] = [],
        manyBool: [Bool] = [],
        manyString: [String] = [],
        manyBytes: [[UInt8]] = [],
        manyMood: [Golden_V1_Everything.Mood] = [],
        manyInner: [Golden_V1_Everything.Inner] = [],
        unpackedInt32: [Int32] = [],
        stringByString: [String: String] = [:],
        innerByInt32: [Int32: Golden_V1_Everything.Inner] = [:],
        moodByBool: [Bool: Golden_V1_Everything.Mood] = [:],
        bytesByUint64: [UInt64: [UInt8]] = [:],
        doubleBySint64: [Int64: Double] = [:],
        boolByString: [String: Bool] = [:],
        choice: OneOf_Choice? = nil,
        presentNumber: OneOf_PresentNumber? = nil,
        time: Google_Protobuf_Timestamp? = nil,
        duration: Google_Protobuf_Duration? = nil,
        fieldMask: Google_Protobuf_FieldMask? = nil,
        `any`: Google_Protobuf_Any? = nil,
        stringValue: Google_Protobuf_StringValue? = nil,
        int64Value: Google_Protobuf_Int64Value? = nil,
        boolValue: Google_Protobuf_BoolValue? = nil,
        bytesValue: Google_Protobuf_BytesValue? = nil,
        `struct`: Google_Protobuf_Struct? = nil,
        value: Google_Protobuf_Value? = nil,
        listValue: Google_Protobuf_ListValue? = nil,
        manyTime: [Google_Protobuf_Timestamp] = [],
        timeByString: [String: Google_Protobuf_Timestamp] = [:]
    ) {
        self.aInt32 = aInt32
        self.aInt64 = aInt64
        self.aUint32 = aUint32
        self.aUint64 = aUint64
        self.aSint32 = aSint32
        self.aSint64 = aSint64
        self.aFixed32 = aFixed32
        self.aFixed64 = aFixed64
        self.aSfixed32 = aSfixed32
        self.aSfixed64 = aSfixed64
        self.aFloat = aFloat
        self.aDouble = aDouble
        self.aBool = aBool
        self.aString = aString
        self.aBytes = aBytes
        self.mood = mood
        self.inner = inner
        self.place = place
        self.manyInt32 = manyInt32
        self.manyInt64 = manyInt64
        self.manyUint32 = manyUint32
        self.manyUint64 = manyUint64
        self.manySint32 = manySint32
        self.manySint64 = manySint64
        self.manyFixed32 = manyFixed32
        self.manyFixed64 = manyFixed64
        self.manySfixed32 = manySfixed32
        self.manySfixed64 = manySfixed64
        self.manyFloat = manyFloat
        self.manyDouble = manyDouble
        self.manyBool = manyBool
        self.manyString = manyString
        self.manyBytes = manyBytes
        self.manyMood = manyMood
        self.manyInner = manyInner
        self.unpackedInt32 = unpackedInt32
        self.stringByString = stringByString
        self.innerByInt32 = innerByInt32
        self.moodByBool = moodByBool
        self.bytesByUint64 = bytesByUint64
        self.doubleBySint64 = doubleBySint64
        self.boolByString = boolByString
        self.choice = choice
        self.presentNumber = presentNumber
        self.time = time
        self.duration = duration
        self.fieldMask = fieldMask
        self.`any` = `any`
        self.stringValue = stringValue
        self.int64Value = int64Value
        self.boolValue = boolValue
        self.bytesValue = bytesValue
        self.`struct` = `struct`
        self.value = value
        self.listValue = listValue
        self.manyTime = manyTime
        self.timeByString = timeByString
    }

    public static let descriptor = MessageDescriptor(
        of: Golden__V1__Everything.self,
        initializedBy: golden__v1__everything__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Golden__V1__Everything.self)
        self.aInt32 = message.pointee.a_int32
        self.aInt64 = message.pointee.a_int64
        self.aUint32 = message.pointee.a_uint32
        self.aUint64 = message.pointee.a_uint64
        self.aSint32 = message.pointee.a_sint32
        self.aSint64 = message.pointee.a_sint64
        self.aFixed32 = message.pointee.a_fixed32
        self.aFixed64 = message.pointee.a_fixed64
        self.aSfixed32 = message.pointee.a_sfixed32
        self.aSfixed64 = message.pointee.a_sfixed64
        self.aFloat = message.pointee.a_float
        self.aDouble = message.pointee.a_double
        self.aBool = MessageReader.bool(message.pointee.a_bool)
        self.aString = MessageReader.string(message.pointee.a_string)
        self.aBytes = MessageReader.bytes(message.pointee.a_bytes)
        self.mood = MessageReader.enumeration(message.pointee.mood)
        self.inner = MessageReader.message(message.pointee.inner)
        self.place = MessageReader.enumeration(message.pointee.place)
        self.manyInt32 = MessageReader.scalars(message.pointee.n_many_int32, message.pointee.many_int32)
        self.manyInt64 = MessageReader.scalars(message.pointee.n_many_int64, message.pointee.many_int64)
        self.manyUint32 = MessageReader.scalars(message.pointee.n_many_uint32, message.pointee.many_uint32)
        self.manyUint64 = MessageReader.scalars(message.pointee.n_many_uint64, message.pointee.many_uint64)
        self.manySint32 = MessageReader.scalars(message.pointee.n_many_sint32, message.pointee.many_sint32)
        self.manySint64 = MessageReader.scalars(message.pointee.n_many_sint64, message.pointee.many_sint64)
        self.manyFixed32 = MessageReader.scalars(message.pointee.n_many_fixed32, message.pointee.many_fixed32)
        self.manyFixed64 = MessageReader.scalars(message.pointee.n_many_fixed64, message.pointee.many_fixed64)
        self.manySfixed32 = MessageReader.scalars(message.pointee.n_many_sfixed32, message.pointee.many_sfixed32)
        self.manySfixed64 = MessageReader.scalars(message.pointee.n_many_sfixed64, message.pointee.many_sfixed64)
        self.manyFloat = MessageReader.scalars(message.pointee.n_many_float, message.pointee.many_float)
        self.manyDouble = MessageReader.scalars(message.pointee.n_many_double, message.pointee.many_double)
        self.manyBool = MessageReader.bools(message.pointee.n_many_bool, message.pointee.many_bool)
        self.manyString = MessageReader.strings(message.pointee.n_many_string, message.pointee.many_string)
        self.manyBytes = MessageReader.bytesArray(message.pointee.n_many_bytes, message.pointee.many_bytes)
        self.manyMood = MessageReader.enums(message.pointee.n_many_mood, message.pointee.many_mood)
        self.manyInner = MessageReader.messages(message.pointee.n_many_inner, message.pointee.many_inner)
        self.unpackedInt32 = MessageReader.scalars(message.pointee.n_unpacked_int32, message.pointee.unpacked_int32)
        let stringByStringEntries: [StringByStringEntry] = MessageReader.messages(
            message.pointee.n_string_by_string, message.pointee.string_by_string)
        self.stringByString = Dictionary(stringByStringEntries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        let innerByInt32Entries: [InnerByInt32Entry] = MessageReader.messages(
            message.pointee.n_inner_by_int32, message.pointee.inner_by_int32)
        self.innerByInt32 = Dictionary(
            innerByInt32Entries.map { ($0.key, $0.value ?? .init()) }, uniquingKeysWith: { $1 })
        let moodByBoolEntries: [MoodByBoolEntry] = MessageReader.messages(
            message.pointee.n_mood_by_bool, message.pointee.mood_by_bool)
        self.moodByBool = Dictionary(moodByBoolEntries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        let bytesByUint64Entries: [BytesByUint64Entry] = MessageReader.messages(
            message.pointee.n_bytes_by_uint64, message.pointee.bytes_by_uint64)
        self.bytesByUint64 = Dictionary(bytesByUint64Entries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        let doubleBySint64Entries: [DoubleBySint64Entry] = MessageReader.messages(
            message.pointee.n_double_by_sint64, message.pointee.double_by_sint64)
        self.doubleBySint64 = Dictionary(doubleBySint64Entries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        let boolByStringEntries: [BoolByStringEntry] = MessageReader.messages(
            message.pointee.n_bool_by_string, message.pointee.bool_by_string)
        self.boolByString = Dictionary(boolByStringEntries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        switch message.pointee.choice_case.rawValue {
        case 51: self.choice = .chosenInt32(message.pointee.chosen_int32)
        case 52: self.choice = .chosenBool(MessageReader.bool(message.pointee.chosen_bool))
        case 53: self.choice = .chosenString(MessageReader.string(message.pointee.chosen_string))
        case 54: self.choice = .chosenBytes(MessageReader.bytes(message.pointee.chosen_bytes))
        case 55: self.choice = .chosenMood(MessageReader.enumeration(message.pointee.chosen_mood))
        case 56: self.choice = MessageReader.message(message.pointee.chosen_inner).map { .chosenInner($0) }
        case 57: self.choice = .chosenDouble(message.pointee.chosen_double)
        case 58: self.choice = MessageReader.message(message.pointee.chosen_time).map { .chosenTime($0) }
        default: break
        }
        switch message.pointee.present_number_case.rawValue {
        case 59: self.presentNumber = .number(message.pointee.number)
        default: break
        }
        self.time = MessageReader.message(message.pointee.time)
        self.duration = MessageReader.message(message.pointee.duration)
        self.fieldMask = MessageReader.message(message.pointee.field_mask)
        self.`any` = MessageReader.message(message.pointee.any)
        self.stringValue = MessageReader.message(message.pointee.string_value)
        self.int64Value = MessageReader.message(message.pointee.int64_value)
        self.boolValue = MessageReader.message(message.pointee.bool_value)
        self.bytesValue = MessageReader.message(message.pointee.bytes_value)
        self.`struct` = MessageReader.message(message.pointee.struct_)
        self.value = MessageReader.message(message.pointee.value)
        self.listValue = MessageReader.message(message.pointee.list_value)
        self.manyTime = MessageReader.messages(message.pointee.n_many_time, message.pointee.many_time)
        let timeByStringEntries: [TimeByStringEntry] = MessageReader.messages(
            message.pointee.n_time_by_string, message.pointee.time_by_string)
        self.timeByString = Dictionary(
            timeByStringEntries.map { ($0.key, $0.value ?? .init()) }, uniquingKeysWith: { $1 })
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Golden__V1__Everything.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.a_int32 = self.aInt32
        message.pointee.a_int64 = self.aInt64
        message.pointee.a_uint32 = self.aUint32
        message.pointee.a_uint64 = self.aUint64
        message.pointee.a_sint32 = self.aSint32
        message.pointee.a_sint64 = self.aSint64
        message.pointee.a_fixed32 = self.aFixed32
        message.pointee.a_fixed64 = self.aFixed64
        message.pointee.a_sfixed32 = self.aSfixed32
        message.pointee.a_sfixed64 = self.aSfixed64
        message.pointee.a_float = self.aFloat
        encoder.negativeZero(self.aFloat, number: 11, into: blank)
        message.pointee.a_double = self.aDouble
        encoder.negativeZero(self.aDouble, number: 12, into: blank)
        message.pointee.a_bool = self.aBool ? 1 : 0
        if !self.aString.isEmpty {
            message.pointee.a_string = try encoder.string(self.aString, field: "a_string")
        }
        if !self.aBytes.isEmpty {
            message.pointee.a_bytes = encoder.bytes(self.aBytes)
        }
        message.pointee.mood = encoder.enumeration(self.mood, as: Golden__V1__Everything__Mood.self)
        message.pointee.inner = try encoder.message(self.inner, as: Golden__V1__Everything__Inner.self, field: "inner")
        message.pointee.place = encoder.enumeration(self.place, as: Golden__V1__Place.self)
        (message.pointee.n_many_int32, message.pointee.many_int32) = encoder.scalars(self.manyInt32)
        (message.pointee.n_many_int64, message.pointee.many_int64) = encoder.scalars(self.manyInt64)
        (message.pointee.n_many_uint32, message.pointee.many_uint32) = encoder.scalars(self.manyUint32)
        (message.pointee.n_many_uint64, message.pointee.many_uint64) = encoder.scalars(self.manyUint64)
        (message.pointee.n_many_sint32, message.pointee.many_sint32) = encoder.scalars(self.manySint32)
        (message.pointee.n_many_sint64, message.pointee.many_sint64) = encoder.scalars(self.manySint64)
        (message.pointee.n_many_fixed32, message.pointee.many_fixed32) = encoder.scalars(self.manyFixed32)
        (message.pointee.n_many_fixed64, message.pointee.many_fixed64) = encoder.scalars(self.manyFixed64)
        (message.pointee.n_many_sfixed32, message.pointee.many_sfixed32) = encoder.scalars(self.manySfixed32)
        (message.pointee.n_many_sfixed64, message.pointee.many_sfixed64) = encoder.scalars(self.manySfixed64)
        (message.pointee.n_many_float, message.pointee.many_float) = encoder.scalars(self.manyFloat)
        (message.pointee.n_many_double, message.pointee.many_double) = encoder.scalars(self.manyDouble)
        (message.pointee.n_many_bool, message.pointee.many_bool) = encoder.bools(self.manyBool)
        (message.pointee.n_many_string, message.pointee.many_string) = try encoder.strings(
            self.manyString, field: "many_string")
        (message.pointee.n_many_bytes, message.pointee.many_bytes) = encoder.bytesArray(self.manyBytes)
        (message.pointee.n_many_mood, message.pointee.many_mood) = encoder.enums(
            self.manyMood, as: Golden__V1__Everything__Mood.self)
        (message.pointee.n_many_inner, message.pointee.many_inner) = try encoder.messages(
            self.manyInner, as: Golden__V1__Everything__Inner.self, field: "many_inner")
        (message.pointee.n_unpacked_int32, message.pointee.unpacked_int32) = encoder.scalars(self.unpackedInt32)
        let stringByStringEntries = self.stringByString.sorted { $0.key < $1.key }
            .map { StringByStringEntry(key: $0.key, value: $0.value) }
        (message.pointee.n_string_by_string, message.pointee.string_by_string) = try encoder.messages(
            stringByStringEntries, as: Golden__V1__Everything__StringByStringEntry.self, field: "string_by_string")
        let innerByInt32Entries = self.innerByInt32.sorted { $0.key < $1.key }
            .map { InnerByInt32Entry(key: $0.key, value: $0.value) }
        (message.pointee.n_inner_by_int32, message.pointee.inner_by_int32) = try encoder.messages(
            innerByInt32Entries, as: Golden__V1__Everything__InnerByInt32Entry.self, field: "inner_by_int32")
        let moodByBoolEntries = self.moodByBool.sorted { !$0.key && $1.key }
            .map { MoodByBoolEntry(key: $0.key, value: $0.value) }
        (message.pointee.n_mood_by_bool, message.pointee.mood_by_bool) = try encoder.messages(
            moodByBoolEntries, as: Golden__V1__Everything__MoodByBoolEntry.self, field: "mood_by_bool")
        let bytesByUint64Entries = self.bytesByUint64.sorted { $0.key < $1.key }
            .map { BytesByUint64Entry(key: $0.key, value: $0.value) }
        (message.pointee.n_bytes_by_uint64, message.pointee.bytes_by_uint64) = try encoder.messages(
            bytesByUint64Entries, as: Golden__V1__Everything__BytesByUint64Entry.self, field: "bytes_by_uint64")
        let doubleBySint64Entries = self.doubleBySint64.sorted { $0.key < $1.key }
            .map { DoubleBySint64Entry(key: $0.key, value: $0.value) }
        (message.pointee.n_double_by_sint64, message.pointee.double_by_sint64) = try encoder.messages(
            doubleBySint64Entries, as: Golden__V1__Everything__DoubleBySint64Entry.self, field: "double_by_sint64")
        let boolByStringEntries = self.boolByString.sorted { $0.key < $1.key }
            .map { BoolByStringEntry(key: $0.key, value: $0.value) }
        (message.pointee.n_bool_by_string, message.pointee.bool_by_string) = try encoder.messages(
            boolByStringEntries, as: Golden__V1__Everything__BoolByStringEntry.self, field: "bool_by_string")
        switch self.choice {
        case .chosenInt32(let value)?:
            message.pointee.choice_case = .init(rawValue: 51)
            message.pointee.chosen_int32 = value
        case .chosenBool(let value)?:
            message.pointee.choice_case = .init(rawValue: 52)
            message.pointee.chosen_bool = value ? 1 : 0
        case .chosenString(let value)?:
            message.pointee.choice_case = .init(rawValue: 53)
            message.pointee.chosen_string = try encoder.string(value, field: "chosen_string")
        case .chosenBytes(let value)?:
            message.pointee.choice_case = .init(rawValue: 54)
            message.pointee.chosen_bytes = encoder.bytes(value)
        case .chosenMood(let value)?:
            message.pointee.choice_case = .init(rawValue: 55)
            message.pointee.chosen_mood = encoder.enumeration(value, as: Golden__V1__Everything__Mood.self)
        case .chosenInner(let value)?:
            message.pointee.choice_case = .init(rawValue: 56)
            message.pointee.chosen_inner = try encoder.message(
                value, as: Golden__V1__Everything__Inner.self, field: "chosen_inner")
        case .chosenDouble(let value)?:
            message.pointee.choice_case = .init(rawValue: 57)
            message.pointee.chosen_double = value
        case .chosenTime(let value)?:
            message.pointee.choice_case = .init(rawValue: 58)
            message.pointee.chosen_time = try encoder.message(
                value, as: Google__Protobuf__Timestamp.self, field: "chosen_time")
        case nil: break
        }
        switch self.presentNumber {
        case .number(let value)?:
            message.pointee.present_number_case = .init(rawValue: 59)
            message.pointee.number = value
        case nil: break
        }
        message.pointee.time = try encoder.message(self.time, as: Google__Protobuf__Timestamp.self, field: "time")
        message.pointee.duration = try encoder.message(
            self.duration, as: Google__Protobuf__Duration.self, field: "duration")
        message.pointee.field_mask = try encoder.message(
            self.fieldMask, as: Google__Protobuf__FieldMask.self, field: "field_mask")
        message.pointee.any = try encoder.message(self.`any`, as: Google__Protobuf__Any.self, field: "any")
        message.pointee.string_value = try encoder.message(
            self.stringValue, as: Google__Protobuf__StringValue.self, field: "string_value")
        message.pointee.int64_value = try encoder.message(
            self.int64Value, as: Google__Protobuf__Int64Value.self, field: "int64_value")
        message.pointee.bool_value = try encoder.message(
            self.boolValue, as: Google__Protobuf__BoolValue.self, field: "bool_value")
        message.pointee.bytes_value = try encoder.message(
            self.bytesValue, as: Google__Protobuf__BytesValue.self, field: "bytes_value")
        message.pointee.struct_ = try encoder.message(self.`struct`, as: Google__Protobuf__Struct.self, field: "struct")
        message.pointee.value = try encoder.message(self.value, as: Google__Protobuf__Value.self, field: "value")
        message.pointee.list_value = try encoder.message(
            self.listValue, as: Google__Protobuf__ListValue.self, field: "list_value")
        (message.pointee.n_many_time, message.pointee.many_time) = try encoder.messages(
            self.manyTime, as: Google__Protobuf__Timestamp.self, field: "many_time")
        let timeByStringEntries = self.timeByString.sorted { $0.key < $1.key }
            .map { TimeByStringEntry(key: $0.key, value: $0.value) }
        (message.pointee.n_time_by_string, message.pointee.time_by_string) = try encoder.messages(
            timeByStringEntries, as: Golden__V1__Everything__TimeByStringEntry.self, field: "time_by_string")
    }

    /// What ``choice`` can be.
    public enum OneOf_Choice: Hashable, Sendable {
        /// `chosen_int32`, field 51.
        case chosenInt32(Int32)
        /// `chosen_bool`, field 52.
        case chosenBool(Bool)
        /// `chosen_string`, field 53.
        case chosenString(String)
        /// `chosen_bytes`, field 54.
        case chosenBytes([UInt8])
        /// `chosen_mood`, field 55.
        case chosenMood(Golden_V1_Everything.Mood)
        /// A message.
        case chosenInner(Golden_V1_Everything.Inner)
        /// `chosen_double`, field 57.
        case chosenDouble(Double)
        /// `chosen_time`, field 58.
        case chosenTime(Google_Protobuf_Timestamp)
    }

    /// What ``presentNumber`` can be.
    public enum OneOf_PresentNumber: Hashable, Sendable {
        /// `number`, field 59.
        case number(Int64)
    }

    /// Numbers that are not in order, one of them negative, and two names for one.
    public enum Mood: ProtobufEnum {
        /// Says nothing.
        case unspecified
        /// `MOOD_HIGH`, number 2147483647.
        case high
        /// `MOOD_LOW`, number -2147483648.
        case low
        /// `MOOD_GOOD`, number 2.
        case good
        /// Stays whole: a Swift name cannot begin with a digit.
        case mood2nd
        /// `MOOD_DEFAULT`, number 4.
        case `default`
        /// `MOOD_SELF`, number 5.
        case self_
        /// A number that this schema does not name, sent by a newer peer.
        case unrecognized(Int32)

        /// As good.
        public static let fine = Self.good

        /// The value of number 0.
        public init() { self = .unspecified }

        /// The value of that number, or ``unrecognized(_:)``.
        public init(rawValue: Int32) {
            self = switch rawValue {
            case 0: .unspecified
            case 2147483647: .high
            case -2147483648: .low
            case 2: .good
            case 3: .mood2nd
            case 4: .`default`
            case 5: .self_
            default: .unrecognized(rawValue)
            }
        }

        /// The number.
        public var rawValue: Int32 {
            switch self {
            case .unspecified: 0
            case .high: 2147483647
            case .low: -2147483648
            case .good: 2
            case .mood2nd: 3
            case .`default`: 4
            case .self_: 5
            case .unrecognized(let number): number
            }
        }
    }

    /// A message inside a message.
    public struct Inner: Message {
        /// `innermost`, field 1.
        public var innermost: Golden_V1_Everything.Inner.Innermost?
        /// `moods`, field 2.
        public var moods: [Golden_V1_Everything.Mood] = []
        public var unknownFields = UnknownFields()

        /// A message with every field at its default.
        public init() {}

        /// A message with the fields given; the others have their defaults.
        public init(
            innermost: Golden_V1_Everything.Inner.Innermost? = nil,
            moods: [Golden_V1_Everything.Mood] = []
        ) {
            self.innermost = innermost
            self.moods = moods
        }

        public static let descriptor = MessageDescriptor(
            of: Golden__V1__Everything__Inner.self,
            initializedBy: golden__v1__everything__inner__init)

        public init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: Golden__V1__Everything__Inner.self)
            self.innermost = MessageReader.message(message.pointee.innermost)
            self.moods = MessageReader.enums(message.pointee.n_moods, message.pointee.moods)
            self.unknownFields = unpacked.unknownFields
        }

        public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: Golden__V1__Everything__Inner.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            message.pointee.innermost = try encoder.message(
                self.innermost, as: Golden__V1__Everything__Inner__Innermost.self, field: "innermost")
            (message.pointee.n_moods, message.pointee.moods) = encoder.enums(
                self.moods, as: Golden__V1__Everything__Mood.self)
        }

        /// And one inside that.
        public struct Innermost: Message {
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
                of: Golden__V1__Everything__Inner__Innermost.self,
                initializedBy: golden__v1__everything__inner__innermost__init)

            public init(unpacked: UnpackedStruct) {
                let message = unpacked.pointer(to: Golden__V1__Everything__Inner__Innermost.self)
                self.text = MessageReader.string(message.pointee.text)
                self.unknownFields = unpacked.unknownFields
            }

            public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
                let message = blank.pointer(to: Golden__V1__Everything__Inner__Innermost.self)
                encoder.unknownFields(self.unknownFields, into: blank)
                if !self.text.isEmpty {
                    message.pointee.text = try encoder.string(self.text, field: "text")
                }
            }
        }
    }

    /// One pair of a map: `golden.v1.Everything.StringByStringEntry`.
    fileprivate struct StringByStringEntry: Message {
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
            of: Golden__V1__Everything__StringByStringEntry.self,
            initializedBy: golden__v1__everything__string_by_string_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: Golden__V1__Everything__StringByStringEntry.self)
            self.key = MessageReader.string(message.pointee.key)
            self.value = MessageReader.string(message.pointee.value)
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: Golden__V1__Everything__StringByStringEntry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            if !self.key.isEmpty {
                message.pointee.key = try encoder.string(self.key, field: "key")
            }
            if !self.value.isEmpty {
                message.pointee.value = try encoder.string(self.value, field: "value")
            }
        }
    }

    /// One pair of a map: `golden.v1.Everything.InnerByInt32Entry`.
    fileprivate struct InnerByInt32Entry: Message {
        /// `key`, field 1.
        fileprivate var key: Int32 = 0
        /// `value`, field 2.
        fileprivate var value: Golden_V1_Everything.Inner?
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: Int32 = 0,
            value: Golden_V1_Everything.Inner? = nil
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: Golden__V1__Everything__InnerByInt32Entry.self,
            initializedBy: golden__v1__everything__inner_by_int32_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: Golden__V1__Everything__InnerByInt32Entry.self)
            self.key = message.pointee.key
            self.value = MessageReader.message(message.pointee.value)
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: Golden__V1__Everything__InnerByInt32Entry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            message.pointee.key = self.key
            message.pointee.value = try encoder.message(
                self.value, as: Golden__V1__Everything__Inner.self, field: "value")
        }
    }

    /// One pair of a map: `golden.v1.Everything.MoodByBoolEntry`.
    fileprivate struct MoodByBoolEntry: Message {
        /// `key`, field 1.
        fileprivate var key: Bool = false
        /// `value`, field 2.
        fileprivate var value: Golden_V1_Everything.Mood = .init()
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: Bool = false,
            value: Golden_V1_Everything.Mood = .init()
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: Golden__V1__Everything__MoodByBoolEntry.self,
            initializedBy: golden__v1__everything__mood_by_bool_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: Golden__V1__Everything__MoodByBoolEntry.self)
            self.key = MessageReader.bool(message.pointee.key)
            self.value = MessageReader.enumeration(message.pointee.value)
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: Golden__V1__Everything__MoodByBoolEntry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            message.pointee.key = self.key ? 1 : 0
            message.pointee.value = encoder.enumeration(self.value, as: Golden__V1__Everything__Mood.self)
        }
    }

    /// One pair of a map: `golden.v1.Everything.BytesByUint64Entry`.
    fileprivate struct BytesByUint64Entry: Message {
        /// `key`, field 1.
        fileprivate var key: UInt64 = 0
        /// `value`, field 2.
        fileprivate var value: [UInt8] = []
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: UInt64 = 0,
            value: [UInt8] = []
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: Golden__V1__Everything__BytesByUint64Entry.self,
            initializedBy: golden__v1__everything__bytes_by_uint64_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: Golden__V1__Everything__BytesByUint64Entry.self)
            self.key = message.pointee.key
            self.value = MessageReader.bytes(message.pointee.value)
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: Golden__V1__Everything__BytesByUint64Entry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            message.pointee.key = self.key
            if !self.value.isEmpty {
                message.pointee.value = encoder.bytes(self.value)
            }
        }
    }

    /// One pair of a map: `golden.v1.Everything.DoubleBySint64Entry`.
    fileprivate struct DoubleBySint64Entry: Message {
        /// `key`, field 1.
        fileprivate var key: Int64 = 0
        /// `value`, field 2.
        fileprivate var value: Double = 0
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: Int64 = 0,
            value: Double = 0
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: Golden__V1__Everything__DoubleBySint64Entry.self,
            initializedBy: golden__v1__everything__double_by_sint64_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: Golden__V1__Everything__DoubleBySint64Entry.self)
            self.key = message.pointee.key
            self.value = message.pointee.value
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: Golden__V1__Everything__DoubleBySint64Entry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            message.pointee.key = self.key
            message.pointee.value = self.value
            encoder.negativeZero(self.value, number: 2, into: blank)
        }
    }

    /// One pair of a map: `golden.v1.Everything.BoolByStringEntry`.
    fileprivate struct BoolByStringEntry: Message {
        /// `key`, field 1.
        fileprivate var key: String = ""
        /// `value`, field 2.
        fileprivate var value: Bool = false
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: String = "",
            value: Bool = false
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: Golden__V1__Everything__BoolByStringEntry.self,
            initializedBy: golden__v1__everything__bool_by_string_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: Golden__V1__Everything__BoolByStringEntry.self)
            self.key = MessageReader.string(message.pointee.key)
            self.value = MessageReader.bool(message.pointee.value)
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: Golden__V1__Everything__BoolByStringEntry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            if !self.key.isEmpty {
                message.pointee.key = try encoder.string(self.key, field: "key")
            }
            message.pointee.value = self.value ? 1 : 0
        }
    }

    /// One pair of a map: `golden.v1.Everything.TimeByStringEntry`.
    fileprivate struct TimeByStringEntry: Message {
        /// `key`, field 1.
        fileprivate var key: String = ""
        /// `value`, field 2.
        fileprivate var value: Google_Protobuf_Timestamp?
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: String = "",
            value: Google_Protobuf_Timestamp? = nil
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: Golden__V1__Everything__TimeByStringEntry.self,
            initializedBy: golden__v1__everything__time_by_string_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: Golden__V1__Everything__TimeByStringEntry.self)
            self.key = MessageReader.string(message.pointee.key)
            self.value = MessageReader.message(message.pointee.value)
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: Golden__V1__Everything__TimeByStringEntry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            if !self.key.isEmpty {
                message.pointee.key = try encoder.string(self.key, field: "key")
            }
            message.pointee.value = try encoder.message(
                self.value, as: Google__Protobuf__Timestamp.self, field: "value")
        }
    }
}

/// A message that holds itself, directly and through another.
public struct Golden_V1_Tree: Message {
    /// `label`, field 1.
    public var label: String = ""
    /// Kept out of line.
    public var left: Golden_V1_Tree? {
        get { leftStorage_.first }
        set { leftStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `left` out of line: the type contains itself.
    private var leftStorage_: [Golden_V1_Tree] = []
    /// `right`, field 3.
    public var right: Golden_V1_Branch? {
        get { rightStorage_.first }
        set { rightStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `right` out of line: the type contains itself.
    private var rightStorage_: [Golden_V1_Branch] = []
    /// `children`, field 4.
    public var children: [Golden_V1_Tree] = []
    /// `named`, field 5.
    public var named: [String: Golden_V1_Tree] = [:]
    /// The `other` that is set, if any.
    public var other: OneOf_Other?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        label: String = "",
        left: Golden_V1_Tree? = nil,
        right: Golden_V1_Branch? = nil,
        children: [Golden_V1_Tree] = [],
        named: [String: Golden_V1_Tree] = [:],
        other: OneOf_Other? = nil
    ) {
        self.label = label
        self.left = left
        self.right = right
        self.children = children
        self.named = named
        self.other = other
    }

    public static let descriptor = MessageDescriptor(
        of: Golden__V1__Tree.self,
        initializedBy: golden__v1__tree__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Golden__V1__Tree.self)
        self.label = MessageReader.string(message.pointee.label)
        self.left = MessageReader.message(message.pointee.left)
        self.right = MessageReader.message(message.pointee.right)
        self.children = MessageReader.messages(message.pointee.n_children, message.pointee.children)
        let namedEntries: [NamedEntry] = MessageReader.messages(message.pointee.n_named, message.pointee.named)
        self.named = Dictionary(namedEntries.map { ($0.key, $0.value ?? .init()) }, uniquingKeysWith: { $1 })
        switch message.pointee.other_case.rawValue {
        case 6: self.other = MessageReader.message(message.pointee.twin).map { .twin($0) }
        case 7: self.other = .note(MessageReader.string(message.pointee.note))
        default: break
        }
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Golden__V1__Tree.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.label.isEmpty {
            message.pointee.label = try encoder.string(self.label, field: "label")
        }
        message.pointee.left = try encoder.message(self.left, as: Golden__V1__Tree.self, field: "left")
        message.pointee.right = try encoder.message(self.right, as: Golden__V1__Branch.self, field: "right")
        (message.pointee.n_children, message.pointee.children) = try encoder.messages(
            self.children, as: Golden__V1__Tree.self, field: "children")
        let namedEntries = self.named.sorted { $0.key < $1.key }
            .map { NamedEntry(key: $0.key, value: $0.value) }
        (message.pointee.n_named, message.pointee.named) = try encoder.messages(
            namedEntries, as: Golden__V1__Tree__NamedEntry.self, field: "named")
        switch self.other {
        case .twin(let value)?:
            message.pointee.other_case = .init(rawValue: 6)
            message.pointee.twin = try encoder.message(value, as: Golden__V1__Tree.self, field: "twin")
        case .note(let value)?:
            message.pointee.other_case = .init(rawValue: 7)
            message.pointee.note = try encoder.string(value, field: "note")
        case nil: break
        }
    }

    /// What ``other`` can be.
    public enum OneOf_Other: Hashable, Sendable {
        /// `twin`, field 6.
        indirect case twin(Golden_V1_Tree)
        /// `note`, field 7.
        case note(String)
    }

    /// One pair of a map: `golden.v1.Tree.NamedEntry`.
    fileprivate struct NamedEntry: Message {
        /// `key`, field 1.
        fileprivate var key: String = ""
        /// `value`, field 2.
        fileprivate var value: Golden_V1_Tree?
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: String = "",
            value: Golden_V1_Tree? = nil
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: Golden__V1__Tree__NamedEntry.self,
            initializedBy: golden__v1__tree__named_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: Golden__V1__Tree__NamedEntry.self)
            self.key = MessageReader.string(message.pointee.key)
            self.value = MessageReader.message(message.pointee.value)
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: Golden__V1__Tree__NamedEntry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            if !self.key.isEmpty {
                message.pointee.key = try encoder.string(self.key, field: "key")
            }
            message.pointee.value = try encoder.message(self.value, as: Golden__V1__Tree.self, field: "value")
        }
    }
}

/// The other half of `Tree`.
public struct Golden_V1_Branch: Message {
    /// `tree`, field 1.
    public var tree: Golden_V1_Tree? {
        get { treeStorage_.first }
        set { treeStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `tree` out of line: the type contains itself.
    private var treeStorage_: [Golden_V1_Tree] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(tree: Golden_V1_Tree? = nil) {
        self.tree = tree
    }

    public static let descriptor = MessageDescriptor(
        of: Golden__V1__Branch.self,
        initializedBy: golden__v1__branch__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Golden__V1__Branch.self)
        self.tree = MessageReader.message(message.pointee.tree)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Golden__V1__Branch.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.tree = try encoder.message(self.tree, as: Golden__V1__Tree.self, field: "tree")
    }
}

/// Has no field.
public struct Golden_V1_Nothing: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Golden__V1__Nothing.self,
        initializedBy: golden__v1__nothing__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// `golden/v1/everything.proto` in protobuf's own terms, for server reflection.
public enum Golden_V1_EverythingFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "golden/v1/everything.proto",
        dependencies: [
            Golden_V1_PlacesFile.descriptor,
            Google_Protobuf_AnyFile.descriptor,
            Google_Protobuf_DurationFile.descriptor,
            Google_Protobuf_FieldMaskFile.descriptor,
            Google_Protobuf_StructFile.descriptor,
            Google_Protobuf_TimestampFile.descriptor,
            Google_Protobuf_WrappersFile.descriptor,
        ],
        serialized: """
            \n\u{1a}golden/v1/everything.proto\u{12}\tgolden.v1\u{1a}\u{16}golden/v1/places.proto\u{1a}\u{19}go\
            ogle/protobuf/any.proto\u{1a}\u{1e}google/protobuf/duration.proto\u{1a} google/protobuf/field_mask.\
            proto\u{1a}\u{1c}google/protobuf/struct.proto\u{1a}\u{1f}google/protobuf/timestamp.proto\u{1a}\
            \u{1e}google/protobuf/wrappers.proto\"\u{8e}\u{1d}\n\nEverything\u{12}\u{17}\n\u{7}a_int32\u{18}\
            \u{1} \u{1}(\u{5}R\u{6}aInt32\u{12}\u{17}\n\u{7}a_int64\u{18}\u{2} \u{1}(\u{3}R\u{6}aInt64\u{12}\
            \u{19}\n\u{8}a_uint32\u{18}\u{3} \u{1}(\rR\u{7}aUint32\u{12}\u{19}\n\u{8}a_uint64\u{18}\u{4} \u{1}(\
            \u{4}R\u{7}aUint64\u{12}\u{19}\n\u{8}a_sint32\u{18}\u{5} \u{1}(\u{11}R\u{7}aSint32\u{12}\u{19}\n\
            \u{8}a_sint64\u{18}\u{6} \u{1}(\u{12}R\u{7}aSint64\u{12}\u{1b}\n\ta_fixed32\u{18}\u{7} \u{1}(\u{7}R\
            \u{8}aFixed32\u{12}\u{1b}\n\ta_fixed64\u{18}\u{8} \u{1}(\u{6}R\u{8}aFixed64\u{12}\u{1d}\n\na_sfixed\
            32\u{18}\t \u{1}(\u{f}R\taSfixed32\u{12}\u{1d}\n\na_sfixed64\u{18}\n \u{1}(\u{10}R\taSfixed64\u{12}\
            \u{17}\n\u{7}a_float\u{18}\u{b} \u{1}(\u{2}R\u{6}aFloat\u{12}\u{19}\n\u{8}a_double\u{18}\u{c} \u{1}\
            (\u{1}R\u{7}aDouble\u{12}\u{15}\n\u{6}a_bool\u{18}\r \u{1}(\u{8}R\u{5}aBool\u{12}\u{19}\n\u{8}a_str\
            ing\u{18}\u{e} \u{1}(\tR\u{7}aString\u{12}\u{17}\n\u{7}a_bytes\u{18}\u{f} \u{1}(\u{c}R\u{6}aBytes\
            \u{12}.\n\u{4}mood\u{18}\u{10} \u{1}(\u{e}2\u{1a}.golden.v1.Everything.MoodR\u{4}mood\u{12}1\n\u{5}\
            inner\u{18}\u{11} \u{1}(\u{b}2\u{1b}.golden.v1.Everything.InnerR\u{5}inner\u{12}&\n\u{5}place\u{18}\
            \u{12} \u{1}(\u{e}2\u{10}.golden.v1.PlaceR\u{5}place\u{12}\u{1d}\n\nmany_int32\u{18}\u{15} \u{3}(\
            \u{5}R\tmanyInt32\u{12}\u{1d}\n\nmany_int64\u{18}\u{16} \u{3}(\u{3}R\tmanyInt64\u{12}\u{1f}\n\u{b}m\
            any_uint32\u{18}\u{17} \u{3}(\rR\nmanyUint32\u{12}\u{1f}\n\u{b}many_uint64\u{18}\u{18} \u{3}(\u{4}R\
            \nmanyUint64\u{12}\u{1f}\n\u{b}many_sint32\u{18}\u{19} \u{3}(\u{11}R\nmanySint32\u{12}\u{1f}\n\u{b}\
            many_sint64\u{18}\u{1a} \u{3}(\u{12}R\nmanySint64\u{12}!\n\u{c}many_fixed32\u{18}\u{1b} \u{3}(\u{7}\
            R\u{b}manyFixed32\u{12}!\n\u{c}many_fixed64\u{18}\u{1c} \u{3}(\u{6}R\u{b}manyFixed64\u{12}#\n\rmany\
            _sfixed32\u{18}\u{1d} \u{3}(\u{f}R\u{c}manySfixed32\u{12}#\n\rmany_sfixed64\u{18}\u{1e} \u{3}(\
            \u{10}R\u{c}manySfixed64\u{12}\u{1d}\n\nmany_float\u{18}\u{1f} \u{3}(\u{2}R\tmanyFloat\u{12}\u{1f}\
            \n\u{b}many_double\u{18}  \u{3}(\u{1}R\nmanyDouble\u{12}\u{1b}\n\tmany_bool\u{18}! \u{3}(\u{8}R\
            \u{8}manyBool\u{12}\u{1f}\n\u{b}many_string\u{18}\" \u{3}(\tR\nmanyString\u{12}\u{1d}\n\nmany_bytes\
            \u{18}# \u{3}(\u{c}R\tmanyBytes\u{12}7\n\tmany_mood\u{18}$ \u{3}(\u{e}2\u{1a}.golden.v1.Everything.\
            MoodR\u{8}manyMood\u{12}:\n\nmany_inner\u{18}% \u{3}(\u{b}2\u{1b}.golden.v1.Everything.InnerR\tmany\
            Inner\u{12})\n\u{e}unpacked_int32\u{18}& \u{3}(\u{5}B\u{2}\u{10}\0R\runpackedInt32\u{12}S\n\u{10}st\
            ring_by_string\u{18}) \u{3}(\u{b}2).golden.v1.Everything.StringByStringEntryR\u{e}stringByString\
            \u{12}M\n\u{e}inner_by_int32\u{18}* \u{3}(\u{b}2'.golden.v1.Everything.InnerByInt32EntryR\u{c}inner\
            ByInt32\u{12}G\n\u{c}mood_by_bool\u{18}+ \u{3}(\u{b}2%.golden.v1.Everything.MoodByBoolEntryR\nmoodB\
            yBool\u{12}P\n\u{f}bytes_by_uint64\u{18}, \u{3}(\u{b}2(.golden.v1.Everything.BytesByUint64EntryR\rb\
            ytesByUint64\u{12}S\n\u{10}double_by_sint64\u{18}- \u{3}(\u{b}2).golden.v1.Everything.DoubleBySint6\
            4EntryR\u{e}doubleBySint64\u{12}M\n\u{e}bool_by_string\u{18}. \u{3}(\u{b}2'.golden.v1.Everything.Bo\
            olByStringEntryR\u{c}boolByString\u{12}#\n\u{c}chosen_int32\u{18}3 \u{1}(\u{5}H\0R\u{b}chosenInt32\
            \u{12}!\n\u{b}chosen_bool\u{18}4 \u{1}(\u{8}H\0R\nchosenBool\u{12}%\n\rchosen_string\u{18}5 \u{1}(\
            \tH\0R\u{c}chosenString\u{12}#\n\u{c}chosen_bytes\u{18}6 \u{1}(\u{c}H\0R\u{b}chosenBytes\u{12}=\n\
            \u{b}chosen_mood\u{18}7 \u{1}(\u{e}2\u{1a}.golden.v1.Everything.MoodH\0R\nchosenMood\u{12}@\n\u{c}c\
            hosen_inner\u{18}8 \u{1}(\u{b}2\u{1b}.golden.v1.Everything.InnerH\0R\u{b}chosenInner\u{12}%\n\rchos\
            en_double\u{18}9 \u{1}(\u{1}H\0R\u{c}chosenDouble\u{12}=\n\u{b}chosen_time\u{18}: \u{1}(\u{b}2\
            \u{1a}.google.protobuf.TimestampH\0R\nchosenTime\u{12}\u{18}\n\u{6}number\u{18}; \u{1}(\u{3}H\u{1}R\
            \u{6}number\u{12}.\n\u{4}time\u{18}= \u{1}(\u{b}2\u{1a}.google.protobuf.TimestampR\u{4}time\u{12}5\
            \n\u{8}duration\u{18}> \u{1}(\u{b}2\u{19}.google.protobuf.DurationR\u{8}duration\u{12}9\n\nfield_ma\
            sk\u{18}? \u{1}(\u{b}2\u{1a}.google.protobuf.FieldMaskR\tfieldMask\u{12}&\n\u{3}any\u{18}@ \u{1}(\
            \u{b}2\u{14}.google.protobuf.AnyR\u{3}any\u{12}?\n\u{c}string_value\u{18}A \u{1}(\u{b}2\u{1c}.googl\
            e.protobuf.StringValueR\u{b}stringValue\u{12}<\n\u{b}int64_value\u{18}B \u{1}(\u{b}2\u{1b}.google.p\
            rotobuf.Int64ValueR\nint64Value\u{12}9\n\nbool_value\u{18}C \u{1}(\u{b}2\u{1a}.google.protobuf.Bool\
            ValueR\tboolValue\u{12}<\n\u{b}bytes_value\u{18}D \u{1}(\u{b}2\u{1b}.google.protobuf.BytesValueR\nb\
            ytesValue\u{12}/\n\u{6}struct\u{18}E \u{1}(\u{b}2\u{17}.google.protobuf.StructR\u{6}struct\u{12},\n\
            \u{5}value\u{18}F \u{1}(\u{b}2\u{16}.google.protobuf.ValueR\u{5}value\u{12}9\n\nlist_value\u{18}G \
            \u{1}(\u{b}2\u{1a}.google.protobuf.ListValueR\tlistValue\u{12}7\n\tmany_time\u{18}H \u{3}(\u{b}2\
            \u{1a}.google.protobuf.TimestampR\u{8}manyTime\u{12}M\n\u{e}time_by_string\u{18}I \u{3}(\u{b}2'.gol\
            den.v1.Everything.TimeByStringEntryR\u{c}timeByString\u{1a}\u{9f}\u{1}\n\u{5}Inner\u{12}C\n\tinnerm\
            ost\u{18}\u{1} \u{1}(\u{b}2%.golden.v1.Everything.Inner.InnermostR\tinnermost\u{12}0\n\u{5}moods\
            \u{18}\u{2} \u{3}(\u{e}2\u{1a}.golden.v1.Everything.MoodR\u{5}moods\u{1a}\u{1f}\n\tInnermost\u{12}\
            \u{12}\n\u{4}text\u{18}\u{1} \u{1}(\tR\u{4}text\u{1a}A\n\u{13}StringByStringEntry\u{12}\u{10}\n\
            \u{3}key\u{18}\u{1} \u{1}(\tR\u{3}key\u{12}\u{14}\n\u{5}value\u{18}\u{2} \u{1}(\tR\u{5}value:\u{2}8\
            \u{1}\u{1a}\\\n\u{11}InnerByInt32Entry\u{12}\u{10}\n\u{3}key\u{18}\u{1} \u{1}(\u{5}R\u{3}key\u{12}1\
            \n\u{5}value\u{18}\u{2} \u{1}(\u{b}2\u{1b}.golden.v1.Everything.InnerR\u{5}value:\u{2}8\u{1}\u{1a}Y\
            \n\u{f}MoodByBoolEntry\u{12}\u{10}\n\u{3}key\u{18}\u{1} \u{1}(\u{8}R\u{3}key\u{12}0\n\u{5}value\
            \u{18}\u{2} \u{1}(\u{e}2\u{1a}.golden.v1.Everything.MoodR\u{5}value:\u{2}8\u{1}\u{1a}@\n\u{12}Bytes\
            ByUint64Entry\u{12}\u{10}\n\u{3}key\u{18}\u{1} \u{1}(\u{4}R\u{3}key\u{12}\u{14}\n\u{5}value\u{18}\
            \u{2} \u{1}(\u{c}R\u{5}value:\u{2}8\u{1}\u{1a}A\n\u{13}DoubleBySint64Entry\u{12}\u{10}\n\u{3}key\
            \u{18}\u{1} \u{1}(\u{12}R\u{3}key\u{12}\u{14}\n\u{5}value\u{18}\u{2} \u{1}(\u{1}R\u{5}value:\u{2}8\
            \u{1}\u{1a}?\n\u{11}BoolByStringEntry\u{12}\u{10}\n\u{3}key\u{18}\u{1} \u{1}(\tR\u{3}key\u{12}\
            \u{14}\n\u{5}value\u{18}\u{2} \u{1}(\u{8}R\u{5}value:\u{2}8\u{1}\u{1a}[\n\u{11}TimeByStringEntry\
            \u{12}\u{10}\n\u{3}key\u{18}\u{1} \u{1}(\tR\u{3}key\u{12}0\n\u{5}value\u{18}\u{2} \u{1}(\u{b}2\
            \u{1a}.google.protobuf.TimestampR\u{5}value:\u{2}8\u{1}\"\u{97}\u{1}\n\u{4}Mood\u{12}\u{14}\n\u{10}\
            MOOD_UNSPECIFIED\u{10}\0\u{12}\u{11}\n\tMOOD_HIGH\u{10}\u{ff}\u{ff}\u{ff}\u{ff}\u{7}\u{12}\u{15}\n\
            \u{8}MOOD_LOW\u{10}\u{80}\u{80}\u{80}\u{80}\u{f8}\u{ff}\u{ff}\u{ff}\u{ff}\u{1}\u{12}\r\n\tMOOD_GOOD\
            \u{10}\u{2}\u{12}\r\n\tMOOD_FINE\u{10}\u{2}\u{12}\u{c}\n\u{8}MOOD_2ND\u{10}\u{3}\u{12}\u{10}\n\u{c}\
            MOOD_DEFAULT\u{10}\u{4}\u{12}\r\n\tMOOD_SELF\u{10}\u{5}\u{1a}\u{2}\u{10}\u{1}B\u{8}\n\u{6}choiceB\
            \u{10}\n\u{e}present_number\"\u{da}\u{2}\n\u{4}Tree\u{12}\u{14}\n\u{5}label\u{18}\u{1} \u{1}(\tR\
            \u{5}label\u{12}#\n\u{4}left\u{18}\u{2} \u{1}(\u{b}2\u{f}.golden.v1.TreeR\u{4}left\u{12}'\n\u{5}rig\
            ht\u{18}\u{3} \u{1}(\u{b}2\u{11}.golden.v1.BranchR\u{5}right\u{12}+\n\u{8}children\u{18}\u{4} \u{3}\
            (\u{b}2\u{f}.golden.v1.TreeR\u{8}children\u{12}0\n\u{5}named\u{18}\u{5} \u{3}(\u{b}2\u{1a}.golden.v\
            1.Tree.NamedEntryR\u{5}named\u{12}%\n\u{4}twin\u{18}\u{6} \u{1}(\u{b}2\u{f}.golden.v1.TreeH\0R\u{4}\
            twin\u{12}\u{14}\n\u{4}note\u{18}\u{7} \u{1}(\tH\0R\u{4}note\u{1a}I\n\nNamedEntry\u{12}\u{10}\n\
            \u{3}key\u{18}\u{1} \u{1}(\tR\u{3}key\u{12}%\n\u{5}value\u{18}\u{2} \u{1}(\u{b}2\u{f}.golden.v1.Tre\
            eR\u{5}value:\u{2}8\u{1}B\u{7}\n\u{5}other\"-\n\u{6}Branch\u{12}#\n\u{4}tree\u{18}\u{1} \u{1}(\u{b}\
            2\u{f}.golden.v1.TreeR\u{4}tree\"\t\n\u{7}Nothingb\u{6}proto3
            """)
}
