import Foundation

extension SessionStore {
    /// The whole of a file that is private to the owner, or nil when there is none.
    ///
    /// The checks are made on the opened file, so that nobody can swap it between check and use.
    func readPrivateFile(_ path: String) throws(SessionStoreError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP: throw SessionStoreError(path: path, problem: .notAFile)
            default: throw SessionStoreError(path: path, problem: .system(errno))
            }
        }
        defer { close(descriptor) }
        try checkPrivate(descriptor, path, kind: S_IFREG)
        return try readAll(descriptor, path)
    }

    /// Writes a file beside the old one, private from its first instant, makes it durable and puts it in the old one's place.
    func replacePrivateFile(_ path: String, with bytes: [UInt8]) throws(SessionStoreError) {
        let temporary = path + ".new"
        // Whatever lies there was left by a run that was killed: the directory's lock is held here.
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SessionStoreError(path: temporary, problem: .system(errno)) }
        var failure: Int32 = 0
        var written = 0
        while written < bytes.count, failure == 0 {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + written, bytes.count - written) }
            if count >= 0 { written += count } else if errno != EINTR { failure = errno }
        }
        if failure == 0, fsync(descriptor) != 0 { failure = errno }
        close(descriptor)
        if failure == 0, rename(temporary, path) != 0 { failure = errno }
        if failure != 0 {
            unlink(temporary)
            throw SessionStoreError(path: path, problem: .system(failure))
        }
    }

    /// Opens the directory, made with its parents if need be, and locks it against other processes of this program until
    /// the returned descriptor is closed.
    func lockedDirectory() throws(SessionStoreError) -> Int32 {
        try makeDirectories()
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw SessionStoreError(path: directory, problem: .system(errno)) }
        do throws(SessionStoreError) {
            try checkPrivate(descriptor, directory, kind: S_IFDIR)
        } catch {
            close(descriptor)
            throw error
        }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                let failure = errno
                close(descriptor)
                throw SessionStoreError(path: directory, problem: .system(failure))
            }
        }
        return descriptor
    }

    /// Makes every missing directory on the way, each 0700.
    private func makeDirectories() throws(SessionStoreError) {
        var path = ""
        for name in directory.split(separator: "/") {
            path += "/" + name
            guard mkdir(path, 0o700) == 0 || errno == EEXIST || access(path, F_OK) == 0 else {
                throw SessionStoreError(path: path, problem: .system(errno))
            }
        }
    }

    private func checkPrivate(_ descriptor: Int32, _ path: String, kind: mode_t) throws(SessionStoreError) {
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { throw SessionStoreError(path: path, problem: .system(errno)) }
        guard information.st_mode & S_IFMT == kind else { throw SessionStoreError(path: path, problem: .notAFile) }
        guard information.st_uid == owner else {
            throw SessionStoreError(path: path, problem: .foreignOwner(information.st_uid))
        }
        guard information.st_mode & 0o077 == 0 else {
            throw SessionStoreError(path: path, problem: .openToOthers(mode: information.st_mode & 0o777))
        }
    }

    private func readAll(_ descriptor: Int32, _ path: String) throws(SessionStoreError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count > 0 {
                bytes += chunk[..<count]
            } else if errno != EINTR {
                throw SessionStoreError(path: path, problem: .system(errno))
            }
        }
    }
}
