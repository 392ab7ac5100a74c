import PulseBoardVocabulary

/// The result of a load, as a JSON document with stable keys.
struct LoadSummary: Encodable, Sendable, Hashable {
    struct Counts: Encodable, Sendable, Hashable {
        let total: Int
        let created: Int
        let existing: Int
        let refused: Int

        init(total: Int, _ tally: LoadTally) {
            self.total = total
            created = tally.created
            existing = tally.existing
            refused = tally.refused
        }
    }

    struct Refusal: Encodable, Sendable, Hashable {
        /// `people` or `follows`.
        let of: String
        let reason: String
        let count: Int
        let examples: [String]
    }

    struct Phase: Encodable, Sendable, Hashable {
        /// `signIn`, `profiles`, `follows` or `signOut`.
        let name: String
        let calls: Int
        let seconds: Double
        let callsPerSecond: Double

        init(name: String, calls: Int, seconds: Double) {
            self.name = name
            self.calls = calls
            self.seconds = seconds
            callsPerSecond = seconds > 0 ? Double(calls) / seconds : 0
        }
    }

    let people: Counts
    let follows: Counts
    /// How many people have a username other than their login, because of the rules or another person.
    let renamed: Int
    let refusals: [Refusal]
    let phases: [Phase]
    let calls: Int
    let seconds: Double
    let callsPerSecond: Double

    init(
        people: Counts, peopleTally: LoadTally, follows: Counts, followTally: LoadTally, renamed: Int, phases: [Phase]
    ) {
        self.people = people
        self.follows = follows
        self.renamed = renamed
        self.phases = phases
        refusals = Self.refusals("people", peopleTally) + Self.refusals("follows", followTally)
        calls = phases.reduce(0) { $0 + $1.calls }
        seconds = phases.reduce(0) { $0 + $1.seconds }
        callsPerSecond = seconds > 0 ? Double(calls) / seconds : 0
    }

    private static func refusals(_ kind: String, _ tally: LoadTally) -> [Refusal] {
        tally.refusals.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map {
            Refusal(of: kind, reason: $0.key, count: $0.value.count, examples: $0.value.examples)
        }
    }
}

extension LoadSummary {
    /// The summary for a person.
    func text(in language: Language, style: TextStyle) -> String {
        func say(_ english: String, _ korean: String) -> String { Phrase(english, korean).text(in: language) }
        var counts = Table([
            .init(""), .init(say("TOTAL", "전체"), .right), .init(say("CREATED", "생성"), .right),
            .init(say("EXISTING", "기존"), .right), .init(say("REFUSED", "거부"), .right),
        ])
        for (name, row) in [(say("people", "사용자"), people), (say("follows", "팔로우"), follows)] {
            counts.append([name, row.total.grouped, row.created.grouped, row.existing.grouped, row.refused.grouped])
        }
        var pace = Table([
            .init(say("PHASE", "단계")), .init(say("CALLS", "호출"), .right), .init(say("SECONDS", "초"), .right),
            .init(say("CALLS/S", "초당 호출"), .right),
        ])
        for phase in phases + [Phase(name: say("all", "합계"), calls: calls, seconds: seconds)] {
            pace.append([
                LoadPhaseName(rawValue: phase.name)?.phrase.text(in: language) ?? phase.name, phase.calls.grouped,
                phase.seconds.oneDecimal, Int(phase.callsPerSecond.rounded()).grouped,
            ])
        }
        var text = counts.rendered(style) + "\n" + pace.rendered(style)
        if renamed > 0 {
            text += "\n" + say(
                renamed.counted("person", "people") + " got a username that differs from \(renamed == 1 ? "the" : "their") login.",
                "\(renamed.grouped)명은 로그인 이름과 다른 사용자 이름을 받았습니다.") + "\n"
        }
        for refusal in refusals {
            let meaning = Reason(rawValue: refusal.reason)?.text().text(in: language) ?? ""
            text += "\n" + say("Refused", "거부됨") + ": \(refusal.count.grouped) × \(refusal.reason.safeForTerminal) \(meaning)\n"
            for example in refusal.examples { text += "  - " + example.safeForTerminal + "\n" }
        }
        return text
    }
}

/// The results of the steps of one kind.
struct LoadTally: Sendable, Hashable {
    /// The steps that were refused for one reason.
    struct Refusal: Sendable, Hashable {
        var count = 0
        /// The first few examples, for people to inspect.
        var examples: [String] = []
    }

    /// How many examples are kept for each reason.
    private static let examplesKept = 3

    var created = 0
    var existing = 0
    private(set) var refusals: [String: Refusal] = [:]

    var refused: Int { refusals.values.reduce(0) { $0 + $1.count } }

    /// Counts a refused step. `example` is evaluated only while there are few examples.
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
