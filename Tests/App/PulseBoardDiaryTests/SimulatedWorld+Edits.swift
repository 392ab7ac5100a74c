import PulseBoardDomain
import PulseBoardServices

@testable import PulseBoardDiary

/// The edits in a simulated world, and what must be true at once.
extension SimulatedWorld {
    /// Makes one edit on a device, based on what it shows.
    func edit(_ index: Int) async throws {
        count(.edit)
        let device = devices[index]
        let known = diaries[device.diary].entries
        let roll = random.below(100)
        guard !known.isEmpty, roll >= (known.count < 40 ? 25 : 4) else { return try await create(on: index) }
        let id = known[random.below(known.count)]
        guard let row = try await whileRunning(index, { () throws(DiaryError) in try await device.file.shownRow(id) }).flatMap(\.self) else { return }
        if !row.conflicts.isEmpty, row.isDeleted || roll < 55 { return try await settle(id, row, on: index) }
        guard !row.isDeleted else {
            if await (try? device.repository.entry(id)) != nil { throw violation("8: a deleted entry is shown") }
            return
        }
        if roll < 40 { try await delete(id, row, on: index) } else { try await update(id, row, on: index) }
    }

    /// Runs an edit on a device. - Returns: `nil` if the device's disk has stopped: then the edit may or may not be
    /// stored.
    func whileRunning<Value: Sendable>(_ index: Int, _ body: () async throws(DiaryError) -> Value) async throws -> Value? {
        do throws(DiaryError) { return try await body() } catch .storeFailed(let detail) {
            guard devices[index].disk.hasStopped else { throw violation("\(devices[index].name) fails: \(detail.english)") }
            return nil
        }
    }

    private func create(on index: Int) async throws {
        let device = devices[index]
        var content = newContent(of: device.diary)
        if random.chance(10) {
            guard let images = try await newImages(on: index) else { return }
            content = DiaryContent(stored: content.entryTime, emotion: content.emotion, text: content.text, images: images)
        }
        let written = content
        let id = DiaryEntryID(bits: UUIDBits(high: seed &+ 1, low: random.next()))
        let made = try await whileRunning(index) { () throws(DiaryError) in try await device.repository.save(written, as: id) }
        diaries[device.diary].entries.append(id)
        guard let made else { return }
        diaries[device.diary].written.formUnion(content.names)
        guard made.content == content else { throw violation("7: an own entry is not shown") }
    }

    private func update(_ id: DiaryEntryID, _ row: DiaryRow, on index: Int) async throws {
        let device = devices[index]
        var (change, fields) = try newChange(of: device.diary)
        if random.chance(12) {
            guard let images = try await newImages(on: index) else { return }
            (change, fields) = (try DiaryChange(images: images), [.images])
        }
        let made = change
        diaries[device.diary].covered.formUnion(fields.compactMap { row[$0].value?.name })
        let changed = try await whileRunning(index) { () throws(DiaryError) in
            try await device.repository.update(id, made, ifMatches: row.etag)
        }
        guard let changed else { return }
        diaries[device.diary].written.formUnion(change.values.values.map(\.name))
        guard fields.allSatisfy({ changed.content[$0] == change.values[$0] }) else { throw violation("7: an own change is not shown") }
    }

    /// Adds a new picture. - Returns: `nil` if the device's disk has stopped.
    private func newImages(on index: Int) async throws -> [DiaryImage]? {
        let repository = devices[index].repository, bytes = newPicture(of: devices[index].diary)
        guard let image = try await whileRunning(index, { () throws(DiaryError) in try await repository.addImage(bytes) }) else { return nil }
        pictures[image] = bytes
        return [image]
    }

    private func newChange(of diary: Int) throws -> (DiaryChange, [DiaryField]) {
        let content = newContent(of: diary)
        let fields = [[DiaryField.text], [.text], [.text, .emotion], [.emotion], [.entryTime]][random.below(5)]
        let change = try DiaryChange(
            entryTime: fields.contains(.entryTime) ? content.entryTime : nil, emotion: fields.contains(.emotion) ? content.emotion : nil,
            text: fields.contains(.text) ? content.text : nil)
        return (change, fields)
    }

    private func delete(_ id: DiaryEntryID, _ row: DiaryRow, on index: Int) async throws {
        let device = devices[index]
        diaries[device.diary].covered.formUnion(DiaryField.allCases.compactMap { row[$0].value?.name })
        guard try await whileRunning(index, { () throws(DiaryError) in try await device.repository.delete(id) }) != nil else { return }
        diaries[device.diary].deleted.insert(id)
        if let shown = try await device.file.shownRow(id), !shown.isDeleted { throw violation("8: a deleted entry is shown") }
    }

    private func settle(_ id: DiaryEntryID, _ row: DiaryRow, on index: Int) async throws {
        let device = devices[index]
        let lost = row.orderedConflicts[random.below(row.conflicts.count)]
        let isTaken = random.chance(50)
        // The replaced value is covered, and so is a conflict that its owner dismisses. A value that is taken is shown again: in its entry, or in a
        // new one if that was deleted.
        let covered = !isTaken ? lost.value.name : row.isDeleted ? nil : row[lost.field].value?.name
        if let covered { diaries[device.diary].covered.insert(covered) }
        let made = try await whileRunning(index) { () throws(DiaryError) in try await device.file.settle(id, lost.fieldStamp, taking: isTaken) }
        if let made = made.flatMap(\.self), made != id { diaries[device.diary].entries.append(made) }
    }

    /// Makes one edit without a device, as a web page does.
    func editOnline() async throws {
        let number = random.below(4) == 0 ? 1 : 0
        let known = diaries[number].entries, caller = diaries[number].caller
        guard let service = await server.services?.diaries else { return }
        do throws(RepositoryError) {
            if known.isEmpty || random.chance(20) {
                let content = newContent(of: number)
                let id = DiaryEntryID(bits: UUIDBits(high: seed &+ 1, low: random.next()))
                diaries[number].entries.append(id)
                _ = try await service.createEntry(id, content, caller)
                diaries[number].written.formUnion(content.names)
                return
            }
            let id = known[random.below(known.count)]
            let entry = try await service.entry(id, caller)
            if random.chance(20) {
                diaries[number].covered.formUnion(entry.content.names)
                try await service.deleteEntry(id, caller)
                diaries[number].deleted.insert(id)
            } else if let (change, fields) = try? newChange(of: number) {
                diaries[number].covered.formUnion(fields.map { entry.content[$0].name })
                _ = try await service.updateEntry(id, change, etag: entry.etag.text, caller)
                diaries[number].written.formUnion(change.values.values.map(\.name))
            }
        } catch {
            switch error {
            case .diary(.entryNotFound): break
            case .storeUnavailable where server.disk.hasStopped: break
            default: throw violation("an edit on the server fails: \(error)")
            }
        }
    }
}

extension DiaryContent {
    /// The names of its values in the schedule.
    var names: [String] { DiaryField.allCases.map { self[$0] }.filter(\.isWritten).map(\.name) }
}

extension DiaryValue {
    /// The value with its field. It is unique in a schedule.
    var name: String {
        switch self {
        case .time(let time): "time \(time.microseconds)"
        case .emotion(let emotion): "emotion \(emotion)"
        case .text(let text): "text \(text)"
        case .images(let images): "images \(images.map(\.hash))"
        }
    }

    /// Whether somebody has written it. An empty value does not count, because it cannot be lost, and neither does the time of writing that an entry
    /// gets if its own time was not kept.
    var isWritten: Bool {
        switch self {
        case .time(let time): time.microseconds < 1_750_000_000_000_000
        case .emotion(let text), .text(let text): !text.isEmpty
        case .images(let images): !images.isEmpty
        }
    }

    /// Whether it belongs to the second account. The schedule encodes that in the value.
    var isOfSecond: Bool {
        switch self {
        case .time(let time): time.microseconds % 2 == 1
        case .emotion(let text), .text(let text): text.hasPrefix("j")
        case .images(let images): images.contains { $0.byteCount % 2 == 1 }
        }
    }
}
