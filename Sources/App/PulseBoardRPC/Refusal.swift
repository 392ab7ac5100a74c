import Logging
import ProtobufC
import PulseBoardDomain
import RPCCore
import Synchronization

/// Tells a caller what the domain refused: makes a `RepositoryError` that comes out of a call its status, with details in the
/// caller's language. A row that cannot be understood, which only the operator may know of, goes to the call's log.
///
/// Of a row that many calls meet the log says it once and then once a minute, with how many calls there were meanwhile. A store that cannot do its
/// work is not told here: it tells so itself, once for all calls. Every other error passes as it is: an `RPCError` is a status
/// already, and the runtime hides what nobody foresaw.
final class Refusal: Sendable {
    private struct Line: Hashable {
        let table: String
        let key: String
    }

    private struct Telling {
        var next: Timestamp
        /// Calls since the last line.
        var untold = 0
    }

    /// Rows that are remembered to have been told; at most this many, then they are told again.
    private static let mostLines = 256
    private static let pause = Timestamp.Interval.seconds(60)

    private let clock: any WallClock
    private let tellings = Mutex<[Line: Telling]>([:])

    /// - Parameter clock: decides when a line may be repeated.
    init(clock: any WallClock = SystemWallClock()) {
        self.clock = clock
    }

    /// The status that the caller is told.
    func status(for error: RepositoryError, _ context: CallContext) -> RPCError {
        log(error, context)
        return RPCError(error, in: context.language)
    }

    private func log(_ error: RepositoryError, _ context: CallContext) {
        switch error {
        case .emptyValue(let table, let key), .corruptRow(let table, let key):
            guard let calls = calls(of: Line(table: table, key: key)) else { return }
            var metadata: Logger.Metadata = ["store.table": "\(table)", "store.key": "\(Self.loggable(key))"]
            if calls > 1 { metadata["store.failed_calls"] = "\(calls)" }
            context.logger.error("a stored row cannot be understood", metadata: metadata)
        default: break
        }
    }

    /// Calls that met the row since it was last told, this one included; `nil` when it is not to be told now.
    private func calls(of line: Line) -> Int? {
        let now = clock.now()
        return tellings.withLock { tellings in
            if tellings.count >= Self.mostLines, tellings[line] == nil { tellings = [:] }
            var telling = tellings[line] ?? Telling(next: now)
            defer { tellings[line] = telling }
            telling.untold += 1
            // Also when the clock was set back.
            guard telling.next <= now || telling.next > now.advanced(by: Self.pause) else { return nil }
            defer { telling = Telling(next: now.advanced(by: Self.pause)) }
            return telling.untold
        }
    }

    /// Keys made of ids are logged; other keys may be names that people chose, which the log never carries.
    private static func loggable(_ key: String) -> String {
        key.allSatisfy { $0.isHexDigit || $0 == "-" || $0 == " " } ? key : "withheld"
    }
}
