import Foundation
import PulseBoardVocabulary
import RPCCore

extension CommandFailure {
    /// A session file that could not be used, with the command that mends it.
    init(_ error: SessionStoreError, in context: FailureContext) {
        let path = error.path
        let phrase: Phrase
        var next: String?
        switch error.problem {
        case .openToOthers(let mode):
            let bits = "0" + String(mode, radix: 8)
            phrase = Phrase(
                "Others may read \(path) (mode \(bits)): its session may be known to them. Sign in again after removing it.",
                "다른 사용자가 \(path)에 접근할 수 있습니다(모드 \(bits)). 세션이 노출되었을 수 있으니 삭제한 뒤 다시 로그인해 주세요.")
            next = path.hasSuffix(".json") ? "rm " + path.shellQuoted : "chmod 700 " + path.shellQuoted
        case .foreignOwner(let uid):
            phrase = Phrase(
                "\(path) belongs to another user (uid \(uid)), so its session is not used.",
                "\(path)의 소유자가 다른 사용자(uid \(uid))이므로 세션을 사용하지 않습니다.")
        case .notAFile:
            phrase = Phrase(
                "\(path) is a link or no file, so it is not used.", "\(path)은(는) 링크이거나 파일이 아니므로 사용하지 않습니다.")
        case .damaged:
            phrase = Phrase("\(path) is damaged.", "\(path)이(가) 손상되었습니다.")
            next = "rm " + path.shellQuoted
        case .system(let number):
            let cause = String(cString: strerror(number))
            phrase = Phrase("\(path) cannot be used: \(cause).", "\(path)을(를) 사용할 수 없습니다: \(cause).")
        }
        self.init(
            code: .failedPrecondition, reason: "SESSION_FILE_REFUSED", message: phrase.text(in: context.language),
            nextCommand: next)
    }

    /// A file of comma-separated values that cannot be loaded, with file and line.
    init(_ error: CSVError, in context: FailureContext) {
        let phrase =
            switch error.problem {
            case .unclosedQuote: Phrase("a quoted field is never closed", "따옴표로 묶인 필드가 닫히지 않았습니다")
            case .strayQuote: Phrase("a quotation mark stands inside a field", "필드 안에 잘못된 따옴표가 있습니다")
            case .notUTF8: Phrase("the text is not UTF-8", "UTF-8 텍스트가 아닙니다")
            case .missingHeader(let names):
                Phrase(
                    "the first line must name the columns \(names.joined(separator: ", "))",
                    "첫 줄에 \(names.joined(separator: ", ")) 열 이름이 있어야 합니다")
            case .missingField(let name): Phrase("the field \(name) is missing", "\(name) 필드가 없습니다")
            case .emptyField(let name): Phrase("the field \(name) is empty", "\(name) 필드가 비어 있습니다")
            case .repeatedValue(let name, let value, let line):
                Phrase(
                    "\(name) \(value) stands on line \(line) already", "\(name) \(value)이(가) 이미 \(line)번째 줄에 있습니다")
            case .unknownID(let name, let value):
                Phrase("\(name) \(value) is not in the users file", "\(name) \(value)이(가) 사용자 파일에 없습니다")
            }
        self.init(
            code: .invalidArgument, reason: "CSV_INVALID",
            message: "\(error.file):\(error.line): \(phrase.text(in: context.language))")
    }

    /// A file that could not be read.
    init(unreadableFile path: String, errno number: Int32, in context: FailureContext) {
        let cause = String(cString: strerror(number))
        self.init(
            code: number == ENOENT ? .notFound : .failedPrecondition, reason: "FILE_UNREADABLE",
            message: Phrase("\(path) cannot be read: \(cause).", "\(path)을(를) 읽을 수 없습니다: \(cause).")
                .text(in: context.language))
    }
}
