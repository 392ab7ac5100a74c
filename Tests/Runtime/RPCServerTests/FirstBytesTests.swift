import RPCCore
import RPCServer
import Testing

/// The first bytes of a connection show the client's protocol.
@Suite struct FirstBytesTests {
    private func withEcho(_ body: (TestServer) async throws -> Void) async throws {
        try await withServer(register: { $0.registerSynchronous(TestMethods.echo) { request, _ in request } }, body)
    }

    @Test("clients of other protocols that begin like a long ttrpc frame are sent away at once", arguments: [
        // PostgreSQL: a request for TLS, and a start.
        [[0, 0, 0, 8, 0x04, 0xD2, 0x16, 0x2F]], [[0, 0, 0, 41, 0, 3, 0, 0] + Array("user".utf8)],
        // D-Bus sends its first byte separately.
        [[0], Array("AUTH EXTERNAL 30\r\n".utf8)],
        // SMB.
        [[0, 0, 0, 0x85, 0xFF] + Array("SMB".utf8) + [0x72, 0]],
    ] as [[[UInt8]]])
    func foreign(_ pieces: [[UInt8]]) async throws {
        try await withEcho { server in
            let peer = try RawPeer(server.path)
            for piece in pieces { await peer.send(piece) }
            #expect(await peer.read(1) == [])
        }
    }

    @Test("a first request that comes in two pieces is answered, wherever it is cut", arguments: 1...12)
    func pieces(_ count: Int) async throws {
        try await withEcho { server in
            let peer = try RawPeer(server.path)
            let request = RawFrame.request(1, "Echo", text: "x").bytes
            await peer.send(Array(request[..<count]))
            await peer.send(Array(request[count...]))
            #expect(await peer.readFrame() == .response(1, "x"))
        }
    }
}
