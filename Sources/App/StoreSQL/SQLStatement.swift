import PulseBoardDomain
import PulseBoardVocabulary

/// One use of a prepared statement: bind from left to right, step, read. It is reset at the end of its lifetime.
package struct SQLStatement: ~Copyable {
    private let cursor: any SQLCursor

    init(_ cursor: any SQLCursor) { self.cursor = cursor }

    deinit { cursor.reset() }

    // MARK: Binding

    package mutating func bind(_ value: Int64) throws(RepositoryError) { try cursor.bind(value) }

    package mutating func bind(_ time: Timestamp) throws(RepositoryError) { try cursor.bind(time.microseconds) }

    package mutating func bind(_ id: some UUIDIdentifier) throws(RepositoryError) { try cursor.bind(id.bits) }

    /// Binds an identifier, or NULL.
    package mutating func bind(_ id: (some UUIDIdentifier)?) throws(RepositoryError) {
        if let id { try bind(id) } else { try bindNull() }
    }

    package mutating func bind(_ bytes: [UInt8]) throws(RepositoryError) { try cursor.bind(bytes) }

    package mutating func bind(_ text: String) throws(RepositoryError) { try cursor.bind(text) }

    /// Binds NULL.
    package mutating func bindNull() throws(RepositoryError) { try cursor.bindNull() }

    /// Binds a text, or NULL.
    package mutating func bind(orNull text: String?) throws(RepositoryError) {
        if let text { try bind(text) } else { try bindNull() }
    }

    // MARK: Stepping

    /// Moves to the next row; `false` after the last.
    package func step() throws(RepositoryError) -> Bool { try cursor.step() }

    /// Runs a statement without rows. A remote database may report its failure later, at the latest at the end of the transaction.
    package func run() throws(RepositoryError) { try cursor.run() }

    // MARK: Reading a column of the present row; `nil` when it does not hold what is asked for.

    package func isNull(_ column: CInt) -> Bool { cursor.isNull(column) }

    package func integer(_ column: CInt) -> Int64? { cursor.integer(column) }

    package func time(_ column: CInt) -> Timestamp? { integer(column).map(Timestamp.init(microseconds:)) }

    /// The column as text; `nil` if it does not hold text.
    /// - Parameter repairing: whether text that is not UTF-8 is read with U+FFFD in its place. Otherwise it gives `nil`.
    package func text(_ column: CInt, repairing: Bool = false) -> String? { repairing ? cursor.repairedText(column) : cursor.text(column) }

    /// The column as an identifier; `nil` if it does not hold 16 bytes.
    package func identifier<ID: UUIDIdentifier>(_ column: CInt, as type: ID.Type = ID.self) -> ID? {
        cursor.bits(column).map(ID.init(bits:))
    }

    /// The column as bytes; `nil` if it does not hold bytes.
    package func blob(_ column: CInt) -> [UInt8]? { cursor.bytes(column) }

    /// The column as a key for the log: identifiers as UUIDs, other bytes in hexadecimal digits, text as it is.
    package func key(_ column: CInt) -> String {
        if let id = identifier(column, as: UserID.self) { return id.description }
        if let bytes = blob(column) { return bytes.hexadecimal }
        return text(column) ?? integer(column).map(String.init) ?? "NULL"
    }
}

extension String {
    /// The text of a column; `nil` when it is no UTF-8. ``String/init(validating:as:)`` looks up the types of its generic code for every text, which
    /// takes four times as long.
    package init?(column bytes: Span<UInt8>) {
        guard let text = try? UTF8Span(validating: bytes) else { return nil }
        self.init(copying: text)
    }
}

/// The prepared statement of one kind of database, behind ``SQLStatement``.
package protocol SQLCursor: AnyObject {
    /// Binds the next parameter.
    func bind(_ value: Int64) throws(RepositoryError)
    /// Binds 16 bytes.
    func bind(_ bits: UUIDBits) throws(RepositoryError)
    func bind(_ bytes: [UInt8]) throws(RepositoryError)
    func bind(_ text: String) throws(RepositoryError)
    func bindNull() throws(RepositoryError)
    func step() throws(RepositoryError) -> Bool
    func run() throws(RepositoryError)
    func isNull(_ column: CInt) -> Bool
    func integer(_ column: CInt) -> Int64?
    func text(_ column: CInt) -> String?
    /// For a database that can hold text that is not UTF-8.
    func repairedText(_ column: CInt) -> String?
    func bits(_ column: CInt) -> UUIDBits?
    func bytes(_ column: CInt) -> [UInt8]?
    /// Ends the use: the next one binds from the first parameter.
    func reset()
}

extension SQLCursor {
    package func repairedText(_ column: CInt) -> String? { text(column) }
}
