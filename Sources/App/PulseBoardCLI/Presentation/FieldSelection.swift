import Foundation

/// Selects fields of a JSON document and writes them as lines of values separated by tabs, for `cut`, `awk` and `while read`.
///
/// A path is keys with dots between them: `users.user.username`. A list gives one line for each element. Paths into the same list share its lines; a
/// value outside of the list is on every line. A tab, line feed or backslash in a value is written `\t`, `\n`, `\\`, and a control character as in
/// JSON: `\u009b`. A key that the document could have, and does not, is an empty value: JSON leaves out what is not set.
struct FieldSelection: Hashable {
    /// Why paths are invalid.
    enum Problem: Error, Hashable {
        /// Such a document never has such a key.
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
    /// - Parameter canHave: whether such a document can have a path, for one that it does not have.
    /// - Throws: ``Problem``.
    func lines(of document: JSONTree, canHave: ([String]) -> Bool) throws(Problem) -> String {
        let impossible = Set(paths.filter { !canHave($0) })
        return try rows(document, impossible, paths.enumerated().map { ($0.offset, $0.element[...]) }).rows.map { row in
            paths.indices.map { Self.escaped(row[$0] ?? "") }.joined(separator: "\t") + "\n"
        }.joined()
    }

    private typealias Row = [Int: String]

    /// - Parameters:
    ///   - impossible: the paths that must be there.
    ///   - wanted: the numbers of paths, each with its remaining keys.
    /// - Returns: the rows, and whether they are those of a list. Otherwise there is one row.
    private func rows(
        _ value: JSONTree, _ impossible: Set<[String]>, _ wanted: [(Int, ArraySlice<String>)]
    ) throws(Problem) -> (rows: [Row], areOfList: Bool) {
        if case .array(let elements) = value {
            var rows: [Row] = []
            for element in elements { rows += try self.rows(element, impossible, wanted).rows }
            return (rows, true)
        }
        if let number = wanted.first(where: { $0.1.isEmpty })?.0 {
            guard let text = value.scalarText else { throw .notAValue(path: paths[number].joined(separator: ".")) }
            return ([Dictionary(uniqueKeysWithValues: wanted.map { ($0.0, $0.1.isEmpty ? text : "") })], false)
        }
        guard case .object(let members) = value else { return ([Dictionary(uniqueKeysWithValues: wanted.map { ($0.0, "") })], false) }
        var combined: [Row] = [[:]]
        var hasList = false
        var keys: [String] = []
        for key in wanted.compactMap(\.1.first) where !keys.contains(key) { keys.append(key) }
        for key in keys {
            let inside = wanted.filter { $0.1.first == key }.map { ($0.0, $0.1.dropFirst()) }
            guard let member = members[key] else {
                if let wrong = inside.first(where: { impossible.contains(paths[$0.0]) }) {
                    throw .unknown(path: paths[wrong.0].joined(separator: "."), known: members.keys.sorted())
                }
                continue
            }
            let found = try rows(member, impossible, inside)
            if found.areOfList {
                guard !hasList else { throw .differentLists }
                hasList = true
                let base = combined[0]
                combined = found.rows.map { base.merging($0) { $1 } }
            } else {
                combined = combined.map { $0.merging(found.rows[0]) { $1 } }
            }
        }
        return (combined, hasList)
    }

    private static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D || $0 == 0x5C }) else { return text }
        return text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\t", with: "\\t")
            .replacingOccurrences(of: "\n", with: "\\n").replacingOccurrences(of: "\r", with: "\\r")
    }
}

extension FieldSelection {
    /// Whether the JSON of a value can have keys, one inside another. Keys are the names of properties, but for capitals: `userId` and `userID`.
    static func canHave(_ keys: ArraySlice<String>, in value: Any) -> Bool {
        guard let key = keys.first else { return true }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional, .collection, .enum:
            // What is not there could have anything.
            return mirror.children.isEmpty || mirror.children.contains { canHave(keys, in: $0.value) }
        default:
            guard let child = mirror.children.first(where: { $0.label?.lowercased() == key.lowercased() }) else { return false }
            return canHave(keys.dropFirst(), in: child.value)
        }
    }
}
