import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardServices
import PulseBoardVocabulary

extension PBAuthState.State {
    init(_ state: AuthState) {
        switch state {
        case .signedOut: self = .signedOut
        case .needsProfile: self = .needsProfile
        case .ready: self = .ready
        }
    }
}

extension PBAuthState {
    init(_ state: AuthState) {
        self.init(state: State(state), userID: state.userID?.description ?? "")
    }
}

extension PBSession {
    /// A session without its token, which is shown once, in the answer of `SignIn`.
    init(_ session: Session, state: AuthState, current: Bool) {
        self.init(
            id: session.id.description, userID: session.userID.description,
            createTime: Google_Protobuf_Timestamp(session.createTime), expireTime: Google_Protobuf_Timestamp(session.expireTime),
            state: PBAuthState.State(state), account: session.account.description, current: current)
    }
}

extension PBProfile {
    init(_ profile: Profile) {
        self.init(
            userID: profile.id.description, username: profile.username.text, createTime: Google_Protobuf_Timestamp(profile.createTime),
            updateTime: Google_Protobuf_Timestamp(profile.updateTime), etag: profile.etag.text)
        for field in ProfileTextField.allCases { self[field] = profile.texts[field] }
    }
}

extension ProfileTexts {
    /// The texts of a message.
    init(_ message: some ProfileTextMessage) { self.init { message[$0] } }
}

extension PBCheckUsernameResponse {
    init(_ check: UsernameCheck, in language: Language) {
        self.init(
            violations: check.violations.map { violation in
                PBUsernameViolation(
                    reason: violation.reason.rawValue,
                    message: Google_Rpc_LocalizedMessage(
                        locale: language.rawValue, message: violation.message(in: language)))
            },
            available: check.isAvailable, normalized: check.normalized, username: check.text)
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
        self.init(
            userID: entry.userID.description, username: entry.username.text, displayName: entry.displayName.text,
            followTime: Google_Protobuf_Timestamp(entry.followTime))
    }
}

extension PBFollowEvent {
    init(_ update: FollowUpdate) {
        guard let event = update.event else {
            self.init(kind: .position, resumeToken: update.resumeToken.text)
            return
        }
        self.init(
            kind: Kind(event.change), cause: Cause(event.cause), userID: event.userID.description,
            username: event.names?.username.text ?? "", displayName: event.names?.displayName.text ?? "",
            eventTime: Google_Protobuf_Timestamp(event.time), resumeToken: update.resumeToken.text)
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
    /// The message of how the store is.
    init(_ status: StoreStatus) {
        self.init(
            path: status.path, databaseBytes: status.databaseBytes, walBytes: status.walBytes, freeBytes: status.freeBytes ?? 0,
            lastCommitTime: status.lastCommitTime.map(Google_Protobuf_Timestamp.init), trouble: status.trouble.map(PBStoreTrouble.init),
            lastTrouble: status.lastTrouble.map(PBStoreTrouble.init))
    }
}

extension PBStoreTrouble {
    /// The message of what keeps the store from its work.
    init(_ trouble: StoreTrouble) {
        self.init(
            reason: trouble.failure.rawValue, detail: trouble.detail, startTime: Google_Protobuf_Timestamp(trouble.since),
            count: Int64(trouble.count))
    }
}

extension PBCacheStatus {
    /// The message of how a cache is used.
    init(_ usage: CacheUsage) {
        self.init(
            name: usage.name, entries: Int64(usage.entries), capacity: Int64(usage.capacity), hits: Int64(clamping: usage.hits),
            misses: Int64(clamping: usage.misses))
    }
}
