import PulseBoardDomain

/// A queued access to the database. Its caller waits for the result.
package protocol QueuedAccess: Sendable {
    /// Performs the access and returns its outcome. It does not resume the caller.
    func perform(_ connection: borrowing SQLConnection) -> PerformedAccess
    /// Resumes the caller with an error. The access was not performed.
    func refuse(_ error: RepositoryError)
}

extension [any QueuedAccess] {
    /// Removes and returns the first elements, at most `limit`.
    package mutating func takeBatch(_ limit: Int) -> [any QueuedAccess] {
        guard count > limit else {
            defer { self = [] }
            return self
        }
        defer { removeFirst(limit) }
        return Array(prefix(limit))
    }
}

/// Resumes one caller: with its own outcome, or with a failure of the whole batch.
package typealias Answer = @Sendable (_ failure: RepositoryError?) -> Void

/// An access that was performed and whose caller still waits.
package struct PerformedAccess {
    /// The failure of the access itself; `nil` if it succeeded.
    package let failure: RepositoryError?
    /// Resumes the caller.
    package let answer: Answer

    package init(failure: RepositoryError?, answer: @escaping Answer) {
        self.failure = failure
        self.answer = answer
    }
}

/// An access as a closure with the caller's continuation.
///
/// The continuation must be resumed exactly once. So the thread that takes the access from its queue either refuses it, or performs and answers it.
package struct QueuedBody<Result: Sendable>: QueuedAccess {
    /// What the access does on its connection.
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

    /// Calls a body and returns its outcome as a value. It must not be inlined: the optimiser of Swift 6.3.1 crashes when it
    /// inlines this call of a closure that borrows its argument.
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
