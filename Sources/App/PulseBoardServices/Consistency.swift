import PulseBoardDomain

/// How new an answer has to be when several servers share one store.
///
/// A server that is alone on its store knows every write, so there all three are the same. Only answers from memory can be old: everything else is
/// read from the database, which has every acknowledged write.
public enum Consistency: Hashable, Sendable {
    /// Memory may answer if it is at most a second old. This is the default.
    case bounded
    /// Memory may answer if it knows the write of this token.
    case after(ConsistencyToken)
    /// Memory does not answer.
    case latest

    /// The text of ``latest``.
    private static let latestWord = "latest"
    /// Longest text, in bytes.
    public static let maximumBytes = 32

    /// Reads the text of a caller: `latest`, or a token. `nil` if it is neither, or longer than ``maximumBytes``.
    public init?(text: String) {
        guard text.utf8.count <= Self.maximumBytes else { return nil }
        if text == Self.latestWord {
            self = .latest
        } else if let token = ConsistencyToken(text: text) {
            self = .after(token)
        } else {
            return nil
        }
    }
}

/// A token for a write. Every server that gets the token answers with the state after that write, or a later one.
///
/// It names a counter of the store, which many users share, and the counter's value after the write. It is not secret and proves nothing. The only
/// effect of a forged token is that the server reads from the database instead of from memory.
public struct ConsistencyToken: Hashable, Sendable, CustomStringConvertible {
    let bucket: Int
    let number: Int64

    init(bucket: Int, number: Int64) {
        self.bucket = bucket
        self.number = number
    }

    private static let version = "1"

    /// Reads the text of ``description``; `nil` for any other text.
    init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard
            parts.count == 3, parts[0] == Self.version, let bucket = Int(parts[1]), (0..<UserBucket.count).contains(bucket),
            let number = Int64(parts[2]), number >= 0
        else { return nil }
        self.init(bucket: bucket, number: number)
        // A token has only one text.
        guard text == description else { return nil }
    }

    /// At most 25 bytes of ASCII.
    public var description: String { "\(Self.version).\(bucket).\(number)" }
}
