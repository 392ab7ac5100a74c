import PulseBoardDomain
import Testing

@testable import GRPCWire
@testable import ProtobufC
@testable import PulseBoardServices
@testable import RPCCore
@testable import RPCServer
@testable import SocketTransport
@testable import TTRPCWire
@testable import WireBytes

/// The figures that `docs/architecture.md` gives are those of the code.
@Suite struct ArchitectureFactTests {
    /// A type that has the size of a part of a burst, which is the same in both protocols.
    private typealias Part = GRPCWire.ServerSession

    @Test("docs/architecture.md gives the figures of reads, streams and the event loop")
    func callsAndLoops() throws {
        let limits = ServerLimits()
        let calls = "about \(Written.word(Part.callsInPart))"
        try check([
            (
                "## The path of one call",
                [
                    "One read takes up to \(Written.bytes(EventLoop.readBufferByteCount)) into the loop's buffer",
                    "or \(Written.bytes(Connection.crowdedReadByteCount)) while other connections",
                    "the last \(Written.word(KnownMethods.limit + 1)) methods", "The answers of \(calls) calls",
                ]
            ),
            (
                "## Streams",
                [
                    "A stream may queue \(Written.bytes(limits.maximumQueuedByteCountPerStream)),",
                    "and a connection \(Written.bytes(limits.maximumQueuedByteCountPerConnection)).",
                    "more than \(Written.bytes(OutputWaiters.highWater)) wait for the socket",
                ]
            ),
            ("## Observers", ["once for \(calls) calls"]),
            (
                "## The event loop",
                [
                    "waits up to \(Written.milliseconds(EventLoop.lingerNanoseconds)) before it returns to Dispatch",
                    "polls for up to \(IdlePolling.windowNanoseconds / 1_000) µs", "in parts of \(calls) calls",
                ]
            ),
            ("## Glossary", ["Part: \(calls) of its calls"]),
        ])
    }

    @Test("docs/architecture.md gives the lengths of turns and parts")
    func turns() throws {
        let slice = Written.milliseconds(TurnShare.slice), allowance = Written.milliseconds(TurnShare.allowance)
        let much = "\(EventLoop.muchReadyWork) pieces of work are ready"
        let headers = Written.bytes(FrameScanner.workInPart * FrameScanner.blockBytesEach)
        try check([
            (
                "## Fair turns",
                [
                    "works for one connection for \(slice),", "of a user together for \(allowance) a turn", "get \(allowance) a turn together",
                    "turns of \(Written.milliseconds(ReadyWork.slice)).", "When the \(allowance) are over",
                    "at most \(Written.count(DecodingCost.mostFields)) fields",
                    "at most \(Written.bytes(MessageDescriptor.cheapByteCount)) outside of `bytes` fields",
                    "after \(Written.word(Part.callsInPart)) calls, \(Part.messagesInPart) messages of streams,",
                    "or \(Written.bytes(Part.bytesInPart)) of messages", "after \(FrameScanner.workInPart) frames or \(headers) of headers",
                ]
            ),
            (
                "## Fair turns",
                [
                    "A part ends at \(Written.bytes(Inflation.pieceWork)) of work", "byte of input as \(Inflation.inputWork).", "If that is more than \(Written.bytes(InboundMessage.mostWorkOnLoop)) of work,",
                    "due together act for \(allowance) a turn",
                    "while \(much), only \(Written.word(EventLoop.fewestTimers)) timers act", "While \(much), a turn cancels only one",
                    "in pieces of \(Written.bytes(Connection.writeByteCount)) until",
                    "\(ServerConnection.cancelledAtOnce) of its handlers are cancelled at once", "accepts connections for \(slice) a turn",
                    "After \(Written.word(Listener.turnsBeforePause)) turns in a row",
                    "it pauses for \(Written.milliseconds(Listener.pauseAfterRefusals)).",
                    "as long as the limit, at most \(Written.count(DescriptorLimit.longestTable)),",
                ]
            ),
        ])
    }

    @Test("docs/architecture.md gives the figures of the accountant")
    func accountant() throws {
        try check([
            (
                "## The accountant",
                [
                    "has changed by \(Written.bytes(ServerConnection.smallestDifference)) (",
                    "\(Written.bytes(ServerConnection.ownByteCount)) for the connection itself",
                    "for each waiting call \(Written.bytes(ServerConnection.waitingCallByteCount)),",
                    "buffers over \(Written.bytes(ByteBuffer.smallCapacity)).",
                    "An answer of \(Written.bytes(ServerConnection.smallestDifference)) or more counts",
                    "at least \(Written.bytes(ServerConnection.smallestDrop)).",
                    "leave more than \(Written.bytes(ServerConnection.unreadWhenFull)) unread",
                    "while more than \(Written.bytes(ServerConnection.queuedWhenFull)) of its requests wait",
                    "grown by \(Written.bytes(HeldMemory.surplus)) or more", "\(ServerShared.closedAtATime) at a time",
                ]
            )
        ])
    }

    @Test("docs/architecture.md gives the figures of memory, watches and identities")
    func services() throws {
        let woken = ChangeHub.wokenAtOnce, heartbeat = "\(Watch.heartbeat.microseconds / 1_000_000) s"
        try check([
            ("## Answers from memory", ["Keys share \(Written.count(WriteFence<UserID>.bucketCount)) slots"]),
            (
                "## Watching",
                [
                    "More than \(woken) watchers are woken by a separate task, \(woken) at a time",
                    "Every \(heartbeat) the watch wakes", "Once an hour it also asks the store",
                ]
            ),
            ("## Glossary", ["A user has up to \(Written.word(Identity.maximumCount)) identities.", "a message every \(heartbeat)"]),
        ])
        #expect(Watch.longestNap == .hours(1))
    }

    @Test("docs/architecture.md and docs/performance.md count the properties whose accesses release builds do not check, and those of each file")
    func uncheckedProperties() throws {
        let counts = try Page.filesByPath("Sources", ".swift").mapValues { $0.matches(of: /@exclusivity\(unchecked\)/).count }.filter { $0.value > 0 }
        let count = counts.values.reduce(0, +)
        #expect(try Page("docs/architecture.md").text.contains("omit this check for \(count) properties of the fast path"))
        let page = try Page("docs/performance.md")
        #expect(page.text.contains("omit the check for [\(count) properties]"))
        var documented: [String: Int] = [:]
        for row in try page.rows("### Checks of overlapping accesses").dropFirst() {
            let file = try #require(Page.code(in: row[0]).first)
            let count: Int = try #require(Int(row[1]), "\(file) has '\(row[1])' properties")
            documented["Runtime/" + file] = count
        }
        #expect(counts == documented)
    }

    private func check(_ documented: [(String, [String])]) throws {
        let page = try Page("docs/architecture.md")
        for (heading, texts) in documented {
            let section = try page.text(heading)
            for text in texts { #expect(section.contains(text), "'\(heading)' does not say '\(text)'") }
        }
    }
}
