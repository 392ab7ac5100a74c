import ProtobufWellKnownTypes
import RPCCore
import Testing

/// Observers of calls, without a server.
@Suite struct ObserverTests {
    private static func method(_ name: String, _ observers: [any CallObserver], loopCount: Int = 1) -> RegisteredMethod {
        var router = Router()
        router.registerSynchronous(
            MethodDescriptor<Google_Protobuf_StringValue, Google_Protobuf_StringValue>(service: "s", method: name, shape: .unary)
        ) { request, _ in request }
        return router.methodTable(observers: observers, loopCount: loopCount).methods[0]
    }

    @Test("latencies lie in buckets whose bounds grow by a quarter at most, and none lies outside of its own")
    func buckets() throws {
        var last = Duration.zero
        for power in 0..<40 {
            for nanoseconds in [Int64(1) << power, (Int64(1) << power) + 1, 3 << power, (Int64(1) << power) - 1] {
                let histogram = Self.histogram([nanoseconds])
                let bucket = try #require(histogram.buckets.first)
                #expect(histogram.count == 1 && histogram.buckets.count == 1)
                guard let bound = bucket.upperBound else {
                    #expect(nanoseconds >= 1 << 37)
                    continue
                }
                #expect(.nanoseconds(nanoseconds) < bound)
                if nanoseconds >= 1 << 10 { #expect(bound <= .nanoseconds(nanoseconds) * 5 / 4 + .nanoseconds(1)) }
            }
            let bound = Self.histogram([Int64(1) << power]).quantile(1) ?? .seconds(3600)
            #expect(bound >= last)
            last = bound
        }
    }

    @Test("a quantile is the bound of the bucket in which its last call lies; without calls, or above the last bound, there is none")
    func quantiles() {
        let histogram = Self.histogram(Array(repeating: 1_000, count: 98) + [2_000_000, 1 << 40])
        #expect(histogram.quantile(0.5) == .nanoseconds(1024))
        #expect(histogram.quantile(0.98) == .nanoseconds(1024))
        #expect(histogram.quantile(0.99) == .nanoseconds(2_097_152))
        #expect(histogram.quantile(1) == nil)
        #expect(LatencyHistogram().quantile(0.5) == nil)
        var both = histogram
        both += histogram
        #expect(both.count == 200 && both.quantile(0.99) == histogram.quantile(0.99))
    }

    /// The histogram of calls with these durations, as metrics make it.
    private static func histogram(_ nanoseconds: [Int64]) -> LatencyHistogram {
        let metrics = CallMetrics()
        let method = method("Call", [metrics])
        let calls = nanoseconds.map { EndedCall(code: .ok, requestByteCount: 1, responseByteCount: 2, nanoseconds: $0) }
        method.target.observer?.callsEnded(calls.span, from: .inProcess, onLoop: 0)
        return metrics.current["s/Call"]?.latencies ?? LatencyHistogram()
    }

    @Test("metrics add up what all loops and servers count, by code")
    func metrics() throws {
        let metrics = CallMetrics()
        for server in 0..<2 {
            let observer = try #require(Self.method("Call", [metrics], loopCount: 3).target.observer)
            for loop in 0..<3 {
                observer.handlerWaits(onLoop: loop)
                if loop > 0 { observer.waitingHandlerEnded(onLoop: loop) }
                let code = StatusCode.allCases[server * 3 + loop]
                let call = EndedCall(code: code, requestByteCount: 10, responseByteCount: 100, nanoseconds: 1_000_000)
                observer.callsEnded([call, call].span, from: .inProcess, onLoop: loop)
            }
        }
        _ = Self.method("Other", [metrics])
        #expect(Array(metrics.current.keys) == ["s/Call"], "a method that nobody calls has no figures")
        let figures = try #require(metrics.current["s/Call"])
        #expect(figures.ended == Dictionary(uniqueKeysWithValues: StatusCode.allCases.prefix(6).map { ($0, 2) }))
        #expect(figures.endedCount == 12 && figures.latencies.count == 12 && figures.waitingHandlers == 2)
        #expect(figures.requestByteCount == 120 && figures.responseByteCount == 1_200)
        #expect(figures.totalDuration == .milliseconds(12))
    }

    @Test("a limit counts only the methods it is told of, of all together, and a call that it refuses takes no place")
    func concurrencyLimit() throws {
        let limit = ConcurrencyLimit(limit: 2) { $0 != "s/Free" }
        #expect(Self.method("Free", [limit]).target.limit == nil)
        let (one, other) = (try #require(Self.method("One", [limit]).target.limit), try #require(Self.method("Other", [limit]).target.limit))
        try one.takePlace()
        try other.takePlace()
        for _ in 0..<3 {
            let error = #expect(throws: RPCError.self) { try one.takePlace() }
            #expect(error?.code == .resourceExhausted)
        }
        other.returnPlace()
        try one.takePlace()
    }

    @Test("where one limit refuses a call, those before it get their places back, and those behind it are not asked", arguments: [0, 1, 2])
    func refusal(_ place: Int) throws {
        let others = [ConcurrencyLimit(limit: 1), ConcurrencyLimit(limit: 1)]
        var limits = others
        limits.insert(ConcurrencyLimit(limit: 0), at: place)
        let limit = try #require(Self.method("Call", limits).target.limit)
        for _ in 0..<3 { #expect(throws: RPCError.self) { try limit.takePlace() } }
        for other in others {
            try other.takePlace()
            #expect(throws: RPCError.self) { try other.takePlace() }
        }
    }
}
