import CLinuxSockets
import Glibc
import TestHarness
import Testing

@testable import SocketTransport

/// Sockets made by another process: which are taken, which are refused, and what stays with their holder.
@Suite struct InheritedSocketTests {
    /// A socket like a service manager's: bound, listening, blocking and not close-on-exec.
    private final class Holder {
        let directory = TestDirectory()
        let descriptor: Int32
        var path: String { directory.socketPath }

        init(type: __socket_type = SOCK_STREAM, listening: Bool = true) throws {
            descriptor = socket(AF_UNIX, Int32(type.rawValue), 0)
            #expect(try withSocketAddress(directory.socketPath) { Glibc.bind(descriptor, $0, $1) } == 0)
            if listening { #expect(listen(descriptor, 16) == 0) }
        }

        deinit { close(descriptor) }

        /// Another descriptor of the same socket, like that of a child.
        func copy() -> Int32 { dup(descriptor) }
    }

    private func refusal(_ descriptor: Int32) -> SocketError? {
        do throws(SocketError) {
            try ListeningSocket(inherited: descriptor).close()
            return nil
        } catch {
            return error
        }
    }

    private func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// Whether connecting to a path works, which shows that somebody holds a socket there.
    private func connects(_ path: String) throws -> Bool {
        let descriptor = try makeSocket()
        defer { close(descriptor) }
        return try withSocketAddress(path) { connect(descriptor, $0, $1) } == 0
    }

    @Test("a listening socket is taken over: its path is the kernel's word, it is closed on exec and does not block")
    func takenOver() throws {
        let holder = try Holder()
        let socket = try ListeningSocket(inherited: holder.copy())
        #expect(socket.path == holder.path)
        #expect(socket.isInherited)
        #expect(fcntl(socket.descriptor, F_GETFD) & FD_CLOEXEC != 0)
        #expect(fcntl(socket.descriptor, F_GETFL) & O_NONBLOCK != 0)
        #expect(!exists(holder.path + ".lock"))
        socket.close()
    }

    @Test("closing leaves the file, and the socket to its holder; the next process is handed who connected in between")
    func closedForUsOnly() throws {
        let holder = try Holder()
        let first = try ListeningSocket(inherited: holder.copy())
        first.close()
        // Another test may have got the same descriptor number by now.
        #expect(inode(first.descriptor) != inode(holder.descriptor))
        #expect(exists(holder.path))
        #expect(try connects(holder.path))
        let second = try ListeningSocket(inherited: holder.copy())
        let waiting = accept4(second.descriptor, nil, nil, 0)
        #expect(waiting >= 0)
        close(waiting)
        second.close()
    }

    @Test("a path by another name is the same socket, another socket is not")
    func samePath() throws {
        let (holder, other) = (try Holder(), try Holder())
        let socket = try ListeningSocket(inherited: holder.copy())
        symlink(holder.path, holder.path + "-link")
        #expect(socket.isServed(at: holder.path))
        #expect(socket.isServed(at: holder.directory.path + "/./s"))
        #expect(socket.isServed(at: holder.path + "-link"))
        #expect(!socket.isServed(at: other.path))
        #expect(!socket.isServed(at: holder.path + "-nothing"))
        socket.close()
    }

    @Test("what cannot be served is refused with its reason, and left open")
    func refused() throws {
        let directory = TestDirectory()
        let file = open(directory.path + "/file", O_CREAT | O_RDWR, 0o600)
        let network = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let silent = try Holder(listening: false)
        let packets = try Holder(type: SOCK_SEQPACKET)
        let datagrams = try Holder(type: SOCK_DGRAM, listening: false)
        var pair: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        let cases: [(Int32, String)] = [
            (file, "it is not a socket"), (network, "it is not a Unix stream socket"),
            (packets.descriptor, "it is not a Unix stream socket"), (datagrams.descriptor, "it is not a Unix stream socket"),
            (silent.descriptor, "it is not listening"), (pair[0], "it is not listening"),
        ]
        for (descriptor, reason) in cases {
            #expect(refusal(descriptor)?.kind == .wrongDescriptor(descriptor))
            #expect(refusal(descriptor)?.description == "descriptor \(descriptor) cannot be served: \(reason)")
            #expect(fcntl(descriptor, F_GETFD) == 0, "left as it was")
        }
        for descriptor in [file, network] + pair { close(descriptor) }
        #expect(refusal(1 << 20)?.description.contains("not open") == true)
    }

    @Test("an abstract socket, which no file's permissions guard, is refused")
    func abstract() throws {
        let descriptor = try makeSocket()
        defer { close(descriptor) }
        // If an address has only the family, the kernel chooses an abstract address (unix(7), autobind).
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sa_family_t>.size))
            }
        }
        #expect(bound == 0 && listen(descriptor, 1) == 0)
        #expect(refusal(descriptor)?.description.contains("bound to no path") == true)
    }

    @Test("a listener that closes is out of the epoll set, although the holder's queue has clients in it")
    func leavesTheEpollSet() async throws {
        let holder = try Holder()
        let socket = try ListeningSocket(inherited: holder.copy())
        let loop = try EventLoop(label: "test")
        let held = try #require(inode(holder.descriptor))
        let (before, after) = await withCheckedContinuation { (continuation: CheckedContinuation<(Bool, Bool), Never>) in
            loop.execute {
                let listener = Listener(socket, loop: loop) { accepted in
                    accepted.refuse()
                    return false
                }
                let before = isWatched(held, by: loop)
                listener.close()
                continuation.resume(returning: (before, isWatched(held, by: loop)))
            }
        }
        #expect(before)
        #expect(!after)
        #expect(try connects(holder.path))
        await loop.stop()
    }
}

/// The variables of sd_listen_fds(3). Serialized, because they belong to the process.
@Suite(.serialized) struct SocketActivationTests {
    private func error(_ environment: [String: String]) -> SocketError? {
        do throws(SocketError) {
            #expect(try ListeningSocket.handedOver(environment: environment) == nil)
            return nil
        } catch {
            return error
        }
    }

    @Test("no variables, another process's and none handed over: nothing is taken")
    func nothing() {
        #expect(error([:]) == nil)
        #expect(error(["LISTEN_FDS": "1"]) == nil)
        #expect(error(["LISTEN_FDS": "1", "LISTEN_PID": "1"]) == nil)
        #expect(error(["LISTEN_FDS": "0", "LISTEN_PID": "\(getpid())"]) == nil)
        #expect(error(["LISTEN_PID": "\(getpid())"]) == nil)
    }

    @Test("more than one socket, and a count that is no number, are refused", arguments: ["2", "64", "one", "-1", ""])
    func wrongCount(_ count: String) {
        guard case .wrongDescriptor = error(["LISTEN_FDS": count, "LISTEN_PID": "\(getpid())"])?.kind else {
            Issue.record("\(count) was taken")
            return
        }
    }

    @Test("each socket goes by its name; whatever is not named remote is for local clients")
    func names() throws {
        let both = try HandedOverSockets.descriptors(names: ["remote", "pulseboardd.socket"])
        #expect(both.local == 4 && both.remote == 3)
        let unnamed = try HandedOverSockets.descriptors(names: [""])
        #expect(unnamed.local == 3 && unnamed.remote == nil)
        let alone = try HandedOverSockets.descriptors(names: ["remote"])
        #expect(alone.local == nil && alone.remote == 3)
    }

    @Test(
        "two sockets for the same are refused, and so are names that are not one for each",
        arguments: ["remote:remote", "a:b", "remote", "remote:a:b", ":"])
    func wrongNames(_ names: String) {
        guard case .wrongDescriptor = error(["LISTEN_FDS": "2", "LISTEN_PID": "\(getpid())", "LISTEN_FDNAMES": names])?.kind else {
            Issue.record("\(names) was taken")
            return
        }
    }

    @Test("children do not inherit the variables, whomever they were for")
    func unset() async {
        // In a separate process, so that no other test reads the variables meanwhile.
        await #expect(processExitsWith: .success) {
            for pid in ["1", "\(getpid())"] {
                setenv("LISTEN_PID", pid, 1)
                setenv("LISTEN_FDS", "0", 1)
                setenv("LISTEN_FDNAMES", "", 1)
                #expect(SocketActivationTests().error(["LISTEN_FDS": "0", "LISTEN_PID": pid]) == nil)
                for variable in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { #expect(getenv(variable) == nil) }
            }
        }
    }
}

/// A socket's unique inode; `nil` if the descriptor is not a socket.
private func inode(_ descriptor: Int32) -> UInt? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status.st_ino : nil
}

/// Whether an epoll set of this process watches the file with this inode (proc(5), fdinfo).
private func isWatched(_ inode: UInt, by loop: EventLoop) -> Bool {
    let wanted = "ino:" + String(inode, radix: 16) + " "
    guard let file = fopen("/proc/self/fdinfo/\(loop.epoll)", "r") else { return false }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 512)
    while fgets(&line, Int32(line.count), file) != nil {
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if text.hasPrefix("tfd:"), text.contains(wanted) { return true }
    }
    return false
}
