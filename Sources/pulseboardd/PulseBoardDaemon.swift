import ArgumentParser
import Glibc
import Logging
import PulseBoardMessages
import PulseBoardRPC
import PulseBoardServices
import RPCCore
import RPCServer
import ServiceLifecycle
import SocketTransport
import StoreSQLite

/// The server: the composition root, where configuration becomes a store, services, a router and a socket.
@main
struct PulseBoardDaemon: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pulseboardd",
        abstract: "Serve profiles, onboarding and follows to local clients over a Unix socket.",
        discussion: """
            Without options it serves the current user's own socket from a SQLite database in that user's data directory.
            Every option can be given as an environment variable instead; an option wins over its variable.

            SIGTERM and SIGINT finish the calls that are running, for at most --grace-period seconds, then exit with 0.
            """,
        version: "pulseboardd \(pulseBoardVersion)")

    @OptionGroup var options: DaemonOptions

    func run() async throws {
        let settings = try DaemonSettings(options, environment: Environment.current, uid: getuid())
        // Whatever is made from here on, the database above all, is the owner's alone.
        umask(0o077)
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        var logger = Logger(label: "pulseboardd")
        logger.logLevel = settings.logLevel
        do {
            try await serve(settings, logger)
        } catch let error as SocketError {
            try fail("cannot serve on \(settings.socketPath)", error.description)
        } catch let error as StoreOpeningError {
            try fail("cannot open the store in \(settings.dataDirectory)", error.description)
        }
    }

    private func serve(_ settings: DaemonSettings, _ logger: Logger) async throws {
        // The socket's lock first: of two servers started alike, the second is told who holds the socket.
        let socket = try ListeningSocket(path: settings.socketPath, mode: settings.socketMode)
        let store: SQLiteStore
        let server: Server
        let services: Services
        do {
            store = try SQLiteStore(directory: settings.dataDirectory)
            services = try await Services(store: store, configuration: settings.services)
            var router = Router()
            services.register(on: &router, logger: logger)
            server = try Server(Server.Configuration(limits: settings.limits), router: router, logger: logger)
        } catch {
            socket.close()
            throw error
        }
        let group = ServiceGroup(configuration: .init(
            services: [
                HousekeepingWatch(store: store, logger: logger),
                ServerService(
                    server: server, socket: socket, gracePeriod: settings.gracePeriod, stopping: { services.finishWatches() }
                ) {
                    announce("pulseboardd \(pulseBoardVersion) ready: socket \(settings.socketPath), store \(store)")
                    logger.info(
                        "ready",
                        metadata: ["socket": "\(settings.socketPath)", "store": "\(store)", "version": "\(pulseBoardVersion)"])
                },
            ],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        try await group.run()
        try store.close()
        logger.info("stopped")
    }

    /// One line on standard output, at once, also into a pipe.
    private func announce(_ line: String) {
        print(line)
        fflush(nil)
    }

    private func fail(_ what: String, _ why: String) throws -> Never {
        let text = "pulseboardd: \(what): \(why)\n"
        _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
        throw ExitCode(EX_UNAVAILABLE)
    }
}
