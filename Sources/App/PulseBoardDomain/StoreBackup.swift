/// A store that can be copied while it is in use.
///
/// A store on a database server does not conform: such a server has its own tools for copies.
public protocol CopyableStore: Sendable {
    /// Copies the whole store as of one instant, and checks the copy. Reads and writes go on meanwhile.
    ///
    /// - Parameters:
    ///   - bytesPerSecond: the maximum number of bytes to read per second.
    ///   - progress: called about once a second on a thread of the store. It must return soon.
    /// - Throws: `storeUnavailable` with `full` when there is no room for the copy, or with `corrupt` when the copy, and therefore the
    ///   original, is damaged. `CancellationError` when the task is cancelled.
    func copy(bytesPerSecond: Int64, progress: @escaping @Sendable (StoreCopyProgress) -> Void) async throws -> any StoreCopy
}

/// A copy of a store as of one instant. It blocks no reader and no writer. It is deleted with the last reference to it.
public protocol StoreCopy: AnyObject, Sendable {
    /// The name of the database file in the data directory.
    var fileName: String { get }
    /// Length of the copy, bytes.
    var byteCount: Int64 { get }
    /// SHA-256 of the copy's bytes.
    var sha256: [UInt8] { get }
    /// The instant of the copied state.
    var time: Timestamp { get }
    /// The position in the archive of commits that follows the copy. Replaying from there brings the copy up to date. `nil` without an archive.
    var archivePosition: String? { get }
    /// The newest migration of the database.
    var schema: String { get }
    /// The number of rows of each table, sorted by table name.
    var counts: [StoreTableCount] { get }

    /// Reads a part of the copy's bytes; it is shorter than `count` only at the end. Do not call it on an event loop.
    func bytes(at offset: Int64, count: Int) throws(RepositoryError) -> [UInt8]

    /// Reads the pictures that the copy names, without those that were being written or removed. They have a fixed order. Do not call it on an
    /// event loop.
    /// - Parameter after: the last picture of the page before; `nil` for the first page.
    func images(after: OwnedImage?, limit: Int) throws(RepositoryError) -> [OwnedImage]

    /// Records that the whole copy was delivered. Only then does it count as a backup.
    func wasDelivered()
}

/// How many rows a table has.
public struct StoreTableCount: Hashable, Sendable {
    public let table: String
    /// The number of rows.
    public let rows: Int64

    public init(table: String, rows: Int64) {
        self.table = table
        self.rows = rows
    }
}

/// A picture and its owner.
public struct OwnedImage: Hashable, Sendable {
    public let owner: UserID
    public let id: ImageID

    public init(owner: UserID, id: ImageID) {
        self.owner = owner
        self.id = id
    }

    /// The path of one size in the folder of pictures: `3d/OWNER/IMAGE-96.webp`, where `3d` are the first two digits of the owner's id.
    public func path(_ size: ImageSize) -> String { "\(Self.home(of: owner))/\(id)-\(size.side).webp" }

    /// The folder of one owner's pictures.
    public static func home(of owner: UserID) -> String { "\(owner.description.prefix(2))/\(owner)" }
}

/// The progress of a copy.
public enum StoreCopyProgress: Hashable, Sendable {
    /// `done` of `total` bytes are copied.
    case copying(done: Int64, total: Int64)
    /// The copy, of `total` bytes, is being checked.
    case checking(total: Int64)
}
