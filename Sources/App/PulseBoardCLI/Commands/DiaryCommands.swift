import ArgumentParser
import CommandHelp
import Foundation
import PulseBoardDiary
import PulseBoardDomain
import PulseBoardVocabulary
import RPCCore

/// `pulseboard diary …`
struct DiaryCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "diary",
            abstract: Phrase("Write a diary that works without a server and is the same on all your devices.", "서버 없이도 쓸 수 있고 모든 기기에서 똑같은 일기를 씁니다."),
            discussion: Phrase(
                """
                Everything is written to this device first. `sync` makes this device and the server the same; after a write it is tried for a moment.
                An ID is the beginning of an entry's id, as `list` shows it. A directory has one account's diary; --account only chooses the account \
                to synchronize with, and another account's diary cannot be changed.

                Examples:
                  pulseboard diary write --emotion calm --image sea.jpg "It rained."
                  pulseboard diary list --month 2026-11
                  pulseboard diary sync
                """,
                """
                모든 것은 먼저 이 기기에 쓰입니다. `sync`는 이 기기와 서버를 똑같이 맞추며, 쓴 뒤에도 잠깐 시도합니다.
                ID는 `list`에 보이는 일기 ID의 앞부분입니다. 디렉터리 하나에는 한 계정의 일기장만 있습니다. --account는 동기화할 계정만 고르며, \
                다른 계정의 일기장은 바꿀 수 없습니다.

                예:
                  pulseboard diary write --emotion calm --image sea.jpg "비가 왔다."
                  pulseboard diary list --month 2026-11
                  pulseboard diary sync
                """),
            subcommands: [
                DiaryWrite.self, DiaryList.self, DiaryMonthCommand.self, DiaryShow.self, DiaryEdit.self, DiaryDelete.self, DiarySearch.self,
                DiarySyncCommand.self, DiaryStatusCommand.self, DiaryConflicts.self, DiarySettle.self, DiaryRejected.self, DiaryDevices.self,
                DiaryExport.self,
            ])
    }
}

/// The options of commands that write.
struct DiaryWritingOptions: ParsableArguments {
    @Flag(help: ArgumentHelp(Phrase("Do not try to reach the server.", "서버에 연결하지 않습니다.")))
    var offline = false
}

/// `pulseboard diary write`
struct DiaryWrite: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "write",
            abstract: Phrase("Write an entry.", "일기를 씁니다."),
            discussion: Phrase(
                """
                Without TEXT the editor of VISUAL or EDITOR opens. Without an editor or a terminal, and with -, the text is read from standard input \
                to its end.
                A picture is a JPEG, PNG or WebP of at most 5 MiB. It is kept exactly as it is.

                Examples:
                  pulseboard diary write --emotion happy "We saw the sea."
                  pulseboard diary write --image sea.jpg --image gull.png "We saw the sea."
                """,
                """
                글이 없으면 VISUAL이나 EDITOR의 편집기가 열립니다. 편집기나 터미널이 없거나 글이 -이면 표준 입력을 끝까지 읽습니다.
                사진은 JPEG, PNG, WebP이며 최대 5 MiB입니다. 있는 그대로 보관됩니다.

                예:
                  pulseboard diary write --emotion happy "바다를 보았다."
                  pulseboard diary write --image sea.jpg --image gull.png "바다를 보았다."
                """),
            aliases: ["add"])
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions
    @OptionGroup var writing: DiaryWritingOptions

    @Option(help: ArgumentHelp(Phrase(
        "What you felt: small letters and underscores, such as calm or very_tired.",
        "느낀 감정. 영어 소문자와 밑줄로 적습니다. 예: calm, very_tired.")))
    var emotion = ""

    @Option(help: ArgumentHelp(Phrase(
        "What the entry is about: 2026-11-21 or 2026-11-21T19:49, in your zone. Without it, now.",
        "일기의 날짜. 2026-11-21 또는 2026-11-21T19:49처럼 내 시간대로 적습니다. 생략하면 지금입니다."), valueName: "time"))
    var date: String?

    @Option(name: .customLong("image"), help: ArgumentHelp(Phrase(
        "A picture of the entry; may be given up to four times.",
        "일기의 사진. 최대 네 번 쓸 수 있습니다."), valueName: "file"))
    var images: [String] = []

    @Argument(help: ArgumentHelp(Phrase("The text.", "글.")))
    var text: String?

    func run() async throws {
        try await options.run(diary) { diary in
            try await diary.requireOwnDirectory()
            let time = try date.map { try diary.instant($0) } ?? SystemWallClock().now()
            let pictures = try await diary.addImages(images)
            // What the options say is checked before somebody writes a text for it.
            try await diary.translating { () throws(DiaryError) in
                do throws(PulseBoardDomain.ValidationError) {
                    _ = try DiaryContent(entryTime: time, emotion: emotion, text: "", images: pictures)
                } catch { throw .invalid(error) }
            }
            let id = DiaryEntryID.random(using: SystemRandomSource())
            let entry = try await diary.editing(text, instead: "") { text throws(CommandFailure) in
                let content = DiaryContent(stored: time, emotion: emotion, text: text, images: pictures)
                return try await diary.translating { () throws(DiaryError) in try await diary.diary.save(content, as: id) }
            }
            if !writing.offline { try await diary.attemptToSynchronize(entry.id) }
            try await diary.show(entry)
        }
    }
}

/// `pulseboard diary edit`
struct DiaryEdit: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "edit",
            abstract: Phrase("Change an entry.", "일기를 고칩니다."),
            discussion: Phrase(
                """
                Without options the editor of VISUAL or EDITOR opens with the text. With - as the text, it is read from standard input to its end.

                Examples:
                  pulseboard diary edit 3f2a
                  pulseboard diary edit 3f2a --text "It rained all day."
                  pulseboard diary edit 3f2a --image rain.jpg --remove-image 1
                """,
                """
                옵션이 없으면 VISUAL이나 EDITOR의 편집기가 글과 함께 열립니다. 글이 -이면 표준 입력을 끝까지 읽습니다.

                예:
                  pulseboard diary edit 3f2a
                  pulseboard diary edit 3f2a --text "종일 비가 왔다."
                  pulseboard diary edit 3f2a --image rain.jpg --remove-image 1
                """))
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions
    @OptionGroup var writing: DiaryWritingOptions

    @Argument(help: ArgumentHelp(Phrase("The entry.", "일기.")))
    var id: String

    @Option(help: ArgumentHelp(Phrase("The new text.", "새 글.")))
    var text: String?

    @Option(help: ArgumentHelp(Phrase("The new emotion; empty for none.", "새 감정. 비우면 없어집니다.")))
    var emotion: String?

    @Option(help: ArgumentHelp(Phrase(
        "The new time: 2026-11-21 or 2026-11-21T19:49, in your zone.",
        "새 날짜. 2026-11-21 또는 2026-11-21T19:49처럼 내 시간대로 적습니다."), valueName: "time"))
    var date: String?

    @Option(name: .customLong("image"), help: ArgumentHelp(Phrase(
        "A further picture of the entry; may be given several times.",
        "일기에 더할 사진. 여러 번 쓸 수 있습니다."), valueName: "file"))
    var images: [String] = []

    @Option(
        name: .customLong("remove-image"),
        help: ArgumentHelp(Phrase(
            "Take a picture out of the entry, by its number in `show`; may be given several times.",
            "일기에서 사진을 뺍니다. `show`에 보이는 번호로 적으며, 여러 번 쓸 수 있습니다."), valueName: "number"))
    var removedImages: [Int] = []

    private var hasOptions: Bool { text != nil || emotion != nil || date != nil || !images.isEmpty || !removedImages.isEmpty }

    func run() async throws {
        try await options.run(diary) { diary in
            guard hasOptions || diary.hasEditor else {
                throw CommandFailure(
                    code: .invalidArgument, reason: "NOTHING_TO_CHANGE",
                    message: diary.invocation.text(
                        "Nothing to change: give --text, --emotion, --date, --image or --remove-image, or set EDITOR.",
                        "바꿀 내용이 없습니다. --text, --emotion, --date, --image, --remove-image 중 하나를 주거나 EDITOR를 설정해 주세요."))
            }
            try await diary.requireOwnDirectory()
            let id = try await diary.entryID(id)
            let time = try date.map { try diary.instant($0) }
            let entry: DiaryEntry
            if hasOptions {
                var text = text
                if let given = text { text = try await diary.text(given) }
                if images.isEmpty && removedImages.isEmpty {
                    entry = try await diary.change(id, time, emotion, text)
                } else {
                    let present = try await diary.entry(id)
                    let pictures = try await diary.pictures(of: present, adding: images, removing: removedImages)
                    entry = try await diary.change(id, time, emotion, text, pictures, seen: (present, .images))
                }
            } else {
                let present = try await diary.entry(id)
                entry = try await diary.editing(nil, instead: present.content.text) { text throws(CommandFailure) in
                    try await diary.change(id, nil, nil, text, seen: (present, .text))
                }
            }
            if !writing.offline { try await diary.attemptToSynchronize(entry.id) }
            try await diary.show(entry)
        }
    }
}

/// `pulseboard diary delete`
struct DiaryDelete: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "delete",
            abstract: Phrase("Delete an entry, on all devices.", "모든 기기에서 일기를 지웁니다."),
            discussion: Phrase(
                """
                On a terminal you are asked. A script is not asked. Deleting a whole id that is not there is no error.

                Example: pulseboard diary delete 3f2a
                """,
                """
                터미널에서는 한 번 묻습니다. 스크립트에서는 묻지 않습니다. 없는 일기라도 ID 전체를 적으면 오류가 아닙니다.

                예: pulseboard diary delete 3f2a
                """))
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions
    @OptionGroup var writing: DiaryWritingOptions

    @Argument(help: ArgumentHelp(Phrase("The entry.", "일기.")))
    var id: String

    @Flag(help: ArgumentHelp(Phrase("Do not ask.", "묻지 않습니다.")))
    var yes = false

    func run() async throws {
        try await options.run(diary) { diary in
            try await diary.requireOwnDirectory()
            let id = try await diary.entryIDToDelete(id)
            if !yes { try await confirm(id, diary) }
            try await diary.translating { () throws(DiaryError) in try await diary.diary.delete(id) }
            if !writing.offline { await diary.attemptToSynchronize() }
            try diary.invocation.show(document: ["deleted": id.description]) {
                diary.invocation.text("Deleted.", "삭제했습니다.") + "\n"
            }
            try await diary.remarkPending()
        }
    }

    /// Asks for confirmation on a terminal. Without one it goes on, because scripts delete entries without `--yes`.
    private func confirm(_ id: DiaryEntryID, _ diary: DiaryInvocation) async throws(CommandFailure) {
        guard diary.invocation.canAsk else { return }
        let entry: DiaryEntry
        do throws(CommandFailure) { entry = try await diary.entry(id) } catch {
            // Nothing is lost with an entry that is not there.
            guard error.reason == Reason.diaryEntryNotFound.rawValue else { throw error }
            return
        }
        let time = diary.short(entry.content.entryTime)
        try await diary.invocation.ask(
            Phrase(
                "This deletes the entry of \(time) on all devices, for good. Type yes to go on: ",
                "\(time) 일기가 모든 기기에서 영구히 삭제됩니다. 계속하려면 yes를 입력하세요: "),
            refusal: Phrase("Not deleted.", "삭제하지 않았습니다.")
        ) { $0.lowercased() == "yes" }
    }
}

/// `pulseboard diary sync`
struct DiarySyncCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "sync",
            abstract: Phrase("Make this device and the server the same.", "이 기기와 서버를 똑같이 맞춥니다."),
            discussion: Phrase(
                """
                The first time, the directory becomes the signed-in account's, and everything in it is uploaded. With --watch it goes on with every \
                change until Ctrl-C.

                Example: pulseboard diary sync
                """,
                """
                처음 실행하면 디렉터리가 로그인한 계정의 것이 되고, 그 안의 모든 것이 올라갑니다. --watch를 쓰면 Ctrl-C를 누를 때까지 \
                바뀔 때마다 계속 맞춥니다.

                예: pulseboard diary sync
                """))
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions

    @Flag(help: ArgumentHelp(Phrase("Go on with every change on the server, until Ctrl-C.", "서버에서 바뀔 때마다 계속 맞춥니다. Ctrl-C를 누르면 끝납니다.")))
    var watch = false

    func run() async throws {
        try await options.run(diary) { diary in
            if watch { diary.invocation.environment.endOnInterrupt() }
            do {
                try await diary.synchronize(following: watch)
            } catch {
                // The edits are safe here. The remark says how many are not on the server yet.
                try? await diary.remarkPending()
                throw error
            }
            try await diary.showStatus()
        }
    }
}

/// `pulseboard diary status`
struct DiaryStatusCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "status",
            abstract: Phrase(
                "Show how many entries there are, and what waits for the server. No server is asked.",
                "일기가 몇 개인지, 서버로 보낼 것이 무엇인지 보여 줍니다. 서버에 묻지 않습니다."),
            discussion: Phrase("Example: pulseboard diary status", "예: pulseboard diary status"))
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions

    func run() async throws {
        try await options.run(diary) { diary in try await diary.showStatus() }
    }
}
