import PulseBoardDomain
import Testing

@testable import PulseBoardServices

@Suite("BoundedCache") struct BoundedCacheTests {
    private func fill(_ cache: BoundedCache<Int, Int>, _ keys: some Sequence<Int>) {
        for key in keys { cache.fill(key * 10, for: key, ticket: cache.ticket()) }
    }

    @Test("it never holds more than its capacity, and keeps what is used")
    func bounded() {
        let cache = BoundedCache<Int, Int>(capacity: 3)
        fill(cache, [1, 2, 3])
        _ = cache.value(for: 2)
        fill(cache, [4, 5])
        #expect(cache.count == 3)
        #expect(cache.value(for: 2) == 20)
        #expect(cache.value(for: 1) == nil)
        #expect(cache.value(for: 3) == nil)
        #expect(cache.value(for: 4) == 40)
        #expect(cache.value(for: 5) == 50)
    }

    @Test("X3: a value read before an invalidation is not kept after it")
    func tickets() {
        let cache = BoundedCache<Int, Int>(capacity: 3)
        let ticket = cache.ticket()
        cache.invalidate(1)
        cache.fill(10, for: 1, ticket: ticket)
        #expect(cache.value(for: 1) == nil)
        cache.fill(11, for: 1, ticket: cache.ticket())
        #expect(cache.value(for: 1) == 11)
    }

    @Test("while a key is written it is not kept, nor what was asked for before the last of its writes ended")
    func pendingWrites() {
        let cache = BoundedCache<Int, Int>(capacity: 3)
        fill(cache, [1])
        cache.beginWrite(1)
        #expect(cache.value(for: 1) == nil)
        fill(cache, [1])
        #expect(cache.value(for: 1) == nil)
        cache.beginWrite(1)
        cache.endWrite(1)
        fill(cache, [1])
        #expect(cache.value(for: 1) == nil)
        let ticket = cache.ticket()
        cache.endWrite(1)
        cache.fill(10, for: 1, ticket: ticket)
        #expect(cache.value(for: 1) == nil)
        fill(cache, [1])
        #expect(cache.value(for: 1) == 10)
    }

    @Test("the end of one session in memory leaves the user's others; the end of all leaves other users'")
    func sessionIndex() {
        let cache = SessionCache(capacity: 4)
        func key(_ number: UInt8) -> SessionToken.Key {
            let text = [UInt8](repeating: number, count: SessionToken.textLength)
            guard let key = SessionToken.Key(text.span) else { preconditionFailure("as long as a token") }
            return key
        }
        func caller(_ number: UInt64, of user: UInt64) -> Caller {
            Caller(session: Session(
                id: SessionID(bits: UUIDBits(high: 1, low: number)), userID: UserID(bits: UUIDBits(high: 2, low: user)), account: .unix(uid: 1),
                createTime: Timestamp(microseconds: 0), expireTime: Timestamp(microseconds: 1)))
        }
        func fill(_ number: UInt8, of user: UInt64) {
            cache.fill(caller(UInt64(number), of: user), token: key(number), ticket: cache.ticket())
        }
        for number in 1...3 as ClosedRange<UInt8> { fill(number, of: 7) }
        fill(4, of: 8)
        cache.beginEnding([SessionID(bits: UUIDBits(high: 1, low: 2))])
        #expect((1...4).map { cache.caller(key($0), .bounded) != nil } == [true, false, true, true])
        fill(2, of: 7)
        #expect(cache.caller(key(2), .bounded) == nil)
        cache.didEnd([SessionID(bits: UUIDBits(high: 1, low: 2))])
        fill(2, of: 7)
        // One more than the capacity. The evicted session is not found by its user either.
        fill(5, of: 9)
        #expect(cache.count == 4)
        let user = UserID(bits: UUIDBits(high: 2, low: 7))
        cache.beginEndingSessions(of: user)
        fill(1, of: 7)
        #expect((1...3).allSatisfy { cache.caller(key($0), .bounded) == nil })
        #expect(cache.caller(key(5), .bounded)?.sessionID == SessionID(bits: UUIDBits(high: 1, low: 5)))
        cache.didEndSessions(of: user)
        fill(1, of: 7)
        #expect(cache.caller(key(1), .bounded) != nil)
    }

    @Test("every entry stays reachable under its key whatever is removed")
    func removal() {
        let cache = BoundedCache<Int, Int>(capacity: 8)
        fill(cache, 1...8)
        for key in [3, 6, 1] { cache.invalidate(key) }
        fill(cache, 9...12)
        var held = 0
        for key in 1...12 {
            guard let value = cache.value(for: key) else { continue }
            #expect(value == key * 10)
            held += 1
        }
        #expect(held == cache.count)
        #expect(held == 8)
        #expect([1, 3, 6].allSatisfy { cache.value(for: $0) == nil })
    }

    @Test("base64url is RFC 4648's without padding, and is read in one spelling only")
    func base64url() {
        for (bytes, text) in [([], ""), ([0x66], "Zg"), ([0x66, 0x6F], "Zm8"), ([0x66, 0x6F, 0x6F], "Zm9v"), ([0xFB, 0xFF], "-_8")]
            as [([UInt8], String)]
        {
            #expect(Base64URL.encode(bytes) == text)
            #expect(Base64URL.decode(text) == bytes)
        }
        for text in ["Zh", "Z", "Zg==", "Z g", "+/8", "Zm9vZ"] { #expect(Base64URL.decode(text) == nil) }
    }
}
