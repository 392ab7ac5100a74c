import PulseBoardMessages
import RPCCore

/// What one worker gathers while signing in or making profiles.
private struct PeopleGathered: Sendable {
    var tally = LoadTally()
    var people: [LoadRun.SignedIn] = []
    var withAlternative: [Int] = []
    var calls = 0
}

extension LoadRun {
    /// Signs everybody in. People whose account the server refuses are left out (nil) and counted as refused.
    func signIn(_ journal: inout LoadJournal) async throws(LoadInterruption) -> [SignedIn?] {
        let (gathered, elapsed) = try await phase(.signIn, count: plan.people.count, gathering: PeopleGathered()) {
            (index, channel, gathered) async throws(RPCError) in
            let person = plan.people[index]
            var peer = PBPeerCredential()
            peer.account = person.account
            var request = PBSignInRequest()
            request.credential = .peer(peer)
            gathered.calls += 1
            do throws(RPCError) {
                let session = try await PBAuthServiceClient(channel: channel).signIn(request, options: baseOptions)
                gathered.people.append(signedIn(index, session))
            } catch where error.code.isRefusal && error.code != .permissionDenied {
                gathered.tally.refuse(error.reasonOrCode, example: person.login)
            }
        }
        return merge(gathered, .signIn, elapsed, &journal)
    }

    /// Makes the profiles that are missing. People whose profile the server refuses are left without (and counted).
    func makeProfiles(_ people: [SignedIn?], _ journal: inout LoadJournal) async throws(LoadInterruption) -> [SignedIn?] {
        let present = people.compactMap { $0 }
        let (gathered, elapsed) = try await phase(.profiles, count: present.count, gathering: PeopleGathered()) {
            (number, channel, gathered) async throws(RPCError) in
            var person = present[number]
            if person.hasProfile {
                gathered.tally.existing += 1
            } else {
                person.hasProfile = try await makeProfile(of: person, channel, &gathered)
            }
            gathered.people.append(person)
        }
        return merge(gathered, .profiles, elapsed, &journal)
    }

    private func signedIn(_ index: Int, _ session: PBSession) -> SignedIn {
        var options = baseOptions
        options.metadata.append("Bearer " + session.token, for: "authorization")
        return SignedIn(
            index: index, userID: session.userID, options: options, hasProfile: session.state == .ready,
            signInTime: session.createTime)
    }

    /// Makes one profile under the mapped username or, if the server will not have that, under an alternative.
    ///
    /// - Returns: whether the person has a profile now.
    private func makeProfile(
        of person: SignedIn, _ channel: any CallChannel, _ gathered: inout PeopleGathered
    ) async throws(RPCError) -> Bool {
        let profiles = PBProfileServiceClient(channel: channel)
        var request = PBCreateProfileRequest()
        request.username = plan.usernames.usernames[person.index]
        request.displayName = plan.people[person.index].login
        var attempt = 0
        while true {
            gathered.calls += 1
            do throws(RPCError) {
                _ = try await profiles.createProfile(request, options: person.options)
                gathered.tally.created += 1
                if attempt > 0 { gathered.withAlternative.append(person.index) }
                return true
            } catch where error.code.isRefusal {
                let reason = error.reasonOrCode
                if reason == "PROFILE_EXISTS" {
                    gathered.tally.existing += 1
                    return true
                }
                attempt += 1
                guard reason == "USERNAME_DUPLICATED" || reason == "USERNAME_RESERVED",
                    let name = plan.usernames.alternative(at: person.index, attempt: attempt)
                else {
                    gathered.tally.refuse(reason, example: "\(request.displayName) (\(request.username))")
                    return false
                }
                request.username = name
            }
        }
    }

    /// Puts the workers' people in the order of the plan and adds their counts to the journal.
    private func merge(
        _ gathered: [PeopleGathered], _ phase: LoadPhaseName, _ elapsed: Duration, _ journal: inout LoadJournal
    ) -> [SignedIn?] {
        var people = [SignedIn?](repeating: nil, count: plan.people.count)
        for one in gathered {
            for person in one.people { people[person.index] = person }
            journal.people.add(one.tally)
            journal.withAlternative.formUnion(one.withAlternative)
        }
        journal.record(phase, calls: gathered.reduce(0) { $0 + $1.calls }, elapsed: elapsed)
        return people
    }
}

extension RPCError {
    /// The reason of the error's `google.rpc.ErrorInfo`, or the code's name.
    var reasonOrCode: String { StatusDetails(self, language: .english).reason ?? code.name }
}
