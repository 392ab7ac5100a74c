import Logging
import PulseBoardDomain
import ServiceLifecycle
import StoreSQLite

/// Tells the log when the store cannot remove what has expired, or does not because the clock has jumped. No call fails with it, so nobody else would notice.
struct HousekeepingWatch: Service {
    /// How often the store is asked, about as often as it tries.
    private static let pause = Duration.seconds(60)

    let store: SQLiteStore
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var told: RepositoryError?
            var toldJump: ClockJump?
            // Ends when the sleep is cancelled by the shutdown.
            while (try? await Task.sleep(for: Self.pause)) != nil {
                let failure = store.housekeepingFailure
                if let failure, failure != told {
                    logger.error("expired rows could not be removed", metadata: ["store.failure": "\(failure.reason.rawValue)"])
                }
                told = failure
                let jump = store.clockJump
                if let jump, jump != toldJump {
                    logger.warning(
                        "the clock is more than a day off; nothing expires until it is back, or has stayed for an hour",
                        metadata: [
                            "clock.before_seconds": "\(jump.from.microseconds / 1_000_000)",
                            "clock.now_seconds": "\(jump.to.microseconds / 1_000_000)",
                        ])
                }
                toldJump = jump
            }
        }
    }
}
