import PulseBoardDomain
import PulseBoardVocabulary

/// The results of a device's latest mutations, for a push that is repeated because its answer was lost.
struct DiaryResultLog {
    let diary: DiaryKey
    let device: DiaryDeviceID
    let vault: DiaryVault
    /// Results up to this number are forgotten, because the device has them.
    let confirmed: Int64

    /// The first result of a repeated mutation.
    /// - Throws: `diary(.deviceCloned)` if another mutation had this number.
    func first(_ item: DiaryPush.Item, _ connection: borrowing SQLConnection) throws(RepositoryError) -> DiaryMutationResult {
        let number = item.numbered.number
        var statement = try connection.statement(
            "SELECT fingerprint, outcome FROM diary_result WHERE diary = ? AND device_id = ? AND mutation = ?")
        try statement.bind(diary)
        try statement.bind(device)
        try statement.bind(number)
        // A device never repeats a mutation whose result it has, and has at most two pushes without results.
        guard try statement.step() else { throw .diary(.deviceCloned) }
        guard let bytes = statement.blob(0),
            let fingerprint = try vault.openedIfSealed(bytes, at: .result(diary, device, mutation: number)),
            let outcome = statement.text(1).flatMap(DiaryMutationResult.Outcome.init(stored:))
        else {
            throw .corruptRow(table: "diary_result", key: device.description)
        }
        guard fingerprint == item.fingerprint else { throw .diary(.deviceCloned) }
        return DiaryMutationResult(number: number, outcome: outcome)
    }

    private static func insertion(_ count: Int) -> Query {
        let rows = repeatElement("(?, ?, ?, ?, ?)", count: count).joined(separator: ", ")
        return Query("INSERT INTO diary_result (diary, device_id, mutation, fingerprint, outcome) VALUES \(rows)")
    }

    /// Statements for many results at once, and for the rest.
    private static let insertions = [25, 5, 1].map { ($0, insertion($0)) }

    func remember(
        _ results: [(DiaryMutationResult, fingerprint: [UInt8])], _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        var rest = results[...]
        for (count, insertion) in Self.insertions {
            while rest.count >= count {
                var statement = try connection.statement(insertion)
                for (result, fingerprint) in rest.prefix(count) {
                    try statement.bind(diary)
                    try statement.bind(device)
                    try statement.bind(result.number)
                    try statement.bind(try vault.sealed(fingerprint, at: .result(diary, device, mutation: result.number)))
                    try statement.bind(result.outcome.stored)
                }
                try statement.run()
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Records the progress of the device, and forgets the results that it has.
    func close(last: Int64, confirmed: Int64, at now: Timestamp, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        // A delayed push may confirm less than a later one.
        let forgotten = max(min(confirmed, last), last - DiaryLimits.keptResults, self.confirmed)
        if forgotten > self.confirmed {
            var deletion = try connection.statement("DELETE FROM diary_result WHERE diary = ? AND device_id = ? AND mutation <= ?")
            try deletion.bind(diary)
            try deletion.bind(device)
            try deletion.bind(forgotten)
            try deletion.run()
        }
        var statement = try connection.statement(
            "UPDATE diary_device SET last_mutation = ?, confirmed = ?, seen_time = ? WHERE diary = ? AND device_id = ?")
        try statement.bind(last)
        try statement.bind(forgotten)
        try statement.bind(now)
        try statement.bind(diary)
        try statement.bind(device)
        try statement.run()
    }
}

extension DiaryMutationResult.Outcome {
    /// The stored form: lower-case letters, or the reason of a refusal.
    fileprivate var stored: String {
        switch self {
        case .applied: "applied"
        case .conflict: "conflict"
        case .rejected(let reason): reason.rawValue
        }
    }

    fileprivate init?(stored: String) {
        switch stored {
        case "applied": self = .applied
        case "conflict": self = .conflict
        default:
            guard let reason = Reason(rawValue: stored) else { return nil }
            self = .rejected(reason)
        }
    }
}
