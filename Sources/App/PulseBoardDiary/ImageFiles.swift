import Crypto
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import PulseBoardDomain
import PulseBoardVocabulary

/// The pictures of a diary's directory as files, `images/<SHA-256>`, with their original bytes.
///
/// A file appears whole or not at all: it is written under another name, synced, and renamed. Whoever adds a picture holds the lock, shared, until
/// its row is in the database. Whoever removes pictures holds it alone. So no file is removed while its row is being written.
struct ImageFiles: Sendable {
    private let directory: String
    private let folder: String

    init(directory: String) {
        self.directory = directory
        folder = directory + "/images"
    }

    private func path(_ hash: DiaryImageHash) -> String { "\(folder)/\(hash)" }

    // MARK: Locks

    /// Takes the lock shared: waits until nobody removes files, and prevents removals.
    func share() throws(DiaryError) -> FileLock { try FileLock.share(directory + "/images.lock") }

    /// Takes the lock exclusively: prevents others from adding and removing files.
    /// - Throws: `busy`.
    func own() throws(DiaryError) -> FileLock { try FileLock.take(directory + "/images.lock") }

    // MARK: Files

    /// Writes a picture. When it returns, the file is durable under its name. Hold ``share()`` until its row is written.
    func write(_ bytes: [UInt8], as hash: DiaryImageHash) throws(DiaryError) {
        if mkdir(folder, 0o700) == 0 { try sync(directory) } else if errno != EEXIST { throw failure(folder) }
        let temporary = "\(folder)/new-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(temporary) }
        do throws(DiaryError) {
            defer { close(descriptor) }
            var written = 0
            while written < bytes.count {
                let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw failure(temporary) }
                written += count
            }
            guard fsync(descriptor) == 0, rename(temporary, path(hash)) == 0 else { throw failure(temporary) }
        } catch {
            unlink(temporary)
            throw error
        }
        try sync(folder)
    }

    /// The bytes of a picture; `nil` if the file is missing or has other bytes.
    func read(_ hash: DiaryImageHash) throws(DiaryError) -> [UInt8]? {
        let descriptor = open(path(hash), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure(path(hash))
        }
        defer { close(descriptor) }
        // One byte more than permitted: a longer file was not written here.
        let limit = DiaryLimits.maximumImageBytes + 1
        var isRead = true
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            count = 0
            while count < limit {
                let more = Glibc.read(descriptor, buffer.baseAddress?.advanced(by: count), limit - count)
                if more < 0, errno == EINTR { continue }
                isRead = more >= 0
                guard more > 0 else { break }
                count += more
            }
        }
        guard isRead else { throw failure(path(hash)) }
        return DiaryImageHash(of: bytes) == hash ? bytes : nil
    }

    /// Removes a picture's file. It is no error if it does not exist.
    func remove(_ name: String) { unlink("\(folder)/\(name)") }

    /// The names of all files; empty without a folder.
    func names() throws(DiaryError) -> [String] {
        guard let stream = opendir(folder) else {
            if errno == ENOENT { return [] }
            throw failure(folder)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Makes the entries of a folder durable.
    private func sync(_ folder: String) throws(DiaryError) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(folder) }
    }

    private func failure(_ path: String) -> DiaryError { .storeFailed(detail: Phrase.systemError(errno).after(path)) }
}

extension DiaryImageHash {
    /// The hash of a picture's bytes.
    init?(of bytes: [UInt8]) { self.init(bytes: SHA256.hash(data: bytes)) }
}
