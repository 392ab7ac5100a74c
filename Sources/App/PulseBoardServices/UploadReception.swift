import PulseBoardDomain
import Synchronization

/// Refuses an upload by the number of bytes that its header announces, before the first of them.
/// - Throws: `invalid` for the field `size_bytes`.
func requireSize(_ byteCount: Int64, limit: Int) throws(RepositoryError) {
    guard byteCount > 0 else { throw .invalid("size_bytes", .imageEmpty) }
    guard byteCount <= limit else { throw .invalid("size_bytes", .imageTooLarge, limit: limit) }
}

extension ImageUpload {
    /// Receives the bytes of an upload.
    ///
    /// - Parameters:
    ///   - byteCount: how many will come.
    ///   - sha256: the announced hash of the bytes; empty for none.
    ///   - timer: measures ``ImageLimits/uploadPatience``.
    /// - Throws: `hashMismatch` for a wrong hash or number of bytes, and for bytes that do not come in time; `tooLarge`, `unavailable`; and
    ///   what `chunks` throws.
    func receive<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks, byteCount: Int64, sha256: [UInt8], timer: any Clock<Duration>
    ) async throws where Chunks.Element == [UInt8] {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.receive(chunks, byteCount, sha256) }
            group.addTask {
                try await timer.sleep(for: ImageLimits.uploadPatience)
                throw ImageRefusal.hashMismatch
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func receive<Chunks: AsyncSequence>(
        _ chunks: Chunks, _ byteCount: Int64, _ sha256: [UInt8]
    ) async throws where Chunks.Element == [UInt8] {
        var received: Int64 = 0
        for try await chunk in chunks {
            received += Int64(chunk.count)
            guard received <= byteCount else { throw ImageRefusal.hashMismatch }
            try await append(chunk)
        }
        guard received == byteCount else { throw ImageRefusal.hashMismatch }
        if !sha256.isEmpty, await self.sha256 != sha256 { throw ImageRefusal.hashMismatch }
    }
}

/// The users who are uploading now, for a profile or a diary. One upload at a time limits a user's memory, disk space and decoding. The program
/// decodes two pictures at a time, so a user must never have two.
///
/// All users together have a limit too. An upload has an open file from its header on, and the store needs descriptors as well.
final class UploadingUsers: Sendable {
    private let limit: Int
    private let users = Mutex<Set<UserID>>([])

    /// - Parameter limit: maximum users who upload at once (``ServicesConfiguration/uploadsAtOnce``).
    init(limit: Int) { self.limit = limit }

    /// - Returns: `false` if the user uploads already, or too many users do.
    func begin(_ user: UserID) -> Bool { users.withLock { $0.count < limit && $0.insert(user).inserted } }
    func end(_ user: UserID) { _ = users.withLock { $0.remove(user) } }
}
