import ProtobufC
import ProtobufWellKnownTypes
import Testing

@testable import RPCCore

/// The public types of streams without a connection: handlers called in-process, interceptors' closures.
@Suite struct StreamTypesTests {
    @Test("a stream of given messages gives them in order, then ends, and goes on ending")
    func givenMessages() async throws {
        var iterator = MessageStream([1, 2, 3]).makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        #expect(try await iterator.next() == 2)
        #expect(try await iterator.next() == 3)
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
    }

    @Test("a writer of a closure hands every message to it and passes its error on")
    func closureWriter() async throws {
        let writer = MessageWriter<Int> { (number) throws(RPCError) in
            if number < 0 { throw RPCError(.outOfRange, "negative") }
        }
        try await writer.write(contentsOf: [1, 2])
        await #expect(throws: RPCError(.outOfRange, "negative")) { try await writer.write(contentsOf: [3, -1, 4]) }
    }

    @Test("what is taken from the front of a queue comes in the order it went in, whatever is mixed in between")
    func queue() {
        var queue = MessageQueue<Int>()
        var next = 0
        var expected = 0
        for round in 0..<5_000 {
            for _ in 0..<(round % 7) {
                queue.append(next)
                next += 1
            }
            for _ in 0..<(round % 5) where !queue.isEmpty {
                #expect(queue.popFirst() == expected)
                expected += 1
            }
        }
        while let number = queue.popFirst() {
            #expect(number == expected)
            expected += 1
        }
        #expect(expected == next && queue.isEmpty)
        queue.append(1)
        queue = MessageQueue()
        #expect(queue.popFirst() == nil)
    }

    @Test("a budget refuses what would go over it, keeps nothing of what it refused, and takes back what is released")
    func budget() {
        let budget = InboundBudget(limit: 100)
        #expect(budget.take(60))
        #expect(!budget.take(41))
        #expect(budget.usedByteCount == 60)
        #expect(budget.take(40))
        budget.release(60)
        #expect(budget.usedByteCount == 40)
        #expect(budget.take(60))
    }

    private struct Number: CallContextKey { typealias Value = Int }
    private struct Other: CallContextKey { typealias Value = Int }

    @Test("values that interceptors leave in a context are told apart by their key, and stay with its copy")
    func contextValues() {
        var context = CallContext(peer: nil, metadata: Metadata(), deadline: .never, method: "s/m")
        #expect(context[Number.self] == nil)
        let before = context
        context[Number.self] = 1
        context[Other.self] = 2
        #expect(context[Number.self] == 1 && context[Other.self] == 2)
        context[Other.self] = nil
        #expect(context[Other.self] == nil && before[Number.self] == nil)
    }
}
