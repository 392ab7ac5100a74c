import ProtobufWellKnownTypes
import PulseBoardMessages
import RPCCore

/// Loads a plan through the public calls: sign everybody in, make missing profiles, make the follows, sign out again.
///
/// Every step leaves alone what is there already, so that a run which was cut off is continued by running it again.
struct LoadRun: Sendable {
    let plan: LoadPlan
    let connections: [ServerConnection]
    /// Calls under way at once on each connection.
    let inFlight: Int
    /// What every call carries besides its session: timeout and language.
    let baseOptions: CallOptions
    let progress: LoadProgress

    /// Somebody of the plan with an open session.
    struct SignedIn: Sendable {
        /// The position in the plan.
        let index: Int
        let userID: String
        /// Options with the session's token, made once because every call of the person shares them.
        let options: CallOptions
        var hasProfile: Bool
        /// By the server's clock.
        let signInTime: Google_Protobuf_Timestamp?
    }

    /// Runs all phases.
    ///
    /// - Throws: ``LoadInterruption`` when the connection was lost or the server failed; what is done stays done.
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
        if interruption?.error.code != .unavailable { try await signOut(people, &journal) }
        if let interruption { throw interruption }
        return journal.summary(of: plan)
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

/// Why a load ended early, and how far it had come.
struct LoadInterruption: Error, Sendable {
    let phase: LoadPhaseName
    let done: Int
    let total: Int
    let error: RPCError
}

/// What the phases did so far.
struct LoadJournal: Sendable {
    var people = LoadTally()
    var follows = LoadTally()
    /// Positions in the plan of the people whose profile bears an alternative username.
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
