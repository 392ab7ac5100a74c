import RPCClient
import RPCCore
import SocketTransport
import TestHarness
import Testing

/// Requests of a channel whose server takes nothing: a listener that accepts connections and reads none.
@Suite struct UnsentRequestTests {
    /// Its limit, bytes.
    private static let limit = 256 << 10
    private static let messageByteCount = 64 << 10

    @Test("requests whose calls have ended at their deadlines wait up to a limit; then calls are refused at once")
    func expired() async throws {
        let directory = TestDirectory()
        let socket = try ListeningSocket(path: directory.socketPath)
        var configuration = channelConfiguration(directory.socketPath, .ttrpc)
        configuration.maximumUnsentByteCount = Self.limit
        let channel = try Channel(configuration)
        var end: StatusCode?
        // The socket takes some of them. On a busy machine a deadline may pass before its call is sent.
        for _ in 0..<1_000 where end != .resourceExhausted {
            let options = CallOptions(timeout: .milliseconds(2))
            end = await code { try await channel.unary(TestMethods.echoBytes, bytes(Self.messageByteCount), options: options) }
        }
        #expect(end == .resourceExhausted)
        await channel.close()
        socket.close()
    }
}
