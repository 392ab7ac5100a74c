/// What a client's connection begins with.
///
/// Other protocols begin with bytes that look like a long ttrpc frame, and their clients then wait for an answer that never comes: D-Bus (`\0AUTH`),
/// PostgreSQL (a length and 3.0, or the number that asks for TLS), SMB (a length and `\xFFSMB` or `\xFESMB`). Their headers are impossible.
public enum FirstFrame {
    /// Bytes of a connection after which it is known what it is not.
    public static let byteCount = FrameHeader.byteCount
    /// Clients number their calls from 1; none begins above this.
    private static let highestFirstID: UInt32 = 1 << 24

    /// Whether a ttrpc client can have begun with these bytes: a frame of a known type, under an odd id that is no high one.
    /// - Parameter bytes: the first of the connection, as far as they are there. Of what is not there anything is possible.
    public static func isPossible(_ bytes: RawSpan) -> Bool {
        bytes.withUnsafeBytes { bytes in
            guard bytes.count >= 8 else { return true }
            let id = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
            guard id % 2 == 1, id < highestFirstID else { return false }
            return bytes.count < byteCount || FrameKind(rawValue: bytes[8]) != nil
        }
    }
}
