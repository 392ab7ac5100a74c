import Foundation
import Testing

@testable import PulseBoardDomain

/// Compares the rules with an executable model in Python (`Tests/Vectors/diary/model.py`).
@Suite("Diary histories") struct DiaryHistoryTests {
    @Test("promise 10: every history of the model ends with the model's rows, outcomes and conflicts")
    func histories() throws {
        let file = URL(filePath: #filePath).appending(path: "../../../../Vectors/diary/histories.jsonl").standardized
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 120)
        var conflicts = 0
        for line in lines {
            let history = try JSONDecoder().decode(History.self, from: Data(line.utf8))
            var rows: [DiaryEntryID: DiaryRow] = [:]
            for step in history.mutations { try step.run(on: &rows, "seed \(history.seed)") }
            let expected = try Dictionary(uniqueKeysWithValues: history.rows.map { (entryID(try #require(Int($0.key))), try $0.value.row()) })
            #expect(rows == expected, "seed \(history.seed)")
            conflicts += rows.values.reduce(0) { $0 + $1.conflicts.count }
        }
        #expect(conflicts == 173)
    }
}

/// The `number`-th entry.
func entryID(_ number: Int) -> DiaryEntryID { DiaryEntryID(bits: UUIDBits(high: 0x4000, low: 0x8000_0000_0000_0000 | UInt64(number))) }

/// The `number`-th device; -1 is that of ``DiaryStamp/none``.
func deviceID(_ number: Int) -> DiaryDeviceID { DiaryDeviceID(bits: UUIDBits(high: 0, low: number < 0 ? 0 : UInt64(number) + 2)) }

private struct History: Decodable {
    let seed: Int
    let mutations: [Step]
    let rows: [String: Row]

    struct Row: Decodable {
        let dead: Bool
        let fields: [String: Cell]
        let conflicts: [Loser]

        /// The model has no creation times, so a live entry's is taken from the tested row.
        func row() throws -> Comparison {
            Comparison(
                isDeleted: dead,
                cells: try Dictionary(uniqueKeysWithValues: fields.map { name, cell in
                    let field = try field(name)
                    return (field, DiaryRow.Cell(value: try cell.value?.value(of: field), stamp: cell.stamp.stamp))
                }),
                conflicts: Set(
                    try conflicts.map {
                        DiaryConflict(field: try field($0.field), stamp: $0.stamp.stamp, value: try $0.value.value(of: field($0.field)))
                    }))
        }
    }

    struct Comparison: Equatable {
        let isDeleted: Bool
        let cells: [DiaryField: DiaryRow.Cell]
        let conflicts: Set<DiaryConflict>
    }

    /// `[time, device]`
    struct Stamp: Decodable {
        let stamp: DiaryStamp
        init(from decoder: any Decoder) throws {
            var parts = try decoder.unkeyedContainer()
            stamp = DiaryStamp(time: try parts.decode(Int64.self), device: deviceID(try parts.decode(Int.self)))
        }
    }

    enum Value: Decodable {
        case text(String), number(Int64)
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            self = if let number = try? container.decode(Int64.self) { .number(number) } else { .text(try container.decode(String.self)) }
        }

        func value(of field: DiaryField) throws -> DiaryValue {
            switch (field, self) {
            case (.text, .text(let text)): .text(text)
            case (.emotion, .text(let text)): .emotion(text)
            case (.entryTime, .number(let time)): .time(Timestamp(microseconds: time))
            default: throw UnknownField()
            }
        }
    }

    /// `[value, stamp]`
    struct Cell: Decodable {
        let value: Value?
        let stamp: Stamp
        init(from decoder: any Decoder) throws {
            var parts = try decoder.unkeyedContainer()
            value = try parts.decodeIfPresent(Value.self)
            stamp = try parts.decode(Stamp.self)
        }
    }

    /// `[field, stamp, value]`
    struct Loser: Decodable {
        let field: String
        let stamp: Stamp
        let value: Value
        init(from decoder: any Decoder) throws {
            var parts = try decoder.unkeyedContainer()
            field = try parts.decode(String.self)
            stamp = try parts.decode(Stamp.self)
            value = try parts.decode(Value.self)
        }
    }

    /// `[field, stamp]`
    struct Name: Decodable {
        let field: String
        let stamp: Stamp
        init(from decoder: any Decoder) throws {
            var parts = try decoder.unkeyedContainer()
            field = try parts.decode(String.self)
            stamp = try parts.decode(Stamp.self)
        }
    }

    struct Step: Decodable {
        let op: String
        let id: Int?
        let stamp: Stamp?
        let result: String?
        let values: [String: Value]?
        let bases: [String: Stamp]?
        let covers: [Name]?
        let seen: [String: Stamp]?

        func run(on rows: inout [DiaryEntryID: DiaryRow], _ comment: Comment) throws {
            guard op != "purge" else {
                rows = rows.filter { !$0.value.isDeleted || !$0.value.conflicts.isEmpty }
                return
            }
            let id = entryID(try #require(id))
            let mutation = DiaryMutation(entryID: id, stamp: try #require(stamp).stamp, kind: try kind())
            // The mutation survives encoding and decoding.
            #expect(DiaryMutation(bytes: mutation.bytes) == mutation)
            let outcome = DiaryMerge.apply(mutation, to: &rows[id])
            #expect(outcome == ["NOOP": .nothing, "APPLIED": .applied, "CONFLICT": .conflict][try #require(result)], comment)
            if let row = rows[id] { #expect(DiaryRow(bytes: row.bytes) == row) }
        }

        private func kind() throws -> DiaryMutation.Kind {
            let covers = Set(try (covers ?? []).map { DiaryFieldStamp(try field($0.field), $0.stamp.stamp) })
            switch op {
            case "create":
                guard case .number(let time)? = values?["time"], case .text(let emotion)? = values?["emotion"],
                    case .text(let text)? = values?["text"]
                else { throw UnknownField() }
                return .create(DiaryContent(stored: Timestamp(microseconds: time), emotion: emotion, text: text))
            case "update":
                return .patch(DiaryPatch(
                    values: try keyed(values) { try $1.value(of: $0) }, bases: try keyed(bases) { $1.stamp }, covers: covers))
            case "delete": return .delete(seen: try keyed(seen) { $1.stamp })
            default: return .dismiss(covers)
            }
        }

        private func keyed<In, Out>(_ values: [String: In]?, _ transform: (DiaryField, In) throws -> Out) throws -> [DiaryField: Out] {
            try Dictionary(uniqueKeysWithValues: (values ?? [:]).map { (try field($0.key), try transform(field($0.key), $0.value)) })
        }
    }
}

private struct UnknownField: Error {}

private func field(_ name: String) throws -> DiaryField {
    switch name {
    case "time": .entryTime
    case "emotion": .emotion
    case "text": .text
    default: throw UnknownField()
    }
}

private func == (rows: [DiaryEntryID: DiaryRow], expected: [DiaryEntryID: History.Comparison]) -> Bool {
    rows.mapValues { row in
        History.Comparison(
            isDeleted: row.isDeleted, cells: Dictionary(uniqueKeysWithValues: DiaryField.allCases.filter { $0 != .images }.map { ($0, row[$0]) }),
            conflicts: row.conflicts)
    } == expected
}
