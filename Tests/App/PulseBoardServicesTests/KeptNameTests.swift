import PulseBoardDomain
import Testing

@testable import PulseBoardServices

@Suite("Names that are kept, by the services") struct KeptNameTests {
    let bench: Bench

    init() async throws { bench = try await Bench() }

    private func refusal(_ body: () async throws -> Void) async -> RepositoryError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? RepositoryError
        }
    }

    @Test("a user reserves twenty names an hour; the next waits for the first to be an hour old; malformed ones do not count")
    func rate() async throws {
        let profiles = bench.services.profiles
        let (caller, other) = (try await bench.caller(1000), try await bench.caller(1001))
        for _ in 1...3 {
            let malformed = await refusal { _ = try await profiles.reserveUsername("a b", caller) }
            #expect(malformed?.reason == .usernameInvalidCharacters)
        }
        for number in 1...20 { _ = try await profiles.reserveUsername("name_\(number)", caller) }
        bench.counted.resetCalls()
        guard case .rateLimited(let wait)? = await refusal({ _ = try await profiles.reserveUsername("name_21", caller) }) else {
            Issue.record("the twenty-first is refused")
            return
        }
        #expect(bench.counted.calls() == 0)
        // The clock advances by a second with each reading.
        #expect((3_000_000_000..<3_600_000_000).contains(wait.microseconds))
        _ = try await profiles.reserveUsername("name_21", other)
        bench.clock.advance(wait)
        _ = try await profiles.reserveUsername("name_22", caller)
    }

    @Test("new rules of usernames and a new time to come back hold from the next call on")
    func otherRules() async throws {
        let profiles = bench.services.profiles
        let minji = try await bench.member(1000, "minjil")
        let other = try await bench.member(1001, "other")
        bench.services.setRules(usernames: UsernameRules(length: 3...9), withdrawalGrace: .days(1))
        #expect(try await profiles.checkUsername("ab", other).violations.map(\.reason) == [.usernameTooShort])
        bench.store.setUsernamePolicy(UsernamePolicy(cooldown: .days(0), hold: .days(0)))
        bench.clock.advance(.days(2))
        for name in ["changed", "another"] { _ = try await profiles.updateProfile(ProfileUpdate(username: name), minji) }
        #expect(try await profiles.checkUsername("minjil", other).isAvailable)
        let purgeTime = try await bench.services.withdrawals.request(minji)
        #expect(purgeTime.microseconds - bench.clock.now().microseconds <= Timestamp.Interval.days(1).microseconds)
    }

    @Test("X12, C13: a check says what the change will say, and until when")
    func checks() async throws {
        let profiles = bench.services.profiles
        let minji = try await bench.member(1000, "minjil")
        let other = try await bench.member(1001, "other")
        #expect(try await profiles.checkUsername("minji1", other).violations.map(\.reason) == [.usernameConfusable])
        #expect(try await profiles.checkUsername("MINJIL", minji).isAvailable)
        bench.clock.advance(.days(2))
        _ = try await profiles.updateProfile(ProfileUpdate(username: "changed"), minji)
        let check = try await profiles.checkUsername("another", minji)
        #expect(check.violations.map(\.reason) == [.usernameChangedRecently])
        let availableTime = try #require(check.violations.first?.availableTime)
        let refused = await refusal { _ = try await profiles.updateProfile(ProfileUpdate(username: "another"), minji) }
        #expect(refused == .usernameChangedRecently(availableTime: availableTime))
        // The old name is held, and finds nobody.
        #expect(try await profiles.checkUsername("minjil", other).violations.map(\.reason) == [.usernameDuplicated])
        await #expect(throws: RepositoryError.userNotFound) { try await profiles.profile(username: "minjil", other) }
        bench.clock.advance(.days(30))
        _ = try await profiles.updateProfile(ProfileUpdate(username: "minjil"), minji)
        #expect(try await profiles.profile(username: "MinjiL", other).id == minji.userID)
    }

    @Test("B37: a search by initial consonants goes on where its page ended")
    func pages() async throws {
        for (uid, name) in zip(1000..., ["민지", "문정", "마주", "하나"]) { _ = try await bench.member(UInt32(uid), name) }
        let caller = try await bench.caller(1000)
        var found: [String] = []
        var token = ""
        repeat {
            let page = try await bench.services.profiles.search("ㅁㅈ", PageRequest(size: 1, token: token), caller)
            found += page.items.map(\.username.text)
            token = page.nextToken?.text ?? ""
        } while !token.isEmpty
        #expect(found.sorted() == ["마주", "문정", "민지"])
    }
}
