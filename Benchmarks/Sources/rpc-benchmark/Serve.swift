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

    @Flag(help: "Have a log of calls. At the usual level it writes no line for a call that succeeds.")
    var callLog = false

    @Flag(help: "Limit the handlers that run at once, to more than there are.")
    var handlerLimit = false

    func run() async throws {
        let observers: [any CallObserver] =
            (metrics ? [CallMetrics()] : []) + (callLog ? [CallLog()] : []) + (handlerLimit ? [ConcurrencyLimit(limit: 1_000_000)] : [])
        let server = try Server(
            Server.Configuration(loopCount: loops), router: EchoService.router(), observers: observers,
            logger: Logger(label: "rpc-benchmark"))
        server.start(on: try ListeningSocket(path: socket))
        print("ready")
        // A line end does not flush a pipe.
        fflush(nil)
        while readLine() != nil {}
        await server.shutdown(gracePeriod: .seconds(1))
    }
}
