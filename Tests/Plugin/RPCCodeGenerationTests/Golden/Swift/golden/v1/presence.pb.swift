// Written by protoc-gen-pulseboard-swift from golden/v1/presence.proto.
// Do not edit: change that file and generate again.

internal import GoldenMessagesC
import ProtobufC
import ProtobufWellKnownTypes

/// Fields that know whether they are set.
public struct GPPresence: Message {
    /// How many.
    public var count: Int32?
    /// `offset`, field 2.
    public var offset: Int64?
    /// `ratio`, field 3.
    public var ratio: Double?
    /// `share`, field 4.
    public var share: Float?
    /// `flag`, field 5.
    public var flag: Bool?
    /// `name`, field 6.
    public var name: String?
    /// `data`, field 7.
    public var data: [UInt8]?
    /// `kind`, field 8.
    public var kind: GPPresence.Kind?
    /// `time`, field 9.
    public var time: Google_Protobuf_Timestamp?
    /// Kept out of line.
    public var inner: GPPresence? {
        get { innerStorage_.first }
        set { innerStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `inner` out of line: the type contains itself.
    private var innerStorage_: [GPPresence] = []
    /// `default`, field 11.
    public var `default`: UInt32?
    /// The `choice` that is set, if any.
    public var choice: OneOf_Choice?
    /// `plain`, field 14.
    public var plain: String = ""
    /// `plain_ratio`, field 15.
    public var plainRatio: Double = 0
    /// `plain_share`, field 16.
    public var plainShare: Float = 0
    /// `ratios`, field 17.
    public var ratios: [String: Double] = [:]
    /// `others`, field 18.
    public var others: [GPPresence] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        count: Int32? = nil,
        offset: Int64? = nil,
        ratio: Double? = nil,
        share: Float? = nil,
        flag: Bool? = nil,
        name: String? = nil,
        data: [UInt8]? = nil,
        kind: GPPresence.Kind? = nil,
        time: Google_Protobuf_Timestamp? = nil,
        inner: GPPresence? = nil,
        `default`: UInt32? = nil,
        choice: OneOf_Choice? = nil,
        plain: String = "",
        plainRatio: Double = 0,
        plainShare: Float = 0,
        ratios: [String: Double] = [:],
        others: [GPPresence] = []
    ) {
        self.count = count
        self.offset = offset
        self.ratio = ratio
        self.share = share
        self.flag = flag
        self.name = name
        self.data = data
        self.kind = kind
        self.time = time
        self.inner = inner
        self.`default` = `default`
        self.choice = choice
        self.plain = plain
        self.plainRatio = plainRatio
        self.plainShare = plainShare
        self.ratios = ratios
        self.others = others
    }

    public static let descriptor = MessageDescriptor(
        of: Golden__V1__Presence.self,
        initializedBy: golden__v1__presence__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Golden__V1__Presence.self)
        if message.pointee._count_case.rawValue == 1 {
            self.count = message.pointee.count
        }
        if message.pointee._offset_case.rawValue == 2 {
            self.offset = message.pointee.offset
        }
        if message.pointee._ratio_case.rawValue == 3 {
            self.ratio = message.pointee.ratio
        }
        if message.pointee._share_case.rawValue == 4 {
            self.share = message.pointee.share
        }
        if message.pointee._flag_case.rawValue == 5 {
            self.flag = MessageReader.bool(message.pointee.flag)
        }
        if message.pointee._name_case.rawValue == 6 {
            self.name = MessageReader.string(message.pointee.name)
        }
        if message.pointee._data_case.rawValue == 7 {
            self.data = MessageReader.bytes(message.pointee.data)
        }
        if message.pointee._kind_case.rawValue == 8 {
            self.kind = MessageReader.enumeration(message.pointee.kind)
        }
        if message.pointee._time_case.rawValue == 9 {
            self.time = MessageReader.message(message.pointee.time)
        }
        if message.pointee._inner_case.rawValue == 10 {
            self.inner = MessageReader.message(message.pointee.inner)
        }
        if message.pointee._default_case.rawValue == 11 {
            self.`default` = message.pointee.default_
        }
        switch message.pointee.choice_case.rawValue {
        case 12: self.choice = .number(message.pointee.number)
        case 13: self.choice = .text(MessageReader.string(message.pointee.text))
        default: break
        }
        self.plain = MessageReader.string(message.pointee.plain)
        self.plainRatio = message.pointee.plain_ratio
        self.plainShare = message.pointee.plain_share
        let ratiosEntries: [RatiosEntry] = MessageReader.messages(message.pointee.n_ratios, message.pointee.ratios)
        self.ratios = Dictionary(ratiosEntries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        self.others = MessageReader.messages(message.pointee.n_others, message.pointee.others)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Golden__V1__Presence.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if let value = self.count {
            message.pointee._count_case = .init(rawValue: 1)
            message.pointee.count = value
        }
        if let value = self.offset {
            message.pointee._offset_case = .init(rawValue: 2)
            message.pointee.offset = value
        }
        if let value = self.ratio {
            message.pointee._ratio_case = .init(rawValue: 3)
            message.pointee.ratio = value
        }
        if let value = self.share {
            message.pointee._share_case = .init(rawValue: 4)
            message.pointee.share = value
        }
        if let value = self.flag {
            message.pointee._flag_case = .init(rawValue: 5)
            message.pointee.flag = value ? 1 : 0
        }
        if let value = self.name {
            message.pointee._name_case = .init(rawValue: 6)
            message.pointee.name = try encoder.string(value, field: "name")
        }
        if let value = self.data {
            message.pointee._data_case = .init(rawValue: 7)
            message.pointee.data = encoder.bytes(value)
        }
        if let value = self.kind {
            message.pointee._kind_case = .init(rawValue: 8)
            message.pointee.kind = encoder.enumeration(value, as: Golden__V1__Presence__Kind.self)
        }
        if let value = self.time {
            message.pointee._time_case = .init(rawValue: 9)
            message.pointee.time = try encoder.message(value, as: Google__Protobuf__Timestamp.self, field: "time")
        }
        if let value = self.inner {
            message.pointee._inner_case = .init(rawValue: 10)
            message.pointee.inner = try encoder.message(value, as: Golden__V1__Presence.self, field: "inner")
        }
        if let value = self.`default` {
            message.pointee._default_case = .init(rawValue: 11)
            message.pointee.default_ = value
        }
        switch self.choice {
        case .number(let value)?:
            message.pointee.choice_case = .init(rawValue: 12)
            message.pointee.number = value
        case .text(let value)?:
            message.pointee.choice_case = .init(rawValue: 13)
            message.pointee.text = try encoder.string(value, field: "text")
        case nil: break
        }
        if !self.plain.isEmpty {
            message.pointee.plain = try encoder.string(self.plain, field: "plain")
        }
        message.pointee.plain_ratio = self.plainRatio
        encoder.negativeZero(self.plainRatio, number: 15, into: blank)
        message.pointee.plain_share = self.plainShare
        encoder.negativeZero(self.plainShare, number: 16, into: blank)
        let ratiosEntries = self.ratios.sorted { $0.key < $1.key }
            .map { RatiosEntry(key: $0.key, value: $0.value) }
        (message.pointee.n_ratios, message.pointee.ratios) = try encoder.messages(
            ratiosEntries, as: Golden__V1__Presence__RatiosEntry.self, field: "ratios")
        (message.pointee.n_others, message.pointee.others) = try encoder.messages(
            self.others, as: Golden__V1__Presence.self, field: "others")
    }

    /// What ``choice`` can be.
    public enum OneOf_Choice: Hashable, Sendable {
        /// `number`, field 12.
        case number(Int32)
        /// `text`, field 13.
        case text(String)
    }

    /// `golden.v1.Presence.Kind`.
    public enum Kind: ProtobufEnum {
        /// `KIND_UNSPECIFIED`, number 0.
        case unspecified
        /// `KIND_GOOD`, number 1.
        case good
        /// A number that this schema does not name, sent by a newer peer.
        case unrecognized(Int32)

        /// The value of number 0.
        public init() { self = .unspecified }

        /// The value of that number, or ``unrecognized(_:)``.
        public init(rawValue: Int32) {
            self = switch rawValue {
            case 0: .unspecified
            case 1: .good
            default: .unrecognized(rawValue)
            }
        }

        /// The number.
        public var rawValue: Int32 {
            switch self {
            case .unspecified: 0
            case .good: 1
            case .unrecognized(let number): number
            }
        }
    }

    /// One pair of a map: `golden.v1.Presence.RatiosEntry`.
    fileprivate struct RatiosEntry: Message {
        /// `key`, field 1.
        fileprivate var key: String = ""
        /// `value`, field 2.
        fileprivate var value: Double = 0
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: String = "",
            value: Double = 0
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: Golden__V1__Presence__RatiosEntry.self,
            initializedBy: golden__v1__presence__ratios_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: Golden__V1__Presence__RatiosEntry.self)
            self.key = MessageReader.string(message.pointee.key)
            self.value = message.pointee.value
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: Golden__V1__Presence__RatiosEntry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            if !self.key.isEmpty {
                message.pointee.key = try encoder.string(self.key, field: "key")
            }
            message.pointee.value = self.value
            encoder.negativeZero(self.value, number: 2, into: blank)
        }
    }
}

/// `golden/v1/presence.proto` in protobuf's own terms, for server reflection.
public enum GPPresenceFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "golden/v1/presence.proto",
        dependencies: [
            Google_Protobuf_TimestampFile.descriptor,
        ],
        serialized: """
            \n\u{18}golden/v1/presence.proto\u{12}\tgolden.v1\u{1a}\u{1f}google/protobuf/timestamp.proto\"\
            \u{c6}\u{6}\n\u{8}Presence\u{12}\u{19}\n\u{5}count\u{18}\u{1} \u{1}(\u{5}H\u{1}R\u{5}count\u{88}\
            \u{1}\u{1}\u{12}\u{1b}\n\u{6}offset\u{18}\u{2} \u{1}(\u{12}H\u{2}R\u{6}offset\u{88}\u{1}\u{1}\u{12}\
            \u{19}\n\u{5}ratio\u{18}\u{3} \u{1}(\u{1}H\u{3}R\u{5}ratio\u{88}\u{1}\u{1}\u{12}\u{19}\n\u{5}share\
            \u{18}\u{4} \u{1}(\u{2}H\u{4}R\u{5}share\u{88}\u{1}\u{1}\u{12}\u{17}\n\u{4}flag\u{18}\u{5} \u{1}(\
            \u{8}H\u{5}R\u{4}flag\u{88}\u{1}\u{1}\u{12}\u{17}\n\u{4}name\u{18}\u{6} \u{1}(\tH\u{6}R\u{4}name\
            \u{88}\u{1}\u{1}\u{12}\u{17}\n\u{4}data\u{18}\u{7} \u{1}(\u{c}H\u{7}R\u{4}data\u{88}\u{1}\u{1}\
            \u{12}1\n\u{4}kind\u{18}\u{8} \u{1}(\u{e}2\u{18}.golden.v1.Presence.KindH\u{8}R\u{4}kind\u{88}\u{1}\
            \u{1}\u{12}3\n\u{4}time\u{18}\t \u{1}(\u{b}2\u{1a}.google.protobuf.TimestampH\tR\u{4}time\u{88}\
            \u{1}\u{1}\u{12}.\n\u{5}inner\u{18}\n \u{1}(\u{b}2\u{13}.golden.v1.PresenceH\nR\u{5}inner\u{88}\
            \u{1}\u{1}\u{12}\u{1d}\n\u{7}default\u{18}\u{b} \u{1}(\u{7}H\u{b}R\u{7}default\u{88}\u{1}\u{1}\
            \u{12}\u{18}\n\u{6}number\u{18}\u{c} \u{1}(\u{5}H\0R\u{6}number\u{12}\u{14}\n\u{4}text\u{18}\r \
            \u{1}(\tH\0R\u{4}text\u{12}\u{14}\n\u{5}plain\u{18}\u{e} \u{1}(\tR\u{5}plain\u{12}\u{1f}\n\u{b}plai\
            n_ratio\u{18}\u{f} \u{1}(\u{1}R\nplainRatio\u{12}\u{1f}\n\u{b}plain_share\u{18}\u{10} \u{1}(\u{2}R\
            \nplainShare\u{12}7\n\u{6}ratios\u{18}\u{11} \u{3}(\u{b}2\u{1f}.golden.v1.Presence.RatiosEntryR\
            \u{6}ratios\u{12}+\n\u{6}others\u{18}\u{12} \u{3}(\u{b}2\u{13}.golden.v1.PresenceR\u{6}others\u{1a}\
            9\n\u{b}RatiosEntry\u{12}\u{10}\n\u{3}key\u{18}\u{1} \u{1}(\tR\u{3}key\u{12}\u{14}\n\u{5}value\
            \u{18}\u{2} \u{1}(\u{1}R\u{5}value:\u{2}8\u{1}\"+\n\u{4}Kind\u{12}\u{14}\n\u{10}KIND_UNSPECIFIED\
            \u{10}\0\u{12}\r\n\tKIND_GOOD\u{10}\u{1}B\u{8}\n\u{6}choiceB\u{8}\n\u{6}_countB\t\n\u{7}_offsetB\
            \u{8}\n\u{6}_ratioB\u{8}\n\u{6}_shareB\u{7}\n\u{5}_flagB\u{7}\n\u{5}_nameB\u{7}\n\u{5}_dataB\u{7}\n\
            \u{5}_kindB\u{7}\n\u{5}_timeB\u{8}\n\u{6}_innerB\n\n\u{8}_defaultB\u{5}\u{ba}\u{2}\u{2}GPb\u{6}prot\
            o3
            """)
}
