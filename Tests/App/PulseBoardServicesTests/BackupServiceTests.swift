import PulseBoardDomain
import Synchronization
import Testing

@testable import PulseBoardServices

/// A backup of a store on SQLite. Its pictures are in memory.
@Suite("Backups")
struct BackupServiceTests {
    private let kept = MemoryImages()

    /// The parts of a backup of 40 users with a picture each, of which so many files in a row cannot be read.
    private func parts(unreadable: Int, isUnmounted: Bool = false) async throws -> [BackupPart] {
        let bench = try await Bench(images: Services.ImageParts(store: kept, decoder: EchoDecoder()))
        let images = try #require(bench.services.images)
        for uid in 1...40 as ClosedRange<UInt32> {
            let chunk = AsyncStream<[UInt8]> { continuation in
                continuation.yield([1])
                continuation.finish()
            }
            _ = try await images.upload(byteCount: 1, sha256: [], chunks: chunk, try await bench.caller(uid))
        }
        kept.state.withLock { state in
            state.failingReads = unreadable
            if isUnmounted { state.images = [:] }
        }
        let parts = Mutex<[BackupPart]>([])
        try await BackupService(store: bench.store, images: images).run(bytesPerSecond: 1 << 30) { part in
            parts.withLock { $0.append(part) }
        }
        return parts.withLock { $0 }
    }

    @Test("files of pictures that cannot be read are left out, named and counted; a hundred in a row end the backup")
    func unreadable() async throws {
        let parts = try await parts(unreadable: 99)
        #expect(parts.count { if case .unreadable = $0 { true } else { false } } == 99)
        guard case .total(let total)? = parts.last else {
            Issue.record("no total")
            return
        }
        #expect(total.unreadableFiles == 99 && total.missingFiles == 0)
        // The database and 21 files of pictures.
        #expect(total.files == 22)
        await #expect(throws: RepositoryError.self) { try await self.parts(unreadable: 100) }
    }

    @Test("where the disk of the pictures is not mounted, a backup ends, and does not look complete without them")
    func unmounted() async throws {
        let error = await #expect(throws: RepositoryError.self) { try await parts(unreadable: 0, isUnmounted: true) }
        guard case .storeUnavailable(.inputOutput, let detail)? = error, detail.contains("100 files of pictures") else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
