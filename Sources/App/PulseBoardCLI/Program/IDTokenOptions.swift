import ArgumentParser
import CommandHelp
import Foundation
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore

/// The options of a command that hands an ID token to the server.
struct IDTokenOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            Phrase("A file with an ID token of an identity provider; - reads it from standard input.", "인증 기관의 ID 토큰이 든 파일. -는 표준 입력에서 읽습니다."),
            discussion: Phrase("The token goes to the server and is kept nowhere.", "토큰은 서버로만 가고 어디에도 보관되지 않습니다."), valueName: "file"),
        completion: .file())
    var idToken: String?

    @Option(help: ArgumentHelp(
        Phrase(
            "The nonce that the provider was given.",
            "인증 기관에 준 nonce."), discussion: Phrase("Without it: the one that stands in the token.", "생략하면 토큰에 들어 있는 것을 씁니다."), valueName: "text"))
    var nonce: String?
}

extension Invocation {
    /// Longest file that is read, in bytes. The server takes tokens of at most 16 KiB.
    private static var maximumTokenBytes: Int { 65_536 }

    /// The token from a file, or from standard input, with its nonce.
    func idToken(at path: String, nonce: String?) async throws(CommandFailure) -> PBIdTokenCredential {
        let text = path == "-" ? await environment.nextLine() ?? "" : try tokenText(at: path)
        if path == "-", text.isEmpty { try environment.checkInput() }
        let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !token.isEmpty else {
            throw CommandFailure(
                code: .invalidArgument, reason: Reason.idTokenMalformed.rawValue,
                message: self.text("There is no ID token in it.", "ID 토큰이 없습니다."))
        }
        var credential = PBIdTokenCredential()
        credential.token = token
        credential.nonce = nonce ?? Self.nonce(in: token)
        return credential
    }

    private func tokenText(at path: String) throws(CommandFailure) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path, errno) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.maximumTokenBytes)
        var length = 0
        while length < bytes.count {
            let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + length, $0.count - length) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path, errno) }
            guard count > 0 else { break }
            length += count
        }
        return String(decoding: bytes[..<length], as: UTF8.self)
    }

    private func unreadable(_ path: String, _ code: Int32) -> CommandFailure {
        CommandFailure(
            code: .invalidArgument, reason: nil,
            message: text("\(path) cannot be read", "\(path) 파일을 읽을 수 없습니다") + ": "
                + Phrase.systemError(code).text(in: language) + ".")
    }

    /// The claim `nonce` of a token, which the server checks; empty if it is missing or unreadable.
    private static func nonce(in token: String) -> String {
        struct Claims: Decodable { let nonce: String? }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return "" }
        var text = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        guard let bytes = Data(base64Encoded: text) else { return "" }
        return (try? JSONDecoder().decode(Claims.self, from: bytes))?.nonce ?? ""
    }
}
