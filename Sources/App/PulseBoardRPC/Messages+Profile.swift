import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardServices

extension PBProfile {
    init(_ profile: Profile) {
        self.init(
            userID: profile.id.description, username: profile.username.text, displayName: profile.displayName.text,
            statusMessage: profile.statusMessage.text, createTime: Google_Protobuf_Timestamp(profile.createTime),
            updateTime: Google_Protobuf_Timestamp(profile.updateTime), etag: profile.etag.text)
    }
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
