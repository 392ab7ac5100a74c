import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages

extension PBProfile {
    init(_ profile: Profile) {
        self.init(
            userID: profile.id.description, username: profile.username.text, displayName: profile.displayName.text,
            statusMessage: profile.statusMessage.text, createTime: Google_Protobuf_Timestamp(profile.createTime),
            updateTime: Google_Protobuf_Timestamp(profile.updateTime), etag: profile.etag.text)
    }
}

extension Google_Protobuf_Timestamp {
    init(_ instant: PulseBoardDomain.Timestamp) {
        self.init(microsecondsSinceEpoch: instant.microseconds)
    }
}
