import PulseBoardDomain

/// An access to the database that waits for its turn, and its caller with it.
package protocol QueuedAccess: Sendable {
    /// Performs the access and keeps its outcome; never tells the caller.
    func perform(_ connection: borrowing SQLConnection) -> PerformedAccess
    /// Ends the wait without a result: the access cannot be performed.
    func refuse(_ error: RepositoryError)
}

extension [any QueuedAccess] {
    /// Takes the first of the queue, `limit` at most.
    package mutating func takeBatch(_ limit: Int) -> [any QueuedAccess] {
        guard count > limit else {
            defer { self = [] }
            return self
        }
        defer { removeFirst(limit) }
        return Array(prefix(limit))
    }
}

/// Ends the wait of one caller: with their own outcome, or with the failure of what all of the batch depends on.
package typealias Answer = @Sendable (_ failure: RepositoryError?) -> Void

/// An access that was performed and whose caller has no result yet.
package struct PerformedAccess {
    package let failure: RepositoryError?
    package let answer: Answer

    package init(failure: RepositoryError?, answer: @escaping Answer) {
        self.failure = failure
        self.answer = answer
    }
}

/// An access as its caller asked for it.
///
/// The continuation of the caller's task must be resumed exactly once. An access is either refused, or performed and answered. The thread that takes
/// it from its queue does one of the two.
package struct QueuedBody<Result: Sendable>: QueuedAccess {
    package typealias Body = @Sendable (borrowing SQLConnection) throws(RepositoryError) -> Result

    package let body: Body
    package let continuation: UnsafeContinuation<Swift.Result<Result, RepositoryError>, Never>

    package init(body: @escaping Body, continuation: UnsafeContinuation<Swift.Result<Result, RepositoryError>, Never>) {
        self.body = body
        self.continuation = continuation
    }

    package func perform(_ connection: borrowing SQLConnection) -> PerformedAccess {
        let outcome = Self.outcome(of: body, connection)
        let failure: RepositoryError? = if case .failure(let error) = outcome { error } else { nil }
        return PerformedAccess(failure: failure) { [continuation] failure in
            continuation.resume(returning: failure.map(Swift.Result.failure) ?? outcome)
        }
    }

    package func refuse(_ error: RepositoryError) { continuation.resume(returning: .failure(error)) }

    /// The outcome of a body as a value. Not to be inlined: the optimiser of Swift 6.3.1 crashes when it inlines this call of a
    /// closure that borrows its argument.
    @inline(never)
    package static func outcome(
        of body: Body, _ connection: borrowing SQLConnection
    ) -> Swift.Result<Result, RepositoryError> {
        do throws(RepositoryError) { return .success(try body(connection)) } catch { return .failure(error) }
    }
}

extension RepositoryError {
    /// The error of every access to a closed store.
    package static let storeClosed = RepositoryError.storeUnavailable(detail: "the store is closed")
}
