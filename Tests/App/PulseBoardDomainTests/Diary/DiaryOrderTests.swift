import TestHarness
import Testing

@testable import PulseBoardDomain

/// Merges edits in every order in which they may arrive.
@Suite("Order of diary edits") struct DiaryOrderTests {
    /// Histories of three devices with clocks up to a day apart. Each edit is made by a device that knows some of the
    /// others' edits.
    struct History {
        struct Edit {
            let device: Int
            let mutation: DiaryMutation
            /// Edits that its author had seen, by their places in the history.
            let seen: Set<Int>
        }

        var edits: [Edit] = []

        /// - Parameter refused: of a hundred edits, how many a server refuses. Their authors go on from them.
        init(seed: UInt64, refused: Int = 0) {
            var random = SeededRandom(seed: seed)
            let skews = (0..<3).map { _ in Int64.random(in: -1...1, using: &random) * 86_400_000_000 }
            var clocks = [DiaryClock](repeating: DiaryClock(), count: 3)
            var rows = [[DiaryEntryID: DiaryRow]](repeating: [:], count: 3)
            var seen = [Set<Int>](repeating: [], count: 3)
            var now: Int64 = 1_800_000_000_000_000
            var entries = 0
            for _ in 0..<Int.random(in: 6...24, using: &random) {
                now += Int64.random(in: 1...50, using: &random)
                let device = Int.random(in: 0..<3, using: &random)
                if random.chance(35) {
                    // The device learns all edits.
                    seen[device] = Set(edits.indices)
                    rows[device] = Self.rows(of: edits)
                    for row in rows[device].values { clocks[device].observe(row) }
                    continue
                }
                let time = Timestamp(microseconds: now + skews[device])
                let stamp = clocks[device].stamp(at: time, on: deviceID(device))
                let live = rows[device].filter { !$0.value.isDeleted }.keys.sorted()
                let torn = rows[device].filter { !$0.value.conflicts.isEmpty }.keys.sorted()
                let mutation: DiaryMutation
                if live.isEmpty || random.chance(25) {
                    mutation = DiaryMutation(entryID: entryID(entries), stamp: stamp, kind: .create(.example(now)))
                    entries += 1
                } else if let id = torn.randomElement(using: &random), let row = rows[device][id], random.chance(20) {
                    let conflict = row.orderedConflicts[0]
                    let kind: DiaryMutation.Kind =
                        row.isDeleted || random.chance(50)
                        ? .dismiss([conflict.fieldStamp])
                        : .patch(DiaryPatch(
                            values: [conflict.field: conflict.value], bases: [conflict.field: row[conflict.field].stamp],
                            covers: [conflict.fieldStamp]))
                    mutation = DiaryMutation(entryID: id, stamp: stamp, kind: kind)
                } else if let id = live.randomElement(using: &random), let row = rows[device][id] {
                    let fields = DiaryField.allCases.filter { _ in random.chance(50) }
                    let content = DiaryContent.example(now)
                    let patch = DiaryPatch(
                        values: Dictionary(uniqueKeysWithValues: fields.map { ($0, content[$0]) }),
                        bases: Dictionary(uniqueKeysWithValues: fields.map { ($0, row[$0].stamp) }))
                    mutation = DiaryMutation(entryID: id, stamp: stamp, kind: fields.isEmpty ? .delete(seen: row.stamps) : .patch(patch))
                } else {
                    continue
                }
                _ = DiaryMerge.apply(mutation, to: &rows[device][mutation.entryID])
                guard !random.chance(refused) else { continue }
                edits.append(Edit(device: device, mutation: mutation, seen: seen[device]))
                seen[device].insert(edits.count - 1)
            }
        }

        static func rows(of edits: [Edit]) -> [DiaryEntryID: DiaryRow] {
            edits.reduce(into: [:]) { _ = DiaryMerge.apply($1.mutation, to: &$0[$1.mutation.entryID]) }
        }

        /// The same edits in another order. Each comes after those that its author had seen.
        func shuffled(using random: inout SeededRandom) -> [Edit] {
            var left = Array(edits.indices)
            var done: Set<Int> = []
            var order: [Edit] = []
            while !left.isEmpty {
                let ready = left.filter { edits[$0].seen.isSubset(of: done) }
                guard let next = ready.randomElement(using: &random) else { break }
                left.removeAll { $0 == next }
                done.insert(next)
                order.append(edits[next])
            }
            return order
        }
    }

    @Test("promises 11, 18: three thousand histories in twelve orders each end with byte-equal rows, with clocks a day apart", arguments: 0..<6)
    func orders(part: UInt64) {
        for seed in part * 500..<(part + 1) * 500 {
            let history = History(seed: seed)
            let expected = History.rows(of: history.edits).mapValues(\.bytes)
            var random = SeededRandom(seed: ~seed)
            for _ in 0..<12 {
                let order = history.shuffled(using: &random)
                #expect(order.count == history.edits.count, "seed \(seed)")
                #expect(History.rows(of: order).mapValues(\.bytes) == expected, "seed \(seed)")
            }
        }
    }

    @Test("a device can take every row that edits make, also when a server has refused edits that others build on", arguments: 0..<4)
    func rowsOfRefusedEdits(part: UInt64) throws {
        var kept = 0
        for seed in part * 250..<(part + 1) * 250 {
            var rows: [DiaryEntryID: DiaryRow] = [:]
            let edits = History(seed: seed, refused: 25).edits
            let stamps = Set(edits.map(\.mutation.stamp))
            for edit in edits {
                try edit.mutation.check()
                _ = DiaryMerge.apply(edit.mutation, to: &rows[edit.mutation.entryID])
                guard let row = rows[edit.mutation.entryID] else { continue }
                #expect(throws: Never.self, "seed \(seed)") { try row.check() }
                // Each conflict is an edit of somebody.
                #expect(row.conflicts.allSatisfy { stamps.contains($0.stamp) }, "seed \(seed)")
                kept += row.conflicts.count
            }
        }
        #expect(kept > 0)
    }

    @Test(
        "promise 10: no edit of a live entry is lost: it won, it is a conflict, or a later edit or its owner's word has covered it", arguments: 0..<4)
    func nothingLost(part: UInt64) {
        var losers = 0
        for seed in part * 250..<(part + 1) * 250 {
            let history = History(seed: seed)
            let rows = History.rows(of: history.edits)
            // The stamps that some edit names as base, seen or settled.
            var covered: Set<DiaryFieldStamp> = []
            for edit in history.edits {
                switch edit.mutation.kind {
                case .create: break
                case .patch(let patch): covered.formUnion(patch.covers.union(patch.bases.map { DiaryFieldStamp($0.key, $0.value) }))
                case .delete(let seen): covered.formUnion(seen.map { DiaryFieldStamp($0.key, $0.value) })
                case .dismiss(let covers): covered.formUnion(covers)
                }
            }
            for edit in history.edits {
                let fields: [DiaryField]
                switch edit.mutation.kind {
                case .create(let content): fields = DiaryField.allCases.filter { $0 != .images || !content.images.isEmpty }
                case .patch(let patch): fields = Array(patch.values.keys)
                case .delete, .dismiss: fields = []
                }
                for field in fields where !covered.contains(DiaryFieldStamp(field, edit.mutation.stamp)) {
                    let row = rows[edit.mutation.entryID]
                    let isKept = row?.conflicts.contains { $0.field == field && $0.stamp == edit.mutation.stamp } ?? false
                    #expect(row?[field].stamp == edit.mutation.stamp || isKept, "seed \(seed)")
                    if isKept { losers += 1 }
                }
            }
        }
        #expect(losers > 0)
    }
}

extension DiaryContent {
    /// A unique content for each instant.
    static func example(_ instant: Int64) -> DiaryContent {
        // Every third content has its own picture.
        let image = DiaryImageHash(bytes: (0..<32).map { UInt8(truncatingIfNeeded: instant >> (8 * ($0 % 8))) }).map {
            DiaryImage(hash: $0, contentType: "image/png", byteCount: 1)
        }
        return DiaryContent(
            stored: Timestamp(microseconds: instant), emotion: "calm", text: "written at \(instant)",
            images: instant % 3 == 0 ? [image].compactMap(\.self) : [])
    }
}
