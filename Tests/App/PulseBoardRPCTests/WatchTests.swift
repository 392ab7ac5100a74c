import ProtobufWellKnownTypes
import PulseBoardMessages
import RPCCore
import Testing

/// Streaming methods over a socket, from a client's side.
@Suite("Streaming methods") struct WatchTests {
    /// How a stream ends after its messages: the code, and the reason if one is named.
    private func ending<Response>(_ stream: MessageStream<Response>.AsyncIterator) async -> (StatusCode?, String?) {
        var stream = stream
        do throws(RPCError) {
            while try await stream.next() != nil {}
            return (nil, nil)
        } catch {
            return (error.code, error.reason)
        }
    }

    @Test("B16: WatchAuthState tells each state up to the end of the session, and ends with OK")
    func auth() async throws {
        try await TestBoard.with { board in
            let member = try await board.signIn("kim")
            var states = board.auth.watchAuthState(PBWatchAuthStateRequest(), options: member.options).makeAsyncIterator()
            #expect(try await states.next()?.update == .state(PBAuthState(state: .needsProfile, userID: member.userID)))
            _ = try await board.profiles.createProfile(PBCreateProfileRequest(username: "kim"), options: member.options)
            #expect(try await states.next()?.update == .state(PBAuthState(state: .ready, userID: member.userID)))
            _ = try await board.auth.signOut(PBSignOutRequest(), options: member.options)
            #expect(try await states.next()?.update == .state(PBAuthState(state: .signedOut)))
            #expect(try await states.next() == nil)

            var guest = board.auth.watchAuthState(PBWatchAuthStateRequest()).makeAsyncIterator()
            #expect(try await guest.next()?.update == .state(PBAuthState(state: .signedOut)))
            #expect(try await guest.next() == nil)
        }
    }

    @Test("WatchProfile tells changes, an empty id means the caller, and deletion is told and ends it with OK")
    func profile() async throws {
        try await TestBoard.with { board in
            let kim = try await board.enter("kim")
            let lee = try await board.enter("lee")
            var own = board.profiles.watchProfile(PBWatchProfileRequest(), options: kim.options).makeAsyncIterator()
            var other = board.profiles.watchProfile(
                PBWatchProfileRequest(userID: kim.userID), options: lee.options).makeAsyncIterator()
            #expect(try await own.next()?.profile?.username == "kim")
            #expect(try await other.next()?.profile?.userID == kim.userID)
            let request = PBUpdateProfileRequest(profile: PBProfile(statusMessage: "new"))
            let updated = try await board.profiles.updateProfile(request, options: kim.options)
            #expect(try await own.next()?.profile == updated)
            #expect(try await other.next()?.profile == updated)
            _ = try await board.profiles.deleteMyProfile(PBDeleteMyProfileRequest(), options: kim.options)
            let gone = PBWatchProfileResponse(update: .withdrawn(PBProfileWithdrawn(userID: kim.userID)))
            #expect(try await own.next() == gone)
            #expect(try await own.next() == nil)
            #expect(try await other.next() == gone)
            #expect(try await other.next() == nil)
            let absent = board.profiles.watchProfile(PBWatchProfileRequest(userID: kim.userID), options: lee.options)
            #expect(await ending(absent.makeAsyncIterator()) == (.notFound, "USER_NOT_FOUND"))

            let malformed = board.profiles.watchProfile(PBWatchProfileRequest(userID: "x"), options: lee.options)
            #expect(await ending(malformed.makeAsyncIterator()) == (.invalidArgument, "IDENTIFIER_INVALID"))
            let guest = board.profiles.watchProfile(PBWatchProfileRequest())
            #expect(await ending(guest.makeAsyncIterator()) == (.unauthenticated, "NOT_AUTHENTICATED"))
        }
    }

    @Test("B19, X12: CheckUsernames answers the last text of the typing, named, and ends with it")
    func typing() async throws {
        try await TestBoard.with { board in
            _ = try await board.enter("taken")
            let kim = try await board.signIn("kim")
            let typing = board.profiles.checkUsernames(options: kim.options)
            var answers = typing.responses.makeAsyncIterator()
            try await typing.write(PBCheckUsernamesRequest(username: "t"))
            let short = try #require(try await answers.next())
            #expect(short.username == "t")
            #expect(short.violations.map(\.reason) == ["USERNAME_TOO_SHORT"])
            try await typing.write(PBCheckUsernamesRequest(username: "taken"))
            #expect(try await answers.next() == PBCheckUsernamesResponse(username: "taken", state: .checking, normalized: "taken"))
            let taken = try #require(try await answers.next())
            #expect(taken.username == "taken")
            #expect(taken.state == .unavailable)
            #expect(taken.violations.map(\.reason) == ["USERNAME_DUPLICATED"])
            try await typing.write(PBCheckUsernamesRequest(username: "free"))
            typing.finishWriting()
            #expect(try await answers.next()?.state == .checking)
            let free = try #require(try await answers.next())
            #expect(free == PBCheckUsernamesResponse(username: "free", state: .available, normalized: "free"))
            #expect(try await answers.next() == nil)
            // The answer to one call contains its text as well.
            let one = try await board.profiles.checkUsername(PBCheckUsernameRequest(username: "free"), options: kim.options)
            #expect(one == PBCheckUsernameResponse(available: true, normalized: "free", username: "free"))
        }
    }

    @Test("WatchFollows begins with a position, each token resumes after its event, and bad tokens have their codes")
    func follows() async throws {
        try await TestBoard.with { board in
            let kim = try await board.enter("kim")
            let lee = try await board.enter("lee")
            var events = board.follows.watchFollows(PBWatchFollowsRequest(), options: kim.options).makeAsyncIterator()
            let position = try #require(try await events.next())
            #expect(position.update == .position(PBFollowPosition()))
            let followed = try await board.follows.follow(PBFollowRequest(userID: lee.userID), options: kim.options)
            _ = try await board.follows.removeFollower(PBRemoveFollowerRequest(userID: kim.userID), options: lee.options)
            let first = try #require(try await events.next())
            #expect(first.event?.kind == .followed)
            #expect(first.event?.cause == .follower)
            #expect(first.event?.user == PBUserSummary(userID: lee.userID, username: "lee"))
            #expect(first.event?.eventTime == followed.followTime)
            let second = try #require(try await events.next())
            #expect(second.event?.kind == .unfollowed)
            #expect(second.event?.cause == .followee)

            let request = PBWatchFollowsRequest(resumeToken: first.resumeToken)
            var resumed = board.follows.watchFollows(request, options: kim.options).makeAsyncIterator()
            #expect(
                try await resumed.next()
                    == PBWatchFollowsResponse(update: .position(PBFollowPosition()), resumeToken: first.resumeToken))
            #expect(try await resumed.next() == second)
            let borrowed = board.follows.watchFollows(request, options: lee.options)
            #expect(await ending(borrowed.makeAsyncIterator()) == (.invalidArgument, "RESUME_TOKEN_INVALID"))
            let guest = try await board.signIn("guest")
            let early = board.follows.watchFollows(PBWatchFollowsRequest(), options: guest.options)
            #expect(await ending(early.makeAsyncIterator()) == (.failedPrecondition, "PROFILE_REQUIRED"))
        }
    }

    @Test("a shutdown ends every stream with UNAVAILABLE, and no other call")
    func shutdown() async throws {
        try await TestBoard.with { board in
            let kim = try await board.enter("kim")
            var states = board.auth.watchAuthState(PBWatchAuthStateRequest(), options: kim.options).makeAsyncIterator()
            var profile = board.profiles.watchProfile(PBWatchProfileRequest(), options: kim.options).makeAsyncIterator()
            var events = board.follows.watchFollows(PBWatchFollowsRequest(), options: kim.options).makeAsyncIterator()
            let typing = board.profiles.checkUsernames(options: kim.options)
            #expect(try await states.next() != nil)
            #expect(try await profile.next() != nil)
            #expect(try await events.next() != nil)
            // The actions of the server when its shutdown begins.
            var router = Router()
            board.services.register(on: &router)
            for action in router.shutdownActions { action() }
            #expect(await ending(states) == (.unavailable, "UNAVAILABLE"))
            #expect(await ending(profile) == (.unavailable, "UNAVAILABLE"))
            #expect(await ending(events) == (.unavailable, "UNAVAILABLE"))
            #expect(await ending(typing.responses.makeAsyncIterator()) == (.unavailable, "UNAVAILABLE"))
            #expect(try await board.profiles.getMyProfile(PBGetMyProfileRequest(), options: kim.options).username == "kim")
        }
    }

    @Test("a burst of events reaches a client that reads later, each once and in order")
    func burst() async throws {
        try await TestBoard.with { board in
            let kim = try await board.enter("kim")
            let lee = try await board.enter("lee")
            var events = board.follows.watchFollows(PBWatchFollowsRequest(), options: kim.options).makeAsyncIterator()
            #expect(try await events.next()?.update == .position(PBFollowPosition()))
            for _ in 1...150 {
                _ = try await board.follows.follow(PBFollowRequest(userID: kim.userID), options: lee.options)
                _ = try await board.follows.unfollow(PBUnfollowRequest(userID: kim.userID), options: lee.options)
            }
            var kinds: [PBFollowEvent.Kind] = []
            while kinds.count < 300, let update = try await events.next() {
                if let event = update.event { kinds.append(event.kind) }
            }
            #expect(kinds == (1...150).flatMap { _ in [.followerGained, .followerLost] })
        }
    }
}

extension PBWatchProfileResponse {
    fileprivate var profile: PBProfile? {
        if case .profile(let profile)? = update { profile } else { nil }
    }
}

extension PBWatchFollowsResponse {
    fileprivate var event: PBFollowEvent? {
        if case .event(let event)? = update { event } else { nil }
    }
}
