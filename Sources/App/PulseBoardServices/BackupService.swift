import Crypto
import PulseBoardDomain
import Synchronization

/// Streams a copy of everything that is stored to the operator, while the services go on (docs/storage.md, Backup).
///
///     let backups = BackupService(store: store, images: services.images)
///     try await backups.run(bytesPerSecond: 0) { part in
///         if case .data(let bytes) = part { try await archive.write(bytes) }
///     }
///
/// The database is copied as of one instant. The pictures are those that it names then: while a backup runs, no picture is removed.
public struct BackupService: Sendable {
    /// Permitted rates in bytes per second.
    public static let rates: ClosedRange<Int64> = (1 << 20)...(4 << 30)
    /// The default rate in bytes per second.
    public static let standardRate: Int64 = 32 << 20
    /// Maximum bytes of one ``BackupPart/data(_:)``.
    static let partBytes = 64 << 10
    private static let imagesAtOnce = 1_000
    /// If this many files in a row cannot be read, the cause is not bad sectors: the disk is gone.
    static let mostUnreadableInARow = 100

    private let store: any CopyableStore
    private let images: ImageService?
    private let timer: any Clock<Duration>
    private let isRunning = Running()

    /// - Parameters:
    ///   - images: the service whose pictures belong to the backup; `nil` without pictures.
    ///   - timer: waits between the parts.
    public init(store: any CopyableStore, images: ImageService?, timer: any Clock<Duration> = ContinuousClock()) {
        self.store = store
        self.images = images
        self.timer = timer
    }

    /// Copies everything. Passes each part to `write`, which may take its time. A picture that is missing or cannot be read is left out and counted.
    /// ``mostUnreadableInARow`` end the backup, missing ones only if the directory of pictures is empty.
    ///
    /// - Parameter bytesPerSecond: one of ``rates``, or 0 for ``standardRate``.
    /// - Throws: `invalid` (field `bytes_per_second`), `rateLimited` while another backup runs, `storeUnavailable`, and what `write` throws.
    public func run(bytesPerSecond: Int64, _ write: @escaping @Sendable (BackupPart) async throws -> Void) async throws {
        let rate = bytesPerSecond == 0 ? Self.standardRate : bytesPerSecond
        guard Self.rates.contains(rate) else {
            throw RepositoryError.invalid("bytes_per_second", .backupRateInvalid)
        }
        guard isRunning.begin() else { throw RepositoryError.rateLimited(retryAfter: .seconds(60)) }
        defer { isRunning.end() }
        images?.holdRemovals()
        defer { images?.allowRemovals() }
        // Reading and hashing files must not happen on an event loop.
        try await withTaskExecutorPreference(globalConcurrentExecutor) {
            let copy = try await copy(rate, write)
            try await send(copy, at: rate, write)
        }
    }

    /// Makes the copy and reports its progress.
    private func copy(_ rate: Int64, _ write: @escaping @Sendable (BackupPart) async throws -> Void) async throws -> any StoreCopy {
        let (steps, step) = AsyncStream<StoreCopyProgress>.makeStream(bufferingPolicy: .bufferingNewest(1))
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await progress in steps { try await write(.progress(progress)) } }
            let copy = try await store.copy(bytesPerSecond: rate) { step.yield($0) }
            step.finish()
            try await group.waitForAll()
            return copy
        }
    }

    private func send(_ copy: any StoreCopy, at rate: Int64, _ write: @escaping @Sendable (BackupPart) async throws -> Void) async throws {
        var pace = Pace(bytesPerSecond: rate, timer: timer)
        var total = BackupTotal(copy: copy)
        try await write(.file(BackupFile(path: copy.fileName, byteCount: copy.byteCount, sha256: copy.sha256)))
        var offset: Int64 = 0
        while offset < copy.byteCount {
            let bytes = try copy.bytes(at: offset, count: Self.partBytes)
            guard !bytes.isEmpty else { throw RepositoryError.storeUnavailable(.inputOutput, detail: "the copy of the database is too short") }
            try await write(.data(bytes))
            offset += Int64(bytes.count)
            try await pace.spend(bytes.count)
        }
        total.add(byteCount: copy.byteCount)
        if let images {
            var unreadableInARow = 0
            var last: OwnedImage?
            repeat {
                let page = try copy.images(after: last, limit: Self.imagesAtOnce)
                for image in page { try await send(image, images, &total, &unreadableInARow, &pace, write) }
                last = page.count == Self.imagesAtOnce ? page.last : nil
            } while last != nil
        }
        try await write(.total(total))
        copy.wasDelivered()
    }

    /// The disk of the pictures is not mounted, or they were moved. A backup without them would look complete. If the directory has any file, the
    /// pictures are lost, and the rest must still be saved.
    private static func imagesAreGone(_ count: Int) -> RepositoryError {
        .storeUnavailable(.inputOutput, detail: "\(count) files of pictures, one after another, are missing, and their directory is empty")
    }

    private func send(
        _ image: OwnedImage, _ images: ImageService, _ total: inout BackupTotal, _ unreadableInARow: inout Int, _ pace: inout Pace,
        _ write: @escaping @Sendable (BackupPart) async throws -> Void
    ) async throws {
        for size in ImageSize.allCases {
            let path = "images/" + image.path(size)
            let stored: [UInt8]?
            do {
                stored = try await images.stored(image, size)
            } catch .storeUnavailable(let cause, let detail) {
                // One bad sector must not end every backup.
                total.unreadableFiles += 1
                unreadableInARow += 1
                try await write(.unreadable(path: path, detail: detail))
                guard unreadableInARow < Self.mostUnreadableInARow else { throw RepositoryError.storeUnavailable(cause, detail: detail) }
                continue
            }
            guard let bytes = stored else {
                total.missingFiles += 1
                unreadableInARow += 1
                let isLongRow = unreadableInARow.isMultiple(of: Self.mostUnreadableInARow)
                if isLongRow, await images.isFolderEmpty { throw Self.imagesAreGone(unreadableInARow) }
                continue
            }
            unreadableInARow = 0
            let file = BackupFile(path: path, byteCount: Int64(bytes.count), sha256: Array(SHA256.hash(data: bytes)))
            try await write(.file(file))
            for start in stride(from: 0, to: bytes.count, by: Self.partBytes) {
                try await write(.data(Array(bytes[start..<min(start + Self.partBytes, bytes.count)])))
            }
            total.add(byteCount: file.byteCount)
            try await pace.spend(bytes.count)
        }
    }
}

/// A part of a backup. Parts come in this order: progress, each file with its bytes or why it is missing, the total.
public enum BackupPart: Sendable, Hashable {
    case progress(StoreCopyProgress)
    /// A file begins.
    case file(BackupFile)
    /// The next bytes of the current file.
    case data([UInt8])
    /// The file of a picture could not be read, and the backup lacks it. `detail` says why in words.
    case unreadable(path: String, detail: String)
    /// The backup is complete.
    case total(BackupTotal)
}

/// One file of a backup.
public struct BackupFile: Sendable, Hashable {
    /// Its path in the data directory.
    public let path: String
    /// Its length in bytes.
    public let byteCount: Int64
    /// SHA-256 of its bytes.
    public let sha256: [UInt8]
}

/// A summary of a whole backup.
public struct BackupTotal: Sendable, Hashable {
    /// The instant of the copied state.
    public let time: Timestamp
    /// The newest migration of the database.
    public let schema: String
    /// The number of rows of each table, sorted by table name.
    public let counts: [StoreTableCount]
    /// The number of files.
    public private(set) var files: Int64 = 0
    /// Bytes of all files.
    public private(set) var bytes: Int64 = 0
    /// Files of pictures that the database names and that were missing in the folder.
    public internal(set) var missingFiles: Int64 = 0
    /// Files of pictures that could not be read, such as on a damaged disk.
    public internal(set) var unreadableFiles: Int64 = 0
    /// The position in the archive of commits that follows the backup; `nil` without an archive.
    public let archivePosition: String?

    init(copy: any StoreCopy) {
        time = copy.time
        schema = copy.schema
        counts = copy.counts
        archivePosition = copy.archivePosition
    }

    fileprivate mutating func add(byteCount: Int64) {
        files += 1
        bytes += byteCount
    }
}

/// Limits a transfer to a rate. After a slow phase it does not go faster to catch up.
private struct Pace {
    let bytesPerSecond: Int64
    let timer: any Clock<Duration>
    private var owed = Duration.zero
    /// Shorter waits are added up.
    private static let shortest = Duration.milliseconds(5)

    init(bytesPerSecond: Int64, timer: any Clock<Duration>) {
        self.bytesPerSecond = bytesPerSecond
        self.timer = timer
    }

    mutating func spend(_ bytes: Int) async throws {
        owed += .seconds(1) * (Double(bytes) / Double(bytesPerSecond))
        guard owed >= Self.shortest else { return }
        let wait = owed
        owed = .zero
        try await timer.sleep(for: wait)
    }
}

/// Whether a backup runs.
private final class Running: Sendable {
    private let flag = Atomic(false)
    func begin() -> Bool { !flag.exchange(true, ordering: .acquiringAndReleasing) }
    func end() { flag.store(false, ordering: .releasing) }
}
