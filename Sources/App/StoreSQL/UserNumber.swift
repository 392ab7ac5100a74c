import PulseBoardDomain

/// The name of a user in the tables of the follow graph: the number of the profile's row, from 1 and never reused.
///
/// An edge is in three trees and names two users in each. Numbers of one to four bytes, instead of identifiers of 16, halve the pages that a
/// follow changes. A number has a meaning only in its own database. No caller sees it; outside of the store it appears only in the log, as
/// the key of a damaged row.
struct UserNumber: Hashable, Sendable, CustomStringConvertible {
    let rawValue: Int64

    /// No user's: it comes before the first.
    static let beforeFirst = UserNumber(rawValue: 0)

    /// The digits alone, because the log permits nothing else in such a key.
    var description: String { "\(rawValue)" }
}

extension SQLStatement {
    mutating func bind(_ user: UserNumber) throws(RepositoryError) {
        try bind(user.rawValue)
    }

    func userNumber(_ column: CInt) -> UserNumber? {
        integer(column).map(UserNumber.init(rawValue:))
    }
}

extension SQLStore {
    // The index of user ids contains the numbers, so no row of `profile` is read.
    private static let numberByID = Query("SELECT number FROM profile WHERE user_id = ?")

    /// The number of a user; `nil` if the user has no profile.
    static func number(of user: UserID, _ connection: borrowing SQLConnection) throws(RepositoryError) -> UserNumber? {
        var statement = try connection.statement(numberByID)
        try statement.bind(user)
        guard try statement.step() else { return nil }
        guard let number = statement.userNumber(0) else { throw .corruptRow(table: "profile", key: user.description) }
        return number
    }
}
