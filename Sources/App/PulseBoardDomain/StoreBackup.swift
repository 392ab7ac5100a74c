/// A store that can be copied while it is used.
///
/// A store without a copy of its own kind, such as one on a database server that has its own tools, does not conform.
public protocol CopyableStore: Sendable {
    /// Copies everything that is stored at one instant, and checks the copy. Reads and writes go on meanwhile.
    ///
    /// - Parameters:
    ///   - bytesPerSecond: most bytes that are read a second.
    ///   - progress: called about once a second, on a thread of the store's. It must return soon.
    /// - Throws: `storeUnavailable`: `full` when there is no room for the copy, `corrupt` when the copy is damaged, as its original then is.
    ///   `CancellationError` when the task is cancelled.
    func copy(bytesPerSecond: Int64, progress: @escaping @Sendable (StoreCopyProgress) -> Void) async throws -> any StoreCopy
}

/// A copy of a store, as it was at one instant. It holds up no reader and no writer. It is removed with the last reference to it.
public protocol StoreCopy: AnyObject, Sendable {
    /// What the file of the database is called in the data directory.
    var fileName: String { get }
    /// Length of the copy, bytes.
    var byteCount: Int64 { get }
    /// Of its bytes.
    var sha256: [UInt8] { get }
    /// The instant whose state it has.
    var time: Timestamp { get }
    /// From where on an archive of what was committed is to be followed to bring the copy forward; `nil` where nothing is archived.
    var archivePosition: String? { get }
    /// The newest migration of the database.
    var schema: String { get }
    /// Rows of each table, by its name, in the order of the names.
    var counts: [StoreTableCount] { get }

    /// A part of the copy's bytes; shorter than asked for only at its end. Not on an event loop.
    func bytes(at offset: Int64, count: Int) throws(RepositoryError) -> [UInt8]

    /// The pictures that the copy names, but for those that were being written or removed, in an order of their own. Not on an event loop.
    /// - Parameter after: the last picture of the page before; `nil` for the first page.
    func images(after: OwnedImage?, limit: Int) throws(RepositoryError) -> [OwnedImage]
}

/// How many rows a table has.
public struct StoreTableCount: Hashable, Sendable {
    public let table: String
    /// Its rows.
    public let rows: Int64

    public init(table: String, rows: Int64) {
        self.table = table
        self.rows = rows
    }
}

/// A picture and whose it is.
public struct OwnedImage: Hashable, Sendable {
    public let owner: UserID
    public let id: ImageID

    public init(owner: UserID, id: ImageID) {
        self.owner = owner
        self.id = id
    }

    /// Where its bytes of one size are in the folder of pictures: `3d/OWNER/IMAGE-96.webp`, where `3d` are the first two digits of the owner's id.
    public func path(_ size: ImageSize) -> String { "\(Self.home(of: owner))/\(id)-\(size.side).webp" }

    /// The folder of one owner's pictures.
    public static func home(of owner: UserID) -> String { "\(owner.description.prefix(2))/\(owner)" }
}

/// How far the copy of a store is.
public enum StoreCopyProgress: Hashable, Sendable {
    /// So many bytes of so many are copied.
    case copying(done: Int64, total: Int64)
    /// The copy of so many bytes is being checked.
    case checking(total: Int64)
}
