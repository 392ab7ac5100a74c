import FaultyDisk
import Foundation

/// The directory of one machine, on a disk that stops between any two writes of SQLite.
///
/// It is in memory where the system has such a file system. No sync is waited for: what it would have saved is what the disk gives back after a stop.
final class SimulatedDisk: Sendable {
    let path: String

    init(_ path: String) throws {
        self.path = path
        guard faulty_disk_insert(path) else { throw Failure(description: "no disk at \(path)") }
    }

    deinit { faulty_disk_remove(path) }

    /// Where machines stand: in memory.
    static var root: String {
        FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    }

    /// Lets so many more changes through.
    func stop(after changes: Int) { faulty_disk_stop_after(path, Int64(changes)) }

    var hasStopped: Bool { faulty_disk_has_stopped(path) }

    /// Goes on, when everything that used it is closed. - Parameter losing: whether what was not synchronised may be gone.
    func restart(losing: Bool, seed: UInt64) async throws {
        // The last user of a connection may be let go on another thread.
        while faulty_disk_is_in_use(path) { await Task.yield() }
        guard faulty_disk_restart(path, losing, seed) else { throw Failure(description: "the disk at \(path) cannot go on") }
    }

    struct Failure: Error, CustomStringConvertible { let description: String }
}
