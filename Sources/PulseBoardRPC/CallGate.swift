import Logging
import PulseBoardDomain
import PulseBoardServices
import RPCCore

/// What stands between every handler and its service: who calls, and what a caller is told when the domain refuses.
struct CallGate: Sendable {
    let auth: AuthService
    let logger: Logger

    /// Runs a service call as the caller that the token proves; no user id in a request is ever believed.
    func asCaller<Answer>(
        _ context: CallContext, _ body: (Caller) async throws(RepositoryError) -> Answer
    ) async throws(RPCError) -> Answer {
        do throws(RepositoryError) {
            return try await body(try await auth.authenticate(context.bearerToken))
        } catch {
            throw refusal(error, context)
        }
    }

    /// Runs a service call that needs no caller.
    func answering<Answer>(
        _ context: CallContext, _ body: () async throws(RepositoryError) -> Answer
    ) async throws(RPCError) -> Answer {
        do throws(RepositoryError) {
            return try await body()
        } catch {
            throw refusal(error, context)
        }
    }

    /// The caller that the token proves, for a call that goes on for longer than one answer.
    func caller(_ context: CallContext) async throws(RPCError) -> Caller {
        try await asCaller(context) { caller throws(RepositoryError) in caller }
    }

    /// Writes what the services have to tell, one message after the other, until they end it; one that cannot be written yet holds
    /// the next one back where it is made. What ends it with an error is told as any refusal.
    func streaming<Updates: AsyncSequence, Response>(
        _ updates: Updates, to responses: MessageWriter<Response>, _ context: CallContext,
        _ response: (Updates.Element) -> Response
    ) async throws(RPCError) where Updates.Failure == RepositoryError {
        var iterator = updates.makeAsyncIterator()
        while true {
            let update = try await answering(context) { () async throws(RepositoryError) in
                try await iterator.next(isolation: nil)
            }
            guard let update else { return }
            try await responses.write(response(update))
        }
    }

    /// The status for a refusal, in the caller's language; what only the operator may know goes to the log.
    private func refusal(_ error: RepositoryError, _ context: CallContext) -> RPCError {
        switch error {
        case .emptyValue(let table, let key), .corruptRow(let table, let key):
            logger.error("a stored row cannot be understood", metadata: [
                "rpc.method": "\(context.method)", "store.table": "\(table)", "store.key": "\(Self.loggable(key))",
            ])
        case .storeUnavailable(let detail):
            logger.error("the store failed", metadata: ["rpc.method": "\(context.method)", "store.detail": "\(detail)"])
        default: break
        }
        return RPCError(error, in: context.language)
    }

    /// Keys made of ids are logged; other keys may be names that people chose, which the log never carries.
    private static func loggable(_ key: String) -> String {
        key.allSatisfy { $0.isHexDigit || $0 == "-" || $0 == " " } ? key : "withheld"
    }
}
