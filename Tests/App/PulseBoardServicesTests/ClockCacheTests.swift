import Testing

@testable import PulseBoardServices

@Suite("ClockCache") struct ClockCacheTests {
    private func cache(of capacity: Int, _ keys: some Sequence<Int>) -> ClockCache<Int, Int> {
        var cache = ClockCache<Int, Int>(capacity: capacity)
        for key in keys { _ = cache.insert(key * 10, for: key) }
        return cache
    }

    @Test("it never holds more than its capacity, and keeps what is used")
    func bounded() {
        var cache = cache(of: 3, [1, 2, 3])
        _ = cache.value(for: 2)
        #expect(cache.insert(40, for: 4) == 10)
        #expect(cache.insert(50, for: 5) == 30)
        #expect(cache.count == 3)
        #expect([1, 2, 3, 4, 5].map { cache.value(for: $0) } == [nil, 20, nil, 40, 50])
    }

    @Test("every entry stays reachable under its key whatever is removed")
    func removal() {
        var cache = cache(of: 8, 1...8)
        for key in [3, 6, 1] { #expect(cache.remove(key) == key * 10) }
        for key in 9...12 { _ = cache.insert(key * 10, for: key) }
        let held = (1...12).filter { cache.value(for: $0) == $0 * 10 }
        #expect(held.count == 8)
        #expect(cache.count == 8)
        #expect(!held.contains { [1, 3, 6].contains($0) })
    }
}
