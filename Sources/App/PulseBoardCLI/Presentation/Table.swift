import CommandHelp

/// Rows of text under headings, each column as wide as its widest cell.
struct Table: Sendable {
    /// The side of its column at which a cell is aligned. Numbers are easiest to read on the right.
    enum Alignment: Sendable {
        case left, right
    }

    /// A heading and the side of its cells.
    struct Column: Sendable {
        let title: String
        let alignment: Alignment

        init(_ title: String, _ alignment: Alignment = .left) {
            self.title = title
            self.alignment = alignment
        }
    }

    let columns: [Column]
    private var rows: [[String]] = []

    init(_ columns: [Column]) { self.columns = columns }

    /// Adds a row. Cells are made safe for a terminal here, so that no caller can forget it.
    ///
    /// - Precondition: as many cells as there are columns.
    mutating func append(_ cells: [String]) {
        precondition(cells.count == columns.count, "a row has one cell per column")
        rows.append(cells.map(\.safeForTerminal))
    }

    /// Columns of text are not made narrower than this, even for a narrow terminal.
    private static let narrowest = 8

    /// The lines, with the headings first, two spaces between columns and no trailing spaces. Each ends in a newline. If the style has a width, the
    /// widest columns of text are cut so that the lines fit. Numbers are never cut.
    func rendered(_ style: TextStyle) -> String {
        var widths = columns.map(\.title.displayWidth)
        for row in rows {
            for (index, cell) in row.enumerated() { widths[index] = max(widths[index], cell.displayWidth) }
        }
        if let room = style.columns { fit(&widths, into: room) }
        var text = style.dim(line(columns.map(\.title), widths)) + "\n"
        for row in rows { text += line(row, widths) + "\n" }
        return text
    }

    private func fit(_ widths: inout [Int], into room: Int) {
        var excess = widths.reduce(2 * (widths.count - 1), +) - room
        while excess > 0 {
            let cuttable = widths.indices.filter { columns[$0].alignment == .left && widths[$0] > Self.narrowest }
            guard let widest = cuttable.max(by: { widths[$0] < widths[$1] }) else { return }
            widths[widest] -= 1
            excess -= 1
        }
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var text = ""
        for (index, whole) in cells.enumerated() {
            let cell = whole.cut(to: widths[index])
            if index > 0 { text += "  " }
            text += columns[index].alignment == .left ? cell.paddedRight(to: widths[index]) : cell.paddedLeft(to: widths[index])
        }
        while text.last == " " { text.removeLast() }
        return text
    }
}

/// Labels and values, one below another.
struct Card: Sendable {
    let title: String
    private var fields: [(label: String, value: String)] = []

    init(title: String) { self.title = title.safeForTerminal }

    /// Adds a line. An empty value adds none.
    mutating func append(_ label: String, _ value: String) {
        if !value.isEmpty { fields.append((label.safeForTerminal, value.safeForTerminal)) }
    }

    /// The title and, indented, the fields with their values aligned; each line ends in a newline.
    func rendered(_ style: TextStyle) -> String {
        let width = fields.map(\.label.displayWidth).max() ?? 0
        var text = style.bold(title) + "\n"
        for field in fields { text += "  " + style.dim(field.label.paddedRight(to: width)) + "  " + field.value + "\n" }
        return text
    }
}
