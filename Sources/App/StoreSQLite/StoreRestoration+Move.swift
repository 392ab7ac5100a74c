#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import CLinuxSockets
import Foundation

// How the files of a restoration get into their places, and what the next restoration does if the process is killed meanwhile.
extension StoreRestoration {
    /// The file in `restore.swap` with the name of the folder for the former files. It is there if there were any.
    private static let formerNoteName = "before-restore"
    private static let formerPrefix = "before-restore-"
    /// The files of a database. A journal or log that stayed would be taken for the restored database's.
    private static let databaseNames = ["", "-journal", "-wal", "-shm"].map { SQLiteStore.fileName + $0 }

    /// Moves the files. From here on no server can start until all are in their places.
    ///
    /// The process may be killed before each step. While `restore.swap` has the backup's database, every file in its place is a former one. From
    /// then on, all former files are in their folder. So ``settleMove()`` knows what to do.
    func putInPlace(_ outcome: Outcome) throws -> Outcome {
        let files = FileManager.default
        let pictures = picturesElsewhere == nil ? ["images"] : []
        let names = (Self.databaseNames + pictures).filter { Self.isThere(directory + "/" + $0) }
        var former: String?
        if !names.isEmpty {
            var name = Self.formerPrefix + String(clock.now().microseconds / 1_000_000)
            // There is a folder of the same second already.
            while Self.isThere(directory + "/" + name) { name += "-again" }
            // It is written before `restore.partial` gets its new name, so no file is moved without it.
            try Data(name.utf8).write(to: URL(filePath: partial + "/" + Self.formerNoteName))
            former = directory + "/" + name
        }
        try Self.synchronize(partial)
        try willStep()
        try files.moveItem(atPath: partial, toPath: swap)
        try Self.synchronize(directory)
        if let former {
            try willStep()
            try files.createDirectory(atPath: former, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            for name in names { try move(name, from: directory, to: former) }
            // After a power cut, too, the backup's database is in its place only if the former files are in their folder.
            try Self.synchronize(directory)
        }
        try moveBackup()
        return Outcome(
            former: former, isFormerUnreadable: outcome.isFormerUnreadable, endedSessions: outcome.endedSessions, returned: outcome.returned)
    }

    /// Moves the backup's files to their places, the database first, and removes `restore.swap`.
    private func moveBackup() throws {
        let files = FileManager.default
        if Self.isThere(swap + "/" + SQLiteStore.fileName) { try move(SQLiteStore.fileName, from: swap, to: directory) }
        for name in try files.contentsOfDirectory(atPath: swap) where name != Self.formerNoteName {
            try move(name, from: swap, to: directory)
        }
        try Self.synchronize(directory)
        try willStep()
        try files.removeItem(atPath: swap)
        // Otherwise a power cut could bring the folder back, and no server would start.
        try Self.synchronize(directory)
    }

    /// Ends or undoes the move of an interrupted restoration.
    ///
    /// If the backup's database is in its place, the rest of the backup follows. If not, the former files go back to their places, so that this
    /// restoration finds their sessions, used tokens and pictures. It may be interrupted as well, and then the next one goes on.
    func settleMove() throws {
        let files = FileManager.default
        let isDatabaseThere = Self.isThere(database)
        guard Self.isThere(swap + "/" + SQLiteStore.fileName) || !isDatabaseThere else { return try moveBackup() }
        if let folder = folderOfInterruptedMove {
            // The database goes back last. If one is there and files of another one are left, somebody has put it there meanwhile.
            let names = isDatabaseThere ? ["images"] : Self.databaseNames + ["images"]
            for name in names.reversed() where Self.isThere(folder + "/" + name) && !Self.isThere(directory + "/" + name) {
                try move(name, from: folder, to: directory)
            }
            // This fails if something is left in it, and then it stays.
            _ = rmdir(folder)
            try Self.synchronize(directory)
        }
        // The folder gets a new name before it is removed, because a part of it would look like the end of a move.
        try? files.removeItem(atPath: partial)
        try files.moveItem(atPath: swap, toPath: partial)
        try Self.synchronize(directory)
    }

    /// The folder for the former files of an interrupted restoration, which may not be there yet; `nil` if there were none.
    private var folderOfInterruptedMove: String? {
        guard let note = FileManager.default.contents(atPath: swap + "/" + Self.formerNoteName) else { return nil }
        let name = String(decoding: note, as: UTF8.self)
        guard name.hasPrefix(Self.formerPrefix), !name.contains("/") else { return nil }
        return directory + "/" + name
    }

    private func move(_ name: String, from source: String, to target: String) throws {
        try willStep()
        try FileManager.default.moveItem(atPath: source + "/" + name, toPath: target + "/" + name)
    }

    /// Whether there is anything at a path. A link counts too, wherever it leads.
    static func isThere(_ path: String) -> Bool { (try? FileManager.default.attributesOfItem(atPath: path)) != nil }

    static func byteCount(_ path: String) -> Int64 {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int64 ?? 0
    }

    /// Syncs the file system of a folder to the disk.
    static func synchronize(_ folder: String) throws {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        defer { close(descriptor) }
        guard syncfs(descriptor) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }
}
