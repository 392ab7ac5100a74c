import Glibc
import PulseBoardVocabulary
import SocketTransport
import TestHarness
import Testing

/// Where the server listens by default, and which server a client believes.
@Suite struct PulseBoardSocketTests {
    @Test func defaultPath() {
        #expect(
            PulseBoardSocket.default(environment: ["XDG_RUNTIME_DIR": "/run/user/1000"], uid: 1000)
                == "/run/user/1000/pulseboard/pulseboard.sock")
        #expect(PulseBoardSocket.default(environment: [:], uid: 0) == "/run/pulseboard/pulseboard.sock")
        #expect(PulseBoardSocket.default(environment: [:], uid: 1000) == "/tmp/pulseboard-1000/pulseboard.sock")
        // By the XDG specification, relative and empty paths are ignored.
        #expect(PulseBoardSocket.default(environment: ["XDG_RUNTIME_DIR": "run"], uid: 7) == "/tmp/pulseboard-7/pulseboard.sock")
        #expect(PulseBoardSocket.default(environment: ["XDG_RUNTIME_DIR": ""], uid: 7) == "/tmp/pulseboard-7/pulseboard.sock")
    }

    /// A user of a machine with a service types no path.
    @Test("a client's default is the user's own server, then the machine's")
    func defaultPathForClients() throws {
        let directory = TestDirectory()
        let machine = directory.path + "/machine.sock"
        let runtime = ["XDG_RUNTIME_DIR": directory.path]
        let own = PulseBoardSocket.default(environment: runtime, uid: getuid())
        func path() -> String { PulseBoardSocket.defaultForClients(environment: runtime, uid: getuid(), machine: machine) }
        #expect(path() == own)
        let service = try ListeningSocket(path: machine)
        #expect(path() == machine)
        let server = try ListeningSocket(path: own)
        #expect(path() == own)
        server.close()
        #expect(path() == machine)
        service.close()
    }

    @Test("a socket that somebody else made at a user's default path counts for nothing", .enabled(if: getuid() == 0, "needs root"))
    func foreignDefaultPath() throws {
        let directory = TestDirectory()
        let machine = directory.path + "/machine.sock"
        let runtime = ["XDG_RUNTIME_DIR": directory.path]
        let service = try ListeningSocket(path: machine)
        let other = try ListeningSocket(path: PulseBoardSocket.default(environment: runtime, uid: 1000))
        #expect(lchown(PulseBoardSocket.default(environment: runtime, uid: 1000), 4711, 4711) == 0)
        #expect(PulseBoardSocket.defaultForClients(environment: runtime, uid: 1000, machine: machine) == machine)
        other.close()
        service.close()
    }

    @Test("at the machine's path a client trusts root, itself and the owner of a directory that nobody else may write")
    func trustedServers() {
        let directory = TestDirectory()
        let machine = directory.path + "/pulseboard.sock"
        #expect(PulseBoardSocket.trustedServerUIDs(at: "/tmp/pulseboard-7/pulseboard.sock", uid: 7, machine: machine) == [0, 7])
        #expect(chmod(directory.path, 0o755) == 0)
        #expect(PulseBoardSocket.trustedServerUIDs(at: machine, uid: 7, machine: machine) == [0, 7, getuid()])
        #expect(chmod(directory.path, 0o777) == 0)
        #expect(PulseBoardSocket.trustedServerUIDs(at: machine, uid: 7, machine: machine) == [0, 7])
    }
}
