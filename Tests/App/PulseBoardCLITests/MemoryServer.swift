import ProtobufC
import ProtobufWellKnownTypes
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore
import Synchronization

/// The part of the services that a load needs, in memory. Its clock ticks with every call.
final class MemoryServer: UnaryChannel {
    struct State: Sendable {
        /// Account name to user id.
        var accounts: [String: String] = [:]
        /// Token to user id.
        var sessions: [String: String] = [:]
        /// User id to username.
        var usernames: [String: String] = [:]
        var displayNames: [String: String] = [:]
        /// `follower>followee`, with the time of the first follow.
        var follows: [String: Int64] = [:]
        /// The number of calls. It is also the clock, in seconds.
        var callCount: Int64 = 0
        /// The number of running calls, and their maximum.
        var underWay = 0
        var mostUnderWay = 0
    }

    private let mutex = Mutex(State())
    /// From this call on nothing is answered; 0 for never.
    private let breakAfter: Mutex<Int64>
    /// How often each call is refused with RESOURCE_EXHAUSTED before it is answered.
    private let exhaustedEvery: Int64
    private let reserved: Set<String>

    init(breakAfter: Int64 = 0, exhaustedEvery: Int64 = 0, reserved: Set<String> = []) {
        self.breakAfter = Mutex(breakAfter)
        self.exhaustedEvery = exhaustedEvery
        self.reserved = reserved
    }

    var state: State { mutex.withLock { $0 } }

    /// Answers again after a break.
    func repair() { breakAfter.withLock { $0 = 0 } }

    /// Adds a user who is not in any file.
    func addStranger(username: String) {
        mutex.withLock { $0.usernames["stranger-\(username)"] = username }
    }

    func unary<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, options: CallOptions
    ) async throws(RPCError) -> Response {
        let limit = breakAfter.withLock { $0 }
        mutex.withLock {
            $0.underWay += 1
            $0.mostUnderWay = max($0.mostUnderWay, $0.underWay)
        }
        // Other tasks get a turn, so that calls overlap.
        await Task.yield()
        let result: Result<any Message, RPCError> = mutex.withLock { state in
            state.underWay -= 1
            state.callCount += 1
            if limit > 0, state.callCount > limit { return .failure(RPCError(.unavailable, "connection reset")) }
            if exhaustedEvery > 0, state.callCount % exhaustedEvery == 0 {
                return .failure(RPCError(.resourceExhausted, "too many calls at once"))
            }
            do throws(RPCError) {
                return .success(try answer(request, token: options.metadata["authorization"], &state))
            } catch {
                return .failure(error)
            }
        }
        guard let response = try result.get() as? Response else { throw RPCError(.internal, "wrong type") }
        return response
    }

    private func answer(_ request: any Message, token: String?, _ state: inout State) throws(RPCError) -> any Message {
        if let request = request as? PBSignInRequest { return signIn(request, &state) }
        guard let user = token.flatMap({ state.sessions[$0] }) else { throw RPCError(.unauthenticated, "no session") }
        switch request {
        case let request as PBCreateProfileRequest: return try create(request, user, &state)
        case let request as PBFollowRequest: return try follow(request, user, &state)
        case is PBSignOutRequest:
            state.sessions[token ?? ""] = nil
            return PBSignOutResponse()
        default: throw RPCError(.unimplemented, "\(type(of: request))")
        }
    }

    private func signIn(_ request: PBSignInRequest, _ state: inout State) -> PBSignInResponse {
        guard case .peer(let peer) = request.credential else { return PBSignInResponse() }
        let user = state.accounts[peer.account] ?? "user-\(state.accounts.count)"
        state.accounts[peer.account] = user
        let token = "token-\(state.callCount)"
        state.sessions["Bearer " + token] = user
        return PBSignInResponse(
            session: PBSession(userID: user, createTime: time(state.callCount)), token: token,
            state: PBAuthState(state: state.usernames[user] == nil ? .needsProfile : .ready, userID: user))
    }

    private func create(_ request: PBCreateProfileRequest, _ user: String, _ state: inout State) throws(RPCError) -> PBProfile {
        let name = request.username.lowercased()
        guard state.usernames[user] == nil else { throw refusal(.alreadyExists, "PROFILE_EXISTS") }
        guard (2...9).contains(name.count) else { throw refusal(.invalidArgument, "USERNAME_TOO_LONG") }
        guard request.displayName.count <= ProfileTextField.displayName.facts.maximumCharacters else {
            throw refusal(.invalidArgument, "DISPLAY_NAME_TOO_LONG")
        }
        guard !reserved.contains(name) else { throw refusal(.alreadyExists, "USERNAME_RESERVED") }
        guard !state.usernames.values.contains(where: { $0.lowercased() == name }) else {
            throw refusal(.alreadyExists, "USERNAME_DUPLICATED")
        }
        state.usernames[user] = request.username
        state.displayNames[user] = request.displayName
        return PBProfile()
    }

    private func follow(_ request: PBFollowRequest, _ user: String, _ state: inout State) throws(RPCError) -> PBRelationship {
        guard request.userID != user else { throw refusal(.invalidArgument, "SELF_FOLLOW") }
        guard state.usernames[request.userID] != nil, state.usernames[user] != nil else {
            throw refusal(.notFound, "USER_NOT_FOUND")
        }
        let key = user + ">" + request.userID
        let since = state.follows[key] ?? state.callCount
        state.follows[key] = since
        var relationship = PBRelationship()
        relationship.state = .followed
        relationship.followTime = time(since)
        return relationship
    }

    private func time(_ seconds: Int64) -> Google_Protobuf_Timestamp {
        var time = Google_Protobuf_Timestamp()
        time.seconds = seconds
        return time
    }

    private func refusal(_ code: StatusCode, _ reason: String) -> RPCError {
        (try? RPCError.with(code, reason: reason)) ?? RPCError(.internal, "the detail could not be encoded")
    }
}
