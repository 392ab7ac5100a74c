#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import Foundation
import GRDB
import GRDBSQLite
import PulseBoardDomain
import PulseBoardVocabulary
import StoreSQL

extension StoreFailure {
    /// The failure for a result code of SQLite.
    /// - Parameters:
    ///   - code: the result code, with its extension.
    ///   - systemError: `errno` of the system call that failed; 0 if unknown.
    init(sqliteCode code: CInt, systemError: CInt = 0) {
        switch code & 0xff {
        case SQLITE_FULL: self = .full
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt
        case SQLITE_READONLY: self = code >> 8 == 4 ? .gone : .readOnly  // SQLITE_READONLY_DBMOVED
        case SQLITE_PERM: self = .readOnly
        case SQLITE_CANTOPEN: self = .inputOutput
        case SQLITE_IOERR where code >> 8 == 12: self = .other  // SQLITE_IOERR_NOMEM
        case SQLITE_IOERR:
            // SQLite has its own result for a full disk only if a write was short.
            switch systemError {
            case ENOSPC, EDQUOT, EFBIG: self = .full
            case EROFS: self = .readOnly
            default: self = .inputOutput
            }
        default: self = .other
        }
    }
}

/// The `errno` of the system call that made SQLite fail.
struct SystemCause {
    /// The `errno`; 0 if unknown.
    let number: CInt

    /// - Parameters:
    ///   - known: the `errno` that SQLite kept. It keeps none for a COMMIT, which is the most likely to fail.
    ///   - present: `errno` right after the failure, before any other call.
    init(_ code: CInt, known: CInt, present: CInt) {
        // If a file is too short, no system call has failed.
        let isCall = code & 0xff == SQLITE_IOERR && code >> 8 != 2
        number = known != 0 ? known : isCall ? present : 0
    }
}

extension RepositoryError {
    /// The error for a result code on a connection.
    static func sqlite(_ code: CInt, systemError: CInt, message: String) -> RepositoryError {
        let failure = StoreFailure(sqliteCode: code, systemError: systemError)
        let cause = systemError != 0 && code & 0xff == SQLITE_IOERR ? " (\(String(cString: strerror(systemError))))" : ""
        return .storeUnavailable(failure, detail: "SQLite error \(code): \(message)\(cause)")
    }

    /// The error for what opening a connection or preparing a statement threw.
    init(thrown error: any Error) {
        if let error = error as? DatabaseError {
            self = .sqlite(error.extendedResultCode.rawValue, systemError: 0, message: error.message ?? "no message")
        } else if let error = error as? RepositoryError {
            self = error
        } else {
            self = .storeUnavailable(detail: error.words)
        }
    }
}

extension StoreOpeningError {
    /// The error for what SQLite threw while opening the database, without the text of the statement.
    init(thrown error: any Error, path: String) {
        if let error = error as? StoreOpeningError {
            self = error
        } else if let error = error as? DatabaseError {
            let code = error.extendedResultCode.rawValue
            let words = error.message ?? "no message"
            let isDamaged = [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
            let advice = isDamaged
                ? Phrase("; restore a backup: pulseboard admin restore --overwrite FILE", ". 백업을 복원하세요: pulseboard admin restore --overwrite 파일")
                : Phrase("", "")
            self = .failed(
                path: path,
                detail: Phrase("\(words) (SQLite error \(code))\(advice.english)", "\(words) (SQLite 오류 \(code))\(advice.korean)"))
        } else {
            self = .failed(path: path, detail: error.causeForPeople)
        }
    }
}

extension Error {
    /// The system's text for an error of the file system, also for one that Foundation wraps; `nil` for other errors.
    package var systemCause: String? { systemErrorNumber.map { String(cString: strerror($0)) } }

    /// ``words``, in both languages if they are the system's.
    package var causeForPeople: Phrase { systemErrorNumber.map { .systemError($0) } ?? Phrase(untranslated: words) }

    private var systemErrorNumber: CInt? {
        let error = self as NSError
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
        return cause.domain == NSPOSIXErrorDomain ? CInt(cause.code) : nil
    }

    /// The error in words: the system's, or its own. One that has none is named by its type, and never shown as a Swift value.
    package var words: String {
        systemCause ?? (Self.self is any CustomStringConvertible.Type ? "\(self)" : "an unforeseen error: \(Self.self)")
    }
}
