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
        /// Whether the column is left out if the terminal is too narrow. The last optional column is left out first.
        let isOptional: Bool

        /// Whether the cells are never cut: numbers, ids, times.
        let isWhole: Bool

        /// The width below which no cell is cut, even for a narrow terminal. Optional columns are left out first.
        let narrowest: Int

        init(_ title: String, _ alignment: Alignment = .left, isOptional: Bool = false, isWhole: Bool = false, narrowest: Int = 8) {
            self.title = title
            self.alignment = alignment
            self.isOptional = isOptional
            self.isWhole = isWhole || alignment == .right
            self.narrowest = narrowest
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

    /// The lines, with the headings first, two spaces between columns and no trailing spaces. Each ends in a newline. If the style has a width, the
    /// widest columns of text are cut so that the lines fit. Optional columns are left out if that is not enough. Numbers are never cut.
    func rendered(_ style: TextStyle) -> String {
        var widths = columns.map(\.title.displayWidth)
        for row in rows {
            for (index, cell) in row.enumerated() { widths[index] = max(widths[index], cell.displayWidth) }
        }
        var shown = Array(columns.indices)
        if let room = style.columns {
            while narrowestWidth(of: shown, widths) > room, let last = shown.last(where: { columns[$0].isOptional }) {
                shown.removeAll { $0 == last }
            }
            fit(&widths, of: shown, into: room)
        }
        var text = style.dim(line(columns.map(\.title), shown, widths)) + "\n"
        for row in rows { text += line(row, shown, widths) + "\n" }
        return text
    }

    /// The width of a line if all text is cut as far as permitted.
    private func narrowestWidth(of shown: [Int], _ widths: [Int]) -> Int {
        shown.reduce(2 * (shown.count - 1)) { $0 + (columns[$1].isWhole ? widths[$1] : min(widths[$1], columns[$1].narrowest)) }
    }

    private func fit(_ widths: inout [Int], of shown: [Int], into room: Int) {
        var excess = shown.reduce(2 * (shown.count - 1)) { $0 + widths[$1] } - room
        while excess > 0 {
            let cuttable = shown.filter { !columns[$0].isWhole && widths[$0] > columns[$0].narrowest }
            guard let widest = cuttable.max(by: { widths[$0] < widths[$1] }) else { return }
            widths[widest] -= 1
            excess -= 1
        }
    }

    private func line(_ cells: [String], _ shown: [Int], _ widths: [Int]) -> String {
        var text = ""
        for index in shown {
            let cell = cells[index].cut(to: widths[index])
            if index != shown.first { text += "  " }
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

    /// The title and, indented, the fields with their values aligned; each line ends in a newline. If the style has a width, values are broken at
    /// spaces. If labels would take half of the width, values stand below them.
    func rendered(_ style: TextStyle) -> String {
        let width = fields.map(\.label.displayWidth).max() ?? 0
        var text = style.bold(title) + "\n"
        let columns = style.columns ?? .max
        let isStacked = width + 4 > columns / 2
        for field in fields {
            let label = "  " + style.dim(isStacked ? field.label : field.label.paddedRight(to: width))
            let value = field.value.wrapped(to: columns, indentedBy: isStacked ? 4 : width + 4)
            text += isStacked ? label + "\n" + value + "\n" : label + value.dropFirst(width + 2) + "\n"
        }
        return text
    }
}
