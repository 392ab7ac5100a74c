import PulseBoardDomain
import PulseBoardVocabulary
import Testing

@Suite("Errors of the domain") struct RepositoryErrorTests {
    @Test("an error describes itself in words, with what only the operator may know")
    func words() {
        for (error, words) in [
            (
                .storeUnavailable(.full, detail: "SQLite error 13: database or disk is full"),
                "The server's disk is full. Try again once there is room. (SQLite error 13: database or disk is full)"
            ),
            (.storeUnavailable(.readOnly, detail: ""), "The server may not write its database. Tell its administrator."),
            (.userNotFound, "There is no such profile."),
            (
                .corruptRow(table: "session", key: "00ff-12 ab"),
                "Stored data could not be read. (a row of table session, key 00ff-12 ab)"
            ),
            (.watchLimit(maximum: 256), "You can have at most 256 watches and downloads at once. End one first."),
            (.imageRefused(.unavailable(detail: "no memory")), "This cannot be done right now. Try again shortly. (no memory)"),
            (
                .invalid(ValidationError([
                    FieldViolation(field: "page_size", reason: .pageSizeNegative), FieldViolation(field: "user_id", reason: .selfFollow),
                ])), "page_size: A page size cannot be negative. user_id: \(Reason.selfFollow.text().text(in: .english))"
            ),
        ] as [(RepositoryError, String)] {
            #expect(error.description == words)
            #expect("\(error)" == words)
        }
    }

    @Test("no description has a name that somebody chose, or the spelling of a Swift value")
    func names() {
        for error in [
            .corruptRow(table: "username", key: "minji"), .emptyValue(table: "username", key: "김민지"), .cancelled, .shuttingDown,
            .withdrawing(purgeTime: Timestamp(microseconds: 1)), .rateLimited(retryAfter: .seconds(1)), .diary(.mutationGap(lastMutation: 7)),
        ] as [RepositoryError] {
            let text = "\(error)"
            for piece in ["minji", "김민지", "corruptRow", "emptyValue", "(table:", "microseconds", "mutationGap", "retryAfter"] {
                #expect(!text.contains(piece), "\(text)")
            }
            #expect(text.first?.isUppercase == true && text.contains("."), "\(text)")
        }
    }
}
