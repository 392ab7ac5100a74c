import ArgumentParser
import PulseBoardMessages
import RPCCore

/// `pulseboard auth sessions`
struct AuthSessions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions",
        abstract: "List your open sessions, or end one of them.",
        discussion: """
            Examples:
              pulseboard auth sessions
              pulseboard auth sessions --revoke 0b5c8d1e-…
            """)

    @OptionGroup var options: GlobalOptions

    @Option(help: ArgumentHelp("End the session with this id.", valueName: "id"))
    var revoke: String?

    func run() async throws {
        try await options.run { invocation in
            if let revoke {
                try await end(revoke, invocation)
            } else {
                try await list(invocation)
            }
        }
    }

    private func end(_ id: String, _ invocation: Invocation) async throws {
        _ = try await invocation.call(about: .session) { (options) async throws(RPCError) in
            var request = PBRevokeSessionRequest()
            request.sessionID = id
            return try await invocation.auth.revokeSession(request, options: options)
        }
        try invocation.updateSessions { $0.removeAll { $0.sessionID == id } }
        try invocation.show(document: RevokedDocument(revokedSessionId: id)) {
            invocation.text("The session has ended.", "세션을 종료했습니다.") + "\n"
        }
    }

    private func list(_ invocation: Invocation) async throws {
        let answer = try await invocation.call(about: .session) { (options) async throws(RPCError) in
            try await invocation.auth.listSessions(PBListSessionsRequest(), options: options)
        }
        try invocation.show(answer) {
            var table = Table([
                .init("ID"), .init(invocation.text("ACCOUNT", "계정")), .init(invocation.text("OPENED", "시작")),
                .init(invocation.text("EXPIRES", "만료")), .init(""),
            ])
            for session in answer.sessions {
                table.append([
                    session.id, session.account, invocation.time(session.createTime), invocation.time(session.expireTime),
                    session.current ? invocation.text("this session", "현재 세션") : "",
                ])
            }
            return table.rendered(invocation.style)
        }
    }
}

/// The JSON answer of `auth sessions --revoke`.
struct RevokedDocument: Encodable, Sendable, Hashable {
    let revokedSessionId: String
}
