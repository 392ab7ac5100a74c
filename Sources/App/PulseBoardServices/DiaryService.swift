import Crypto
import PulseBoardDomain
import PulseBoardVocabulary

/// Serves the caller's own diary (B22, B33). No method takes another user, so no check of rights is needed.
public struct DiaryService: Sendable {
    private let store: any DiaryStore
    private let tokens: PageTokenSealer
    private let watches: WatchDependencies
    private let configuration: ServicesConfiguration
    /// A page has up to ``DiaryLimits/maximumPageBytes``, and exists as rows, as a message and as bytes.
    private let pages = UserPlaces(limit: Self.pagesInMemory)
    /// A push may look at ``DiaryLimits/maximumTransactionBytes`` in each of its transactions, and other writers wait meanwhile.
    private let pushes = UserPlaces(limit: Self.pushesAtOnce)

    /// Pages of one user in memory at once.
    static let pagesInMemory = 8
    /// A stream keeps its place while it sends a page with more bytes than this.
    static let smallPageBytes = 64 << 10
    /// Pushes of one user under way at once.
    static let pushesAtOnce = 2

    init(store: any DiaryStore, tokens: PageTokenSealer, watches: WatchDependencies, configuration: ServicesConfiguration) {
        self.store = store
        self.tokens = tokens
        self.watches = watches
        self.configuration = configuration
    }

    // MARK: Online

    /// Creates an entry. Creating the same entry again succeeds.
    /// - Throws: `invalid` with every rule that is broken; `profileRequired`; `diary` with `entryExists`, `full`, `imageNotStaged`.
    public func createEntry(_ id: DiaryEntryID, _ content: DiaryContent, _ caller: Caller) async throws(RepositoryError) -> DiaryEntry {
        let checked = try await validated(text: content.text, of: caller.userID) { () throws(ValidationError) in try content.checked() }
        let entry = try await store.createDiaryEntry(id, checked, of: caller.userID, at: configuration.clock.now())
        announce(caller)
        return entry
    }

    /// - Throws: `diary(.entryNotFound)`.
    public func entry(_ id: DiaryEntryID, _ caller: Caller) async throws(RepositoryError) -> DiaryEntry {
        try await store.diaryEntry(id, of: caller.userID)
    }

    /// Reads entries, newest first. A page ends early after ``DiaryLimits/maximumPageBytes``.
    /// - Throws: `invalid`, `invalidPageToken`.
    public func entries(_ filter: DiaryFilter, _ page: PageRequest, _ caller: Caller) async throws(RepositoryError) -> Page<DiaryEntry> {
        let filter = try validated { () throws(ValidationError) in try filter.checked() }
        let list = PageTokenSealer.List.diary(of: caller.userID, filter)
        var cursor: DiaryCursor?
        if let token = page.token { cursor = try tokens.openDiaryCursor(token, in: list) }
        let place = try await pages.take(caller.userID)
        defer { withExtendedLifetime(place) {} }
        let found = try await store.diaryEntries(of: caller.userID, filter, after: cursor, limit: page.size)
        return Page(items: found.entries, nextToken: found.next.map { tokens.seal($0, in: list) })
    }

    /// Changes an entry. `change` checks its values when it is made (``validated(text:of:_:)``).
    /// - Throws: `etagMismatch`; `diary` with `entryNotFound`, `full`, `imageNotStaged`.
    public func updateEntry(
        _ id: DiaryEntryID, _ change: DiaryChange, etag: String = "", _ caller: Caller
    ) async throws(RepositoryError) -> DiaryEntry {
        let entry = try await store.updateDiaryEntry(
            id, change, ifMatches: etag.isEmpty ? nil : Etag(text: etag), of: caller.userID, at: configuration.clock.now())
        announce(caller)
        return entry
    }

    /// Deletes an entry. It is no error if the entry does not exist (B35).
    public func deleteEntry(_ id: DiaryEntryID, _ caller: Caller) async throws(RepositoryError) {
        try await store.deleteDiaryEntry(id, of: caller.userID, at: configuration.clock.now())
        announce(caller)
    }

    // MARK: Devices

    /// Registers a device, or renames it.
    /// - Throws: `invalid` (field `name`), `profileRequired`, `diary(.tooManyDevices)`.
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

    /// Forgets a device. It is no error if the device does not exist.
    public func deleteDevice(_ device: DiaryDeviceID, _ caller: Caller) async throws(RepositoryError) {
        try await store.deleteDiaryDevice(device, of: caller.userID)
    }

    // MARK: Synchronizing

    /// Applies a device's mutations.
    /// - Parameter confirmed: the device has the results up to this number.
    /// - Throws: `invalid` for mutations that are too many or out of their order; `diary` as ``DiaryStore/pushDiary(_:of:at:)``.
    public func push(
        _ mutations: [NumberedDiaryMutation], confirmed: Int64, from device: DiaryDeviceID, _ caller: Caller
    ) async throws(RepositoryError) -> DiaryPushAnswer {
        try requireAtMost(DiaryLimits.maximumBatch, itemsIn: "mutations", mutations.count)
        for (index, mutation) in mutations.enumerated() {
            let expected = index == 0 ? max(mutation.number, 1) : mutations[index - 1].number &+ 1
            guard mutation.number == expected else {
                throw .invalid("mutations[\(index)].number", .fieldUnknown)
            }
        }
        let place = try await pushes.take(caller.userID)
        defer { withExtendedLifetime(place) {} }
        // Up to 1 MiB is composed and hashed here, so it must not run on the event loop.
        let (items, byteCount) = await withTaskExecutorPreference(globalConcurrentExecutor) { DiaryPush.Item.check(mutations) }
        guard items.count <= 1 || byteCount <= DiaryLimits.maximumBatchBytes else {
            throw .invalid("mutations", .tooManyItems, limit: DiaryLimits.maximumBatchBytes)
        }
        let now = configuration.clock.now()
        var rest = items[...]
        var results: [DiaryMutationResult] = []
        var hasChanges = false
        // Each round is a transaction. A caller that has gone gets no answer, and sends the rest again.
        while true {
            let answer = try await store.pushDiary(
                DiaryPush(device: device, items: Array(rest), confirmed: confirmed), of: caller.userID, at: now)
            if answer.hasChanges {
                announce(caller)
                hasChanges = true
            }
            results += answer.results
            rest = rest.dropFirst(answer.results.count)
            guard !rest.isEmpty, !answer.results.isEmpty, !Task.isCancelled else {
                return DiaryPushAnswer(lastMutation: answer.lastMutation, results: results, hasChanges: hasChanges)
            }
        }
    }

    /// Reads one page of changes after a cursor.
    /// - Parameter limit: the maximum number of rows; 0 for ``DiaryLimits/maximumChanges``, which is also the upper limit.
    /// - Throws: `invalid` (field `page_size`), `invalidPageToken`; `diary` with `resyncRequired`, `deviceUnknown`.
    public func changes(
        for device: DiaryDeviceID, after cursor: String, limit: Int, _ caller: Caller
    ) async throws(RepositoryError) -> DiaryChanges {
        try await page(for: device, after: cursor, limit: limit, caller).changes
    }

    /// A page of changes with its place. Keep the place while the page is in memory.
    fileprivate func page(
        for device: DiaryDeviceID, after cursor: String, limit: Int, _ caller: Caller
    ) async throws(RepositoryError) -> (changes: DiaryChanges, place: UserPlaces.Place) {
        guard limit >= 0 else { throw .invalid("page_size", .pageSizeNegative) }
        let limit = limit == 0 ? DiaryLimits.maximumChanges : min(limit, DiaryLimits.maximumChanges)
        let position = cursor.isEmpty ? nil : try tokens.openDiaryPosition(cursor, of: caller.userID)
        let place = try await pages.take(caller.userID)
        let page = try await store.diaryChanges(of: caller.userID, for: device, after: position, limit: limit)
        let changes = DiaryChanges(
            rows: page.rows, byteCount: page.byteCount, nextCursor: tokens.seal(page.next, of: caller.userID), isComplete: page.isComplete,
            lastMutation: page.lastMutation)
        return (changes, place)
    }

    /// Watches changes after a cursor: first all pages, then each new change as it happens.
    ///
    /// It reads a page only when the reader asks for one, so a slow reader gets fewer and newer rows. It throws what ``changes(for:after:limit:_:)``
    /// throws, `notAuthenticated` when the caller's session ends, and `shuttingDown`.
    public func watch(
        for device: DiaryDeviceID, after cursor: String, limit: Int, _ caller: Caller
    ) -> some AsyncSequence<DiaryChanges, RepositoryError> & Sendable {
        DiaryUpdates(diaries: self, device: device, cursor: cursor, limit: limit, caller: caller, dependencies: watches)
    }

    private func announce(_ caller: Caller) { watches.hub.announce(.diary(of: caller.userID)) }
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
    fileprivate static func check(_ mutations: [NumberedDiaryMutation]) -> (items: [Self], byteCount: Int) {
        var byteCount = 0
        let items = mutations.map { numbered in
            let bytes = numbered.mutation.bytes
            byteCount += bytes.count
            var refusal: Reason?
            do throws(ValidationError) { try numbered.mutation.check() } catch { refusal = error.violations[0].reason }
            return Self(numbered: numbered, fingerprint: [UInt8](SHA256.hash(data: bytes)), refusal: refusal)
        }
        return (items, byteCount)
    }
}

/// Pages of changes. The sequence does not end.
private struct DiaryUpdates: AsyncSequence, Sendable {
    let diaries: DiaryService
    let device: DiaryDeviceID
    let cursor: String
    let limit: Int
    let caller: Caller
    let dependencies: WatchDependencies

    func makeAsyncIterator() -> Iterator { Iterator(updates: self, cursor: cursor) }

    struct Iterator: AsyncIteratorProtocol {
        let updates: DiaryUpdates
        var cursor: String
        private var watch: Watch?
        /// The last mutation number that a page reported; -1 before the first page.
        private var toldMutation: Int64 = -1
        private var isBehind = false
        /// The place of the page that is being sent, if it is large.
        private var place: UserPlaces.Place?

        init(updates: DiaryUpdates, cursor: String) {
            self.updates = updates
            self.cursor = cursor
        }

        mutating func next(isolation: isolated (any Actor)? = #isolation) async throws(RepositoryError) -> DiaryChanges? {
            let watch =
                if let watch { watch } else { try Watch([.diary(of: updates.caller.userID)], by: updates.caller, updates.dependencies) }
            self.watch = watch
            // A reader that asks for the next page has sent the last one.
            place = nil
            while true {
                // Check between two pages too: the session may have ended, or the services may be shutting down.
                if isBehind { watch.wake() }
                guard let reasons = try await watch.wait() else { return nil }
                try await watch.requireSession(reasons)
                let (page, place) = try await updates.diaries.page(
                    for: updates.device, after: cursor, limit: updates.limit, updates.caller)
                isBehind = !page.isComplete
                cursor = page.nextCursor
                // The first page is sent even if it is empty: it gives the reader the position from which nothing is missed.
                guard page.rows.isEmpty, page.lastMutation == toldMutation else {
                    toldMutation = page.lastMutation
                    if page.byteCount > DiaryService.smallPageBytes { self.place = place }
                    return page
                }
            }
        }
    }
}
