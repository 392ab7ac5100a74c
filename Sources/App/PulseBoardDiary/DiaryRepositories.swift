import PulseBoardDomain
import PulseBoardVocabulary

/// A diary in a directory. It works completely without an account and without a network (B36).
public struct LocalDiaryRepository: DiaryRepository {
    public let file: DiaryFile

    public init(_ file: DiaryFile) { self.file = file }

    public func save(_ content: DiaryContent, as id: DiaryEntryID) async throws(DiaryError) -> DiaryEntry {
        let content = try checked { () throws(ValidationError) in
            try content.checked()
        }
        return try await file.save(content, as: id)
    }

    public func update(_ id: DiaryEntryID, _ change: DiaryChange, ifMatches etag: Etag?) async throws(DiaryError) -> DiaryEntry {
        try await file.update(id, change, ifMatches: etag)
    }

    public func delete(_ id: DiaryEntryID) async throws(DiaryError) { try await file.delete(id) }

    public func addImage(_ bytes: [UInt8]) async throws(DiaryError) -> DiaryImage { try await file.addImage(bytes) }

    public func image(_ image: DiaryImage) async throws(DiaryError) -> [UInt8] {
        guard let bytes = try await file.imageBytes(image.hash) else { throw .diary(.imageNotFound) }
        return bytes
    }

    public func entry(_ id: DiaryEntryID) async throws(DiaryError) -> DiaryEntry { try await file.entry(id) }

    public func entries(_ filter: DiaryFilter, _ page: PageRequest) async throws(DiaryError) -> DiaryPage {
        try await file.entries(filter, page)
    }

    public func changes() async throws(DiaryError) -> AsyncStream<Void> { await file.changes() }
}

/// A diary on the server. Every call asks the server.
public struct RemoteDiaryRepository: DiaryRepository {
    private let client: DiaryClient
    private let device: DiaryDeviceID

    /// - Parameter device: registered with the first call of ``changes()``.
    public init(_ client: DiaryClient, device: DiaryDeviceID) {
        self.client = client
        self.device = device
    }

    public func save(_ content: DiaryContent, as id: DiaryEntryID) async throws(DiaryError) -> DiaryEntry {
        do throws(DiaryError) {
            return try await client.create(content, as: id)
        } catch .refused(let reason, _) where reason == Reason.diaryEntryExists.rawValue {
            throw .diary(.entryExists(id))
        }
    }

    public func update(_ id: DiaryEntryID, _ change: DiaryChange, ifMatches etag: Etag?) async throws(DiaryError) -> DiaryEntry {
        guard !change.values.isEmpty else { return try await entry(id) }
        return try await finding(id) { () throws(DiaryError) in try await client.update(id, change, ifMatches: etag) }
    }

    public func delete(_ id: DiaryEntryID) async throws(DiaryError) { try await client.delete(id) }

    public func addImage(_ bytes: [UInt8]) async throws(DiaryError) -> DiaryImage {
        guard let hash = DiaryImageHash(of: bytes) else { throw .answerNotUnderstood }
        return try await client.upload(bytes, as: hash)
    }

    public func image(_ image: DiaryImage) async throws(DiaryError) -> [UInt8] { try await client.download(image) }

    public func entry(_ id: DiaryEntryID) async throws(DiaryError) -> DiaryEntry {
        try await finding(id) { () throws(DiaryError) in try await client.entry(id) }
    }

    private func finding<Value>(_ id: DiaryEntryID, _ body: () async throws(DiaryError) -> Value) async throws(DiaryError) -> Value {
        do throws(DiaryError) {
            return try await body()
        } catch .refused(let reason, _) where reason == Reason.diaryEntryNotFound.rawValue {
            throw .diary(.entryNotFound(id))
        }
    }

    public func entries(_ filter: DiaryFilter, _ page: PageRequest) async throws(DiaryError) -> DiaryPage {
        try await client.entries(filter, page)
    }

    public func changes() async throws(DiaryError) -> AsyncStream<Void> {
        try await client.register(device, name: "")
        var page = try await client.pull(after: "", for: device)
        while !page.isComplete { page = try await client.pull(after: page.nextCursor, for: device) }
        let (client, device, cursor) = (client, device, page.nextCursor)
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                try? await client.watch(after: cursor, for: device) { () throws(DiaryError) in continuation.yield() }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

/// A diary in a directory that is synchronized with the server whenever the server answers. Reading and writing never wait for the server.
public struct CombinedDiaryRepository: DiaryRepository {
    private let local: LocalDiaryRepository
    private let server: any DiaryServer
    private let sync: DiarySync

    /// Makes the diary of a directory that is attached to the account already (``DiaryFile/attach(to:)``).
    public init(_ file: DiaryFile, server: any DiaryServer, deviceName: String = "") {
        local = LocalDiaryRepository(file)
        self.server = server
        sync = DiarySync(file, server: server, deviceName: deviceName)
    }

    public func save(_ content: DiaryContent, as id: DiaryEntryID) async throws(DiaryError) -> DiaryEntry {
        try await local.save(content, as: id)
    }

    public func update(_ id: DiaryEntryID, _ change: DiaryChange, ifMatches etag: Etag?) async throws(DiaryError) -> DiaryEntry {
        try await local.update(id, change, ifMatches: etag)
    }

    public func delete(_ id: DiaryEntryID) async throws(DiaryError) { try await local.delete(id) }

    public func addImage(_ bytes: [UInt8]) async throws(DiaryError) -> DiaryImage { try await local.addImage(bytes) }

    /// Reads a picture from the directory, or else fetches it from the server into the directory.
    public func image(_ image: DiaryImage) async throws(DiaryError) -> [UInt8] {
        if let bytes = try await local.file.imageBytes(image.hash) { return bytes }
        guard try await local.file.owner() == server.user else { throw .diary(.imageNotFound) }
        let bytes = try await server.download(image)
        try await local.file.keep(bytes, of: image)
        return bytes
    }

    public func entry(_ id: DiaryEntryID) async throws(DiaryError) -> DiaryEntry { try await local.entry(id) }

    public func entries(_ filter: DiaryFilter, _ page: PageRequest) async throws(DiaryError) -> DiaryPage {
        try await local.entries(filter, page)
    }

    public func changes() async throws(DiaryError) -> AsyncStream<Void> { try await local.changes() }

    /// Sends waiting edits and takes new changes.
    /// - Throws: as ``DiarySync/run()``.
    public func synchronize() async throws(DiaryError) { try await sync.run() }

    /// Synchronizes continuously in both directions, until the task is cancelled or the server is lost.
    /// - Parameter didSynchronize: called after each synchronization.
    /// - Throws: as ``DiarySync/follow(_:)``.
    public func follow(_ didSynchronize: @escaping @Sendable () -> Void = {}) async throws(DiaryError) {
        try await sync.follow(didSynchronize)
    }
}

/// Synchronizes a directory with its server.
public struct DiarySync: Sendable {
    private let file: DiaryFile
    private let server: any DiaryServer
    private let deviceName: String
    /// How often one run may take a new device id, begin again, or move its stamps. With a correct server, each happens at most once.
    private static let mostRepairs = 5
    /// The pause between two tries while another process synchronizes.
    private static let pause = Duration.milliseconds(20)
    private static let mostLooks = 50

    /// - Parameter deviceName: the owner's name for the directory.
    public init(_ file: DiaryFile, server: any DiaryServer, deviceName: String = "") {
        self.file = file
        self.server = server
        self.deviceName = deviceName
    }

    /// Sends waiting edits, then takes new changes. After a failure the next run continues; nothing is done twice.
    /// - Throws: `notAttached`, `otherAccount`; `busy` if another process synchronizes for more than a second; `unavailable`, `notSignedIn`, `refused`,
    ///   `storeFailed`, `diary(.tooManyDevices)`.
    public func run() async throws(DiaryError) {
        guard let owner = try await file.owner() else { throw .notAttached }
        guard owner == server.user else { throw .otherAccount }
        let lock = try await lock()
        defer { withExtendedLifetime(lock) {} }
        var repairs = 0
        while true {
            do throws(DiaryError) { return try await pushAndPull() } catch {
                repairs += 1
                guard repairs <= Self.mostRepairs else { throw error }
                do throws(DiaryError) { try await repair(error) } catch .damaged { try await setDamagedAside(error) }
            }
        }
    }

    private func pushAndPull() async throws(DiaryError) {
        try await push()
        try await pull()
        if try await file.hasForgottenEdits() {
            // A restored server has lost these edits, and takes them again.
            try await push()
            try await pull()
        }
        try await fetchImages()
    }

    /// Repairs the cause of an error, so that another attempt can succeed.
    /// - Throws: the error itself if it cannot be repaired.
    private func repair(_ error: DiaryError) async throws(DiaryError) {
        switch error {
        case .diary(.deviceCloned): try await file.becomeNewDevice()
        // The server has forgotten mutations: it was restored from a backup, and its changes have other numbers now.
        case .diary(.mutationGap(let last)): try await file.becomeNewDevice(serverKnows: last)
        case .diary(.deviceUnknown): try await file.becomeNewDevice(serverKnows: 0)
        case .diary(.clockSkewed(let time, let last)): try await file.moveStamps(to: time, after: last)
        case .diary(.resyncRequired): try await file.beginAgain()
        case .damaged: try await setDamagedAside(error)
        default: throw error
        }
    }

    private func setDamagedAside(_ error: DiaryError) async throws(DiaryError) {
        guard try await file.setDamagedAside() else { throw error }
    }

    /// Takes the lock, and waits a moment if it is taken. A child that is being started also has it until it executes.
    private func lock() async throws(DiaryError) -> FileLock {
        let path = file.directory + "/sync.lock"
        for _ in 0..<Self.mostLooks {
            do throws(DiaryError) { return try FileLock.take(path) } catch {
                guard case .busy = error else { throw error }
            }
            do { try await Task.sleep(for: Self.pause) } catch { throw .unavailable(detail: "cancelled") }
        }
        return try FileLock.take(path)
    }

    private func push() async throws(DiaryError) {
        if let device = try await file.deviceToRegister() {
            try await server.register(device, name: deviceName)
            try await file.didRegister(device)
        }
        // Edits that had to wait for their pictures are tried again.
        try await file.holdNothing()
        var refusal: String?
        var answered: DiaryAnsweredBatch?
        while let next = try await file.nextPush(after: answered) {
            answered = nil
            var batch: DiaryBatch?
            switch next {
            case .batch(let ready): batch = ready
            case .pictures(let pictures):
                if try await uploadImages(pictures, &refusal) { batch = try await file.nextBatch(through: pictures.lastEdit) }
            }
            if let batch { answered = try await push(batch) }
        }
    }

    /// Sends a batch, and those after it that need no pictures. While one is under way, the results of the one before it are stored and the next one is
    /// taken. So the server may have two batches whose results are not stored here; it keeps the results of two.
    /// - Returns: the results of the last one, which are not stored yet.
    private func push(_ first: DiaryBatch) async throws(DiaryError) -> DiaryAnsweredBatch {
        var batch = first
        var answered: DiaryAnsweredBatch?
        while true {
            let (sent, former) = (batch, answered)
            var taken: Result<DiaryBatch?, DiaryError> = .success(nil)
            let answer = await server.overlap({ [server] in
                await Self.result { () throws(DiaryError) in
                    try await server.push(sent.mutations, confirmed: sent.confirmed, from: sent.device)
                }
            }, with: {
                taken = await Self.result { () throws(DiaryError) in try await file.nextBatch(behind: sent, after: former) }
            })
            let results = DiaryAnsweredBatch(device: sent.device, results: try answer.get())
            switch taken {
            case .success(let next?):
                batch = next
                answered = results
            case .success(nil): return results
            case .failure(let error):
                try await file.acknowledge(results.results, from: results.device)
                throw error
            }
        }
    }

    /// Sends the pictures that the next edits name, before the edits.
    ///
    /// Pictures that the server will never take, and missing ones, are left out: then the server rejects the edit. A picture that the server does not
    /// take now holds only the entries that name it (``DiaryStatus/held``). An edit with a number cannot be held, so a pull first shows which of them the
    /// server has.
    /// - Parameter refusal: why the server takes no pictures now. If set, none is tried in this run.
    /// - Returns: whether the edits can be sent. If not, the next edits must be read again.
    private func uploadImages(_ next: DiaryNextPictures, _ refusal: inout String?) async throws(DiaryError) -> Bool {
        guard !next.images.isEmpty else { return true }
        for hash in try await server.missingImages(next.images.keys.sorted()) {
            guard let image = next.images[hash], let bytes = try await file.imageBytes(hash) else { continue }
            do throws(DiaryError) {
                if let refusal { throw .pictureNotTaken(reason: refusal) }
                try await server.upload(image, bytes)
            } catch .diary(.full) {
                continue
            } catch .refused(let reason, _) where Self.finalRefusals.contains(reason) {
                continue
            } catch .pictureNotTaken(let reason) {
                refusal = reason
                guard !next.numbered.contains(hash) else {
                    try await pull()
                    try await file.takeNumbersBack()
                    return false
                }
                try await file.hold(next.entries[hash] ?? [], for: reason)
            }
        }
        return true
    }

    private static let finalRefusals: Set<String> = [
        "IMAGE_EMPTY", "IMAGE_TOO_LARGE", "IMAGE_DIMENSIONS", "IMAGE_FORMAT_UNSUPPORTED", "IMAGE_INVALID",
    ]

    /// Fetches missing pictures that something names. A picture that the server does not have is tried again the next time.
    private func fetchImages() async throws(DiaryError) {
        for image in try await file.wantedImages() {
            do throws(DiaryError) {
                try await file.keep(try await server.download(image), of: image)
            } catch .diary(.imageNotFound) {
                continue
            }
        }
    }

    private func pull() async throws(DiaryError) {
        var position = try await file.position()
        var page = try await server.pull(after: position.cursor, for: position.device)
        while !page.isComplete {
            // The next page is on its way while this one is stored.
            let (stored, place) = (page, position)
            let next = DiaryReadPosition(device: place.device, cursor: page.nextCursor)
            var storing: Result<Void, DiaryError> = .success(())
            let answer = await server.overlap({ [server] in
                await Self.result { () throws(DiaryError) in try await server.pull(after: next.cursor, for: next.device) }
            }, with: {
                storing = await Self.result { () throws(DiaryError) in try await file.take(stored, at: place) }
            })
            try storing.get()
            position = try await file.position()
            // The page does not fit if another process has read on meanwhile.
            page = position == next ? try answer.get() : try await server.pull(after: position.cursor, for: position.device)
        }
        try await file.take(page, at: position)
    }

    /// Runs once, and again after every change on the server and every edit of this process, until the task is cancelled.
    /// - Parameter didSynchronize: called after each run.
    /// - Throws: as ``run()`` except `busy`, when the server is lost or the session has ended.
    public func follow(_ didSynchronize: @escaping @Sendable () -> Void = {}) async throws(DiaryError) {
        var repairs = 0
        while true {
            let edits = await file.changes()
            try await runWhenFree()
            didSynchronize()
            do throws(DiaryError) {
                return try await follow(edits, didSynchronize)
            } catch .diary(let refusal) {
                // The watch is too far behind, or the device was removed. A run repairs that.
                repairs += 1
                guard repairs <= Self.mostRepairs else { throw .diary(refusal) }
            }
        }
    }

    /// Follows from where the last run ended.
    private func follow(_ edits: AsyncStream<Void>, _ didSynchronize: @escaping @Sendable () -> Void) async throws(DiaryError) {
        let position = try await file.position()
        let end = await withTaskGroup(of: Result<Void, DiaryError>.self) { group in
            group.addTask {
                await Self.result { () throws(DiaryError) in
                    try await server.watch(after: position.cursor, for: position.device) { () throws(DiaryError) in
                        try await runWhenFree()
                        didSynchronize()
                    }
                }
            }
            group.addTask {
                await Self.result { () throws(DiaryError) in
                    for await _ in edits {
                        guard try await file.hasUnsentEdits() else { continue }
                        try await runWhenFree()
                        didSynchronize()
                    }
                }
            }
            // Neither task ends by itself, so the first end is the reason.
            let first = await group.next() ?? .success(())
            group.cancelAll()
            return first
        }
        try end.get()
    }

    private static func result<Value>(of body: () async throws(DiaryError) -> Value) async -> Result<Value, DiaryError> {
        do throws(DiaryError) { return .success(try await body()) } catch { return .failure(error) }
    }

    /// Runs after a running synchronization of another process, because that one may have read before the change.
    private func runWhenFree() async throws(DiaryError) {
        while true {
            do throws(DiaryError) { return try await run() } catch .busy { continue }
        }
    }
}
