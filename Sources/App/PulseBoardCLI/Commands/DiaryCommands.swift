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
              pulseboard diary write --emotion calm "It rained."
              pulseboard diary list --month 2026-11
              pulseboard diary sync
            """,
        subcommands: [
            DiaryWrite.self, DiaryList.self, DiaryShow.self, DiaryEdit.self, DiaryDelete.self, DiarySearch.self, DiarySyncCommand.self,
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
            Without TEXT, or with -, the text is read from standard input to its end.

            Example: pulseboard diary write --emotion happy "We saw the sea."
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions
    @OptionGroup var writing: DiaryWritingOptions

    @Option(help: "What you felt: small letters and underscores, such as calm or very_tired.")
    var emotion = ""

    @Option(help: ArgumentHelp("What the entry is about: 2026-11-21 or 2026-11-21T19:49, in your zone. Without it, now.", valueName: "time"))
    var date: String?

    @Argument(help: "The text.")
    var text: String?

    func run() async throws {
        try await options.run(diary) { diary in
            let time = try date.map { try diary.instant($0) } ?? SystemWallClock().now()
            let content = DiaryContent(stored: time, emotion: emotion, text: diary.text(text))
            let id = DiaryEntryID.random(using: SystemRandomSource())
            let entry = try await diary.translating { () throws(DiaryError) in try await diary.diary.save(content, as: id) }
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
            With - as the text, it is read from standard input to its end.

            Example: pulseboard diary edit 3f2a --text "It rained all day."
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

    func validate() throws {
        guard text != nil || emotion != nil || date != nil else {
            throw ArgumentParser.ValidationError("Nothing to change: give --text, --emotion or --date.")
        }
    }

    func run() async throws {
        try await options.run(diary) { diary in
            let id = try await diary.entryID(id)
            let time = try date.map { try diary.instant($0) }
            let text = text.map { diary.text($0) }
            let entry = try await diary.translating { () throws(DiaryError) in
                let change: DiaryChange
                do throws(PulseBoardDomain.ValidationError) {
                    change = try DiaryChange(entryTime: time, emotion: emotion, text: text)
                } catch { throw .invalid(error) }
                return try await diary.diary.update(id, change, ifMatches: nil)
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
            try await diary.synchronize(following: watch)
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
