import PulseBoardDomain
import PulseBoardMessages
import PulseBoardServices
import RPCCore

/// Serves `pulseboard.follow.v1.FollowService` with ``FollowService``. The follower is always the caller. It contains
/// no rules.
struct FollowHandler: PBFollowServiceHandler {
    let follows: FollowService

    func follow(_ request: PBFollowRequest, context: CallContext) async throws -> PBRelationship {
        let caller = try context.caller
        return PBRelationship(try await follows.follow(
            identifier(request.userID, field: "user_id"), requestID: request.requestID, caller))
    }

    func unfollow(_ request: PBUnfollowRequest, context: CallContext) async throws -> PBRelationship {
        let caller = try context.caller
        return PBRelationship(try await follows.unfollow(
            identifier(request.userID, field: "user_id"), requestID: request.requestID, caller))
    }

    func removeFollower(_ request: PBRemoveFollowerRequest, context: CallContext) async throws -> PBRelationship {
        let caller = try context.caller
        return PBRelationship(try await follows.removeFollower(
            identifier(request.userID, field: "user_id"), requestID: request.requestID, caller))
    }

    func getRelationship(_ request: PBGetRelationshipRequest, context: CallContext) async throws -> PBRelationship {
        let caller = try context.caller
        return PBRelationship(try await follows.relationship(to: identifier(request.userID, field: "user_id"), caller))
    }

    func batchGetRelationships(
        _ request: PBBatchGetRelationshipsRequest, context: CallContext
    ) async throws -> PBBatchGetRelationshipsResponse {
        let caller = try context.caller
        let batch = try await follows.relationships(to: identifiers(request.userIds, field: "user_ids"), caller)
        return PBBatchGetRelationshipsResponse(
            relationships: batch.relationships.map { PBRelationship($0) }, missingUserIds: batch.missing.map(\.description))
    }

    func listFollowers(_ request: PBListFollowersRequest, context: CallContext) async throws -> PBListFollowersResponse {
        let caller = try context.caller
        let page = try await follows.followers(
            of: user(request.userID, caller), pageRequest(request.pageSize, request.pageToken), caller)
        return PBListFollowersResponse(
            users: page.items.map { PBFollowUser($0) }, nextPageToken: page.nextToken?.text ?? "")
    }

    func listFollowing(_ request: PBListFollowingRequest, context: CallContext) async throws -> PBListFollowingResponse {
        let caller = try context.caller
        let page = try await follows.following(
            of: user(request.userID, caller), pageRequest(request.pageSize, request.pageToken), caller)
        return PBListFollowingResponse(
            users: page.items.map { PBFollowUser($0) }, nextPageToken: page.nextToken?.text ?? "")
    }

    func getFollowCounts(_ request: PBGetFollowCountsRequest, context: CallContext) async throws -> PBFollowCounts {
        let caller = try context.caller
        let counts = try await follows.counts(of: user(request.userID, caller), caller)
        return PBFollowCounts(followers: counts.followers, following: counts.following)
    }

    func watchFollows(
        _ request: PBWatchFollowsRequest, responses: MessageWriter<PBWatchFollowsResponse>, context: CallContext
    ) async throws {
        let caller = try context.caller
        let updates = follows.watchFollows(resumeToken: request.resumeToken, caller)
        try await responses.write(each: updates) { PBWatchFollowsResponse($0) }
    }
}
