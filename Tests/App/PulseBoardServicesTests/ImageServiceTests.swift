import PulseBoardDomain
import PulseBoardVocabulary
import Synchronization
import Testing

@testable import PulseBoardServices

@Suite("Pictures")
struct ImageServiceTests {
    private let kept = MemoryImages()

    private func bench(timer: any Clock<Duration> = ContinuousClock()) async throws -> (Bench, ImageService) {
        let bench = try await Bench(timer: timer, images: Services.ImageParts(store: kept, decoder: EchoDecoder()))
        return (bench, try #require(bench.services.images))
    }

    private func chunks(_ chunks: [UInt8]...) -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            for chunk in chunks { continuation.yield(chunk) }
            continuation.finish()
        }
    }

    /// An upload of one byte that has begun: its first, empty chunk was taken. It goes on with what is yielded to the continuation.
    private func heldUpload(
        to images: ImageService, _ caller: Caller
    ) async -> (upload: Task<StagedImage, any Error>, rest: AsyncStream<[UInt8]>.Continuation) {
        let (chunks, rest) = AsyncStream<[UInt8]>.makeStream()
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let upload = Task {
            // Also if it ends before its first chunk.
            defer { begin.finish() }
            return try await images.upload(
                byteCount: 1, sha256: [],
                chunks: chunks.map { chunk in
                    begin.yield()
                    return chunk
                }, caller)
        }
        rest.yield([])
        for await _ in begun { break }
        return (upload, rest)
    }

    @Test("B20, X14: an upload is staged, and a profile is created with it in one step")
    func createsWithPicture() async throws {
        let (bench, images) = try await bench()
        let caller = try await bench.caller(1)
        let staged = try await images.upload(byteCount: 3, sha256: [], chunks: chunks([1, 2], [3]), caller)
        let profile = try await bench.services.profiles.createProfile(username: "minji", imageID: staged.id.description, caller)
        #expect(profile.image == staged.id)
        #expect(try await images.image(of: caller.userID, size: .small, caller).bytes == [1, 2, 3])
        #expect(try await images.image(of: caller.userID, size: .medium, caller).bytes == [1, 2, 3, 1, 2, 3])
        #expect(try await images.image(of: caller.userID, size: .large, unless: staged.id, caller).bytes == nil)
    }

    @Test("uploads take at most an eighth of the descriptors, and there is always one", arguments: [(65_536, 256), (2_048, 256), (256, 32), (7, 1)])
    func uploadsOfDescriptors(descriptors: Int, uploads: Int) {
        var configuration = ServicesConfiguration(trustedUIDs: [])
        configuration.limitUploads(toDescriptors: descriptors)
        #expect(configuration.uploadsAtOnce == uploads)
    }

    @Test("C22: an export has the sizes of one picture, which is the profile's, also if the picture is replaced meanwhile")
    func exportsOnePicture() async throws {
        let (bench, images) = try await bench()
        let caller = try await bench.caller(1)
        let first = try await images.upload(byteCount: 1, sha256: [], chunks: chunks([1]), caller)
        _ = try await bench.services.profiles.createProfile(username: "minji", imageID: first.id.description, caller)
        let second = try await images.upload(byteCount: 1, sha256: [], chunks: chunks([2]), caller)
        let services = bench.services
        kept.state.withLock {
            $0.beforeRead = {
                let update = ProfileUpdate(paths: ["image"], imageID: second.id.description)
                _ = try? await services.profiles.updateProfile(update, caller)
                _ = try? await services.images?.removeDiscarded()
            }
        }
        var pictures: [[UInt8]] = [], shown: [ImageID?] = []
        try await services.exports.export(caller) { record in
            if case .image(_, let bytes) = record { pictures.append(bytes) }
            if case .profile(let profile) = record { shown.append(profile.image) }
        }
        #expect(pictures == [[2], [2, 2], [2, 2, 2]])
        #expect(shown == [second.id])
    }

    @Test("C22: an export goes on without a picture whose files are lost")
    func exportsWithoutLostPicture() async throws {
        let (bench, images) = try await bench()
        let caller = try await bench.caller(1)
        let staged = try await images.upload(byteCount: 1, sha256: [], chunks: chunks([1]), caller)
        _ = try await bench.services.profiles.createProfile(username: "minji", imageID: staged.id.description, caller)
        try await kept.remove(staged.id, of: caller.userID)
        var kinds: Set<String> = []
        try await bench.services.exports.export(caller) { record in
            switch record {
            case .image: kinds.insert("image")
            case .profile: kinds.insert("profile")
            default: break
            }
        }
        #expect(kinds == ["profile"])
    }

    @Test("an upload whose caller goes while it is decoded is cancelled, and no failure of the server")
    func leavesWhileDecoding() async throws {
        let (bench, images) = try await bench()
        let caller = try await bench.caller(1)
        let upload = Task { try await images.upload(byteCount: 1, sha256: [], chunks: chunks([EchoDecoder.losesItsCaller]), caller) }
        await #expect(throws: RepositoryError.cancelled) { try await upload.value }
    }

    @Test("C19: who watches sees a new name and a new picture in one state, and never one without the other")
    func changesTogether() async throws {
        let (bench, images) = try await bench()
        let one = try await bench.member(1, "one"), two = try await bench.member(2, "two")
        let states = Recording(bench.services.profiles.watchProfile(of: one.userID, two))
        #expect(await states.next()?.profile?.image == nil)
        for (name, byte) in [("eins", 1), ("uno", 2)] as [(String, UInt8)] {
            let staged = try await images.upload(byteCount: 1, sha256: [], chunks: chunks([byte]), one)
            let changed = try await bench.services.profiles.updateProfile(
                ProfileUpdate(paths: ["username", "image"], username: name, imageID: staged.id.description), one)
            #expect(changed.username.text == name && changed.image == staged.id)
            #expect(await states.next() == .profile(changed))
            #expect(try await images.image(of: one.userID, size: .small, two).bytes == [byte])
        }
        states.cancel()
    }

    @Test("Other bytes than were announced are refused, and leave nothing")
    func hashMismatch() async throws {
        let (bench, images) = try await bench()
        let caller = try await bench.caller(1)
        for (count, hash) in [(2, []), (4, []), (3, [UInt8](repeating: 9, count: 32))] as [(Int64, [UInt8])] {
            await #expect(throws: RepositoryError.imageRefused(.hashMismatch)) {
                try await images.upload(byteCount: count, sha256: hash, chunks: chunks([1, 2, 3]), caller)
            }
        }
        _ = try await images.upload(byteCount: 3, sha256: [UInt8](repeating: 1, count: 32), chunks: chunks([1, 2, 3]), caller)
        let tooLarge = ValidationError(field: "size_bytes", reason: .imageTooLarge, limit: 8 << 20)
        await #expect(throws: RepositoryError.invalid(tooLarge)) {
            try await images.upload(byteCount: 8_388_609, sha256: [], chunks: chunks(), caller)
        }
        #expect(kept.count == 1)
    }

    @Test("A user uploads one picture at a time; the end of one, however it ends, makes room for the next")
    func oneAtATime() async throws {
        let (bench, images) = try await bench()
        let caller = try await bench.caller(1), other = try await bench.caller(2)
        let (first, rest) = await heldUpload(to: images, caller)
        await #expect(throws: RepositoryError.imageRefused(.busy)) {
            try await images.upload(byteCount: 1, sha256: [], chunks: chunks([1]), caller)
        }
        _ = try await images.upload(byteCount: 1, sha256: [], chunks: chunks([1]), other)
        rest.yield([0])
        rest.finish()
        await #expect(throws: RepositoryError.imageRefused(.invalid)) { try await first.value }
        _ = try await images.upload(byteCount: 1, sha256: [], chunks: chunks([1]), caller)
    }

    @Test("A user uploads one picture at a time, for the profile or for the diary")
    func oneOfBothKinds() async throws {
        let (bench, images) = try await bench()
        let caller = try await bench.member(1, "minji"), other = try await bench.member(2, "jisoo")
        let (first, rest) = await heldUpload(to: images, caller)
        let hash = try #require(DiaryImageHash(bytes: [UInt8](repeating: 0xFF, count: 32)))
        let jpeg = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 1, count: 20)
        await #expect(throws: RepositoryError.imageRefused(.busy)) {
            try await bench.services.diaryImages.upload(byteCount: Int64(jpeg.count), hash: hash, chunks: chunks(jpeg), caller)
        }
        _ = try await bench.services.diaryImages.upload(byteCount: Int64(jpeg.count), hash: hash, chunks: chunks(jpeg), other)
        rest.yield([1])
        rest.finish()
        _ = try await first.value
        _ = try await bench.services.diaryImages.upload(byteCount: Int64(jpeg.count), hash: hash, chunks: chunks(jpeg), caller)
    }

    @Test("a user has few calls with pictures in memory; more wait, unless their caller goes, and nobody else waits for them")
    func places() async throws {
        let (bench, images) = try await bench()
        let one = try await bench.caller(1), two = try await bench.caller(2)
        var taken: [UserPlaces.Place] = []
        for _ in 0..<ImageService.callsInMemory { taken.append(try await images.place(for: one)) }
        let waiting = Task.immediate { try await images.place(for: one) }
        let leaving = Task.immediate { try await images.place(for: one) }
        _ = try await images.place(for: two)
        leaving.cancel()
        await #expect(throws: RepositoryError.cancelled) { try await leaving.value }
        taken.removeLast()
        _ = try await waiting.value
    }

    @Test("downloads whose readers have stopped keep no other download of the user waiting, and go on when the readers do")
    func stoppedReaders() async throws {
        let (bench, _) = try await bench()
        let diaryImages = bench.services.diaryImages
        let picture = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 1, count: 600_000)
        let hash = try #require(DiaryImageHash(bytes: [UInt8](repeating: 0xFF, count: 32)))
        let caller = try await bench.member(1, "minji")
        _ = try await diaryImages.upload(byteCount: Int64(picture.count), hash: hash, chunks: chunks(picture), caller)
        // More than there are places. Each has taken one part of three.
        let stopped = (0...DiaryImageService.partsAtOnce).map { _ in TestOutput<[UInt8]>(room: 1) }
        let downloads = stopped.map { $0.take { try await diaryImages.download(hash, caller, to: $0) } }
        for output in stopped { for await _ in output.stops { break } }
        let other = TestOutput<[UInt8]>()
        try await diaryImages.download(hash, caller, to: other)
        for (output, download) in zip(stopped, downloads) {
            output.read()
            try await download.value
            var parts = output.received.makeAsyncIterator()
            var byteCount = 0
            while byteCount < picture.count, let part = await parts.next() { byteCount += part.count }
            #expect(byteCount == picture.count)
        }
    }

    @Test("a user who is named a hundred times in a batch is read once")
    func repeated() async throws {
        let (bench, images) = try await bench()
        let one = try await bench.caller(1)
        let staged = try await images.upload(byteCount: 1, sha256: [], chunks: chunks([7]), one)
        _ = try await bench.services.profiles.createProfile(username: "minji", imageID: staged.id.description, one)
        #expect(try await images.images(of: Array(repeating: one.userID, count: 100), one).count == 100)
        #expect(kept.reads == 1)
    }

    @Test("X21: an upload whose session ends meanwhile stores nothing, and a download ends with its next part")
    func endedSession() async throws {
        let (bench, images) = try await bench()
        let diaryImages = bench.services.diaryImages
        let picture = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 1, count: 600_000)
        let hash = try #require(DiaryImageHash(bytes: [UInt8](repeating: 0xFF, count: 32)))
        let one = try await bench.member(1, "minji")
        _ = try await diaryImages.upload(byteCount: Int64(picture.count), hash: hash, chunks: chunks(picture), one)
        let output = TestOutput<[UInt8]>(room: 1)
        let download = output.take { try await diaryImages.download(hash, one, to: $0) }
        for await _ in output.stops { break }
        try await bench.services.auth.signOut(one)
        output.read()
        await #expect(throws: RepositoryError.notAuthenticated) { try await download.value }

        func endingSession(of caller: Caller) -> AsyncThrowingStream<[UInt8], any Error> {
            let first = SignOutFirst(auth: bench.services.auth, caller: caller, picture: picture)
            return AsyncThrowingStream(unfolding: { try await first.next() })
        }
        let two = try await bench.caller(1)
        await #expect(throws: RepositoryError.notAuthenticated) {
            try await images.upload(byteCount: Int64(picture.count), sha256: [], chunks: endingSession(of: two), two)
        }
        #expect(kept.count == 0)
        let three = try await bench.member(2, "jisoo")
        await #expect(throws: RepositoryError.notAuthenticated) {
            try await diaryImages.upload(byteCount: Int64(picture.count), hash: hash, chunks: endingSession(of: three), three)
        }
        #expect(try await diaryImages.missing([hash], try await bench.caller(2)) == [hash])
    }

    /// Signs a caller out, then gives a picture.
    private actor SignOutFirst {
        private let auth: AuthService
        private let caller: Caller
        private var picture: [UInt8]?

        init(auth: AuthService, caller: Caller, picture: [UInt8]) {
            self.auth = auth
            self.caller = caller
            self.picture = picture
        }

        func next() async throws -> [UInt8]? {
            guard let picture else { return nil }
            self.picture = nil
            try await auth.signOut(caller)
            return picture
        }
    }

    @Test("An upload goes on as long as 128 KiB come in every 30 s; with less it ends")
    func progress() async throws {
        let timer = TestTimer()
        let (bench, images) = try await bench(timer: timer)
        let (taken, take) = AsyncStream<Int>.makeStream()
        let (held, more) = AsyncStream<[UInt8]>.makeStream()
        let caller = try await bench.caller(1)
        let upload = Task {
            try await images.upload(
                byteCount: 1 << 20, sha256: [],
                chunks: held.map { chunk in
                    take.yield(chunk.count)
                    return chunk
                }, caller)
        }
        let enough = ImageLimits.uploadProgress
        for byteCount in [enough, enough, enough, enough - 1] {
            await timer.somebodySleeps(for: ImageLimits.uploadInterval)
            more.yield([UInt8](repeating: 1, count: byteCount))
            // When an empty chunk is taken, the one before it is counted.
            more.yield([])
            for await count in taken where count == 0 { break }
            timer.advance(by: ImageLimits.uploadInterval)
        }
        await #expect(throws: RepositoryError.imageRefused(.tooSlow)) { try await upload.value }
        more.finish()
    }

    @Test("an upload whose header does not come ends after 30 s, and its user has one place as with bytes")
    func silentUpload() async throws {
        let timer = TestTimer()
        let (bench, images) = try await bench(timer: timer)
        let caller = try await bench.member(1, "silent")
        let (nothing, silence) = AsyncStream<[UInt8]>.makeStream()
        let upload = Task {
            try await images.upload(chunks([1]), caller) {
                for await _ in nothing {}
                throw CancellationError()
            }
        }
        await timer.somebodySleeps(for: ImageLimits.uploadInterval)
        await #expect(throws: RepositoryError.imageRefused(.busy)) { try await images.upload(byteCount: 1, sha256: [], chunks: chunks([1]), caller) }
        await #expect(throws: RepositoryError.imageRefused(.busy)) {
            try await bench.services.diaryImages.upload(chunks([1]), caller) { throw CancellationError() }
        }
        timer.advance(by: ImageLimits.uploadInterval)
        await #expect(throws: RepositoryError.imageRefused(.tooSlow)) { try await upload.value }
        silence.finish()
        let staged = try await images.upload(chunks([1]), caller) { UploadHeader(byteCount: 1, sha256: []) }
        #expect(kept.state.withLock { $0.images.keys.map(\.id) } == [staged.id])
    }

    @Test("256 users who send nothing do not keep others from uploading, for the profile or the diary; who loses the place is told to try again")
    func idleUploads() async throws {
        // No interval passes, however slow the machine is.
        let (bench, images) = try await bench(timer: TestTimer())
        var held: [(upload: Task<StagedImage, any Error>, rest: AsyncStream<[UInt8]>.Continuation)] = []
        for uid in 1...256 { held.append(await heldUpload(to: images, try await bench.caller(UInt32(uid)))) }
        bench.clock.advance(.seconds(10))
        let late = try await bench.member(300, "late")
        _ = try await images.upload(byteCount: 1, sha256: [], chunks: chunks([1]), late)
        held.append(await heldUpload(to: images, try await bench.caller(257)))
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
        let hash = try #require(DiaryImageHash(bytes: [UInt8](repeating: 0xFF, count: 32)))
        _ = try await bench.services.diaryImages.upload(byteCount: Int64(jpeg.count), hash: hash, chunks: chunks(jpeg), late)
        // The two that have lost their places end before the others are told to.
        let (ends, ended) = AsyncStream<Void>.makeStream()
        for (upload, _) in held {
            Task {
                _ = await upload.result
                ended.yield()
            }
        }
        for await _ in ends.prefix(2) {}
        for (_, rest) in held { rest.finish() }
        var busy = 0
        for (upload, _) in held {
            let refusal = await #expect(throws: RepositoryError.self) { try await upload.value }
            if refusal == .imageRefused(.busy) { busy += 1 }
        }
        #expect(busy == 2)
    }

    @Test("an upload that cannot be written is a failure of the store, with its own reason")
    func fullDisk() {
        let refusal = ImageRefusal.storeUnavailable(.full, detail: "writing an upload")
        #expect(RepositoryError(refusal) == .storeUnavailable(.full, detail: "writing an upload"))
    }

    @Test("C18: bytes that could not be stored leave a row that the sweep removes; one that fails is done again")
    func sweep() async throws {
        let (bench, images) = try await bench()
        let caller = try await bench.member(1, "minji")
        kept.state.withLock { $0.failure = .storeUnavailable(.full, detail: "") }
        await #expect(throws: RepositoryError.storeUnavailable(.full, detail: "")) {
            try await images.upload(byteCount: 1, sha256: [], chunks: chunks([1]), caller)
        }
        bench.clock.advance(.hours(1))
        await #expect(throws: RepositoryError.storeUnavailable(.full, detail: "")) { try await images.removeDiscarded() }
        kept.state.withLock { $0.failure = nil }
        #expect(try await images.removeDiscarded() == 1)
        #expect(try await images.removeDiscarded() == 0)
    }

    @Test("Replaced, cleared and forgotten pictures are removed; the one that is shown stays")
    func removing() async throws {
        let (bench, images) = try await bench()
        let caller = try await bench.member(1, "minji")
        for byte in [1, 2, 3] as [UInt8] {
            let staged = try await images.upload(byteCount: 1, sha256: [], chunks: chunks([byte]), caller)
            _ = try await bench.services.profiles.updateProfile(
                ProfileUpdate(paths: ["image"], imageID: staged.id.description), caller)
        }
        _ = try await images.upload(byteCount: 1, sha256: [], chunks: chunks([4]), caller)
        bench.clock.advance(.hours(2))
        #expect(try await images.removeDiscarded() == 3)
        #expect(try await images.image(of: caller.userID, size: .small, caller).bytes == [3])
        _ = try await bench.services.profiles.updateProfile(ProfileUpdate(paths: ["image"]), caller)
        await #expect(throws: RepositoryError.imageNotFound) { try await images.image(of: caller.userID, size: .small, caller) }
        #expect(try await images.removeDiscarded() == 1)
        #expect(kept.count == 0)
    }

    @Test("An empty mask and one of other fields leave the picture as it is")
    func masks() async throws {
        let (bench, images) = try await bench()
        let caller = try await bench.member(1, "minji")
        let staged = try await images.upload(byteCount: 1, sha256: [], chunks: chunks([1]), caller)
        _ = try await bench.services.profiles.updateProfile(ProfileUpdate(paths: ["image"], imageID: staged.id.description), caller)
        for paths in [[], ["username", "display_name"]] {
            let profile = try await bench.services.profiles.updateProfile(
                ProfileUpdate(paths: paths, username: "minji", texts: [.displayName: "M"]), caller)
            #expect(profile.image == staged.id)
        }
    }

    @Test(
        "X13, X14: a malformed id of a picture is refused, and changes nothing",
        arguments: ["zzz", "../x", " ", "00000000-0000-4000-8000-00000000000A"])
    func malformedID(_ bad: String) async throws {
        let (bench, images) = try await bench()
        let profiles = bench.services.profiles
        let caller = try await bench.member(1, "minji"), newcomer = try await bench.caller(2)
        let staged = try await images.upload(byteCount: 1, sha256: [], chunks: chunks([1]), caller)
        let before = try await profiles.updateProfile(ProfileUpdate(paths: ["image"], imageID: staged.id.description), caller)
        let violation = FieldViolation(field: "image_id", reason: .identifierInvalid)
        for paths in [["image"], ["username", "image"]] {
            await #expect(throws: RepositoryError.invalid(ValidationError([violation]))) {
                try await profiles.updateProfile(ProfileUpdate(paths: paths, username: "other", imageID: bad), caller)
            }
        }
        await #expect(throws: RepositoryError.invalid(ValidationError([violation]))) {
            try await profiles.createProfile(username: "jisoo", imageID: bad, newcomer)
        }
        await #expect(throws: RepositoryError.invalid(ValidationError([FieldViolation(field: "username", reason: .usernameEmpty), violation]))) {
            try await profiles.createProfile(username: "", imageID: bad, newcomer)
        }
        #expect(try await profiles.fetchCurrentUser(caller) == before)
        await #expect(throws: RepositoryError.userNotFound) { try await profiles.fetchCurrentUser(newcomer) }
        // A mask without the picture does not look at it.
        #expect(try await profiles.updateProfile(ProfileUpdate(paths: ["display_name"], imageID: bad), caller).image == staged.id)
    }

    @Test("Many small pictures at once: those who have none are left out, and a hundred is the limit")
    func batch() async throws {
        let (bench, images) = try await bench()
        let caller = try await bench.member(1, "minji"), other = try await bench.member(2, "haneul")
        let staged = try await images.upload(byteCount: 1, sha256: [], chunks: chunks([7]), caller)
        _ = try await bench.services.profiles.updateProfile(ProfileUpdate(paths: ["image"], imageID: staged.id.description), caller)
        let stranger = UserID.random(using: SystemRandomSource())
        let shown = try await images.images(of: [other.userID, caller.userID, stranger], other)
        #expect(shown == [ShownImage(userID: caller.userID, id: staged.id, bytes: [7])])
        // A caller who is leaving is left out, and the others are there.
        let leaving = try await bench.member(3, "jun")
        _ = try await bench.services.withdrawals.request(leaving)
        #expect(try await images.images(of: [leaving.userID, caller.userID], leaving).map(\.userID) == [caller.userID])
        await #expect(throws: RepositoryError.invalid(ValidationError(field: "user_ids", reason: .tooManyItems, limit: 100))) {
            try await images.images(of: [UserID](repeating: stranger, count: 101), other)
        }
    }
}
