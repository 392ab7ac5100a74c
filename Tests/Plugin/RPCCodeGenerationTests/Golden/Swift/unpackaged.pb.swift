// Written by protoc-gen-pulseboard-swift from unpackaged.proto.
// Do not edit: change that file and generate again.

internal import GoldenMessagesC
import ProtobufC
import ProtobufWellKnownTypes

/// Neither package nor prefix: the C struct and the Swift struct have one name.
public struct Unpackaged: Message {
    /// `text`, field 1.
    public var text: String = ""
    /// `inner`, field 2.
    public var inner: Unpackaged? {
        get { innerStorage_.first }
        set { innerStorage_ = newValue.map { [$0] } ?? [] }
    }
    /// Holds `inner` out of line: the type contains itself.
    private var innerStorage_: [Unpackaged] = []
    /// `kind`, field 3.
    public var kind: Unpackaged.Kind = .init()
    /// `others`, field 4.
    public var others: [String: Unpackaged] = [:]
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        text: String = "",
        inner: Unpackaged? = nil,
        kind: Unpackaged.Kind = .init(),
        others: [String: Unpackaged] = [:]
    ) {
        self.text = text
        self.inner = inner
        self.kind = kind
        self.others = others
    }

    public static let descriptor = MessageDescriptor(
        of: GoldenMessagesC.Unpackaged.self,
        initializedBy: unpackaged__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: GoldenMessagesC.Unpackaged.self)
        self.text = MessageReader.string(message.pointee.text)
        self.inner = MessageReader.message(message.pointee.inner)
        self.kind = MessageReader.enumeration(message.pointee.kind)
        let othersEntries: [OthersEntry] = MessageReader.messages(message.pointee.n_others, message.pointee.others)
        self.others = Dictionary(othersEntries.map { ($0.key, $0.value ?? .init()) }, uniquingKeysWith: { $1 })
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: GoldenMessagesC.Unpackaged.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.text.isEmpty {
            message.pointee.text = try encoder.string(self.text, field: "text")
        }
        message.pointee.inner = try encoder.message(self.inner, as: GoldenMessagesC.Unpackaged.self, field: "inner")
        message.pointee.kind = encoder.enumeration(self.kind, as: Unpackaged__Kind.self)
        let othersEntries = self.others.sorted { $0.key < $1.key }
            .map { OthersEntry(key: $0.key, value: $0.value) }
        (message.pointee.n_others, message.pointee.others) = try encoder.messages(
            othersEntries, as: Unpackaged__OthersEntry.self, field: "others")
    }

    /// `Unpackaged.Kind`.
    public enum Kind: ProtobufEnum {
        /// `KIND_UNSPECIFIED`, number 0.
        case unspecified
        /// `KIND_OTHER`, number 1.
        case other
        /// A number that this schema does not name, sent by a newer peer.
        case unrecognized(Int32)

        /// The value of number 0.
        public init() { self = .unspecified }

        /// The value of that number, or ``unrecognized(_:)``.
        public init(rawValue: Int32) {
            self = switch rawValue {
            case 0: .unspecified
            case 1: .other
            default: .unrecognized(rawValue)
            }
        }

        /// The number.
        public var rawValue: Int32 {
            switch self {
            case .unspecified: 0
            case .other: 1
            case .unrecognized(let number): number
            }
        }
    }

    /// One pair of a map: `Unpackaged.OthersEntry`.
    fileprivate struct OthersEntry: Message {
        /// `key`, field 1.
        fileprivate var key: String = ""
        /// `value`, field 2.
        fileprivate var value: Unpackaged?
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: String = "",
            value: Unpackaged? = nil
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: Unpackaged__OthersEntry.self,
            initializedBy: unpackaged__others_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: Unpackaged__OthersEntry.self)
            self.key = MessageReader.string(message.pointee.key)
            self.value = MessageReader.message(message.pointee.value)
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: Unpackaged__OthersEntry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            if !self.key.isEmpty {
                message.pointee.key = try encoder.string(self.key, field: "key")
            }
            message.pointee.value = try encoder.message(self.value, as: GoldenMessagesC.Unpackaged.self, field: "value")
        }
    }
}

/// `unpackaged.proto` in protobuf's own terms, for server reflection.
public enum UnpackagedFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "unpackaged.proto",
        dependencies: [],
        serialized: """
            \n\u{10}unpackaged.proto\"\u{90}\u{2}\n\nUnpackaged\u{12}\u{12}\n\u{4}text\u{18}\u{1} \u{1}(\tR\
            \u{4}text\u{12}!\n\u{5}inner\u{18}\u{2} \u{1}(\u{b}2\u{b}.UnpackagedR\u{5}inner\u{12}$\n\u{4}kind\
            \u{18}\u{3} \u{1}(\u{e}2\u{10}.Unpackaged.KindR\u{4}kind\u{12}/\n\u{6}others\u{18}\u{4} \u{3}(\u{b}\
            2\u{17}.Unpackaged.OthersEntryR\u{6}others\u{1a}F\n\u{b}OthersEntry\u{12}\u{10}\n\u{3}key\u{18}\
            \u{1} \u{1}(\tR\u{3}key\u{12}!\n\u{5}value\u{18}\u{2} \u{1}(\u{b}2\u{b}.UnpackagedR\u{5}value:\u{2}\
            8\u{1}\",\n\u{4}Kind\u{12}\u{14}\n\u{10}KIND_UNSPECIFIED\u{10}\0\u{12}\u{e}\n\nKIND_OTHER\u{10}\
            \u{1}b\u{6}proto3
            """)
}
