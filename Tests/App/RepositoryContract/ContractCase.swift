import PulseBoardDomain
import Synchronization

/// One requirement for every store, with the number of its behaviour.
///
/// A case begins with an empty store. It throws `ContractFailure` if the store behaves differently, and passes on
/// unexpected errors of the store. A test target can run it with any test library.
public struct ContractCase: Sendable, CustomStringConvertible {
    public let name: String
    /// Runs the case on a store that was opened with this clock and its uptime.
    public let run: @Sendable (any PulseBoardStore, ContractClock) async throws -> Void

    init(_ name: String, _ run: @escaping @Sendable (any PulseBoardStore) async throws -> Void) {
        self.init(name) { store, _ in try await run(store) }
    }

    /// A case in which time passes, or in which the clock is wrong.
    init(_ name: String, _ run: @escaping @Sendable (any PulseBoardStore, ContractClock) async throws -> Void) {
        self.name = name
        self.run = run
    }

    public var description: String { name }

    /// A clock for a store whose test needs no other times than those near this one.
    public static var clock: some WallClock { ContractClock() }

    /// All cases.
    public static let all: [ContractCase] =
        [
            profiles, usernames, keptNames, searches, idempotency, wrongClocks, follows, followLists, followEvents, sessions, identities, images,
            withdrawals, diaries, diaryImages,
        ].flatMap(\.self)
}

/// The clock and the uptime of a machine on which a store is tested. It begins at the cases' first instant and stands still, unless a case moves it.
///
/// A store judges a caller's time by its clock. So a case whose instants are more than a day later lets the time pass first.
public final class ContractClock: WallClock {
    private struct State {
        var time = epoch
        var passed = Duration.zero
    }

    private let state = Mutex(State())

    public init() {}

    public func now() -> Timestamp { state.withLock { $0.time } }

    /// The machine's uptime. It goes on by itself too, because a store waits with it.
    public var uptime: @Sendable () -> Duration {
        { [self, start = ContinuousClock.now] in start.duration(to: .now) + state.withLock { $0.passed } }
    }

    /// Lets time pass until an instant.
    func pass(to time: Timestamp) {
        state.withLock { state in
            guard time > state.time else { return }
            state.passed += .microseconds(time.microseconds - state.time.microseconds)
            state.time = time
        }
    }

    /// Sets the clock to a wrong time, or back. No time passes.
    func set(to time: Timestamp) { state.withLock { $0.time = time } }
}

/// A wrong behaviour of a store, and the place in the case.
public struct ContractFailure: Error, CustomStringConvertible {
    public let description: String
}

func expect(
    _ condition: Bool, _ expectation: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) throws {
    guard condition else { throw ContractFailure(description: "\(file):\(line): \(expectation())") }
}

func expectEqual<Value: Equatable>(
    _ value: Value, _ expected: Value, file: StaticString = #fileID, line: UInt = #line
) throws {
    try expect(value == expected, "expected \(expected), got \(value)", file: file, line: line)
}

func expectError<Value>(
    _ expected: RepositoryError, file: StaticString = #fileID, line: UInt = #line,
    _ body: () async throws(RepositoryError) -> Value
) async throws {
    let outcome: Result<Value, RepositoryError>
    do throws(RepositoryError) {
        outcome = .success(try await body())
    } catch {
        outcome = .failure(error)
    }
    guard case .failure(expected) = outcome else {
        throw ContractFailure(description: "\(file):\(line): expected \(expected), got \(outcome)")
    }
}
