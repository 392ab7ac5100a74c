// Written by protoc-gen-pulseboard-swift from pulseboard/follow/v1/follow.proto.
// Do not edit: change that file and generate again.

import ProtobufC
import ProtobufWellKnownTypes
import RPCCore

/// Reads and writes follows. The follower is always the caller.
public enum PBFollowService {
    /// The service's name on the wire.
    public static let fullName = "pulseboard.follow.v1.FollowService"

    /// The file that declares the service, for server reflection.
    public static var file: FileDescriptor { PBFollowFile.descriptor }

    /// The service's methods with the types of their messages.
    public enum Methods {
        /// `pulseboard.follow.v1.FollowService/Follow`.
        public static let follow = MethodDescriptor<PBFollowRequest, PBRelationship>(
            service: PBFollowService.fullName, method: "Follow", shape: .unary)
        /// `pulseboard.follow.v1.FollowService/Unfollow`.
        public static let unfollow = MethodDescriptor<PBUnfollowRequest, PBRelationship>(
            service: PBFollowService.fullName, method: "Unfollow", shape: .unary)
        /// `pulseboard.follow.v1.FollowService/RemoveFollower`.
        public static let removeFollower = MethodDescriptor<PBRemoveFollowerRequest, PBRelationship>(
            service: PBFollowService.fullName, method: "RemoveFollower", shape: .unary)
        /// `pulseboard.follow.v1.FollowService/GetRelationship`.
        public static let getRelationship = MethodDescriptor<PBGetRelationshipRequest, PBRelationship>(
            service: PBFollowService.fullName, method: "GetRelationship", shape: .unary)
        /// `pulseboard.follow.v1.FollowService/BatchGetRelationships`.
        public static let batchGetRelationships = MethodDescriptor<PBBatchGetRelationshipsRequest, PBBatchGetRelationshipsResponse>(
            service: PBFollowService.fullName, method: "BatchGetRelationships", shape: .unary)
        /// `pulseboard.follow.v1.FollowService/ListFollowers`.
        public static let listFollowers = MethodDescriptor<PBListFollowersRequest, PBListFollowersResponse>(
            service: PBFollowService.fullName, method: "ListFollowers", shape: .unary)
        /// `pulseboard.follow.v1.FollowService/ListFollowing`.
        public static let listFollowing = MethodDescriptor<PBListFollowingRequest, PBListFollowingResponse>(
            service: PBFollowService.fullName, method: "ListFollowing", shape: .unary)
        /// `pulseboard.follow.v1.FollowService/GetFollowCounts`.
        public static let getFollowCounts = MethodDescriptor<PBGetFollowCountsRequest, PBFollowCounts>(
            service: PBFollowService.fullName, method: "GetFollowCounts", shape: .unary)
        /// `pulseboard.follow.v1.FollowService/WatchFollows`.
        public static let watchFollows = MethodDescriptor<PBWatchFollowsRequest, PBWatchFollowsResponse>(
            service: PBFollowService.fullName, method: "WatchFollows", shape: .serverStreaming)
    }

    /// Handlers that never wait and never block, by method: they run on the event loop, without a task.
    public struct SynchronousHandlers: Sendable {
        /// `pulseboard.follow.v1.FollowService/Follow`.
        public var follow: (@Sendable (PBFollowRequest, CallContext) throws -> PBRelationship)?
        /// `pulseboard.follow.v1.FollowService/Unfollow`.
        public var unfollow: (@Sendable (PBUnfollowRequest, CallContext) throws -> PBRelationship)?
        /// `pulseboard.follow.v1.FollowService/RemoveFollower`.
        public var removeFollower: (@Sendable (PBRemoveFollowerRequest, CallContext) throws -> PBRelationship)?
        /// `pulseboard.follow.v1.FollowService/GetRelationship`.
        public var getRelationship: (@Sendable (PBGetRelationshipRequest, CallContext) throws -> PBRelationship)?
        /// `pulseboard.follow.v1.FollowService/BatchGetRelationships`.
        public var batchGetRelationships: (@Sendable (PBBatchGetRelationshipsRequest, CallContext) throws -> PBBatchGetRelationshipsResponse)?
        /// `pulseboard.follow.v1.FollowService/ListFollowers`.
        public var listFollowers: (@Sendable (PBListFollowersRequest, CallContext) throws -> PBListFollowersResponse)?
        /// `pulseboard.follow.v1.FollowService/ListFollowing`.
        public var listFollowing: (@Sendable (PBListFollowingRequest, CallContext) throws -> PBListFollowingResponse)?
        /// `pulseboard.follow.v1.FollowService/GetFollowCounts`.
        public var getFollowCounts: (@Sendable (PBGetFollowCountsRequest, CallContext) throws -> PBFollowCounts)?

        /// Methods without a handler here may wait.
        public init(
            follow: (@Sendable (PBFollowRequest, CallContext) throws -> PBRelationship)? = nil,
            unfollow: (@Sendable (PBUnfollowRequest, CallContext) throws -> PBRelationship)? = nil,
            removeFollower: (@Sendable (PBRemoveFollowerRequest, CallContext) throws -> PBRelationship)? = nil,
            getRelationship: (@Sendable (PBGetRelationshipRequest, CallContext) throws -> PBRelationship)? = nil,
            batchGetRelationships: (@Sendable (PBBatchGetRelationshipsRequest, CallContext) throws -> PBBatchGetRelationshipsResponse)? = nil,
            listFollowers: (@Sendable (PBListFollowersRequest, CallContext) throws -> PBListFollowersResponse)? = nil,
            listFollowing: (@Sendable (PBListFollowingRequest, CallContext) throws -> PBListFollowingResponse)? = nil,
            getFollowCounts: (@Sendable (PBGetFollowCountsRequest, CallContext) throws -> PBFollowCounts)? = nil
        ) {
            self.follow = follow
            self.unfollow = unfollow
            self.removeFollower = removeFollower
            self.getRelationship = getRelationship
            self.batchGetRelationships = batchGetRelationships
            self.listFollowers = listFollowers
            self.listFollowing = listFollowing
            self.getFollowCounts = getFollowCounts
        }
    }
}

/// Implements `pulseboard.follow.v1.FollowService` on a server: `Server(services: […])`.
public protocol PBFollowServiceHandler: RPCService {
    /// Makes the caller follow a user. Following twice is following once.
    ///
    /// Errors: INVALID_ARGUMENT (SELF_FOLLOW, REQUEST_ID_INVALID, REQUEST_ID_REUSED); NOT_FOUND (USER_NOT_FOUND) when the user has no profile;
    /// FAILED_PRECONDITION (PROFILE_REQUIRED) when the caller has none.
    func follow(
        _ request: PBFollowRequest, context: CallContext
    ) async throws -> PBRelationship
    /// Makes the caller no longer follow a user. It succeeds when there is nothing to undo; oneself stays `STATE_PERSONAL`.
    ///
    /// Errors: INVALID_ARGUMENT (REQUEST_ID_INVALID, REQUEST_ID_REUSED); NOT_FOUND (USER_NOT_FOUND). It needs no profile, but a caller who has asked to
    /// leave gets WITHDRAWING, because coming back restores the follows.
    func unfollow(
        _ request: PBUnfollowRequest, context: CallContext
    ) async throws -> PBRelationship
    /// Makes a user no longer follow the caller. It succeeds when there is nothing to undo; oneself stays `STATE_PERSONAL`.
    ///
    /// Errors: as `Unfollow`.
    func removeFollower(
        _ request: PBRemoveFollowerRequest, context: CallContext
    ) async throws -> PBRelationship
    /// How the caller stands to one user.
    ///
    /// Errors: NOT_FOUND (USER_NOT_FOUND); FAILED_PRECONDITION (WITHDRAWING) when the caller has asked to leave and the user is another one.
    func getRelationship(
        _ request: PBGetRelationshipRequest, context: CallContext
    ) async throws -> PBRelationship
    /// How the caller stands to several users.
    ///
    /// Errors: INVALID_ARGUMENT (TOO_MANY_ITEMS) for more than 100 ids; FAILED_PRECONDITION (WITHDRAWING) when the caller has asked to leave and
    /// another user is among the ids.
    func batchGetRelationships(
        _ request: PBBatchGetRelationshipsRequest, context: CallContext
    ) async throws -> PBBatchGetRelationshipsResponse
    /// Who follows a user, newest first.
    ///
    /// Errors: NOT_FOUND (USER_NOT_FOUND); INVALID_ARGUMENT (PAGE_SIZE_NEGATIVE), (PAGE_TOKEN_INVALID) for another list's or a
    /// forged token.
    func listFollowers(
        _ request: PBListFollowersRequest, context: CallContext
    ) async throws -> PBListFollowersResponse
    /// Whom a user follows, newest first.
    ///
    /// Errors: as `ListFollowers`.
    func listFollowing(
        _ request: PBListFollowingRequest, context: CallContext
    ) async throws -> PBListFollowingResponse
    /// How many follow a user, and how many it follows.
    ///
    /// Errors: NOT_FOUND (USER_NOT_FOUND).
    func getFollowCounts(
        _ request: PBGetFollowCountsRequest, context: CallContext
    ) async throws -> PBFollowCounts
    /// What happens to the caller's follows in both directions: each event once, in order.
    ///
    /// The first message is a position and says where the stream begins. Without a resume token that is now; with one
    /// all events since follow, and then those that happen, without a gap and without a repetition between the two.
    /// Of thousands of events about one other user, older ones may be left out: an event tells the state that it led to.
    /// Resume with the token of the last message after any loss of the stream. The last 10,000 events of the last 7 days can be
    /// resumed from. A token that is too old, and a reader that falls that far behind, gets `resync`: read the lists again. The stream then goes on
    /// from there.
    /// Errors: INVALID_ARGUMENT (RESUME_TOKEN_INVALID) for a forged token and another account's; FAILED_PRECONDITION (PROFILE_REQUIRED) when
    /// the caller has no profile; UNAUTHENTICATED (NOT_AUTHENTICATED) also when the session ends meanwhile; UNAVAILABLE when the server shuts
    /// down: resume.
    func watchFollows(
        _ request: PBWatchFollowsRequest, responses: MessageWriter<PBWatchFollowsResponse>, context: CallContext
    ) async throws
    /// The handlers that never wait, for the methods that have one; the others are called with the functions above. Default: none.
    var synchronousHandlers: PBFollowService.SynchronousHandlers { get }
}

extension PBFollowServiceHandler {
    public var synchronousHandlers: PBFollowService.SynchronousHandlers { PBFollowService.SynchronousHandlers() }

    /// Registers every method of the service.
    /// - Precondition: none of them is registered yet.
    public func register(on router: inout Router) {
        let synchronous = synchronousHandlers
        router.register(PBFollowService.Methods.follow, synchronous: synchronous.follow) {
            try await self.follow($0, context: $1)
        }
        router.register(PBFollowService.Methods.unfollow, synchronous: synchronous.unfollow) {
            try await self.unfollow($0, context: $1)
        }
        router.register(PBFollowService.Methods.removeFollower, synchronous: synchronous.removeFollower) {
            try await self.removeFollower($0, context: $1)
        }
        router.register(PBFollowService.Methods.getRelationship, synchronous: synchronous.getRelationship) {
            try await self.getRelationship($0, context: $1)
        }
        router.register(PBFollowService.Methods.batchGetRelationships, synchronous: synchronous.batchGetRelationships) {
            try await self.batchGetRelationships($0, context: $1)
        }
        router.register(PBFollowService.Methods.listFollowers, synchronous: synchronous.listFollowers) {
            try await self.listFollowers($0, context: $1)
        }
        router.register(PBFollowService.Methods.listFollowing, synchronous: synchronous.listFollowing) {
            try await self.listFollowing($0, context: $1)
        }
        router.register(PBFollowService.Methods.getFollowCounts, synchronous: synchronous.getFollowCounts) {
            try await self.getFollowCounts($0, context: $1)
        }
        router.registerServerStreaming(PBFollowService.Methods.watchFollows) {
            try await self.watchFollows($0, responses: $1, context: $2)
        }
    }
}

/// Calls `pulseboard.follow.v1.FollowService` over any channel.
public struct PBFollowServiceClient: ServiceClient {
    /// What carries the calls.
    public let channel: any CallChannel

    /// A client whose calls go over `channel`.
    public init(channel: any CallChannel) {
        self.channel = channel
    }

    /// Makes the caller follow a user. Following twice is following once.
    ///
    /// Errors: INVALID_ARGUMENT (SELF_FOLLOW, REQUEST_ID_INVALID, REQUEST_ID_REUSED); NOT_FOUND (USER_NOT_FOUND) when the user has no profile;
    /// FAILED_PRECONDITION (PROFILE_REQUIRED) when the caller has none.
    public func follow(
        _ request: PBFollowRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBRelationship {
        try await channel.unary(PBFollowService.Methods.follow, request, options: options)
    }

    /// Makes the caller no longer follow a user. It succeeds when there is nothing to undo; oneself stays `STATE_PERSONAL`.
    ///
    /// Errors: INVALID_ARGUMENT (REQUEST_ID_INVALID, REQUEST_ID_REUSED); NOT_FOUND (USER_NOT_FOUND). It needs no profile, but a caller who has asked to
    /// leave gets WITHDRAWING, because coming back restores the follows.
    public func unfollow(
        _ request: PBUnfollowRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBRelationship {
        try await channel.unary(PBFollowService.Methods.unfollow, request, options: options)
    }

    /// Makes a user no longer follow the caller. It succeeds when there is nothing to undo; oneself stays `STATE_PERSONAL`.
    ///
    /// Errors: as `Unfollow`.
    public func removeFollower(
        _ request: PBRemoveFollowerRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBRelationship {
        try await channel.unary(PBFollowService.Methods.removeFollower, request, options: options)
    }

    /// How the caller stands to one user.
    ///
    /// Errors: NOT_FOUND (USER_NOT_FOUND); FAILED_PRECONDITION (WITHDRAWING) when the caller has asked to leave and the user is another one.
    public func getRelationship(
        _ request: PBGetRelationshipRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBRelationship {
        try await channel.unary(PBFollowService.Methods.getRelationship, request, options: options)
    }

    /// How the caller stands to several users.
    ///
    /// Errors: INVALID_ARGUMENT (TOO_MANY_ITEMS) for more than 100 ids; FAILED_PRECONDITION (WITHDRAWING) when the caller has asked to leave and
    /// another user is among the ids.
    public func batchGetRelationships(
        _ request: PBBatchGetRelationshipsRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBBatchGetRelationshipsResponse {
        try await channel.unary(PBFollowService.Methods.batchGetRelationships, request, options: options)
    }

    /// Who follows a user, newest first.
    ///
    /// Errors: NOT_FOUND (USER_NOT_FOUND); INVALID_ARGUMENT (PAGE_SIZE_NEGATIVE), (PAGE_TOKEN_INVALID) for another list's or a
    /// forged token.
    public func listFollowers(
        _ request: PBListFollowersRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBListFollowersResponse {
        try await channel.unary(PBFollowService.Methods.listFollowers, request, options: options)
    }

    /// Whom a user follows, newest first.
    ///
    /// Errors: as `ListFollowers`.
    public func listFollowing(
        _ request: PBListFollowingRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBListFollowingResponse {
        try await channel.unary(PBFollowService.Methods.listFollowing, request, options: options)
    }

    /// How many follow a user, and how many it follows.
    ///
    /// Errors: NOT_FOUND (USER_NOT_FOUND).
    public func getFollowCounts(
        _ request: PBGetFollowCountsRequest, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> PBFollowCounts {
        try await channel.unary(PBFollowService.Methods.getFollowCounts, request, options: options)
    }

    /// What happens to the caller's follows in both directions: each event once, in order.
    ///
    /// The first message is a position and says where the stream begins. Without a resume token that is now; with one
    /// all events since follow, and then those that happen, without a gap and without a repetition between the two.
    /// Of thousands of events about one other user, older ones may be left out: an event tells the state that it led to.
    /// Resume with the token of the last message after any loss of the stream. The last 10,000 events of the last 7 days can be
    /// resumed from. A token that is too old, and a reader that falls that far behind, gets `resync`: read the lists again. The stream then goes on
    /// from there.
    /// Errors: INVALID_ARGUMENT (RESUME_TOKEN_INVALID) for a forged token and another account's; FAILED_PRECONDITION (PROFILE_REQUIRED) when
    /// the caller has no profile; UNAUTHENTICATED (NOT_AUTHENTICATED) also when the session ends meanwhile; UNAVAILABLE when the server shuts
    /// down: resume.
    public func watchFollows(
        _ request: PBWatchFollowsRequest, options: CallOptions = CallOptions()
    ) -> ServerStream<PBWatchFollowsResponse> {
        channel.serverStream(PBFollowService.Methods.watchFollows, request, options: options)
    }
}
