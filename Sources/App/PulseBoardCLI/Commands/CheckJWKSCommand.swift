import ArgumentParser
import CommandHelp
import IDTokens
import PulseBoardVocabulary
import RPCCore

/// `pulseboard admin check-jwks`
struct AdminCheckJWKS: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "check-jwks",
            abstract: Phrase("Say whether a file of keys can take the place of the present one.", "키 파일로 지금의 파일을 대신할 수 있는지 알려 줍니다."),
            discussion: Phrase(
                """
                Asks no server. The exit code is 0 if the file is a set of keys (JWKS) with at least one that can sign ID tokens, else 67. Run it on \
                a downloaded file before you rename it to what the server's configuration names.

                Example: pulseboard admin check-jwks google.jwks.json.new && mv google.jwks.json.new google.jwks.json
                """,
                """
                서버에 묻지 않습니다. ID 토큰에 서명할 수 있는 키가 하나라도 든 키 묶음(JWKS)이면 종료 코드가 0, 아니면 67입니다. \
                내려받은 파일을 서버 설정의 파일 이름으로 바꾸기 전에 실행하세요.

                예: pulseboard admin check-jwks google.jwks.json.new && mv google.jwks.json.new google.jwks.json
                """))
    }

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp(Phrase("The file.", "파일.")), completion: .file())
    var file: String

    func run() async throws {
        try await options.run { invocation in
            let set: JSONWebKeySet
            do throws(IDTokenConfigurationError) {
                set = try JSONWebKeySet(path: file)
            } catch {
                throw Self.unusable("\(file): \(error.phrase.text(in: invocation.language))")
            }
            guard set.count > 0 else {
                let why = set.passedOver.map { $0.phrase.text(in: invocation.language) }.joined(separator: "; ")
                throw Self.unusable(
                    "\(file): " + invocation.text("no key in it signs ID tokens", "ID 토큰에 서명할 수 있는 키가 없습니다") + (why.isEmpty ? "" : " (\(why))"))
            }
            let document = CheckedKeysDocument(keys: set.descriptions, passedOver: set.passedOver.map(\.description))
            try invocation.show(document: document) {
                var text = invocation.text(
                    "\(file): \(set.count == 1 ? "1 key" : "\(set.count) keys")", "\(file): 키 \(set.count)개").safeForTerminal + "\n"
                for key in set.descriptions { text += "  \(key.safeForTerminal)\n" }
                for other in set.passedOver {
                    text += "  " + invocation.text("passed over", "건너뜀") + ": \(other.phrase.text(in: invocation.language).safeForTerminal)\n"
                }
                return text
            }
        }
    }

    private static func unusable(_ message: String) -> CommandFailure {
        CommandFailure(code: .invalidArgument, reason: nil, message: message)
    }
}

/// The JSON answer of `admin check-jwks`.
private struct CheckedKeysDocument: Encodable, Sendable, Hashable {
    /// Name and algorithm of each.
    let keys: [String]
    let passedOver: [String]
}
