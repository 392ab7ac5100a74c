import PulseBoardDomain

/// How new an answer has to be where several servers have one store.
///
/// A server alone on its store knows every write, so there all three are the same. Memory is all that may be older: what is not in memory is read from
/// the database, which has every acknowledged write.
public enum Consistency: Hashable, Sendable {
    /// Memory may answer if it is at most a second old. It is what a caller gets who says nothing.
    case bounded
    /// Memory may answer if it knows of the write whose token this is.
    case after(ConsistencyToken)
    /// Memory does not answer.
    case latest

    /// The word for ``latest``.
    private static let latestWord = "latest"
    /// The longest text, in bytes.
    public static let maximumBytes = 32

    /// Reads what a caller says: `latest`, or a token. `nil` when it is neither, or longer than ``maximumBytes``.
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

/// Stands for a write. Any server that is asked with it answers with that write, or what came later.
///
/// It names a counter of the store's, which many users share, and the counter's value after the write. It is no secret and proves nothing. One that was made up makes a
/// server ask the database where memory would have done.
public struct ConsistencyToken: Hashable, Sendable, CustomStringConvertible {
    let bucket: Int
    let number: Int64

    init(bucket: Int, number: Int64) {
        self.bucket = bucket
        self.number = number
    }

    private static let version = "1"

    /// Reads the text of ``description``; `nil` for any other.
    init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard
            parts.count == 3, parts[0] == Self.version, let bucket = Int(parts[1]), (0..<UserBucket.count).contains(bucket),
            let number = Int64(parts[2]), number >= 0
        else { return nil }
        self.init(bucket: bucket, number: number)
        // One token has one text.
        guard text == description else { return nil }
    }

    /// At most 25 bytes of ASCII.
    public var description: String { "\(Self.version).\(bucket).\(number)" }
}
