import PulseBoardDomain

/// A failure of PostgreSQL or of the connection to it.
enum PostgreSQLFailure: Error, Hashable {
    /// The connection is broken: the server is gone, or does not answer.
    case lost(detail: String)
    /// The transaction conflicts with others. It may succeed if it is repeated.
    case conflict(detail: String)
    /// The server refused the statement.
    case refused(StoreFailure, detail: String)

    /// - Parameter state: the SQLSTATE (PostgreSQL 15, appendix A).
    init(state: String, message: String) {
        let detail = "PostgreSQL error \(state): \(message)"
        switch state {
        // Serialisation failure, deadlock, lock timeout, and a key that another transaction has inserted meanwhile.
        case "40001", "40P01", "55P03", "23505": self = .conflict(detail: detail)
        // The server is shutting down, is starting, or is no longer the primary.
        // Or it cannot tell whether a COMMIT was made.
        case "57P01", "57P02", "57P03", "25006", "40003": self = .lost(detail: detail)
        case "53100": self = .refused(.full, detail: detail)
        case "58030": self = .refused(.inputOutput, detail: detail)
        case "XX001", "XX002": self = .refused(.corrupt, detail: detail)
        default: self = state.hasPrefix("08") || state.isEmpty ? .lost(detail: detail) : .refused(.other, detail: detail)
        }
    }

    /// The error for the caller.
    var error: RepositoryError {
        switch self {
        case .lost(let detail): .storeUnavailable(.unreachable, detail: detail)
        case .conflict(let detail): .storeUnavailable(detail: detail)
        case .refused(let failure, let detail): .storeUnavailable(failure, detail: detail)
        }
    }
}

/// Why a store on PostgreSQL could not be opened. No case contains a password.
public enum PostgreSQLOpeningError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no usable libpq.
    case libraryMissing(detail: String)
    /// The address is malformed.
    case addressInvalid(detail: String)
    /// The address contains a password. Everybody who lists processes could read it.
    case passwordInAddress
    /// Connecting failed, or a statement failed.
    case failed(detail: String)
    /// The encoding of the database is not UTF-8.
    case wrongEncoding(String)
    /// The database has tables of another program.
    case foreignDatabase(String)
    /// A newer version of PulseBoard has changed the schema. This version would misread it.
    case newerSchema(version: Int64)
    /// Another server uses the database.
    case inUse
    /// The role, the database or PostgreSQL has a limit of this many connections.
    case tooFewConnections(Int)

    public var description: String {
        switch self {
        case .libraryMissing(let detail): "there is no libpq (Debian's package libpq5) that could be loaded: \(detail)"
        case .addressInvalid(let detail): "the address of the store is not valid: \(detail)"
        case .passwordInAddress:
            "the address of the store has a password in it, which everybody on this machine could read; put it into ~/.pgpass (PGPASSFILE) or a "
                + "service file"
        case .failed(let detail): detail
        case .wrongEncoding(let encoding): "the database has the encoding \(encoding), and PulseBoard needs UTF8"
        case .foreignDatabase(let table): "the database is not PulseBoard's: it has a table \(table), and no schema of PulseBoard's"
        case .newerSchema(let version): "the database was written by a newer version of PulseBoard (schema \(version))"
        case .inUse: "a server uses the database; stop it first"
        case .tooFewConnections(let allowed):
            "the database allows \(allowed) connections (ALTER ROLE … CONNECTION LIMIT), and a server needs \(ConnectionAllowance.least) at least and 16 at most"
        }
    }
}
