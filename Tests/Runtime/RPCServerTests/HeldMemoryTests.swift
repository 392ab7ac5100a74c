import Synchronization
import Testing

@testable import RPCServer

/// When freed memory goes back to the kernel. `make hostile` measures how much that is.
@Suite struct HeldMemoryTests {
    /// The looks that are due, the resident memory, and how often memory was given back.
    private final class Looks: Sendable {
        private let due = Mutex<[@Sendable () -> Void]>([])
        let resident = Atomic(20 << 20)
        /// What stays when memory is given back.
        let floor = Atomic(30 << 20)
        let givenBack = Atomic(0)

        var memory: HeldMemory {
            HeldMemory { look in
                self.due.withLock { $0.append(look) }
            } resident: {
                self.resident.load(ordering: .relaxed)
            } giveBack: {
                self.givenBack.add(1, ordering: .relaxed)
                self.resident.store(self.floor.load(ordering: .relaxed), ordering: .relaxed)
            }
        }

        /// Lets the second pass that is due.
        /// - Returns: whether there was one.
        func pass() -> Bool {
            let looks = due.withLock { due in
                defer { due = [] }
                return due
            }
            #expect(looks.count <= 1)
            for look in looks { look() }
            return !looks.isEmpty
        }

        /// Lets the seconds pass until nobody looks any more.
        func passAll() { while pass() {} }

        var givenBackCount: Int { givenBack.load(ordering: .relaxed) }
    }

    /// A load that begins and ends.
    private func load(_ memory: HeldMemory, _ looks: Looks, resident: Int) {
        _ = memory.add(HeldMemory.change)
        looks.resident.store(resident, ordering: .relaxed)
        _ = memory.add(-HeldMemory.change)
    }

    @Test("when a load has been over for some seconds, memory is given back once; then nobody looks any more")
    func afterLoad() {
        let looks = Looks(), memory = looks.memory
        for _ in 0..<64 { _ = memory.add(1 << 20) }
        #expect(memory.byteCount == 64 << 20)
        looks.resident.store(120 << 20, ordering: .relaxed)
        for _ in 0..<3 { #expect(looks.pass()) }
        #expect(memory.add(-64 << 20) == 0)
        // There was a load in the second before this look.
        #expect(looks.pass())
        for _ in 1..<HeldMemory.calmLooks { #expect(looks.pass()) }
        #expect(looks.givenBackCount == 0)
        #expect(looks.pass())
        #expect(looks.givenBackCount == 1)
        #expect(!looks.pass())
    }

    @Test("nothing is given back if the memory has not grown, or only by what is held")
    func nothingToGiveBack() {
        let looks = Looks(), memory = looks.memory
        load(memory, looks, resident: 60 << 20)
        looks.passAll()
        _ = memory.add(64 << 20)
        looks.resident.store(124 << 20, ordering: .relaxed)
        looks.passAll()
        #expect(looks.givenBackCount == 0)
    }

    @Test("memory that could not be given back is not tried again and again")
    func inVain() {
        let looks = Looks(), memory = looks.memory
        looks.floor.store(90 << 20, ordering: .relaxed)
        for _ in 0..<10 {
            load(memory, looks, resident: 90 << 20)
            looks.passAll()
        }
        #expect(looks.givenBackCount == 1)
        // When it becomes less by itself, that counts.
        load(memory, looks, resident: 40 << 20)
        looks.passAll()
        load(memory, looks, resident: 90 << 20)
        looks.passAll()
        #expect(looks.givenBackCount == 2)
    }

    @Test("nobody looks at small changes, however much is held")
    func smallLoads() {
        let looks = Looks(), memory = looks.memory
        _ = memory.add(HeldMemory.change - 1)
        _ = memory.add(1 - HeldMemory.change)
        #expect(!looks.pass())
        _ = memory.add(100 << 20)
        looks.passAll()
        _ = memory.add(HeldMemory.change - 1)
        _ = memory.add(2 - 2 * HeldMemory.change)
        #expect(!looks.pass())
    }

    @Test("nothing is given back between loads that follow each other, however short they are")
    func loadsInTurn() {
        let looks = Looks(), memory = looks.memory
        for _ in 1...20 {
            load(memory, looks, resident: 200 << 20)
            for _ in 1..<HeldMemory.calmLooks { #expect(looks.pass()) }
        }
        #expect(looks.givenBackCount == 0)
        looks.passAll()
        #expect(looks.givenBackCount == 1)
    }
}
