/// What became of the steps of one kind.
struct LoadTally: Sendable, Hashable {
    /// The steps that were refused for one reason.
    struct Refusal: Sendable, Hashable {
        var count = 0
        /// The first few, for a person to look into.
        var examples: [String] = []
    }

    /// How many examples are kept for each reason.
    static let examplesKept = 3

    var created = 0
    var existing = 0
    private(set) var refusals: [String: Refusal] = [:]

    var refused: Int { refusals.values.reduce(0) { $0 + $1.count } }

    /// Counts a refused step. `example` is only evaluated while few are known.
    mutating func refuse(_ reason: String, example: @autoclosure () -> String) {
        refusals[reason, default: Refusal()].count += 1
        if refusals[reason, default: Refusal()].examples.count < Self.examplesKept {
            refusals[reason, default: Refusal()].examples.append(example())
        }
    }

    mutating func add(_ other: LoadTally) {
        created += other.created
        existing += other.existing
        for (reason, refusal) in other.refusals {
            var sum = refusals[reason] ?? Refusal()
            sum.count += refusal.count
            sum.examples = Array((sum.examples + refusal.examples).prefix(Self.examplesKept))
            refusals[reason] = sum
        }
    }
}
