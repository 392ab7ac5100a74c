import Glibc
import Logging
import ServerLog
import ServiceLifecycle
import SocketTransport
import Synchronization

/// What signals do to this process from its first moments on: SIGTERM and SIGINT end it in order, also while it starts; SIGHUP has the log opened
/// again; SIGPIPE does nothing.
final class SignalResponse: Sendable {
    private enum Stage {
        /// Nothing is served yet; these sockets are there already.
        case starting(ServedSockets?)
        case serving(ServiceGroup)
    }

    private let stage = Mutex(Stage.starting(nil))
    private let reload = Mutex<(@Sendable () -> Void)?>(nil)
    private let log: ServerLog
    private let logger: Logger

    /// Begins to hear signals.
    init(log: ServerLog, logger: Logger) async {
        self.log = log
        self.logger = logger
        // A write to a pipe or socket without a reader then fails, and the writer gets the error.
        signal(SIGPIPE, SIG_IGN)
        let signals = await ProcessSignals([.terminate, .interrupt, .hangUp])
        Task {
            while let signal = await signals.next() { heard(signal) }
        }
    }

    /// Makes the sockets, which are removed if the process ends before it serves them.
    func starting(_ make: () throws -> ServedSockets) rethrows -> ServedSockets {
        try stage.withLock { stage in
            // No signal is answered meanwhile, so no socket is left behind unknown.
            let sockets = try make()
            stage = .starting(sockets)
            return sockets
        }
    }

    /// From now on the group is ended.
    func serving(_ group: ServiceGroup) { stage.withLock { $0 = .serving(group) } }

    /// From now on SIGHUP does this too.
    func onHangUp(_ body: @escaping @Sendable () -> Void) { reload.withLock { $0 = body } }

    private func heard(_ signal: ProcessSignal) {
        guard signal != .hangUp else {
            log.reopen()
            reload.withLock { $0 }?()
            return
        }
        stage.withLock { stage in
            switch stage {
            case .serving(let group): Task { await group.triggerGracefulShutdown() }
            case .starting(let sockets):
                sockets?.close()
                logger.info("stopped during the start")
                log.end()
                // The next start rolls back what the store has begun, as after a crash.
                _exit(EXIT_SUCCESS)
            }
        }
    }
}
