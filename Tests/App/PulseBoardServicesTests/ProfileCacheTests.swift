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

    private func fill(_ profile: Profile) { cache.fill(profile, foundBy: profile.username.key, ticket: cache.ticket()) }

    /// Whether a profile is found by its id and by its name.
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

    @Test("a username leads to the profile that was read by it, until that is removed, evicted or renamed, and no name stays without its profile")
    func names() throws {
        let users = try (1...4).map { try profile($0) }
        for user in users { fill(user) }
        #expect(users.filter(isKnown).count == 3)
        #expect(cache.usernameCount == 3)
        // Evicted under one name, and kept again under another.
        let back = try profile(1, "back")
        fill(back)
        #expect(isKnown(back))
        #expect(cache.cached(usernameKey: users[0].username.key) == nil)
        // Given up by a write. Then the profile is read by its id.
        cache.beginWrite(of: back.id)
        cache.endWrite(of: back.id)
        let renamed = try profile(1, "kim")
        cache.fill(renamed, ticket: cache.ticket())
        #expect(cache.cached(of: renamed.id, .bounded)?.profile == renamed)
        #expect(cache.cached(usernameKey: "back") == nil)
        #expect(cache.cached(usernameKey: "kim") == nil)
        fill(renamed)
        #expect(isKnown(renamed))
        for number in 1...100 as ClosedRange<UInt64> {
            try fill(profile(number % 7, "name\(number)"))
            #expect(cache.usernameCount <= 3)
        }
    }

    @Test("a name of two users leads to the one who was read by it last, and forgetting the other changes nothing")
    func twoOwners() throws {
        let former = try profile(1, "kim"), next = try profile(2, "kim")
        fill(former)
        fill(next)
        #expect(cache.cached(usernameKey: "kim")?.profile == next)
        cache.forget(former.id)
        #expect(cache.cached(usernameKey: "kim")?.profile == next)
        cache.forget(next.id)
        #expect(cache.cached(usernameKey: "kim") == nil)
    }
}
