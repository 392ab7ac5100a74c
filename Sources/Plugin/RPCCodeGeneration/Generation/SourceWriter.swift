/// Swift source under construction: lines with indentation.
struct SourceWriter {
    private(set) var text = ""
    private var depth = 0

    /// The longest line of code, characters. In a longer line, the last call is wrapped.
    private static let longestLine = 120

    /// One line at the present indentation; an empty one has no blanks.
    mutating func line(_ line: String = "") {
        guard !line.isEmpty else { return text += "\n" }
        let indentation = String(repeating: "    ", count: depth)
        if indentation.count + line.count > Self.longestLine, let (head, arguments) = Self.lastCall(of: line) {
            let continuation = indentation + line.prefix { $0 == " " } + "    "
            text += indentation + head + "\n" + continuation + arguments + "\n"
        } else {
            text += indentation + line + "\n"
        }
    }

    /// `opening {`, the indented body, `}`.
    mutating func block<E: Error>(_ opening: String, _ body: (inout SourceWriter) throws(E) -> Void) throws(E) {
        line(opening + " {")
        depth += 1
        try body(&self)
        depth -= 1
        line("}")
    }

    /// `opening {`, the cases at the same indentation, `}`.
    mutating func switchBlock(_ opening: String, _ cases: (inout SourceWriter) -> Void) {
        line(opening + " {")
        cases(&self)
        line("}")
    }

    /// Splits a line that ends with a call, after the opening parenthesis of the call's arguments.
    private static func lastCall(of line: String) -> (head: Substring, arguments: Substring)? {
        guard line.hasSuffix(")"), !line.hasPrefix("//") else { return nil }
        var open = 0
        for index in line.indices.reversed() {
            if line[index] == ")" { open += 1 }
            if line[index] == "(" { open -= 1 }
            if open == 0 {
                let split = line.index(after: index)
                return (line[..<split], line[split...])
            }
        }
        return nil
    }

    /// A doc comment from a comment of the schema, or `fallback` if there is none.
    mutating func documentation(_ comment: [String], otherwise fallback: String) {
        for text in comment.isEmpty ? [fallback] : comment {
            line(text.isEmpty ? "///" : "/// " + text)
        }
    }
}
