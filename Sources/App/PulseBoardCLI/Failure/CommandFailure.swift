import PulseBoardVocabulary
import RPCCore

/// The failure of a command, ready to be shown: the cause and the command to type next.
struct CommandFailure: Error, Sendable, Hashable {
    /// One thing wrong with the input.
    struct Violation: Sendable, Hashable {
        /// The field's path in the request, for example `username`.
        var field: String
        /// The reason in capitals; empty if the server gave none.
        var reason: String
        /// What is wrong, in the user's language.
        var message: String
    }

    /// The call's status code, or the corresponding code for a local failure.
    var code: StatusCode
    /// The reason in capitals, as in `google.rpc.ErrorInfo`; `nil` if only the code is known.
    var reason: String?
    /// The cause in the user's language.
    var message: String
    var violations: [Violation] = []
    /// Typed details of a foreign service's error, each a JSON object with its type in `@type`.
    var details: [String] = []
    /// The next command to type; `nil` if there is none.
    var nextCommand: String?
    /// Whether this is a state of the account and not a mistake (B8). Then the text does not call it an error.
    var isState = false

    /// 64 + the gRPC code, so that a script can tell the causes apart; 64 itself is a usage error (`EX_USAGE`).
    var exitCode: Int32 { 64 + code.rawValue }
}

extension CommandFailure {
    /// The failure as text for people: the cause, each violated field, the next command.
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

    /// The failure for programs: one JSON object `{"error": …}` with stable keys.
    func document() -> FailureDocument {
        FailureDocument(
            error: .init(
                code: code.rawValue, status: code.name, reason: reason ?? "", message: message,
                violations: violations.map { .init(field: $0.field, reason: $0.reason, message: $0.message) },
                nextCommand: nextCommand ?? "", details: details.isEmpty ? nil : details.compactMap(JSONTree.init)))
    }
}

/// The JSON form of a failure. Scripts depend on the keys: keys may be added but never changed.
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
