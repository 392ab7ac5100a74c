import RPCCore

/// Splits a text into its JSON objects. Each may be on one line or on several, and they may follow each other directly.
///
/// It looks for the closing brace of each object and leaves the inside to the parser. Text between two objects becomes a document too, unless it is
/// blank, so that the parser refuses it.
struct JSONDocuments {
    private var part = ""
    private var depth = 0
    private var isInString = false
    private var isEscaped = false

    /// The documents that are complete with this text.
    mutating func append(_ text: String) -> [String] {
        var documents: [String] = []
        for scalar in text.unicodeScalars {
            part.unicodeScalars.append(scalar)
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if scalar == "\\" {
                    isEscaped = true
                } else if scalar == "\"" {
                    isInString = false
                }
                continue
            }
            switch scalar {
            case "\"": isInString = true
            case "{", "[": depth += 1
            case "}", "]":
                depth -= 1
                guard depth <= 0 else { continue }
                documents.append(part)
                self = JSONDocuments()
            default: break
            }
        }
        // Outside of objects, a line end ends a document such as a number or a word.
        if depth == 0, !isInString, text.hasSuffix("\n"), let rest = finish() { documents.append(rest) }
        return documents
    }

    /// The rest at the end of the text; `nil` if it is blank.
    mutating func finish() -> String? {
        defer { self = JSONDocuments() }
        return part.allSatisfy(\.isWhitespace) ? nil : part
    }
}

/// The JSON documents of a call's requests: from the command line, or from standard input as they arrive.
struct RequestDocuments: Sendable {
    private var waiting: [String] = []
    private var cutter = JSONDocuments()
    private let environment: CommandEnvironment
    /// Whether standard input has not ended yet.
    private var isReading: Bool

    /// - Parameter data: the value of `-d`: documents, or `@` for standard input; `nil` for none.
    init(_ data: String?, environment: CommandEnvironment) {
        self.environment = environment
        isReading = data == "@"
        if let data, !isReading {
            waiting = cutter.append(data)
            if let rest = cutter.finish() { waiting.append(rest) }
        }
    }

    /// The next document; `nil` at the end. Waits for standard input.
    /// - Throws: ``CommandFailure`` if standard input cannot be read; `CANCELLED` when the task is cancelled while it waits.
    mutating func next() async throws -> String? {
        while waiting.isEmpty, isReading {
            guard let line = await environment.nextLine() else {
                if Task.isCancelled { throw RPCError.taskCancelled }
                isReading = false
                try environment.checkInput()
                return cutter.finish()
            }
            waiting = cutter.append(line + "\n")
        }
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }
}
