import Logging
import Testing

@testable import RPCCore

@Suite("The trace of a call") struct TraceParentTests {
    private static let good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    private static let logger = Logger(label: "test", factory: { StreamLogHandler.standardError(label: $0) })

    @Test("a traceparent is read as W3C has it")
    func good() throws {
        let trace = try #require(TraceParent(Self.good))
        #expect(trace.traceID == "0af7651916cd43dd8448eb211c80319c" && trace.parentID == "b7ad6b7169203331" && trace.isSampled)
        #expect(TraceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00")?.isSampled == false)
        // A later version may have more fields after it.
        #expect(TraceParent("cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more") != nil)
    }

    @Test("a malformed one counts as absent", arguments: [
        "", "00", "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01", "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01", "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more", "00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0x",
    ])
    func malformed(_ text: String) {
        #expect(TraceParent(text) == nil)
        #expect(TraceParent(nil) == nil)
    }

    @Test("a call that is made in a trace has its id and flags, and an id of its own each time")
    func next() throws {
        let trace = try #require(TraceParent(Self.good))
        let next = (0..<1_000).map { _ in trace.next() }
        #expect(next.allSatisfy { TraceParent($0.text) == $0 && $0.traceID == trace.traceID && $0.isSampled })
        #expect(Set(next.map(\.parentID) + [trace.parentID]).count == 1_001)
        #expect(trace.text == Self.good)
    }

    @Test("lines of a handler's log name the trace")
    func logged() {
        let context = CallContext(peer: nil, metadata: ["traceparent": Self.good], deadline: .never, method: "a/b", logger: Self.logger)
        #expect(context.logger[metadataKey: "trace.id"] == "0af7651916cd43dd8448eb211c80319c")
        #expect(context.logger[metadataKey: "trace.span"] == "b7ad6b7169203331")
        #expect(
            CallContext(peer: nil, metadata: ["traceparent": "x"], deadline: .never, method: "a/b", logger: Self.logger).logger[
                metadataKey: "trace.id"] == nil)
    }
}
