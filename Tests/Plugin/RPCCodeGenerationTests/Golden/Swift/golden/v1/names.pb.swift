// Written by protoc-gen-pulseboard-swift from golden/v1/names.proto.
// Do not edit: change that file and generate again.

internal import GoldenMessagesC
import ProtobufC
import ProtobufWellKnownTypes

/// Field names that are words of Swift or C, or names that every message uses.
public struct GPWords: Message {
    /// `self`, field 1.
    public var self_: Int32 = 0
    /// `init`, field 2.
    public var init_: Int32 = 0
    /// `Type`, field 3.
    public var type: Int32 = 0
    /// `description`, field 4.
    public var description_: Int32 = 0
    /// `descriptor`, field 5.
    public var descriptor_: Int32 = 0
    /// `unknown_fields`, field 6.
    public var unknownFields_: Int32 = 0
    /// `hash_value`, field 7.
    public var hashValue_: Int32 = 0
    /// `fill`, field 8.
    public var fill_: Int32 = 0
    /// `in`, field 9.
    public var `in`: Int32 = 0
    /// `func`, field 10.
    public var `func`: Int32 = 0
    /// `let`, field 11.
    public var `let`: Int32 = 0
    /// `class`, field 12.
    public var `class`: Int32 = 0
    /// `default`, field 13.
    public var `default`: Int32 = 0
    /// `while`, field 14.
    public var `while`: [String] = []
    /// `int`, field 15.
    public var int: String = ""
    /// `namespace`, field 16.
    public var namespace: [UInt8] = []
    /// `protocol`, field 17.
    public var `protocol`: Int32 = 0
    /// `message`, field 18.
    public var message: Int32 = 0
    /// `pointer`, field 19.
    public var pointer: Int32 = 0
    /// `encoder`, field 20.
    public var encoder: Int32 = 0
    /// `serialized_bytes`, field 21.
    public var serializedBytes_: [Int32] = []
    /// `json_string`, field 22.
    public var jsonString_: String = ""
    /// `switch`, field 23.
    public var `switch`: [String: Int32] = [:]
    /// The `operator` that is set, if any.
    public var `operator`: OneOf_Operator?
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        self_: Int32 = 0,
        init_: Int32 = 0,
        type: Int32 = 0,
        description_: Int32 = 0,
        descriptor_: Int32 = 0,
        unknownFields_: Int32 = 0,
        hashValue_: Int32 = 0,
        fill_: Int32 = 0,
        `in`: Int32 = 0,
        `func`: Int32 = 0,
        `let`: Int32 = 0,
        `class`: Int32 = 0,
        `default`: Int32 = 0,
        `while`: [String] = [],
        int: String = "",
        namespace: [UInt8] = [],
        `protocol`: Int32 = 0,
        message: Int32 = 0,
        pointer: Int32 = 0,
        encoder: Int32 = 0,
        serializedBytes_: [Int32] = [],
        jsonString_: String = "",
        `switch`: [String: Int32] = [:],
        `operator`: OneOf_Operator? = nil
    ) {
        self.self_ = self_
        self.init_ = init_
        self.type = type
        self.description_ = description_
        self.descriptor_ = descriptor_
        self.unknownFields_ = unknownFields_
        self.hashValue_ = hashValue_
        self.fill_ = fill_
        self.`in` = `in`
        self.`func` = `func`
        self.`let` = `let`
        self.`class` = `class`
        self.`default` = `default`
        self.`while` = `while`
        self.int = int
        self.namespace = namespace
        self.`protocol` = `protocol`
        self.message = message
        self.pointer = pointer
        self.encoder = encoder
        self.serializedBytes_ = serializedBytes_
        self.jsonString_ = jsonString_
        self.`switch` = `switch`
        self.`operator` = `operator`
    }

    public static let descriptor = MessageDescriptor(
        of: Golden__V1__Words.self,
        initializedBy: golden__v1__words__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Golden__V1__Words.self)
        self.self_ = message.pointee.`self`
        self.init_ = message.pointee.`init`
        self.type = message.pointee.type
        self.description_ = message.pointee.description
        self.descriptor_ = message.pointee.descriptor
        self.unknownFields_ = message.pointee.unknown_fields
        self.hashValue_ = message.pointee.hash_value
        self.fill_ = message.pointee.fill
        self.`in` = message.pointee.in
        self.`func` = message.pointee.func
        self.`let` = message.pointee.let
        self.`class` = message.pointee.class_
        self.`default` = message.pointee.default_
        self.`while` = MessageReader.strings(message.pointee.n_while_, message.pointee.while_)
        self.int = MessageReader.string(message.pointee.int_)
        self.namespace = MessageReader.bytes(message.pointee.namespace_)
        self.`protocol` = message.pointee.protocol
        self.message = message.pointee.message
        self.pointer = message.pointee.pointer
        self.encoder = message.pointee.encoder
        self.serializedBytes_ = MessageReader.scalars(
            message.pointee.n_serialized_bytes, message.pointee.serialized_bytes)
        self.jsonString_ = MessageReader.string(message.pointee.json_string)
        let switchEntries: [SwitchEntry] = MessageReader.messages(message.pointee.n_switch_, message.pointee.switch_)
        self.`switch` = Dictionary(switchEntries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        switch message.pointee.operator_case.rawValue {
        case 24: self.`operator` = .none_(message.pointee.none)
        case 25: self.`operator` = .`nil`(MessageReader.string(message.pointee.nil))
        case 26: self.`operator` = .`case`(message.pointee.case_)
        default: break
        }
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Golden__V1__Words.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.`self` = self.self_
        message.pointee.`init` = self.init_
        message.pointee.type = self.type
        message.pointee.description = self.description_
        message.pointee.descriptor = self.descriptor_
        message.pointee.unknown_fields = self.unknownFields_
        message.pointee.hash_value = self.hashValue_
        message.pointee.fill = self.fill_
        message.pointee.in = self.`in`
        message.pointee.func = self.`func`
        message.pointee.let = self.`let`
        message.pointee.class_ = self.`class`
        message.pointee.default_ = self.`default`
        (message.pointee.n_while_, message.pointee.while_) = try encoder.strings(self.`while`, field: "while")
        if !self.int.isEmpty {
            message.pointee.int_ = try encoder.string(self.int, field: "int")
        }
        if !self.namespace.isEmpty {
            message.pointee.namespace_ = encoder.bytes(self.namespace)
        }
        message.pointee.protocol = self.`protocol`
        message.pointee.message = self.message
        message.pointee.pointer = self.pointer
        message.pointee.encoder = self.encoder
        (message.pointee.n_serialized_bytes, message.pointee.serialized_bytes) = encoder.scalars(self.serializedBytes_)
        if !self.jsonString_.isEmpty {
            message.pointee.json_string = try encoder.string(self.jsonString_, field: "json_string")
        }
        let switchEntries = self.`switch`.sorted { $0.key < $1.key }
            .map { SwitchEntry(key: $0.key, value: $0.value) }
        (message.pointee.n_switch_, message.pointee.switch_) = try encoder.messages(
            switchEntries, as: Golden__V1__Words__SwitchEntry.self, field: "switch")
        switch self.`operator` {
        case .none_(let value)?:
            message.pointee.operator_case = .init(rawValue: 24)
            message.pointee.none = value
        case .`nil`(let value)?:
            message.pointee.operator_case = .init(rawValue: 25)
            message.pointee.nil = try encoder.string(value, field: "nil")
        case .`case`(let value)?:
            message.pointee.operator_case = .init(rawValue: 26)
            message.pointee.case_ = value
        case nil: break
        }
    }

    /// What ``operator`` can be.
    public enum OneOf_Operator: Hashable, Sendable {
        /// `none`, field 24.
        case none_(Int32)
        /// `nil`, field 25.
        case `nil`(String)
        /// `case`, field 26.
        case `case`(Int32)
    }

    /// One pair of a map: `golden.v1.Words.SwitchEntry`.
    fileprivate struct SwitchEntry: Message {
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
            of: Golden__V1__Words__SwitchEntry.self,
            initializedBy: golden__v1__words__switch_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: Golden__V1__Words__SwitchEntry.self)
            self.key = MessageReader.string(message.pointee.key)
            self.value = message.pointee.value
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: Golden__V1__Words__SwitchEntry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            if !self.key.isEmpty {
                message.pointee.key = try encoder.string(self.key, field: "key")
            }
            message.pointee.value = self.value
        }
    }
}

/// Names in unusual letter case.
public struct GPHTTPThing_x: Message {
    /// `user_id`, field 1.
    public var userID: String = ""
    /// `id`, field 2.
    public var id: String = ""
    /// `url`, field 3.
    public var url: String = ""
    /// `image_url`, field 4.
    public var imageURL: String = ""
    /// `user_ids`, field 5.
    public var userIds: [String] = []
    /// `camelCase`, field 6.
    public var camelCase: String = ""
    /// `UPPER`, field 7.
    public var upper: String = ""
    /// `HTTPServer`, field 8.
    public var httpServer: String = ""
    /// `x2y_3z`, field 9.
    public var x2y3z: String = ""
    /// The `pick_One` that is set, if any.
    public var pickOne: OneOf_PickOne?
    /// `e`, field 12.
    public var e: GPHTTPThing_x.my_Enum = .init()
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        userID: String = "",
        id: String = "",
        url: String = "",
        imageURL: String = "",
        userIds: [String] = [],
        camelCase: String = "",
        upper: String = "",
        httpServer: String = "",
        x2y3z: String = "",
        pickOne: OneOf_PickOne? = nil,
        e: GPHTTPThing_x.my_Enum = .init()
    ) {
        self.userID = userID
        self.id = id
        self.url = url
        self.imageURL = imageURL
        self.userIds = userIds
        self.camelCase = camelCase
        self.upper = upper
        self.httpServer = httpServer
        self.x2y3z = x2y3z
        self.pickOne = pickOne
        self.e = e
    }

    public static let descriptor = MessageDescriptor(
        of: Golden__V1__HTTPThingX.self,
        initializedBy: golden__v1__httpthing_x__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Golden__V1__HTTPThingX.self)
        self.userID = MessageReader.string(message.pointee.user_id)
        self.id = MessageReader.string(message.pointee.id)
        self.url = MessageReader.string(message.pointee.url)
        self.imageURL = MessageReader.string(message.pointee.image_url)
        self.userIds = MessageReader.strings(message.pointee.n_user_ids, message.pointee.user_ids)
        self.camelCase = MessageReader.string(message.pointee.camelcase)
        self.upper = MessageReader.string(message.pointee.upper)
        self.httpServer = MessageReader.string(message.pointee.httpserver)
        self.x2y3z = MessageReader.string(message.pointee.x2y_3z)
        switch message.pointee.pick__one_case.rawValue {
        case 10: self.pickOne = .aName(MessageReader.string(message.pointee.a_name))
        case 11: self.pickOne = .otherName(message.pointee.othername)
        default: break
        }
        self.e = MessageReader.enumeration(message.pointee.e)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Golden__V1__HTTPThingX.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.userID.isEmpty {
            message.pointee.user_id = try encoder.string(self.userID, field: "user_id")
        }
        if !self.id.isEmpty {
            message.pointee.id = try encoder.string(self.id, field: "id")
        }
        if !self.url.isEmpty {
            message.pointee.url = try encoder.string(self.url, field: "url")
        }
        if !self.imageURL.isEmpty {
            message.pointee.image_url = try encoder.string(self.imageURL, field: "image_url")
        }
        (message.pointee.n_user_ids, message.pointee.user_ids) = try encoder.strings(self.userIds, field: "user_ids")
        if !self.camelCase.isEmpty {
            message.pointee.camelcase = try encoder.string(self.camelCase, field: "camelCase")
        }
        if !self.upper.isEmpty {
            message.pointee.upper = try encoder.string(self.upper, field: "UPPER")
        }
        if !self.httpServer.isEmpty {
            message.pointee.httpserver = try encoder.string(self.httpServer, field: "HTTPServer")
        }
        if !self.x2y3z.isEmpty {
            message.pointee.x2y_3z = try encoder.string(self.x2y3z, field: "x2y_3z")
        }
        switch self.pickOne {
        case .aName(let value)?:
            message.pointee.pick__one_case = .init(rawValue: 10)
            message.pointee.a_name = try encoder.string(value, field: "A_name")
        case .otherName(let value)?:
            message.pointee.pick__one_case = .init(rawValue: 11)
            message.pointee.othername = value
        case nil: break
        }
        message.pointee.e = encoder.enumeration(self.e, as: Golden__V1__HTTPThingX__MyEnum.self)
    }

    /// What ``pickOne`` can be.
    public enum OneOf_PickOne: Hashable, Sendable {
        /// `A_name`, field 10.
        case aName(String)
        /// `otherName`, field 11.
        case otherName(Int32)
    }

    /// `golden.v1.HTTPThing_x.my_Enum`.
    public enum my_Enum: ProtobufEnum {
        /// `first`, number 0.
        case first
        /// `MY_ENUM_SECOND`, number 1.
        case second
        /// `ThirdValue`, number 2.
        case thirdValue
        /// A number that this schema does not name, sent by a newer peer.
        case unrecognized(Int32)

        /// The value of number 0.
        public init() { self = .first }

        /// The value of that number, or ``unrecognized(_:)``.
        public init(rawValue: Int32) {
            self = switch rawValue {
            case 0: .first
            case 1: .second
            case 2: .thirdValue
            default: .unrecognized(rawValue)
            }
        }

        /// The number.
        public var rawValue: Int32 {
            switch self {
            case .first: 0
            case .second: 1
            case .thirdValue: 2
            case .unrecognized(let number): number
            }
        }
    }
}

/// Types that Swift knows already.
public struct GPNames: Message {
    /// `string`, field 1.
    public var string: GPNames.StringMessage?
    /// `type`, field 2.
    public var type: GPNames.TypeMessage?
    /// `protocol`, field 3.
    public var `protocol`: GPNames.ProtocolEnum = .init()
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        string: GPNames.StringMessage? = nil,
        type: GPNames.TypeMessage? = nil,
        `protocol`: GPNames.ProtocolEnum = .init()
    ) {
        self.string = string
        self.type = type
        self.`protocol` = `protocol`
    }

    public static let descriptor = MessageDescriptor(
        of: Golden__V1__Names.self,
        initializedBy: golden__v1__names__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Golden__V1__Names.self)
        self.string = MessageReader.message(message.pointee.string)
        self.type = MessageReader.message(message.pointee.type)
        self.`protocol` = MessageReader.enumeration(message.pointee.protocol)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Golden__V1__Names.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.string = try encoder.message(self.string, as: Golden__V1__Names__String.self, field: "string")
        message.pointee.type = try encoder.message(self.type, as: Golden__V1__Names__Type.self, field: "type")
        message.pointee.protocol = encoder.enumeration(self.`protocol`, as: Golden__V1__Names__Protocol.self)
    }

    /// `golden.v1.Names.Protocol`.
    public enum ProtocolEnum: ProtobufEnum {
        /// `PROTOCOL_UNSPECIFIED`, number 0.
        case unspecified
        /// `UNRECOGNIZED`, number 1.
        case unrecognized_
        /// A number that this schema does not name, sent by a newer peer.
        case unrecognized(Int32)

        /// The value of number 0.
        public init() { self = .unspecified }

        /// The value of that number, or ``unrecognized(_:)``.
        public init(rawValue: Int32) {
            self = switch rawValue {
            case 0: .unspecified
            case 1: .unrecognized_
            default: .unrecognized(rawValue)
            }
        }

        /// The number.
        public var rawValue: Int32 {
            switch self {
            case .unspecified: 0
            case .unrecognized_: 1
            case .unrecognized(let number): number
            }
        }
    }

    /// `golden.v1.Names.String`.
    public struct StringMessage: Message {
        /// `string`, field 1.
        public var string: String = ""
        public var unknownFields = UnknownFields()

        /// A message with every field at its default.
        public init() {}

        /// A message with the fields given; the others have their defaults.
        public init(string: String = "") {
            self.string = string
        }

        public static let descriptor = MessageDescriptor(
            of: Golden__V1__Names__String.self,
            initializedBy: golden__v1__names__string__init)

        public init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: Golden__V1__Names__String.self)
            self.string = MessageReader.string(message.pointee.string)
            self.unknownFields = unpacked.unknownFields
        }

        public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: Golden__V1__Names__String.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            if !self.string.isEmpty {
                message.pointee.string = try encoder.string(self.string, field: "string")
            }
        }
    }

    /// `golden.v1.Names.Type`.
    public struct TypeMessage: Message {
        /// `string`, field 1.
        public var string: GPNames.StringMessage?
        public var unknownFields = UnknownFields()

        /// A message with every field at its default.
        public init() {}

        /// A message with the fields given; the others have their defaults.
        public init(string: GPNames.StringMessage? = nil) {
            self.string = string
        }

        public static let descriptor = MessageDescriptor(
            of: Golden__V1__Names__Type.self,
            initializedBy: golden__v1__names__type__init)

        public init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: Golden__V1__Names__Type.self)
            self.string = MessageReader.message(message.pointee.string)
            self.unknownFields = unpacked.unknownFields
        }

        public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: Golden__V1__Names__Type.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            message.pointee.string = try encoder.message(
                self.string, as: Golden__V1__Names__String.self, field: "string")
        }
    }
}

/// `golden/v1/names.proto` in protobuf's own terms, for server reflection.
public enum GPNamesFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "golden/v1/names.proto",
        dependencies: [],
        serialized: """
            \n\u{15}golden/v1/names.proto\u{12}\tgolden.v1\"\u{fe}\u{5}\n\u{5}Words\u{12}\u{12}\n\u{4}self\
            \u{18}\u{1} \u{1}(\u{5}R\u{4}self\u{12}\u{12}\n\u{4}init\u{18}\u{2} \u{1}(\u{5}R\u{4}init\u{12}\
            \u{12}\n\u{4}Type\u{18}\u{3} \u{1}(\u{5}R\u{4}Type\u{12} \n\u{b}description\u{18}\u{4} \u{1}(\u{5}R\
            \u{b}description\u{12}\u{1e}\n\ndescriptor\u{18}\u{5} \u{1}(\u{5}R\ndescriptor\u{12}%\n\u{e}unknown\
            _fields\u{18}\u{6} \u{1}(\u{5}R\runknownFields\u{12}\u{1d}\n\nhash_value\u{18}\u{7} \u{1}(\u{5}R\th\
            ashValue\u{12}\u{12}\n\u{4}fill\u{18}\u{8} \u{1}(\u{5}R\u{4}fill\u{12}\u{e}\n\u{2}in\u{18}\t \u{1}(\
            \u{5}R\u{2}in\u{12}\u{12}\n\u{4}func\u{18}\n \u{1}(\u{5}R\u{4}func\u{12}\u{10}\n\u{3}let\u{18}\u{b}\
             \u{1}(\u{5}R\u{3}let\u{12}\u{14}\n\u{5}class\u{18}\u{c} \u{1}(\u{5}R\u{5}class\u{12}\u{18}\n\u{7}d\
            efault\u{18}\r \u{1}(\u{5}R\u{7}default\u{12}\u{14}\n\u{5}while\u{18}\u{e} \u{3}(\tR\u{5}while\
            \u{12}\u{10}\n\u{3}int\u{18}\u{f} \u{1}(\tR\u{3}int\u{12}\u{1c}\n\tnamespace\u{18}\u{10} \u{1}(\
            \u{c}R\tnamespace\u{12}\u{1a}\n\u{8}protocol\u{18}\u{11} \u{1}(\u{5}R\u{8}protocol\u{12}\u{18}\n\
            \u{7}message\u{18}\u{12} \u{1}(\u{5}R\u{7}message\u{12}\u{18}\n\u{7}pointer\u{18}\u{13} \u{1}(\u{5}\
            R\u{7}pointer\u{12}\u{18}\n\u{7}encoder\u{18}\u{14} \u{1}(\u{5}R\u{7}encoder\u{12})\n\u{10}serializ\
            ed_bytes\u{18}\u{15} \u{3}(\u{5}R\u{f}serializedBytes\u{12}\u{1f}\n\u{b}json_string\u{18}\u{16} \
            \u{1}(\tR\njsonString\u{12}4\n\u{6}switch\u{18}\u{17} \u{3}(\u{b}2\u{1c}.golden.v1.Words.SwitchEntr\
            yR\u{6}switch\u{12}\u{14}\n\u{4}none\u{18}\u{18} \u{1}(\u{5}H\0R\u{4}none\u{12}\u{12}\n\u{3}nil\
            \u{18}\u{19} \u{1}(\tH\0R\u{3}nil\u{12}\u{14}\n\u{4}case\u{18}\u{1a} \u{1}(\u{5}H\0R\u{4}case\u{1a}\
            9\n\u{b}SwitchEntry\u{12}\u{10}\n\u{3}key\u{18}\u{1} \u{1}(\tR\u{3}key\u{12}\u{14}\n\u{5}value\
            \u{18}\u{2} \u{1}(\u{5}R\u{5}value:\u{2}8\u{1}B\n\n\u{8}operator\"\u{98}\u{3}\n\u{b}HTTPThing_x\
            \u{12}\u{17}\n\u{7}user_id\u{18}\u{1} \u{1}(\tR\u{6}userId\u{12}\u{e}\n\u{2}id\u{18}\u{2} \u{1}(\tR\
            \u{2}id\u{12}\u{10}\n\u{3}url\u{18}\u{3} \u{1}(\tR\u{3}url\u{12}\u{1b}\n\timage_url\u{18}\u{4} \
            \u{1}(\tR\u{8}imageUrl\u{12}\u{19}\n\u{8}user_ids\u{18}\u{5} \u{3}(\tR\u{7}userIds\u{12}\u{1c}\n\tc\
            amelCase\u{18}\u{6} \u{1}(\tR\tcamelCase\u{12}\u{14}\n\u{5}UPPER\u{18}\u{7} \u{1}(\tR\u{5}UPPER\
            \u{12}\u{1e}\n\nHTTPServer\u{18}\u{8} \u{1}(\tR\nHTTPServer\u{12}\u{15}\n\u{6}x2y_3z\u{18}\t \u{1}(\
            \tR\u{5}x2y3z\u{12}\u{17}\n\u{6}A_name\u{18}\n \u{1}(\tH\0R\u{5}AName\u{12}\u{1e}\n\totherName\
            \u{18}\u{b} \u{1}(\u{5}H\0R\totherName\u{12},\n\u{1}e\u{18}\u{c} \u{1}(\u{e}2\u{1e}.golden.v1.HTTPT\
            hing_x.my_EnumR\u{1}e\"8\n\u{7}my_Enum\u{12}\t\n\u{5}first\u{10}\0\u{12}\u{12}\n\u{e}MY_ENUM_SECOND\
            \u{10}\u{1}\u{12}\u{e}\n\nThirdValue\u{10}\u{2}B\n\n\u{8}pick_One\"\u{ad}\u{2}\n\u{5}Names\u{12}/\n\
            \u{6}string\u{18}\u{1} \u{1}(\u{b}2\u{17}.golden.v1.Names.StringR\u{6}string\u{12})\n\u{4}type\
            \u{18}\u{2} \u{1}(\u{b}2\u{15}.golden.v1.Names.TypeR\u{4}type\u{12}5\n\u{8}protocol\u{18}\u{3} \
            \u{1}(\u{e}2\u{19}.golden.v1.Names.ProtocolR\u{8}protocol\u{1a} \n\u{6}String\u{12}\u{16}\n\u{6}str\
            ing\u{18}\u{1} \u{1}(\tR\u{6}string\u{1a}7\n\u{4}Type\u{12}/\n\u{6}string\u{18}\u{1} \u{1}(\u{b}2\
            \u{17}.golden.v1.Names.StringR\u{6}string\"6\n\u{8}Protocol\u{12}\u{18}\n\u{14}PROTOCOL_UNSPECIFIED\
            \u{10}\0\u{12}\u{10}\n\u{c}UNRECOGNIZED\u{10}\u{1}2\u{c1}\u{3}\n\u{b}NameService\u{12}.\n\u{8}FindN\
            ame\u{12}\u{10}.golden.v1.Words\u{1a}\u{10}.golden.v1.Names\u{12}6\n\u{4}Self\u{12}\u{16}.golden.v1\
            .HTTPThing_x\u{1a}\u{16}.golden.v1.HTTPThing_x\u{12}.\n\u{8}Protocol\u{12}\u{10}.golden.v1.Names\
            \u{1a}\u{10}.golden.v1.Words\u{12},\n\u{6}Delete\u{12}\u{10}.golden.v1.Names\u{1a}\u{10}.golden.v1.\
            Words\u{12}0\n\u{8}Register\u{12}\u{10}.golden.v1.Names\u{1a}\u{10}.golden.v1.Words0\u{1}\u{12},\n\
            \u{4}Init\u{12}\u{10}.golden.v1.Names\u{1a}\u{10}.golden.v1.Words(\u{1}\u{12}-\n\u{7}Default\u{12}\
            \u{10}.golden.v1.Names\u{1a}\u{10}.golden.v1.Words\u{12}0\n\u{6}Return\u{12}\u{10}.golden.v1.Names\
            \u{1a}\u{10}.golden.v1.Words(\u{1}0\u{1}\u{12}+\n\u{5}Linux\u{12}\u{10}.golden.v1.Names\u{1a}\u{10}\
            .golden.v1.WordsB\u{5}\u{ba}\u{2}\u{2}GPb\u{6}proto3
            """)
}
