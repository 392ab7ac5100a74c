import Glibc
import GreeterMessages
import Logging
import RPCCore
import RPCServer

@main
struct GreeterServer {
    /// Serves until SIGTERM or Ctrl-C: `greeter-server [SOCKET]`.
    static func main() async {
        let logger = Logger(label: "greeter")
        var router = Router()
        GreeterService().register(on: &router)
        do {
            let server = try Server(router: router, interceptors: [RequireCaller()], logger: logger)
            try await server.run(socketPath: CommandLine.arguments.dropFirst().first ?? "/tmp/greeter.sock")
        } catch {
            logger.critical("cannot serve: \(error)")
            exit(1)
        }
    }
}
