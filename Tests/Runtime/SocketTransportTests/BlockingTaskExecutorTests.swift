import Foundation
import Synchronization
import Testing

@testable import SocketTransport

@Suite("Work that blocks")
struct BlockingTaskExecutorTests {
    private let disk = DispatchSemaphore(value: 0)

    @Test("At most so much work runs at once, the rest runs later, and none of it takes a thread of the shared pool")
    func limit() async {
        // More threads than the shared pool has, so that a test that goes on has not lost its own.
        let limit = 2 * ProcessInfo.processInfo.activeProcessorCount
        let executor = BlockingTaskExecutor(label: "disk", threads: limit)
        let counts = Mutex((running: 0, most: 0, done: 0))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<3 * limit {
                group.addTask {
                    await executor.run {
                        counts.withLock {
                            $0.running += 1
                            $0.most = max($0.most, $0.running)
                        }
                        self.waitForDisk()
                        counts.withLock {
                            $0.running -= 1
                            $0.done += 1
                        }
                    }
                }
            }
            while counts.withLock({ $0.running }) < limit { await Task.yield() }
            for _ in 0..<3 * limit { disk.signal() }
        }
        #expect(counts.withLock { $0.most } == limit)
        #expect(counts.withLock { $0.done } == 3 * limit)
    }

    @Test("Work returns its value or throws its error")
    func outcomes() async {
        let executor = BlockingTaskExecutor(label: "disk", threads: 1)
        #expect(await executor.run { 7 } == 7)
        await #expect(throws: Failure.self) { try await executor.run { () throws(Failure) in throw Failure() } }
    }

    private struct Failure: Error {}

    /// Blocks its thread, like a slow disk.
    private func waitForDisk() { disk.wait() }
}
