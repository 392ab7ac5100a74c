import ProtobufWellKnownTypes
import ProtobufC
import RPCCore

/// The details of an error that this program understands, decoded. Details of other types or with damaged bytes are skipped:
/// they only explain an error, and the error itself must still be shown.
struct StatusDetails: Sendable {
    private(set) var reason: String?
    private(set) var localizedMessage: String?
    private(set) var violations: [CommandFailure.Violation] = []
    /// How long to wait before trying again makes sense.
    private(set) var retryDelay: Duration?

    init(_ error: RPCError, language: Language) {
        for detail in error.details {
            switch detail.typeURL.split(separator: "/").last {
            case "google.rpc.ErrorInfo":
                guard let info: Google_Rpc_ErrorInfo = Self.decoded(detail), !info.reason.isEmpty else { continue }
                reason = info.reason
            case "google.rpc.LocalizedMessage":
                guard let text: Google_Rpc_LocalizedMessage = Self.decoded(detail), !text.message.isEmpty else { continue }
                localizedMessage = text.message
            case "google.rpc.BadRequest":
                guard let request: Google_Rpc_BadRequest = Self.decoded(detail) else { continue }
                violations = request.fieldViolations.map { Self.violation($0, language: language) }
            case "google.rpc.RetryInfo":
                guard let info: Google_Rpc_RetryInfo = Self.decoded(detail), let delay = info.retryDelay else { continue }
                retryDelay = .seconds(delay.seconds) + .nanoseconds(Int64(delay.nanos))
            default:
                continue
            }
        }
    }

    private static func decoded<Detail: Message>(_ detail: StatusDetail) -> Detail? {
        try? Detail(serializedBytes: detail.value)
    }

    private static func violation(
        _ violation: Google_Rpc_BadRequest.FieldViolation, language: Language
    ) -> CommandFailure.Violation {
        // Our server words the description in the caller's language and with the limit that was crossed.
        let texts = [violation.localizedMessage?.message ?? "", violation.description_]
        let known = ErrorCatalogue.phrase(forReason: violation.reason)?.text(in: language)
        return CommandFailure.Violation(
            field: violation.field, reason: violation.reason,
            message: texts.first { !$0.isEmpty } ?? known ?? violation.reason)
    }
}
