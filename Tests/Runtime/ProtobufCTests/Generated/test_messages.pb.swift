// Written by protoc-gen-pulseboard-swift from test_messages.proto.
// Do not edit: change that file and generate again.

internal import ProtobufCTestMessages
import ProtobufC
import ProtobufWellKnownTypes

/// `pulseboard.test.Mood`.
internal enum Pulseboard_Test_Mood: ProtobufEnum {
    /// `MOOD_UNSPECIFIED`, number 0.
    case unspecified
    /// `MOOD_HAPPY`, number 1.
    case happy
    /// `MOOD_SAD`, number 2.
    case sad
    /// `MOOD_NEGATIVE`, number -1.
    case negative
    /// A number that this schema does not name, sent by a newer peer.
    case unrecognized(Int32)

    /// The value of number 0.
    internal init() { self = .unspecified }

    /// The value of that number, or ``unrecognized(_:)``.
    internal init(rawValue: Int32) {
        self = switch rawValue {
        case 0: .unspecified
        case 1: .happy
        case 2: .sad
        case -1: .negative
        default: .unrecognized(rawValue)
        }
    }

    /// The number.
    internal var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .happy: 1
        case .sad: 2
        case .negative: -1
        case .unrecognized(let number): number
        }
    }
}

/// `pulseboard.test.Scalars`.
internal struct Pulseboard_Test_Scalars: Message {
    /// `int32_value`, field 1.
    internal var int32Value: Int32 = 0
    /// `int64_value`, field 2.
    internal var int64Value: Int64 = 0
    /// `uint32_value`, field 3.
    internal var uint32Value: UInt32 = 0
    /// `uint64_value`, field 4.
    internal var uint64Value: UInt64 = 0
    /// `sint32_value`, field 5.
    internal var sint32Value: Int32 = 0
    /// `sint64_value`, field 6.
    internal var sint64Value: Int64 = 0
    /// `fixed32_value`, field 7.
    internal var fixed32Value: UInt32 = 0
    /// `fixed64_value`, field 8.
    internal var fixed64Value: UInt64 = 0
    /// `sfixed32_value`, field 9.
    internal var sfixed32Value: Int32 = 0
    /// `sfixed64_value`, field 10.
    internal var sfixed64Value: Int64 = 0
    /// `float_value`, field 11.
    internal var floatValue: Float = 0
    /// `double_value`, field 12.
    internal var doubleValue: Double = 0
    /// `bool_value`, field 13.
    internal var boolValue: Bool = false
    /// `string_value`, field 14.
    internal var stringValue: String = ""
    /// `bytes_value`, field 15.
    internal var bytesValue: [UInt8] = []
    /// `mood_value`, field 16.
    internal var moodValue: Pulseboard_Test_Mood = .init()
    internal var unknownFields = UnknownFields()

    /// A message with every field at its default.
    internal init() {}

    /// A message with the fields given; the others have their defaults.
    internal init(
        int32Value: Int32 = 0,
        int64Value: Int64 = 0,
        uint32Value: UInt32 = 0,
        uint64Value: UInt64 = 0,
        sint32Value: Int32 = 0,
        sint64Value: Int64 = 0,
        fixed32Value: UInt32 = 0,
        fixed64Value: UInt64 = 0,
        sfixed32Value: Int32 = 0,
        sfixed64Value: Int64 = 0,
        floatValue: Float = 0,
        doubleValue: Double = 0,
        boolValue: Bool = false,
        stringValue: String = "",
        bytesValue: [UInt8] = [],
        moodValue: Pulseboard_Test_Mood = .init()
    ) {
        self.int32Value = int32Value
        self.int64Value = int64Value
        self.uint32Value = uint32Value
        self.uint64Value = uint64Value
        self.sint32Value = sint32Value
        self.sint64Value = sint64Value
        self.fixed32Value = fixed32Value
        self.fixed64Value = fixed64Value
        self.sfixed32Value = sfixed32Value
        self.sfixed64Value = sfixed64Value
        self.floatValue = floatValue
        self.doubleValue = doubleValue
        self.boolValue = boolValue
        self.stringValue = stringValue
        self.bytesValue = bytesValue
        self.moodValue = moodValue
    }

    internal static let descriptor = MessageDescriptor(
        of: Pulseboard__Test__Scalars.self,
        initializedBy: pulseboard__test__scalars__init)

    internal init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Test__Scalars.self)
        self.int32Value = message.pointee.int32_value
        self.int64Value = message.pointee.int64_value
        self.uint32Value = message.pointee.uint32_value
        self.uint64Value = message.pointee.uint64_value
        self.sint32Value = message.pointee.sint32_value
        self.sint64Value = message.pointee.sint64_value
        self.fixed32Value = message.pointee.fixed32_value
        self.fixed64Value = message.pointee.fixed64_value
        self.sfixed32Value = message.pointee.sfixed32_value
        self.sfixed64Value = message.pointee.sfixed64_value
        self.floatValue = message.pointee.float_value
        self.doubleValue = message.pointee.double_value
        self.boolValue = MessageReader.bool(message.pointee.bool_value)
        self.stringValue = MessageReader.string(message.pointee.string_value)
        self.bytesValue = MessageReader.bytes(message.pointee.bytes_value)
        self.moodValue = MessageReader.enumeration(message.pointee.mood_value)
        self.unknownFields = unpacked.unknownFields
    }

    internal func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Test__Scalars.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.int32_value = self.int32Value
        message.pointee.int64_value = self.int64Value
        message.pointee.uint32_value = self.uint32Value
        message.pointee.uint64_value = self.uint64Value
        message.pointee.sint32_value = self.sint32Value
        message.pointee.sint64_value = self.sint64Value
        message.pointee.fixed32_value = self.fixed32Value
        message.pointee.fixed64_value = self.fixed64Value
        message.pointee.sfixed32_value = self.sfixed32Value
        message.pointee.sfixed64_value = self.sfixed64Value
        message.pointee.float_value = self.floatValue
        encoder.negativeZero(self.floatValue, number: 11, into: blank)
        message.pointee.double_value = self.doubleValue
        encoder.negativeZero(self.doubleValue, number: 12, into: blank)
        message.pointee.bool_value = self.boolValue ? 1 : 0
        if !self.stringValue.isEmpty {
            message.pointee.string_value = try encoder.string(self.stringValue, field: "string_value")
        }
        if !self.bytesValue.isEmpty {
            message.pointee.bytes_value = encoder.bytes(self.bytesValue)
        }
        message.pointee.mood_value = encoder.enumeration(self.moodValue, as: Pulseboard__Test__Mood.self)
    }
}

/// `pulseboard.test.Lists`.
internal struct Pulseboard_Test_Lists: Message {
    /// `int32s`, field 1.
    internal var int32s: [Int32] = []
    /// `int64s`, field 2.
    internal var int64s: [Int64] = []
    /// `uint32s`, field 3.
    internal var uint32s: [UInt32] = []
    /// `uint64s`, field 4.
    internal var uint64s: [UInt64] = []
    /// `sint32s`, field 5.
    internal var sint32s: [Int32] = []
    /// `sint64s`, field 6.
    internal var sint64s: [Int64] = []
    /// `fixed32s`, field 7.
    internal var fixed32s: [UInt32] = []
    /// `fixed64s`, field 8.
    internal var fixed64s: [UInt64] = []
    /// `sfixed32s`, field 9.
    internal var sfixed32s: [Int32] = []
    /// `sfixed64s`, field 10.
    internal var sfixed64s: [Int64] = []
    /// `floats`, field 11.
    internal var floats: [Float] = []
    /// `doubles`, field 12.
    internal var doubles: [Double] = []
    /// `bools`, field 13.
    internal var bools: [Bool] = []
    /// `strings`, field 14.
    internal var strings: [String] = []
    /// `blobs`, field 15.
    internal var blobs: [[UInt8]] = []
    /// `moods`, field 16.
    internal var moods: [Pulseboard_Test_Mood] = []
    /// `unpacked`, field 17.
    internal var unpacked: [Int32] = []
    internal var unknownFields = UnknownFields()

    /// A message with every field at its default.
    internal init() {}

    /// A message with the fields given; the others have their defaults.
    internal init(
        int32s: [Int32] = [],
        int64s: [Int64] = [],
        uint32s: [UInt32] = [],
        uint64s: [UInt64] = [],
        sint32s: [Int32] = [],
        sint64s: [Int64] = [],
        fixed32s: [UInt32] = [],
        fixed64s: [UInt64] = [],
        sfixed32s: [Int32] = [],
        sfixed64s: [Int64] = [],
        floats: [Float] = [],
        doubles: [Double] = [],
        bools: [Bool] = [],
        strings: [String] = [],
        blobs: [[UInt8]] = [],
        moods: [Pulseboard_Test_Mood] = [],
        unpacked: [Int32] = []
    ) {
        self.int32s = int32s
        self.int64s = int64s
        self.uint32s = uint32s
        self.uint64s = uint64s
        self.sint32s = sint32s
        self.sint64s = sint64s
        self.fixed32s = fixed32s
        self.fixed64s = fixed64s
        self.sfixed32s = sfixed32s
        self.sfixed64s = sfixed64s
        self.floats = floats
        self.doubles = doubles
        self.bools = bools
        self.strings = strings
        self.blobs = blobs
        self.moods = moods
        self.unpacked = unpacked
    }

    internal static let descriptor = MessageDescriptor(
        of: Pulseboard__Test__Lists.self,
        initializedBy: pulseboard__test__lists__init)

    internal init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Test__Lists.self)
        self.int32s = MessageReader.scalars(message.pointee.n_int32s, message.pointee.int32s)
        self.int64s = MessageReader.scalars(message.pointee.n_int64s, message.pointee.int64s)
        self.uint32s = MessageReader.scalars(message.pointee.n_uint32s, message.pointee.uint32s)
        self.uint64s = MessageReader.scalars(message.pointee.n_uint64s, message.pointee.uint64s)
        self.sint32s = MessageReader.scalars(message.pointee.n_sint32s, message.pointee.sint32s)
        self.sint64s = MessageReader.scalars(message.pointee.n_sint64s, message.pointee.sint64s)
        self.fixed32s = MessageReader.scalars(message.pointee.n_fixed32s, message.pointee.fixed32s)
        self.fixed64s = MessageReader.scalars(message.pointee.n_fixed64s, message.pointee.fixed64s)
        self.sfixed32s = MessageReader.scalars(message.pointee.n_sfixed32s, message.pointee.sfixed32s)
        self.sfixed64s = MessageReader.scalars(message.pointee.n_sfixed64s, message.pointee.sfixed64s)
        self.floats = MessageReader.scalars(message.pointee.n_floats, message.pointee.floats)
        self.doubles = MessageReader.scalars(message.pointee.n_doubles, message.pointee.doubles)
        self.bools = MessageReader.bools(message.pointee.n_bools, message.pointee.bools)
        self.strings = MessageReader.strings(message.pointee.n_strings, message.pointee.strings)
        self.blobs = MessageReader.bytesArray(message.pointee.n_blobs, message.pointee.blobs)
        self.moods = MessageReader.enums(message.pointee.n_moods, message.pointee.moods)
        self.unpacked = MessageReader.scalars(message.pointee.n_unpacked, message.pointee.unpacked)
        self.unknownFields = unpacked.unknownFields
    }

    internal func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Test__Lists.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        (message.pointee.n_int32s, message.pointee.int32s) = encoder.scalars(self.int32s)
        (message.pointee.n_int64s, message.pointee.int64s) = encoder.scalars(self.int64s)
        (message.pointee.n_uint32s, message.pointee.uint32s) = encoder.scalars(self.uint32s)
        (message.pointee.n_uint64s, message.pointee.uint64s) = encoder.scalars(self.uint64s)
        (message.pointee.n_sint32s, message.pointee.sint32s) = encoder.scalars(self.sint32s)
        (message.pointee.n_sint64s, message.pointee.sint64s) = encoder.scalars(self.sint64s)
        (message.pointee.n_fixed32s, message.pointee.fixed32s) = encoder.scalars(self.fixed32s)
        (message.pointee.n_fixed64s, message.pointee.fixed64s) = encoder.scalars(self.fixed64s)
        (message.pointee.n_sfixed32s, message.pointee.sfixed32s) = encoder.scalars(self.sfixed32s)
        (message.pointee.n_sfixed64s, message.pointee.sfixed64s) = encoder.scalars(self.sfixed64s)
        (message.pointee.n_floats, message.pointee.floats) = encoder.scalars(self.floats)
        (message.pointee.n_doubles, message.pointee.doubles) = encoder.scalars(self.doubles)
        (message.pointee.n_bools, message.pointee.bools) = encoder.bools(self.bools)
        (message.pointee.n_strings, message.pointee.strings) = try encoder.strings(self.strings, field: "strings")
        (message.pointee.n_blobs, message.pointee.blobs) = encoder.bytesArray(self.blobs)
        (message.pointee.n_moods, message.pointee.moods) = encoder.enums(self.moods, as: Pulseboard__Test__Mood.self)
        (message.pointee.n_unpacked, message.pointee.unpacked) = encoder.scalars(self.unpacked)
    }
}

/// `pulseboard.test.Node`.
internal struct Pulseboard_Test_Node: Message {
    /// `name`, field 1.
    internal var name: String = ""
    /// `left`, field 2.
    internal var left: Pulseboard_Test_Node? {
        get { leftStorage_.first }
        set { leftStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `left` out of line: the type contains itself.
    private var leftStorage_: [Pulseboard_Test_Node] = []
    /// `children`, field 3.
    internal var children: [Pulseboard_Test_Node] = []
    /// The `choice` that is set, if any.
    internal var choice: OneOf_Choice?
    /// `counts`, field 11.
    internal var counts: [String: Int32] = [:]
    /// `nodes_by_id`, field 12.
    internal var nodesByID: [Int64: Pulseboard_Test_Node] = [:]
    /// `names`, field 13.
    internal var names: [Bool: String] = [:]
    /// The largest number a field may have.
    internal var lastField: Int32 = 0
    internal var unknownFields = UnknownFields()

    /// A message with every field at its default.
    internal init() {}

    /// A message with the fields given; the others have their defaults.
    internal init(
        name: String = "",
        left: Pulseboard_Test_Node? = nil,
        children: [Pulseboard_Test_Node] = [],
        choice: OneOf_Choice? = nil,
        counts: [String: Int32] = [:],
        nodesByID: [Int64: Pulseboard_Test_Node] = [:],
        names: [Bool: String] = [:],
        lastField: Int32 = 0
    ) {
        self.name = name
        self.left = left
        self.children = children
        self.choice = choice
        self.counts = counts
        self.nodesByID = nodesByID
        self.names = names
        self.lastField = lastField
    }

    internal static let descriptor = MessageDescriptor(
        of: Pulseboard__Test__Node.self,
        initializedBy: pulseboard__test__node__init)

    internal init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Pulseboard__Test__Node.self)
        self.name = MessageReader.string(message.pointee.name)
        self.left = MessageReader.message(message.pointee.left)
        self.children = MessageReader.messages(message.pointee.n_children, message.pointee.children)
        switch message.pointee.choice_case.rawValue {
        case 4: self.choice = .number(message.pointee.number)
        case 5: self.choice = .text(MessageReader.string(message.pointee.text))
        case 6: self.choice = .blob(MessageReader.bytes(message.pointee.blob))
        case 7: self.choice = MessageReader.message(message.pointee.branch).map { .branch($0) }
        case 8: self.choice = .mood(MessageReader.enumeration(message.pointee.mood))
        case 9: self.choice = .flag(MessageReader.bool(message.pointee.flag))
        case 10: self.choice = .ratio(message.pointee.ratio)
        default: break
        }
        let countsEntries: [CountsEntry] = MessageReader.messages(message.pointee.n_counts, message.pointee.counts)
        self.counts = Dictionary(countsEntries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        let nodesByIDEntries: [NodesByIdEntry] = MessageReader.messages(
            message.pointee.n_nodes_by_id, message.pointee.nodes_by_id)
        self.nodesByID = Dictionary(nodesByIDEntries.map { ($0.key, $0.value ?? .init()) }, uniquingKeysWith: { $1 })
        let namesEntries: [NamesEntry] = MessageReader.messages(message.pointee.n_names, message.pointee.names)
        self.names = Dictionary(namesEntries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        self.lastField = message.pointee.last_field
        self.unknownFields = unpacked.unknownFields
    }

    internal func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Pulseboard__Test__Node.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.name.isEmpty {
            message.pointee.name = try encoder.string(self.name, field: "name")
        }
        message.pointee.left = try encoder.message(self.left, as: Pulseboard__Test__Node.self, field: "left")
        (message.pointee.n_children, message.pointee.children) = try encoder.messages(
            self.children, as: Pulseboard__Test__Node.self, field: "children")
        switch self.choice {
        case .number(let value)?:
            message.pointee.choice_case = .init(rawValue: 4)
            message.pointee.number = value
        case .text(let value)?:
            message.pointee.choice_case = .init(rawValue: 5)
            message.pointee.text = try encoder.string(value, field: "text")
        case .blob(let value)?:
            message.pointee.choice_case = .init(rawValue: 6)
            message.pointee.blob = encoder.bytes(value)
        case .branch(let value)?:
            message.pointee.choice_case = .init(rawValue: 7)
            message.pointee.branch = try encoder.message(value, as: Pulseboard__Test__Node.self, field: "branch")
        case .mood(let value)?:
            message.pointee.choice_case = .init(rawValue: 8)
            message.pointee.mood = encoder.enumeration(value, as: Pulseboard__Test__Mood.self)
        case .flag(let value)?:
            message.pointee.choice_case = .init(rawValue: 9)
            message.pointee.flag = value ? 1 : 0
        case .ratio(let value)?:
            message.pointee.choice_case = .init(rawValue: 10)
            message.pointee.ratio = value
        case nil: break
        }
        let countsEntries = self.counts.sorted { $0.key < $1.key }
            .map { CountsEntry(key: $0.key, value: $0.value) }
        (message.pointee.n_counts, message.pointee.counts) = try encoder.messages(
            countsEntries, as: Pulseboard__Test__Node__CountsEntry.self, field: "counts")
        let nodesByIDEntries = self.nodesByID.sorted { $0.key < $1.key }
            .map { NodesByIdEntry(key: $0.key, value: $0.value) }
        (message.pointee.n_nodes_by_id, message.pointee.nodes_by_id) = try encoder.messages(
            nodesByIDEntries, as: Pulseboard__Test__Node__NodesByIdEntry.self, field: "nodes_by_id")
        let namesEntries = self.names.sorted { !$0.key && $1.key }
            .map { NamesEntry(key: $0.key, value: $0.value) }
        (message.pointee.n_names, message.pointee.names) = try encoder.messages(
            namesEntries, as: Pulseboard__Test__Node__NamesEntry.self, field: "names")
        message.pointee.last_field = self.lastField
    }

    /// What ``choice`` can be.
    internal enum OneOf_Choice: Hashable, Sendable {
        /// `number`, field 4.
        case number(Int32)
        /// `text`, field 5.
        case text(String)
        /// `blob`, field 6.
        case blob([UInt8])
        /// `branch`, field 7.
        indirect case branch(Pulseboard_Test_Node)
        /// `mood`, field 8.
        case mood(Pulseboard_Test_Mood)
        /// `flag`, field 9.
        case flag(Bool)
        /// `ratio`, field 10.
        case ratio(Double)
    }

    /// One pair of a map: `pulseboard.test.Node.CountsEntry`.
    fileprivate struct CountsEntry: Message {
        /// `key`, field 1.
        fileprivate var key: String = ""
        /// `value`, field 2.
        fileprivate var value: Int32 = 0
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: String = "",
            value: Int32 = 0
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: Pulseboard__Test__Node__CountsEntry.self,
            initializedBy: pulseboard__test__node__counts_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: Pulseboard__Test__Node__CountsEntry.self)
            self.key = MessageReader.string(message.pointee.key)
            self.value = message.pointee.value
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: Pulseboard__Test__Node__CountsEntry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            if !self.key.isEmpty {
                message.pointee.key = try encoder.string(self.key, field: "key")
            }
            message.pointee.value = self.value
        }
    }

    /// One pair of a map: `pulseboard.test.Node.NodesByIdEntry`.
    fileprivate struct NodesByIdEntry: Message {
        /// `key`, field 1.
        fileprivate var key: Int64 = 0
        /// `value`, field 2.
        fileprivate var value: Pulseboard_Test_Node?
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: Int64 = 0,
            value: Pulseboard_Test_Node? = nil
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: Pulseboard__Test__Node__NodesByIdEntry.self,
            initializedBy: pulseboard__test__node__nodes_by_id_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: Pulseboard__Test__Node__NodesByIdEntry.self)
            self.key = message.pointee.key
            self.value = MessageReader.message(message.pointee.value)
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: Pulseboard__Test__Node__NodesByIdEntry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            message.pointee.key = self.key
            message.pointee.value = try encoder.message(self.value, as: Pulseboard__Test__Node.self, field: "value")
        }
    }

    /// One pair of a map: `pulseboard.test.Node.NamesEntry`.
    fileprivate struct NamesEntry: Message {
        /// `key`, field 1.
        fileprivate var key: Bool = false
        /// `value`, field 2.
        fileprivate var value: String = ""
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: Bool = false,
            value: String = ""
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: Pulseboard__Test__Node__NamesEntry.self,
            initializedBy: pulseboard__test__node__names_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: Pulseboard__Test__Node__NamesEntry.self)
            self.key = MessageReader.bool(message.pointee.key)
            self.value = MessageReader.string(message.pointee.value)
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: Pulseboard__Test__Node__NamesEntry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            message.pointee.key = self.key ? 1 : 0
            if !self.value.isEmpty {
                message.pointee.value = try encoder.string(self.value, field: "value")
            }
        }
    }
}

/// `pulseboard.test.Empty`.
internal struct Pulseboard_Test_Empty: Message {
    internal var unknownFields = UnknownFields()

    /// A message with every field at its default.
    internal init() {}

    internal static let descriptor = MessageDescriptor(
        of: Pulseboard__Test__Empty.self,
        initializedBy: pulseboard__test__empty__init)

    internal init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    internal func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// `test_messages.proto` in protobuf's own terms, for server reflection.
internal enum Pulseboard_Test_TestMessagesFile {
    /// The file with those that it imports.
    internal static let descriptor = FileDescriptor(
        name: "test_messages.proto",
        dependencies: [],
        serialized: """
            \n\u{13}test_messages.proto\u{12}\u{f}pulseboard.test\"\u{cc}\u{4}\n\u{7}Scalars\u{12}\u{1f}\n\u{b}\
            int32_value\u{18}\u{1} \u{1}(\u{5}R\nint32Value\u{12}\u{1f}\n\u{b}int64_value\u{18}\u{2} \u{1}(\
            \u{3}R\nint64Value\u{12}!\n\u{c}uint32_value\u{18}\u{3} \u{1}(\rR\u{b}uint32Value\u{12}!\n\u{c}uint\
            64_value\u{18}\u{4} \u{1}(\u{4}R\u{b}uint64Value\u{12}!\n\u{c}sint32_value\u{18}\u{5} \u{1}(\u{11}R\
            \u{b}sint32Value\u{12}!\n\u{c}sint64_value\u{18}\u{6} \u{1}(\u{12}R\u{b}sint64Value\u{12}#\n\rfixed\
            32_value\u{18}\u{7} \u{1}(\u{7}R\u{c}fixed32Value\u{12}#\n\rfixed64_value\u{18}\u{8} \u{1}(\u{6}R\
            \u{c}fixed64Value\u{12}%\n\u{e}sfixed32_value\u{18}\t \u{1}(\u{f}R\rsfixed32Value\u{12}%\n\u{e}sfix\
            ed64_value\u{18}\n \u{1}(\u{10}R\rsfixed64Value\u{12}\u{1f}\n\u{b}float_value\u{18}\u{b} \u{1}(\
            \u{2}R\nfloatValue\u{12}!\n\u{c}double_value\u{18}\u{c} \u{1}(\u{1}R\u{b}doubleValue\u{12}\u{1d}\n\
            \nbool_value\u{18}\r \u{1}(\u{8}R\tboolValue\u{12}!\n\u{c}string_value\u{18}\u{e} \u{1}(\tR\u{b}str\
            ingValue\u{12}\u{1f}\n\u{b}bytes_value\u{18}\u{f} \u{1}(\u{c}R\nbytesValue\u{12}4\n\nmood_value\
            \u{18}\u{10} \u{1}(\u{e}2\u{15}.pulseboard.test.MoodR\tmoodValue\"\u{d8}\u{3}\n\u{5}Lists\u{12}\
            \u{16}\n\u{6}int32s\u{18}\u{1} \u{3}(\u{5}R\u{6}int32s\u{12}\u{16}\n\u{6}int64s\u{18}\u{2} \u{3}(\
            \u{3}R\u{6}int64s\u{12}\u{18}\n\u{7}uint32s\u{18}\u{3} \u{3}(\rR\u{7}uint32s\u{12}\u{18}\n\u{7}uint\
            64s\u{18}\u{4} \u{3}(\u{4}R\u{7}uint64s\u{12}\u{18}\n\u{7}sint32s\u{18}\u{5} \u{3}(\u{11}R\u{7}sint\
            32s\u{12}\u{18}\n\u{7}sint64s\u{18}\u{6} \u{3}(\u{12}R\u{7}sint64s\u{12}\u{1a}\n\u{8}fixed32s\u{18}\
            \u{7} \u{3}(\u{7}R\u{8}fixed32s\u{12}\u{1a}\n\u{8}fixed64s\u{18}\u{8} \u{3}(\u{6}R\u{8}fixed64s\
            \u{12}\u{1c}\n\tsfixed32s\u{18}\t \u{3}(\u{f}R\tsfixed32s\u{12}\u{1c}\n\tsfixed64s\u{18}\n \u{3}(\
            \u{10}R\tsfixed64s\u{12}\u{16}\n\u{6}floats\u{18}\u{b} \u{3}(\u{2}R\u{6}floats\u{12}\u{18}\n\u{7}do\
            ubles\u{18}\u{c} \u{3}(\u{1}R\u{7}doubles\u{12}\u{14}\n\u{5}bools\u{18}\r \u{3}(\u{8}R\u{5}bools\
            \u{12}\u{18}\n\u{7}strings\u{18}\u{e} \u{3}(\tR\u{7}strings\u{12}\u{14}\n\u{5}blobs\u{18}\u{f} \
            \u{3}(\u{c}R\u{5}blobs\u{12}+\n\u{5}moods\u{18}\u{10} \u{3}(\u{e}2\u{15}.pulseboard.test.MoodR\u{5}\
            moods\u{12}\u{1e}\n\u{8}unpacked\u{18}\u{11} \u{3}(\u{5}B\u{2}\u{10}\0R\u{8}unpacked\"\u{fa}\u{5}\n\
            \u{4}Node\u{12}\u{12}\n\u{4}name\u{18}\u{1} \u{1}(\tR\u{4}name\u{12})\n\u{4}left\u{18}\u{2} \u{1}(\
            \u{b}2\u{15}.pulseboard.test.NodeR\u{4}left\u{12}1\n\u{8}children\u{18}\u{3} \u{3}(\u{b}2\u{15}.pul\
            seboard.test.NodeR\u{8}children\u{12}\u{18}\n\u{6}number\u{18}\u{4} \u{1}(\u{5}H\0R\u{6}number\
            \u{12}\u{14}\n\u{4}text\u{18}\u{5} \u{1}(\tH\0R\u{4}text\u{12}\u{14}\n\u{4}blob\u{18}\u{6} \u{1}(\
            \u{c}H\0R\u{4}blob\u{12}/\n\u{6}branch\u{18}\u{7} \u{1}(\u{b}2\u{15}.pulseboard.test.NodeH\0R\u{6}b\
            ranch\u{12}+\n\u{4}mood\u{18}\u{8} \u{1}(\u{e}2\u{15}.pulseboard.test.MoodH\0R\u{4}mood\u{12}\u{14}\
            \n\u{4}flag\u{18}\t \u{1}(\u{8}H\0R\u{4}flag\u{12}\u{16}\n\u{5}ratio\u{18}\n \u{1}(\u{1}H\0R\u{5}ra\
            tio\u{12}9\n\u{6}counts\u{18}\u{b} \u{3}(\u{b}2!.pulseboard.test.Node.CountsEntryR\u{6}counts\u{12}\
            D\n\u{b}nodes_by_id\u{18}\u{c} \u{3}(\u{b}2$.pulseboard.test.Node.NodesByIdEntryR\tnodesById\u{12}6\
            \n\u{5}names\u{18}\r \u{3}(\u{b}2 .pulseboard.test.Node.NamesEntryR\u{5}names\u{12}!\n\nlast_field\
            \u{18}\u{ff}\u{ff}\u{ff}\u{ff}\u{1} \u{1}(\u{5}R\tlastField\u{1a}9\n\u{b}CountsEntry\u{12}\u{10}\n\
            \u{3}key\u{18}\u{1} \u{1}(\tR\u{3}key\u{12}\u{14}\n\u{5}value\u{18}\u{2} \u{1}(\u{5}R\u{5}value:\
            \u{2}8\u{1}\u{1a}S\n\u{e}NodesByIdEntry\u{12}\u{10}\n\u{3}key\u{18}\u{1} \u{1}(\u{3}R\u{3}key\u{12}\
            +\n\u{5}value\u{18}\u{2} \u{1}(\u{b}2\u{15}.pulseboard.test.NodeR\u{5}value:\u{2}8\u{1}\u{1a}8\n\nN\
            amesEntry\u{12}\u{10}\n\u{3}key\u{18}\u{1} \u{1}(\u{8}R\u{3}key\u{12}\u{14}\n\u{5}value\u{18}\u{2} \
            \u{1}(\tR\u{5}value:\u{2}8\u{1}B\u{8}\n\u{6}choice\"\u{7}\n\u{5}Empty*V\n\u{4}Mood\u{12}\u{14}\n\
            \u{10}MOOD_UNSPECIFIED\u{10}\0\u{12}\u{e}\n\nMOOD_HAPPY\u{10}\u{1}\u{12}\u{c}\n\u{8}MOOD_SAD\u{10}\
            \u{2}\u{12}\u{1a}\n\rMOOD_NEGATIVE\u{10}\u{ff}\u{ff}\u{ff}\u{ff}\u{ff}\u{ff}\u{ff}\u{ff}\u{ff}\u{1}\
            b\u{6}proto3
            """)
}
