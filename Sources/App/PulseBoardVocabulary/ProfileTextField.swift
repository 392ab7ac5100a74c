/// The texts of a profile that their owner may change, each described once.
///
/// The username is not among them, because it has rules of its own. Everything else that names such a text uses these cases: drafts and changes of a
/// profile, its record and SQL, the messages, the command line. CONTRIBUTING.md says what a new field needs besides its case.
public enum ProfileTextField: Int, CaseIterable, Hashable, Sendable {
    // The order is that of requests, errors and what is shown.
    case displayName
    case statusMessage

    /// What is true of one field.
    public struct Facts: Sendable {
        /// Its name in messages and update masks, and of its column.
        public let path: String
        /// The name for people.
        public let label: Phrase
        /// Most characters (grapheme clusters).
        public let maximumCharacters: Int
        /// Most bytes of UTF-8: one character can be arbitrarily long, so both are bounded (X10).
        public let maximumBytes: Int
        /// Whether it may have line breaks; no field has other control characters.
        public let mayHaveLineBreaks: Bool
        /// The reason for too many characters.
        public let tooLong: Reason
        /// The reason for too many bytes, which few characters can have.
        public let tooManyBytes: Reason
        /// The reason for characters that the text may not have.
        public let invalidCharacters: Reason
        /// Whether it names the user to others: such a text has something to see, and is no name of a reserved account.
        public let isName: Bool
        /// Identifies the field in remembered results. It never changes.
        public let tag: UInt8
        /// Whether it was there before the first release: then remembered results and fingerprints of requests hold it also when it is empty.
        public let isOriginal: Bool
        /// Whether lists of profiles show it; they have little room.
        public let isListed: Bool
    }

    /// The table.
    private static func facts(of field: ProfileTextField) -> Facts {
        switch field {
        case .displayName:
            Facts(
                path: "display_name", label: Phrase("name", "이름"), maximumCharacters: 50, maximumBytes: 400, mayHaveLineBreaks: false,
                tooLong: .displayNameTooLong, tooManyBytes: .displayNameTooManyBytes, invalidCharacters: .displayNameInvalidCharacters,
                isName: true, tag: 4, isOriginal: true, isListed: true)
        case .statusMessage:
            Facts(
                path: "status_message", label: Phrase("status", "상태 메시지"), maximumCharacters: 140, maximumBytes: 1_120,
                mayHaveLineBreaks: true, tooLong: .statusMessageTooLong, tooManyBytes: .statusMessageTooManyBytes,
                invalidCharacters: .statusMessageInvalidCharacters, isName: false, tag: 5, isOriginal: true, isListed: true)
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
