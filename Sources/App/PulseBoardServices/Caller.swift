import PulseBoardDomain

/// Proof that a call comes from a signed-in user; only `AuthService` makes one.
///
/// Every service method asks for it, so the compiler sees to it that authentication comes before the cache and the store
/// (B4, X1, X21). It proves the moment at which `authenticate` or `knownCaller` gave it: ask for every call.
public struct Caller: Hashable, Sendable {
    public let userID: UserID
    public let sessionID: SessionID
    /// When the session ends by itself; a watch ends with it.
    let expireTime: Timestamp

    init(session: Session) {
        userID = session.userID
        sessionID = session.id
        expireTime = session.expireTime
    }
}
