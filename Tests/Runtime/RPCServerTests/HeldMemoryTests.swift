import Synchronization
import Testing

@testable import RPCServer

/// When freed memory goes back to the kernel. `make hostile` measures how much that is.
@Suite struct HeldMemoryTests {
    /// The looks that are due, and how often memory was given back.
    private final class Looks: Sendable {
        private let due = Mutex<[@Sendable () -> Void]>([])
        let givenBack = Atomic(0)

        var memory: HeldMemory {
            HeldMemory { look in self.due.withLock { $0.append(look) } } giveBack: { self.givenBack.wrappingAdd(1, ordering: .relaxed) }
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

        var givenBackCount: Int { givenBack.load(ordering: .relaxed) }
    }

    private let load = HeldMemory.load

    @Test("when a load has been over for some seconds, memory is given back once; then nobody looks any more")
    func afterLoad() {
        let looks = Looks(), memory = looks.memory
        for _ in 0..<64 { _ = memory.add(load / 32) }
        #expect(memory.byteCount == 2 * load)
        for _ in 0..<10 { #expect(looks.pass()) }
        #expect(memory.add(-2 * load) == 0)
        // The second before this look was not calm.
        #expect(looks.pass())
        for _ in 1..<HeldMemory.calmLooks { #expect(looks.pass()) }
        #expect(looks.givenBackCount == 0)
        #expect(looks.pass())
        #expect(looks.givenBackCount == 1)
        #expect(!looks.pass())
        #expect(memory.add(load) == load)
        #expect(looks.pass())
    }

    @Test("nobody looks at little memory")
    func smallLoads() {
        let looks = Looks(), memory = looks.memory
        _ = memory.add(load - 1)
        _ = memory.add(1 - load)
        #expect(!looks.pass())
    }

    @Test("nothing is given back between loads that follow each other, however short they are")
    func loadsInTurn() {
        let looks = Looks(), memory = looks.memory
        for _ in 1...20 {
            _ = memory.add(4 * load)
            _ = memory.add(-4 * load)
            for _ in 1..<HeldMemory.calmLooks { #expect(looks.pass()) }
        }
        #expect(looks.givenBackCount == 0)
        for _ in 1...HeldMemory.calmLooks { _ = looks.pass() }
        #expect(looks.givenBackCount == 1)
    }
}
