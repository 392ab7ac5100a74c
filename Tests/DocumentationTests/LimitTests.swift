import PulseBoardDomain
import PulseBoardVocabulary
import Testing
import WireBytes

@testable import GRPCWire
@testable import ProtobufC
@testable import RPCClient
@testable import RPCCore
@testable import RPCServer
@testable import SocketTransport
@testable import TTRPCWire

/// The limits that the pages give are those of the code.
@Suite struct LimitTests {
    private let limits = ServerLimits()

    @Test("docs/wire-protocols.md gives the limits of both protocols")
    func wireLimits() throws {
        let page = try Page("docs/wire-protocols.md")
        let client = Channel.Configuration(socketPath: "/unused")
        let progress = Written.bytes(UnreadOutputWatch.progressByteCount)
        let decoding = DecodingOptions()
        let budgetOfByte = decoding.budget(forInputOf: 1) - decoding.budget(forInputOf: 0)
        let documented: [(String, [String])] = [
            (
                "data of one frame",
                [
                    Written.bytes(limits.maximumMessageByteCount), Written.bytes(client.maximumMessageByteCount),
                    Written.bytes(TTRPCLimits.maximumDataLength), Written.bytes(SessionLimits().maximumMessageByteCount),
                ]
            ),
            (
                "running calls of one connection",
                [Written.count(limits.maximumConcurrentCallsPerConnection), Written.count(SessionLimits().maximumConcurrentStreams)]
            ),
            ("handlers of one connection", ["twice as many as running calls"]),
            ("running calls of all connections", [Written.count(limits.maximumConcurrentCalls), Written.count(limits.reservedCallCount)]),
            ("the same, all connections of one user", [Written.count(limits.maximumConcurrentCallsPerUser)]),
            ("memory that the server holds", [Written.bytes(limits.maximumHeldByteCountPerUser), Written.bytes(limits.maximumHeldByteCount)]),
            ("time to a connection's first ten bytes", [Written.seconds(limits.firstByteTimeout)]),
            ("time in which a client must read \(progress) of waiting output", [Written.seconds(limits.unreadOutputTimeout)]),
            ("time that a drain waits", [Written.seconds(limits.halfSentDrainTimeout)]),
            ("connections of one uid;", [Written.count(limits.maximumConnectionsPerUID)]),
            ("connections of one uid on the remote socket", [Written.count(limits.maximumConnectionsPerGateway)]),
            (
                "metadata pairs of a request",
                [Written.count(RequestEnvelope.maximumMetadataCount), Written.bytes(RequestEnvelope.maximumMetadataByteCount)]
            ),
            ("fields of a request's envelope", [Written.count(RequestEnvelope.maximumFieldCount)]),
            ("time for half a frame", [Written.seconds(limits.unfinishedTimeout)]),
            ("glitches of a connection", [Written.count(GlitchBudget.burst), Written.count(GlitchBudget.perSecond)]),
            (
                "metadata of an earlier request",
                [
                    "ttrpc: \(Written.bytes(KnownMetadata.byteLimit));",
                    "gRPC: \(InboundHeaders.capacity) header blocks of \(InboundHeaders.maximumFieldCount) fields",
                    "fields and \(Written.bytes(InboundHeaders.maximumByteCount))",
                ]
            ),
            ("calls of one part of a burst", [Written.count(HandlerTaskPool.gatheredCallLimit)]),
            ("nesting of a message", [Written.count(decoding.maxNestingDepth)]),
            ("memory of an unpacked message", [Written.bytes(decoding.budget(forInputOf: 0)), "\(budgetOfByte) × its size"]),
            (
                "requests of one stream that its handler has not read, with \(InboundBudget.messageOverhead) bytes for each message",
                [
                    Written.bytes(limits.maximumQueuedByteCountPerStream), "client waits at \(Written.bytes(ReceiveWindow.defaultByteCount))",
                    "client waits at \(Written.bytes(SessionLimits.streamWindow))",
                ]
            ),
            ("the same, all streams of a connection", [Written.bytes(limits.maximumQueuedByteCountPerConnection)]),
            (
                "responses of one stream",
                [
                    Written.bytes(OpenedStream.queuedLimit), "server waits at \(Written.bytes(ReceiveWindow.defaultByteCount))",
                    "server waits at \(Written.bytes(SessionLimits.streamWindow))",
                ]
            ),
            ("the same, all streams of a channel", [Written.bytes(client.maximumQueuedByteCount)]),
            ("requests of a connection of PulseBoard's client", [Written.bytes(client.maximumUnsentByteCount)]),
            (
                "unwritten output above which streams wait",
                [Written.bytes(OutputWaiters.highWater), "continue at \(Written.bytes(OutputWaiters.lowWater))"]
            ),
            ("unwritten answers above which the server stops", [Written.bytes(Connection.outputHighWater)]),
            (
                "unwritten answers above which new calls",
                [Written.bytes(limits.maximumUnreadByteCount), Written.bytes(SessionLimits().maximumBufferedByteCount)]
            ),
            ("unwritten answers at which the server closes", [Written.bytes(Connection.outputLimit)]),
        ]
        for (words, values) in documented {
            let cell = try page.value(of: words, in: "## Limits")
            for value in values { #expect(cell.contains(value), "'\(words)' is documented as '\(cell)'") }
        }
        #expect(ServerLimits.handlersEachCall == 2)
    }

    @Test("docs/wire-protocols.md gives the limits of gRPC")
    func grpcLimits() throws {
        typealias Part = GRPCWire.ServerSession
        let page = try Page("docs/wire-protocols.md")
        let documented: [(String, [String])] = [
            (
                "metadata pairs of a request",
                [Written.count(MetadataHeaders.maximumCount), "\(Written.bytes(SessionLimits().maximumHeaderListByteCount)) of headers"]
            ),
            ("headers of a request of PulseBoard's client", [Written.bytes(HTTP2Session.longestHeaderList)]),
            ("incomplete messages of a connection", [Written.bytes(SessionLimits().maximumUnfinishedByteCount)]),
            ("decompression in one part", [Written.bytes(Inflation.pieceWork), Written.count(Inflation.inputWork)]),
            (
                "calls, messages of streams and bytes of messages",
                ["\(Part.callsInPart), \(Part.messagesInPart) and \(Written.bytes(Part.bytesInPart));"]
            ),
            ("calls that a client resets", [Written.count(GlitchBudget.cancelBurst), Written.count(GlitchBudget.perSecond)]),
            ("SETTINGS frames", [Written.count(FloodGuard.maximumSettings)]),
            ("frames that move nothing", [Written.count(FloodGuard.maximumIdleFrames), Written.count(FloodGuard.idleFramesEach)]),
        ]
        for (words, values) in documented {
            let cell = try page.value(of: words, in: "## gRPC")
            for value in values { #expect(cell.contains(value), "'\(words)' is documented as '\(cell)'") }
        }
    }

    @Test("docs/operating.md gives the defaults of --limit")
    func optionDefaults() throws {
        let page = try Page("docs/operating.md")
        let documented: [(String, String)] = [
            ("`calls`", String(limits.maximumConcurrentCalls)),
            ("`calls-per-connection`", String(limits.maximumConcurrentCallsPerConnection)),
            ("`calls-in-reserve`", String(limits.reservedCallCount)),
            ("`memory`", "\(limits.maximumHeldByteCount >> 20) MiB"),
            ("`unread-per-connection`", Written.bytes(limits.maximumUnreadByteCount)),
            ("`queued-per-stream`", Written.bytes(limits.maximumQueuedByteCountPerStream)),
            ("`queued-per-connection`", Written.bytes(limits.maximumQueuedByteCountPerConnection)),
            ("`connections-per-uid`", String(limits.maximumConnectionsPerUID)),
            ("`connections-per-gateway`", String(limits.maximumConnectionsPerGateway)),
            ("`glitches`", String(limits.maximumGlitchCount)),
            ("`first-byte-seconds`", String(limits.firstByteTimeout.components.seconds)),
            ("`unfinished-seconds`", String(limits.unfinishedTimeout.components.seconds)),
            ("`unread-seconds`", String(limits.unreadOutputTimeout.components.seconds)),
        ]
        for (name, value) in documented {
            let cell = try page.value(of: name, in: "### Limits of clients")
            #expect(cell.hasPrefix(value), "\(name) is documented as '\(cell)'")
        }
        #expect(try page.value(of: "`calls-per-user`", in: "### Limits of clients") == "a quarter of `calls`")
        #expect(limits.maximumConcurrentCallsPerUser * 4 == limits.maximumConcurrentCalls)
        #expect(try page.value(of: "`memory-per-user`", in: "### Limits of clients") == "a quarter of `memory`")
        #expect(limits.maximumHeldByteCountPerUser * 4 == limits.maximumHeldByteCount)
    }

    @Test("docs/api.md gives the limits of texts and lists")
    func fieldLimits() throws {
        let page = try Page("docs/api.md")
        let texts = ProfileTextField.allCases.map(\.facts).map { facts in
            ("`\(facts.path)`", ["\(facts.maximumCharacters) graphemes", "\(Written.count(facts.maximumBytes)) bytes"])
        }
        let documented: [(String, [String])] = texts + [
            ("`account`", ["1 to \(AccountID.maximumNameBytes) bytes"]),
            ("`request_id`", ["1 to \(RequestID.maximumBytes) bytes"]),
        ]
        for (name, values) in documented {
            let cell = try page.value(of: name, in: "## Fields")
            for value in values { #expect(cell.contains(value), "\(name) is documented as '\(cell)'") }
        }
        let lists = try page.text("## Lists")
        #expect(lists.contains("0 means \(PageRequest.defaultSize)") && lists.contains("More than \(PageRequest.maximumSize) means"))
        let languages = try page.text("## Languages")
        #expect(languages.contains("first \(Language.maximumHeaderBytes) bytes"))
        let watching = try page.text("## Watching")
        #expect(watching.contains("valid for 7 days or \(Written.count(FollowEventRetention.standard.count)) events"))
        #expect(FollowEventRetention.standard.age == .days(7))
    }
}
