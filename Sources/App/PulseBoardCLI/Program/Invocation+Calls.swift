import PulseBoardMessages
import RPCCore

extension Invocation {
    var auth: PBAuthServiceClient { PBAuthServiceClient(channel: channel) }
    var profiles: PBProfileServiceClient { PBProfileServiceClient(channel: channel) }
    var follows: PBFollowServiceClient { PBFollowServiceClient(channel: channel) }
    var admin: PBAdminServiceClient { PBAdminServiceClient(channel: channel) }

    /// Makes a call as the signed-in account; a failure is put in words for `subject`.
    func call<Answer>(
        about subject: CallSubject, _ body: (CallOptions) async throws(RPCError) -> Answer
    ) async throws(CommandFailure) -> Answer {
        let token = try requiredToken()
        return try await translatingErrors(about: subject) { () async throws(RPCError) in
            try await body(callOptions(token: token))
        }
    }

    /// The token to call with; a command that needs one asks nobody without it.
    func requiredToken() throws(CommandFailure) -> String {
        guard let token = try token() else { throw notSignedIn() }
        return token
    }

    /// Makes a write as the signed-in account. When the connection is lost it is made once more under the same request id,
    /// so that it happens once even if only the first answer was lost.
    func write<Answer>(
        about subject: CallSubject, _ body: (_ requestID: String, CallOptions) async throws(RPCError) -> Answer
    ) async throws(CommandFailure) -> Answer {
        let requestID = environment.makeRequestID()
        return try await call(about: subject) { (options) async throws(RPCError) in
            do throws(RPCError) {
                return try await body(requestID, options)
            } catch where error.code == .unavailable {
                return try await body(requestID, options)
            }
        }
    }

    /// Makes a call and puts its failure in words.
    func translatingErrors<Answer>(
        about subject: CallSubject, _ body: () async throws(RPCError) -> Answer
    ) async throws(CommandFailure) -> Answer {
        do throws(RPCError) {
            return try await body()
        } catch {
            throw CommandFailure(error, about: subject, in: failureContext)
        }
    }

    /// The failure of a call that needs a session when there is none; the server is not asked what is known already.
    private func notSignedIn() -> CommandFailure {
        CommandFailure(
            RPCError(.unauthenticated, "", details: []), about: .session, in: failureContext
        ).with(reason: "NOT_AUTHENTICATED")
    }
}

extension CommandFailure {
    fileprivate func with(reason: String) -> CommandFailure {
        var failure = self
        failure.reason = reason
        return failure
    }
}
