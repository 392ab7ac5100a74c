import CommandHelp
import Testing

@testable import PulseBoardCLI

/// As much of a terminal as a typed line needs.
private struct Screen {
    let columns: Int
    /// Each row's characters. A wide one is followed by an empty place.
    private var cells: [[Character?]] = [[]]
    private(set) var row = 0
    private(set) var column = 0

    init(columns: Int) { self.columns = columns }

    /// The rows that have something on them.
    var rows: [String] {
        cells.map { row in
            let text = String(row.compactMap(\.self))
            return String(text.prefix(text.count - text.reversed().prefix { $0 == " " }.count))
        }.filter { !$0.isEmpty }
    }

    mutating func write(_ text: String) {
        var rest = text[...]
        while let character = rest.popFirst() {
            switch character {
            case "\r": column = 0
            case "\n", "\r\n":
                column = 0
                down()
            case "\u{1B}": control(&rest)
            default: put(character)
            }
        }
    }

    private mutating func control(_ rest: inout Substring) {
        #expect(rest.popFirst() == "[")
        let digits = rest.prefix { $0.isNumber }
        rest = rest.dropFirst(digits.count)
        let count = Int(digits) ?? 1
        switch rest.popFirst() {
        case "A": row = max(0, row - count)
        case "C": column = min(columns - 1, column + count)
        case "D": column = max(0, column - count)
        case "J":
            cells = Array(cells[...row])
            cells[row] = Array(cells[row].prefix(column))
        case let other: Issue.record("the line is drawn with \(other.debugDescription)")
        }
    }

    private mutating func put(_ character: Character) {
        let width = String(character).displayWidth
        if column + width > columns {
            column = 0
            down()
        }
        while cells[row].count < column + width { cells[row].append(" ") }
        cells[row][column] = character
        if width == 2 { cells[row][column + 1] = nil }
        column += width
    }

    private mutating func down() {
        row += 1
        if row == cells.count { cells.append([]) }
    }
}

@Suite("A line that is typed") struct TypedLineTests {
    @Test("a text longer than the terminal stays on one row, which shows its end", arguments: [
        (80, "Status message (empty for none)", "abcdefghij"), (40, "표시 이름 (없으면 비워 두세요)", "가나다라마"), (40, "사진 파일", "/사진/a"),
        (80, "Username", "e\u{301}xyzabcd"),
    ])
    func longText(_ columns: Int, _ question: String, _ typed: String) {
        var line = TypedLine(question: question)
        var screen = Screen(columns: columns)
        screen.write(line.drawing("", columns: columns))
        let before = screen
        for _ in 0..<12 {
            for character in typed {
                line.take(.character(character))
                screen.write(line.drawing("", columns: columns))
            }
            let rows = screen.rows
            #expect(rows.count == before.rows.count)
            #expect(rows.last?.last == typed.last)
            #expect(rows.allSatisfy { $0.displayWidth < columns })
        }
        #expect(screen.rows.last?.contains("…") == true)
        line.take(.backspace)
        screen.write(line.drawing("", columns: columns))
        #expect(screen.rows.last?.last == typed.dropLast().last)
        line.take(.clear)
        screen.write(line.drawing("", columns: columns))
        #expect(screen.rows == before.rows)
        #expect(screen.row == before.row && screen.column == before.column)
    }

    @Test("a remark that fits is on the row of the text; a longer one is below, and whole")
    func remarks() {
        let columns = 40
        var line = TypedLine(question: "사용자 이름")
        var screen = Screen(columns: columns)
        for character in "가나다라마바사아자차" { line.take(.character(character)) }
        let long = "다른 사람의 사용자 이름과 구별하기 어렵습니다."
        screen.write(line.drawing(long, columns: columns))
        #expect(screen.rows.first == "사용자 이름: 가나다라마바사아자차")
        #expect(screen.rows.dropFirst().joined(separator: " ") == long)
        #expect(screen.row == 0 && screen.column == 33)
        line.take(.backspace)
        screen.write(line.drawing("확인 중…", columns: columns))
        #expect(screen.rows.count == 2)
        line.take(.clear)
        screen.write(line.drawing("확인 중…", columns: columns))
        #expect(screen.rows == ["사용자 이름:   확인 중…"])
        #expect(screen.row == 0 && screen.column == 13)
    }

    @Test("a question that leaves no room for an answer is above it, once")
    func longQuestion() {
        let columns = 40
        let question = "누구를 팔로우할까요? @이름 (비워 두면 끝)"
        var line = TypedLine(question: question)
        var screen = Screen(columns: columns)
        screen.write(line.drawing("", columns: columns))
        for character in "@minji" {
            line.take(.character(character))
            screen.write(line.drawing("", columns: columns))
        }
        #expect(screen.rows.dropLast().joined(separator: " ") == question)
        #expect(screen.rows.last == "> @minji")
    }

    @Test("what would move the cursor is not drawn")
    func safety() {
        var line = TypedLine(question: "?")
        for character in "a\u{1B}[Ab" { line.take(.character(character)) }
        #expect(!line.drawing("\u{1B}[2J", columns: 80).dropFirst(4).contains("\u{1B}[2J"))
    }
}
