import Foundation

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

/// An error in a file of comma-separated values, and its place.
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

/// Reads chosen columns of a CSV file. The first record names the columns, in any order, and there may be more columns.
struct CSVColumns {
    private var reader: CSVReader
    private let names: [String]
    private let indices: [Int]

    /// - Throws: ``CSVError`` when the file has no header with all of `names`.
    init(_ bytes: [UInt8], names: [String]) throws(CSVError) {
        reader = CSVReader(bytes)
        self.names = names
        let header = try reader.next()
        var indices: [Int] = []
        for name in names {
            guard let index = header?.fields.firstIndex(of: name) else {
                throw CSVError(line: header?.line ?? 1, problem: .missingHeader(expected: names))
            }
            indices.append(index)
        }
        self.indices = indices
    }

    /// The chosen fields of the next record, in the order of the names; `nil` at the end. None is empty.
    mutating func next() throws(CSVError) -> CSVReader.Record? {
        guard let record = try reader.next() else { return nil }
        var chosen = CSVReader.Record(line: record.line, fields: [])
        for (index, name) in zip(indices, names) {
            guard index < record.fields.count else { throw CSVError(line: record.line, problem: .missingField(name: name)) }
            guard !record.fields[index].isEmpty else { throw CSVError(line: record.line, problem: .emptyField(name: name)) }
            chosen.fields.append(record.fields[index])
        }
        return chosen
    }
}

extension LoadFile {
    /// Reads a whole file.
    ///
    /// - Throws: ``LoadFileError`` when it cannot be opened or read.
    static func read(_ path: String) throws(LoadFileError) -> LoadFile {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LoadFileError(path: path, number: errno) }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw LoadFileError(path: path, number: errno) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(max(0, Int(information.st_size)))
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Foundation.read(descriptor, &chunk, chunk.count)
            if count == 0 { return LoadFile(name: path, bytes: bytes) }
            if count > 0 {
                bytes += chunk[..<count]
            } else if errno != EINTR {
                throw LoadFileError(path: path, number: errno)
            }
        }
    }
}

/// A file to load that could not be read.
struct LoadFileError: Error, Sendable, Hashable {
    let path: String
    /// `errno`.
    let number: Int32
}
