import Foundation
import Glibc
import TestPostgreSQL
import Testing

/// A proxy between a store and its PostgreSQL. On demand it cuts a connection instead of passing on a piece of data.
final class CuttingProxy {
    /// The direction of the counted pieces.
    enum Direction: String { case toServer = "up", toClient = "down" }

    let address: String
    private var server: String
    private let folder: URL
    private var process: ChildProgram?
    /// The program ends when this descriptor is closed.
    private var lifeline: Int32?

    /// - Parameter address: the address of a database of ``TestCluster``.
    init(_ address: String) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("px-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let parts = address.split(separator: "=", maxSplits: 1)
        server = String(try #require(parts.last))
        self.address = "\(parts[0])=\(folder.path)"
        try resume()
    }

    /// Ends all connections, and leads new ones to another server, as a moved address does.
    func lead(to folder: String) throws {
        suspend()
        server = folder
        try resume()
    }

    /// Lets connections through.
    func resume() throws {
        let ready = try ChildProgram.pipe(), life = try ChildProgram.pipe()
        defer { for end in [ready.reading, ready.writing, life.reading] { close(end) } }
        lifeline = life.writing
        process = try ChildProgram("python3", ["-c", Self.script, "\(server)/.s.PGSQL.5432", folder.path], input: life.reading, output: ready.writing)
        var byte: UInt8 = 0
        while read(ready.reading, &byte, 1) < 0, errno == EINTR {}
    }

    /// Ends all connections, and accepts no new ones.
    func suspend() {
        process?.kill()
        process = nil
        if let lifeline { close(lifeline) }
        lifeline = nil
    }

    /// Forwards nothing and closes nothing: connections are accepted and never answered.
    func freeze() { if let process { kill(process.pid, SIGSTOP) } }

    func thaw() { if let process { kill(process.pid, SIGCONT) } }

    /// Drops the piece with this number, counted from now on over all connections, and ends its connection in both directions.
    func cut(_ number: Int, _ direction: Direction) throws {
        try Data("\(direction.rawValue) \(number)".utf8).write(to: folder.appendingPathComponent("cut"), options: .atomic)
    }

    /// Whether the piece has come.
    var hasCut: Bool { !FileManager.default.fileExists(atPath: folder.appendingPathComponent("cut").path) }

    func end() throws {
        suspend()
        try FileManager.default.removeItem(at: folder)
    }

    private static let script = """
        import os, selectors, socket, sys
        target, folder = sys.argv[1:]
        order = folder + '/cut'
        path = folder + '/.s.PGSQL.5432'
        if os.path.exists(path): os.remove(path)
        listener = socket.socket(socket.AF_UNIX); listener.bind(path); listener.listen(64)
        loop = selectors.DefaultSelector()
        loop.register(listener, selectors.EVENT_READ); loop.register(sys.stdin, selectors.EVENT_READ)
        os.write(1, b'.')
        known, seen = None, 0
        while True:
            for key, _ in loop.select():
                if key.fileobj is sys.stdin: sys.exit()
                if key.fileobj is listener:
                    client = listener.accept()[0]; server = socket.socket(socket.AF_UNIX); server.connect(target)
                    loop.register(client, selectors.EVENT_READ, (client, server, 'up'))
                    loop.register(server, selectors.EVENT_READ, (server, client, 'down'))
                    continue
                here, there, way = key.data
                if here.fileno() < 0: continue
                try: piece = here.recv(1 << 16)
                except OSError: piece = b''
                text = open(order).read() if os.path.exists(order) else None
                if text != known: known, seen = text, 0
                if piece and text and text.split()[0] == way:
                    seen += 1
                    if seen == int(text.split()[1]): piece = b''; os.remove(order); known = None
                try:
                    if piece: there.sendall(piece); continue
                except OSError: pass
                for end in (here, there): loop.unregister(end); end.close()
        """
}
