/// Emphasis for people at a terminal; plain text everywhere else.
struct TextStyle: Sendable, Hashable {
    /// Whether escape sequences are written.
    let isEnabled: Bool
    /// Maximum columns of a table; `nil` if nothing is cut, as in a pipe.
    let columns: Int?

    /// Enables emphasis on a terminal that can show it, or if it is forced, unless it is forbidden.
    ///
    /// Sources: no-color.org: a non-empty `NO_COLOR` forbids colour; bixense.com/clicolors: `CLICOLOR_FORCE` other than 0 forces it.
    init(isTerminal: Bool, variables: [String: String], columns: Int? = nil) {
        let isForced = !["", "0"].contains(variables["CLICOLOR_FORCE", default: ""])
        isEnabled = variables["NO_COLOR", default: ""].isEmpty && (isForced || isTerminal && variables["TERM"] != "dumb")
        self.columns = isTerminal ? columns : nil
    }

    func bold(_ text: String) -> String { wrapped(text, "1") }
    func dim(_ text: String) -> String { wrapped(text, "2") }
    func red(_ text: String) -> String { wrapped(text, "31") }

    private func wrapped(_ text: String, _ code: String) -> String {
        isEnabled ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

extension String {
    /// The text without characters that could move the cursor, change colours or reverse the reading order. So other
    /// people's texts cannot forge this program's output.
    var safeForTerminal: String { replacing { !$0.isTerminalHazard ? nil : $0.isLineFeedOrTab ? " " : "\u{FFFD}" } }

    /// The same for a text of many lines. Its line feeds and tabs stay.
    var linesSafeForTerminal: String { replacing { $0.isTerminalHazard && !$0.isLineFeedOrTab ? "\u{FFFD}" : nil } }

    /// The JSON with such characters in strings written as `\u` and four digits. Line feeds and tabs between values stay.
    var jsonSafeForTerminal: String {
        replacing { scalar in
            guard scalar.isTerminalHazard, !scalar.isLineFeedOrTab else { return nil }
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    /// The text with other text in place of some of its characters.
    /// - Parameter replacement: returns what stands for a character, or `nil` if the character stays.
    private func replacing(_ replacement: (Unicode.Scalar) -> String?) -> String {
        guard unicodeScalars.contains(where: { replacement($0) != nil }) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            if let other = replacement(scalar) { result += other } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Control characters (C0, DEL, C1) and the bidirectional overrides and isolates.
    fileprivate var isTerminalHazard: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029: true
        default: false
        }
    }

    fileprivate var isLineFeedOrTab: Bool { self == "\n" || self == "\t" }
}
