import Glibc
import Logging
import ServerLog
import ServiceLifecycle
import SocketTransport
import Synchronization

/// Handles signals from the start of the process on. SIGTERM and SIGINT end it gracefully, even while it starts. SIGHUP opens the log again.
/// SIGPIPE is ignored.
final class SignalResponse: Sendable {
    private enum Stage {
        /// Nothing is served yet, but these sockets exist.
        case starting(ServedSockets?)
        case serving(ServiceGroup)
    }

    private let stage = Mutex(Stage.starting(nil))
    /// What SIGHUP does besides opening the log again, and whether a SIGHUP came before that was known.
    private let reload = Mutex<(action: (@Sendable () -> Void)?, isDue: Bool)>((nil, false))
    /// Requests to reload. They have a task of their own, so that a reload that hangs (a file on a server that is gone) keeps no SIGTERM waiting.
    private let reloads = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let log: ServerLog
    private let logger: Logger

    /// Begins to handle signals.
    init(log: ServerLog, logger: Logger) async {
        self.log = log
        self.logger = logger
        // Then a write to a pipe or socket without a reader fails with an error.
        signal(SIGPIPE, SIG_IGN)
        let signals = await ProcessSignals([.terminate, .interrupt, .hangUp])
        Task {
            while let signal = await signals.next() { heard(signal) }
        }
        Task.detached { [self] in
            for await _ in reloads.stream {
                log.reopen()
                let action = reload.withLock { reload in
                    reload.isDue = reload.action == nil
                    return reload.action
                }
                action?()
            }
        }
    }

    /// Makes the sockets. They are removed if the process ends before it serves them.
    func starting(_ make: () throws -> ServedSockets) rethrows -> ServedSockets {
        try stage.withLock { stage in
            // No signal is handled meanwhile, so no socket can be left behind.
            let sockets = try make()
            stage = .starting(sockets)
            return sockets
        }
    }

    /// Closes the sockets of a start that has failed. A signal that comes now finds none to close.
    func startFailed() {
        stage.withLock { stage in
            guard case .starting(let sockets) = stage else { return }
            sockets?.close()
            stage = .starting(nil)
        }
    }

    /// From now on signals end the group.
    func serving(_ group: ServiceGroup) { stage.withLock { $0 = .serving(group) } }

    /// Adds an action for SIGHUP. If one came during the start, the action is due at once.
    func onHangUp(_ body: @escaping @Sendable () -> Void) {
        let isDue = reload.withLock { reload in
            reload.action = body
            return reload.isDue
        }
        if isDue { reloads.continuation.yield() }
    }

    private func heard(_ signal: ProcessSignal) {
        guard signal != .hangUp else {
            reloads.continuation.yield()
            return
        }
        stage.withLock { stage in
            switch stage {
            case .serving(let group): Task { await group.triggerGracefulShutdown() }
            case .starting(let sockets):
                sockets?.close()
                logger.info("stopped during the start")
                log.end()
                // The next start rolls back unfinished work of the store, as after a crash.
                _exit(EXIT_SUCCESS)
            }
        }
    }
}
