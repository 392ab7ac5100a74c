import ProtobufC
import ProtobufWellKnownTypes
import Synchronization
import Testing

@testable import RPCCore

/// The limit of messages that a stream keeps for its handler.
@Suite struct InboundMessagesTests {
    private typealias Text = Google_Protobuf_StringValue

    @Test("messages that came compressed count for the budgets as what they have become, and for the peer's window as what they were")
    func compressed() async throws {
        let upload = MethodDescriptor<Text, Text>(service: "test.v1.S", method: "Upload", shape: .clientStreaming)
        var router = Router()
        router.registerClientStreaming(upload) { requests, _ in
            var answer = Text()
            for try await request in requests { answer.value = "\(answer.value)\(request.value.utf8.count) " }
            return answer
        }
        let link = Link()
        let connection = InboundBudget(limit: 150_000)
        let end = router.methodTable().methods[0].makeServerEnd(
            link: link, budgets: StreamBudgets(streamByteCount: 200_000, reportEvery: 1, connection: connection))
        var text = Text()
        text.value = String(repeating: "x", count: 80_000)
        let bytes = try text.serializedBytes()
        for _ in 0..<2 { #expect(end.receive(bytes.span.bytes, byteCount: 100) == nil) }
        #expect(connection.usedByteCount > 90_000)
        #expect(end.receive(bytes.span.bytes, byteCount: 100)?.code == .resourceExhausted)
        end.halfClose()
        try await end.run(CallContext(peer: nil, metadata: Metadata(), deadline: .never, method: upload.path))
        #expect(link.consumedByteCount == 200)
        #expect(connection.usedByteCount == 0)
    }

    @Test("messages that are still compressed wait as they came, and become what they are when they are taken, however large that is")
    func decompressedWhenTaken() async throws {
        let link = Link(isDeferred: true)
        let inbound = InboundMessages(limit: 1000, reportEvery: 1, connection: InboundBudget(limit: 1000), link: link)
        let payload: [UInt8] = [7]
        for _ in 0..<3 {
            try inbound.append(payload.span.bytes, byteCount: 6, decompressor: Growing(to: 1 << 20))
        }
        inbound.finish()
        let first = try #require(try inbound.takeReady()?.get())
        #expect(first.bytes == payload && link.grownByteCount == 0)
        #expect(link.consumedByteCount == 6)
        let whole = try inbound.decompressed(first)
        #expect(whole.bytes == [UInt8](repeating: 7, count: 1 << 20) && whole.decompressor == nil)
        // The memory of the message counts until the next one is taken.
        #expect(link.grownByteCount == 1 << 20 - 1 && inbound.growthByteCount == 1 << 20 - 1)
        let second = try await inbound.wait()
        #expect(link.grownByteCount == 0)
        _ = try inbound.decompressed(try #require(second))
        #expect(link.grownByteCount == 1 << 20 - 1 && inbound.growthByteCount == 2 << 20 - 2)
        #expect(try await inbound.wait()?.bytes == payload)
        let end = try await inbound.wait()
        #expect(end == nil && link.grownByteCount == 0)
    }

    @Test("what a decompressed message has grown by is given back with its stream, and one that there is no memory for ends the stream")
    func growth() throws {
        let link = Link()
        let limit = RPCError(.resourceExhausted, "no memory")
        let payload: [UInt8] = [7]
        for grows in [true, false] {
            let inbound = InboundMessages(limit: 1000, reportEvery: 1, connection: InboundBudget(limit: 1000), link: link)
            try inbound.append(payload.span.bytes, byteCount: 6, decompressor: Growing(to: 101))
            let message = try #require(try inbound.takeReady()?.get())
            if grows {
                _ = try inbound.decompressed(message)
                #expect(link.grownByteCount == 100)
            } else {
                link.noMemory = limit
                #expect(throws: limit) { _ = try inbound.decompressed(message) }
                #expect(inbound.failure == limit && link.wasCancelled)
            }
        }
        #expect(link.grownByteCount == 0)
    }

    @Test("a compressed message that cannot become one ends the stream and the call, for a reader that waits too", arguments: [true, false])
    func notDecompressed(_ waits: Bool) async throws {
        let link = Link()
        let inbound = InboundMessages(limit: 1000, reportEvery: 1, connection: InboundBudget(limit: 1000), link: link)
        let damaged = RPCError(.internal, "damaged")
        let payload: [UInt8] = [7]
        let messages = MessageStream(inbound, MessageCodec<Text>())
        let reader = waits ? Task { for try await _ in messages {} } : nil
        while waits, !inbound.hasWaitingReader { await Task.yield() }
        try inbound.append(payload.span.bytes, byteCount: 6, decompressor: Growing(to: 0, failure: damaged))
        if let reader {
            await #expect(throws: damaged) { try await reader.value }
        }
        for _ in 0..<2 { await #expect(throws: damaged) { for try await _ in messages {} } }
        #expect(link.wasCancelled)
    }

    @Test("a reader that waits is woken once for all messages that the loop reads at once, and has them in order")
    func wokenOnce() async throws {
        let link = Link(isDeferred: true)
        let inbound = InboundMessages(limit: 1 << 20, reportEvery: 1 << 20, connection: InboundBudget(limit: 1 << 20), link: link)
        async let first = inbound.wait()
        while !inbound.hasWaitingReader { await Task.yield() }
        for text in ["a", "b", "c"] { try inbound.append(Array(text.utf8).span.bytes, byteCount: 1) }
        inbound.finish()
        #expect(link.runDeferred() == 1)
        #expect(try await first?.bytes == Array("a".utf8))
        #expect(try inbound.takeReady()?.get()?.bytes == Array("b".utf8))
        #expect(try inbound.takeReady()?.get()?.bytes == Array("c".utf8))
        let end = try #require(inbound.takeReady()).get()
        #expect(end == nil)
    }

    @Test("a message for a reader that waits uses no budget, and is counted as memory until it was taken")
    func countedForReader() async throws {
        let link = Link(isDeferred: true), budget = InboundBudget(limit: 1)
        let inbound = InboundMessages(limit: 1 << 20, reportEvery: 1 << 20, connection: budget, link: link)
        async let first = inbound.wait()
        while !inbound.hasWaitingReader { await Task.yield() }
        try inbound.append([UInt8](repeating: 0, count: 100_000).span.bytes, byteCount: 100_000)
        #expect(inbound.queuedByteCount == 0 && budget.usedByteCount == 0)
        #expect(budget.queuedByteCount == 100_000 + InboundBudget.messageOverhead)
        #expect(link.runDeferred() == 1)
        _ = try await first
        #expect(budget.queuedByteCount == 100_000 + InboundBudget.messageOverhead)
        _ = inbound.returnLent()
        #expect(budget.queuedByteCount == 0)
    }

    @Test("a second reader is refused, and its cancellation ends neither the wait of the first nor the call")
    func secondReader() async throws {
        let link = Link()
        let inbound = InboundMessages(limit: 1 << 20, reportEvery: 1 << 20, connection: InboundBudget(limit: 1 << 20), link: link)
        async let first = inbound.wait()
        while !inbound.hasWaitingReader { await Task.yield() }
        await #expect(throws: RPCError.secondReader) { _ = try await inbound.wait() }
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await inbound.wait()
        }
        await #expect(throws: RPCError.taskCancelled) { _ = try await cancelled.value }
        #expect(inbound.hasWaitingReader)
        #expect(!link.wasCancelled)
        try inbound.append(Array("a".utf8).span.bytes, byteCount: 1)
        #expect(try await first?.bytes == Array("a".utf8))
    }

    @Test("a cancelled reader gets the large message that it has taken; of a failed stream, nobody gets one")
    func largeMessages() async throws {
        let method = MethodDescriptor<Text, Text>(service: "test.v1.S", method: "Upload", shape: .clientStreaming)
        var text = Text()
        text.value = String(repeating: "가", count: 100_000)
        let bytes = try text.serializedBytes()
        for fails in [false, true] {
            let inbound = InboundMessages(limit: 1 << 20, reportEvery: 1 << 20, connection: InboundBudget(limit: 1 << 20), link: Link())
            try inbound.append(bytes.span.bytes, byteCount: bytes.count)
            let reader = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                guard case .success(let message?)? = inbound.takeReady() else { return Result<Int?, RPCError>.success(nil) }
                if fails { inbound.fail(.taskCancelled) }
                do throws(RPCError) {
                    return .success(try await ReceivedMessages(inbound, method.requestCodec, nil).decodeLarge(message).value.utf8.count)
                } catch {
                    return .failure(error)
                }
            }
            #expect(await reader.value == (fails ? .failure(.taskCancelled) : .success(300_000)))
        }
    }

    @Test("a reader that waits and is cancelled ends its call")
    func cancelledReader() async throws {
        let link = Link()
        let inbound = InboundMessages(limit: 1 << 20, reportEvery: 1 << 20, connection: InboundBudget(limit: 1 << 20), link: link)
        let reader = Task { try await inbound.wait() }
        while !inbound.hasWaitingReader { await Task.yield() }
        reader.cancel()
        await #expect(throws: RPCError.taskCancelled) { _ = try await reader.value }
        #expect(link.wasCancelled)
    }

    @Test("a message that passed the check and cannot be decoded ends the stream and the call, and its reader is told why, again and again")
    func undecodable() async throws {
        let link = Link()
        let inbound = InboundMessages(limit: 1 << 20, reportEvery: 1 << 20, connection: InboundBudget(limit: 1 << 20), link: link)
        try inbound.append([0xFF].span.bytes, byteCount: 1)
        var messages = MessageStream(inbound, MessageCodec<Text>()).makeAsyncIterator()
        for _ in 0..<2 {
            await #expect(throws: RPCError(.invalidArgument, "google.protobuf.StringValue")) { _ = try await messages.next() }
        }
        #expect(link.wasCancelled)
    }
}

/// A link that is always on its loop and records its calls.
private final class Link: StreamLink {
    private struct State {
        var consumedByteCount = 0
        var wasCancelled = false
        var grownByteCount = 0
        var noMemory: RPCError?
        var work: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())
    private let isDeferred: Bool

    /// - Parameter isDeferred: whether work for the loop waits for ``runDeferred()``, as for the end of a loop's turn.
    init(isDeferred: Bool = false) { self.isDeferred = isDeferred }

    var consumedByteCount: Int { state.withLock { $0.consumedByteCount } }
    var wasCancelled: Bool { state.withLock { $0.wasCancelled } }

    var grownByteCount: Int { state.withLock { $0.grownByteCount } }
    /// The error for more memory.
    var noMemory: RPCError? {
        get { state.withLock { $0.noMemory } }
        set { state.withLock { $0.noMemory = newValue } }
    }

    /// Runs the waiting work, and returns how much there was.
    func runDeferred() -> Int {
        let work = state.withLock { state in
            defer { state.work = [] }
            return state.work
        }
        for each in work { each() }
        return work.count
    }

    func execute(_ work: @escaping @Sendable () -> Void) {
        if isDeferred { state.withLock { $0.work.append(work) } } else { work() }
    }

    func consumed(_ byteCount: Int) { state.withLock { $0.consumedByteCount += byteCount } }
    func release(_ byteCount: Int) { state.withLock { $0.grownByteCount -= byteCount } }

    func hold(_ byteCount: Int) throws(RPCError) {
        if let noMemory { throw noMemory }
        state.withLock { $0.grownByteCount += byteCount }
    }

    func waitingTaskCancelled() { state.withLock { $0.wasCancelled = true } }
    func messageFailed(_ error: RPCError) { state.withLock { $0.wasCancelled = true } }

    func undecodable(_ descriptor: MessageDescriptor, _ error: DecodingError) -> RPCError {
        RPCError(.invalidArgument, descriptor.fullName)
    }

    var isOnLoop: Bool { true }
    var maximumMessageByteCount: Int { 1 << 20 }
    var notEncodableCode: StatusCode { .internal }
    func maySend() -> Bool { true }
    func send(_ message: borrowing PackableMessage) throws(RPCError) {}
    func send(serialized message: [UInt8]) {}
}

/// Repeats the first byte of a message, or fails.
private final class Growing: MessageDecompressor {
    private let byteCount: Int
    private let failure: RPCError?

    init(to byteCount: Int, failure: RPCError? = nil) {
        self.byteCount = byteCount
        self.failure = failure
    }

    func decompress(_ compressed: [UInt8], mostWork: Int) throws(RPCError) -> [UInt8]? {
        if let failure { throw failure }
        return [UInt8](repeating: compressed[0], count: byteCount)
    }
}
