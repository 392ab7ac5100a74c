import Testing

/// Follows with the built programs.
@Suite("Follows, end to end", .serialized, .timeLimit(.minutes(2)))
struct FollowTests {
    @Test("B25, B26, X18, X20: follow and unfollow are idempotent, and both sides see them")
    func followAndUnfollow() async throws {
        try await Household.withServer { house, _ in
            let minji = try await house.enter(as: "minji", username: "minji")
            let junho = try await house.enter(as: "junho", username: "junho", displayName: "준호")

            #expect(try await house.answer("follow", "status", "@junho", as: "minji")["state"] == "STATE_UNFOLLOWED")
            let followed = try await house.answer("follow", "add", "@junho", as: "minji")
            #expect(followed["state"] == "STATE_FOLLOWED")
            #expect(followed["userId"] == junho["userId"])
            #expect(try await house.answer("follow", "add", "@junho", as: "minji") == followed)
            #expect(try await house.answer("follow", "status", "@junho", as: "minji") == followed)
            let back = try await house.answer("follow", "status", "@minji", as: "junho")
            #expect(back["state"] == "STATE_UNFOLLOWED")
            #expect(back["followedBy"] == true)

            let following = try await house.answer("follow", "following", as: "minji")["users"].elements
            #expect(following.map { $0["user"]["userId"] } == [junho["userId"]])
            #expect(following.first?["user"]["displayName"] == "준호")
            let followers = try await house.answer("follow", "followers", "@junho", as: "minji")["users"].elements
            #expect(followers.map { $0["user"]["userId"] } == [minji["userId"]])
            let counts = try await house.answer("follow", "counts", "@junho", as: "minji")
            #expect(counts["followers"].integer == 1)
            #expect(counts["following"].integer == 0)

            for _ in 0..<2 {
                #expect(try await house.answer("follow", "remove", "@junho", as: "minji")["state"] == "STATE_UNFOLLOWED")
            }
            #expect(try await house.answer("follow", "followers", "@junho", as: "minji")["users"].elements.isEmpty)
            #expect(try await house.answer("follow", "counts", "@junho", as: "minji")["followers"].integer == 0)
        }
    }

    @Test("B26, X19: following oneself or nobody is refused; oneself is personal")
    func refusedFollows() async throws {
        try await Household.withServer { house, _ in
            _ = try await house.enter(as: "minji", username: "minji")
            let own = try await house.pulseboard("follow", "add", "@minji", "--json", as: "minji")
            #expect(own.exit == .invalidArgument)
            #expect(try own.failure()["reason"] == "SELF_FOLLOW")
            #expect(try await house.answer("follow", "status", "@minji", as: "minji")["state"] == "STATE_PERSONAL")
            let nobody = try await house.pulseboard(
                "follow", "add", "00000000-0000-4000-8000-000000000000", "--json", as: "minji")
            #expect(nobody.exit == .notFound)
            #expect(try nobody.failure()["reason"] == "USER_NOT_FOUND")
            #expect(try await house.answer("follow", "counts", as: "minji")["following"].integer == 0)
        }
    }

    @Test("X21: somebody signed out gets an authentication error, not “personal”")
    func signedOut() async throws {
        try await Household.withServer { house, _ in
            _ = try await house.enter(as: "minji", username: "minji")
            _ = try await house.answer("auth", "logout", as: "minji")
            #expect(try await house.pulseboard("follow", "status", "@minji").exit == .unauthenticated)
        }
    }

    @Test("Lists come newest first and page by page, without a gap or a repetition")
    func pages() async throws {
        try await Household.withServer { house, _ in
            _ = try await house.enter(as: "hub", username: "hub")
            for number in 0..<7 {
                _ = try await house.enter(as: "fan\(number)", username: "fan\(number)")
                _ = try await house.answer("follow", "add", "@hub", as: "fan\(number)")
            }
            let newestFirst = (0..<7).reversed().map { JSON.string("fan\($0)") }
            let all = try await house.answer("follow", "followers", "--all", as: "hub")
            #expect(all["users"].elements.map { $0["user"]["username"] } == newestFirst)

            var paged: [JSON] = []
            var token = ""
            repeat {
                let page = try await house.answer("follow", "followers", "--limit", "3", "--page-token", token, as: "hub")
                #expect(page["users"].elements.count <= 3)
                paged += page["users"].elements.map { $0["user"]["username"] }
                token = try #require(page["nextPageToken"].text)
            } while !token.isEmpty && paged.count < 20
            #expect(paged == newestFirst)

            let forged = try await house.pulseboard("follow", "followers", "--page-token", "AAAA", "--json", as: "hub")
            #expect(forged.exit == .invalidArgument)
            #expect(try forged.failure()["reason"] == "PAGE_TOKEN_INVALID")
        }
    }

    @Test("A follower can be removed by the one followed")
    func removeFollower() async throws {
        try await Household.withServer { house, _ in
            _ = try await house.enter(as: "minji", username: "minji")
            _ = try await house.enter(as: "junho", username: "junho")
            _ = try await house.answer("follow", "add", "@minji", as: "junho")
            #expect(try await house.answer("follow", "remove-follower", "@junho", as: "minji")["followedBy"] == false)
            #expect(try await house.answer("follow", "status", "@minji", as: "junho")["state"] == "STATE_UNFOLLOWED")
            #expect(try await house.answer("follow", "counts", as: "minji")["followers"].integer == 0)
        }
    }
}
