import Crypto
import Foundation
import ProtobufWellKnownTypes
import PulseBoardMessages
import PulseBoardVocabulary
import SystemPackage

/// An error of a backup or of its file.
enum BackupError: Error, Hashable {
    /// The file cannot be read or written.
    case file(String, Errno)
    /// The file is not a backup, or is incomplete.
    case damaged(Phrase)
    /// The server's stream violated the protocol.
    case wrongStream(Phrase)
    /// The backup is of a later version.
    case newerFormat(Int)
    /// The backup is complete but for these picture files, which the server could not read.
    case unreadablePictures(Int64)
    /// The backup lacks all of its picture files, so it does not replace the former one. The path is where it is.
    case notReplaced(String, missing: Int64)
}

/// Writes a backup's archive from the server's stream: the files, their hashes, the manifest.
///
/// The archive gets its name when it is complete and on the disk. Before that, its name ends in `.partial`.
final class BackupWriter {
    private let output: FileDescriptor
    /// `nil` for standard output.
    private let path: FilePath?
    private let mayReplace: Bool
    private var partial: FilePath? { path.map { FilePath($0.string + ".partial") } }
    private var sums = ""
    private var current: (header: TarHeader, hash: SHA256, sha256: [UInt8], left: Int64)?
    private var files: Int64 = 0
    private var isFinished = false
    private let seconds: Int64

    /// - Parameters:
    ///   - path: `nil` writes to standard output.
    ///   - mayReplace: whether a complete archive replaces an existing file. One that lacks all of its pictures never does: their disk is away, and
    ///     the former one may be all that is left of them.
    /// - Throws: ``BackupError/file(_:_:)``.
    init(path: String?, mayReplace: Bool = false, now: Date = Date()) throws(BackupError) {
        self.mayReplace = mayReplace
        self.path = path.map { FilePath($0) }
        seconds = Int64(now.timeIntervalSince1970)
        guard let path else {
            output = .standardOutput
            return
        }
        do {
            // What an interrupted backup left is replaced. Its file is not used, because others may have made it and may read it.
            unlink(path + ".partial")
            output = try FileDescriptor.open(
                FilePath(path + ".partial"), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite)
        } catch {
            throw .file(path, error as? Errno ?? .ioError)
        }
    }

    deinit {
        guard let partial else { return }
        try? output.close()
        if !isFinished { unlink(partial.string) }
    }

    /// Begins a file.
    func begin(_ file: PBBackupFile) throws(BackupError) {
        try requireWhole()
        let header = TarHeader(path: file.path, byteCount: file.byteCount, seconds: seconds)
        guard let bytes = header.bytes else {
            throw .wrongStream(Phrase("a file is called \(file.path)", "파일 이름이 \(file.path)입니다"))
        }
        try write(bytes)
        current = (header, SHA256(), file.sha256, file.byteCount)
        if file.byteCount == 0 { try endFile() }
    }

    /// Adds bytes to the present file.
    func append(_ bytes: [UInt8]) throws(BackupError) {
        guard var file = current, Int64(bytes.count) <= file.left else {
            throw .wrongStream(Phrase("there are more bytes than were announced", "알린 것보다 많은 바이트가 왔습니다"))
        }
        file.hash.update(data: bytes)
        file.left -= Int64(bytes.count)
        current = file
        try write(bytes)
        if file.left == 0 { try endFile() }
    }

    /// Writes the hashes and the manifest, and gives the archive its name.
    /// - Returns: the manifest.
    func finish(_ manifest: PBBackupManifest) throws(BackupError) -> BackupManifest {
        try requireWhole()
        guard manifest.files == files else {
            throw .wrongStream(
                Phrase("the server counts \(manifest.files) files, and \(files) came", "서버가 센 파일은 \(manifest.files)개인데 \(files)개가 왔습니다"))
        }
        let sumsBytes = Array(sums.utf8)
        try add(BackupManifest.sumsName, sumsBytes)
        let written = BackupManifest(manifest, sums: Array(SHA256.hash(data: sumsBytes)))
        let text: String
        do { text = try jsonText(written) } catch { throw .wrongStream(Phrase(untranslated: "\(error)")) }
        try add(BackupManifest.fileName, Array(text.utf8))
        try write([UInt8](repeating: 0, count: 2 * TarHeader.blockBytes))
        if let path, let partial {
            do {
                guard fsync(output.rawValue) == 0 else { throw Errno(rawValue: errno) }
                let missing = written.missingFiles + (written.unreadableFiles ?? 0)
                // The only file is the database.
                if mayReplace, missing > 0, files <= 1, access(path.string, F_OK) == 0 {
                    isFinished = true
                    throw BackupError.notReplaced(partial.string, missing: missing)
                }
                try name(partial, path)
                isFinished = true
                // The archive is complete and has its name. A folder that may not be read cannot be synced.
                let parent = path.removingLastComponent()
                if let folder = try? FileDescriptor.open(parent.isEmpty ? "." : parent, .readOnly, options: [.directory, .closeOnExec]) {
                    try folder.closeAfter { _ = fsync(folder.rawValue) }
                }
            } catch {
                throw error as? BackupError ?? .file(path.string, error as? Errno ?? .ioError)
            }
        }
        return written
    }

    /// Gives the archive its name. Without permission to replace one, a file that somebody has made meanwhile stays.
    private func name(_ partial: FilePath, _ path: FilePath) throws {
        if !mayReplace {
            if link(partial.string, path.string) == 0 {
                unlink(partial.string)
                return
            }
            // Any other error: the file system may have no hard links.
            guard errno != EEXIST else { throw Errno.fileExists }
        }
        guard rename(partial.string, path.string) == 0 else { throw Errno(rawValue: errno) }
    }

    private func add(_ name: String, _ bytes: [UInt8]) throws(BackupError) {
        let header = TarHeader(path: name, byteCount: Int64(bytes.count), seconds: seconds)
        try write((header.bytes ?? []) + bytes + [UInt8](repeating: 0, count: header.paddingBytes))
    }

    private func endFile() throws(BackupError) {
        guard let file = current else { return }
        let digest = Array(file.hash.finalize())
        guard digest == file.sha256 else {
            throw .wrongStream(Phrase("\(file.header.path) arrived with other bytes", "\(file.header.path)의 내용이 다르게 도착했습니다"))
        }
        try write([UInt8](repeating: 0, count: file.header.paddingBytes))
        sums += "\(digest.hexadecimal)  \(file.header.path)\n"
        files += 1
        current = nil
    }

    private func requireWhole() throws(BackupError) {
        guard let current else { return }
        let (path, left) = (current.header.path, current.left)
        throw .wrongStream(Phrase("\(path) lacks \(left) bytes", "\(path)에서 \(left)바이트가 빠졌습니다"))
    }

    private func write(_ bytes: [UInt8]) throws(BackupError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            do {
                rest = rest.dropFirst(try rest.withUnsafeBytes { try output.write($0) })
            } catch let error as Errno where error == .resourceTemporarilyUnavailable {
                // Another process with the same pipe has made it non-blocking.
                var writable = pollfd(fd: output.rawValue, events: Int16(POLLOUT), revents: 0)
                poll(&writable, 1, -1)
            } catch {
                throw .file(path?.string ?? "-", error as? Errno ?? .ioError)
            }
        }
    }
}
