import ProtobufC
import RPCCore
import SocketTransport
import Synchronization

/// Retries and hedging (gRFC A6): ``RPCCore/ExecutionPolicy``.
extension Channel {
    // MARK: Unary calls

    func unaryByPolicy<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, _ options: CallOptions
    ) async throws(RPCError) -> Response {
        let options = policies?.applied(to: options, service: method.service, path: method.path) ?? options
        let deadline = Self.deadline(options)
        switch options.executionPolicy {
        case .retry(let policy): return try await retry(method, request, options, deadline, RetryState(policy))
        case .hedge(let policy): return try await hedge(method, request, options, deadline, policy)
        case .once, nil:
            let response = try await unaryAttempt(method, request, options, deadline)
            policies?.tokens?.callSucceeded()
            return response
        }
    }

    private func retry<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, _ options: CallOptions, _ deadline: Deadline, _ state: RetryState
    ) async throws(RPCError) -> Response {
        var state = state
        while true {
            let metadata = ResponseMetadata()
            do throws(RPCError) {
                let response = try await unaryAttempt(method, request, options.forAttempt(after: state.attempts - 1, metadata), deadline)
                policies?.tokens?.callSucceeded()
                options.responseMetadata?.take(metadata)
                return response
            } catch {
                guard let pause = state.pause(after: error, answerHasBegun: metadata.hasBegun, policies?.tokens, pauses.timing) else {
                    options.responseMetadata?.take(metadata)
                    throw error
                }
                try await pauses.wait(pause, until: deadline)
            }
        }
    }

    private func hedge<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, _ options: CallOptions, _ deadline: Deadline, _ policy: HedgingPolicy
    ) async throws(RPCError) -> Response {
        let tokens = policies?.tokens
        let commitment = HedgeCommitment()
        let outcome: (Result<Response, RPCError>, ResponseMetadata) = await withTaskGroup(of: HedgeEvent<Response>.self) { group in
            var hedges = HedgeState(policy)
            var last: (Result<Response, RPCError>, ResponseMetadata) = (.failure(.taskCancelled), ResponseMetadata())
            while true {
                while commitment.number == nil, hedges.startsNext(tokens) {
                    let number = hedges.started - 1
                    let handle = CallHandle()
                    commitment.add(number, handle)
                    group.addTask {
                        let metadata = ResponseMetadata()
                        let options = options.forAttempt(after: number, metadata)
                        do throws(RPCError) {
                            let response = try await self.unaryAttempt(
                                method, request, options, deadline, handle: handle, whenBegun: { commitment.headersCame(to: number) })
                            return .ended(number, .success(response), metadata)
                        } catch {
                            return .ended(number, .failure(error), metadata)
                        }
                    }
                }
                if hedges.isOver(tokens) {
                    group.cancelAll()
                    return last
                }
                if commitment.number == nil, let (delay, number) = hedges.takeDelay() {
                    group.addTask { [pauses] in
                        do throws(RPCError) {
                            try await pauses.wait(delay, until: deadline)
                            return .delayHasPassed(number)
                        } catch {
                            return .delayWasCut(number, error)
                        }
                    }
                }
                // A hedge is running, or a delay: the group has one more event.
                guard let event = await group.next() else { return last }
                switch event {
                case .delayHasPassed(let number): hedges.delayHasPassed(number)
                case .delayWasCut(let number, let error):
                    // A hedge that is running ends by itself.
                    guard hedges.waitsOnly(for: number) else { continue }
                    group.cancelAll()
                    return (.failure(error), ResponseMetadata())
                case .ended(let number, let result, let metadata):
                    // The call is another attempt's, and this one was cancelled.
                    if let committed = commitment.number, committed != number { continue }
                    last = (result, metadata)
                    switch result {
                    case .success: tokens?.callSucceeded()
                    case .failure(let error):
                        guard hedges.noteFailure(error, answerHasBegun: metadata.hasBegun, tokens) else { continue }
                    }
                    group.cancelAll()
                    return last
                }
            }
        }
        options.responseMetadata?.take(outcome.1)
        return try outcome.0.get()
    }

    // MARK: Server-streaming calls

    func serverStreamByPolicy<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, _ options: CallOptions
    ) -> ServerStream<Response> {
        let options = policies?.applied(to: options, service: method.service, path: method.path) ?? options
        let deadline = Self.deadline(options)
        guard case .retry(let policy) = options.executionPolicy else { return serverStreamAttempt(method, request, options, deadline) }
        let received = options.responseMetadata ?? ResponseMetadata()
        let stream = RetriedStream(policy) { previous, metadata in
            self.serverStreamAttempt(method, request, options.forAttempt(after: previous, metadata), deadline)
        }
        return ServerStream(
            responses: MessageStream { () async throws(RPCError) -> Response? in
                try await stream.next(received, deadline, self.policies?.tokens, self.pauses)
            }, metadata: received, cancel: { stream.cancel() })
    }
}

/// A server-streaming call that is made again until a part of its answer has come. One reader at a time.
private final class RetriedStream<Response: Message>: Sendable {
    private struct State {
        var retry: RetryState
        var current: ServerStream<Response>
        var metadata: ResponseMetadata
        var hasResponse = false
        var isCancelled = false
        /// Messages that were taken since the reader last let others run.
        var takenInARow = 0
        /// The pause before the next attempt.
        var pause: Task<RPCError?, Never>?
        /// Why the stream is over.
        var failure: RPCError?
    }

    /// As many messages in a row as a reader of ``MessageStream`` takes.
    private static var mostInARow: Int { 16 }

    private let state: Mutex<State>
    private let attempt: @Sendable (_ previous: Int, ResponseMetadata) -> ServerStream<Response>

    init(_ policy: RetryPolicy, attempt: @escaping @Sendable (_ previous: Int, ResponseMetadata) -> ServerStream<Response>) {
        self.attempt = attempt
        let metadata = ResponseMetadata()
        state = Mutex(State(retry: RetryState(policy), current: attempt(0, metadata), metadata: metadata))
    }

    /// The next message. An error that it has thrown is final: a later call throws it again.
    func next(
        _ received: ResponseMetadata, _ deadline: Deadline, _ tokens: RetryTokens?, _ pauses: AttemptPauses
    ) async throws(RPCError) -> Response? {
        if let failure = state.withLock({ $0.failure }) { throw failure }
        do throws(RPCError) { return try await nextOfAttempts(received, deadline, tokens, pauses) } catch {
            // A second reader is refused, and the first one goes on.
            if error != .secondReader { state.withLock { $0.failure = error } }
            throw error
        }
    }

    private func nextOfAttempts(
        _ received: ResponseMetadata, _ deadline: Deadline, _ tokens: RetryTokens?, _ pauses: AttemptPauses
    ) async throws(RPCError) -> Response? {
        while true {
            let (current, metadata) = state.withLock { ($0.current, $0.metadata) }
            var responses = current.makeAsyncIterator()
            do throws(RPCError) {
                let response = try await responses.next()
                received.take(metadata)
                let letsOthersRun = state.withLock { state in
                    state.hasResponse = true
                    state.takenInARow = (state.takenInARow + 1) % Self.mostInARow
                    return state.takenInARow == 0
                }
                // A reader on the event loop would otherwise occupy it until its queue is empty. The iterator cannot count: each message has its own.
                if letsOthersRun { await Task.yield() }
                return response
            } catch {
                let pause = state.withLock { state -> Int64? in
                    guard !state.isCancelled else { return nil }
                    let hasBegun = state.hasResponse || metadata.hasBegun
                    return state.retry.pause(after: error, answerHasBegun: hasBegun, tokens, pauses.timing)
                }
                guard let pause else {
                    received.take(metadata)
                    throw error
                }
                try await wait(pause, deadline, pauses)
                try startAgain()
            }
        }
    }

    /// Waits for the next attempt, in a task that ``cancel()`` can end.
    private func wait(_ nanoseconds: Int64, _ deadline: Deadline, _ pauses: AttemptPauses) async throws(RPCError) {
        let pause = Task { () async -> RPCError? in
            do throws(RPCError) {
                try await pauses.wait(nanoseconds, until: deadline)
                return nil
            } catch {
                return error
            }
        }
        let isCancelled = state.withLock { state in
            state.pause = pause
            return state.isCancelled
        }
        if isCancelled { pause.cancel() }
        let error = await withTaskCancellationHandler { await pause.value } onCancel: { pause.cancel() }
        state.withLock { $0.pause = nil }
        if let error { throw error }
    }

    private func startAgain() throws(RPCError) {
        let metadata = ResponseMetadata()
        let isCancelled = state.withLock { state in
            guard !state.isCancelled else { return true }
            state.metadata = metadata
            state.current = attempt(state.retry.attempts - 1, metadata)
            return false
        }
        if isCancelled { throw .taskCancelled }
    }

    func cancel() {
        let (current, pause) = state.withLock { state in
            state.isCancelled = true
            return (state.current, state.pause)
        }
        pause?.cancel()
        current.cancel()
    }
}

/// The events of a hedged call.
private enum HedgeEvent<Response: Sendable>: Sendable {
    /// The attempt with this number, from 0, has ended.
    case ended(Int, Result<Response, RPCError>, ResponseMetadata)
    /// The delay with this number has passed.
    case delayHasPassed(Int)
    /// The delay with this number has ended early: the deadline has passed, or the task was cancelled.
    case delayWasCut(Int, RPCError)
}

/// Which attempt of a hedged call is the call: the first one that gets response headers (gRFC A6: the call is committed). Then the others are
/// cancelled, and no more follow. Over ttrpc there are no such headers, and the first answer decides.
private final class HedgeCommitment: Sendable {
    private struct State {
        var handles: [Int: CallHandle] = [:]
        var number: Int?
    }

    private let state = Mutex(State())

    /// The attempt's number, from 0; nil while there is none.
    var number: Int? { state.withLock { $0.number } }

    /// Adds an attempt, before it starts. If another one is the call meanwhile, it does not start.
    func add(_ number: Int, _ handle: CallHandle) {
        let isLate = state.withLock { state in
            state.handles[number] = handle
            return state.number != nil
        }
        if isLate { handle.cancel() }
    }

    /// The response headers of an attempt have come. On the loop.
    func headersCame(to number: Int) {
        let others = state.withLock { state -> [CallHandle] in
            guard state.number == nil else { return [] }
            state.number = number
            return state.handles.filter { $0.key != number }.map(\.value)
        }
        for other in others { other.cancel() }
    }
}

/// How many hedges of a call have started, and what the next one waits for.
struct HedgeState {
    private let policy: HedgingPolicy
    private(set) var started = 0
    private var running = 0
    /// What the next hedge waits for.
    private var wait = Wait.nothing
    /// Numbers the delays. A delay of an earlier hedge is ignored.
    private var delayNumber = 0

    private enum Wait: Equatable {
        case nothing
        /// For a delay that has not begun, nanoseconds.
        case delay(Int64)
        /// For a delay that has begun.
        case begun
        /// There is no next one.
        case forever
    }

    init(_ policy: HedgingPolicy) { self.policy = policy }

    /// Whether the next hedge starts now. If so, it counts as started.
    mutating func startsNext(_ tokens: RetryTokens?) -> Bool {
        guard wait == .nothing else { return false }
        guard started == 0 || started < policy.maximumAttempts && tokens?.allowRetries ?? true else {
            wait = .forever
            return false
        }
        started += 1
        running += 1
        guard started < policy.maximumAttempts else {
            wait = .forever
            return true
        }
        wait = policy.hedgingDelay > .zero ? .delay(policy.hedgingDelay.wholeNanoseconds) : .nothing
        return true
    }

    /// Whether no hedge is running, and none will follow. Throttling may forbid the next one while it is waited for.
    func isOver(_ tokens: RetryTokens?) -> Bool { running == 0 && (wait == .forever || !(tokens?.allowRetries ?? true)) }

    /// The delay that must begin now, if any.
    mutating func takeDelay() -> (nanoseconds: Int64, number: Int)? {
        guard case .delay(let nanoseconds) = wait else { return nil }
        wait = .begun
        delayNumber += 1
        return (nanoseconds, delayNumber)
    }

    mutating func delayHasPassed(_ number: Int) {
        if wait == .begun, number == delayNumber { wait = .nothing }
    }

    /// Whether no hedge is running, and the next one waits for the delay with this number.
    func waitsOnly(for number: Int) -> Bool { running == 0 && wait == .begun && number == delayNumber }

    /// Notes that a hedge has failed.
    /// - Returns: whether the failure is fatal. It then ends the call, even if other hedges are running.
    mutating func noteFailure(_ error: RPCError, answerHasBegun: Bool, _ tokens: RetryTokens?) -> Bool {
        running -= 1
        let pushback = Pushback(error)
        let isFatal = answerHasBegun || !error.mayBeMadeAgain || !policy.nonFatalStatusCodes.contains(error.code)
        if !isFatal || pushback == .never { tokens?.attemptFailed() }
        if !isFatal, wait != .forever {
            switch pushback {
            case .none: wait = .nothing
            case .after(let nanoseconds): wait = .delay(nanoseconds)
            case .never: wait = .forever
            }
        }
        return isFatal
    }
}

/// The pauses between the attempts of a channel's calls. They end with the channel.
final class AttemptPauses: Sendable {
    private struct State {
        var isOver = false
        var running: [Int: Task<Void, Never>] = [:]
        var next = 0
    }

    let timing: AttemptTiming
    private let state = Mutex(State())

    init(_ timing: AttemptTiming) { self.timing = timing }

    /// Waits for the next attempt, at most until the call's deadline.
    /// - Throws: `channelClosed` as soon as the channel is closed.
    func wait(_ nanoseconds: Int64, until deadline: Deadline) async throws(RPCError) {
        let now = MonotonicClock.now()
        // A deadline long ago has no difference that fits.
        let left = deadline == .never ? Int64.max : deadline.hasPassed(at: now) ? 0 : deadline.nanoseconds - now
        let (pause, number) = try begin(min(nanoseconds, left))
        await withTaskCancellationHandler { await pause.value } onCancel: { pause.cancel() }
        let isOver = state.withLock { state in
            state.running[number] = nil
            return state.isOver
        }
        if isOver { throw .channelClosed }
        if Task.isCancelled { throw .taskCancelled }
        if left < nanoseconds { throw .clientDeadlineExceeded }
    }

    private func begin(_ nanoseconds: Int64) throws(RPCError) -> (pause: Task<Void, Never>, number: Int) {
        let begun = state.withLock { state -> (Task<Void, Never>, Int)? in
            guard !state.isOver else { return nil }
            defer { state.next += 1 }
            let pause = Task { [timing] in await timing.pause(nanoseconds) }
            state.running[state.next] = pause
            return (pause, state.next)
        }
        guard let begun else { throw .channelClosed }
        return begun
    }

    /// Ends all pauses, and those that would begin later. The channel is closed.
    func end() {
        let running = state.withLock { state in
            state.isOver = true
            return state.running.values
        }
        for pause in running { pause.cancel() }
    }
}
