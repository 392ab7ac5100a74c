import FoundationEssentials
import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardServices
import PulseBoardVocabulary
import RPCCore

extension PBAuthState.State {
    init(_ state: AuthState) {
        switch state {
        case .signedOut: self = .signedOut
        case .needsProfile: self = .needsProfile
        case .ready: self = .ready
        case .withdrawing: self = .withdrawing
        }
    }
}

extension PBAuthState {
    init(_ state: AuthState) {
        self.init(state: State(state), userID: state.userID?.description ?? "")
        if case .withdrawing(_, let purgeTime) = state { self.purgeTime = Google_Protobuf_Timestamp(purgeTime) }
    }
}

extension PBWatchAuthStateResponse {
    init(_ update: AuthStateUpdate) {
        switch update {
        case .state(let state): self.init(update: .state(PBAuthState(state)))
        case .unchecked(let error): self.init(update: .unchecked(PBAuthStateUnchecked(reason: error.reason.rawValue)))
        case .heartbeat: self.init(update: .heartbeat(PBHeartbeat()))
        }
    }
}

extension PBSession {
    /// - Parameter account: the account as people read it.
    init(_ session: Session, account: String, current: Bool) {
        self.init(
            sessionID: session.id.description, userID: session.userID.description, account: account,
            device: session.device.map { PBDevice(id: $0.id, name: $0.name, platform: $0.platform) },
            createTime: Google_Protobuf_Timestamp(session.createTime), expireTime: Google_Protobuf_Timestamp(session.expireTime),
            current: current)
    }
}

extension PBProfile {
    init(_ profile: Profile) {
        self.init(
            userID: profile.id.description, username: profile.username.text, createTime: Google_Protobuf_Timestamp(profile.createTime),
            updateTime: Google_Protobuf_Timestamp(profile.updateTime), etag: profile.etag.text)
        for field in ProfileTextField.allCases { self[field] = profile.texts[field] }
        if let image = profile.image { self.image = PBProfileImage(image, of: profile.id) }
    }
}

extension PBWatchProfileResponse {
    init(_ update: WatchedProfile) {
        switch update {
        case .profile(let profile): self.init(update: .profile(PBProfile(profile)))
        case .withdrawn(let id): self.init(update: .withdrawn(PBProfileWithdrawn(userID: id.description)))
        case .heartbeat: self.init(update: .heartbeat(PBProfileHeartbeat()))
        }
    }
}

extension PBUserSummary {
    init(_ user: UserSummary) {
        self.init(
            userID: user.id.description, username: user.username.text, displayName: user.displayName.text,
            image: user.image.map { PBProfileImage($0, of: user.id) })
    }
}

extension PBTextLimits {
    /// The message of a profile text's limits.
    init(_ field: ProfileTextField) {
        self.init(
            minimumCharacters: 0, maximumCharacters: Int32(field.facts.maximumCharacters), maximumBytes: Int32(field.facts.maximumBytes))
    }
}

extension PBUploadLimits {
    /// The upload limits of a server that takes pictures.
    static let ofServer = PBUploadLimits(
        maximumBytes: Int64(ImageLimits.maximumUploadBytes), maximumPixels: Int64(ImageLimits.maximumPixels),
        maximumChunkBytes: Int32(maximumUploadChunkBytes), contentTypes: ["image/jpeg", "image/png", "image/webp"])
}

extension PBProfileImage {
    /// The path consists of the owner's and the picture's id. No method takes it as proof of anything, so everybody may
    /// see it.
    init(_ id: ImageID, of owner: UserID) { self.init(path: "\(owner)/\(id)", contentType: "image/webp") }
}

extension ImageID {
    /// Reads the path of a picture of this owner; `nil` for any other text.
    init?(path: String, of owner: UserID) {
        // Two identifiers and a slash. Bytes are compared, because a caller may send any text.
        guard path.utf8.count == 73, path.utf8.starts(with: "\(owner)/".utf8) else { return nil }
        self.init(text: String(decoding: path.utf8.dropFirst(37), as: UTF8.self))
    }
}

extension PBGetProfileImageRequest.Size {
    init(_ size: ImageSize) {
        switch size {
        case .small: self = .small
        case .medium: self = .medium
        case .large: self = .large
        }
    }
}

extension ImageSize {
    /// - Throws: `invalid` for a size that this server does not have.
    init(_ size: PBGetProfileImageRequest.Size) throws(RepositoryError) {
        switch size {
        case .small: self = .small
        case .medium, .unspecified: self = .medium
        case .large: self = .large
        default: throw .invalid("size", .imageSizeUnknown)
        }
    }
}

extension ProfileTexts {
    /// Reads the texts of a message.
    init(_ message: some ProfileTextMessage<String>) { self.init { message[$0] } }
}

extension PBCheckUsernameResponse {
    init(_ check: UsernameCheck, in language: Language) {
        self.init(
            violations: check.violations.map { PBUsernameViolation($0, in: language) }, available: check.isAvailable,
            normalized: check.normalized, username: check.text)
    }
}

extension PBCheckUsernamesResponse {
    init(_ progress: UsernameCheckProgress, in language: Language) {
        switch progress {
        case .checking(let text, let normalized): self.init(username: text, state: .checking, normalized: normalized)
        case .checked(let check):
            self.init(
                username: check.text, state: check.isAvailable ? .available : .unavailable, normalized: check.normalized,
                violations: check.violations.map { PBUsernameViolation($0, in: language) })
        case .failed(let text, let error): self.init(username: text, state: .failed, reason: error.reason.rawValue)
        }
    }
}

extension PBUsernameViolation {
    init(_ violation: FieldViolation, in language: Language) {
        self.init(
            reason: violation.reason.rawValue,
            message: Google_Rpc_LocalizedMessage(locale: language.rawValue, message: violation.message(in: language)),
            availableTime: violation.availableTime.map(Google_Protobuf_Timestamp.init))
    }
}

extension PBReserveUsernameResponse {
    init(_ lease: UsernameLease) {
        self.init(username: lease.username.text, expireTime: lease.expireTime.map(Google_Protobuf_Timestamp.init))
    }
}

extension PulseBoardDomain.Timestamp {
    /// RFC 3339 in UTC, rounded up to a second, such as `2026-12-22T10:00:00Z`.
    var internetText: String {
        let microseconds = microseconds
        let seconds = microseconds / 1_000_000 + (microseconds % 1_000_000 > 0 ? 1 : 0)
        return Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
    }
}

extension Google_Protobuf_Timestamp {
    init(_ instant: PulseBoardDomain.Timestamp) {
        self.init(microsecondsSinceEpoch: instant.microseconds)
    }
}

extension PBRelationship {
    init(_ relationship: Relationship) {
        let state: PBRelationship.State =
            switch relationship.state {
            case .personal: .personal
            case .followed: .followed
            case .unfollowed: .unfollowed
            }
        self.init(
            userID: relationship.userID.description, state: state, followedBy: relationship.isFollowedBy,
            followTime: relationship.followTime.map(Google_Protobuf_Timestamp.init))
    }
}

extension PBFollowUser {
    init(_ entry: FollowListEntry) {
        self.init(user: PBUserSummary(entry.user), followTime: Google_Protobuf_Timestamp(entry.followTime))
    }
}

extension PBWatchFollowsResponse {
    init(_ update: FollowUpdate) {
        let content: OneOf_Update =
            switch update.content {
            case .position: .position(PBFollowPosition())
            case .event(let event): .event(PBFollowEvent(event))
            case .resync: .resync(PBFollowResync())
            }
        self.init(update: content, resumeToken: update.resumeToken.text)
    }
}

extension PBFollowEvent {
    init(_ event: FollowEvent) {
        self.init(
            kind: Kind(event.change), cause: Cause(event.cause),
            user: event.summary.map { PBUserSummary($0) } ?? PBUserSummary(userID: event.userID.description),
            eventTime: Google_Protobuf_Timestamp(event.time))
    }
}

extension PBFollowEvent.Kind {
    init(_ change: FollowEvent.Change) {
        switch change {
        case .followed: self = .followed
        case .unfollowed: self = .unfollowed
        case .followerGained: self = .followerGained
        case .followerLost: self = .followerLost
        }
    }
}

extension PBFollowEvent.Cause {
    init(_ cause: FollowEvent.Cause) {
        switch cause {
        case .follower: self = .follower
        case .followee: self = .followee
        case .withdrawal: self = .withdrawal
        }
    }
}

extension PBStoreStatus {
    /// The message of a store's status.
    init(_ status: StoreStatus) {
        self.init(
            path: status.path, databaseBytes: status.databaseBytes, walBytes: status.walBytes, freeBytes: status.freeBytes ?? 0,
            lastCommitTime: status.lastCommitTime.map(Google_Protobuf_Timestamp.init), trouble: status.trouble.map(PBStoreTrouble.init),
            lastTrouble: status.lastTrouble.map(PBStoreTrouble.init), commits: status.commits, writes: status.writes, checkpoints: status.checkpoints,
            archiveDirectory: status.archive?.directory ?? "", archiveTime: status.archive?.lastTime.map(Google_Protobuf_Timestamp.init),
            archiveProblem: status.archive?.problem ?? "")
    }
}

extension PBStoreTrouble {
    /// The message of a store's trouble.
    init(_ trouble: StoreTrouble) {
        self.init(
            reason: trouble.failure.rawValue, detail: trouble.detail, startTime: Google_Protobuf_Timestamp(trouble.since),
            count: Int64(trouble.count))
    }
}

extension PBIssuerStatus {
    init(_ status: IssuerStatus) {
        self.init(
            name: status.name, issuer: status.issuer, keys: Int32(clamping: status.keyCount),
            keysTime: status.keysTime.map { Google_Protobuf_Timestamp($0) }, problem: status.problem ?? "")
    }
}

extension PBCacheStatus {
    /// The message of a cache's usage.
    init(_ usage: CacheUsage) {
        self.init(
            name: usage.name, entries: Int64(usage.entries), capacity: Int64(usage.capacity), hits: Int64(clamping: usage.hits),
            misses: Int64(clamping: usage.misses))
    }
}

extension MessageWriter {
    /// Writes a service's updates, each as a message, until they end. The next update is not made until the stream can take its message.
    func write<Updates: AsyncSequence>(each updates: Updates, as response: (Updates.Element) -> Element) async throws {
        var iterator = updates.makeAsyncIterator()
        while let update = try await iterator.next(isolation: nil) { try await write(response(update)) }
    }
}
