import PulseBoardDomain

/// One requirement for every store, with the number of its behaviour.
///
/// A case begins with an empty store. It throws `ContractFailure` if the store behaves differently, and passes on
/// unexpected errors of the store. A test target can run it with any test library.
public struct ContractCase: Sendable, CustomStringConvertible {
    public let name: String
    public let run: @Sendable (any PulseBoardStore) async throws -> Void

    init(_ name: String, _ run: @escaping @Sendable (any PulseBoardStore) async throws -> Void) {
        self.name = name
        self.run = run
    }

    public var description: String { name }

    /// The clock for a store under test. The cases use their own instants, all near this one.
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
