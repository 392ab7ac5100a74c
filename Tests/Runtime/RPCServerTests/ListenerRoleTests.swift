import Glibc
import RPCClient
import RPCCore
import RPCServer
import SocketTransport
import TestHarness
import Testing

/// Which origin of calls a listener's role permits.
@Suite struct ListenerRoleTests {
    /// Runs `body` with a server with two sockets, which answers with the origin of a call.
    private func withTwoSockets(
        limits: ServerLimits = ServerLimits(), _ body: (_ local: String, _ remote: String) async throws -> Void
    ) async throws {
        let other = TestDirectory()
        try await withServer(limits: limits) { router in
            router.registerSynchronous(TestMethods.echo) { _, context in
                switch context.origin {
                case .local(let peer): text("local \(peer.uid) \(context.peer == peer)")
                case .remote: text("remote \(context.peer == nil)")
                case .inProcess, .unmapped: text("elsewhere")
                }
            }
        } _: { server in
            server.server.start(on: try ListeningSocket(path: other.socketPath), as: .remote)
            try await body(server.path, other.socketPath)
        }
    }

    @Test("the peer of a listener for a gateway is nobody, and of the other who connected", arguments: WireProtocol.allCases)
    func origin(_ wireProtocol: WireProtocol) async throws {
        try await withTwoSockets { local, remote in
            for (path, expected) in [(local, "local \(getuid()) true"), (remote, "remote true")] {
                try await withChannel(to: path, wireProtocol) { channel in
                    let answer = try await channel.call(TestMethods.echo, "")
                    #expect(answer == expected)
                }
            }
        }
    }

    @Test("the gateway's connections count for its listener, and not for the uid that it has")
    func counting() async throws {
        var limits = ServerLimits()
        limits.maximumConnectionsPerUID = 1
        limits.maximumConnectionsPerGateway = 2
        try await withTwoSockets(limits: limits) { local, remote in
            let request = RawFrame.request(1, "Echo").bytes
            let peers = [try RawPeer(local), try RawPeer(remote), try RawPeer(remote)]
            for peer in peers {
                await peer.send(request)
                #expect(await peer.readFrame()?.statusCode == 0)
            }
            for path in [local, remote] {
                let another = try RawPeer(path)
                #expect(await another.readFrame() == nil)
            }
            withExtendedLifetime(peers) {}
        }
    }
}
