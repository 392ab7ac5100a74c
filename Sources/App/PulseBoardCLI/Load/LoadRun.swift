import ProtobufWellKnownTypes
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore

/// Loads a plan through the public API: signs everybody in, creates missing profiles, makes the follows, and signs out
/// again.
///
/// Every step skips what exists already, so running it again continues an interrupted run.
struct LoadRun: Sendable {
    let plan: LoadPlan
    let connections: [OpenChannel]
    /// Concurrent calls on each connection.
    let inFlight: Int
    /// The options of every call without a session: timeout and language.
    let baseOptions: CallOptions
    let progress: LoadProgress

    /// A person of the plan with an open session.
    struct SignedIn: Sendable {
        /// The position in the plan.
        let index: Int
        let userID: String
        /// Options with the session's token. They are made once, because all calls of the person share them.
        let options: CallOptions
        var hasProfile: Bool
        /// The time of the sign-in, by the server's clock.
        let signInTime: Google_Protobuf_Timestamp?
    }

    /// Runs all phases.
    ///
    /// - Throws: ``LoadInterruption`` if the connection was lost or the server failed. Completed steps stay.
    func load() async throws(LoadInterruption) -> LoadSummary {
        var journal = LoadJournal()
        var people = try await signIn(&journal)
        var interruption: LoadInterruption?
        do throws(LoadInterruption) {
            people = try await makeProfiles(people, &journal)
            try await makeFollows(people, &journal)
        } catch {
            interruption = error
        }
        // Without a connection the sessions cannot be ended; they expire by themselves.
        guard let interruption else {
            try await signOut(people, &journal)
            return journal.summary(of: plan)
        }
        // The first error says what went wrong.
        if interruption.error.code != .unavailable { try? await signOut(people, &journal) }
        throw interruption
    }

    /// Runs one phase: `count` steps, shown and timed under a name. `calls` are counted by the steps.
    func phase<Gathered: Sendable>(
        _ name: LoadPhaseName, count: Int, gathering empty: Gathered,
        _ step: @escaping @Sendable (Int, any CallChannel, inout Gathered) async throws(RPCError) -> Void
    ) async throws(LoadInterruption) -> (gathered: [Gathered], elapsed: Duration) {
        let queue = WorkQueue(count: count)
        let clock = ContinuousClock()
        let start = clock.now
        let ticker = progress.follow(queue, name)
        let result: Result<[Gathered], RPCError>
        do throws(RPCError) {
            result = .success(try await queue.run(over: connections, workers: inFlight, gathering: empty, step))
        } catch {
            result = .failure(error)
        }
        await ticker.finish()
        switch result {
        case .success(let gathered):
            return (gathered, clock.now - start)
        case .failure(let error):
            throw LoadInterruption(phase: name, done: queue.done, total: count, error: error)
        }
    }
}

/// The parts of a load, in order.
enum LoadPhaseName: String, Sendable, Hashable {
    case signIn, profiles, follows, signOut

    /// The phase for a person.
    var phrase: Phrase {
        switch self {
        case .signIn: Phrase("Signing in", "로그인")
        case .profiles: Phrase("Profiles", "프로필")
        case .follows: Phrase("Follows", "팔로우")
        case .signOut: Phrase("Signing out", "로그아웃")
        }
    }
}

/// Why a load ended early, and its progress until then.
struct LoadInterruption: Error, Sendable {
    let phase: LoadPhaseName
    let done: Int
    let total: Int
    let error: RPCError
}

/// The results of the phases so far.
struct LoadJournal: Sendable {
    var people = LoadTally()
    var follows = LoadTally()
    /// Positions in the plan of people whose profile has an alternative username.
    var withAlternative: Set<Int> = []
    private var phases: [LoadSummary.Phase] = []

    mutating func record(_ phase: LoadPhaseName, calls: Int, elapsed: Duration) {
        phases.append(LoadSummary.Phase(name: phase.rawValue, calls: calls, seconds: elapsed.inSeconds))
    }

    func summary(of plan: LoadPlan) -> LoadSummary {
        let renamed = plan.people.indices.count {
            withAlternative.contains($0) || plan.usernames.usernames[$0] != plan.people[$0].login
        }
        return LoadSummary(
            people: .init(total: plan.people.count, people), peopleTally: people,
            follows: .init(total: plan.follows.count, follows), followTally: follows, renamed: renamed, phases: phases)
    }
}

/// The results of one worker in signing in or creating profiles.
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
                let answer = try await PBAuthServiceClient(channel: channel).signIn(request, options: baseOptions)
                gathered.people.append(signedIn(index, answer))
            } catch where error.code.isRefusal && error.code != .permissionDenied {
                gathered.tally.refuse(error.reasonOrCode, example: person.login)
            }
        }
        return merge(gathered, .signIn, elapsed, &journal)
    }

    /// Creates missing profiles. People whose profile the server refuses are counted and get none.
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

    private func signedIn(_ index: Int, _ answer: PBSignInResponse) -> SignedIn {
        var options = baseOptions
        options.metadata.append("Bearer " + answer.token, for: "authorization")
        return SignedIn(
            index: index, userID: answer.session?.userID ?? "", options: options, hasProfile: answer.state?.state == .ready,
            signInTime: answer.session?.createTime)
    }

    /// Creates one profile with the mapped username or, if the server refuses that, with an alternative.
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
                let reason = error.reasonOrCode, known = Reason(rawValue: reason)
                if known == .profileExists {
                    gathered.tally.existing += 1
                    return true
                }
                if known == .displayNameReserved, !request.displayName.isEmpty {
                    // If the name is like a reserved account's, the display name stays empty.
                    request.displayName = ""
                    continue
                }
                attempt += 1
                guard [.usernameDuplicated, .usernameConfusable, .usernameReserved].contains(known),
                    let name = plan.usernames.alternative(at: person.index, attempt: attempt)
                else {
                    gathered.tally.refuse(reason, example: "\(request.displayName) (\(request.username))")
                    return false
                }
                request.username = name
            }
        }
    }

    /// Sorts the workers' people in the order of the plan, and adds their counts to the journal.
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
    var reasonOrCode: String { reason ?? code.name }
}

/// The results of one worker in making follows or signing out.
private struct FollowsGathered: Sendable {
    var tally = LoadTally()
    var calls = 0
}

extension LoadRun {
    /// The reason for follows of people without a profile. The server is not asked about them.
    private static let personRefused = "PERSON_REFUSED"

    /// Makes every follow of the plan.
    ///
    /// `Follow` gives the same answer for a new follow and an existing one. A follow is new if its time is not before this
    /// run's first sign-in; both times are by the server's clock.
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

    /// Ends the sessions that this run opened. It is no error if one has ended already.
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

/// Shows the progress of a load, on a terminal only.
struct LoadProgress: Sendable {
    let isShown: Bool
    let columns: Int
    let language: Language
    let write: @Sendable (String) -> Void

    /// Shows the progress of a queue until the returned ticker is finished.
    func follow(_ queue: WorkQueue, _ phase: LoadPhaseName) -> Ticker {
        guard isShown else { return Ticker(task: nil) }
        let bar = ProgressBar(label: phase.phrase.text(in: language), total: queue.count, columns: columns)
        let clock = ContinuousClock()
        let start = clock.now
        let write = write
        return Ticker(
            task: Task {
                while !Task.isCancelled {
                    write("\r" + bar.line(done: queue.done, elapsed: clock.now - start) + "\u{1B}[K")
                    try? await Task.sleep(for: .milliseconds(200))
                }
                write("\r" + bar.line(done: queue.done, elapsed: clock.now - start) + "\u{1B}[K\n")
            })
    }

    /// A progress line that is being redrawn.
    struct Ticker: Sendable {
        fileprivate let task: Task<Void, Never>?

        /// Draws the line for the last time and ends it.
        func finish() async {
            task?.cancel()
            await task?.value
        }
    }
}
