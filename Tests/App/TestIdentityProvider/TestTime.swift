import Logging
import PulseBoardDomain
import Synchronization

/// A clock that a test moves.
package final class TestTime: WallClock {
    package init() {}
    private let state = Mutex((wall: TestToken.now, up: Duration.zero))

    package func now() -> Timestamp { state.withLock { $0.wall } }
    package var uptime: @Sendable () -> Duration { { [self] in state.withLock { $0.up } } }

    package func advance(_ seconds: Int64) {
        state.withLock {
            $0.wall = $0.wall.advanced(by: .seconds(seconds))
            $0.up += .seconds(seconds)
        }
    }
}

/// The lines of a log.
package final class TestLog: Sendable {
    package init() {}
    private let entries = Mutex<[String]>([])
    package var lines: [String] { entries.withLock { $0 } }

    package var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    private struct Handler: LogHandler {
        let log: TestLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.error

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.entries.withLock { $0.append("\(event.message) \(event.metadata.map { "\($0)" } ?? "")") }
        }
    }
}
