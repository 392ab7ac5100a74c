import PulseBoardVocabulary
import RPCCore

/// Why a command ends without success, ready to be shown: the cause and what to type next.
struct CommandFailure: Error, Sendable, Hashable {
    /// One thing wrong with the input.
    struct Violation: Sendable, Hashable {
        /// The field's path in the request, for example `username`.
        var field: String
        /// The cause in capitals; empty when the server gave none.
        var reason: String
        /// What is wrong, in the user's language.
        var message: String
    }

    /// The call's status, or for a failure on this side the status that says the same.
    var code: StatusCode
    /// The cause in capitals, as in `google.rpc.ErrorInfo`; nil when only the code is known.
    var reason: String?
    /// The cause in the user's language.
    var message: String
    var violations: [Violation] = []
    /// Typed details of a foreign service's error, each a JSON object with its type in `@type`.
    var details: [String] = []
    /// The next command to type; nil when there is no sensible one.
    var nextCommand: String?
    /// Whether this is a state of the account rather than a mistake (B8), and is not to be called an error.
    var isState = false

    /// 64 + the gRPC code, so that a script can tell the causes apart; 64 itself is a usage error (`EX_USAGE`).
    var exitCode: Int32 { 64 + code.rawValue }
}

extension CommandFailure {
    /// The failure for a person: the cause, each violated field, the next command.
    func text(in language: Language, style: TextStyle) -> String {
        let label = isState ? "" : style.red(Phrase.error.text(in: language)) + " "
        var text = label + message.safeForTerminal + "\n"
        for violation in violations where violation.message != message {
            let field = violation.field.isEmpty ? "" : violation.field.safeForTerminal + ": "
            text += "  - " + field + violation.message.safeForTerminal + "\n"
        }
        for detail in details { text += "  - " + detail.safeForTerminal + "\n" }
        if let nextCommand {
            text += Phrase.next.text(in: language) + style.bold(nextCommand.safeForTerminal) + "\n"
        }
        return text
    }

    /// The failure for a program: one JSON object `{"error": …}` with stable keys.
    func document() -> FailureDocument {
        FailureDocument(
            error: .init(
                code: code.rawValue, status: code.name, reason: reason ?? "", message: message,
                violations: violations.map { .init(field: $0.field, reason: $0.reason, message: $0.message) },
                nextCommand: nextCommand ?? "", details: details.isEmpty ? nil : details.compactMap(JSONTree.init)))
    }
}

/// The JSON form of a failure. Keys are a promise to scripts: they are only ever added to.
struct FailureDocument: Encodable, Sendable, Hashable {
    struct Failure: Encodable, Sendable, Hashable {
        /// The gRPC code.
        let code: Int32
        /// The code's name, for example `NOT_FOUND`.
        let status: String
        let reason: String
        let message: String
        let violations: [Violation]
        let nextCommand: String
        /// Only in failures of `rpc`: the status's details with their types in `@type`.
        let details: [JSONTree]?
    }

    struct Violation: Encodable, Sendable, Hashable {
        let field: String
        let reason: String
        let message: String
    }

    let error: Failure
}
