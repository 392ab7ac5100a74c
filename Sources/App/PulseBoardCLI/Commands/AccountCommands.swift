import ArgumentParser
import CommandHelp
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore

/// `pulseboard account identities`
struct AccountIdentities: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "identities",
            abstract: Phrase("List the identities that sign you in.", "로그인 수단을 나열합니다."),
            discussion: Phrase(
                "For this and for changing them, you must have signed in within the last ten minutes.",
                "이 명령을 쓰거나 로그인 수단을 바꾸려면 최근 10분 안에 로그인했어야 합니다."))
    }

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await options.run { invocation in
            let answer = try await invocation.call(about: .session) { (options) async throws(RPCError) in
                try await invocation.accounts.listIdentities(PBListIdentitiesRequest(), options: options)
            }
            try invocation.show(answer) {
                var table = Table([
                    .init(invocation.text("PROVIDER", "인증 기관")), .init(invocation.text("SUBJECT", "식별자")),
                    .init(invocation.text("SINCE", "연결")), .init(invocation.text("ISSUER", "발급자")),
                ])
                for identity in answer.identities {
                    table.append([identity.issuerName, identity.subject, invocation.time(identity.createTime), identity.issuer])
                }
                return table.rendered(invocation.style)
            }
        }
    }
}

/// `pulseboard account link`
struct AccountLink: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "link",
            abstract: Phrase("Sign in with one more identity from now on.", "로그인 수단을 하나 더 연결합니다."),
            discussion: Phrase(
                """
                The identity must be nobody else's. You have at most ten.

                Example: pulseboard account link --id-token work.jwt
                """,
                """
                다른 사람의 로그인 수단은 연결할 수 없습니다. 최대 열 개입니다.

                예: pulseboard account link --id-token work.jwt
                """))
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var token: IDTokenOptions

    func validate() throws {
        if token.idToken == nil { throw ValidationError(Phrase(
            "--id-token names the file with the ID token of the identity.",
            "--id-token으로 연결할 계정의 ID 토큰 파일을 지정해 주세요.")) }
    }

    func run() async throws {
        try await options.run { invocation in
            var request = PBLinkIdentityRequest()
            request.idToken = try await invocation.idToken(at: token.idToken ?? "-", nonce: token.nonce)
            let identity = try await invocation.write(about: .session) { (requestID, options) async throws(RPCError) in
                request.requestID = requestID
                return try await invocation.accounts.linkIdentity(request, options: options)
            }
            try invocation.show(identity) {
                invocation.text(
                    "From now on you can sign in with \(identity.issuerName) too.", "이제 \(identity.issuerName) 계정으로도 로그인할 수 있습니다."
                ).safeForTerminal + "\n"
            }
        }
    }
}

/// `pulseboard account unlink`
struct AccountUnlink: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "unlink",
            abstract: Phrase("Sign in with an identity no more.", "로그인 수단의 연결을 끊습니다."),
            discussion: Phrase(
                """
                The sessions that it opened end, but for the present one. Your last identity stays.

                Example: pulseboard account unlink google 110169484474386276334
                """,
                """
                그 수단으로 연 세션은 현재 세션을 빼고 모두 끝납니다. 마지막 로그인 수단은 끊을 수 없습니다.

                예: pulseboard account unlink google 110169484474386276334
                """))
    }

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp(Phrase(
        "The identity's provider or issuer, as `account identities` shows it.",
        "인증 기관 또는 발급자. `account identities`에 보이는 대로 적습니다.")))
    var issuer: String

    @Argument(help: ArgumentHelp(Phrase(
        "The identity's subject. Not needed if you have one identity of this provider.",
        "식별자. 이 인증 기관의 로그인 수단이 하나뿐이면 생략할 수 있습니다.")))
    var subject: String?

    func run() async throws {
        try await options.run { invocation in
            let answer = try await invocation.call(about: .session) { (options) async throws(RPCError) in
                try await invocation.accounts.listIdentities(PBListIdentitiesRequest(), options: options)
            }
            let fitting = answer.identities.filter {
                ($0.issuer == issuer || $0.issuerName == issuer) && (subject == nil || $0.subject == subject)
            }
            guard let identity = fitting.first, fitting.count == 1 else {
                throw CommandFailure(
                    code: fitting.isEmpty ? .notFound : .invalidArgument, reason: fitting.isEmpty ? Reason.identityNotFound.rawValue : nil,
                    message: fitting.isEmpty
                        ? Reason.identityNotFound.text().text(in: invocation.language)
                        : invocation.text("You have several of these: name the subject too.", "여러 개가 있습니다. 식별자도 지정해 주세요."),
                    nextCommand: invocation.failureContext.command("account identities"))
            }
            _ = try await invocation.write(about: .session) { (requestID, options) async throws(RPCError) in
                var request = PBUnlinkIdentityRequest()
                request.issuer = identity.issuer
                request.subject = identity.subject
                request.requestID = requestID
                return try await invocation.accounts.unlinkIdentity(request, options: options)
            }
            let document = UnlinkedDocument(issuer: identity.issuer, subject: identity.subject)
            try invocation.show(document: document) {
                invocation.text(
                    "\(identity.subject) of \(identity.issuerName) does not sign you in any more.",
                    "\(identity.issuerName)의 \(identity.subject) 계정 연결을 끊었습니다."
                ).safeForTerminal + "\n"
            }
        }
    }
}

/// The JSON answer of `account unlink`.
private struct UnlinkedDocument: Encodable, Sendable, Hashable {
    let issuer: String
    let subject: String
}
