/// A 128-bit identifier. The store's caller makes it, never the store.
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
    /// It is strict on purpose: wherever text is compared, two spellings of one identifier would be two keys.
    public init?(text: String) {
        guard let bits = UUIDBits(text: text) else { return nil }
        self.init(bits: bits)
    }

    /// Reads an identifier in a request. - Throws: `ValidationError` for `field`.
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

/// The id of a user. A user has at most one profile, and several identities and sessions.
public struct UserID: UUIDIdentifier {
    public let bits: UUIDBits
    public init(bits: UUIDBits) { self.bits = bits }
}

/// The id of a session. It is not secret: only the token gives access.
public struct SessionID: UUIDIdentifier {
    public let bits: UUIDBits
    public init(bits: UUIDBits) { self.bits = bits }
}
