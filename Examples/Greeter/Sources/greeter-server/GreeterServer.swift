import GreeterMessages
import Logging
import RPCCore
import RPCServer

@main
struct GreeterServer {
    /// Serves until SIGTERM or Ctrl-C: `greeter-server [SOCKET]`.
    static func main() async throws {
        let socketPath = CommandLine.arguments.dropFirst().first ?? "/tmp/greeter.sock"
        var router = Router()
        GreeterService().register(on: &router)
        let server = try Server(router: router, interceptors: [RequireCaller()], logger: Logger(label: "greeter"))
        try await server.run(socketPath: socketPath)
    }
}
