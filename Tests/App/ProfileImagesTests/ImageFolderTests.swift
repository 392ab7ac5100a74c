import Foundation
import PulseBoardDomain
import SocketTransport
import Synchronization
import Testing

@testable import ProfileImages

@Suite("The folder of pictures")
struct ImageFolderTests {
    let place: PictureFolder
    let store: ImageFolder
    let owner = UserID.random(using: SystemRandomSource())
    let id = ImageID.random(using: SystemRandomSource())
    let variants = ImageVariants([
        .small: [1], .medium: [2, 2], .large: [UInt8](repeating: 3, count: ImageSize.large.maximumBytes),
    ])

    init() throws {
        place = try PictureFolder()
        store = try ImageFolder(path: place.path + "/images")
    }

    @Test("What is stored is read again, by its owner, id and size")
    func roundTrip() async throws {
        #expect(try await store.isEmpty())
        try await store.store(variants, as: id, of: owner)
        #expect(try await !store.isEmpty())
        for size in ImageSize.allCases { #expect(try await store.image(id, of: owner, size: size) == variants[size]) }
        #expect(try await store.image(id, of: UserID.random(using: SystemRandomSource()), size: .small) == nil)
        #expect(try await store.image(ImageID.random(using: SystemRandomSource()), of: owner, size: .small) == nil)
    }

    @Test("Files are their owner's alone, under the first two digits of the owner's id")
    func layout() async throws {
        try await store.store(variants, as: id, of: owner)
        let path = "\(place.path)/images/\(owner.description.prefix(2))/\(owner)/\(id)-96.webp"
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.attributesOfItem(atPath: place.path + "/images")[.posixPermissions] as? Int == 0o700)
    }

    @Test("Removing a picture twice, or what a crash left of it, leaves nothing and is no error")
    func removing() async throws {
        try await store.store(variants, as: id, of: owner)
        let home = "\(place.path)/images/\(owner.description.prefix(2))/\(owner)"
        try FileManager.default.removeItem(atPath: "\(home)/\(id)-400.webp")
        try await store.remove(id, of: owner)
        #expect(!FileManager.default.fileExists(atPath: home))
        try await store.remove(id, of: owner)
        #expect(try await store.image(id, of: owner, size: .small) == nil)
    }

    @Test("A picture is read, and another one uploaded, while every thread that writes pictures waits for the disk")
    func readsBesideWrites() async throws {
        let writes = BlockingTaskExecutor(label: "slow", threads: 1)
        let store = try ImageFolder(path: place.path + "/images", reads: BlockingTaskExecutor(label: "reads", threads: 1), writes: writes)
        try await store.store(variants, as: id, of: owner)
        let disk = DispatchSemaphore(value: 0)
        let (held, hold) = AsyncStream<Void>.makeStream()
        let slow = Task {
            await writes.run {
                hold.finish()
                Self.wait(for: disk)
            }
        }
        for await _ in held {}
        let next = ImageID.random(using: SystemRandomSource())
        let stored = Task { try await store.store(variants, as: next, of: owner) }
        #expect(try await store.image(id, of: owner, size: .small) == variants[.small])
        let upload = try await ImageProgram(program: "/absent", uploadsIn: place.path + "/images").beginUpload(of: owner)
        try await upload.append([1, 2, 3])
        #expect(try await upload.bytes(in: 0..<3) == [1, 2, 3])
        disk.signal()
        await slow.value
        try await stored.value
        #expect(try await store.image(next, of: owner, size: .small) == variants[.small])
    }

    /// Blocks its thread, like a slow disk.
    private static func wait(for disk: DispatchSemaphore) { disk.wait() }

    @Test("A folder that cannot be written is the store's failure")
    func failure() async throws {
        try FileManager.default.removeItem(atPath: place.path + "/images")
        try place.write([], to: "images")
        await #expect(throws: RepositoryError.self) { try await store.store(variants, as: id, of: owner) }
    }

    @Test("A folder that takes no pictures says so until it does, with the number of refused uploads")
    func health() async throws {
        let events = Mutex<[String]>([])
        store.health.observe { event in
            let words = switch event {
            case .failing(let trouble): "failing \(trouble.failure) \(trouble.count)"
            case .recovered(let trouble): "recovered \(trouble.failure) \(trouble.count)"
            case .failed: "failed"
            }
            events.withLock { $0.append(words) }
        }
        await store.check()
        #expect(store.status.trouble == nil && store.status.path == place.path + "/images")
        #expect(try #require(store.status.freeBytes) > 0)
        // Such a path fails in the same way as a full disk, with another cause.
        try FileManager.default.removeItem(atPath: place.path + "/images")
        try place.write([], to: "images")
        for _ in 0..<2 { await #expect(throws: RepositoryError.self) { try await store.store(variants, as: id, of: owner) } }
        let uploads = ImageProgram(program: "/absent", uploadsIn: place.path + "/images", health: store.health)
        let refusal = await #expect(throws: ImageRefusal.self) { try await uploads.beginUpload(of: owner) }
        guard case .storeUnavailable(.other, _)? = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        await store.check()
        #expect(store.status.trouble?.count == 3)
        try FileManager.default.removeItem(atPath: place.path + "/images")
        try FileManager.default.createDirectory(atPath: place.path + "/images", withIntermediateDirectories: false)
        await store.check()
        #expect(store.status.trouble == nil)
        #expect(events.withLock { $0 } == ["failing other 1", "recovered other 3"])
    }

    @Test("A folder without the pictures of profiles is in trouble until it has a file, although it can be written")
    func missingPictures() async throws {
        store.notePictures(missing: "its disk may not be mounted")
        await store.check()
        #expect(store.status.trouble?.failure == .inputOutput && store.status.trouble?.detail == "its disk may not be mounted")
        try place.write([], to: "images/found")
        await store.check()
        #expect(store.status.trouble == nil)
        // The owner of the last picture has removed it, so nothing is missing any more, although the folder is empty.
        try FileManager.default.removeItem(atPath: place.path + "/images/found")
        store.notePictures(missing: "its disk may not be mounted")
        store.notePictures(missing: nil)
        await store.check()
        #expect(store.status.trouble == nil)
        // From now on a write decides again.
        try FileManager.default.removeItem(atPath: place.path + "/images")
        await #expect(throws: RepositoryError.self) { try await store.store(variants, as: id, of: owner) }
        try FileManager.default.createDirectory(atPath: place.path + "/images", withIntermediateDirectories: false)
        await store.check()
        #expect(store.status.trouble == nil)
    }
}
