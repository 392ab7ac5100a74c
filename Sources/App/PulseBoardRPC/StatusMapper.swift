import DiaryMessages
import Logging
import ProtobufC
import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardVocabulary
import RPCCore
import Synchronization

/// Turns a `RepositoryError` into the call's status, with details in the caller's language. A row that cannot be decoded is reported only to
/// the operator, in the call's log.
///
/// If many calls meet one row, the log has one line at first and then one a minute, with the number of calls. Failures of the store are not logged
/// here: the store logs them itself, once for all calls. Every other error passes unchanged: an `RPCError` is a status already, and the runtime
/// hides unforeseen errors.
final class StatusMapper: Sendable {
    private struct Line: Hashable {
        let table: String
        let key: String
    }

    private struct Telling {
        var next: Timestamp
        /// Calls since the last line in the log.
        var untold = 0
    }

    /// Maximum rows that are remembered as logged. Beyond it, all are forgotten and may be logged again.
    private static let mostLines = 256
    private static let pause = Timestamp.Interval.seconds(60)

    private let clock: any WallClock
    private let tellings = Mutex<[Line: Telling]>([:])

    /// - Parameter clock: decides when a line may be repeated.
    init(clock: any WallClock = SystemWallClock()) {
        self.clock = clock
    }

    /// The status for the caller.
    func status(for error: RepositoryError, _ context: CallContext) -> RPCError {
        log(error, context)
        return RPCError(error, in: context.language, availableTime: availableTime(after: error))
    }

    /// When the call becomes possible again, if that is known.
    private func availableTime(after error: RepositoryError) -> Timestamp? {
        switch error {
        case .usernameChangedRecently(let time): time
        case .rateLimited(let wait): clock.now().advanced(by: wait)
        default: nil
        }
    }

    private func log(_ error: RepositoryError, _ context: CallContext) {
        switch error {
        case .imageRefused(.unavailable(let detail)):
            context.logger.error("a picture could not be decoded", metadata: ["image.error": "\(detail)"])
        case .emptyValue(let table, let key), .corruptRow(let table, let key):
            guard let calls = calls(of: Line(table: table, key: key)) else { return }
            var metadata: Logger.Metadata = ["store.table": "\(table)", "store.key": "\(RepositoryError.loggable(key))"]
            if calls > 1 { metadata["store.failed_calls"] = "\(calls)" }
            context.logger.error("a stored row cannot be understood", metadata: metadata)
        default: break
        }
    }

    /// How many calls met the row since it was last logged, including this one; `nil` if it should not be logged now.
    private func calls(of line: Line) -> Int? {
        let now = clock.now()
        return tellings.withLock { tellings in
            if tellings.count >= Self.mostLines, tellings[line] == nil { tellings = [:] }
            var telling = tellings[line] ?? Telling(next: now)
            defer { tellings[line] = telling }
            telling.untold += 1
            // It is also logged if the clock was set back.
            guard telling.next <= now || telling.next > now.advanced(by: Self.pause) else { return nil }
            defer { telling = Telling(next: now.advanced(by: Self.pause)) }
            return telling.untold
        }
    }
}

extension RPCError {
    /// The domain in every `ErrorInfo` of PulseBoard.
    static let errorDomain = "pulseboard"

    /// The status of a domain error. It has the code, an `ErrorInfo`, a `LocalizedMessage` in the caller's language, a `BadRequest` with every
    /// violated field, and a `RetryInfo` if waiting helps.
    /// - Parameter availableTime: when the call becomes possible again, if that is known.
    init(_ error: RepositoryError, in language: Language, availableTime: Timestamp? = nil) {
        var metadata = error.metadata
        if let availableTime { metadata["available_time"] = availableTime.internetText }
        if let limit = error.limit { metadata["limit"] = String(limit) }
        self.init(
            StatusCode(error), error.reason, violations: error.fieldViolations, limit: error.limit, metadata: metadata, retryAfter: error.retryDelay,
            in: language)
    }

    /// The status for a refusal with a reason of the catalogue. Its text is that of the first violation, if there is one.
    /// - Parameters:
    ///   - limit: the limit that was exceeded, for a refusal that is about no field.
    ///   - metadata: what `ErrorInfo` contains besides the first violation.
    ///   - retryAfter: how long to wait, if waiting helps. After UNAVAILABLE it is a second.
    init(
        _ code: StatusCode, _ reason: Reason, violations: [FieldViolation] = [], limit: Int? = nil, metadata: [String: String] = [:],
        retryAfter: Google_Protobuf_Duration? = nil, in language: Language
    ) {
        let text = { (language: Language) in
            violations.first?.message(in: language) ?? reason.text(limit: limit).text(in: language)
        }
        var details = [
            StatusDetail(packing: Google_Rpc_ErrorInfo(
                reason: reason.rawValue, domain: Self.errorDomain, metadata: metadata.merging(violations.first?.metadata ?? [:]) { $1 })),
            StatusDetail(packing: Google_Rpc_LocalizedMessage(locale: language.rawValue, message: text(language))),
        ]
        if !violations.isEmpty { details.append(StatusDetail(packing: violations.badRequest(in: language))) }
        if let delay = retryAfter ?? (code == .unavailable ? Google_Protobuf_Duration(seconds: 1, nanos: 0) : nil) {
            details.append(StatusDetail(packing: Google_Rpc_RetryInfo(retryDelay: delay)))
        }
        self.init(code, text(.english), details: details.compactMap(\.self))
    }
}

extension [FieldViolation] {
    /// Maximum bytes of the violations in an answer. Over gRPC, all details of an error have 3 KiB.
    private static var maximumByteCount: Int { 2_048 }
    /// Bytes of a violation besides its texts, at most: tags, lengths and the language.
    private static var framingByteCount: Int { 24 }

    /// The violations in their order, as many as fit in 2 KiB.
    fileprivate func badRequest(in language: Language) -> Google_Rpc_BadRequest {
        var answer = Google_Rpc_BadRequest()
        var left = Self.maximumByteCount
        for violation in self {
            let message = violation.message(in: language)
            left -= violation.field.utf8.count + 2 * message.utf8.count + violation.reason.rawValue.utf8.count + Self.framingByteCount
            guard left >= 0 else { break }
            answer.fieldViolations.append(Google_Rpc_BadRequest.FieldViolation(
                field: violation.field, description_: message, reason: violation.reason.rawValue,
                localizedMessage: Google_Rpc_LocalizedMessage(locale: language.rawValue, message: message)))
        }
        return answer
    }
}

extension FieldViolation {
    /// The metadata of `ErrorInfo` for the first violation: its field, and the limit that was exceeded.
    fileprivate var metadata: [String: String] {
        var metadata = ["field": field]
        if let limit { metadata["limit"] = String(limit) }
        return metadata
    }
}

extension RepositoryError {
    /// The fields of the request that the refusal is about; empty when it is about no field.
    fileprivate var fieldViolations: [FieldViolation] {
        switch self {
        case .invalid(let validation): validation.violations
        case .selfFollow: [FieldViolation(field: "user_id", reason: reason)]
        case .invalidPageToken: [FieldViolation(field: "page_token", reason: reason)]
        case .invalidResumeToken: [FieldViolation(field: "resume_token", reason: reason)]
        case .requestIDReused: [FieldViolation(field: "request_id", reason: reason)]
        case .imageNotStaged: [FieldViolation(field: "image_id", reason: reason)]
        case .diary(.imageDiffers): [FieldViolation(field: "images", reason: reason)]
        default: []
        }
    }

    /// The metadata of `ErrorInfo` for the whole refusal.
    fileprivate var metadata: [String: String] {
        switch self {
        case .diary(let refusal): refusal.metadata
        default: [:]
        }
    }

    /// The limit that was exceeded, in the unit of the reason's text, for a refusal that is about no field.
    fileprivate var limit: Int? {
        switch self {
        case .identityLimit: Identity.maximumCount
        case .watchLimit(let maximum): maximum
        case .imageRefused(.tooLarge): ImageLimits.maximumUploadBytes
        case .imageRefused(.dimensions): ImageLimits.maximumPixels
        case .diary(.tooManyDevices): Int(DiaryLimits.maximumDevices)
        default: nil
        }
    }

    /// How long to wait before trying again, if that helps.
    fileprivate var retryDelay: Google_Protobuf_Duration? {
        switch self {
        case .imageRefused(.busy): Google_Protobuf_Duration(seconds: 1, nanos: 0)
        // The issuer may have a new key whose file is not here yet.
        case .idTokenRefused(.keyUnknown): Google_Protobuf_Duration(seconds: 5, nanos: 0)
        // One of the user's watches may end at any time.
        case .watchLimit: Google_Protobuf_Duration(seconds: 5, nanos: 0)
        case .rateLimited(let wait): Google_Protobuf_Duration(.microseconds(max(1, wait.microseconds)))
        default: nil
        }
    }
}

extension DiaryRefusal {
    /// What the refused device needs to go on; instants in UTC microseconds.
    fileprivate var metadata: [String: String] {
        switch self {
        case .mutationGap(let last): ["last_mutation": String(last)]
        case .clockSkewed(let time, let last): ["last_mutation": String(last), "server_time": String(time.microseconds)]
        default: [:]
        }
    }
}

extension StatusCode {
    /// The code of the table in `docs/api.md`.
    init(_ error: RepositoryError) {
        switch error {
        case .notAuthenticated: self = .unauthenticated
        case .accountNotPermitted, .notOwner: self = .permissionDenied
        case .userNotFound, .sessionNotFound: self = .notFound
        case .usernameDuplicated, .usernameConfusable, .profileExists: self = .alreadyExists
        case .usernameChangedRecently: self = .failedPrecondition
        case .imageRefused(.busy): self = .resourceExhausted
        case .imageRefused(.unavailable), .imageRefused(.storeUnavailable): self = .unavailable
        case .imageRefused(.tooSlow): self = .deadlineExceeded
        case .imageRefused: self = .invalidArgument
        case .profileRequired, .withdrawing, .notWithdrawing, .imageNotStaged: self = .failedPrecondition
        case .imageNotFound: self = .notFound
        case .idTokenRefused(.malformed): self = .invalidArgument
        case .idTokenRefused: self = .unauthenticated
        case .rateLimited, .watchLimit: self = .resourceExhausted
        case .signInTooOld, .identityLast, .identityLimit: self = .failedPrecondition
        case .identityInUse: self = .alreadyExists
        case .identityNotFound: self = .notFound
        case .diary(let refusal): self.init(refusal)
        case .etagMismatch: self = .aborted
        case .selfFollow, .invalid, .invalidPageToken, .invalidResumeToken, .consistencyInvalid, .requestIDReused: self = .invalidArgument
        case .emptyValue, .corruptRow, .storeUnavailable(.corrupt, _): self = .dataLoss
        // No client sees `eventsForgotten`: a watch continues after a gap in the events.
        case .eventsForgotten, .storeUnavailable, .shuttingDown: self = .unavailable
        case .cancelled: self = .cancelled
        }
    }
}
