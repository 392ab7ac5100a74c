/// Emphasis for people at a terminal; plain text everywhere else.
struct TextStyle: Sendable, Hashable {
    /// Whether escape sequences are written.
    let isEnabled: Bool

    /// Emphasis only on a terminal that can show it, and only if nobody objects.
    ///
    /// Source: no-color.org: a non-empty `NO_COLOR` forbids colour.
    init(isTerminal: Bool, variables: [String: String]) {
        isEnabled = isTerminal && variables["NO_COLOR", default: ""].isEmpty && variables["TERM"] != "dumb"
    }

    func bold(_ text: String) -> String { wrapped(text, "1") }
    func dim(_ text: String) -> String { wrapped(text, "2") }
    func red(_ text: String) -> String { wrapped(text, "31") }

    private func wrapped(_ text: String, _ code: String) -> String {
        isEnabled ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
