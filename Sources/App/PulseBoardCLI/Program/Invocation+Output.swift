import Foundation
import ProtobufC

extension Invocation {
    /// Emphasis for standard output.
    var style: TextStyle { TextStyle(isTerminal: environment.outputIsTerminal, variables: environment.variables) }

    /// A phrase in the user's language.
    func text(_ english: String, _ korean: String) -> String { Phrase(english, korean).text(in: language) }

    /// Writes the command's answer: the message as proto3 JSON with every field present, or text for a person.
    func show<Answer: Message>(_ answer: Answer, _ text: () -> String) throws {
        if usesJSON {
            var options = JSONEncodingOptions()
            options.alwaysPrintDefaults = true
            options.prettyPrinted = true
            environment.write(try answer.jsonString(options: options) + "\n", .standardOutput)
        } else {
            environment.write(text(), .standardOutput)
        }
    }

    /// Writes the command's answer: the document as JSON, or text for a person.
    func show(document: some Encodable, _ text: () -> String) throws {
        environment.write(usesJSON ? try jsonText(document) : text(), .standardOutput)
    }

    /// Writes a remark for a person to standard error.
    func remark(_ english: String, _ korean: String) {
        environment.write(text(english, korean) + "\n", .standardError)
    }
}

/// A document as JSON text with a stable order of keys and a newline at the end.
func jsonText(_ document: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
}
