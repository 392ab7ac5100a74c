/// A text that is redrawn in place at a terminal. Earlier output stays above it.
struct RedrawnScreen {
    /// Lines of the last text.
    private var lines = 0

    /// The bytes that draw a text in the place of the last one. Lines beyond the terminal's size are left out, because the terminal
    /// would scroll.
    mutating func draw(_ text: String, rows: Int) -> String {
        let kept = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(text.hasSuffix("\n") ? 1 : 0).prefix(max(1, rows - 1))
        // Move up to the first line of the last text, clear each line after its end, and clear everything below the last line.
        let up = lines > 0 ? "\u{1B}[\(lines)A" : ""
        lines = kept.count
        return up + "\r" + kept.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J"
    }

    /// Leaves the last text where it is, because something else was written below it.
    mutating func leave() { lines = 0 }
}
