import CommandHelp

/// Rows of text under headings, each column as wide as its widest cell.
struct Table: Sendable {
    /// On which side of its column a cell stands. Numbers read best on the right.
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

    /// Adds a row; cells are made safe for a terminal here, so that no caller can forget it.
    ///
    /// - Precondition: as many cells as there are columns.
    mutating func append(_ cells: [String]) {
        precondition(cells.count == columns.count, "a row has one cell per column")
        rows.append(cells.map(\.safeForTerminal))
    }

    /// The lines, headings first, two spaces between columns, no trailing spaces; each ends in a newline.
    func rendered(_ style: TextStyle) -> String {
        var widths = columns.map(\.title.displayWidth)
        for row in rows {
            for (index, cell) in row.enumerated() { widths[index] = max(widths[index], cell.displayWidth) }
        }
        var text = style.dim(line(columns.map(\.title), widths)) + "\n"
        for row in rows { text += line(row, widths) + "\n" }
        return text
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var text = ""
        for (index, cell) in cells.enumerated() {
            if index > 0 { text += "  " }
            text += columns[index].alignment == .left ? cell.paddedRight(to: widths[index]) : cell.paddedLeft(to: widths[index])
        }
        while text.last == " " { text.removeLast() }
        return text
    }
}

/// Labels and values of one thing, below one another.
struct Card: Sendable {
    let title: String
    private var fields: [(label: String, value: String)] = []

    init(title: String) { self.title = title.safeForTerminal }

    /// Adds a line. An empty value adds none.
    mutating func append(_ label: String, _ value: String) {
        if !value.isEmpty { fields.append((label, value.safeForTerminal)) }
    }

    /// The title and, indented, the fields with their values aligned; each line ends in a newline.
    func rendered(_ style: TextStyle) -> String {
        let width = fields.map(\.label.displayWidth).max() ?? 0
        var text = style.bold(title) + "\n"
        for field in fields { text += "  " + style.dim(field.label.paddedRight(to: width)) + "  " + field.value + "\n" }
        return text
    }
}
