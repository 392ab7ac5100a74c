import CommandHelp

/// The line that the user types after a question. It takes one row of the terminal, however long it becomes.
struct TypedLine {
    let question: String
    private(set) var text = ""
    /// Whether the question has a row of its own, because the terminal is too narrow for both.
    private var isQuestionAbove = false

    /// Maximum characters. The server's longest text has fewer.
    private static let maximumCharacters = 1_000
    /// Columns that the text has beside the question. With fewer, the question gets a row of its own.
    private static let minimumRoom = 12

    init(question: String) { self.question = question }

    mutating func take(_ key: Key) {
        switch key {
        case .character(let character) where text.count < Self.maximumCharacters: text.append(character)
        case .backspace: text = String(text.dropLast())
        case .clear: text = ""
        case .character, .enter, .end: break
        }
    }

    /// Draws the line in place of its last drawing, with a remark after the cursor, or below the line if it does not fit there.
    mutating func show(_ remark: String, _ invocation: Invocation) {
        invocation.environment.write(drawing(remark, columns: invocation.environment.columns), .standardError)
    }

    /// Removes the remark, and moves to the row below the line.
    mutating func leave(_ invocation: Invocation) {
        show("", invocation)
        invocation.environment.write("\n", .standardError)
    }

    /// What draws the line on a terminal whose cursor is where the last drawing left it, or on an empty row.
    mutating func drawing(_ remark: String, columns: Int) -> String {
        // The last column stays empty, because a terminal that has filled it may be on the next row already.
        let width = max(4, columns - 1)
        // The cursor moves to the left, and everything from there is cleared, so also the rows of the last remark.
        var drawing = "\r\u{1B}[J"
        var prompt = question + ": "
        if prompt.displayWidth > width - Self.minimumRoom {
            if !isQuestionAbove { drawing += Self.rows(of: question, width).joined(separator: "\n") + "\n" }
            isQuestionAbove = true
            prompt = "> "
        }
        let typed = text.safeForTerminal.end(of: width - prompt.displayWidth)
        drawing += prompt + typed
        let used = prompt.displayWidth + typed.displayWidth
        let remark = remark.safeForTerminal
        guard !remark.isEmpty else { return drawing }
        guard used + 2 + remark.displayWidth > width else { return drawing + "  " + remark + "\u{1B}[\(2 + remark.displayWidth)D" }
        // The cursor goes back by rows and columns. A saved position would be wrong after the terminal has scrolled.
        let rows = Self.rows(of: remark, width)
        return drawing + rows.map { "\n" + $0 }.joined() + "\u{1B}[\(rows.count)A\r\u{1B}[\(used)C"
    }

    private static func rows(of text: String, _ width: Int) -> [String] {
        text.wrapped(to: width).split(separator: "\n").map { String($0).cut(to: width) }
    }
}

extension String {
    /// The text if it fits `columns` terminal columns, else `…` and its end.
    fileprivate func end(of columns: Int) -> String {
        guard displayWidth > columns else { return self }
        var end = "", width = 1
        for character in reversed() {
            width += String(character).displayWidth
            if width > columns { break }
            end.insert(character, at: end.startIndex)
        }
        return "…" + end
    }
}
