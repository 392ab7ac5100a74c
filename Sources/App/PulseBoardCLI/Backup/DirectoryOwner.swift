#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import StoreSQLite

/// Works in a data directory with the rights of its owner, when root types the command.
///
/// The owner can plant links there at any time. What root opened or changed through them could be anybody's file. The owner's rights are enough for
/// everything in the directory, and the owner's server can open what is made.
enum DirectoryOwner {
    /// Performs work in a directory. If the caller is root and the directory has another owner, all threads of the process have the owner's rights
    /// meanwhile. So nothing else may run at the same time.
    /// - Throws: ``StoreOpeningError/directoryUnusable(path:detail:)`` if root may not become the owner; what `body` throws.
    static func perform<Result>(in directory: String, _ body: () throws -> Result) throws -> Result {
        var status = stat()
        guard geteuid() == 0, stat(directory, &status) == 0, status.st_uid != 0 else { return try body() }
        var groups = [gid_t](repeating: 0, count: Int(max(getgroups(0, nil), 0)))
        let count = getgroups(CInt(groups.count), &groups)
        let ownGroup = getegid()
        defer {
            // A process that was root can always be root again.
            _ = seteuid(0)
            _ = setegid(ownGroup)
            _ = setgroups(Int(max(count, 0)), groups)
        }
        // Root's groups are given up first: the owner may not change them.
        guard setgroups(0, nil) == 0, setegid(status.st_gid) == 0, seteuid(status.st_uid) == 0 else {
            throw StoreOpeningError.directoryUnusable(path: directory, detail: String(cString: strerror(errno)))
        }
        return try body()
    }
}
