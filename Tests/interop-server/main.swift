import Glibc
import Logging
import ProtobufWellKnownTypes
import RPCCore
import RPCServer
import SocketTransport

// A server for the tests with clients that others wrote: `interop-server SOCKET`. It serves `interop.v1.Shapes` until SIGTERM, then drains.
guard CommandLine.arguments.count == 2 else {
    print("usage: interop-server SOCKET")
    exit(64)
}
let server = try Server(
    router: Shapes.router(), logger: Logger(label: "interop", factory: { StreamLogHandler.standardError(label: $0) }))
try await server.run(socketPath: CommandLine.arguments[1], until: [.terminate]) {
    // Every open stream, standard output among them, so that whoever waits for the word reads it.
    print("ready")
    fflush(nil)
}
