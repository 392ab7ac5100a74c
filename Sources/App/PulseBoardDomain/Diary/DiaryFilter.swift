/// Selects the entries of a list.
public struct DiaryFilter: Hashable, Sendable {
    /// Entries at or after the first instant and before the second. A client computes days and months in its user's time zone
    /// (B14).
    public var times: Range<Timestamp>?
    /// Entries with this emotion. It is not empty: no filter selects the entries without an emotion.
    public var emotion: String?
    /// Entries whose text contains these characters, at least one. Latin letters match in either case.
    public var text: String?

    /// Every entry.
    public static let all = DiaryFilter()

    /// - Parameters: `nil` does not filter.
    public init(times: Range<Timestamp>? = nil, emotion: String? = nil, text: String? = nil) {
        self.times = times
        self.emotion = emotion
        self.text = text
    }

    /// - Throws: `ValidationError` with every rule that is broken, for the fields `emotion` and `query`.
    public func checked() throws(ValidationError) -> DiaryFilter {
        var filter = self
        var violations: [FieldViolation] = []
        if let emotion {
            if emotion.isEmpty {
                violations.append(FieldViolation(field: DiaryField.emotion.path, reason: .emotionInvalid))
            } else {
                _ = violations.collecting { () throws(ValidationError) in try DiaryValue.emotion(emotion).checked() }
            }
        }
        if let text {
            let limit = DiaryLimits.maximumQueryCharacters
            // A character of Hangul has up to nine bytes before it is composed; marks may make it longer.
            // No text has NUL, and SQLite would search only for what stands before it.
            if text.utf8.count <= 16 * limit, !text.isEmpty, text.count <= limit, !text.utf8.contains(0) {
                filter.text = text.normalizedNFC
            } else {
                violations.append(FieldViolation(field: "query", reason: .queryInvalid, limit: limit))
            }
        }
        guard violations.isEmpty else { throw ValidationError(violations) }
        return filter
    }

    /// Finds the text of the filter; `nil` if it has none.
    package var search: DiaryTextSearch? { text.map(DiaryTextSearch.init) }

    /// The pattern of SQL's LIKE for `text`, with `\` before what would be a wildcard.
    package var likePattern: String? {
        text.map { text in
            // Scalar by scalar: with a mark after it, a wildcard is part of another character.
            "%" + text.unicodeScalars.reduce(into: "") { pattern, scalar in
                if scalar == "%" || scalar == "_" || scalar == "\\" { pattern.unicodeScalars.append("\\") }
                pattern.unicodeScalars.append(scalar)
            } + "%"
        }
    }
}

/// Looks for a text in others, as SQL's LIKE does: scalar by scalar, Latin letters in either case.
///
/// For all texts, the time grows only with the length of the text that is searched (Knuth, Morris and Pratt).
package struct DiaryTextSearch: Sendable {
    private let needle: [UInt8]
    /// For each number of matched bytes, how many of them still match if the next byte differs.
    private let fallbacks: [Int]

    package init(_ text: String) {
        needle = text.utf8.map(\.smallLatin)
        var fallbacks = [0]
        var matched = 0
        for byte in needle.dropFirst() {
            while matched > 0, needle[matched] != byte { matched = fallbacks[matched - 1] }
            if needle[matched] == byte { matched += 1 }
            fallbacks.append(matched)
        }
        self.fallbacks = fallbacks
    }

    package func matches(_ text: String) -> Bool {
        guard !needle.isEmpty else { return true }
        var matched = 0
        for byte in text.utf8.lazy.map(\.smallLatin) {
            while matched > 0, needle[matched] != byte { matched = fallbacks[matched - 1] }
            if needle[matched] == byte { matched += 1 }
            if matched == needle.count { return true }
        }
        return false
    }
}

extension UInt8 {
    fileprivate var smallLatin: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self + 32 : self }
}

/// A place in a list of entries. Lists run from the newest entry to the oldest, and by descending id within one instant.
public struct DiaryCursor: Hashable, Sendable {
    public let entryTime: Timestamp
    public let id: DiaryEntryID

    public init(entryTime: Timestamp, id: DiaryEntryID) {
        self.entryTime = entryTime
        self.id = id
    }

    /// The place after an entry.
    public init(after entry: DiaryEntry) { self.init(entryTime: entry.content.entryTime, id: entry.id) }
}
