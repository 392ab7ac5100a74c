import PulseBoardDomain
import Testing

@testable import PulseBoardServices

/// Who has a place for an upload, and who loses it.
@Suite struct UploadingUsersTests {
    @Test("256 users upload at once; one more is refused while none of them is old enough to lose the place")
    func limit() throws {
        let users = UploadingUsers(limit: 256)
        func place(_ number: UInt64, at seconds: Int64) -> UploadPlace? {
            users.begin(UserID(bits: UUIDBits(high: 0, low: number)), at: Timestamp(microseconds: seconds * 1_000_000))
        }
        let places = (1...256).compactMap { place($0, at: 0) }
        #expect(places.count == 256)
        #expect(place(257, at: 9) == nil)
        // A sixteenth of the places is given away at a time, as long as those who lose them have not ended.
        #expect((300..<400).compactMap { place($0, at: 10) }.count == 16)
        let lost = places.filter(\.isLost)
        #expect(lost.count == 16)
        for place in lost { users.end(place, at: Timestamp(microseconds: 0)) }
        #expect(place(400, at: 10) != nil)
    }

    @Test("an upload that waits for its header loses its place like one that waits for bytes")
    func lostBeforeItsHeader() async throws {
        let users = UploadingUsers(limit: 1)
        let user = UserID(bits: UUIDBits(high: 0, low: 1)), start = Timestamp(microseconds: 0)
        let place = try #require(users.begin(user, at: start))
        let (nothing, silence) = AsyncStream<[UInt8]>.makeStream()
        place.lose()
        await #expect(throws: ImageRefusal.busy) {
            _ = try await EchoDecoder.Upload().receive(
                nothing,
                announcedBy: {
                    for await _ in nothing {}
                    throw CancellationError()
                }, limit: 1, in: place, timer: TestTimer())
        }
        silence.finish()
        users.end(place, at: start)
        // The next upload has no head start. A wrong header is no reason for that.
        let next = try #require(users.begin(user, at: start))
        #expect(next.rate(at: start) != nil)
        next.hasReceivedAll()
        users.end(next, at: start)
        let wrong = try #require(users.begin(user, at: start))
        await #expect(throws: RepositoryError.self) {
            _ = try await EchoDecoder.Upload().receive(
                AsyncStream<[UInt8]> { $0.finish() }, announcedBy: { UploadHeader(byteCount: 9, sha256: []) }, limit: 1, in: wrong,
                timer: TestTimer())
        }
        users.end(wrong, at: start)
        #expect(try #require(users.begin(user, at: start)).rate(at: start) == nil)
    }

    @Test("When all places are taken, the slowest upload of more than ten seconds gives its place to a new one")
    func slowestGivesWay() async throws {
        let users = UploadingUsers(limit: 3)
        var seconds: Int64 = 0
        func place(_ number: UInt64) -> UploadPlace? {
            users.begin(UserID(bits: UUIDBits(high: 0, low: number)), at: Timestamp(microseconds: seconds * 1_000_000))
        }
        let first = try #require(place(1)), second = try #require(place(2)), third = try #require(place(3))
        first.hasReceived(300_000)
        second.hasReceived(100_000)
        // The third has received everything, and is being decoded.
        third.hasReceived(1)
        third.hasReceivedAll()
        seconds = 9
        #expect(place(4) == nil, "nobody is old enough")
        seconds = 10
        #expect(place(2) == nil, "a user has one upload")
        let fourth = try #require(place(4))
        await #expect(throws: ImageRefusal.busy) { try await second.waitUntilLost() }
        #expect(!first.isLost && !third.isLost)
        #expect(place(5) == nil, "one place at a time is given away until its upload has ended")
        #expect(place(2) == nil, "its upload has not ended")
        users.end(second, at: Timestamp(microseconds: 10_000_000))
        #expect(place(2) != nil)
        #expect(first.isLost && !fourth.isLost && !third.isLost)
    }

    @Test("Users who begin again and again, and never end, keep nobody out: only the first of their uploads has a head start")
    func againAndAgain() throws {
        let users = UploadingUsers(limit: 2)
        func place(_ number: UInt64, at seconds: Int64) -> UploadPlace? {
            users.begin(UserID(bits: UUIDBits(high: 0, low: number)), at: Timestamp(microseconds: seconds * 1_000_000))
        }
        for number: UInt64 in 1...2 { users.end(try #require(place(number, at: 0)), at: Timestamp(microseconds: 0)) }
        let again = try (1...2).map { try #require(place($0, at: 1)) }
        again[0].hasReceived(1)
        let honest = try #require(place(3, at: 1))
        #expect(again.map(\.isLost) == [false, true])
        users.end(again[1], at: Timestamp(microseconds: 1_000_000))
        // The same user begins once more, and takes the place of the other one, not of the honest one.
        let onceMore = try #require(place(2, at: 2))
        #expect(again[0].isLost && !honest.isLost)
        users.end(again[0], at: Timestamp(microseconds: 2_000_000))
        // An upload with all of its bytes gives the head start back, and so does time.
        onceMore.hasReceivedAll()
        users.end(onceMore, at: Timestamp(microseconds: 3_000_000))
        let second = try #require(place(2, at: 3))
        #expect(place(4, at: 3) == nil)
        users.end(honest, at: Timestamp(microseconds: 3_000_000))
        _ = try #require(place(1, at: 602))
        #expect(place(4, at: 602) != nil && second.isLost)
        users.end(second, at: Timestamp(microseconds: 602_000_000))
        #expect(place(5, at: 602) == nil)
    }
}
