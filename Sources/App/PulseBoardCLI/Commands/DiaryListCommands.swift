import ArgumentParser
import CommandHelp
import Foundation
import PulseBoardDiary
import PulseBoardDomain
import PulseBoardVocabulary
import RPCCore

/// `pulseboard diary list`
struct DiaryList: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list",
            abstract: Phrase("List entries, the newest first. A * marks what the server does not have yet.", "일기를 최근 것부터 나열합니다. *는 아직 서버에 없는 일기입니다."),
            discussion: Phrase(
                "Example: pulseboard diary list --month 2026-11 --emotion calm",
                "예: pulseboard diary list --month 2026-11 --emotion calm"))
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions
    @OptionGroup var list: ListOptions

    @Option(help: ArgumentHelp(Phrase("Only one month of your zone, as 2026-11.", "한 달만. 2026-11처럼 내 시간대로 적습니다."), valueName: "month"))
    var month: String?

    @Option(help: ArgumentHelp(Phrase("Only one day of your zone, as 2026-11-21.", "하루만. 2026-11-21처럼 내 시간대로 적습니다."), valueName: "day"))
    var day: String?

    @Option(help: ArgumentHelp(Phrase("Only entries with this emotion.", "이 감정의 일기만.")))
    var emotion: String?

    func validate() throws {
        if month != nil, day != nil {
            throw ArgumentParser.ValidationError(Phrase("--month and --day cannot be used together.", "--month와 --day는 함께 쓸 수 없습니다."))
        }
    }

    func run() async throws {
        try await options.run(diary) { diary in
            let times = try month.map { try diary.month($0) } ?? day.map { try diary.day($0) }
            try await diary.showList(DiaryFilter(times: times, emotion: emotion), list)
            await diary.remarkAnotherAccount()
        }
    }
}

/// `pulseboard diary search`
struct DiarySearch: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "search",
            abstract: Phrase("List the entries whose text has some words in it, the newest first.", "글에 어떤 말이 들어 있는 일기를 최근 것부터 나열합니다."),
            discussion: Phrase(
                "Latin letters match in either case. Example: pulseboard diary search rain",
                "영문 대소문자는 가리지 않습니다. 예: pulseboard diary search 비"))
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions
    @OptionGroup var list: ListOptions

    @Argument(help: ArgumentHelp(Phrase("What the text has in it, at most 100 characters.", "글에 들어 있는 말. 최대 100자.")))
    var text: String

    func run() async throws {
        try await options.run(diary) { diary in try await diary.showList(DiaryFilter(text: text), list) }
    }
}

/// `pulseboard diary show`
struct DiaryShow: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "show",
            abstract: Phrase("Show an entry, and save its pictures.", "일기를 보고, 사진을 저장합니다."),
            discussion: Phrase(
                """
                Examples:
                  pulseboard diary show 3f2a
                  pulseboard diary show 3f2a --save-images pictures
                """,
                """
                예:
                  pulseboard diary show 3f2a
                  pulseboard diary show 3f2a --save-images pictures
                """))
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions

    @Option(help: ArgumentHelp(Phrase(
        "Save the entry's pictures as files in this directory.",
        "일기의 사진을 이 디렉터리에 파일로 저장합니다."), valueName: "directory"), completion: .directory)
    var saveImages: String?

    @Option(
        help: ArgumentHelp(
            Phrase("How to draw the pictures: kitty, iterm2, sixel or none.", "사진을 그릴 방법: kitty, iterm2, sixel, none."),
            discussion: Phrase(
                "Without it: what the terminal can. Elsewhere the pictures are listed and not drawn.",
                "생략하면 터미널이 할 수 있는 대로 그립니다. 그릴 수 없으면 사진의 목록만 보여 줍니다."),
            valueName: "protocol"))
    var image: TerminalPicture?

    @Argument(help: ArgumentHelp(Phrase("The entry.", "일기.")))
    var id: String

    func run() async throws {
        try await options.run(diary) { diary in
            let id = try await diary.entryID(id)
            let entry = try await diary.entry(id)
            if let saveImages { try await diary.saveImages(of: entry, in: saveImages) }
            try await diary.show(entry, drawings: await diary.drawings(of: entry, by: image))
            await diary.remarkAnotherAccount()
        }
    }
}

/// `pulseboard diary month`
struct DiaryMonthCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "month",
            abstract: Phrase("Show a month with what you felt on each day.", "한 달의 감정을 날마다 보여 줍니다."),
            discussion: Phrase(
                "A number counts the entries of a day. Example: pulseboard diary month 2026-11",
                "숫자는 그날의 일기 수입니다. 예: pulseboard diary month 2026-11"))
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions

    @Argument(help: ArgumentHelp(Phrase("The month, as 2026-11. Without it, the present one.", "달. 2026-11처럼 적습니다. 생략하면 이번 달입니다.")))
    var month: String?

    func run() async throws {
        try await options.run(diary) { diary in try await diary.showMonth(month) }
    }
}

/// `pulseboard diary conflicts`
struct DiaryConflicts: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "conflicts",
            abstract: Phrase(
                "Show edits that lost against another device's, with their names for `settle`.",
                "다른 기기의 수정에 밀린 수정을, `settle`에 쓸 이름과 함께 보여 줍니다."),
            discussion: Phrase("Example: pulseboard diary conflicts", "예: pulseboard diary conflicts"))
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions

    func run() async throws {
        try await options.run(diary) { diary in try await diary.showConflicts() }
    }
}

/// `pulseboard diary settle`
struct DiarySettle: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "settle",
            abstract: Phrase("Take back an edit that lost, or forget it.", "밀린 수정을 되살리거나 버립니다."),
            discussion: Phrase(
                """
                Give one of --take and --forget. Of a deleted entry it goes into a new entry, with the other values that were kept.

                Examples:
                  pulseboard diary settle 3f2a 7c41 --take
                  pulseboard diary settle 3f2a 7c41 --forget
                """,
                """
                --take와 --forget 중 하나를 씁니다. 지워진 일기의 수정은 남아 있는 다른 값과 함께 새 일기가 됩니다.

                예:
                  pulseboard diary settle 3f2a 7c41 --take
                  pulseboard diary settle 3f2a 7c41 --forget
                """))
    }

    enum Choice: String, EnumerableFlag {
        case take, forget

        static func help(for value: Choice) -> ArgumentHelp? {
            ArgumentHelp(value == .take ? Phrase("Put it in the place of the present value.", "지금 값을 이것으로 바꿉니다.") : Phrase("Forget it.", "버립니다."))
        }
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions
    @OptionGroup var writing: DiaryWritingOptions

    @Argument(help: ArgumentHelp(Phrase("The entry.", "일기.")))
    var id: String

    @Argument(help: ArgumentHelp(Phrase("Which of its edits, as `conflicts` names it.", "어느 수정인지. `conflicts`에 보이는 이름입니다.")))
    var edit: String

    @Flag(exclusivity: .exclusive) var choice: Choice

    func run() async throws {
        try await options.run(diary) { diary in
            try await diary.requireOwnDirectory()
            let id = try await diary.entryID(id)
            let conflict = try await diary.conflict(edit, of: id)
            let taken = try await diary.translating { () throws(DiaryError) in
                try await diary.file.settle(id, conflict.fieldStamp, taking: choice == .take)
            }
            if let taken, taken != id { diary.remarkNew(taken) }
            if !writing.offline { await diary.attemptToSynchronize() }
            try await diary.showConflicts()
        }
    }
}

/// `pulseboard diary rejected`
struct DiaryRejected: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "rejected",
            abstract: Phrase(
                "Show edits that the server refused for good, make one again, or forget it. Their texts are on this device only.",
                "서버가 끝내 받아들이지 않은 수정을 보여 주고, 다시 만들거나 버립니다. 그 글은 이 기기에만 있습니다."),
            discussion: Phrase(
                """
                An edit that was refused because of its pictures is made again without them. Their files stay on this device until it is forgotten.

                Examples:
                  pulseboard diary rejected
                  pulseboard diary rejected --restore 12
                  pulseboard diary rejected --forget 12
                """,
                """
                사진 때문에 거부된 수정은 사진 없이 다시 만듭니다. 사진 파일은 버릴 때까지 이 기기에 남습니다.

                예:
                  pulseboard diary rejected
                  pulseboard diary rejected --restore 12
                  pulseboard diary rejected --forget 12
                """))
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions
    @OptionGroup var writing: DiaryWritingOptions

    @Option(help: ArgumentHelp(Phrase("Make the edit with this number again.", "이 번호의 수정을 다시 만듭니다."), valueName: "number"))
    var restore: Int64?

    @Option(help: ArgumentHelp(Phrase("Forget the edit with this number, for good.", "이 번호의 수정을 영구히 버립니다."), valueName: "number"))
    var forget: Int64?

    func validate() throws {
        if restore != nil, forget != nil {
            throw ArgumentParser.ValidationError(Phrase("--restore and --forget cannot be used together.", "--restore와 --forget은 함께 쓸 수 없습니다."))
        }
    }

    func run() async throws {
        try await options.run(diary) { diary in
            if restore != nil || forget != nil { try await diary.requireOwnDirectory() }
            if let restore {
                let id = try await diary.restoreRejected(restore)
                // The server may refuse it again at once.
                if !writing.offline { try await diary.attemptToSynchronize(id) }
                let entry = try await diary.entry(id)
                return try await diary.show(entry)
            }
            if let forget { try await diary.translating { () throws(DiaryError) in try await diary.file.forgetRejected(forget) } }
            try await diary.showRejected()
        }
    }
}

/// `pulseboard diary devices`
struct DiaryDevices: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "devices",
            abstract: Phrase("List the devices of your diary, or remove one that you do not use any more.", "일기를 쓰는 기기를 나열하거나, 더 쓰지 않는 기기를 지웁니다."),
            discussion: Phrase(
                """
                What a device has sent stays. A diary has at most 32 devices. If you use a removed one again, it counts as a new device.

                Examples:
                  pulseboard diary devices
                  pulseboard diary devices --remove 5e1f
                """,
                """
                그 기기가 보낸 것은 남습니다. 기기는 최대 32대입니다. 지운 기기를 다시 쓰면 새 기기로 등록됩니다.

                예:
                  pulseboard diary devices
                  pulseboard diary devices --remove 5e1f
                """))
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions

    @Option(help: ArgumentHelp(Phrase("Remove the device whose id begins with this.", "ID가 이것으로 시작하는 기기를 지웁니다."), valueName: "id"))
    var remove: String?

    func run() async throws {
        try await options.run(diary) { diary in
            if let remove { try await diary.removeDevice(remove) } else { try await diary.showDevices() }
        }
    }
}

/// `pulseboard diary export`
struct DiaryExport: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "export",
            abstract: Phrase(
                "Write all entries and conflicts to standard output, one JSON document a line, and their pictures as files.",
                "모든 일기와 충돌을 표준 출력에 한 줄에 JSON 하나씩, 사진은 파일로 씁니다."),
            discussion: Phrase(
                """
                The `path` of a picture is where it is below the directory of --images.

                Examples:
                  pulseboard diary export > diary.jsonl
                  pulseboard diary export --images copy > copy.jsonl
                """,
                """
                사진의 `path`는 --images 디렉터리 아래의 위치입니다.

                예:
                  pulseboard diary export > diary.jsonl
                  pulseboard diary export --images copy > copy.jsonl
                """))
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions

    @Option(help: ArgumentHelp(Phrase(
        "Write every picture as a file below this directory.",
        "모든 사진을 이 디렉터리 아래에 파일로 씁니다."), valueName: "directory"), completion: .directory)
    var images: String?

    func validate() throws {
        if !options.answer.fields.isEmpty { throw ArgumentParser.ValidationError(Phrase.exportHasNoFields) }
    }

    func run() async throws {
        try await options.run(diary) { diary in try await diary.export(imagesIn: images) }
    }
}
