import Foundation
import PulseBoardVocabulary
import StoreSQLite
import SystemPackage
import TestHarness
import Testing

@testable import PulseBoardCLI

/// Causes that are found below the command line come as phrases, so that no English stands in a Korean sentence.
@Suite("Failures in Korean") struct KoreanFailureTests {
    private static let context = FailureContext(language: .korean, socket: "/s")

    private func expectKorean(_ text: String) {
        #expect(text.contains { ("가"..."힣").contains($0) } && !text.hasEnglishSentence, "\(text)")
    }

    @Test("an English sentence is found where one is")
    func sentences() {
        for text in ["it is damaged", "파일: No such file or directory.", "(the file is another program's database)"] {
            #expect(text.hasEnglishSentence)
        }
        for text in ["/a/b c.tar: 권한이 없습니다", "pulseboard.sqlite이(가) 없습니다", "SQLite 오류 11"] { #expect(!text.hasEnglishSentence) }
    }

    @Test("a data directory that cannot be opened", arguments: [
        .directoryUnusable(path: "/d", detail: .systemError(EACCES)), .directoryUnusable(path: "/d", detail: .noDatabase),
        .locked(path: "/d", holder: 7), .locked(path: "/d/pulseboard.sqlite", holder: nil), .newerSchema(path: "/d"),
        .databaseMissing(path: "/d", walBytes: 9), .databaseLost(path: "/d", note: "/n"), .foreignDatabase(path: "/d"),
        .damaged(path: "/d", table: "t", missingUser: "u"),
        .occupied(path: "/d"), .restoreInterrupted(path: "/d"), .failed(path: "/d", detail: .systemError(EROFS)),
    ] as [StoreOpeningError])
    func stores(_ error: StoreOpeningError) {
        expectKorean(error.phrase.korean)
        let message = CommandFailure(error, in: Self.context).message
        expectKorean(message)
        #expect(!message.contains(error.description))
    }

    @Test("a file of a backup or of a session, with the system's cause")
    func files() {
        for cause in [Errno.permissionDenied, .noSuchFileOrDirectory, .fileExists, .noSpace] {
            expectKorean(CommandFailure(BackupError.file("/b.tar", cause), in: Self.context).message)
        }
        expectKorean(CommandFailure(SessionStoreError(path: "/s.json", problem: .system(EACCES)), in: Self.context).message)
    }

    @Test("what is no data directory, no backup and no private diary")
    func commands() async throws {
        let directory = try TemporaryDirectory()
        try Data(repeating: 7, count: 2_000).write(to: URL(filePath: directory.path + "/no-backup.tar"))
        let open = directory.path + "/open"
        try FileManager.default.createDirectory(atPath: open, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        for arguments in [
            ["admin", "check", "--data-directory", directory.path], ["admin", "restore", "--check", directory.path + "/no-backup.tar"],
            ["diary", "list", "--directory", open], ["diary", "list", "--directory", directory.path + "/no-backup.tar"],
        ] {
            let program = try TestProgram(variables: ["LANG": "ko_KR.UTF-8"])
            #expect(try await program.run(arguments: arguments) != 0)
            expectKorean(String(program.standardError.prefix { !$0.isNewline }))
        }
    }
}
