/// The canonical gRPC status codes, 0…16.
///
/// A caller decides by the code of an error what to do:
///
///     func advice(for error: RPCError) -> String {
///         switch error.code {
///         case .invalidArgument: "choose another name"
///         case .unavailable, .resourceExhausted: "try again later"
///         default: "report \(error.code.name)"        // for example `INTERNAL`
///         }
///     }
///
/// Source: gRPC `statuscodes.md`; the same numbers are used by ttrpc's `google.rpc.Status`.
public enum StatusCode: Int32, Sendable, Hashable, CaseIterable {
    case ok = 0
    case cancelled = 1
    case unknown = 2
    case invalidArgument = 3
    case deadlineExceeded = 4
    case notFound = 5
    case alreadyExists = 6
    case permissionDenied = 7
    case resourceExhausted = 8
    case failedPrecondition = 9
    case aborted = 10
    case outOfRange = 11
    case unimplemented = 12
    case `internal` = 13
    case unavailable = 14
    case dataLoss = 15
    case unauthenticated = 16

    /// The code for a number from the wire. A number outside 0…16 is ``unknown``, as gRPC requires.
    public init(wireValue: Int32) {
        self = StatusCode(rawValue: wireValue) ?? .unknown
    }

    /// The code's name as gRPC writes it, for example `NOT_FOUND`.
    public var name: String {
        switch self {
        case .ok: "OK"
        case .cancelled: "CANCELLED"
        case .unknown: "UNKNOWN"
        case .invalidArgument: "INVALID_ARGUMENT"
        case .deadlineExceeded: "DEADLINE_EXCEEDED"
        case .notFound: "NOT_FOUND"
        case .alreadyExists: "ALREADY_EXISTS"
        case .permissionDenied: "PERMISSION_DENIED"
        case .resourceExhausted: "RESOURCE_EXHAUSTED"
        case .failedPrecondition: "FAILED_PRECONDITION"
        case .aborted: "ABORTED"
        case .outOfRange: "OUT_OF_RANGE"
        case .unimplemented: "UNIMPLEMENTED"
        case .internal: "INTERNAL"
        case .unavailable: "UNAVAILABLE"
        case .dataLoss: "DATA_LOSS"
        case .unauthenticated: "UNAUTHENTICATED"
        }
    }
}

extension StatusCode: CustomStringConvertible {
    public var description: String { name }
}
