/// Swift source under construction: lines with indentation.
struct SourceWriter {
    private(set) var text = ""
    private var depth = 0

    /// One line at the present indentation; an empty one has no blanks.
    mutating func line(_ line: String = "") {
        if !line.isEmpty {
            text += String(repeating: "    ", count: depth) + line
        }
        text += "\n"
    }

    /// `opening {`, the body one step further in, `}`.
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

    /// A doc comment from a comment of the schema, or `fallback` when it has none.
    mutating func documentation(_ comment: [String], otherwise fallback: String) {
        for text in comment.isEmpty ? [fallback] : comment {
            line(text.isEmpty ? "///" : "/// " + text)
        }
    }
}
