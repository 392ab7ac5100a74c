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
