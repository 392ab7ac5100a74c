/// The texts of a profile that its owner may change. Each is described once.
///
/// The username is not one of them, because it has its own rules. Everything that handles such a text uses these cases: drafts and changes of a
/// profile, its record and SQL, the messages, the command line. CONTRIBUTING.md says what a new field needs besides its case.
public enum ProfileTextField: Int, CaseIterable, Hashable, Sendable {
    // The order is that of requests, errors and what is shown.
    case displayName
    case statusMessage

    /// The properties of one field.
    public struct Facts: Sendable {
        /// The name in messages and update masks, and of the column.
        public let path: String
        /// The name for people.
        public let label: Phrase
        /// What a newcomer is asked for.
        public let title: Phrase
        /// What it is, in the help of its option.
        public let summary: Phrase
        /// The name of its option, and the word that skips its question, on the command line.
        public let option: String
        /// Maximum characters (grapheme clusters).
        public let maximumCharacters: Int
        /// Maximum bytes of UTF-8. One character can be arbitrarily long, so both are limited (X10).
        public let maximumBytes: Int
        /// Whether line breaks are permitted. Other control characters never are.
        public let mayHaveLineBreaks: Bool
        /// The reason for too many characters.
        public let tooLong: Reason
        /// The reason for too many bytes in few enough characters.
        public let tooManyBytes: Reason
        /// The reason for characters that are not permitted.
        public let invalidCharacters: Reason
        /// Whether it is a name of the user. Such a text must be visible and must not look like a reserved account's name.
        public let isName: Bool
        /// Identifies the field in remembered results. It never changes.
        public let tag: UInt8
        /// Whether it existed before the first release. Then remembered results and fingerprints of requests contain it even if it is empty.
        public let isOriginal: Bool
        /// Whether it is in the line that `pulseboard profile watch` prints for a change. Tables of users always show the display name alone.
        public let isInWatchLine: Bool
    }

    /// The table of all fields.
    private static func facts(of field: ProfileTextField) -> Facts {
        switch field {
        case .displayName:
            Facts(
                path: "display_name", label: Phrase("name", "표시 이름"), title: Phrase("Display name", "표시 이름"),
                summary: Phrase("A free name", "자유로운 이름"), option: "display-name",
                maximumCharacters: 50, maximumBytes: 400, mayHaveLineBreaks: false,
                tooLong: .displayNameTooLong, tooManyBytes: .displayNameTooManyBytes, invalidCharacters: .displayNameInvalidCharacters,
                isName: true, tag: 4, isOriginal: true, isInWatchLine: true)
        case .statusMessage:
            Facts(
                path: "status_message", label: Phrase("status", "상태 메시지"), title: Phrase("Status message", "상태 메시지"),
                summary: Phrase("A status message", "상태 메시지"), option: "status",
                maximumCharacters: 140, maximumBytes: 1_120, mayHaveLineBreaks: true,
                tooLong: .statusMessageTooLong, tooManyBytes: .statusMessageTooManyBytes, invalidCharacters: .statusMessageInvalidCharacters,
                isName: false, tag: 5, isOriginal: true, isInWatchLine: true)
        }
    }

    private static let table = allCases.map { facts(of: $0) }

    /// The properties of this field.
    public var facts: Facts { Self.table[rawValue] }

    /// The field with this path, or `nil`.
    public init?(path: some StringProtocol) {
        guard let field = Self.allCases.first(where: { $0.facts.path == path }) else { return nil }
        self = field
    }
}
