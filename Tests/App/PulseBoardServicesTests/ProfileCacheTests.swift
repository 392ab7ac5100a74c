import PulseBoardDomain
import Testing

@testable import PulseBoardServices

@Suite("ProfileCache") struct ProfileCacheTests {
    let bench: Bench
    let cache: ProfileCache

    init() async throws {
        bench = try await Bench()
        cache = ProfileCache(users: bench.store, capacity: 3)
    }

    private func profile(_ number: UInt64, _ name: String? = nil) throws -> Profile {
        let name = name ?? "user\(number)"
        return Profile(
            id: UserID(bits: UUIDBits(high: 1, low: number)), username: try #require(Username(storedText: name, storedKey: name)),
            texts: ProfileTexts(), createTime: Timestamp(microseconds: 0), updateTime: Timestamp(microseconds: 0), etag: Etag(text: "\(number)"))
    }

    private func fill(_ profile: Profile) { cache.fill(profile, ticket: cache.ticket()) }

    private func isKnown(_ profile: Profile) -> Bool {
        let byID = cache.cached(of: profile.id, .bounded)?.profile, byName = cache.cached(usernameKey: profile.username.key)?.profile
        #expect(byID == byName)
        return byID == profile
    }

    @Test("X3: a profile read before an invalidation is not kept after it")
    func tickets() throws {
        let kim = try profile(1)
        let ticket = cache.ticket()
        cache.forget(kim.id)
        cache.fill(kim, ticket: ticket)
        #expect(!isKnown(kim))
        fill(kim)
        #expect(isKnown(kim))
    }

    @Test("while a profile is written it is not kept, nor what was asked for before the last of its writes ended")
    func pendingWrites() throws {
        let kim = try profile(1)
        fill(kim)
        cache.beginWrite(of: kim.id)
        #expect(!isKnown(kim))
        fill(kim)
        #expect(!isKnown(kim))
        cache.beginWrite(of: kim.id)
        cache.endWrite(of: kim.id)
        fill(kim)
        #expect(!isKnown(kim))
        let ticket = cache.ticket()
        cache.endWrite(of: kim.id)
        cache.fill(kim, ticket: ticket)
        #expect(!isKnown(kim))
        fill(kim)
        #expect(isKnown(kim))
    }

    @Test("a username leads to the profile that has it, and to none that was removed, evicted or renamed")
    func names() throws {
        let users = try (1...4).map { try profile($0) }
        for user in users { fill(user) }
        #expect(users.filter(isKnown).count == 3)
        let kim = users[3], renamed = try profile(4, "kim")
        fill(renamed)
        #expect(isKnown(renamed))
        #expect(cache.cached(usernameKey: kim.username.key) == nil)
        let next = try profile(5, "kim")
        cache.forget(renamed.id)
        fill(next)
        #expect(isKnown(next))
    }
}
