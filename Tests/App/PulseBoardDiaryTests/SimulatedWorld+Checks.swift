import PulseBoardDomain
import PulseBoardServices

@testable import PulseBoardDiary

/// What must hold in a simulated world: during the schedule, and when everything has arrived.
extension SimulatedWorld {
    /// A list has each entry once and can be read.
    func checkList(_ device: Device) async throws {
        let page = try await device.repository.entries(.all, PageRequest(size: 200))
        guard Set(page.entries.map(\.id)).count == page.entries.count else { throw violation("6: an entry is listed twice") }
        let isInOrder = zip(page.entries, page.entries.dropFirst()).allSatisfy { one, next in
            one.content.entryTime == next.content.entryTime
                ? next.id.bits.bytes.lexicographicallyPrecedes(one.id.bits.bytes) : one.content.entryTime > next.content.entryTime
        }
        guard isInOrder else { throw violation("6: a list is out of order") }
        guard page.damaged.isEmpty else { throw violation("19: a row cannot be read") }
    }

    /// The server's rows at the instant of a complete page.
    func snapshot(of outcome: SimulatedNetwork.Outcome, _ index: Int) async throws -> [DiaryEntryID: DiaryRow]? {
        guard
            case .success(.page(let page)) = outcome, page.isComplete, case .pull(_, let device)? = devices[index].network.waitingCall
        else { return nil }
        return try await server.rows(of: devices[index].network.user, for: device)
    }

    /// Keeps the server's rows after some pushes, to compare a base that did not read them.
    func remember(_ outcome: SimulatedNetwork.Outcome, _ index: Int) async throws {
        guard
            case .success(.pushed(let reply)) = outcome, let span = reply.span,
            case .push(_, _, let device)? = devices[index].network.waitingCall
        else { return }
        pushes += 1
        guard pushes.isMultiple(of: 3), !server.disk.hasStopped else { return }
        devices[index].pushed[span.after] = try await server.rows(of: devices[index].network.user, for: device)
    }

    /// Checks that a base with own changes that were not read back is what the server had.
    func checkOwnChanges(_ index: Int) async throws {
        guard let rows = devices[index].pushed.removeValue(forKey: try await devices[index].file.checkpoint()) else { return }
        try await compare(devices[index], with: rows)
        count(.ownChanges)
    }

    /// Checks that the base is what the server had.
    func compare(_ device: Device, with snapshot: [DiaryEntryID: DiaryRow]) async throws {
        let kept = snapshot.filter { !$0.value.isDeleted || !$0.value.conflicts.isEmpty }
        let expected = Dictionary(uniqueKeysWithValues: kept.map { ($0.key.description, $0.value.bytes) })
        guard try await device.file.rowBytes("base") == expected else { throw violation("12: the base of \(device.name) is not what the server had") }
    }

    /// Values of edits that the server refused for good.
    func rejectedValues(_ device: Device) async throws -> [String] {
        try await device.file.rejected().flatMap { rejected -> [String] in
            switch rejected.mutation.kind {
            case .create(let content): content.names
            case .patch(let patch): patch.values.values.filter(\.isWritten).map(\.name)
            case .delete, .dismiss: []
            }
        }
    }

    /// Lets everything arrive, and checks what must hold then.
    func finish() async throws {
        for index in devices.indices { try await endSynchronization(index) }
        server.decoder.set(isThere: true)
        try await server.restart()
        guard let services = await server.services else { throw violation("the server does not start") }
        for device in devices {
            let caller = diaries[device.diary].caller
            device.network.connect { call in await services.answer(call, caller, pageSize: 500) }
            try await device.file.attach(to: device.network.user)
        }
        for _ in 0..<3 {
            for device in devices {
                do { try await device.repository.synchronize() } catch { throw violation("\(device.name) does not synchronise: \(error)") }
            }
        }
        for number in diaries.indices { try await check(number, devices.filter { $0.diary == number }, services) }
        try await server.close()
    }

    private func check(_ number: Int, _ devices: [Device], _ services: Services) async throws {
        let diary = diaries[number]
        // An empty directory that reads everything from the beginning.
        let network = SimulatedNetwork(user: diary.caller.userID)
        network.connect { call in await services.answer(call, diary.caller, pageSize: 500) }
        let fresh = try DiaryFile(directory: directory.path + "/fresh\(number)", clock: clock)
        try await fresh.attach(to: network.user)
        try await CombinedDiaryRepository(fresh, server: network).synchronize()
        let base = try await fresh.rowBytes("base")
        var found: Set<String> = []
        for device in devices {
            guard try await device.file.rowBytes("base") == base else { throw violation("11: \(device.name) ends otherwise") }
            guard try await device.file.outboxCount() == 0 else { throw violation("an outbox of \(device.name) is not empty") }
            guard await device.file.sentAgainCount == 0 else { throw violation("8: \(device.name) takes a deletion for a loss") }
            guard try await device.file.rowBytes("shown") == base else { throw violation("what \(device.name) shows is not its base") }
            found.formUnion(try await rejectedValues(device))
            try await checkPictures(device, base)
            try await checkList(device)
        }
        var live: Set<DiaryEntryID> = []
        for (id, bytes) in base {
            guard let row = DiaryRow(bytes: bytes), let id = DiaryEntryID(text: id) else { throw violation("a row cannot be read") }
            if !row.isDeleted { live.insert(id) }
            let values = (DiaryField.allCases.compactMap { row[$0].value } + row.conflicts.map(\.value)).filter(\.isWritten)
            let foreign = values.filter { $0.isOfSecond != (number == 1) }
            guard foreign.isEmpty else { throw violation("16: a diary has another account's words: \(foreign.map(\.name))") }
            found.formUnion(values.map(\.name))
        }
        let lost = diary.written.subtracting(diary.covered).subtracting(found)
        guard lost.isEmpty else { throw violation("9, 10: lost \(lost.sorted())") }
        guard diary.hasCopies || live.isDisjoint(with: diary.deleted) else { throw violation("8: a deleted entry is back") }
        try await checkStatus(fresh, live.count, base)
    }

    /// A device has every picture of its diary, with its bytes, and only files that its rows name.
    private func checkPictures(_ device: Device, _ base: [String: [UInt8]]) async throws {
        for image in base.values.compactMap(DiaryRow.init(bytes:)).reduce(into: Set<DiaryImage>(), { $0.formUnion($1.images) }) {
            guard let bytes = try await device.file.imageBytes(image.hash), bytes == pictures[image] else {
                throw violation("17: \(device.name) lacks a picture of its diary")
            }
        }
        let rows = try await device.file.imagesHere()
        guard try Set(ImageFiles(directory: device.disk.path).names()) == rows else {
            throw violation("17: \(device.name) has files without rows, or rows without files")
        }
    }

    /// Every figure of the status equals a recount.
    private func checkStatus(_ file: DiaryFile, _ liveCount: Int, _ base: [String: [UInt8]]) async throws {
        let status = try await file.status()
        let conflictCount = base.values.compactMap(DiaryRow.init(bytes:)).reduce(0) { $0 + $1.conflicts.count }
        guard status.entryCount == liveCount, status.conflictCount == conflictCount, status.pendingCount == 0, status.rejectedCount == 0 else {
            throw violation("20: the status is not a recount")
        }
    }
}

extension DiaryPushReply {
    /// Whether an edit was refused for good.
    var hasRefusals: Bool { results.contains { if case .rejected = $0.outcome { true } else { false } } }
}

extension DiaryFile {
    /// The cursor of the base; empty while a checkpoint is not complete.
    func checkpoint() throws(DiaryError) -> String {
        let state = try SyncState(database)
        return state.stagedCursor.isEmpty ? state.cursor : ""
    }
}
