/// The texts of a profile that their owner may change: all that is said of each, said once.
///
/// The username is none of them: it has rules of its own. Everything else that names such a text goes through the cases here: a draft and a
/// change of a profile, its record and SQL, the messages, the command line. What a field needs besides its case and its facts is in
/// CONTRIBUTING.md.
public enum ProfileTextField: Int, CaseIterable, Hashable, Sendable {
    // The order is that of requests, errors and what is shown.
    case displayName
    case statusMessage

    /// What is true of one field.
    public struct Facts: Sendable {
        /// Its name in messages and update masks, and of its column.
        public let path: String
        /// What it is called, for people.
        public let label: Phrase
        /// Most characters (grapheme clusters).
        public let maximumCharacters: Int
        /// Most bytes of UTF-8: one character can be arbitrarily long, so both are bounded (X10).
        public let maximumBytes: Int
        /// Whether it may have line breaks; no field has other control characters.
        public let mayHaveLineBreaks: Bool
        /// What a text is refused for that has too many characters or bytes.
        public let tooLong: Reason
        /// What a text is refused for that has characters which it may not have.
        public let invalidCharacters: Reason
        /// Stands for the field in remembered results for ever.
        public let tag: UInt8
        /// Whether it was there before the first release: then remembered results and fingerprints of requests hold it also when it is empty.
        public let isOriginal: Bool
        /// Whether lists of profiles show it, where there is room for little.
        public let isListed: Bool
    }

    /// The table.
    private static func facts(of field: ProfileTextField) -> Facts {
        switch field {
        case .displayName:
            Facts(
                path: "display_name", label: Phrase("name", "이름"), maximumCharacters: 50, maximumBytes: 400, mayHaveLineBreaks: false,
                tooLong: .displayNameTooLong, invalidCharacters: .displayNameInvalidCharacters, tag: 4, isOriginal: true, isListed: true)
        case .statusMessage:
            Facts(
                path: "status_message", label: Phrase("status", "상태 메시지"), maximumCharacters: 140, maximumBytes: 1_120,
                mayHaveLineBreaks: true, tooLong: .statusMessageTooLong, invalidCharacters: .statusMessageInvalidCharacters, tag: 5,
                isOriginal: true, isListed: true)
        }
    }

    private static let table = allCases.map { facts(of: $0) }

    /// What is true of this field.
    public var facts: Facts { Self.table[rawValue] }

    /// The field of this path; `nil` for every other path.
    public init?(path: some StringProtocol) {
        guard let field = Self.allCases.first(where: { $0.facts.path == path }) else { return nil }
        self = field
    }
}
