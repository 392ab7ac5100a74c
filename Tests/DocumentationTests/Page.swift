import Foundation
import Testing

/// A page of `docs/`.
struct Page {
    private let lines: [String]

    private static let repository =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The names of all pages.
    static let all: [String] = {
        let pages = try? FileManager.default.subpathsOfDirectory(atPath: repository.appending(path: "docs").path)
        return ["README.md", "CONTRIBUTING.md"] + (pages ?? []).filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }.sorted()
    }()

    /// The texts of the files below a folder whose names have an end.
    static func files(_ folder: String, _ end: String) throws -> [String] { Array(try filesByPath(folder, end).values) }

    /// The same, with their paths below the folder.
    static func filesByPath(_ folder: String, _ end: String) throws -> [String: String] {
        let root = repository.appending(path: folder)
        let found = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(end) }
        return Dictionary(uniqueKeysWithValues: try found.map { ($0, try String(contentsOf: root.appending(path: $0), encoding: .utf8)) })
    }

    init(_ name: String) throws {
        lines = try String(contentsOf: Self.repository.appending(path: name), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
    }

    /// The lines under a heading, up to the next one of its level or above.
    func section(_ heading: String) throws -> [String] {
        let start = try #require(lines.firstIndex(of: heading), "the page has no section '\(heading)'")
        let level = heading.prefix { $0 == "#" }.count
        let end = lines[(start + 1)...].firstIndex { line in
            let hashes = line.prefix { $0 == "#" }.count
            return hashes > 0 && hashes <= level && line.dropFirst(hashes).first == " "
        }
        return Array(lines[(start + 1)..<(end ?? lines.endIndex)])
    }

    /// The words under a heading, separated by single spaces.
    func text(_ heading: String) throws -> String {
        try section(heading).joined(separator: " ").split(separator: " ").joined(separator: " ")
    }

    /// The words of the page, separated by single spaces.
    var text: String { lines.joined(separator: " ").split(separator: " ").joined(separator: " ") }

    /// The rows of the tables under a heading as cells, including header rows.
    func rows(_ heading: String) throws -> [[String]] { Self.rows(try section(heading)) }

    /// The rows of all tables.
    var allRows: [[String]] { Self.rows(lines) }

    /// The tables with their header rows.
    var tables: [[[String]]] { lines.split { !$0.hasPrefix("|") }.map { Self.rows(Array($0)) } }

    private static func rows(_ lines: [String]) -> [[String]] {
        lines.filter { $0.hasPrefix("| ") }.map { line in
            line.dropFirst().split(separator: " |", omittingEmptySubsequences: false).dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// The second cell of the only row whose first cell begins with some words.
    func value(of words: String, in heading: String) throws -> String {
        let found = try rows(heading).filter { $0[0].hasPrefix(words) }
        try #require(found.count == 1, "\(found.count) rows under '\(heading)' begin with '\(words)'")
        return found[0][1]
    }

    /// The text between backticks, in order.
    static func code(in text: String) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    /// All code of the page's prose, tables and blocks.
    var code: [String] {
        lines.flatMap { $0.hasPrefix("    ") ? [$0] : Self.code(in: $0) }
    }
}

/// Numbers as the pages write them.
enum Written {
    /// `1,024`
    static func count(_ number: some BinaryInteger) -> String {
        var digits = Substring(String(number)), groups: [Substring] = []
        while digits.count > 3 {
            groups.insert(digits.suffix(3), at: 0)
            digits = digits.dropLast(3)
        }
        return ([digits] + groups).joined(separator: ",")
    }

    /// `256 KiB`, `4 MiB`, `1 GiB`
    static func bytes(_ number: some BinaryInteger) -> String {
        let units = ["bytes", "KiB", "MiB", "GiB"]
        var value = Int(number), unit = 0
        while value >= 1024, value % 1024 == 0, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        return "\(value) \(units[unit])"
    }

    /// `60 s`
    static func seconds(_ duration: Duration) -> String { "\(duration.components.seconds) s" }

    /// Nanoseconds as `0.2 ms` or `100 ms`.
    static func milliseconds(_ nanoseconds: some BinaryInteger) -> String {
        let number = Int64(nanoseconds)
        return number % 1_000_000 == 0 ? "\(number / 1_000_000) ms" : "\(Double(number) / 1_000_000) ms"
    }

    /// `eight`: a number up to sixteen.
    static func word(_ number: some BinaryInteger) -> String {
        let words = [
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
            "fifteen", "sixteen",
        ]
        let index = Int(number)
        return words.indices.contains(index) ? words[index] : count(number)
    }
}
