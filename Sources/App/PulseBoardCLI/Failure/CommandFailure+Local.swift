import Foundation
import PulseBoardVocabulary
import RPCCore
import StoreSQLite

extension CommandFailure {
    /// A session file that could not be used, with the command that repairs it.
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
            let cause = Phrase.systemError(number)
            phrase = Phrase("\(path) cannot be used: \(cause.english).", "\(path)을(를) 사용할 수 없습니다: \(cause.korean).")
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
        let cause = Phrase.systemError(number)
        self.init(
            code: number == ENOENT ? .notFound : .failedPrecondition, reason: "FILE_UNREADABLE",
            message: Phrase("\(path) cannot be read: \(cause.english).", "\(path)을(를) 읽을 수 없습니다: \(cause.korean).")
                .text(in: context.language))
    }
}

extension CommandFailure {
    /// Fields that the answer does not have. They are looked for in the answer, so the command has done its work.
    init(_ error: FieldSelection.Problem, in context: FailureContext) {
        let phrase: Phrase
        switch error {
        case .unknown(let path, let known):
            phrase = Phrase(
                "The answer has no field \(path). Here it has: \(known.joined(separator: ", ")).",
                "결과에 \(path) 필드가 없습니다. 이 위치의 필드: \(known.joined(separator: ", ")).")
        case .notAValue(let path): phrase = Phrase("\(path) is no single value: name a field in it.", "\(path)은(는) 단일 값이 아닙니다. 하위 필드를 지정하세요.")
        case .differentLists:
            phrase = Phrase("These fields are of different lists: ask for one list at a time.", "서로 다른 목록의 필드입니다. 한 목록씩 지정하세요.")
        }
        let done = Phrase(" The command has been carried out.", " 명령은 실행되었습니다.")
        let message = phrase.text(in: context.language) + done.text(in: context.language)
        self.init(code: .invalidArgument, reason: Reason.fieldUnknown.rawValue, message: message)
    }

    /// A word where a command was expected.
    init(_ suggestion: Suggestion, in language: Language) {
        let word = suggestion.word.safeForTerminal
        let meant = suggestion.near.map { "'\($0)'" }.joined(separator: ", ")
        let all = suggestion.all.joined(separator: ", ")
        var message = Phrase(
            "\(suggestion.command) has no command '\(word)'.", "\(suggestion.command)에 '\(word)' 명령이 없습니다.").text(in: language)
        if !meant.isEmpty { message += Phrase(" Did you mean \(meant)?", " 혹시 \(meant)인가요?").text(in: language) }
        message += Phrase(" Its commands: \(all).", " 사용할 수 있는 명령: \(all).").text(in: language)
        self.init(
            code: .invalidArgument, reason: "USAGE", message: message,
            nextCommand: suggestion.near.count == 1 ? "\(suggestion.command) \(suggestion.near[0])" : "\(suggestion.command) --help")
    }

    /// A backup that could not be written or read.
    init(_ error: BackupError, in context: FailureContext) {
        let phrase: Phrase
        var code = StatusCode.dataLoss
        var reason = "BACKUP_DAMAGED"
        switch error {
        case .file(let path, let cause):
            let words = Phrase.systemError(cause.rawValue)
            phrase = Phrase("\(path): \(words.english).", "\(path): \(words.korean).")
            code = cause == .noSuchFileOrDirectory ? .notFound : cause == .fileExists ? .alreadyExists : .failedPrecondition
            reason = "FILE_UNUSABLE"
        case .damaged(let detail):
            phrase = Phrase("This is not a whole backup: \(detail.english).", "온전한 백업이 아닙니다: \(detail.korean).")
        case .wrongStream(let detail):
            phrase = Phrase("The server sent no whole backup: \(detail.english).", "서버가 보낸 백업이 온전하지 않습니다: \(detail.korean).")
            reason = "BACKUP_INCOMPLETE"
        case .newerFormat(let format):
            phrase = Phrase(
                "A later version made this backup (format \(format)). Restore it with that version.",
                "더 새로운 버전의 백업(형식 \(format))입니다. 해당 버전으로 복원하세요.")
            (code, reason) = (.failedPrecondition, "BACKUP_TOO_NEW")
        case .unreadablePictures(let count):
            phrase = Phrase(
                "The backup was written, but it lacks " + Int(count).counted("file of a picture", "files of pictures")
                    + " that the server could not read. The server's log names them.",
                "백업을 저장했지만 서버가 읽지 못한 사진 파일 \(Int(count).grouped)개가 빠졌습니다. 서버 로그에서 확인하세요.")
            reason = "PICTURES_UNREADABLE"
        case .notReplaced(let path, let count):
            phrase = Phrase(
                "The former backup stays, because the new one lacks all pictures (" + Int(count).counted("file", "files")
                    + "). Their disk may be away. The new one is \(path).",
                "새 백업에 사진이 모두(파일 \(Int(count).grouped)개) 빠져 있어 기존 백업을 그대로 두었습니다. 사진 디스크를 확인하세요. 새 백업은 \(path)에 있습니다.")
            reason = "PICTURES_MISSING"
        }
        self.init(code: code, reason: reason, message: phrase.text(in: context.language))
    }

    /// A data directory that could not be opened.
    init(_ error: StoreOpeningError, in context: FailureContext) {
        let phrase: Phrase
        var next: String?
        var reason = "DATA_DIRECTORY_UNUSABLE"
        switch error {
        case .locked(let path, let holder):
            let who = holder.map { " (\($0))" } ?? ""
            phrase = Phrase("A server\(who) uses \(path). Stop it first.", "서버\(who)가 \(path)을(를) 사용 중입니다. 먼저 종료하세요.")
            // It may be another server than the one at the default socket, or another command.
            reason = "SERVER_RUNNING"
            if let holder, !context.socketWasGiven {
                next = "ps -o pid,user,lstart,args -p \(holder)"
            } else {
                next = "pulseboard admin drain --wait" + context.socketOption
            }
        case .occupied(let path):
            phrase = Phrase(
                "There is a database in \(path) already. --overwrite replaces it, and keeps it in a folder of its own.",
                "\(path)에 이미 데이터베이스가 있습니다. --overwrite를 쓰면 기존 파일을 다른 폴더에 보관하고 바꿉니다.")
            reason = "DATA_DIRECTORY_OCCUPIED"
        default:
            let words = error.phrase
            phrase = Phrase(words.english.prefix(1).uppercased() + words.english.dropFirst() + ".", words.korean + ".")
        }
        self.init(code: .failedPrecondition, reason: reason, message: phrase.text(in: context.language), nextCommand: next)
    }
}
