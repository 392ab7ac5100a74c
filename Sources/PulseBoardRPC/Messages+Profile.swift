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
        let (seconds, microseconds) = instant.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        // Nanoseconds count forwards from the second, also before 1970.
        let borrow: Int64 = microseconds < 0 ? 1 : 0
        self.init(seconds: seconds - borrow, nanos: Int32((microseconds + borrow * 1_000_000) * 1_000))
    }
}
