import Glibc
import RPCClient
import RPCCore
import RPCServer
import SocketTransport
import TestHarness
import Testing

/// `Server.run`: a server's whole life in one call.
@Suite struct RunTests {
    private func makeServer() throws -> Server {
        var router = Router()
        router.registerSynchronous(TestMethods.echo) { request, _ in request }
        return try Server(router: router, logger: silentLogger)
    }

    @Test("a signal ends it, and the socket is gone")
    func signal() async throws {
        let directory = TestDirectory()
        // The only test that uses signals, because they affect the whole process.
        try await makeServer().run(socketPath: directory.socketPath) { kill(getpid(), SIGTERM) }
        #expect(access(directory.socketPath, F_OK) != 0)
    }

    @Test("a socket that is taken is refused; the server may run later, until its task is cancelled")
    func cancellation() async throws {
        let directory = TestDirectory()
        let path = directory.socketPath
        let server = try makeServer()
        let holder = try ListeningSocket(path: path)
        await #expect(throws: SocketError.self) { try await server.run(socketPath: path, until: []) }
        holder.close()

        let (ready, isReady) = AsyncStream.makeStream(of: Void.self)
        let running = Task { try await server.run(socketPath: path, until: []) { isReady.yield() } }
        for await _ in ready { break }
        try await withChannel(to: path) { channel in
            let answer = try await channel.call(TestMethods.echo, "x")
            #expect(answer == "x")
        }
        running.cancel()
        try await running.value
        #expect(access(path, F_OK) != 0)

        // A server that has shut down does not serve again, and does not wait for a signal.
        try await server.run(socketPath: path, until: []) { Issue.record("it serves again") }
        #expect(access(path, F_OK) != 0)
    }
}
