import ProtobufC
import PulseBoardDomain
import RPCCore

/// Tells a caller what the domain refused: makes a `RepositoryError` that comes out of a call its status, with details in the
/// caller's language. What only the operator may know goes to the call's log.
///
/// Every other error passes as it is: an `RPCError` is a status already, and the runtime hides what nobody foresaw.
enum Refusal {
    /// The status that the caller is told.
    static func status(for error: RepositoryError, _ context: CallContext) -> RPCError {
        log(error, context)
        return RPCError(error, in: context.language)
    }

    private static func log(_ error: RepositoryError, _ context: CallContext) {
        switch error {
        case .emptyValue(let table, let key), .corruptRow(let table, let key):
            context.logger.error("a stored row cannot be understood", metadata: [
                "store.table": "\(table)", "store.key": "\(loggable(key))",
            ])
        case .storeUnavailable(let detail):
            context.logger.error("the store failed", metadata: ["store.detail": "\(detail)"])
        default: break
        }
    }

    /// Keys made of ids are logged; other keys may be names that people chose, which the log never carries.
    private static func loggable(_ key: String) -> String {
        key.allSatisfy { $0.isHexDigit || $0 == "-" || $0 == " " } ? key : "withheld"
    }
}
