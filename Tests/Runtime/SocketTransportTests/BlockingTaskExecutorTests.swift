import Foundation
import Synchronization
import Testing

@testable import SocketTransport

@Suite("Work that blocks")
struct BlockingTaskExecutorTests {
    /// Work that waits for a disk, and counts itself.
    private final class Work: Sendable {
        let disk = DispatchSemaphore(value: 0)
        let counts = Mutex((running: 0, most: 0, done: 0))

        func waitForDisk() {
            counts.withLock {
                $0.running += 1
                $0.most = max($0.most, $0.running)
            }
            disk.wait()
            counts.withLock {
                $0.running -= 1
                $0.done += 1
            }
        }
    }

    @Test("At most so much work runs at once, the rest runs later, and none of it takes a thread of the shared pool")
    func limit() async {
        // More threads than the shared pool has, so that a test that goes on has not lost its own.
        let limit = 2 * ProcessInfo.processInfo.activeProcessorCount
        let executor = BlockingTaskExecutor(label: "disk", threads: limit)
        let work = Work()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<3 * limit {
                group.addTask { await executor.run { work.waitForDisk() } }
            }
            while work.counts.withLock({ $0.running }) < limit { await Task.yield() }
            for _ in 0..<3 * limit { work.disk.signal() }
        }
        #expect(work.counts.withLock { $0.most } == limit)
        #expect(work.counts.withLock { $0.done } == 3 * limit)
    }

    @Test("Work returns its value or throws its error")
    func outcomes() async {
        let executor = BlockingTaskExecutor(label: "disk", threads: 1)
        #expect(await executor.run { 7 } == 7)
        await #expect(throws: Failure.self) { try await executor.run { () throws(Failure) in throw Failure() } }
    }

    private struct Failure: Error {}
}
