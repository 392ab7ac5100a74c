/// Reads comma-separated values record by record, with the line number of each.
///
/// Source: RFC 4180. Lines end in LF or CRLF; a field in quotes may hold commas, line ends and doubled quotes. A byte order
/// mark at the start and empty lines are skipped. Text must be UTF-8.
struct CSVReader {
    /// One record and the line, counted from 1, on which it starts.
    struct Record: Sendable, Hashable {
        var line: Int
        var fields: [String]
    }

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// The next record, or nil at the end.
    mutating func next() throws(CSVError) -> Record? {
        skipEmptyLines()
        guard position < bytes.count else { return nil }
        var record = Record(line: line, fields: [])
        while true {
            record.fields.append(try nextField())
            guard position < bytes.count else { return record }
            if bytes[position] == Self.comma {
                position += 1
                continue
            }
            skipLineEnd()
            return record
        }
    }

    /// One field; stops before the comma, line end or end of input that ends it.
    private mutating func nextField() throws(CSVError) -> String {
        if position < bytes.count, bytes[position] == Self.quote { return try nextQuotedField() }
        let start = position
        while position < bytes.count, bytes[position] != Self.comma, !isLineEnd(position) {
            guard bytes[position] != Self.quote else { throw CSVError(line: line, problem: .strayQuote) }
            position += 1
        }
        return try text(bytes[start..<position])
    }

    private mutating func nextQuotedField() throws(CSVError) -> String {
        let startLine = line
        var content: [UInt8] = []
        position += 1
        while true {
            guard position < bytes.count else { throw CSVError(line: startLine, problem: .unclosedQuote) }
            let byte = bytes[position]
            position += 1
            if byte == Self.quote {
                guard position < bytes.count, bytes[position] == Self.quote else { break }
                position += 1
            }
            if byte == Self.lineFeed { line += 1 }
            content.append(byte)
        }
        guard position == bytes.count || bytes[position] == Self.comma || isLineEnd(position) else {
            throw CSVError(line: line, problem: .strayQuote)
        }
        return try text(content[...])
    }

    private func text(_ slice: ArraySlice<UInt8>) throws(CSVError) -> String {
        guard let text = String(validating: slice, as: UTF8.self) else { throw CSVError(line: line, problem: .notUTF8) }
        return text
    }

    private func isLineEnd(_ index: Int) -> Bool {
        bytes[index] == Self.lineFeed
            || (bytes[index] == Self.carriageReturn && index + 1 < bytes.count && bytes[index + 1] == Self.lineFeed)
    }

    private mutating func skipLineEnd() {
        position += bytes[position] == Self.lineFeed ? 1 : 2
        line += 1
    }

    private mutating func skipEmptyLines() {
        while position < bytes.count, isLineEnd(position) { skipLineEnd() }
    }

    private static let comma = UInt8(ascii: ",")
    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
}

/// What is wrong with a file of comma-separated values, and where.
struct CSVError: Error, Sendable, Hashable {
    enum Problem: Sendable, Hashable {
        case unclosedQuote
        case strayQuote
        case notUTF8
        case missingHeader(expected: [String])
        case missingField(name: String)
        case emptyField(name: String)
        case repeatedValue(name: String, value: String, firstLine: Int)
        case unknownID(name: String, value: String)
    }

    /// The file, when known.
    var file: String = ""
    /// Counted from 1.
    var line: Int
    var problem: Problem
}
