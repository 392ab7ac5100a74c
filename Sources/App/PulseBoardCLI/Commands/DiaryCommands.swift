import ArgumentParser
import Foundation
import PulseBoardDiary
import PulseBoardDomain
import RPCCore

/// `pulseboard diary …`
struct DiaryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diary",
        abstract: "Write a diary that works without a server and is the same on all your devices.",
        discussion: """
            Everything is written to this device first. `sync` makes this device and the server the same; after a write it is tried for a moment.
            An ID is the beginning of an entry's id, as `list` shows it.

            Examples:
              pulseboard diary write --emotion calm --image sea.jpg "It rained."
              pulseboard diary list --month 2026-11
              pulseboard diary sync
            """,
        subcommands: [
            DiaryWrite.self, DiaryList.self, DiaryMonthCommand.self, DiaryShow.self, DiaryEdit.self, DiaryDelete.self, DiarySearch.self, DiarySyncCommand.self,
            DiaryStatusCommand.self, DiaryConflicts.self, DiarySettle.self, DiaryRejected.self, DiaryExport.self,
        ])
}

/// The options of commands that write.
struct DiaryWritingOptions: ParsableArguments {
    @Flag(help: "Do not try to reach the server.")
    var offline = false
}

/// `pulseboard diary write`
struct DiaryWrite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "write",
        abstract: "Write an entry.",
        discussion: """
            Without TEXT the editor of VISUAL or EDITOR opens. Without an editor or a terminal, and with -, the text is read from standard input to its end.
            A picture is a JPEG, PNG or WebP of at most 5 MiB. It is kept exactly as it is.

            Examples:
              pulseboard diary write --emotion happy "We saw the sea."
              pulseboard diary write --image sea.jpg --image gull.png "We saw the sea."
            """,
        aliases: ["add"])

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions
    @OptionGroup var writing: DiaryWritingOptions

    @Option(help: "What you felt: small letters and underscores, such as calm or very_tired.")
    var emotion = ""

    @Option(help: ArgumentHelp("What the entry is about: 2026-11-21 or 2026-11-21T19:49, in your zone. Without it, now.", valueName: "time"))
    var date: String?

    @Option(name: .customLong("image"), help: ArgumentHelp("A picture of the entry; may be given up to four times.", valueName: "file"))
    var images: [String] = []

    @Argument(help: "The text.")
    var text: String?

    func run() async throws {
        try await options.run(diary) { diary in
            let time = try date.map { try diary.instant($0) } ?? SystemWallClock().now()
            let pictures = try await diary.addImages(images)
            let id = DiaryEntryID.random(using: SystemRandomSource())
            let entry = try await diary.editing(text, instead: "") { text throws(CommandFailure) in
                let content = DiaryContent(stored: time, emotion: emotion, text: text, images: pictures)
                return try await diary.translating { () throws(DiaryError) in try await diary.diary.save(content, as: id) }
            }
            if !writing.offline { await diary.attemptToSynchronize() }
            try await diary.show(entry)
        }
    }
}

/// `pulseboard diary edit`
struct DiaryEdit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change an entry.",
        discussion: """
            Without options the editor of VISUAL or EDITOR opens with the text. With - as the text, it is read from standard input to its end.

            Examples:
              pulseboard diary edit 3f2a
              pulseboard diary edit 3f2a --text "It rained all day."
              pulseboard diary edit 3f2a --image rain.jpg --remove-image 1
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions
    @OptionGroup var writing: DiaryWritingOptions

    @Argument(help: "The entry.")
    var id: String

    @Option(help: "The new text.")
    var text: String?

    @Option(help: "The new emotion; empty for none.")
    var emotion: String?

    @Option(help: ArgumentHelp("The new time: 2026-11-21 or 2026-11-21T19:49, in your zone.", valueName: "time"))
    var date: String?

    @Option(name: .customLong("image"), help: ArgumentHelp("A further picture of the entry; may be given several times.", valueName: "file"))
    var images: [String] = []

    @Option(
        name: .customLong("remove-image"),
        help: ArgumentHelp("Take a picture out of the entry, by its number in `show`; may be given several times.", valueName: "number"))
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
            let id = try await diary.entryID(id)
            let time = try date.map { try diary.instant($0) }
            let entry: DiaryEntry
            if hasOptions {
                let pictures = try await diary.pictures(of: id, adding: images, removing: removedImages)
                entry = try await diary.change(id, time, emotion, text.map { diary.text($0) }, pictures)
            } else {
                let present = try await diary.translating { () throws(DiaryError) in try await diary.diary.entry(id) }
                entry = try await diary.editing(nil, instead: present.content.text) { text throws(CommandFailure) in
                    try await diary.change(id, nil, nil, text, nil)
                }
            }
            if !writing.offline { await diary.attemptToSynchronize() }
            try await diary.show(entry)
        }
    }
}

/// `pulseboard diary delete`
struct DiaryDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete an entry, on all devices.",
        discussion: "Example: pulseboard diary delete 3f2a")

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions
    @OptionGroup var writing: DiaryWritingOptions

    @Argument(help: "The entry.")
    var id: String

    func run() async throws {
        try await options.run(diary) { diary in
            let id = try await diary.entryID(id)
            try await diary.translating { () throws(DiaryError) in try await diary.diary.delete(id) }
            if !writing.offline { await diary.attemptToSynchronize() }
            try diary.invocation.show(document: ["deleted": id.description]) {
                diary.invocation.text("Deleted.", "삭제했습니다.") + "\n"
            }
            try await diary.remarkPending()
        }
    }
}

/// `pulseboard diary sync`
struct DiarySyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Make this device and the server the same.",
        discussion: """
            The first time, the directory becomes the signed-in account's, and everything in it is uploaded. With --watch it goes on with every change \
            until Ctrl-C.

            Example: pulseboard diary sync
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions

    @Flag(help: "Go on with every change on the server, until Ctrl-C.")
    var watch = false

    func run() async throws {
        try await options.run(diary) { diary in
            if watch { diary.invocation.environment.endOnInterrupt() }
            do {
                try await diary.synchronize(following: watch)
            } catch {
                // What was written is safe, and its author wants to know how much of it is here alone.
                try? await diary.remarkPending()
                throw error
            }
            try await diary.showStatus()
        }
    }
}

/// `pulseboard diary status`
struct DiaryStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show how many entries there are, and what waits for the server. No server is asked.",
        discussion: "Example: pulseboard diary status")

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions

    func run() async throws {
        try await options.run(diary) { diary in try await diary.showStatus() }
    }
}
