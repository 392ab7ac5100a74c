import PulseBoardVocabulary
import Testing

/// The help of the built programs. `HelpTests` checks every text.
@Suite("Help, end to end", .serialized, .timeLimit(.minutes(1)))
struct HelpProgramTests {
    /// The variables that choose the language, and whether they choose Korean.
    static let locales: [([String: String], Bool)] = [
        (["LANG": "ko_KR.UTF-8"], true), (["LANG": "en_US.UTF-8", "LC_MESSAGES": "ko_KR.UTF-8"], true),
        (["LANG": "ko_KR.UTF-8", "LC_ALL": "C"], false)
    ]

    @Test("Help and usage errors follow the locale, in both programs", arguments: locales)
    func language(variables: [String: String], isKorean: Bool) async throws {
        try await Household.with { house in
            for program in [Programs.commandLine, Programs.server] {
                let help = try await house.run(program, ["--help"], variables)
                #expect(help.exit == .success && help.errors.isEmpty)
                #expect(help.output.hasPrefix(isKorean ? "개요: " : "OVERVIEW: "), "\(help)")
                #expect(help.output.contains(isKorean ? "\n옵션:\n" : "\nOPTIONS:\n"), "\(help)")
                let wrong = try await house.run(program, ["--nonsense"], variables)
                #expect(wrong.exit == .status(64) && wrong.output.isEmpty)
                #expect(
                    wrong.errors.hasPrefix(isKorean ? "오류: 알 수 없는 옵션입니다: '--nonsense'\n사용법: " : "Error: Unknown option '--nonsense'\nUsage: "),
                    "\(wrong)")
                let version = try await house.run(program, ["--version"], variables)
                #expect(version.exit == .success && version.output.contains(pulseBoardVersion))
            }
            let grace = try await house.run(Programs.server, ["--grace-period", "long"], variables)
            #expect(grace.exit == .status(64))
            #expect(grace.errors.contains(isKorean ? "유예 시간은 0초에서 86400초 사이여야 합니다." : "The grace period is 0 to 86400 seconds"), "\(grace)")
        }
    }

    @Test("an answer of the server's program that cannot be written is a failure", arguments: ["--help", "--version", "--check-config"])
    func fullDisk(_ option: String) async throws {
        try await Household.with { house in
            let run = try await house.run("/bin/sh", ["-c", "exec \"$0\" \"$1\" > /dev/full", Programs.server, option])
            #expect(run.exit == .status(1) && run.errors.contains("No space left"), "\(run)")
        }
    }

    @Test("what is printed to a closed standard output goes into none of the program's own files")
    func closedOutput() async throws {
        try await Household.withServer { house, _ in
            // A ping opens a socket and an event loop before it prints.
            let run = try await house.run(
                "/bin/sh", ["-c", "exec \"$0\" ping --count 1 >&-", Programs.commandLine], ["PULSEBOARD_SOCKET": house.socket])
            #expect(run.exit == .status(79) && run.errors.contains("Bad file descriptor"), "\(run)")
        }
    }
}
