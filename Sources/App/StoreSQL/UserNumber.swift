import PulseBoardDomain

/// How the tables of the follow graph name a user: by the number of the profile's row, counted from 1 and never given again.
///
/// An edge stands in three trees and names two users in each. With numbers of one to four bytes instead of identifiers of 16 a follow
/// changes half as many pages. A number means something in its own database file only: no caller sees one, and outside of the store it stands
/// in the log alone, as the key of a damaged row.
struct UserNumber: Hashable, Sendable, CustomStringConvertible {
    let rawValue: Int64

    /// The digits alone, which is what the log lets through of a row's key.
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
    // The tree of user ids holds the numbers too, so no row of `profile` is read.
    private static let numberByID = Query("SELECT number FROM profile WHERE user_id = ?")

    /// A user's number; `nil` when the user has no profile.
    static func number(of user: UserID, _ connection: borrowing SQLConnection) throws(RepositoryError) -> UserNumber? {
        var statement = try connection.statement(numberByID)
        try statement.bind(user)
        guard try statement.step() else { return nil }
        guard let number = statement.userNumber(0) else { throw .corruptRow(table: "profile", key: user.description) }
        return number
    }
}
