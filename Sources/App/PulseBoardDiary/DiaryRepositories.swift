import PulseBoardDomain
import PulseBoardVocabulary

/// A diary in a directory. It works completely without an account and without a network (B36).
///
///     let diary = LocalDiaryRepository(try DiaryFile(directory: "/home/minji/.local/state/example/diary"))
///     let content = try DiaryContent(entryTime: SystemWallClock().now(), emotion: "calm", text: "It rained.")
///     let entry = try await diary.save(content, as: DiaryEntryID.random(using: SystemRandomSource()))
///     _ = try await diary.update(entry.id, DiaryChange(text: "It rained all day."), ifMatches: entry.etag)
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
///
///     let diary = RemoteDiaryRepository(client, device: device)
///     for entry in try await diary.entries(DiaryFilter(text: "rain"), PageRequest()).entries { print(entry.content.text) }
///
/// The program makes `device` once (`DiaryDeviceID.random(using:)`) and stores it, because a diary has a limited number of devices.
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
        } catch .refused(let reason, _, _) where reason == Reason.diaryEntryExists.rawValue {
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
        } catch .refused(let reason, _, _) where reason == Reason.diaryEntryNotFound.rawValue {
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
///
///     let file = try DiaryFile(directory: "/home/minji/.local/state/example/diary")
///     let diary = CombinedDiaryRepository(file, server: client, deviceName: "laptop")
///     let content = try DiaryContent(entryTime: SystemWallClock().now(), emotion: "calm", text: "It rained.")
///     _ = try await diary.save(content, as: DiaryEntryID.random(using: SystemRandomSource()))
///
///     try await diary.attach()            // once the user has signed in
///     try await diary.synchronize()       // now and then, or `follow()`
///
/// `client` is a ``DiaryClient``.
public struct CombinedDiaryRepository: DiaryRepository {
    private let local: LocalDiaryRepository
    private let server: any DiaryServer
    private let sync: DiarySync

    /// Makes the diary of a directory. Attach it to the account before it synchronizes (``attach()``).
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

    /// Registers the directory with the server, and then attaches it to the account. It changes nothing if the server does not answer.
    /// - Throws: as ``DiarySync/attach()``.
    public func attach() async throws(DiaryError) { try await sync.attach() }

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
