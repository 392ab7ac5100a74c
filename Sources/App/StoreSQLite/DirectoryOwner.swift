#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import PulseBoardVocabulary

/// Works in a data directory with the rights of its owner, when root types the command.
///
/// The owner can plant links there at any time. What root opened or changed through them could be anybody's file. The owner's rights are enough for
/// everything in the directory, and the owner's server can open what is made.
package enum DirectoryOwner {
    /// Performs work in a directory. If the caller is root and the directory has another owner, all threads of the process have the owner's rights
    /// meanwhile. So nothing else may run at the same time.
    /// - Throws: ``StoreOpeningError/directoryUnusable(path:detail:)`` if root may not become the owner; what `body` throws.
    package static func perform<Result>(in directory: String, _ body: () throws -> Result) throws -> Result {
        var groups = [gid_t](repeating: 0, count: Int(max(getgroups(0, nil), 0)))
        let count = getgroups(CInt(groups.count), &groups)
        let ownGroup = getegid()
        defer {
            // A process that was root can always be root again.
            if geteuid() != 0, getuid() == 0 {
                _ = seteuid(0)
                _ = setegid(ownGroup)
                _ = setgroups(Int(max(count, 0)), groups)
            }
        }
        try become(in: [directory])
        return try body()
    }

    /// Gives the process the rights of the directories' owner, if the caller is root and they have another owner. A directory that is not there
    /// does not count.
    /// - Throws: ``StoreOpeningError/directoryUnusable(path:detail:)`` if they belong to several users, or if root may not become the owner.
    package static func become(in directories: [String]) throws(StoreOpeningError) {
        guard geteuid() == 0 else { return }
        var owner: (user: uid_t, group: gid_t)?
        for directory in directories {
            var status = stat()
            guard stat(directory, &status) == 0 else { continue }
            guard owner == nil || owner?.user == status.st_uid else {
                let (this, other) = (status.st_uid, owner?.user ?? 0)
                throw .directoryUnusable(
                    path: directory,
                    detail: Phrase("it belongs to uid \(this), and the other one to uid \(other)", "소유자가 uid \(this)인데 다른 쪽은 uid \(other)입니다"))
            }
            owner = (status.st_uid, status.st_gid)
        }
        guard let owner, owner.user != 0 else { return }
        // Root's groups are given up first: the owner may not change them.
        guard setgroups(0, nil) == 0, setegid(owner.group) == 0, seteuid(owner.user) == 0 else {
            throw .directoryUnusable(path: directories.first ?? "", detail: .systemError(errno))
        }
    }
}
