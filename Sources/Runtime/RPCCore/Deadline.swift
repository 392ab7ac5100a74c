/// The instant by which a call must have ended. A `timeout` is a duration; a deadline is a point on this machine's
/// monotonic clock. That clock does not change when the wall clock is set, and stops while the machine sleeps.
///
/// A handler reads it as ``CallContext/deadline``. A test that calls a handler makes one (`MonotonicClock` is in `SocketTransport`):
///
///     let deadline = Deadline(now: MonotonicClock.now(), timeoutNanoseconds: 2_000_000_000)
///     let context = CallContext(peer: nil, metadata: Metadata(), deadline: deadline, method: "greeter.v1.Greeter/SayHello")
///     print(try await GreeterService().sayHello(HelloRequest(name: "world"), context: context).text)
public struct Deadline: Sendable, Hashable, Comparable {
    /// Nanoseconds on the monotonic clock; `Int64.max` means none.
    public let nanoseconds: Int64

    /// No deadline: the call may take any time. (A computed property, because each call compares with it several times.)
    @inlinable public static var never: Deadline { Deadline(nanoseconds: .max) }

    /// The deadline at this time on the monotonic clock, nanoseconds.
    @inlinable
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The deadline `timeout` nanoseconds after `now`; sums past the clock's end are ``never``.
    public init(now: Int64, timeoutNanoseconds timeout: Int64) {
        let (sum, overflow) = now.addingReportingOverflow(timeout)
        nanoseconds = overflow ? .max : sum
    }

    public static func < (left: Deadline, right: Deadline) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Whether the deadline has come at `now` (nanoseconds on the same clock).
    public func hasPassed(at now: Int64) -> Bool { nanoseconds != .max && now >= nanoseconds }
}

extension Deadline {
    /// The deadline of the call that the current task is answering; ``never`` outside of a call. Calls made by the task end with it at the latest, so
    /// a chain of services has one deadline.
    ///
    /// A `Task {}` that a handler starts inherits it, like every task-local value. To start work without it, use
    /// `Task.detached`, or `Deadline.$current.withValue(.never)`.
    @TaskLocal public static var current = Deadline.never

    /// Runs a handler with this deadline as the ``current`` one. A task-local value costs an allocation, so it is set only if the call has a
    /// deadline.
    @inlinable @inline(__always)
    nonisolated(nonsending) func asCurrent<Result>(_ body: nonisolated(nonsending) () async throws -> Result) async throws -> Result {
        guard self != .never else { return try await body() }
        return try await Self.$current.withValue(self) { try await body() }
    }

    /// The same for a synchronous handler.
    @inlinable @inline(__always)
    func asCurrent<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard self != .never else { return try body() }
        return try Self.$current.withValue(self) { try body() }
    }
}

extension Duration {
    /// Whole nanoseconds, at most 292 years.
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, sumOverflow) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return sumOverflow ? (seconds < 0 ? .min : .max) : sum
    }
}
