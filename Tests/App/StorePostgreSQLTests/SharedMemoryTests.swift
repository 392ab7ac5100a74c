import PulseBoardDomain
import PulseBoardServices
import StorePostgreSQL
import TestPostgreSQL
import Testing

/// The memory of a server while another one writes to the same store.
@Suite("Memory of several servers") struct SharedMemoryTests {
    @Test("rule 8: a session that one server ends is dead on the other, a profile that one changes is new on the other, and watches hear of both")
    func memory() async throws {
        let servers = try await TwoServers()
        let (first, second, token, caller) = (servers.first, servers.second, servers.token, servers.caller)
        let there = try await second.auth.authenticate(token)
        // Both have it in memory now.
        _ = try await second.profiles.profile(of: caller.userID, there)
        _ = try await second.auth.authenticate(token)

        var profiles = second.profiles.watchProfile(of: caller.userID, there).makeAsyncIterator()
        guard case .profile(let before)? = try await profiles.next() else {
            Issue.record("no profile")
            return
        }
        _ = try await first.profiles.updateProfile(
            ProfileUpdate(paths: ["status_message"], texts: [.statusMessage: "new"], etag: before.etag.text), caller)
        var seen: Profile?
        while seen?.texts[.statusMessage] != "new", let element = try await profiles.next() {
            if case .profile(let profile) = element { seen = profile }
        }
        #expect(try await second.profiles.profile(of: caller.userID, there).texts[.statusMessage] == "new")

        try await first.auth.signOut(caller)
        await #expect(throws: RepositoryError.notAuthenticated) {
            while try await profiles.next() != nil {}
        }
        await #expect(throws: RepositoryError.notAuthenticated) { try await second.auth.authenticate(token) }
        try servers.close()
    }
}
