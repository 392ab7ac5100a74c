/// A 128-bit identifier made by the client of the store, never by the store itself.
///
/// Identifiers need no counter that all writers share, so they fit a distributed database as well
/// (docs/storage.md, Kept portable). The text form is the canonical lower-case UUID, the stored form 16 bytes.
public protocol UUIDIdentifier: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The 128 bits.
    var bits: UUIDBits { get }
    init(bits: UUIDBits)
}

extension UUIDIdentifier {
    /// Reads the canonical lower-case UUID text (36 ASCII bytes), or `nil` for every other spelling.
    ///
    /// Strict on purpose: two spellings of one identifier would be two keys wherever text is compared.
    public init?(text: String) {
        guard let bits = UUIDBits(text: text) else { return nil }
        self.init(bits: bits)
    }

    /// Reads an identifier of a request. The error names its field.
    public static func parse(_ text: String, field: String) throws(ValidationError) -> Self {
        guard let identifier = Self(text: text) else {
            throw ValidationError(field: field, reason: .identifierInvalid)
        }
        return identifier
    }

    /// Makes a fresh random identifier (UUID version 4: 122 random bits).
    public static func random(using source: some RandomSource) -> Self {
        Self(bits: UUIDBits(randomBytes: source.bytes(16)))
    }

    /// The canonical lower-case UUID text.
    public var description: String { bits.text }

    public static func < (left: Self, right: Self) -> Bool { left.bits < right.bits }
}

/// Names a user. One user has one account, at most one profile, and any number of sessions.
public struct UserID: UUIDIdentifier {
    public let bits: UUIDBits
    public init(bits: UUIDBits) { self.bits = bits }
}

/// Names a session without being able to use it: the token is the secret, the identifier is not.
public struct SessionID: UUIDIdentifier {
    public let bits: UUIDBits
    public init(bits: UUIDBits) { self.bits = bits }
}
