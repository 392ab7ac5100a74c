import Foundation
import Testing

@testable import PulseBoardCLI

@Suite struct SessionStoreTests {
    private let directory: TemporaryDirectory
    private let store: SessionStore
    private let socket = "/run/pulseboard/pulseboard.sock"

    init() throws {
        directory = try TemporaryDirectory()
        store = SessionStore(directory: directory.path + "/state/pulseboard/sessions", owner: geteuid())
    }

    private func session(_ account: String, token: String = "t") -> SavedSession {
        SavedSession(account: account, token: token, userID: "u-" + account, sessionID: "s-" + account, expireTime: 5)
    }

    private func mode(_ path: String) throws -> mode_t {
        var information = stat()
        try #require(lstat(path, &information) == 0)
        return information.st_mode & 0o777
    }

    @Test("A saved session is read back; the file is 0600 and its directory 0700")
    func modes() throws {
        try store.update(forSocket: socket) { $0.add(session("", token: "secret")) }
        #expect(try store.sessions(forSocket: socket).session(for: nil)?.token == "secret")
        #expect(try mode(store.path(forSocket: socket)) == 0o600)
        #expect(try mode(store.directory) == 0o700)
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.directory).count == 1, "no leftovers")
    }

    @Test("Without a file nobody is signed in, and reading makes none")
    func absent() throws {
        #expect(try store.sessions(forSocket: socket).sessions.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: store.directory))
    }

    @Test("A file that others may read or write is refused", arguments: [0o640, 0o604, 0o620, 0o666, 0o601] as [mode_t])
    func openToOthers(_ bits: mode_t) throws {
        try store.update(forSocket: socket) { $0.add(session("")) }
        let path = store.path(forSocket: socket)
        try #require(chmod(path, bits) == 0)
        #expect(throws: SessionStoreError(path: path, problem: .openToOthers(mode: bits))) {
            try store.sessions(forSocket: socket)
        }
    }

    @Test("A directory that others may enter is refused before anything is written")
    func openDirectory() throws {
        try FileManager.default.createDirectory(atPath: store.directory, withIntermediateDirectories: true)
        try #require(chmod(store.directory, 0o755) == 0)
        #expect(throws: SessionStoreError(path: store.directory, problem: .openToOthers(mode: 0o755))) {
            try store.update(forSocket: socket) { $0.add(session("")) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.directory).isEmpty)
    }

    @Test("Somebody else's file is refused")
    func foreignOwner() throws {
        try store.update(forSocket: socket) { $0.add(session("")) }
        let stranger = SessionStore(directory: store.directory, owner: geteuid() + 1)
        #expect(throws: SessionStoreError(path: store.path(forSocket: socket), problem: .foreignOwner(geteuid()))) {
            try stranger.sessions(forSocket: socket)
        }
    }

    @Test("A link is not followed")
    func link() throws {
        try store.update(forSocket: socket) { $0.add(session("")) }
        let path = store.path(forSocket: socket)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".real")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".real")
        #expect(throws: SessionStoreError(path: path, problem: .notAFile)) { try store.sessions(forSocket: socket) }
    }

    @Test("Damage and another socket's sessions are errors, not empty lists")
    func damage() throws {
        try store.update(forSocket: socket) { $0.add(session("")) }
        let path = store.path(forSocket: socket)
        try FileManager.default.copyItem(atPath: path, toPath: store.path(forSocket: "/other.sock"))
        #expect(throws: SessionStoreError(path: store.path(forSocket: "/other.sock"), problem: .damaged)) {
            try store.sessions(forSocket: "/other.sock")
        }
        try Data("{".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: SessionStoreError(path: path, problem: .damaged)) { try store.sessions(forSocket: socket) }
    }

    @Test("A run that was killed while writing leaves no obstacle")
    func leftover() throws {
        try store.update(forSocket: socket) { $0.add(session("")) }
        try Data("half".utf8).write(to: URL(fileURLWithPath: store.path(forSocket: socket) + ".new"))
        try store.update(forSocket: socket) { $0.add(session("alice")) }
        #expect(try store.sessions(forSocket: socket).sessions.map(\.account) == ["", "alice"])
        #expect(try mode(store.path(forSocket: socket)) == 0o600)
    }

    @Test("The last session's end removes the file")
    func lastOne() throws {
        try store.update(forSocket: socket) { $0.add(session("")) }
        try store.update(forSocket: socket) { $0.removeAll { _ in true } }
        #expect(!FileManager.default.fileExists(atPath: store.path(forSocket: socket)))
    }

    @Test("Processes that sign in at once lose nobody's session")
    func concurrent() async throws {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                group.addTask { [store, socket] in
                    let session = SavedSession(account: "a\(number)", token: "t", userID: "u", sessionID: "s")
                    #expect(throws: Never.self) { try store.update(forSocket: socket) { $0.add(session) } }
                }
            }
        }
        #expect(Set(try store.sessions(forSocket: socket).sessions.map(\.account)).count == 16)
    }

    @Test("File names are safe and tell sockets apart, long ones too")
    func fileNames() {
        #expect(SessionStore.fileName(forSocket: "/run/a b.sock") == "%2frun%2fa%20b.sock.json")
        let long = "/" + String(repeating: "하", count: 35)
        let names = [long + "a", long + "b"].map(SessionStore.fileName(forSocket:))
        #expect(names[0] != names[1])
        #expect(names.allSatisfy { $0.utf8.count <= 255 && !$0.contains("/") })
    }

    @Test("A relative XDG_STATE_HOME is ignored")
    func stateHome() {
        let home = ["HOME": "/home/a", "XDG_STATE_HOME": "relative"]
        #expect(SessionStore(variables: home, owner: 0).directory == "/home/a/.local/state/pulseboard/sessions")
        let absolute = ["HOME": "/home/a", "XDG_STATE_HOME": "/s"]
        #expect(SessionStore(variables: absolute, owner: 0).directory == "/s/pulseboard/sessions")
    }
}

@Suite struct SavedSessionsTests {
    private func session(_ account: String, token: String = "t") -> SavedSession {
        SavedSession(account: account, token: token, userID: "u", sessionID: "s-" + account)
    }

    @Test("The last sign-in is the current account; others stay reachable by name")
    func current() {
        var saved = SavedSessions(socket: "/s")
        saved.add(session(""))
        saved.add(session("alice"))
        #expect(saved.session(for: nil)?.account == "alice")
        #expect(saved.session(for: "")?.account == "")
        #expect(saved.session(for: "bob") == nil)
        saved.add(session("", token: "new"))
        #expect(saved.session(for: nil)?.token == "new")
        #expect(saved.sessions.count == 2)
    }

    @Test("When the current session goes, the Unix user's takes over, and never another one that nobody has chosen")
    func removal() {
        var saved = SavedSessions(socket: "/s")
        for account in ["a", "b", "c"] { saved.add(session(account)) }
        saved.removeAll { $0.account == "a" }
        #expect(saved.session(for: nil)?.account == "c")
        saved.removeAll { $0.account == "c" }
        #expect(saved.session(for: nil) == nil, "nobody has chosen b")
        saved.add(session(""))
        saved.makeCurrent("b")
        saved.removeAll { $0.account == "b" }
        #expect(saved.session(for: nil)?.account == "")
    }

    @Test("People of one identity provider have names of their own")
    func peopleOfProvider() {
        var saved = SavedSessions(socket: "/s")
        for user in ["minji", "jun", "minji", "sora"] {
            var session = session(saved.name(of: user, with: "example"))
            session.userID = user
            session.isFromIDToken = true
            saved.add(session)
        }
        #expect(saved.sessions.map(\.account) == ["example-2", "example", "example-3"])
        #expect(saved.sessions.map(\.userID) == ["jun", "minji", "sora"])
        // Nobody gets the name that another one had.
        saved.removeAll { $0.userID == "minji" }
        #expect(saved.name(of: "jun", with: "example") == "example-2")
        #expect(saved.name(of: "hana", with: "example") == "example")
    }

    @Test("A run that must not become another account's leaves nobody current")
    func noFallBack() {
        var saved = SavedSessions(socket: "/s")
        for account in ["", "a"] { saved.add(session(account)) }
        saved.removeAll(mayFallBack: false) { $0.account == "a" }
        #expect(saved.session(for: nil) == nil && saved.session(for: "") != nil)
    }
}
