import PulseBoardDomain
import PulseBoardVocabulary

/// A failure of PostgreSQL or of the connection to it.
enum PostgreSQLFailure: Error, Hashable {
    /// The connection is broken: the server is gone, or does not answer.
    case lost(detail: String)
    /// The transaction conflicts with others. It may succeed if it is repeated.
    /// - Parameter hasWaited: whether it has waited in vain for locks of others, so that each repetition may take as long.
    case conflict(detail: String, hasWaited: Bool = false)
    /// The housekeeping has given way to others (``PostgreSQLSession/lockOrYield(_:)``). Nothing was changed, and a later round tries again.
    case yielded
    /// The server refused the statement. The state is the server's SQLSTATE; `nil` if this program refuses the server.
    case refused(StoreFailure, state: String? = nil, detail: String)

    /// - Parameter state: the SQLSTATE (PostgreSQL 15, appendix A).
    init(state: String, message: String) {
        let detail = "PostgreSQL error \(state): \(message)"
        switch state {
        // Serialisation failure, deadlock, and a key that another transaction has inserted meanwhile.
        case "40001", "40P01", "23505": self = .conflict(detail: detail)
        // Lock timeout, and statement timeout: short statements that take long have waited for locks.
        case "55P03", "57014": self = .conflict(detail: detail, hasWaited: true)
        // The server is shutting down, is starting, or is no longer the primary.
        // Or it cannot tell whether a COMMIT was made.
        case "57P01", "57P02", "57P03", "25006", "40003": self = .lost(detail: detail)
        case "53100": self = .refused(.full, state: state, detail: detail)
        // The role does not see the tables: it has lost its right on their schema, or has another search_path. Then every call fails.
        case "42P01", "3F000": self = .refused(.readOnly, state: state, detail: detail)
        case "58030": self = .refused(.inputOutput, state: state, detail: detail)
        case "XX001", "XX002": self = .refused(.corrupt, state: state, detail: detail)
        default: self = state.hasPrefix("08") || state.isEmpty ? .lost(detail: detail) : .refused(.other, state: state, detail: detail)
        }
    }

    /// Whether the server has refused a statement with one of these SQLSTATEs.
    func isRefusal(of states: String...) -> Bool {
        guard case .refused(_, let state?, _) = self else { return false }
        return states.contains(state)
    }

    /// Whether the transaction may be durable, if this is the server's answer to its COMMIT.
    var leavesCommitUnknown: Bool {
        switch self {
        case .lost, .conflict(_, hasWaited: true): true
        case .conflict, .yielded, .refused: false
        }
    }

    /// The error for the caller.
    var error: RepositoryError {
        switch self {
        case .lost(let detail): .storeUnavailable(.unreachable, detail: detail)
        case .conflict(let detail, _): .storeUnavailable(detail: detail)
        case .yielded: .cancelled
        case .refused(let failure, _, let detail): .storeUnavailable(failure, detail: detail)
        }
    }
}

/// Why a store on PostgreSQL could not be opened. No case contains a password.
public enum PostgreSQLOpeningError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no usable libpq.
    case libraryMissing(detail: Phrase)
    /// The address is malformed.
    case addressInvalid(detail: Phrase)
    /// The address contains a password. Everybody who lists processes could read it.
    case passwordInAddress
    /// Connecting failed, or a statement failed.
    case failed(detail: Phrase)
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

    /// The text for the log.
    public var description: String { phrase.english }

    /// The text for people, without a period.
    public var phrase: Phrase {
        switch self {
        case .libraryMissing(let detail):
            Phrase(
                "there is no libpq (Debian's package libpq5) that could be loaded: \(detail.english)",
                "libpq(데비안 패키지 libpq5)를 불러올 수 없습니다: \(detail.korean)")
        case .addressInvalid(let detail):
            Phrase("the address of the store is not valid: \(detail.english)", "저장소 주소가 올바르지 않습니다: \(detail.korean)")
        case .passwordInAddress:
            Phrase(
                "the address of the store has a password in it, which everybody on this machine could read; put it into ~/.pgpass (PGPASSFILE) or a "
                    + "service file",
                "저장소 주소에 비밀번호가 있어 이 컴퓨터의 누구나 볼 수 있습니다. ~/.pgpass(PGPASSFILE)나 서비스 파일에 적으세요")
        case .failed(let detail): detail
        case .wrongEncoding(let encoding):
            Phrase("the database has the encoding \(encoding), and PulseBoard needs UTF8", "데이터베이스의 인코딩이 \(encoding)인데 PulseBoard에는 UTF8이 필요합니다")
        case .foreignDatabase(let table):
            Phrase(
                "the database is not PulseBoard's: it has a table \(table), and no schema of PulseBoard's",
                "PulseBoard의 데이터베이스가 아닙니다. 테이블 \(table)이(가) 있고 PulseBoard의 스키마가 없습니다")
        case .newerSchema(let version):
            Phrase(
                "the database was written by a newer version of PulseBoard (schema \(version))",
                "더 새로운 버전의 PulseBoard가 쓴 데이터베이스입니다(스키마 \(version))")
        case .inUse: Phrase("a server uses the database; stop it first", "서버가 데이터베이스를 사용 중입니다. 먼저 종료하세요")
        case .tooFewConnections(let allowed):
            Phrase(
                "the database allows \(allowed) connections (ALTER ROLE … CONNECTION LIMIT), and a server needs \(ConnectionAllowance.least) at least "
                    + "and 16 at most",
                "데이터베이스가 허용하는 연결이 \(allowed)개인데(ALTER ROLE … CONNECTION LIMIT) 서버에는 \(ConnectionAllowance.least)개에서 16개가 필요합니다")
        }
    }
}
