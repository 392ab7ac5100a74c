import RPCCore
import Testing

@testable import GRPCWire

/// Many large messages at once on one connection.
@Suite struct UnfinishedBudgetTests {
    /// The streams that may continue. Each continues before the next is requested.
    private static func ready(_ budget: inout UnfinishedBudget, goOn: (inout UnfinishedBudget) -> Bool = { _ in true }) -> [UInt32] {
        var ready: [UInt32] = []
        while let id = budget.takeReady() {
            ready.append(id)
            #expect(goOn(&budget))
        }
        return ready
    }

    @Test("while there is room, every stream goes on; where it is tight, one does, and the others in turn")
    func turns() {
        var budget = UnfinishedBudget(limit: 800)
        budget.changed(1, from: 0, to: 20)
        budget.changed(3, from: 0, to: 20)
        let both = [1, 3].map { budget.mayGoOn($0) }
        #expect(both == [true, true])
        budget.changed(5, from: 0, to: 20)
        // A stream that asks twice waits only once.
        let five = [1, 3, 5, 3, 1].map { budget.mayGoOn($0) }
        #expect(five == [true, false, false, false, true])
        var ready = Self.ready(&budget)
        #expect(ready == [])
        // The first message is complete, but others have used its room.
        budget.changed(7, from: 0, to: 20)
        budget.changed(1, from: 20, to: 0)
        ready = Self.ready(&budget) { $0.mayGoOn(3) }
        #expect(ready == [3])
        budget.changed(3, from: 20, to: 0)
        // There is room again: all waiting streams continue.
        ready = Self.ready(&budget)
        #expect(ready == [5])
        #expect(!budget.isExceeded && budget.byteCount == 40)
    }

    @Test("while too many answers wait, no unfinished message goes on, the favoured one neither")
    func answersWait() {
        var budget = UnfinishedBudget(limit: 800)
        budget.changed(1, from: 0, to: 60)
        let both = [budget.mayGoOn(1), budget.mayGoOn(1, answersWait: true)]
        #expect(both == [true, false])
        let none = budget.takeReady(answersWait: true)
        #expect(none == nil)
        let ready = Self.ready(&budget)
        #expect(ready == [1])
    }

    @Test("streams that wait and go leave no place behind, however many they were")
    func gone() {
        var budget = UnfinishedBudget(limit: 800)
        budget.changed(1, from: 0, to: 60)
        let favoured = budget.mayGoOn(1)
        #expect(favoured)
        for id in stride(from: CallID(3), to: 20_003, by: 2) {
            _ = budget.mayGoOn(id)
            if id > 23 { budget.forget(id - 20) }
        }
        #expect(budget.placeCount <= 100)
        budget.changed(1, from: 60, to: 0)
        let ready = Self.ready(&budget)
        #expect(ready == [3] + Array(stride(from: CallID(19_983), to: 20_003, by: 2)))
    }

    @Test("over the limit it says so")
    func exceeded() {
        var budget = UnfinishedBudget(limit: 100)
        budget.changed(1, from: 0, to: 100)
        #expect(!budget.isExceeded)
        budget.changed(1, from: 100, to: 101)
        #expect(budget.isExceeded)
    }
}
