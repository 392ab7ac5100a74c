import ArgumentParser
import Glibc
import Logging
import RPCCore
import RPCServer
import SocketTransport

/// Runs the echo server alone, for other load generators.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Serve bench.Bench on a socket until standard input ends.")

    @Option(help: "Path of the socket.")
    var socket: String

    @Option(help: "Event loops; 0 = one a core.")
    var loops = 0

    @Flag(help: "Count calls, their bytes and how long they take.")
    var metrics = false

    func run() async throws {
        let server = try Server(
            Server.Configuration(loopCount: loops), router: EchoService.router(), observers: metrics ? [CallMetrics()] : [],
            logger: Logger(label: "rpc-benchmark"))
        server.start(on: try ListeningSocket(path: socket))
        print("ready")
        // A line end does not flush a pipe.
        fflush(nil)
        while readLine() != nil {}
        await server.shutdown(gracePeriod: .seconds(1))
    }
}
