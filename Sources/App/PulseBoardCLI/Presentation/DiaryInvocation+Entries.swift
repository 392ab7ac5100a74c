import CommandHelp
import Foundation
import ProtobufC
import PulseBoardDiary
import PulseBoardDomain
import PulseBoardVocabulary
import RPCCore

/// An entry as JSON. Scripts depend on the keys: keys may be added but never changed.
struct DiaryEntryDocument: Encodable {
    struct Conflict: Encodable {
        /// Names the conflict for `settle`; the beginning is enough.
        let id: String
        let field: String
        let value: String
        let time: String
    }

    /// A picture. `path` is its path in the diary's directory, and in an export's.
    struct Image: Encodable {
        let sha256: String
        let contentType: String
        let bytes: Int
        let path: String
    }

    let id: String
    let entryTime: String
    let emotion: String
    let text: String
    let images: [Image]
    let createTime: String
    let updateTime: String
    /// Whether the entry has edits that the server does not have yet.
    let pending: Bool
    let deleted: Bool
    let conflicts: [Conflict]
}

/// A list of entries as JSON.
private struct DiaryListDocument: Encodable {
    let entries: [DiaryEntryDocument]
    /// Ids of stored entries that cannot be read.
    let damaged: [String]
    let nextPageToken: String
}

/// The status of the directory as JSON.
private struct DiaryStatusDocument: Encodable {
    let directory: String
    /// Empty before an account is attached.
    let userID: String
    let entries: Int64
    let pending: Int64
    let oldestPending: String
    /// How many pending edits wait for a picture that the server does not take now, and the reason, which is empty if there are none.
    let held: Int64
    let heldReason: String
    let rejected: Int64
    let conflicts: Int64
    /// How many unreadable rows of the directory's database were put aside.
    let damaged: Int64
    /// How many pictures are not on this device yet.
    let wantedImages: Int64
    let lastSync: String
}

extension DiaryInvocation {
    // MARK: Reading arguments

    /// The given text, or all of standard input.
    /// - Throws: if standard input cannot be read or is empty, because the program before it in a pipe has probably failed.
    func text(_ given: String?) async throws(CommandFailure) -> String {
        if let given, given != "-" { return given }
        var lines: [String] = []
        while let line = await invocation.environment.nextLine() { lines.append(line) }
        // What was typed before Ctrl-C is no text to save.
        guard !Task.isCancelled else { throw CommandFailure(RPCError(.cancelled, ""), about: .nothing, in: invocation.failureContext) }
        try invocation.environment.checkInput()
        let text = lines.joined(separator: "\n")
        guard !text.isEmpty else {
            throw CommandFailure(
                code: .invalidArgument, reason: "TEXT_EMPTY",
                message: invocation.text(
                    "There is no text in standard input. For an entry without text, write \"\" as its text.",
                    "표준 입력에 글이 없습니다. 글 없이 쓰려면 글 자리에 \"\"를 적어 주세요."))
        }
        return text
    }

    /// Reads `2026-11-21` or `2026-11-21T19:49` in the user's time zone. A day means its noon.
    func instant(_ text: String) throws(CommandFailure) -> Timestamp {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
            .flatMap { $0.split(separator: " ", omittingEmptySubsequences: false) }
        guard (1...2).contains(parts.count), let days = days(parts[0]), let time = parts.count == 2 ? numbers(parts[1], ":", 2) : [12, 0],
            time[0] < 24, time[1] < 60, let seconds = localTime.instant(days: days, second: time[0] * 3600 + time[1] * 60)
        else { throw unreadable(text, Phrase("2026-11-21 or 2026-11-21T19:49", "2026-11-21이나 2026-11-21T19:49")) }
        return Timestamp(microseconds: seconds * 1_000_000)
    }

    /// Reads one day in the user's time zone.
    func day(_ text: String) throws(CommandFailure) -> Range<Timestamp> {
        guard let days = days(text[...]) else { throw unreadable(text, Phrase(untranslated: "2026-11-21")) }
        return range(days..<days + 1)
    }

    /// Reads one month in the user's time zone.
    func month(_ text: String) throws(CommandFailure) -> Range<Timestamp> { range(try daysOfMonth(text)) }

    /// Reads one month, and returns its days since 1970-01-01.
    func daysOfMonth(_ text: String) throws(CommandFailure) -> Range<Int> {
        guard let month = numbers(text[...], "-", 2), let first = days(month[0], month[1], 1) else {
            throw unreadable(text, Phrase(untranslated: "2026-11"))
        }
        return first..<first + CivilTime.daysIn(month: month[1], of: month[0])
    }

    /// The instants of local days, inside the years that an entry may have.
    func range(_ days: Range<Int>) -> Range<Timestamp> {
        let limits = DiaryLimits.entryTimes
        let bounds = [days.lowerBound, days.upperBound].map { day in
            Timestamp(microseconds: min(max(localTime.start(ofDay: day) * 1_000_000, limits.lowerBound), limits.upperBound + 1))
        }
        return bounds[0]..<bounds[1]
    }

    /// The days from 1970-01-01 to a date such as `2026-11-21`.
    private func days(_ text: Substring) -> Int? { numbers(text, "-", 3).flatMap { days($0[0], $0[1], $0[2]) } }

    /// The days from 1970-01-01 to a date of the years 1 to 9999.
    private func days(_ year: Int, _ month: Int, _ day: Int) -> Int? {
        guard (1...9_999).contains(year), (1...12).contains(month), (1...CivilTime.daysIn(month: month, of: year)).contains(day) else { return nil }
        return CivilTime.daysSince1970(year: year, month: month, day: day)
    }

    var localTime: LocalTime { LocalTime(timeZone: invocation.environment.timeZone) }

    private func numbers(_ text: Substring, _ separator: Character, _ count: Int) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in part.allSatisfy(\.isASCII) && part.allSatisfy(\.isNumber) ? Int(part) : nil }
        return parts.count == count && numbers.count == count ? numbers : nil
    }

    /// - Parameter form: how the option is written.
    private func unreadable(_ text: String, _ form: Phrase) -> CommandFailure {
        CommandFailure(
            code: .invalidArgument, reason: Reason.entryTimeInvalid.rawValue,
            message: invocation.text(
                "\(text) cannot be read as a time. Write it like \(form.english).", "\(text)을(를) 시각으로 읽을 수 없습니다. \(form.korean)처럼 적어 주세요."))
    }

    // MARK: Showing

    func local(_ time: Timestamp) -> String {
        localTime.text(seconds: time.wholeSeconds)
    }

    /// The date and the minute of an instant, for lists.
    func short(_ time: Timestamp) -> String { String(local(time).prefix(16)) }

    private func document(_ entry: DiaryEntry, isPending: Bool, _ conflicts: [DiaryConflict]) -> DiaryEntryDocument {
        DiaryEntryDocument(
            id: entry.id.description, entryTime: entry.content.entryTime.utc, emotion: entry.content.emotion, text: entry.content.text,
            images: entry.content.images.map(\.document), createTime: entry.createTime.utc, updateTime: entry.updateTime.utc, pending: isPending,
            deleted: false, conflicts: conflicts.map(\.document))
    }

    /// Shows one entry as a card.
    /// - Parameter drawings: the drawings of its pictures for the terminal.
    func show(_ entry: DiaryEntry, drawings: String = "") async throws {
        let (pending, torn) = try await translating { () throws(DiaryError) in (try await file.pendingEntries(), try await file.conflicts()) }
        let conflicts = torn.first { $0.id == entry.id }?.row.orderedConflicts ?? []
        let document = document(entry, isPending: pending.contains(entry.id), conflicts)
        try invocation.show(document: document, hasDrawings: !drawings.isEmpty) {
            var card = Card(title: short(entry.content.entryTime) + (pending.contains(entry.id) ? " *" : ""))
            card.append(invocation.text("emotion", "감정"), entry.content.emotion)
            card.append(invocation.text("written", "작성"), local(entry.createTime))
            if entry.updateTime != entry.createTime { card.append(invocation.text("changed", "수정"), local(entry.updateTime)) }
            for (index, image) in entry.content.images.enumerated() {
                card.append(
                    invocation.text("image \(index + 1)", "사진 \(index + 1)"),
                    "\(image.contentType), " + invocation.text("\(image.byteCount.grouped) bytes", "\(image.byteCount.grouped)바이트"))
            }
            if !conflicts.isEmpty { card.append(invocation.text("conflicts", "충돌"), String(conflicts.count)) }
            card.append("id", entry.id.description)
            let lines = entry.content.text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).safeForTerminal }
            return card.rendered(invocation.style) + "\n" + lines.joined(separator: "\n") + "\n" + drawings
        }
        try await remarkPending()
    }

    /// Remarks how many edits wait for the server. Writes nothing if none does, or without an account.
    func remarkPending() async throws {
        guard !invocation.usesJSON else { return }
        let status = try await translating { () throws(DiaryError) in try await file.status() }
        guard status.owner != nil, status.pendingCount > 0 else { return }
        let last = status.lastSync.map(short)
        invocation.remark(
            "\(status.pendingCount) waiting for the server, " + (last.map { "last synced \($0)" } ?? "never synced"),
            "서버로 보낼 변경 \(status.pendingCount)건, " + (last.map { "마지막 동기화 \($0)" } ?? "동기화한 적 없음"))
    }

    /// Entries as a table.
    func showList(_ filter: DiaryFilter, _ options: ListOptions) async throws {
        var damaged: [DiaryEntryID] = []
        let collected = try await invocation.collect(limit: options.count, from: options.pageToken) { (size, token) throws(CommandFailure) in
            let page = try await translating { () throws(DiaryError) in
                let request: PageRequest
                do throws(PulseBoardDomain.ValidationError) { request = try PageRequest(size: Int(size), token: token) } catch {
                    throw .invalid(error)
                }
                return try await diary.entries(filter, request)
            }
            damaged += page.damaged
            return (page.entries, page.nextToken?.text ?? "")
        }
        let (pending, torn) = try await translating { () throws(DiaryError) in (try await file.pendingEntries(), try await file.conflicts()) }
        let conflicts = Dictionary(uniqueKeysWithValues: torn.map { ($0.id, $0.row.orderedConflicts) })
        let answer = DiaryListDocument(
            entries: collected.items.map { document($0, isPending: pending.contains($0.id), conflicts[$0.id] ?? []) },
            damaged: damaged.map(\.description), nextPageToken: collected.nextPageToken)
        try invocation.show(document: answer) {
            var table = Table([
                .init(""), .init(invocation.text("TIME", "시각"), isWhole: true), .init(invocation.text("EMOTION", "감정"), isOptional: true),
                .init(invocation.text("TEXT", "내용")), .init("ID", isOptional: true, isWhole: true),
            ])
            for entry in collected.items {
                let marks = (pending.contains(entry.id) ? "*" : "") + (conflicts[entry.id] == nil ? "" : "!")
                table.append([
                    marks, short(entry.content.entryTime), entry.content.emotion, preview(entry.content),
                    String(entry.id.description.prefix(8)),
                ])
            }
            return table.rendered(invocation.style)
        }
        remark(damaged)
        invocation.remarkIfMore(collected.nextPageToken)
        try await remarkPending()
    }

    /// The beginning of an entry for a list. One with only pictures says how many.
    private func preview(_ content: DiaryContent) -> String {
        guard content.text.isEmpty, !content.images.isEmpty else { return content.text.firstLine(columns: 40) }
        return "(" + words(.images(content.images)) + ")"
    }

    /// Remarks which entries are stored and cannot be read.
    func remark(_ damaged: [DiaryEntryID]) {
        for id in damaged { invocation.remark("The entry \(id) cannot be read on this device.", "이 기기에서 \(id) 일기를 읽을 수 없습니다.") }
    }

    func words(_ value: DiaryValue) -> String {
        switch value {
        case .time(let time): local(time)
        case .images(let images): invocation.text(images.count == 1 ? "1 picture" : "\(images.count) pictures", "사진 \(images.count)장")
        case .emotion(let text), .text(let text): text
        }
    }

    func document(_ change: DiaryRowChange) -> DiaryEntryDocument {
        if let entry = change.row.entry(change.id) { return document(entry, isPending: false, change.row.orderedConflicts) }
        return DiaryEntryDocument(
            id: change.id.description, entryTime: "", emotion: "", text: "", images: [], createTime: change.row.createTime.utc, updateTime: "",
            pending: false, deleted: true, conflicts: change.row.orderedConflicts.map(\.document))
    }

    /// Shows the status of the directory.
    func showStatus() async throws {
        let status = try await translating { () throws(DiaryError) in try await file.status() }
        let document = DiaryStatusDocument(
            directory: file.directory, userID: status.owner?.description ?? "", entries: status.entryCount, pending: status.pendingCount,
            oldestPending: status.oldestPending?.utc ?? "", held: status.held?.count ?? 0, heldReason: status.held?.reason ?? "",
            rejected: status.rejectedCount, conflicts: status.conflictCount, damaged: status.damagedCount, wantedImages: status.wantedImageCount,
            lastSync: status.lastSync?.utc ?? "")
        try invocation.show(document: document) {
            guard status.owner != nil else {
                return invocation.text(
                    "entries \(status.entryCount) · on this device only\n", "일기 \(status.entryCount)개 · 이 기기에만 있음\n")
            }
            return invocation.text(
                "entries \(status.entryCount) · waiting \(status.pendingCount) · rejected \(status.rejectedCount) · conflicts \(status.conflictCount) · "
                    + (status.lastSync.map { "last synced " + short($0) } ?? "never synced") + "\n",
                "일기 \(status.entryCount)개 · 대기 \(status.pendingCount) · 거부 \(status.rejectedCount) · 충돌 \(status.conflictCount) · "
                    + (status.lastSync.map { "마지막 동기화 " + short($0) } ?? "동기화한 적 없음") + "\n")
                + heldLine(status) + wantedLine(status) + damagedLine(status)
        }
    }

    /// The line about pictures that are not here; empty if there are none.
    private func wantedLine(_ status: DiaryStatus) -> String {
        guard status.wantedImageCount > 0 else { return "" }
        let count = status.wantedImageCount
        return invocation.text(
            "\(count) \(count == 1 ? "picture" : "pictures") not on this device yet\n", "사진 \(count)장이 아직 이 기기에 없습니다\n")
    }

    /// The line about rows that were put aside; empty if there are none.
    private func damagedLine(_ status: DiaryStatus) -> String {
        guard status.damagedCount > 0 else { return "" }
        return invocation.text(
            "\(status.damagedCount) damaged and put aside in this device's database, the rest read again from the server\n",
            "손상된 \(status.damagedCount)건은 이 기기의 데이터베이스에 따로 두고, 서버에서 다시 읽었습니다\n")
    }

    /// The line about edits that wait for a picture; empty if there are none.
    private func heldLine(_ status: DiaryStatus) -> String {
        guard let held = status.held else { return "" }
        if held.reason == Reason.imageTooSlow.rawValue {
            return invocation.text(
                "\(held.count) of them waiting with a picture: it does not arrive in time on this connection\n",
                "그중 \(held.count)건은 사진과 함께 대기: 연결이 느려 사진이 제때 올라가지 않습니다\n")
        }
        guard held.reason == Reason.imageBusy.rawValue else {
            return invocation.text(
                "\(held.count) of them waiting with a picture: the server cannot read pictures just now\n",
                "그중 \(held.count)건은 사진과 함께 대기: 지금은 서버가 사진을 읽지 못합니다\n")
        }
        return invocation.text(
            "\(held.count) of them waiting with a picture: the server has too many pictures to read just now\n",
            "그중 \(held.count)건은 사진과 함께 대기: 지금은 서버가 읽을 사진이 너무 많습니다\n")
    }

    /// Writes every entry, and every conflict of a deleted entry, as a line of JSON.
    /// - Parameter directory: where to write the pictures, those of conflicts too.
    /// - Throws: the first entry that cannot be read, or the first picture that is missing, after everything else is written.
    func export(imagesIn directory: String?) async throws {
        var (torn, damaged) = try await translating { () throws(DiaryError) in try await file.conflictList() }
        let conflicts = Dictionary(uniqueKeysWithValues: torn.map { ($0.id, $0.row.orderedConflicts) })
        let pending = try await translating { () throws(DiaryError) in try await file.pendingEntries() }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let write = { (document: DiaryEntryDocument) in
            invocation.environment.writeJSON(String(decoding: try encoder.encode(document), as: UTF8.self) + "\n")
        }
        var missing: CommandFailure?
        let save = { (images: [DiaryImage]) async throws(CommandFailure) in
            guard let directory else { return }
            for image in images {
                do throws(CommandFailure) {
                    try await self.save(image, to: directory + "/" + image.path)
                } catch {
                    // A directory that cannot be written takes no other picture either.
                    guard error.reason == Reason.imageNotFound.rawValue else { throw error }
                    missing = missing ?? error
                }
            }
        }
        for change in torn { try await save(Array(change.row.images)) }
        var token = ""
        repeat {
            let next = try PageRequest(size: PageRequest.maximumSize, token: token)
            let page = try await translating { () throws(DiaryError) in try await diary.entries(.all, next) }
            for entry in page.entries {
                try await save(entry.content.images)
                try write(document(entry, isPending: pending.contains(entry.id), conflicts[entry.id] ?? []))
            }
            damaged += page.damaged
            token = page.nextToken?.text ?? ""
        } while !token.isEmpty
        for change in torn where change.row.isDeleted { try write(document(change)) }
        remark(damaged)
        if let id = damaged.first { throw CommandFailure(.damaged(id), in: invocation.failureContext) }
        if let missing { throw missing }
    }
}

extension Timestamp {
    /// Whole seconds since 1970, rounded down.
    var wholeSeconds: Int64 { microseconds >= 0 ? microseconds / 1_000_000 : (microseconds + 1) / 1_000_000 - 1 }
    fileprivate var utc: String { UTCTime.text(seconds: wholeSeconds) }
}

extension DiaryConflict {
    fileprivate var document: DiaryEntryDocument.Conflict {
        let words: String
        switch value {
        case .time(let time): words = time.utc
        case .images(let images): words = images.map(\.hash.description).joined(separator: " ")
        case .emotion(let text), .text(let text): words = text
        }
        return DiaryEntryDocument.Conflict(id: name, field: field.path, value: words, time: Timestamp(microseconds: stamp.time).utc)
    }
}

extension DiaryImage {
    var document: DiaryEntryDocument.Image {
        DiaryEntryDocument.Image(sha256: hash.description, contentType: contentType, bytes: byteCount, path: path)
    }
}

extension String {
    /// The first line, cut to the columns of a terminal. `…` also stands for the lines after it.
    func firstLine(columns: Int) -> String {
        // A long text is not measured to its end. The characters beyond the columns allow for some that take no column.
        let line = prefix(columns + 200).prefix { !$0.isNewline }
        return (line.endIndex == endIndex ? String(line) : line + "…").cut(to: columns)
    }
}
