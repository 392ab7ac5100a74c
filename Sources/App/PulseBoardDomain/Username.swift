/// A username as its owner wrote it (in NFC), together with the key that makes it unique.
///
/// Only `UsernameRules` makes one from a request, so a `Username` in hand has passed every rule (B18, X15).
public struct Username: Hashable, Sendable, CustomStringConvertible {
    /// The name as shown, in NFC.
    public let text: String
    /// The case-folded name: two users cannot have the same key.
    public let key: String

    init(normalized text: String) {
        self.text = text
        key = text.caseFoldedKey
    }

    /// Reads a stored name. The store's row is corrupt when this gives `nil`: the alphabet and the key are checked,
    /// the length and the reserved names are not, because those may have changed since the name was given.
    public init?(storedText: String, storedKey: String) {
        guard !storedText.isEmpty, storedText.unicodeScalars.allSatisfy(UsernameRules.alphabetContains) else {
            return nil
        }
        self.init(normalized: storedText)
        guard key == storedKey else { return nil }
    }

    public var description: String { text }
}
