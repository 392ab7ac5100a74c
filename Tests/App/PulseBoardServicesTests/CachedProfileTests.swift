import PulseBoardDomain
import Testing

@testable import PulseBoardServices

@Suite("CachedProfile") struct CachedProfileTests {
    private struct Unencodable: Error {}

    @Test("a profile is encoded once; an error is not kept, and a write begins again")
    func encodedOnce() async throws {
        let bench = try await Bench()
        let profiles = bench.services.profiles
        let caller = try await bench.member(1000, "name")
        #expect(profiles.cachedProfile(of: UserID.random(using: SystemRandomSource()), caller) == nil)
        _ = try await profiles.fetchCurrentUser(caller)
        let cached = try #require(profiles.cachedProfile(of: caller.userID, caller))
        #expect(throws: Unencodable.self) { try cached.encoded { (_) throws(Unencodable) in throw Unencodable() } }
        var count = 0
        for _ in 1...3 {
            let bytes = cached.encoded { profile in
                count += 1
                return Array(profile.username.text.utf8)
            }
            #expect(bytes == Array("name".utf8))
        }
        #expect(count == 1)
        #expect(try #require(profiles.cachedProfile(of: caller.userID, caller)).encoded { _ in [0] } == Array("name".utf8))

        let update = ProfileUpdate(
            userID: nil, paths: ["status_message"], username: "", texts: [.displayName: "", .statusMessage: "new"], etag: "", requestID: "")
        _ = try await profiles.updateProfile(update, caller)
        _ = try await profiles.fetchCurrentUser(caller)
        let changed = try #require(profiles.cachedProfile(of: caller.userID, caller))
        #expect(changed.encoded { Array($0.texts[.statusMessage].utf8) } == Array("new".utf8))
    }

    @Test("a token is known by all of its 43 characters and by no other length")
    func tokenKeys() throws {
        func key(_ text: String) -> SessionToken.Key? { SessionToken.Key(text.utf8Span.span) }
        let token = SessionToken.random(using: SystemRandomSource())
        let known = try #require(key(token))
        #expect(key(String(token)) == known)
        for index in token.indices {
            var other = token
            other.replaceSubrange(index...index, with: token[index] == "A" ? "B" : "A")
            #expect(key(other) != known)
        }
        for text in ["", String(token.dropLast()), token + "A"] { #expect(key(text) == nil) }
    }
}
