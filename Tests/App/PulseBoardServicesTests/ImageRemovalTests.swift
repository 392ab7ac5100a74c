import PulseBoardDomain
import Testing

@testable import PulseBoardServices

@Suite("Removal of pictures that nobody needs")
struct ImageRemovalTests {
    private let kept = MemoryImages()

    /// The services after users have uploaded a picture of one byte each, in their order. All of these have expired.
    private func bench(users: ClosedRange<UInt32>) async throws -> (Bench, ImageService, [StagedImage]) {
        let bench = try await Bench(images: Services.ImageParts(store: kept, decoder: EchoDecoder()))
        let images = try #require(bench.services.images)
        var staged: [StagedImage] = []
        for uid in users { staged.append(try await upload(try await bench.caller(uid), images)) }
        bench.clock.advance(.hours(2))
        return (bench, images, staged)
    }

    private func upload(_ caller: Caller, _ images: ImageService) async throws -> StagedImage {
        let chunks = AsyncStream<[UInt8]> { continuation in
            continuation.yield([1])
            continuation.finish()
        }
        return try await images.upload(byteCount: 1, sha256: [], chunks: chunks, caller)
    }

    @Test("C18: a picture whose files cannot be removed keeps no other one, is reported, and is tried again")
    func stuckPicture() async throws {
        let (bench, images, staged) = try await bench(users: 1...3)
        let stuck = staged[0].id
        kept.state.withLock { $0.stuck = stuck }
        let failure = RepositoryError.storeUnavailable(.readOnly, detail: "\(stuck)")
        await #expect(throws: failure) { try await images.removeDiscarded() }
        #expect(kept.count == 1)
        _ = try await upload(try await bench.caller(4), images)
        bench.clock.advance(.hours(2))
        #expect(try await images.removeDiscarded() == 1)
        await #expect(throws: failure) { try await images.removeDiscarded() }
        kept.state.withLock { $0.stuck = nil }
        #expect(try await images.removeDiscarded() == 1)
        #expect(kept.count == 0)
    }

    @Test("C18: who leaves while a picture's files are written leaves no file, whether the writer notices or has died", arguments: [false, true])
    func leavingWhileWritten(hasDied: Bool) async throws {
        let (bench, images, _) = try await bench(users: 1...1)
        let caller = try await bench.member(2, "leaver")
        kept.state.withLock { state in
            state.beforeStore = {
                await #expect(throws: Never.self) {
                    try await bench.services.profiles.deleteProfile(caller)
                    _ = try await images.removeDiscarded()
                }
            }
        }
        if hasDied { bench.counted.pause("stageImage") { [kept] in kept.state.withLock { $0.failure = .storeClosed } } }
        await #expect(throws: RepositoryError.imageNotStaged) { try await upload(caller, images) }
        #expect(kept.count == (hasDied ? 1 : 0))
        kept.state.withLock { $0.failure = nil }
        bench.clock.advance(ImageLimits.uploadLifetime)
        try await images.removeDiscarded()
        #expect(kept.count == 0)
    }

    @Test("while the disk of the pictures is away, no row goes and no upload is taken, so that no file is hidden or forgotten when it is back")
    func unmounted() async throws {
        let (bench, images, _) = try await bench(users: 1...3)
        let member = try await bench.member(4, "member")
        let shown = try await upload(member, images)
        _ = try await bench.services.profiles.updateProfile(ProfileUpdate(paths: ["image"], imageID: shown.id.description), member)
        kept.state.withLock { $0.isUnmounted = true }
        let removal = await #expect(throws: RepositoryError.self) { try await images.removeDiscarded() }
        let refusal = await #expect(throws: RepositoryError.self) { try await upload(member, images) }
        for failure in [removal, refusal] {
            guard case .storeUnavailable(.inputOutput, _)? = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
        }
        kept.state.withLock { $0.isUnmounted = false }
        #expect(try await images.removeDiscarded() == 3)
        #expect(kept.count == 1)
        #expect(kept.state.withLock { $0.missing.count } == 2)
    }

    @Test("the sweep notices that the disk of the pictures is away although it has nothing to remove")
    func unmountedWithoutWork() async throws {
        let (bench, images, _) = try await bench(users: 1...1)
        let member = try await bench.member(4, "member")
        try await images.removeDiscarded()
        let shown = try await upload(member, images)
        _ = try await bench.services.profiles.updateProfile(ProfileUpdate(paths: ["image"], imageID: shown.id.description), member)
        #expect(try await images.removeDiscarded() == 0)
        kept.state.withLock { $0.isUnmounted = true }
        await #expect(throws: RepositoryError.self) { try await images.removeDiscarded() }
        #expect(kept.state.withLock { $0.missing } == ["profiles have pictures, and the directory of pictures is empty; its disk may not be mounted"])
    }

    @Test("a removal that is cancelled leaves the rest to the next one")
    func cancelled() async throws {
        let (bench, images, _) = try await bench(users: 1...3)
        // The server stops while the first row is removed.
        bench.counted.pause("forgetImage") { cancelPresentTask() }
        let removal = Task { try await images.removeDiscarded() }
        #expect(try await removal.value == 1)
        bench.counted.pause("forgetImage", nil)
        #expect(try await images.removeDiscarded() == 2)
    }
}
