import ArgumentParser
import Foundation
import PulseBoardDiary
import PulseBoardDomain
import RPCCore

/// `pulseboard diary list`
struct DiaryList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List entries, the newest first. A * marks what the server does not have yet.",
        discussion: "Example: pulseboard diary list --month 2026-11 --emotion calm")

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions
    @OptionGroup var list: ListOptions

    @Option(help: ArgumentHelp("Only one month of your zone, as 2026-11.", valueName: "month"))
    var month: String?

    @Option(help: ArgumentHelp("Only one day of your zone, as 2026-11-21.", valueName: "day"))
    var day: String?

    @Option(help: "Only entries with this emotion.")
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
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "List the entries whose text has some words in it, the newest first.",
        discussion: "Latin letters match in either case. Example: pulseboard diary search rain")

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions
    @OptionGroup var list: ListOptions

    @Argument(help: "What the text has in it, at most 100 characters.")
    var text: String

    func run() async throws {
        try await options.run(diary) { diary in try await diary.showList(DiaryFilter(text: text), list) }
    }
}

/// `pulseboard diary show`
struct DiaryShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an entry, and save its pictures.",
        discussion: """
            Examples:
              pulseboard diary show 3f2a
              pulseboard diary show 3f2a --save-images pictures
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions

    @Option(help: ArgumentHelp("Save the entry's pictures as files in this directory.", valueName: "directory"), completion: .directory)
    var saveImages: String?

    @Argument(help: "The entry.")
    var id: String

    func run() async throws {
        try await options.run(diary) { diary in
            let id = try await diary.entryID(id)
            let entry = try await diary.translating { () throws(DiaryError) in try await diary.diary.entry(id) }
            if let saveImages { try await diary.saveImages(of: entry, in: saveImages) }
            try await diary.show(entry)
        }
    }
}

/// `pulseboard diary month`
struct DiaryMonthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "month",
        abstract: "Show a month with what you felt on each day.",
        discussion: "A number counts the entries of a day. Example: pulseboard diary month 2026-11")

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions

    @Argument(help: "The month, as 2026-11. Without it, the present one.")
    var month: String?

    func run() async throws {
        try await options.run(diary) { diary in try await diary.showMonth(month) }
    }
}

/// `pulseboard diary conflicts`
struct DiaryConflicts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract: "Show edits that lost against another device's, with their numbers for `settle`.",
        discussion: "Example: pulseboard diary conflicts")

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions

    func run() async throws {
        try await options.run(diary) { diary in try await diary.showConflicts() }
    }
}

/// `pulseboard diary settle`
struct DiarySettle: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settle",
        abstract: "Take back an edit that lost, or forget it.",
        discussion: """
            Of a deleted entry it can only be forgotten.

            Examples:
              pulseboard diary settle 3f2a 1 --take
              pulseboard diary settle 3f2a 1 --forget
            """)

    enum Choice: String, EnumerableFlag {
        case take, forget

        static func help(for value: Choice) -> ArgumentHelp? {
            value == .take ? "Put it in the place of the present value." : "Forget it."
        }
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions
    @OptionGroup var writing: DiaryWritingOptions

    @Argument(help: "The entry.")
    var id: String

    @Argument(help: "Which of its edits, as `conflicts` numbers them.")
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
                    message: diary.invocation.text("The entry has no such conflict.", "그런 충돌이 없습니다."), nextCommand: "pulseboard diary conflicts")
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
    static let configuration = CommandConfiguration(
        commandName: "rejected",
        abstract: "Show edits that the server refused for good. Their texts are on this device only.",
        discussion: "Example: pulseboard diary rejected")

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions

    func run() async throws {
        try await options.run(diary) { diary in try await diary.showRejected() }
    }
}

/// `pulseboard diary export`
struct DiaryExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write all entries and conflicts to standard output, one JSON document a line, and their pictures as files.",
        discussion: """
            The `path` of a picture is where it is below the directory of --images.

            Examples:
              pulseboard diary export > diary.jsonl
              pulseboard diary export --images copy > copy.jsonl
            """)

    @OptionGroup var options: GlobalOptions
    @OptionGroup var diary: DiaryOptions

    @Option(help: ArgumentHelp("Write every picture as a file below this directory.", valueName: "directory"), completion: .directory)
    var images: String?

    func run() async throws {
        try await options.run(diary) { diary in try await diary.export(imagesIn: images) }
    }
}
