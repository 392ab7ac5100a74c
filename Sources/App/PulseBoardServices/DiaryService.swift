import Crypto
import PulseBoardDomain
import PulseBoardVocabulary

/// Serves the caller's own diary (B22, B33). No method takes another user, so no check of rights is needed.
///
///     let content = try DiaryContent(entryTime: SystemWallClock().now(), emotion: "calm", text: "It rained.")
///     _ = try await services.diaries.createEntry(DiaryEntryID.random(using: SystemRandomSource()), content, caller)
///     let page = try await services.diaries.entries(DiaryFilter(text: "rain"), PageRequest(), caller)
public struct DiaryService: Sendable {
    private let store: any DiaryStore
    private let tokens: PageTokenSealer
    private let watches: WatchDependencies
    private let configuration: ServicesConfiguration
    /// A page has up to ``DiaryLimits/maximumPageBytes``, and exists as rows, as a message and as bytes.
    private let pages = UserPlaces(limit: Self.pagesInMemory)
    /// A push may look at ``DiaryLimits/maximumTransactionBytes`` in each of its transactions, and other writers wait meanwhile.
    private let pushes = UserPlaces(limit: Self.pushesAtOnce)

    private let unreadPages = UserPlaces(limit: Self.unreadPagesOfWatches)

    /// Pages of one user in memory at once. Pages that watches have sent do not count.
    static let pagesInMemory = 8
    /// Pages of one user's watches that their readers have not taken yet. Without this limit, a user's watches could keep 256 MiB, as much as all
    /// users behind a gateway may have.
    static let unreadPagesOfWatches = 32
    /// Pushes of one user under way at once.
    static let pushesAtOnce = 2
    /// An edit of an entry reads up to 1.3 MB of conflicts. Waiting writes share a transaction, so few of one user may wait.
    private let edits = UserPlaces(limit: Self.editsAtOnce)

    /// Edits of one user that are made on the server itself and are under way at once: with all their conflicts, they are less than
    /// ``DiaryLimits/maximumTransactionBytes``.
    static let editsAtOnce = 8

    init(store: any DiaryStore, tokens: PageTokenSealer, watches: WatchDependencies, configuration: ServicesConfiguration) {
        self.store = store
        self.tokens = tokens
        self.watches = watches
        self.configuration = configuration
    }

    // MARK: Online

    /// Creates an entry. Creating the same entry again succeeds, unless somebody has edited or deleted it meanwhile: then the retry of a call that
    /// has made the entry throws `entryExists`.
    /// - Throws: `invalid` with every rule that is broken; `profileRequired`; `diary` with `entryExists`, `full`, `imageNotStaged`, `imageDiffers`.
    public func createEntry(_ id: DiaryEntryID, _ content: DiaryContent, _ caller: Caller) async throws(RepositoryError) -> DiaryEntry {
        let checked = try await validated(text: content.text, of: caller.userID) { () throws(ValidationError) in try content.checked() }
        let place = try await edits.take(caller.userID)
        defer { withExtendedLifetime(place) {} }
        let entry = try await store.createDiaryEntry(id, checked, of: caller.userID, in: caller.sessionID, at: configuration.clock.now())
        announce(caller)
        return entry
    }

    /// - Throws: `diary(.entryNotFound)`.
    public func entry(_ id: DiaryEntryID, _ caller: Caller) async throws(RepositoryError) -> DiaryEntry {
        try await store.diaryEntry(id, of: caller.userID)
    }

    /// Reads entries, newest first. A page ends early after ``DiaryLimits/maximumPageBytes``.
    /// - Parameter keep: gets the place of the page, which counts until it is dropped. Keep it until the reader has the page. Default: it is dropped.
    /// - Throws: `invalid`, `invalidPageToken`.
    public func entries(
        _ filter: DiaryFilter, _ page: PageRequest, _ caller: Caller, keepingPlace keep: (any AnyObject & Sendable) -> Void = { _ in }
    ) async throws(RepositoryError) -> Page<DiaryEntry> {
        let filter = try validated { () throws(ValidationError) in try filter.checked() }
        let list = PageTokenSealer.List.diary(of: caller.userID, filter)
        var cursor: DiaryCursor?
        if let token = page.token { cursor = try tokens.openDiaryCursor(token, in: list) }
        let place = try await watches.take(pages, for: caller)
        keep(place)
        defer { withExtendedLifetime(place) {} }
        let found = try await store.diaryEntries(of: caller.userID, filter, after: cursor, limit: page.size)
        return Page(items: found.entries, nextToken: found.next.map { tokens.seal($0, in: list) })
    }

    /// Changes an entry. `change` checks its values when it is made (``validated(text:of:_:)``).
    /// - Throws: `etagMismatch`; `diary` with `entryNotFound`, `full`, `imageNotStaged`, `imageDiffers`.
    public func updateEntry(
        _ id: DiaryEntryID, _ change: DiaryChange, etag: String = "", _ caller: Caller
    ) async throws(RepositoryError) -> DiaryEntry {
        let place = try await edits.take(caller.userID)
        defer { withExtendedLifetime(place) {} }
        let entry = try await store.updateDiaryEntry(
            id, change, ifMatches: etag.isEmpty ? nil : Etag(text: etag), of: caller.userID, in: caller.sessionID, at: configuration.clock.now())
        announce(caller)
        return entry
    }

    /// Deletes an entry. It is no error if the entry does not exist (B35).
    public func deleteEntry(_ id: DiaryEntryID, _ caller: Caller) async throws(RepositoryError) {
        let place = try await edits.take(caller.userID)
        defer { withExtendedLifetime(place) {} }
        try await store.deleteDiaryEntry(id, of: caller.userID, in: caller.sessionID, at: configuration.clock.now())
        announce(caller)
    }

    // MARK: Devices

    /// Registers a device, or renames it.
    /// - Throws: `invalid` (fields `name`, `device_id`), `profileRequired`, `diary(.tooManyDevices)`.
    public func registerDevice(_ device: DiaryDeviceID, name: String, _ caller: Caller) async throws(RepositoryError) -> DiaryDevice {
        let limit = DiaryLimits.maximumDeviceNameBytes
        guard name.utf8.count <= limit, !name.unicodeScalars.contains(where: \.isControl) else {
            throw .invalid("name", .deviceNameInvalid, limit: limit)
        }
        guard device != .server else { throw .invalid("device_id", .identifierInvalid) }
        return try await store.registerDiaryDevice(device, name: name, of: caller.userID, at: configuration.clock.now())
    }

    /// The caller's devices, in the order of their ids.
    public func devices(_ caller: Caller) async throws(RepositoryError) -> [DiaryDevice] {
        try await store.diaryDevices(of: caller.userID)
    }

    /// Forgets a device, and ends its watches. It is no error if the device does not exist.
    public func deleteDevice(_ device: DiaryDeviceID, _ caller: Caller) async throws(RepositoryError) {
        try await store.deleteDiaryDevice(device, of: caller.userID)
        announce(caller)
    }

    // MARK: Synchronizing

    /// Applies a device's mutations.
    /// - Parameter confirmed: the device has the results up to this number.
    /// - Throws: `invalid` for mutations that are too many or out of their order; `diary` as ``DiaryStore/pushDiary(_:of:in:at:)``.
    public func push(
        _ mutations: [NumberedDiaryMutation], confirmed: Int64, from device: DiaryDeviceID, _ caller: Caller
    ) async throws(RepositoryError) -> DiaryPushResults {
        try requireAtMost(DiaryLimits.maximumBatch, itemsIn: "mutations", mutations.count)
        for (index, mutation) in mutations.enumerated() {
            let expected = index == 0 ? max(mutation.number, 1) : mutations[index - 1].number &+ 1
            guard mutation.number == expected else {
                throw .invalid("mutations[\(index)].number", .diaryNumberInvalid)
            }
        }
        let place = try await pushes.take(caller.userID)
        defer { withExtendedLifetime(place) {} }
        // Up to 1 MiB is composed and hashed here, so it must not run on the event loop.
        let (items, byteCount) = await withTaskExecutorPreference(globalConcurrentExecutor) { await DiaryPush.Item.check(mutations) }
        guard items.count <= 1 || byteCount <= DiaryLimits.maximumBatchBytes else {
            throw .invalid("mutations", .tooManyItems, limit: DiaryLimits.maximumBatchBytes)
        }
        let now = configuration.clock.now()
        var rest = items[...]
        var results: [DiaryMutationResult] = []
        // Each round is a transaction. A caller that has gone gets no answer, and sends the rest again.
        while true {
            let answer = try await store.pushDiary(
                DiaryPush(device: device, items: Array(rest), confirmed: confirmed), of: caller.userID, in: caller.sessionID, at: now)
            if answer.hasChanges { announce(caller) }
            // Between two transactions others may have changed the diary.
            let span = results.isEmpty && answer.results.count == items.count ? answer.span : nil
            results += answer.results
            rest = rest.dropFirst(answer.results.count)
            guard !rest.isEmpty, !answer.results.isEmpty, !Task.isCancelled else {
                let seal = { (place: DiaryPosition?) in place.map { tokens.seal($0, of: caller.userID) } ?? "" }
                return DiaryPushResults(
                    lastMutation: answer.lastMutation, results: results, previousCursor: seal(span?.before), nextCursor: seal(span?.after))
            }
        }
    }

    /// Reads one page of changes after a cursor.
    /// - Parameter limit: the maximum number of rows; 0 for ``DiaryLimits/maximumChanges``, which is also the upper limit.
    /// - Parameter keep: as in ``entries(_:_:_:keepingPlace:)``.
    /// - Throws: `invalid` (fields `page_size`, `cursor`); `diary` with `resyncRequired`, `deviceUnknown`.
    public func changes(
        for device: DiaryDeviceID, after cursor: String, limit: Int, _ caller: Caller,
        keepingPlace keep: (any AnyObject & Sendable) -> Void = { _ in }
    ) async throws(RepositoryError) -> DiaryChanges {
        let position = try position(cursor, limit, caller)
        let place = try await watches.take(pages, for: caller)
        keep(place)
        defer { withExtendedLifetime(place) {} }
        return try await page(for: device, after: position, limit: limit, caller)
    }

    private func position(_ cursor: String, _ limit: Int, _ caller: Caller) throws(RepositoryError) -> DiaryPosition? {
        guard limit >= 0 else { throw .invalid("page_size", .pageSizeNegative) }
        return cursor.isEmpty ? nil : try tokens.openDiaryPosition(cursor, of: caller.userID)
    }

    /// Reads a page. The caller must hold a place.
    private func page(
        for device: DiaryDeviceID, after position: DiaryPosition?, limit: Int, _ caller: Caller
    ) async throws(RepositoryError) -> DiaryChanges {
        let limit = limit == 0 ? DiaryLimits.maximumChanges : min(limit, DiaryLimits.maximumChanges)
        let page = try await store.diaryChanges(of: caller.userID, for: device, after: position, limit: limit)
        return DiaryChanges(
            rows: page.rows, byteCount: page.byteCount, nextCursor: tokens.seal(page.next, of: caller.userID), isComplete: page.isComplete,
            lastMutation: page.lastMutation)
    }

    /// Watches changes after a cursor: first all pages, then each new change as it happens, and a page without rows every 25 s. It returns when the
    /// task is cancelled.
    ///
    /// It reads a page only when the output has room for one, so a slow reader gets fewer and newer rows.
    /// - Throws: what ``changes(for:after:limit:_:keepingPlace:)`` and the output throw, `watchLimit` if the user has too many watches,
    ///   `notAuthenticated` when the caller's session ends, and `shuttingDown`.
    public func watch(
        for device: DiaryDeviceID, after cursor: String, limit: Int, _ caller: Caller, to output: some PacedOutput<DiaryChanges>
    ) async throws {
        let watch = try Watch([.diary(of: caller.userID)], by: caller, watches)
        var position = try position(cursor, limit, caller)
        // The last mutation number that a page reported; -1 before the first page.
        var toldMutation: Int64 = -1
        while let woken = try await watch.wait() {
            try await PacedParts(made: pages, unread: unreadPages).send(to: output, of: caller.userID) {
                // The wait for the reader may have been long: the session may have ended, or the services may be shutting down.
                watch.wake()
                guard let since = try await watch.wait() else { return nil }
                let reasons = woken.union(since)
                try await watch.requireSession(reasons)
                let page: DiaryChanges
                do throws(RepositoryError) {
                    page = try await self.page(for: device, after: position, limit: limit, caller)
                } catch { throw await watch.end(for: error) }
                if !page.isComplete { watch.wake() }
                position = try self.position(page.nextCursor, limit, caller)
                // The first page is sent even if it is empty: it gives the reader the position from which nothing is missed. A later empty page is
                // the heartbeat.
                guard !page.rows.isEmpty || page.lastMutation != toldMutation || reasons.contains(.heartbeat) else { return nil }
                toldMutation = page.lastMutation
                return page
            }
        }
    }

    private func announce(_ caller: Caller) { watches.hub.announce(.diary(of: caller.userID)) }
}

/// The result of a push.
public struct DiaryPushResults: Hashable, Sendable {
    /// The number of the device's last mutation that is done.
    public let lastMutation: Int64
    /// One for each mutation that is done, in their order.
    public let results: [DiaryMutationResult]
    /// The cursor that a complete page would have given before the push (``DiaryChanges/nextCursor``); equal places have equal cursors. Empty if the
    /// mutations were not all new, or were not done in one transaction.
    public let previousCursor: String
    /// The cursor after the push. Empty with ``previousCursor``.
    public let nextCursor: String
}

/// Changed rows, and the place after them.
public struct DiaryChanges: Hashable, Sendable {
    /// In the order of their changes.
    public let rows: [DiaryRowChange]
    /// Bytes of the rows, with a sum for each conflict (``DiaryRow/pageByteCount``).
    public let byteCount: Int
    /// An opaque token. It is valid only for this owner's diary.
    public let nextCursor: String
    /// Whether this is the last page.
    public let isComplete: Bool
    /// The number of the device's last mutation that the rows contain.
    public let lastMutation: Int64
}

extension DiaryPush.Item {
    /// Checks mutations from outside, and adds up their bytes. A mutation that breaks a rule is rejected alone, so that it does not block those after
    /// it.
    static func check(_ mutations: [NumberedDiaryMutation]) async -> (items: [Self], byteCount: Int) {
        var byteCount = 0
        var items: [Self] = []
        items.reserveCapacity(mutations.count)
        for numbered in mutations {
            let bytes = numbered.mutation.bytes
            byteCount += bytes.count
            var refusal: Reason?
            do throws(ValidationError) { try numbered.mutation.check() } catch { refusal = error.violations[0].reason }
            items.append(Self(numbered: numbered, fingerprint: [UInt8](SHA256.hash(data: bytes)), refusal: refusal))
            // A text of many marks may take milliseconds. There are few threads, and other users' pictures and pushes need them too.
            if bytes.count > 4 << 10 { await Task.yield() }
        }
        return (items, byteCount)
    }
}
