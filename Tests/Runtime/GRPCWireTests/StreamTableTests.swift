import RPCCore
import TestHarness
import Testing

@testable import GRPCWire

@Suite struct StreamTableTests {
    private final class Stream {
        let id: CallID
        init(_ id: CallID) { self.id = id }
    }

    @Test("a table of streams says what a dictionary says, whatever is opened and closed in whatever order", arguments: 0..<20)
    func likeADictionary(_ seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var table = StreamTable<Stream>()
        var dictionary: [CallID: Stream] = [:]
        var newest: CallID = 1
        // Phases that mostly open and phases that mostly close, so that it grows and shrinks.
        for step in 0..<4000 {
            let opens = Int.random(in: 0..<10, using: &random) < (step / 500 % 2 == 0 ? 7 : 2)
            if opens {
                newest += CallID(2 * Int.random(in: 1...(seed % 3 == 0 ? 1 : 2000), using: &random))
                let stream = Stream(newest)
                table.insert(stream, newest)
                dictionary[newest] = stream
            } else if let id = dictionary.keys.sorted().randomElement(using: &random) {
                table.remove(id)
                dictionary[id] = nil
            }
            let unknown = CallID.random(in: 0...newest, using: &random)
            #expect(table[unknown] === dictionary[unknown])
            table.remove(unknown)
            dictionary[unknown] = nil
            #expect(table.count == dictionary.count)
        }
        for (id, stream) in dictionary { #expect(table[id] === stream) }
        #expect(Set(table.values.map(\.id)) == Set(dictionary.keys))
    }

    @Test("a table of many former streams and a few present ones is small again, and knows them")
    func shrinks() {
        var table = StreamTable<Stream>()
        for id in stride(from: CallID(1), to: 4001, by: 2) { table.insert(Stream(id), id) }
        for id in stride(from: CallID(1), to: 4001, by: 2) where id % 1_000 != 1 { table.remove(id) }
        #expect(table.count == 4 && table.capacity <= 128)
        for id in [1, 1_001, 2_001, 3_001] as [CallID] { #expect(table[id]?.id == id) }
    }

    @Test("streams that have all gone are let go")
    func letsGo() {
        var table = StreamTable<Stream>()
        weak var first: Stream?
        for id in stride(from: CallID(1), to: 2001, by: 2) {
            let stream = Stream(id)
            if id == 1 { first = stream }
            table.insert(stream, id)
        }
        #expect(first != nil)
        for id in stride(from: CallID(1), to: 2001, by: 2) { table.remove(id) }
        #expect(table.isEmpty && table.values.isEmpty && first == nil)
        #expect(table[1] == nil)
    }
}
