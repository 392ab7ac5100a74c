import Glibc
import PulseBoardDomain
import RPCServer
import ServiceLifecycle
import SocketTransport

/// Reports to the service manager that the server is ready, its status, that it is alive, and that it is ending (`Type=notify`, `WatchdogSec=`).
///
/// A sign of life is sent when every event loop has taken a turn, and the store's writer and readers have answered, with success or failure. So the
/// manager restarts a server with a hanging thread, but not one with a full disk. It is also sent when the store is known to be out of reach, because
/// writes then wait for their PostgreSQL. Signs are sent until all calls have ended.
struct ServiceManagerWatch: Service {
    /// How often the status line is updated.
    private static let statusPause = Duration.seconds(10)
    /// How often it is checked whether a store that does not answer is out of reach.
    private static let lookPause = Duration.seconds(1)
    /// How long the last answers, the queued writes and the emptying of the WAL may take after the grace period.
    private static let lastWork = Duration.seconds(30)

    let link: ServiceManagerLink
    /// How long the manager waits for a sign of life; `nil` if it has no watchdog.
    let patience: Duration?
    let server: Server
    let store: any PulseBoardStore
    /// The store's present trouble in one word; `nil` while it works.
    let trouble: @Sendable () -> String?

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    repeat { tellStatus() } while (try? await Task.sleep(for: Self.statusPause)) != nil
                }
                if let patience {
                    group.addTask {
                        repeat {
                            await server.takeTurns()
                            await waitForStore()
                            link.tell("WATCHDOG=1")
                        } while (try? await Task.sleep(for: patience / 3)) != nil
                    }
                }
            }
        }
    }

    /// Reports that the server is ready.
    func tellReady(_ words: String) { link.tell("READY=1", "STATUS=" + words) }

    /// Reports that the server begins to end. Call it before the running calls are waited for, because the manager kills a server that takes longer
    /// than its unit says and has not asked for more (sd_notify(3)).
    /// - Parameter gracePeriod: how long the running calls may take.
    func tellEnding(within gracePeriod: Duration) {
        let longest = Int64((gracePeriod + Self.lastWork) / .microseconds(1))
        link.tell("STOPPING=1", "EXTEND_TIMEOUT_USEC=\(longest)", "STATUS=ending: finishes its last calls")
    }

    private func tellStatus() {
        let state = (server.isShuttingDown ? "ending; " : "") + (trouble().map { "the store fails (\($0)); " } ?? "")
        link.tell("STATUS=\(state)\(server.connectionCount) connections, \(server.runningCallCount) running calls")
    }

    /// Returns when the store has answered, or is known to be out of reach.
    private func waitForStore() async {
        let (events, continuation) = AsyncStream.makeStream(of: Void.self)
        // Not in this task, which could not leave it before the answer.
        Task {
            await askStore()
            continuation.finish()
        }
        let looking = Task {
            while (try? await Task.sleep(for: Self.lookPause)) != nil {
                if trouble() == StoreFailure.unreachable.rawValue { return continuation.finish() }
            }
        }
        for await _ in events {}
        looking.cancel()
    }

    /// Performs a write that changes nothing, and a read of a few rows.
    private func askStore() async {
        _ = try? await store.secret(named: "watchdog", orStore: [0])
        _ = try? await store.profiles(of: [UserID(bits: UUIDBits(high: 0, low: 0))], viewer: UserID(bits: UUIDBits(high: 0, low: 0)))
    }
}
