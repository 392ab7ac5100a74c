import Dispatch
import RPCCore
import RPCServer
import Testing

/// The first bytes of a connection show the client's protocol.
@Suite(.timeLimit(.minutes(2))) struct FirstBytesTests {
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

    /// Runs `body` while the only loop of a server is blocked, so that it then finds all that a client has sent.
    private func whileLoopIsBlocked(
        _ server: TestServer, _ blocked: Gate, _ unblock: DispatchSemaphore, _ body: () async throws -> Void
    ) async throws {
        let other = try RawPeer(server.path)
        await other.send(RawFrame.request(1, "Echo", text: "block").bytes)
        await blocked.wait()
        try await body()
        unblock.signal()
        #expect(await other.readFrame() == .response(1, "block"))
    }

    @Test("a connection that sends fewer than ten bytes is closed, though an out-of-band byte keeps some of them unread", arguments: [false, true])
    func unreadFirstBytes(_ isDrained: Bool) async throws {
        let blocked = Gate(), unblock = DispatchSemaphore(value: 0)
        try await withServer(
            loopCount: 1,
            register: {
                $0.registerSynchronous(TestMethods.echo) { request, _ in
                    blocked.open()
                    unblock.wait()
                    return request
                }
            }
        ) { server in
            var silent: RawPeer?
            try await whileLoopIsBlocked(server, blocked, unblock) {
                // Not before: the other client may be slow.
                if !isDrained {
                    var limits = ServerLimits()
                    limits.firstByteTimeout = .milliseconds(20)
                    server.server.setLimits(limits)
                }
                let peer = try RawPeer(server.path)
                await peer.send(Array("P".utf8))
                await peer.sendOutOfBand(UInt8(ascii: "R"))
                await peer.send(Array("I".utf8))
                silent = peer
            }
            let peer = try #require(silent)
            if isDrained {
                // Were it kept, the drain would wait for the end of the hour.
                await server.server.shutdown(gracePeriod: .seconds(3_600))
            }
            #expect(await peer.read(1) == [])
        }
    }

    @Test("a first frame with an even id is refused on its id, and the connection goes on", arguments: [0, 2, 1 << 24] as [UInt32])
    func evenID(_ id: UInt32) async throws {
        try await withEcho { server in
            let peer = try RawPeer(server.path)
            await peer.send(RawFrame.request(id, "Echo", text: "x").bytes)
            let refusal = try #require(await peer.readFrame())
            #expect(refusal.streamID == id && refusal.statusCode == 3, "\(refusal)")
            await peer.send(RawFrame.request(1, "Echo", text: "x").bytes)
            #expect(await peer.readFrame() == .response(1, "x"))
        }
    }

    @Test("a first frame of an unknown type is ignored, and one with a high odd id is answered", arguments: [0, 4, 0x7F] as [UInt8])
    func unknownType(_ type: UInt8) async throws {
        try await withEcho { server in
            let peer = try RawPeer(server.path)
            await peer.send([0, 0, 0, 0, 0, 0, 0, 1, type, 0])
            await peer.send(RawFrame.request(1, "Echo", text: "x").bytes)
            #expect(await peer.readFrame() == .response(1, "x"))
            let other = try RawPeer(server.path)
            await other.send(RawFrame.request((1 << 24) + 1, "Echo", text: "y").bytes)
            #expect(await other.readFrame() == .response((1 << 24) + 1, "y"))
        }
    }
}
