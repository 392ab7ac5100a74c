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
            discussion: Phrase("Example: pulseboard diary list --month 2026-11 --emotion calm", "예: pulseboard diary list --month 2026-11 --emotion calm"))
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

    func run() async throws {
        try await options.run(diary) { diary in
            let times = try month.map { try diary.month($0) } ?? day.map { try diary.day($0) }
            try await diary.showList(DiaryFilter(times: times, emotion: emotion), list)
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
            let entry = try await diary.translating { () throws(DiaryError) in try await diary.diary.entry(id) }
            if let saveImages { try await diary.saveImages(of: entry, in: saveImages) }
            try await diary.show(entry, drawings: await diary.drawings(of: entry, by: image))
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
                "Show edits that lost against another device's, with their numbers for `settle`.",
                "다른 기기의 수정에 밀린 수정을, `settle`에 쓸 번호와 함께 보여 줍니다."),
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
                Of a deleted entry it can only be forgotten.

                Examples:
                  pulseboard diary settle 3f2a 1 --take
                  pulseboard diary settle 3f2a 1 --forget
                """,
                """
                지워진 일기의 수정은 버릴 수만 있습니다.

                예:
                  pulseboard diary settle 3f2a 1 --take
                  pulseboard diary settle 3f2a 1 --forget
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

    @Argument(help: ArgumentHelp(Phrase("Which of its edits, as `conflicts` numbers them.", "몇 번째 수정인지. `conflicts`에 보이는 번호입니다.")))
    var number: Int

    @Flag(exclusivity: .exclusive) var choice: Choice

    func run() async throws {
        try await options.run(diary) { diary in
            let id = try await diary.entryID(id)
            let torn = try await diary.translating { () throws(DiaryError) in try await diary.file.conflicts() }
            let conflicts = torn.first { $0.id == id }?.row.orderedConflicts ?? []
            guard conflicts.indices.contains(number - 1) else {
                throw CommandFailure(
                    code: .notFound, reason: "DIARY_CONFLICT_NOT_FOUND",
                    message: diary.invocation.text("The entry has no such conflict.", "그런 충돌이 없습니다."), nextCommand: diary.invocation.failureContext.command("diary conflicts"))
            }
            try await diary.translating { () throws(DiaryError) in
                try await diary.file.settle(id, conflicts[number - 1].fieldStamp, taking: choice == .take)
            }
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
                "Show edits that the server refused for good. Their texts are on this device only.",
                "서버가 끝내 받아들이지 않은 수정을 보여 줍니다. 그 글은 이 기기에만 있습니다."),
            discussion: Phrase("Example: pulseboard diary rejected", "예: pulseboard diary rejected"))
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions

    func run() async throws {
        try await options.run(diary) { diary in try await diary.showRejected() }
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

    func run() async throws {
        try await options.run(diary) { diary in try await diary.export(imagesIn: images) }
    }
}
