/// Where a call comes from, as far as it is known before the call's token is.
///
/// Work for callers whose user is not known yet is counted for each source: sign-ins, and looks for the session of a token.
public enum CallSource: Hashable, Sendable {
    /// This process. Its sign-ins are not counted.
    case inProcess
    /// A local connection, by the uid from the kernel. All unmapped uids count as one.
    case uid(UInt32)
    /// One connection of a gateway, by its number.
    case connection(UInt64)
}
