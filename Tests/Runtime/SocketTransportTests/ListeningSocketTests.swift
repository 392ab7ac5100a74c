import CLinuxSockets
import Glibc
import TestHarness
import Testing

@testable import SocketTransport

/// Which process may use a socket's path, and what happens to existing files.
@Suite(.timeLimit(.minutes(2))) struct ListeningSocketTests {
    private static func mode(_ path: String) -> UInt32 {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : .max
    }

    private func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// A socket bound by another program, which does not use the lock.
    private func foreign(_ path: String, type: __socket_type, listening: Bool) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #expect(try withSocketAddress(path) { Glibc.bind(descriptor, $0, $1) } == 0)
        if listening { #expect(listen(descriptor, 1) == 0) }
        return descriptor
    }

    private func failure(_ path: String) -> SocketError? {
        do throws(SocketError) {
            try ListeningSocket(path: path).close()
            return nil
        } catch {
            return error
        }
    }

    /// Waits until nobody holds the closed socket: a child that another test starts has a copy of every descriptor until it
    /// executes its program.
    private func becomesFree(_ path: String) async {
        while true {
            let failure = failure(path)
            guard case .addressInUse = failure?.kind, !Task.isCancelled else {
                #expect(failure == nil)
                return
            }
            await Task.yield()
        }
    }

    @Test("a missing directory is made for its owner alone, its parents as usual")
    func directoryIsMade() throws {
        let directory = TestDirectory()
        let path = directory.path + "/a/b/s"
        let socket = try ListeningSocket(path: path)
        #expect(Self.mode(directory.path + "/a/b") == 0o700)
        #expect(Self.mode(path) == 0o600)
        socket.close()
        #expect(!exists(path))
        unlink(path + ".lock")
        rmdir(directory.path + "/a/b")
        rmdir(directory.path + "/a")
    }

    @Test("the socket file has its mode from its first instant, before any chmod, even under umask 0")
    func modeFromTheFirstInstant() async {
        // In a separate process, because the umask belongs to the process and other tests make directories.
        await #expect(processExitsWith: .success) {
            let directory = TestDirectory()
            umask(0)
            for wanted: UInt32 in [0o600, 0o660, 0o666] {
                let path = directory.path + "/\(wanted)"
                let descriptor = try makeSocket()
                #expect(try ListeningSocket.bindOnly(descriptor, path, wanted) == 0)
                #expect(ListeningSocketTests.mode(path) == wanted)
                close(descriptor)
            }
        }
    }

    @Test("a widened mode holds whatever the umask takes away")
    func widenedMode() throws {
        let directory = TestDirectory()
        let socket = try ListeningSocket(path: directory.socketPath, mode: 0o666)
        #expect(Self.mode(directory.socketPath) == 0o666)
        #expect(Self.mode(directory.socketPath + ".lock") & 0o077 == 0)
        socket.close()
    }

    @Test("a stale socket, left by a server that was killed, is replaced")
    func staleSocket() async throws {
        let directory = TestDirectory()
        close(try foreign(directory.socketPath, type: SOCK_STREAM, listening: true))
        #expect(exists(directory.socketPath))
        await becomesFree(directory.socketPath)
    }

    @Test(
        "in a sticky directory somebody else's lock is refused by its owner's name, whoever holds it and whatever it says",
        .enabled(if: getuid() == 0, "needs root, to be somebody else"))
    func plantedLock() throws {
        let directory = TestDirectory()
        #expect(chmod(directory.path, 0o1777) == 0)
        let lockPath = directory.socketPath + ".lock"
        let planted = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        #expect(write(planted, "1\n", 2) == 2 && fchown(planted, 4711, 4711) == 0 && flock(planted, LOCK_EX) == 0)
        let error = failure(directory.socketPath)
        #expect(error?.kind == .unsafePath)
        #expect(error?.description.contains("\(lockPath) belongs to uid 4711") == true, "\(String(describing: error))")
        #expect(!exists(directory.socketPath))
        // Nothing was written to it, so that nobody can make this program overwrite a file.
        var bytes = [UInt8](repeating: 0, count: 16)
        #expect(pread(planted, &bytes, bytes.count, 0) == 2)
        close(planted)
        unlink(lockPath)
        #expect(failure(directory.socketPath) == nil)
    }

    @Test("a lock that is no regular file is refused and left alone")
    func oddLock() {
        let directory = TestDirectory()
        let lockPath = directory.socketPath + ".lock"
        #expect(mkfifo(lockPath, 0o600) == 0)
        #expect(failure(directory.socketPath)?.kind == .unsafePath)
        #expect(exists(lockPath) && !exists(directory.socketPath))
    }

    @Test("a live server of ours is not robbed: the second start names its process")
    func liveServer() throws {
        let directory = TestDirectory()
        let socket = try ListeningSocket(path: directory.socketPath)
        let error = failure(directory.socketPath)
        #expect(error?.kind == .addressInUse(holder: getpid()))
        #expect(error?.description.contains("\(getpid())") == true)
        #expect(exists(directory.socketPath))
        socket.close()
        #expect(failure(directory.socketPath) == nil)
    }

    @Test("a live server that does not know our lock is not robbed either, whatever type its socket is", arguments: [1, 2, 5])
    func foreignServer(_ type: UInt32) async throws {
        let directory = TestDirectory()
        // SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET
        let foreign = try foreign(directory.socketPath, type: __socket_type(type), listening: type != 2)
        guard case .addressInUse = failure(directory.socketPath)?.kind else {
            Issue.record("\(String(describing: failure(directory.socketPath)))")
            return
        }
        #expect(exists(directory.socketPath))
        // The attempt does not hold the lock either, not even by a copy of the descriptor.
        let lock = open(directory.socketPath + ".lock", O_RDWR | O_CLOEXEC)
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        flock(lock, LOCK_UN)
        close(lock)
        close(foreign)
        await becomesFree(directory.socketPath)
    }

    @Test("a foreign server whose queue is full is alive too")
    func foreignServerWithFullQueue() throws {
        let directory = TestDirectory()
        let server = try foreign(directory.socketPath, type: SOCK_STREAM, listening: true)
        var clients: [Int32] = []
        repeat { clients.append(try makeSocket()) } while try withSocketAddress(directory.socketPath) {
            connect(clients[clients.count - 1], $0, $1)
        } == 0
        guard case .addressInUse = failure(directory.socketPath)?.kind else { Issue.record("robbed"); return }
        for descriptor in clients + [server] { close(descriptor) }
    }

    @Test("what is not a socket is refused and left alone")
    func notASocket() throws {
        let directory = TestDirectory()
        let path = directory.socketPath
        close(open(path, O_CREAT | O_WRONLY, 0o600))
        #expect(failure(path)?.kind == .unsafePath)
        #expect(exists(path))
        unlink(path)
        mkdir(path, 0o700)
        #expect(failure(path)?.kind == .unsafePath)
        rmdir(path)
        symlink("/nowhere", path)
        #expect(failure(path)?.kind == .unsafePath)
        #expect(exists(path))
    }

    @Test("a path over 107 bytes, none, or one that ends with a slash is refused before anything is made")
    func overlongPath() throws {
        let directory = TestDirectory()
        let name = String(repeating: "n", count: 108 - directory.path.utf8.count - 1)
        let path = directory.path + "/" + name
        #expect(path.utf8.count == 108)
        #expect(failure(path)?.kind == .pathTooLong)
        #expect(!exists(path + ".lock"))
        #expect(failure("")?.kind == .pathTooLong)
        #expect(failure(directory.path + "/")?.kind == .unsafePath)
        #expect(!exists(directory.path + "/.lock"))
        #expect(failure(String(path.dropLast())) == nil)
        unlink(String(path.dropLast()) + ".lock")
    }

    @Test("a directory in which others may write is refused, unless it is sticky")
    func unsafeDirectory() throws {
        let directory = TestDirectory()
        for (mode, isSafe): (mode_t, Bool) in [(0o777, false), (0o770, false), (0o1777, true), (0o755, true)] {
            chmod(directory.path, mode)
            #expect(failure(directory.socketPath)?.kind == (isSafe ? nil : .unsafePath))
        }
        chmod(directory.path, 0o700)
    }

    @Test("a directory, or a link to one, that belongs to somebody else is refused", .enabled(if: getuid() == 0))
    func foreignDirectory() throws {
        let directory = TestDirectory()
        let other = TestDirectory()
        let link = directory.path + "/link"
        symlink(other.path, link)
        #expect(failure(link + "/s") == nil)
        #expect(lchown(link, 4711, 4711) == 0)
        #expect(failure(link + "/s")?.kind == .unsafePath)
        #expect(chown(other.path, 4711, 4711) == 0)
        #expect(failure(other.socketPath)?.kind == .unsafePath)
    }

    @Test("closing removes the socket file only while it is ours")
    func unlinkOnlyOurs() throws {
        let directory = TestDirectory()
        let socket = try ListeningSocket(path: directory.socketPath)
        unlink(directory.socketPath)
        let other = try foreign(directory.socketPath, type: SOCK_STREAM, listening: true)
        socket.close()
        #expect(exists(directory.socketPath))
        close(other)
    }
}
