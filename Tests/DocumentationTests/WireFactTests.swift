import Testing
import WireBytes

@testable import GRPCWire
@testable import RPCClient
@testable import RPCServer
@testable import SocketTransport
@testable import TTRPCWire

/// The figures that `docs/wire-protocols.md` gives outside of its tables of limits are those of the code.
@Suite struct WireFactTests {
    private let limits = ServerLimits()

    @Test("docs/wire-protocols.md says what each input of ttrpc and gRPC gets, and from which size or number on")
    func inputs() throws {
        let page = try Page("docs/wire-protocols.md")
        let ttrpc = "## What comes in, what goes out"
        let pairs = Written.count(RequestEnvelope.maximumMetadataCount), pairBytes = Written.bytes(RequestEnvelope.maximumMetadataByteCount)
        let headers = Written.bytes(SessionLimits().maximumHeaderListByteCount), unfinished = Written.seconds(limits.unfinishedTimeout)
        let late = Written.bytes(TTRPCWire.ServerSession.mostLateBytes)
        let documented: [(String, String, String)] = [
            (ttrpc, "Request with more than \(pairs) metadata pairs, or more than \(pairBytes) of them", "RESOURCE_EXHAUSTED"),
            (ttrpc, "the same on one of the last streams that the server has ended, up to \(late)", "nothing"),
            (ttrpc, "half a frame, for \(unfinished)", "the connection is closed"),
            ("## gRPC", "another content type", "for \(Written.bytes(limits.maximumMessageByteCount)) or \(unfinished);"),
            (
                "## gRPC", "headers over \(headers), as HTTP/2 counts them; more than \(MetadataHeaders.maximumCount) metadata pairs",
                "RESOURCE_EXHAUSTED"
            ),
            ("## gRPC", "a header of which the name or the value has more than", "SETTINGS_MAX_HEADER_LIST_SIZE tells clients the \(headers);"),
            (
                "## gRPC",
                "a message that grows to more than \(Written.bytes(Inflation.ratioFreeByteCount)), and also to more than \(Inflation.maximumRatio) times",
                "RESOURCE_EXHAUSTED"
            ),
            (
                "## gRPC",
                "a compressed message of more than \(Written.bytes(Inflation.paddingFreeByteCount)) that is also more than \(Inflation.maximumPadding) times",
                "RESOURCE_EXHAUSTED"
            ),
            (
                "## gRPC", "DATA on one of the last streams that the server has ended, up to \(Written.bytes(FrameScanner.mostLateBytes)) of frames",
                "nothing"
            ),
            ("## gRPC", "a stream within the limit, while the connection has twice as many handlers", "REFUSED_STREAM"),
        ]
        for (heading, input, answer) in documented {
            let cell = try page.value(of: input, in: heading)
            #expect(cell.contains(answer), "'\(input)' is documented as '\(cell)'")
        }
        #expect(ServerLimits.handlersEachCall == 2)
    }

    @Test("docs/wire-protocols.md gives the figures of ttrpc in its text")
    func ttrpc() throws {
        let raise = Written.bytes(SendWindow.leastRaise), idle = Written.count(FloodGuard.maximumIdleFrames)
        let longest = Written.seconds(.nanoseconds(Backoff.longest)), jitter = Int((Backoff.jitter * 100).rounded())
        try check([
            (
                "# Wire protocols",
                [
                    "the length of a ttrpc frame is at most \(Written.bytes(TTRPCLimits.maximumDataLength))",
                    "checks the first \(Written.word(FirstFrame.byteCount)) bytes", "an even id or one from 2²⁴ on",
                ]
            ),
            ("## Additions to ttrpc", ["`window=\(ReceiveWindow.defaultByteCount)`"]),
            ("## What comes in, what goes out", ["An error is at most \(Written.bytes(StatusEnvelope.maximumByteCount)),"]),
            ("## Limits", ["pauses accepting for \(Written.milliseconds(Listener.pauseWithoutDescriptors)) and"]),
            (
                "## Glitches",
                [
                    "may cause \(Written.count(GlitchBudget.burst)) at once, and \(GlitchBudget.perSecond) more a second",
                    "may cancel \(Written.count(GlitchBudget.cancelBurst)) calls at once and \(GlitchBudget.perSecond) more a second",
                    "that gives less than \(raise) |", "if there are more than \(idle), and \(FloodGuard.idleFramesEach) for each useful frame",
                ]
            ),
            ("## Incomplete input", ["each have \(Written.seconds(limits.unfinishedTimeout)) to arrive"]),
            ("## Deadlines", ["fires up to \(Written.milliseconds(TimerWheel.tick)) late"]),
            ("## Drain", ["does not close it within a second, the server does"]),
            (
                "## The client's side",
                [
                    "tries again after \(Written.milliseconds(Backoff.first)), and each later pause is \(Backoff.growth) times as long",
                    "up to \(longest), with a random ±\(jitter) %",
                    "has used ids up to 2³⁰",
                ]
            ),
        ])
        let firstIDs: UInt32 = 1 << 24, allIDs: UInt32 = 1 << 30
        #expect(FirstFrame.highestFirstID == firstIDs)
        #expect(TTRPCWire.ClientSession.defaultRenewalStreamID == allIDs)
        #expect(GRPCWire.ClientSession.defaultRenewalStreamID == allIDs)
        #expect(limits.drainedConnectionTimeout == .seconds(1))
    }

    @Test("docs/wire-protocols.md gives the figures of gRPC in its text")
    func grpc() throws {
        let headers = Written.bytes(SessionLimits().maximumHeaderListByteCount)
        try check([
            (
                "## gRPC",
                [
                    "trailers over \(headers), as HTTP/2 counts them",
                    "Each of the two is cut to \(Written.bytes(ResponseHeaders.maximumByteCount)),",
                    "One part of a burst decompresses \(Written.bytes(Inflation.pieceWork)) at most",
                    "The window of a stream (\(Written.bytes(SessionLimits.streamWindow)))",
                    "The window of the connection (\(Written.bytes(SessionLimits.connectionWindow)))",
                    "one ping every five minutes", "The third ping that comes too early",
                ]
            )
        ])
        #expect(Duration.nanoseconds(PingPolicy.minimumInterval) == .seconds(300))
        #expect(PingPolicy.maximumStrikes == 2)
    }

    private func check(_ documented: [(String, [String])]) throws {
        let page = try Page("docs/wire-protocols.md")
        for (heading, texts) in documented {
            let section = try page.text(heading)
            for text in texts { #expect(section.contains(text), "'\(heading)' does not say '\(text)'") }
        }
    }
}
