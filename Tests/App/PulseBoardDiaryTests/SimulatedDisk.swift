import FaultyDisk
import Foundation
import TestHarness

/// The directory of one machine, on a disk that can stop between any two writes of SQLite.
///
/// It is in memory if the system has such a file system. A sync only marks what the disk keeps after a stop.
final class SimulatedDisk: Sendable {
    let path: String

    init(_ path: String) throws {
        self.path = path
        guard faulty_disk_insert(path) else { throw Failure(description: "no disk at \(path)") }
    }

    deinit { faulty_disk_remove(path) }

    /// The folder of all machines, in memory if possible.
    static var root: String {
        FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    }

    /// Stops the disk after this many more changes.
    func stop(after changes: Int) { faulty_disk_stop_after(path, Int64(changes)) }

    var hasStopped: Bool { faulty_disk_has_stopped(path) }

    /// Starts the disk again, when everything that used it is closed. - Parameter losing: whether unsynchronised data may
    /// be lost.
    func restart(losing: Bool, seed: UInt64) async throws {
        // The last reference to a connection may be released on another thread.
        await until { !faulty_disk_is_in_use(path) }
        guard faulty_disk_restart(path, losing, seed) else { throw Failure(description: "the disk at \(path) cannot go on") }
    }

    struct Failure: Error, CustomStringConvertible { let description: String }
}
