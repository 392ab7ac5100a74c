import PulseBoardDomain
import Synchronization

/// A profile that is in memory, and with it the form in which it is sent, once somebody has asked for that.
///
/// It shows the profile as it was when it was found: a write puts another in its place and leaves this one as it is.
public final class CachedProfile: Sendable {
    public let profile: Profile
    private let encoded = Mutex<[UInt8]?>(nil)

    init(_ profile: Profile) { self.profile = profile }

    /// The profile's bytes as `encode` gives them, which is called the first time only: all who ask mean the same encoding.
    public func encoded<Failure>(by encode: (Profile) throws(Failure) -> [UInt8]) throws(Failure) -> [UInt8] {
        if let known = encoded.withLock({ $0 }) { return known }
        // Outside of the lock: two who ask at once make the same.
        let bytes = try encode(profile)
        encoded.withLock { $0 = bytes }
        return bytes
    }
}
