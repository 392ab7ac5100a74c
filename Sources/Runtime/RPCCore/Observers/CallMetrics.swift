import Logging
import Synchronization

/// Counts calls by method and code, their bytes, and their durations. Any thread may read the figures.
///
///     let metrics = CallMetrics()
///     let server = try Server(services: [GreeterService()], observers: [metrics])
///     // At any time:
///     for (method, figures) in metrics.current {
///         print(method, figures.endedCount, figures.ended[.internal, default: 0], figures.latencies.quantile(0.99) ?? .zero)
///     }
///
/// It only keeps the figures. The program decides how to show them (a log, an endpoint, a metrics library). They take about 1 KiB for each method and
/// event loop. Calls of unknown methods are not counted.
public final class CallMetrics: CallObserver {
    /// The figures of one method since the start.
    public struct Figures: Sendable, Hashable {
        /// Calls that have ended, by code.
        public fileprivate(set) var ended: [StatusCode: Int] = [:]
        /// Handlers that run and wait for something. Handlers that end at once are not counted.
        public fileprivate(set) var waitingHandlers = 0
        /// Bytes of the requests of ended calls (``EndedCall/requestByteCount``).
        public fileprivate(set) var requestByteCount = 0
        /// Bytes of their responses.
        public fileprivate(set) var responseByteCount = 0
        /// The sum of the durations of ended calls.
        public fileprivate(set) var totalDuration = Duration.zero
        /// The histogram of the durations of ended calls.
        public fileprivate(set) var latencies = LatencyHistogram()

        /// Calls that have ended.
        public var endedCount: Int { ended.values.reduce(0, +) }
    }

    private let methods = Mutex<[MethodFigures]>([])

    /// Figures that are all 0.
    public init() {}

    /// The figures by method (`service/method`), of methods that were called.
    public var current: [String: Figures] {
        var figures: [String: Figures] = [:]
        for method in methods.withLock({ $0 }) where method.wasCalled { method.add(to: &figures[method.path, default: Figures()]) }
        return figures
    }

    public func observer(of method: RegisteredMethod, loopCount: Int, logger: Logger) -> (any MethodObserver)? {
        let figures = MethodFigures(method.path, loopCount: loopCount)
        methods.withLock { $0.append(figures) }
        return figures
    }
}

/// One method's figures on one server.
private final class MethodFigures: MethodObserver {
    let path: String
    private let loops: [LoopFigures]

    init(_ path: String, loopCount: Int) {
        self.path = path
        loops = (0..<loopCount).map { _ in LoopFigures() }
    }

    func handlerWaits(onLoop loop: Int) { loops[loop].waitingHandlers.add(1) }

    func waitingHandlerEnded(onLoop loop: Int) { loops[loop].waitingHandlers.add(-1) }

    func callsEnded(_ calls: Span<EndedCall>, from origin: CallOrigin, onLoop loop: Int) { loops[loop].add(calls) }

    var wasCalled: Bool { loops.contains { $0.wasCalled } }

    func add(to figures: inout CallMetrics.Figures) {
        for loop in loops { loop.add(to: &figures) }
    }
}

/// One method's figures on one event loop, which alone changes them. Other threads may read them. Each figure is correct, but two figures may
/// differ by a few calls.
private final class LoopFigures: Sendable {
    let waitingHandlers = LoopCounter()
    private let codes = InlineArray<17, LoopCounter> { _ in LoopCounter() }
    private let requestByteCount = LoopCounter()
    private let responseByteCount = LoopCounter()
    private let nanoseconds = LoopCounter()
    private let latencies = InlineArray<110, LoopCounter> { _ in LoopCounter() }

    func add(_ calls: Span<EndedCall>) {
        var (requests, responses, nanoseconds) = (0, 0, 0)
        // Calls of one burst mostly end alike, so they are counted together.
        var alike = (code: calls[0].code, nanoseconds: calls[0].nanoseconds, count: 0)
        for index in calls.indices {
            let call = calls[index]
            requests &+= call.requestByteCount
            responses &+= call.responseByteCount
            nanoseconds &+= Int(call.nanoseconds)
            if call.code != alike.code || call.nanoseconds != alike.nanoseconds {
                add(alike.count, alike.code, alike.nanoseconds)
                alike = (call.code, call.nanoseconds, 0)
            }
            alike.count &+= 1
        }
        add(alike.count, alike.code, alike.nanoseconds)
        requestByteCount.add(requests)
        responseByteCount.add(responses)
        self.nanoseconds.add(nanoseconds)
    }

    private func add(_ count: Int, _ code: StatusCode, _ nanoseconds: Int64) {
        codes[Int(code.rawValue)].add(count)
        latencies[LatencyHistogram.bucket(of: nanoseconds)].add(count)
    }

    var wasCalled: Bool { waitingHandlers.value != 0 || codes.indices.contains { codes[$0].value > 0 } }

    func add(to figures: inout CallMetrics.Figures) {
        figures.waitingHandlers += waitingHandlers.value
        figures.requestByteCount += requestByteCount.value
        figures.responseByteCount += responseByteCount.value
        figures.totalDuration += .nanoseconds(nanoseconds.value)
        for code in StatusCode.allCases {
            let count = codes[Int(code.rawValue)].value
            if count > 0 { figures.ended[code, default: 0] += count }
        }
        for index in latencies.indices { figures.latencies.add(latencies[index].value, toBucket: index) }
    }
}

/// A number that one thread at a time changes and any thread reads. (A plain store is much faster than an atomic addition.)
private struct LoopCounter: ~Copyable, Sendable {
    private let number = Atomic<Int>(0)

    init() {}

    var value: Int { number.load(ordering: .relaxed) }

    @inline(__always)
    func add(_ count: Int) { number.store(number.load(ordering: .relaxed) &+ count, ordering: .relaxed) }
}
