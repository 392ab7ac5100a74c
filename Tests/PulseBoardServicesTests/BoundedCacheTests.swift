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

    @Test("every entry stays reachable under its key whatever is removed")
    func removal() {
        let cache = BoundedCache<Int, Int>(capacity: 8)
        fill(cache, 1...8)
        cache.invalidate { $0 / 10 % 3 == 0 }
        cache.invalidate(1)
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
