import ProtobufC
import ProtobufWellKnownTypes
import PulseBoardDomain
import RPCCore

extension RPCError {
    /// The domain that every `ErrorInfo` of ours names.
    static let errorDomain = "pulseboard"

    /// The status for what the domain refused: code, `ErrorInfo` always, `BadRequest` with every violated field,
    /// `LocalizedMessage` in the caller's language, `RetryInfo` where waiting helps.
    init(_ error: RepositoryError, in language: Language) {
        self.init(StatusCode(error), error.reason, violations: error.fieldViolations, in: language)
    }

    /// The status for a refusal with a reason of the catalogue; its text is the first violation's, where there is one.
    init(_ code: StatusCode, _ reason: Reason, violations: [FieldViolation] = [], in language: Language) {
        let text = { (language: Language) in
            violations.first?.message(in: language) ?? reason.text().text(in: language)
        }
        var details = [
            StatusDetail(packing: Google_Rpc_ErrorInfo(reason: reason.rawValue, domain: Self.errorDomain)),
            StatusDetail(packing: Google_Rpc_LocalizedMessage(locale: language.rawValue, message: text(language))),
        ]
        if !violations.isEmpty {
            details.append(StatusDetail(packing: Google_Rpc_BadRequest(fieldViolations: violations.map { violation in
                Google_Rpc_BadRequest.FieldViolation(
                    field: violation.field, description_: violation.message(in: .english), reason: violation.reason.rawValue,
                    localizedMessage: Google_Rpc_LocalizedMessage(
                        locale: language.rawValue, message: violation.message(in: language)))
            })))
        }
        if code == .unavailable {
            let delay = Google_Protobuf_Duration(seconds: 1, nanos: 0)
            details.append(StatusDetail(packing: Google_Rpc_RetryInfo(retryDelay: delay)))
        }
        self.init(code, text(.english), details: details.compactMap(\.self))
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
        default: []
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
        case .usernameDuplicated, .profileExists: self = .alreadyExists
        case .etagMismatch: self = .aborted
        case .selfFollow, .invalid, .invalidPageToken, .invalidResumeToken, .requestIDReused: self = .invalidArgument
        case .eventsForgotten: self = .outOfRange
        case .emptyValue, .corruptRow, .storeUnavailable(.corrupt, _): self = .dataLoss
        case .storeUnavailable, .shuttingDown: self = .unavailable
        }
    }
}

extension StatusDetail {
    /// Packs a message as `google.protobuf.Any` does. Nil for one that cannot be encoded, which our own texts never are.
    init?(packing message: some Message) {
        guard let any = try? Google_Protobuf_Any(packing: message) else { return nil }
        self.init(typeURL: any.typeURL, value: any.value)
    }
}
