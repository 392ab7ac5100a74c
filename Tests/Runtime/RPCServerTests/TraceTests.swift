import RPCClient
import RPCCore
import RPCServer
import Synchronization
import Testing

/// A trace continues from a call to the calls that its handler makes.
@Suite("Handing on a trace") struct TraceTests {
    private static let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    /// Records the trace that the second service gets.
    private final class Told: Sendable {
        private let calls = Mutex<[Metadata]>([])
        func note(_ metadata: Metadata) { calls.withLock { $0.append(metadata) } }
        var all: [Metadata] { calls.withLock { $0 } }
    }

    /// Runs a service whose handlers call a second service twice, and read a stream from it.
    private func withServices(
        _ wireProtocol: WireProtocol, interceptors: [TracePropagation] = [TracePropagation()], _ body: (Channel, Told) async throws -> Void
    ) async throws {
        let told = Told()
        try await withServer { router in
            router.registerSynchronous(TestMethods.echo) { request, context in
                told.note(context.metadata)
                return request
            }
            router.registerServerStreaming(StreamTests.watch) { _, _, context in told.note(context.metadata) }
        } _: { behind in
            try await withChannel(to: behind.path, wireProtocol) { inner in
                let outbound = inner.intercepted(by: interceptors)
                try await withServer(interceptors: interceptors) { router in
                    router.register(TestMethods.wait) { request, context in
                        var metadata = Metadata()
                        if request.value == "own" {
                            metadata.set("00-11111111111111111111111111111111-2222222222222222-00", for: "traceparent")
                        }
                        let options = CallOptions(metadata: metadata)
                        _ = try await outbound.unary(TestMethods.echo, request, options: options)
                        _ = try await Task { try await outbound.unary(TestMethods.echo, request, options: options) }.value
                        for try await _ in outbound.serverStream(StreamTests.watch, request, options: options) {}
                        return request
                    }
                } _: { front in
                    try await withChannel(to: front.path, wireProtocol) { try await body($0, told) }
                }
            }
        }
    }

    @Test("calls of a handler have its call's trace id, a parent id of their own, and its tracestate", arguments: [WireProtocol.ttrpc, .grpc])
    func handedOn(_ wireProtocol: WireProtocol) async throws {
        try await withServices(wireProtocol) { channel, told in
            _ = try await channel.call(TestMethods.wait, "x", metadata: ["traceparent": Self.parent, "tracestate": "a=1,b=2"])
            let traces = told.all.compactMap { TraceParent($0["traceparent"]) }
            #expect(traces.count == 3)
            #expect(Set(traces.map(\.traceID)) == ["0af7651916cd43dd8448eb211c80319c"])
            #expect(Set(traces.map(\.parentID) + ["b7ad6b7169203331"]).count == 4)
            #expect(traces.allSatisfy { $0.isSampled })
            #expect(told.all.allSatisfy { $0.values(for: "tracestate") == ["a=1,b=2"] })
        }
    }

    @Test("without a trace, with a malformed one and without the interceptor nothing is handed on; a caller's own trace wins")
    func notHandedOn() async throws {
        try await withServices(.ttrpc) { channel, told in
            _ = try await channel.call(TestMethods.wait, "x")
            _ = try await channel.call(TestMethods.wait, "x", metadata: ["traceparent": "00-zz"])
            #expect(told.all.count == 6 && told.all.allSatisfy { $0["traceparent"] == nil })
            _ = try await channel.call(TestMethods.wait, "own", metadata: ["traceparent": Self.parent])
            #expect(told.all.dropFirst(6).allSatisfy { $0.values(for: "traceparent") == ["00-11111111111111111111111111111111-2222222222222222-00"] })
            let long = String(repeating: "x", count: TracePropagation.longestState + 1)
            _ = try await channel.call(TestMethods.wait, "x", metadata: ["traceparent": Self.parent, "tracestate": long])
            #expect(told.all.dropFirst(9).allSatisfy { $0["traceparent"] != nil && $0["tracestate"] == nil })
        }
        try await withServices(.ttrpc, interceptors: []) { channel, told in
            _ = try await channel.call(TestMethods.wait, "x", metadata: ["traceparent": Self.parent])
            #expect(told.all.allSatisfy { $0["traceparent"] == nil })
        }
    }
}
