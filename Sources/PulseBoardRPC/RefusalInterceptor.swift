import ProtobufC
import PulseBoardDomain
import RPCCore

/// Tells a caller what the domain refused: makes a `RepositoryError` that comes out of a call its status, with details in the
/// caller's language. What only the operator may know goes to the call's log.
///
/// Every other error passes as it is: an `RPCError` is a status already, and the runtime hides what nobody foresaw. Unary and
/// streaming calls are written out as in ``AuthenticationInterceptor``.
public struct RefusalInterceptor: ServerInterceptor {
    public init() {}

    public func interceptUnary<Request: Message, Response: Message>(
        _ request: Request, _ context: CallContext, _ next: NextUnary<Request, Response>
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as RepositoryError {
            throw refusal(error, context)
        }
    }

    public func interceptStream<Request: Message, Response: Message>(
        _ requests: MessageStream<Request>, _ responses: MessageWriter<Response>, _ context: CallContext,
        _ next: NextStream<Request, Response>
    ) async throws {
        do {
            try await next(requests, responses, context)
        } catch let error as RepositoryError {
            throw refusal(error, context)
        }
    }

    /// The status that the caller is told.
    private func refusal(_ error: RepositoryError, _ context: CallContext) -> RPCError {
        log(error, context)
        return RPCError(error, in: context.language)
    }

    private func log(_ error: RepositoryError, _ context: CallContext) {
        switch error {
        case .emptyValue(let table, let key), .corruptRow(let table, let key):
            context.logger.error("a stored row cannot be understood", metadata: [
                "store.table": "\(table)", "store.key": "\(Self.loggable(key))",
            ])
        case .storeUnavailable(let detail):
            context.logger.error("the store failed", metadata: ["store.detail": "\(detail)"])
        default: break
        }
    }

    /// Keys made of ids are logged; other keys may be names that people chose, which the log never carries.
    private static func loggable(_ key: String) -> String {
        key.allSatisfy { $0.isHexDigit || $0 == "-" || $0 == " " } ? key : "withheld"
    }
}
