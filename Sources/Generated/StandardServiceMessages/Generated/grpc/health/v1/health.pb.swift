// Written by protoc-gen-pulseboard-swift from grpc/health/v1/health.proto.
// Do not edit: change that file and generate again.

internal import StandardServicesC
import ProtobufC

/// `grpc.health.v1.HealthCheckRequest`.
public struct Grpc_Health_V1_HealthCheckRequest: Message {
    /// Full name of a service; empty for the server as a whole.
    public var service: String = ""
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(service: String = "") {
        self.service = service
    }

    public static let descriptor = MessageDescriptor(
        of: Grpc__Health__V1__HealthCheckRequest.self,
        initializedBy: grpc__health__v1__health_check_request__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Grpc__Health__V1__HealthCheckRequest.self)
        self.service = MessageReader.string(message.pointee.service)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Grpc__Health__V1__HealthCheckRequest.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.service.isEmpty {
            message.pointee.service = try encoder.string(self.service, field: "service")
        }
    }
}

/// `grpc.health.v1.HealthCheckResponse`.
public struct Grpc_Health_V1_HealthCheckResponse: Message {
    /// `status`, field 1.
    public var status: Grpc_Health_V1_HealthCheckResponse.ServingStatus = .init()
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(status: Grpc_Health_V1_HealthCheckResponse.ServingStatus = .init()) {
        self.status = status
    }

    public static let descriptor = MessageDescriptor(
        of: Grpc__Health__V1__HealthCheckResponse.self,
        initializedBy: grpc__health__v1__health_check_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Grpc__Health__V1__HealthCheckResponse.self)
        self.status = MessageReader.enumeration(message.pointee.status)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Grpc__Health__V1__HealthCheckResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.status = encoder.enumeration(
            self.status, as: Grpc__Health__V1__HealthCheckResponse__ServingStatus.self)
    }

    /// `grpc.health.v1.HealthCheckResponse.ServingStatus`.
    public enum ServingStatus: ProtobufEnum {
        /// `UNKNOWN`, number 0.
        case unknown
        /// `SERVING`, number 1.
        case serving
        /// `NOT_SERVING`, number 2.
        case notServing
        /// Only Watch says so: the server has no service of that name, at this time.
        case serviceUnknown
        /// A number that this schema does not name, sent by a newer peer.
        case unrecognized(Int32)

        /// The value of number 0.
        public init() { self = .unknown }

        /// The value of that number, or ``unrecognized(_:)``.
        public init(rawValue: Int32) {
            self = switch rawValue {
            case 0: .unknown
            case 1: .serving
            case 2: .notServing
            case 3: .serviceUnknown
            default: .unrecognized(rawValue)
            }
        }

        /// The number.
        public var rawValue: Int32 {
            switch self {
            case .unknown: 0
            case .serving: 1
            case .notServing: 2
            case .serviceUnknown: 3
            case .unrecognized(let number): number
            }
        }
    }
}

/// `grpc.health.v1.HealthListRequest`.
public struct Grpc_Health_V1_HealthListRequest: Message {
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    public static let descriptor = MessageDescriptor(
        of: Grpc__Health__V1__HealthListRequest.self,
        initializedBy: grpc__health__v1__health_list_request__init)

    public init(unpacked: UnpackedStruct) {
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        encoder.unknownFields(self.unknownFields, into: blank)
    }
}

/// `grpc.health.v1.HealthListResponse`.
public struct Grpc_Health_V1_HealthListResponse: Message {
    /// The status of each service by its full name; the empty name is the server as a whole.
    public var statuses: [String: Grpc_Health_V1_HealthCheckResponse] = [:]
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(statuses: [String: Grpc_Health_V1_HealthCheckResponse] = [:]) {
        self.statuses = statuses
    }

    public static let descriptor = MessageDescriptor(
        of: Grpc__Health__V1__HealthListResponse.self,
        initializedBy: grpc__health__v1__health_list_response__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Grpc__Health__V1__HealthListResponse.self)
        let statusesEntries: [StatusesEntry] = MessageReader.messages(
            message.pointee.n_statuses, message.pointee.statuses)
        self.statuses = Dictionary(statusesEntries.map { ($0.key, $0.value ?? .init()) }, uniquingKeysWith: { $1 })
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Grpc__Health__V1__HealthListResponse.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        let statusesEntries = self.statuses.sorted { $0.key < $1.key }
            .map { StatusesEntry(key: $0.key, value: $0.value) }
        (message.pointee.n_statuses, message.pointee.statuses) = try encoder.messages(
            statusesEntries, as: Grpc__Health__V1__HealthListResponse__StatusesEntry.self, field: "statuses")
    }

    /// One pair of a map: `grpc.health.v1.HealthListResponse.StatusesEntry`.
    fileprivate struct StatusesEntry: Message {
        /// `key`, field 1.
        fileprivate var key: String = ""
        /// `value`, field 2.
        fileprivate var value: Grpc_Health_V1_HealthCheckResponse?
        fileprivate var unknownFields = UnknownFields()

        /// A message with every field at its default.
        fileprivate init() {}

        /// A message with the fields given; the others have their defaults.
        fileprivate init(
            key: String = "",
            value: Grpc_Health_V1_HealthCheckResponse? = nil
        ) {
            self.key = key
            self.value = value
        }

        fileprivate static let descriptor = MessageDescriptor(
            of: Grpc__Health__V1__HealthListResponse__StatusesEntry.self,
            initializedBy: grpc__health__v1__health_list_response__statuses_entry__init)

        fileprivate init(unpacked: UnpackedStruct) {
            let message = unpacked.pointer(to: Grpc__Health__V1__HealthListResponse__StatusesEntry.self)
            self.key = MessageReader.string(message.pointee.key)
            self.value = MessageReader.message(message.pointee.value)
            self.unknownFields = unpacked.unknownFields
        }

        fileprivate func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
            let message = blank.pointer(to: Grpc__Health__V1__HealthListResponse__StatusesEntry.self)
            encoder.unknownFields(self.unknownFields, into: blank)
            if !self.key.isEmpty {
                message.pointee.key = try encoder.string(self.key, field: "key")
            }
            message.pointee.value = try encoder.message(
                self.value, as: Grpc__Health__V1__HealthCheckResponse.self, field: "value")
        }
    }
}

/// `grpc/health/v1/health.proto` in protobuf's own terms, for server reflection.
public enum Grpc_Health_V1_HealthFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "grpc/health/v1/health.proto",
        dependencies: [],
        serialized: """
            \n\u{1b}grpc/health/v1/health.proto\u{12}\u{e}grpc.health.v1\".\n\u{12}HealthCheckRequest\u{12}\
            \u{18}\n\u{7}service\u{18}\u{1} \u{1}(\tR\u{7}service\"\u{b1}\u{1}\n\u{13}HealthCheckResponse\u{12}\
            I\n\u{6}status\u{18}\u{1} \u{1}(\u{e}21.grpc.health.v1.HealthCheckResponse.ServingStatusR\u{6}statu\
            s\"O\n\rServingStatus\u{12}\u{b}\n\u{7}UNKNOWN\u{10}\0\u{12}\u{b}\n\u{7}SERVING\u{10}\u{1}\u{12}\
            \u{f}\n\u{b}NOT_SERVING\u{10}\u{2}\u{12}\u{13}\n\u{f}SERVICE_UNKNOWN\u{10}\u{3}\"\u{13}\n\u{11}Heal\
            thListRequest\"\u{c4}\u{1}\n\u{12}HealthListResponse\u{12}L\n\u{8}statuses\u{18}\u{1} \u{3}(\u{b}20\
            .grpc.health.v1.HealthListResponse.StatusesEntryR\u{8}statuses\u{1a}`\n\rStatusesEntry\u{12}\u{10}\
            \n\u{3}key\u{18}\u{1} \u{1}(\tR\u{3}key\u{12}9\n\u{5}value\u{18}\u{2} \u{1}(\u{b}2#.grpc.health.v1.\
            HealthCheckResponseR\u{5}value:\u{2}8\u{1}2\u{fd}\u{1}\n\u{6}Health\u{12}P\n\u{5}Check\u{12}\".grpc\
            .health.v1.HealthCheckRequest\u{1a}#.grpc.health.v1.HealthCheckResponse\u{12}M\n\u{4}List\u{12}!.gr\
            pc.health.v1.HealthListRequest\u{1a}\".grpc.health.v1.HealthListResponse\u{12}R\n\u{5}Watch\u{12}\"\
            .grpc.health.v1.HealthCheckRequest\u{1a}#.grpc.health.v1.HealthCheckResponse0\u{1}b\u{6}proto3
            """)
}
