import ArgumentParser
import Glibc
import Logging
import RPCCore
import RPCServer
import SocketTransport

/// A server for tests with other clients. It serves `grpc.testing.TestService`, which every implementation of gRPC has,
/// `interop.v1.Shapes`, containerd's Task service and the kubelet's device-plugin API in both protocols. On SIGTERM it drains.
@main struct InteropServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "interop-server", abstract: "Serve the services of the interoperability tests on a Unix socket.")

    @Option(help: "The socket's path.") var socket: String

    func run() async throws {
        var router = Shapes.router()
        TestServiceHandler().register(on: &router)
        TaskHandler().register(on: &router)
        RegistrationHandler().register(on: &router)
        DevicePluginHandler().register(on: &router)
        let server = try Server(router: router, logger: Logger(label: "interop", factory: { StreamLogHandler.standardError(label: $0) }))
        try await server.run(socketPath: socket) {
            print("ready")
            // Flushes all streams, so that a process that waits for the line can read it.
            fflush(nil)
        }
    }
}
