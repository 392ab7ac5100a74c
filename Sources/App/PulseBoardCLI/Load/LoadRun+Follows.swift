import ProtobufWellKnownTypes
import PulseBoardMessages
import RPCCore

/// What one worker gathers while making follows or signing out.
private struct FollowsGathered: Sendable {
    var tally = LoadTally()
    var calls = 0
}

extension LoadRun {
    /// The reason under which follows of people without a profile are counted; the server is not asked about them.
    private static let personRefused = "PERSON_REFUSED"

    /// Makes every follow of the plan.
    ///
    /// `Follow` answers alike for a new follow and an old one; they are told apart by the follow's time, which for a new one
    /// is not before this run's first sign-in, both by the server's clock.
    func makeFollows(_ people: [SignedIn?], _ journal: inout LoadJournal) async throws(LoadInterruption) {
        let start = people.lazy.compactMap { $0?.signInTime }.min { $0.isBefore($1) }
        let follows = plan.follows
        let (gathered, elapsed) = try await phase(.follows, count: follows.count, gathering: FollowsGathered()) {
            (index, channel, gathered) async throws(RPCError) in
            let follow = follows[index]
            guard let follower = people[Int(follow.follower)], let followee = people[Int(follow.followee)],
                follower.hasProfile, followee.hasProfile
            else {
                gathered.tally.refuse(Self.personRefused, example: describe(follow))
                return
            }
            var request = PBFollowRequest()
            request.userID = followee.userID
            gathered.calls += 1
            do throws(RPCError) {
                let relationship = try await PBFollowServiceClient(channel: channel)
                    .follow(request, options: follower.options)
                if let time = relationship.followTime, let start, time.isBefore(start) {
                    gathered.tally.existing += 1
                } else {
                    gathered.tally.created += 1
                }
            } catch where error.code.isRefusal {
                gathered.tally.refuse(error.reasonOrCode, example: describe(follow))
            }
        }
        for one in gathered { journal.follows.add(one.tally) }
        journal.record(.follows, calls: gathered.reduce(0) { $0 + $1.calls }, elapsed: elapsed)
    }

    /// Ends the sessions that this run opened. One that has ended already is no error.
    func signOut(_ people: [SignedIn?], _ journal: inout LoadJournal) async throws(LoadInterruption) {
        let present = people.compactMap { $0 }
        let (gathered, elapsed) = try await phase(.signOut, count: present.count, gathering: FollowsGathered()) {
            (number, channel, gathered) async throws(RPCError) in
            gathered.calls += 1
            do throws(RPCError) {
                _ = try await PBAuthServiceClient(channel: channel)
                    .signOut(PBSignOutRequest(), options: present[number].options)
            } catch where error.code == .unauthenticated {
                return
            }
        }
        journal.record(.signOut, calls: gathered.reduce(0) { $0 + $1.calls }, elapsed: elapsed)
    }

    private func describe(_ follow: DirectedFollow) -> String {
        plan.people[Int(follow.follower)].login + " → " + plan.people[Int(follow.followee)].login
    }
}

extension Google_Protobuf_Timestamp {
    fileprivate func isBefore(_ other: Google_Protobuf_Timestamp) -> Bool {
        (seconds, nanos) < (other.seconds, other.nanos)
    }
}
