import CommandHelp
import DiaryMessages
import Foundation
import PulseBoardDiary
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore

extension CommandFailure {
    /// Explains an error of the diary to the user.
    init(_ error: DiaryError, in context: FailureContext) {
        let text = { (reason: Reason) in reason.text().text(in: context.language) }
        switch error {
        case .diary(let refusal):
            self.init(code: StatusCode(refusal), reason: refusal.reason.rawValue, message: text(refusal.reason))
            if refusal == .tooManyDevices { nextCommand = context.command("diary devices") }
        case .etagMismatch: self.init(code: .aborted, reason: Reason.etagMismatch.rawValue, message: text(.etagMismatch))
        case .invalid(let validation):
            let violations = validation.violations.map {
                Violation(field: $0.field, reason: $0.reason.rawValue, message: Self.message(of: $0, in: context.language))
            }
            self.init(
                code: .invalidArgument, reason: violations[0].reason, message: violations[0].message, violations: violations)
        case .outboxFull:
            let phrase = Phrase(
                "Too much waits for the server. Synchronize first.", "서버로 보낼 일기가 너무 많이 쌓였습니다. 먼저 동기화해 주세요.")
            self.init(
                code: .resourceExhausted, reason: "DIARY_OUTBOX_FULL", message: phrase.text(in: context.language),
                nextCommand: context.command("diary sync"))
        case .damaged(let id):
            let phrase = Phrase("The entry \(id) cannot be read on this device.", "이 기기에서 \(id) 일기를 읽을 수 없습니다.")
            self.init(code: .dataLoss, reason: "DIARY_ENTRY_DAMAGED", message: phrase.text(in: context.language))
        case .storeFailed(let detail):
            let phrase = Phrase("The diary on this device cannot be used: \(detail.english).", "이 기기의 일기장을 쓸 수 없습니다: \(detail.korean).")
            self.init(code: .failedPrecondition, reason: "DIARY_FILE_REFUSED", message: phrase.text(in: context.language))
        case .cursorRefused: self.init(code: .outOfRange, reason: Reason.invalidPageToken.rawValue, message: text(.invalidPageToken))
        case .notRejected:
            let phrase = Phrase("There is no such rejected edit.", "그런 거부된 변경이 없습니다.")
            self.init(
                code: .notFound, reason: "DIARY_REJECTED_NOT_FOUND", message: phrase.text(in: context.language),
                nextCommand: context.command("diary rejected"))
        case .otherAccount:
            let phrase = Phrase(
                "This directory has another account's diary. Choose another one with --directory.",
                "이 디렉터리에는 다른 계정의 일기장이 있습니다. --directory로 다른 곳을 골라 주세요.")
            self.init(code: .permissionDenied, reason: "DIARY_OTHER_ACCOUNT", message: phrase.text(in: context.language))
        case .notAttached:
            let phrase = Phrase("This diary belongs to no account yet.", "아직 계정에 연결되지 않은 일기장입니다.")
            self.init(
                code: .failedPrecondition, reason: "DIARY_NOT_ATTACHED", message: phrase.text(in: context.language),
                nextCommand: context.command("diary sync"))
        case .busy:
            let phrase = Phrase("Another command synchronizes this directory just now.", "다른 명령이 지금 이 디렉터리를 동기화하고 있습니다.")
            self.init(code: .aborted, reason: "DIARY_BUSY", message: phrase.text(in: context.language))
        case .unavailable(_, let reason?): self.init(code: .unavailable, reason: reason, message: text(Reason(rawValue: reason) ?? .unavailable))
        case .unavailable(let detail, nil): self.init(RPCError(.unavailable, detail), about: .nothing, in: context)
        case .pictureNotTaken(Reason.imageTooSlow.rawValue):
            self.init(code: .deadlineExceeded, reason: Reason.imageTooSlow.rawValue, message: text(.imageTooSlow))
        case .pictureNotTaken(let reason):
            self.init(
                code: .unavailable, reason: reason,
                message: Phrase("The server takes no pictures just now.", "지금은 서버가 사진을 받지 못합니다.").text(in: context.language))
        case .notSignedIn:
            self.init(
                code: .unauthenticated, reason: Reason.notAuthenticated.rawValue, message: text(.notAuthenticated),
                nextCommand: context.loginCommand)
        case .refused(let reason, let message, let code):
            let known = Reason(rawValue: reason)
            self.init(code: code, reason: reason, message: known.map(text) ?? message)
            if known == .profileRequired { nextCommand = context.command("profile create --username \(context.wordForName)") }
            if known == .withdrawing { nextCommand = context.command("account restore") }
        case .answerNotUnderstood:
            let phrase = Phrase("The server said something that this version does not understand.", "서버의 응답을 이 버전에서 이해할 수 없습니다.")
            self.init(code: .internal, reason: "DIARY_ANSWER_UNKNOWN", message: phrase.text(in: context.language))
        }
    }

    /// The text of a violation. Too many items of an entry are too many pictures.
    private static func message(of violation: FieldViolation, in language: Language) -> String {
        guard violation.field == DiaryField.images.path, violation.reason == .tooManyItems, let limit = violation.limit else {
            return violation.message(in: language)
        }
        return Phrase("An entry has at most \(limit) pictures.", "일기 하나에 사진은 최대 \(limit)장입니다.").text(in: language)
    }
}
