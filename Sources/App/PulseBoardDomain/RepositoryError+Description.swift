import PulseBoardVocabulary

/// The error in words, for logs and for the output of programs: the text of its reason in English, then what the text leaves out. It has no name that
/// people chose.
extension RepositoryError: CustomStringConvertible {
    public var description: String { detail.map { "\(text) (\($0))" } ?? text }

    private var text: String {
        switch self {
        case .invalid(let error): error.violations.map { "\($0.field): \($0.message(in: .english))" }.joined(separator: " ")
        case .watchLimit(let maximum): reason.text(limit: maximum).text(in: .english)
        default: reason.text().text(in: .english)
        }
    }

    private var detail: String? {
        switch self {
        case .storeUnavailable(_, let detail), .imageRefused(.unavailable(let detail)): detail.isEmpty ? nil : detail
        case .emptyValue(let table, let key): "a value of table \(table) is missing, key \(Self.loggable(key))"
        case .corruptRow(let table, let key): "a row of table \(table), key \(Self.loggable(key))"
        case .shuttingDown: "the services are shutting down"
        case .cancelled: "the caller has gone"
        case .eventsForgotten: "the events after this position are not kept any more"
        default: nil
        }
    }

    /// A key as the log may have it. One that is made of ids is shown. Others may be names that people chose, and the log never contains those.
    package static func loggable(_ key: String) -> String {
        key.allSatisfy { $0.isHexDigit || $0 == "-" || $0 == " " } ? key : "withheld"
    }
}
