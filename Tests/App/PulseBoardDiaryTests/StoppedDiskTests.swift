import Foundation
import PulseBoardDomain
import Testing

@testable import PulseBoardDiary

/// A device is killed, or loses power, at each single write to its disk.
@Suite("Diaries on a disk that stops") struct StoppedDiskTests {
    /// Every operation that changes a directory.
    enum Operation: CaseIterable {
        case attach, save, update, delete, settle, register, number, takeNumbersBack, acknowledge, stage, complete, completeFresh, moveStamps
        case becomeNewDevice, beginAgain, takeOwnChanges
    }

    private static let owner = UserID(bits: UUIDBits(high: 1, low: 1))
    private static let others = DiaryDeviceID(bits: UUIDBits(high: 9, low: 9))

    @Test(
        "promises 1, 2, 12: stopped at any write, a directory is as it was before or as it is afterwards, and as afterwards once the call has returned",
        arguments: Operation.allCases, [false, true])
    func everyWrite(operation: Operation, isPowerCut: Bool) async throws {
        let parent = try TemporaryDirectory(in: SimulatedDisk.root)
        let before = try await run(operation, in: parent.path + "/before", isDone: false)
        let after = try await run(operation, in: parent.path + "/after", isDone: true)
        #expect(before != after)
        var places = 0
        var isThrough = false
        while !isThrough {
            let disk = try SimulatedDisk(parent.path + "/\(places)")
            var hasReturned = false
            do {
                let file = try await prepared(operation, in: disk.path)
                disk.stop(after: places)
                do throws(DiaryError) {
                    try await perform(operation, on: file)
                    hasReturned = true
                } catch { #expect(disk.hasStopped, "\(error)") }
            }
            isThrough = !disk.hasStopped
            // Writes during closing the connection do not reach the disk either.
            disk.stop(after: 0)
            try await disk.restart(losing: isPowerCut, seed: UInt64(places))
            let content = try await open(disk.path).content()
            #expect(content == after || !hasReturned && content == before, "\(operation) at write \(places)")
            places += 1
        }
        #expect(places > 2)
    }

    private func run(_ operation: Operation, in path: String, isDone: Bool) async throws -> [String] {
        let file = try await prepared(operation, in: path)
        if isDone { try await perform(operation, on: file) }
        return try await file.content()
    }

    private func open(_ path: String) throws -> DiaryFile {
        try DiaryFile(directory: path, clock: SimulatedClock(), random: SeededBytes(seed: 7))
    }

    /// A directory with some of every kind of data.
    private func prepared(_ operation: Operation, in path: String) async throws -> DiaryFile {
        let file = try open(path)
        _ = try await file.save(content("local"), as: entryID(1))
        if operation == .attach { return file }
        try await file.attach(to: Self.owner)
        let device = try await file.status().device
        if operation == .register { return file }
        try await file.didRegister(device)
        let lost = DiaryConflict(field: .text, stamp: DiaryStamp(time: 3, device: Self.others), value: .text("lost"))
        let last: Int64 = operation == .takeNumbersBack ? 2 : 0
        try await file.take(page([row(5, "theirs", 4, [lost])], complete: true, last: last), at: file.position())
        _ = try await file.save(content("mine"), as: entryID(2))
        if operation == .number { return file }
        let batch = try #require(try await file.nextBatch())
        if operation == .acknowledge || operation == .takeOwnChanges { return file }
        if operation == .takeNumbersBack {
            // One more than the server had at the last checkpoint.
            _ = try await file.save(content("later"), as: entryID(3))
            _ = try await file.nextBatch()
            return file
        }
        if operation != .moveStamps {
            try await file.acknowledge(batch.mutations.map { DiaryMutationResult(number: $0.number, outcome: .applied) }, from: device)
        }
        _ = try await file.save(content("later"), as: entryID(3))
        if operation == .completeFresh { try await file.beginAgain() }
        if operation != .stage { try await file.take(page([row(5, "changed", 6)], complete: false), at: file.position()) }
        return file
    }

    private func perform(_ operation: Operation, on file: DiaryFile) async throws(DiaryError) {
        switch operation {
        case .attach: try await file.attach(to: Self.owner)
        case .save: _ = try await file.save(content("new"), as: entryID(4))
        case .update: _ = try await file.update(entryID(2), change("changed"), ifMatches: nil)
        case .delete: try await file.delete(entryID(5))
        case .settle: try await file.settle(entryID(5), DiaryFieldStamp(.text, DiaryStamp(time: 3, device: Self.others)), taking: true)
        case .register: try await file.didRegister(file.status().device)
        case .number: _ = try await file.nextBatch()
        case .takeNumbersBack: try await file.takeNumbersBack()
        case .acknowledge:
            try await file.acknowledge(
                [DiaryMutationResult(number: 1, outcome: .applied), DiaryMutationResult(number: 2, outcome: .rejected(.diaryFull))],
                from: file.status().device)
        case .takeOwnChanges:
            guard let batch = try await file.nextBatch() else { throw .answerNotUnderstood }
            let outcomes: [DiaryMutationResult.Outcome] = [.applied, .rejected(.diaryFull)]
            let results = outcomes.enumerated().map { DiaryMutationResult(number: Int64($0.offset) + 1, outcome: $0.element) }
            let span = DiaryPushReply.Span(before: try await file.checkpoint(), after: "after")
            try await file.acknowledge(
                DiaryAnsweredBatch(batch: batch, reply: DiaryPushReply(results: results, span: span)))
        case .stage: try await file.take(page([row(5, "changed", 6)], complete: false), at: file.position())
        case .complete, .completeFresh: try await file.take(page([row(6, "more", 7)], complete: true), at: file.position())
        case .moveStamps: try await file.moveStamps(to: Timestamp(microseconds: 1_000), after: 0)
        case .becomeNewDevice: try await file.becomeNewDevice()
        case .beginAgain: try await file.beginAgain()
        }
    }

    private func change(_ text: String) throws(DiaryError) -> DiaryChange {
        do throws(ValidationError) { return try DiaryChange(text: text) } catch { throw .invalid(error) }
    }

    private func row(_ number: Int, _ text: String, _ time: Int64, _ conflicts: Set<DiaryConflict> = []) -> DiaryRowChange {
        var row = DiaryRow(createTime: Timestamp(microseconds: 1), isDeleted: false, conflicts: conflicts)
        for field in DiaryField.allCases {
            row[field] = DiaryRow.Cell(value: content(text)[field], stamp: DiaryStamp(time: time, device: Self.others))
        }
        return DiaryRowChange(id: entryID(number), row: row)
    }

    private func page(_ rows: [DiaryRowChange], complete: Bool, last: Int64? = nil) -> DiaryReadPage {
        DiaryReadPage(rows: rows, nextCursor: "cursor \(rows.count) \(complete)", isComplete: complete, lastMutation: last ?? (complete ? 2 : 1))
    }
}

extension DiaryFile {
    /// Every row of every table.
    func content() throws(DiaryError) -> [String] {
        let tables = try database.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name") {
            $0.text(0) ?? ""
        }
        var content: [String] = []
        for table in tables {
            let columns = try database.rows("SELECT name FROM pragma_table_info('\(table)') ORDER BY cid") { $0.text(0) ?? "" }
            let values = columns.map { "quote(\($0))" }.joined(separator: " || ' ' || ")
            content += try database.rows("SELECT \(values) FROM \(table) ORDER BY 1") { table + ": " + ($0.text(0) ?? "") }
        }
        return content
    }
}
