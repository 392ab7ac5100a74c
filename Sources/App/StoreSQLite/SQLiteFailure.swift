#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import GRDB
import GRDBSQLite
import PulseBoardDomain
import StoreSQL

extension StoreFailure {
    /// What a result of SQLite's means.
    /// - Parameters:
    ///   - code: the (extended) result.
    ///   - systemError: `errno` of the call that failed; 0 when it is not known.
    init(sqliteCode code: CInt, systemError: CInt = 0) {
        switch code & 0xff {
        case SQLITE_FULL: self = .full
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt
        case SQLITE_READONLY: self = code >> 8 == 4 ? .gone : .readOnly  // SQLITE_READONLY_DBMOVED
        case SQLITE_PERM: self = .readOnly
        case SQLITE_CANTOPEN: self = .inputOutput
        case SQLITE_IOERR where code >> 8 == 12: self = .other  // SQLITE_IOERR_NOMEM
        case SQLITE_IOERR:
            // SQLite tells a full disk by its own result only where a write fell short.
            switch systemError {
            case ENOSPC, EDQUOT, EFBIG: self = .full
            case EROFS: self = .readOnly
            default: self = .inputOutput
            }
        default: self = .other
        }
    }
}

/// `errno` of the call that SQLite failed with.
struct SystemCause {
    /// 0 when it is not known.
    let number: CInt

    /// - Parameters:
    ///   - known: what SQLite kept. It keeps none of a COMMIT, the likeliest to fail.
    ///   - present: `errno` as it is right behind the failure, before anything else is called.
    init(_ code: CInt, known: CInt, present: CInt) {
        // A file that is shorter than it should be fails no call of the system's.
        let isCall = code & 0xff == SQLITE_IOERR && code >> 8 != 2
        number = known != 0 ? known : isCall ? present : 0
    }
}

extension RepositoryError {
    /// A result of SQLite's on a connection.
    static func sqlite(_ code: CInt, systemError: CInt, message: String) -> RepositoryError {
        let failure = StoreFailure(sqliteCode: code, systemError: systemError)
        let cause = systemError != 0 && code & 0xff == SQLITE_IOERR ? " (\(String(cString: strerror(systemError))))" : ""
        return .storeUnavailable(failure, detail: "SQLite error \(code): \(message)\(cause)")
    }

    /// What opening a connection or preparing a statement threw.
    init(thrown error: any Error) {
        if let error = error as? DatabaseError {
            self = .sqlite(error.extendedResultCode.rawValue, systemError: 0, message: error.message ?? "no message")
        } else if let error = error as? RepositoryError {
            self = error
        } else {
            self = .storeUnavailable(detail: "\(error)")
        }
    }
}

extension StoreOpeningError {
    /// What SQLite threw while the database was opened, without the statement that it was at.
    init(thrown error: any Error, path: String) {
        if let error = error as? StoreOpeningError {
            self = error
        } else if let error = error as? DatabaseError {
            let code = error.extendedResultCode.rawValue
            self = .failed(path: path, detail: "\(error.message ?? "no message") (SQLite error \(code))")
        } else {
            self = .failed(path: path, detail: "\(error)")
        }
    }
}
