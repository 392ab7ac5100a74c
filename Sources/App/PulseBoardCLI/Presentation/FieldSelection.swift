import Foundation

/// Selects fields of a JSON document and writes them as lines of values separated by tabs, for `cut`, `awk` and `while read`.
///
/// A path is keys with dots between them: `users.user.username`. A list gives one line for each element. Paths into the same list share its lines; a
/// value outside of the list is on every line. A tab, line feed or backslash in a value is written `\t`, `\n`, `\\`, and a control character as in
/// JSON: `\u009b`. A missing key is an empty value.
struct FieldSelection: Hashable {
    /// Why paths are invalid.
    enum Problem: Error, Hashable {
        /// The document has no such key.
        case unknown(path: String, known: [String])
        /// The path ends at an object or a list.
        case notAValue(path: String)
        /// Two paths lead into different lists.
        case differentLists
    }

    private let paths: [[String]]

    /// - Parameter paths: with dots between the keys.
    init(_ paths: [String]) { self.paths = paths.map { $0.split(separator: ".", omittingEmptySubsequences: false).map(String.init) } }

    /// The lines for a document, each with its line feed.
    /// - Throws: ``Problem``.
    func lines(of document: JSONTree) throws(Problem) -> String {
        try rows(document, paths.enumerated().map { ($0.offset, $0.element[...]) }).map { row in
            paths.indices.map { Self.escaped(row[$0] ?? "") }.joined(separator: "\t") + "\n"
        }.joined()
    }

    private typealias Row = [Int: String]

    /// - Parameter wanted: the numbers of paths, each with its remaining keys.
    private func rows(_ value: JSONTree, _ wanted: [(Int, ArraySlice<String>)]) throws(Problem) -> [Row] {
        if case .array(let elements) = value {
            var rows: [Row] = []
            for element in elements { rows += try self.rows(element, wanted) }
            return rows
        }
        if let number = wanted.first(where: { $0.1.isEmpty })?.0 {
            guard let text = value.scalarText else { throw .notAValue(path: paths[number].joined(separator: ".")) }
            return [Dictionary(uniqueKeysWithValues: wanted.map { ($0.0, $0.1.isEmpty ? text : "") })]
        }
        guard case .object(let members) = value else { return [Dictionary(uniqueKeysWithValues: wanted.map { ($0.0, "") })] }
        var combined: [Row] = [[:]]
        var hasList = false
        var keys: [String] = []
        for key in wanted.compactMap(\.1.first) where !keys.contains(key) { keys.append(key) }
        for key in keys {
            let inside = wanted.filter { $0.1.first == key }.map { ($0.0, $0.1.dropFirst()) }
            guard let member = members[key] else {
                throw .unknown(path: paths[inside[0].0].joined(separator: "."), known: members.keys.sorted())
            }
            let found = try rows(member, inside)
            if found.count == 1, !member.isArray {
                combined = combined.map { $0.merging(found[0]) { $1 } }
            } else {
                guard !hasList else { throw .differentLists }
                hasList = true
                let base = combined[0]
                combined = found.map { base.merging($0) { $1 } }
            }
        }
        return combined
    }

    private static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D || $0 == 0x5C }) else { return text }
        return text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\t", with: "\\t")
            .replacingOccurrences(of: "\n", with: "\\n").replacingOccurrences(of: "\r", with: "\\r")
    }
}
