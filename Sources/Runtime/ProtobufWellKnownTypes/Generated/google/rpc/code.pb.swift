// Written by protoc-gen-pulseboard-swift from google/rpc/code.proto.
// Do not edit: change that file and generate again.

internal import WellKnownTypesC
import ProtobufC

/// How a call ended. The numbers are those of gRPC.
public enum Google_Rpc_Code: ProtobufEnum {
    /// It succeeded.
    case ok
    /// The caller gave it up.
    case cancelled
    /// It failed with an error that nobody classified.
    case unknown
    /// The request is wrong, whatever the state of the system.
    case invalidArgument
    /// Time ran out. It may have happened all the same.
    case deadlineExceeded
    /// What it is about does not exist.
    case notFound
    /// What it was to make exists already.
    case alreadyExists
    /// The caller is known and may not.
    case permissionDenied
    /// A quota or a space is used up.
    case resourceExhausted
    /// The system's state must change before the same call can succeed.
    case failedPrecondition
    /// It lost against a concurrent change; start again from reading.
    case aborted
    /// It went past a valid end.
    case outOfRange
    /// The server does not offer it.
    case unimplemented
    /// The server broke a promise to itself.
    case `internal`
    /// The server cannot be reached for now; try the same call again.
    case unavailable
    /// Data is lost or broken beyond repair.
    case dataLoss
    /// The caller is not known.
    case unauthenticated
    /// A number that this schema does not name, sent by a newer peer.
    case unrecognized(Int32)

    /// The value of number 0.
    public init() { self = .ok }

    /// The value of that number, or ``unrecognized(_:)``.
    public init(rawValue: Int32) {
        self = switch rawValue {
        case 0: .ok
        case 1: .cancelled
        case 2: .unknown
        case 3: .invalidArgument
        case 4: .deadlineExceeded
        case 5: .notFound
        case 6: .alreadyExists
        case 7: .permissionDenied
        case 8: .resourceExhausted
        case 9: .failedPrecondition
        case 10: .aborted
        case 11: .outOfRange
        case 12: .unimplemented
        case 13: .`internal`
        case 14: .unavailable
        case 15: .dataLoss
        case 16: .unauthenticated
        default: .unrecognized(rawValue)
        }
    }

    /// The number.
    public var rawValue: Int32 {
        switch self {
        case .ok: 0
        case .cancelled: 1
        case .unknown: 2
        case .invalidArgument: 3
        case .deadlineExceeded: 4
        case .notFound: 5
        case .alreadyExists: 6
        case .permissionDenied: 7
        case .resourceExhausted: 8
        case .failedPrecondition: 9
        case .aborted: 10
        case .outOfRange: 11
        case .unimplemented: 12
        case .`internal`: 13
        case .unavailable: 14
        case .dataLoss: 15
        case .unauthenticated: 16
        case .unrecognized(let number): number
        }
    }
}

/// `google/rpc/code.proto` in protobuf's own terms, for server reflection.
public enum Google_Rpc_CodeFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "google/rpc/code.proto",
        dependencies: [],
        serialized: """
            \n\u{15}google/rpc/code.proto\u{12}\ngoogle.rpc*\u{b7}\u{2}\n\u{4}Code\u{12}\u{6}\n\u{2}OK\u{10}\0\
            \u{12}\r\n\tCANCELLED\u{10}\u{1}\u{12}\u{b}\n\u{7}UNKNOWN\u{10}\u{2}\u{12}\u{14}\n\u{10}INVALID_ARG\
            UMENT\u{10}\u{3}\u{12}\u{15}\n\u{11}DEADLINE_EXCEEDED\u{10}\u{4}\u{12}\r\n\tNOT_FOUND\u{10}\u{5}\
            \u{12}\u{12}\n\u{e}ALREADY_EXISTS\u{10}\u{6}\u{12}\u{15}\n\u{11}PERMISSION_DENIED\u{10}\u{7}\u{12}\
            \u{16}\n\u{12}RESOURCE_EXHAUSTED\u{10}\u{8}\u{12}\u{17}\n\u{13}FAILED_PRECONDITION\u{10}\t\u{12}\
            \u{b}\n\u{7}ABORTED\u{10}\n\u{12}\u{10}\n\u{c}OUT_OF_RANGE\u{10}\u{b}\u{12}\u{11}\n\rUNIMPLEMENTED\
            \u{10}\u{c}\u{12}\u{c}\n\u{8}INTERNAL\u{10}\r\u{12}\u{f}\n\u{b}UNAVAILABLE\u{10}\u{e}\u{12}\r\n\tDA\
            TA_LOSS\u{10}\u{f}\u{12}\u{13}\n\u{f}UNAUTHENTICATED\u{10}\u{10}b\u{6}proto3
            """)
}
