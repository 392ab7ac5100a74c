import PulseBoardDomain

/// One thing every store must do, with the behaviour or bug it is about.
///
/// A case starts with an empty store. It throws `ContractFailure` when the store does otherwise, and whatever the store
/// throws unexpectedly; a test target runs it with the test library of its choice.
public struct ContractCase: Sendable, CustomStringConvertible {
    public let name: String
    public let run: @Sendable (any PulseBoardStore) async throws -> Void

    init(_ name: String, _ run: @escaping @Sendable (any PulseBoardStore) async throws -> Void) {
        self.name = name
        self.run = run
    }

    public var description: String { name }

    /// The clock a store under test must be given: the cases name their own instants, all near this one.
    public static var clock: some WallClock { StoppedClock() }

    /// All cases.
    public static let all: [ContractCase] =
        [
            profiles, usernames, keptNames, searches, idempotency, follows, followLists, followEvents, sessions, identities, images, withdrawals,
            diaries, diaryImages,
        ].flatMap(\.self)
}

private struct StoppedClock: WallClock {
    func now() -> Timestamp { epoch }
}

/// What a store did that it must not, and where the case noticed.
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
