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
            \u{f}\n\u{b}NOT_SERVING\u{10}\u{2}\u{12}\u{13}\n\u{f}SERVICE_UNKNOWN\u{10}\u{3}2\u{ae}\u{1}\n\u{6}H\
            ealth\u{12}P\n\u{5}Check\u{12}\".grpc.health.v1.HealthCheckRequest\u{1a}#.grpc.health.v1.HealthChec\
            kResponse\u{12}R\n\u{5}Watch\u{12}\".grpc.health.v1.HealthCheckRequest\u{1a}#.grpc.health.v1.Health\
            CheckResponse0\u{1}b\u{6}proto3
            """)
}
