/// How much two spellings differ.
package enum Spelling {
    /// Whether a typed name may have meant a known one: at most two changes, and at most a third of the known name.
    static func isNear(_ typed: String, _ known: String) -> Bool {
        distance(Array(typed), Array(known)) <= min(2, max(1, known.count / 3))
    }

    /// The number of changes between two words (optimal string alignment): letters added, left out, replaced, or exchanged
    /// with their neighbour.
    package static func distance(_ left: [Character], _ right: [Character]) -> Int {
        guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
        var rows = [Array(0...right.count)]
        for (index, letter) in left.enumerated() {
            var row = [index + 1]
            for (other, character) in right.enumerated() {
                var cost = min(rows[index][other + 1] + 1, row[other] + 1, rows[index][other] + (letter == character ? 0 : 1))
                if index > 0, other > 0, letter == right[other - 1], left[index - 1] == character { cost = min(cost, rows[index - 1][other - 1] + 1) }
                row.append(cost)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }
}
