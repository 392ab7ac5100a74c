import Foundation
import ProfileImages
import PulseBoardMessages
import RPCCore
import SocketTransport
import Synchronization
import Testing

@testable import PulseBoardCLI

@Suite struct DiaryCommandTests {
    /// The first entry of a list, as JSON.
    private func listed(_ program: TestProgram) throws -> [[String: Any]] {
        let document = try JSONSerialization.jsonObject(with: Data(program.standardOutput.utf8)) as? [String: Any]
        return try #require(document?["entries"] as? [[String: Any]])
    }

    @Test("B36: without a server and without an account an entry is written, listed, found, changed and deleted")
    func local() async throws {
        let home = try TestProgram()
        let directory = home.home.path + "/diary"
        func run(_ arguments: String...) async throws -> TestProgram {
            let program = try TestProgram()
            #expect(try await program.run(arguments: ["diary"] + arguments + ["--directory", directory]) == 0, "\(program.standardError)")
            #expect(program.channel.calls.isEmpty)
            return program
        }
        let written = try await run("write", "비가 왔다.", "--emotion", "calm", "--date", "2026-11-21T19:49")
        #expect(written.standardOutput.contains("2026-11-21 19:49"))
        #expect(written.standardError.isEmpty)
        _ = try await run("write", "Rain again", "--date", "2026-12-01")
        let month = try listed(try await run("list", "--month", "2026-11", "--json"))
        #expect(month.map { $0["text"] as? String } == ["비가 왔다."])
        #expect(month.first?["entryTime"] as? String == "2026-11-21T10:49:00Z")
        let id = try #require(month.first?["id"] as? String)
        #expect(try listed(try await run("search", "rain", "--json")).count == 1)
        _ = try await run("edit", String(id.prefix(8)), "--text", "개었다.\n끝")
        #expect(try await run("show", id).standardOutput.hasSuffix("개었다.\n끝\n"))
        #expect(try await run("list").standardOutput.contains("개었다.…"))
        #expect(try await run("export").standardOutput.split(separator: "\n").count == 2)
        _ = try await run("delete", id)
        #expect(try listed(try await run("list", "--json")).count == 1)
        #expect(try await run("status").standardOutput == "entries 1 · on this device only\n")
        #expect(try await run("rejected").standardOutput == "Nothing was rejected.\n")
        #expect(try await run("conflicts").standardOutput == "No conflicts.\n")
    }

    @Test("on a terminal a deletion is asked for, and --yes or a script is not asked", arguments: [
        (["yes"], [], 0), (["YES"], [], 0), (["y"], [], 65), ([], [], 65), ([], ["--yes"], 0), (nil, [], 0),
    ] as [([String]?, [String], Int32)])
    func confirmation(_ typed: [String]?, _ options: [String], _ exit: Int32) async throws {
        let writer = try TestProgram(), program = try TestProgram(typed: typed), reader = try TestProgram()
        let directory = writer.home.path + "/diary"
        #expect(try await writer.run("diary", "write", "rain", "--date", "2026-11-21T19:49", "--directory", directory) == 0)
        #expect(try await reader.run("diary", "list", "--json", "--directory", directory) == 0)
        let id = try #require(try listed(reader).first?["id"] as? String)
        #expect(try await program.run(arguments: ["diary", "delete", id, "--directory", directory] + options) == exit, "\(program.standardError)")
        #expect(program.standardError.contains("This deletes the entry of 2026-11-21 19:49") == (typed != nil && options.isEmpty))
        let after = try TestProgram()
        #expect(try await after.run("diary", "list", "--json", "--directory", directory) == 0)
        #expect(try listed(after).isEmpty == (exit == 0))
    }

    @Test("B35: deleting a whole id that is not there succeeds, and a beginning of one is an error")
    func deletingUnknown() async throws {
        let script = try TestProgram(), terminal = try TestProgram(typed: [])
        for (program, id) in [(script, Self.minji), (terminal, Self.minji.uppercased())] {
            #expect(try await program.run("diary", "delete", id) == 0, "\(program.standardError)")
            #expect(program.standardOutput == "Deleted.\n")
            #expect(program.standardError.isEmpty)
            #expect(try await program.run("diary", "delete", String(id.prefix(8))) == 69)
        }
    }

    @Test("a list says how many pictures an entry without a text has, and too many pictures are called so")
    func onlyPictures() async throws {
        let program = try TestProgram()
        let files = (1...5).map { program.home.path + "/\($0).png" }
        for (number, file) in files.enumerated() {
            try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, UInt8(number)]).write(to: URL(filePath: file))
        }
        let directory = program.home.path + "/diary"
        #expect(try await program.run("diary", "write", "", "--image", files[0], "--directory", directory) == 0)
        #expect(try await program.run("diary", "list", "--directory", directory) == 0)
        #expect(program.standardOutput.contains(" (1 picture) "), "\(program.standardOutput)")
        let korean = try TestProgram(variables: ["LANG": "ko_KR.UTF-8"])
        #expect(try await korean.run("diary", "list", "--directory", directory) == 0)
        #expect(korean.standardOutput.contains(" (사진 1장) "), "\(korean.standardOutput)")
        let images = files.flatMap { ["--image", $0] }
        #expect(try await program.run(arguments: ["diary", "write", "x", "--directory", directory] + images) == 67)
        #expect(program.standardError.contains("Error: An entry has at most 4 pictures."), "\(program.standardError)")
    }

    @Test("the next command is about the same directory")
    func nextCommand() async throws {
        let program = try TestProgram()
        let directory = program.home.path + "/my phone"
        #expect(try await program.run("diary", "show", "3f2a", "--directory", directory) == 69)
        #expect(program.standardError.hasSuffix("Next: pulseboard diary list --directory '\(directory)'\n"), "\(program.standardError)")
    }

    @Test(
        "a list shows the beginning of a text, up to the first character that does not fit",
        arguments: [
            (String(repeating: "가", count: 19) + "나b", String(repeating: "가", count: 19) + "…"),
            (String(repeating: "나", count: 9_999), String(repeating: "나", count: 19) + "…"),
            (String(repeating: "a", count: 40), String(repeating: "a", count: 40)),
            (String(repeating: "a", count: 40) + "\nb", String(repeating: "a", count: 39) + "…"), ("one\ntwo", "one…"),
        ])
    func preview(_ text: String, _ shown: String) async throws {
        let writer = try TestProgram(), reader = try TestProgram()
        let directory = writer.home.path + "/diary"
        #expect(try await writer.run("diary", "write", text, "--directory", directory) == 0)
        #expect(try await reader.run("diary", "list", "--directory", directory) == 0)
        #expect(reader.standardOutput.contains(" \(shown) "), "\(reader.standardOutput)")
    }

    @Test("an entry is read from standard input, and texts are in the user's language")
    func typed() async throws {
        let program = try TestProgram(typed: ["첫 줄", "둘째 줄"], variables: ["LANG": "ko_KR.UTF-8"])
        #expect(try await program.run("diary", "write") == 0)
        #expect(program.standardOutput.hasSuffix("첫 줄\n둘째 줄\n"))
        #expect(try await program.run("diary", "status") == 0)
        #expect(program.standardOutput.hasSuffix("일기 1개 · 이 기기에만 있음\n"))
        #expect(try await program.run("diary", "show", "ffffffff") == 69)
        #expect(program.standardError.contains("일기가 없습니다."))
    }

    @Test("input that cannot be read, or is empty, is no entry; an empty text that is given is one")
    func unreadableInput() async throws {
        let broken = try TestProgram(typed: ["half of it"], inputProblem: "Is a directory")
        #expect(try await broken.run("diary", "write") == 67)
        #expect(broken.standardError.contains("Standard input cannot be read: Is a directory."))
        #expect(try await broken.run("diary", "list", "--json") == 0)
        #expect(try listed(broken).isEmpty)
        let empty = try TestProgram()
        #expect(try await empty.run("diary", "write", "--json") == 67)
        #expect(empty.standardError.contains("TEXT_EMPTY"))
        #expect(try await empty.run("diary", "write", "") == 0)
    }

    @Test("what makes no sense is refused: a time, an emotion, an id, nothing to change")
    func refused() async throws {
        let program = try TestProgram()
        #expect(try await program.run("diary", "write", "x", "--date", "2026-02-30") == 67)
        #expect(try await program.run("diary", "list", "--month", "2026") == 67)
        #expect(try await program.run("diary", "write", "x", "--emotion", "Very Sad") == 67)
        #expect(program.standardError.contains("An emotion is at most 32 letters"))
        #expect(try await program.run("diary", "edit", "abc") == 67)
        #expect(program.standardError.contains("Nothing to change"))
        #expect(try await program.run("diary", "show", "%") == 69)
        #expect(try await program.run("diary", "list") == 0)
        #expect(program.standardOutput.split(separator: "\n").count == 1)
    }

    @Test("a directory that others may read is refused")
    func openDirectory() async throws {
        let program = try TestProgram()
        let directory = program.home.path + "/open"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        #expect(try await program.run("diary", "write", "x", "--directory", directory) == 73)
        #expect(program.standardError.contains("chmod 700"))
    }

    @Test("synchronising needs somebody who is signed in")
    func signedOut() async throws {
        let program = try TestProgram()
        #expect(try await program.run("diary", "sync") == 80)
        #expect(program.standardError.contains("pulseboard auth login"))
    }

    @Test("an entry is written and changed in the editor; a draft that cannot be saved is kept, and one that is saved is not")
    func editor() async throws {
        let home = try TestProgram()
        let directory = home.home.path + "/diary"
        func run(_ typed: String?, _ arguments: String...) async throws -> (Int32, TestProgram) {
            let edit: @Sendable (String, String) -> Bool = { path, command in
                #expect(command == "ed -s")
                guard let typed else { return false }
                let present = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
                return FileManager.default.createFile(atPath: path, contents: Data((present + typed).utf8))
            }
            let program = try TestProgram(typed: [], variables: ["EDITOR": "ed -s"], edit: edit)
            return (try await program.run(arguments: ["diary"] + arguments + ["--directory", directory]), program)
        }
        func drafts() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasPrefix("draft") }
        }
        let (written, program) = try await run("첫 줄\n둘째 줄\n", "add")
        #expect(written == 0, "\(program.standardError)")
        #expect(program.standardOutput.hasSuffix("첫 줄\n둘째 줄\n"))
        let listing = try TestProgram()
        _ = try await listing.run("diary", "list", "--json", "--directory", directory)
        let id = try #require(try listed(listing).first?["id"] as? String)
        #expect(try await run("셋째 줄", "edit", id).1.standardOutput.hasSuffix("둘째 줄\n셋째 줄\n"))
        #expect(try drafts().isEmpty)
        for (typed, reason) in [("", "Nothing was changed"), (nil, "failed")] as [(String?, String)] {
            let (code, program) = try await run(typed, "edit", id)
            #expect(code != 0)
            #expect(program.standardError.contains(reason))
        }
        #expect(try drafts().isEmpty)
        let (refused, long) = try await run(String(repeating: "a", count: 10_001), "write")
        #expect(refused == 67)
        #expect(long.standardError.contains("Your text is kept in \(directory)/draft-"))
        #expect(try drafts().count == 1)
    }

    @Test("a month shows what was felt on each day, and how many entries there are")
    func month() async throws {
        let home = try TestProgram()
        let directory = home.home.path + "/diary"
        for (day, emotion) in [
            ("2026-11-02T09:00", "calm"), ("2026-11-02T10:00", "happy"), ("2026-11-30", "very_very_tired"), ("2026-12-01", "sad"),
        ] {
            let program = try TestProgram()
            #expect(try await program.run("diary", "write", "x", "--date", day, "--emotion", emotion, "--directory", directory) == 0)
        }
        let program = try TestProgram()
        #expect(try await program.run("diary", "month", "2026-11", "--directory", directory) == 0)
        #expect(program.standardOutput == """
            2026-11
            Mon        Tue        Wed        Thu        Fri        Sat        Sun
                                                                               1
             2 (2)      3          4          5          6          7          8
            calm happy
             9         10         11         12         13         14         15
            16         17         18         19         20         21         22
            23         24         25         26         27         28         29
            30 (1)
            very_very…

            """)
        let json = try TestProgram()
        #expect(try await json.run("diary", "month", "2026-11", "--directory", directory, "--json") == 0)
        #expect(json.standardOutput.contains("\"2026-11-30\""))
        let korean = try TestProgram(variables: ["LANG": "ko_KR.UTF-8"])
        #expect(try await korean.run("diary", "month", "2026-11", "--directory", directory) == 0)
        #expect(korean.standardOutput.contains("월         화"))
    }

    @Test("dates are those of RFC 3339 in every year", arguments: ["1500-06-01T12:00", "1582-10-10T00:00", "0001-01-01T12:00", "2026-11-21T19:49"])
    func oldDates(_ date: String) async throws {
        let writer = try TestProgram(), list = try TestProgram(), month = try TestProgram()
        let directory = writer.home.path + "/diary"
        #expect(try await writer.run("diary", "write", "old", "--date", date, "--directory", directory) == 0)
        #expect(try await list.run("diary", "list", "--day", String(date.prefix(10)), "--directory", directory) == 0)
        #expect(list.standardOutput.contains(date.replacingOccurrences(of: "T", with: " ")))
        #expect(try await month.run("diary", "month", String(date.prefix(7)), "--json", "--directory", directory) == 0)
        #expect(month.standardOutput.contains("\"\(date.prefix(10))\""))
    }

    @Test("X6: a text that changed while the editor was open is not overwritten, and the draft is kept", .serialized, arguments: [
        ["--text", "from the phone"], ["--emotion", "calm"],
    ])
    func changedMeanwhile(_ change: [String]) async throws {
        let writer = try TestProgram()
        let directory = writer.home.path + "/diary"
        #expect(try await writer.run("diary", "write", "rain", "--directory", directory) == 0)
        let listing = try TestProgram()
        _ = try await listing.run("diary", "list", "--json", "--directory", directory)
        let id = try #require(try listed(listing).first?["id"] as? String)
        let edit: @Sendable (String, String) -> Bool = { path, _ in
            let done = DispatchSemaphore(value: 0)
            // The test's own thread of the shared pool is blocked until this is done.
            Task.detached(executorPreference: BlockingTaskExecutor(label: "another terminal", threads: 1)) {
                defer { done.signal() }
                let code = try await TestProgram().run(arguments: ["diary", "edit", id, "--directory", directory] + change)
                #expect(code == 0)
            }
            done.wait()
            return FileManager.default.createFile(atPath: path, contents: Data("snow".utf8))
        }
        let editor = try TestProgram(typed: [], variables: ["EDITOR": "ed"], edit: edit)
        let isTheText = change[0] == "--text"
        #expect(try await editor.run("diary", "edit", id, "--directory", directory) == (isTheText ? 74 : 0), "\(editor.standardError)")
        #expect(editor.standardError.contains("Your text is kept in \(directory)/draft-") == isTheText)
        let reader = try TestProgram()
        _ = try await reader.run("diary", "list", "--json", "--directory", directory)
        let entry = try #require(try listed(reader).first)
        #expect(entry["text"] as? String == (isTheText ? "from the phone" : "snow"))
        #expect(entry["emotion"] as? String == (isTheText ? "" : "calm"))
    }

    @Test("B22: pictures are added, shown, saved, taken out and exported, without a server")
    func pictures() async throws {
        let home = try TestProgram()
        let directory = home.home.path + "/diary", folder = home.home.path
        func run(_ arguments: String...) async throws -> TestProgram {
            let program = try TestProgram()
            #expect(try await program.run(arguments: ["diary"] + arguments + ["--directory", directory]) == 0, "\(program.standardError)")
            return program
        }
        let jpeg = Data([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 7, count: 100)), png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1])
        try jpeg.write(to: URL(filePath: folder + "/a.jpg"))
        try png.write(to: URL(filePath: folder + "/b.png"))
        let written = try await run("write", "sea", "--image", folder + "/a.jpg", "--image", folder + "/b.png")
        #expect(written.standardOutput.contains("image 1  image/jpeg, 103 bytes"))
        #expect(written.standardOutput.contains("image 2  image/png, 9 bytes"))
        let id = try #require(try listed(try await run("list", "--json")).first?["id"] as? String)
        _ = try await run("show", id, "--save-images", folder + "/saved")
        #expect(try Data(contentsOf: URL(filePath: folder + "/saved/\(id.prefix(8))-1.jpg")) == jpeg)
        let exported = try await run("export", "--images", folder + "/copy")
        let line = try #require(try JSONSerialization.jsonObject(with: Data(exported.standardOutput.utf8)) as? [String: Any])
        let images = try #require(line["images"] as? [[String: Any]])
        let path = try #require(images.last?["path"] as? String)
        #expect(try Data(contentsOf: URL(filePath: folder + "/copy/" + path)) == png)
        #expect(try await !run("edit", id, "--remove-image", "1").standardOutput.contains("image/jpeg"))
        let wrong = try TestProgram()
        #expect(try await wrong.run("diary", "edit", id, "--remove-image", "2", "--directory", directory) == 69)
        #expect(try await wrong.run("diary", "write", "x", "--image", folder + "/none.jpg", "--directory", directory) == 67)
        try Data("text".utf8).write(to: URL(filePath: folder + "/c.txt"))
        #expect(try await wrong.run("diary", "write", "x", "--image", folder + "/c.txt", "--directory", directory) == 67)
        #expect(wrong.standardError.contains("JPEG, PNG or WebP"))
    }

    @Test("an entry's pictures are drawn below its text where the terminal can, and nowhere else")
    func drawnPictures() async throws {
        let home = try TestProgram()
        let directory = home.home.path + "/diary", png = home.home.path + "/a.png"
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1]).write(to: URL(filePath: png))
        let jpeg = home.home.path + "/b.jpg"
        try Data([0xFF, 0xD8, 0xFF, 1]).write(to: URL(filePath: jpeg))
        #expect(try await home.run("diary", "write", "sea", "--image", png, "--image", jpeg, "--directory", directory) == 0)
        let pixels = PicturePixels(side: 1, rgba: [1, 2, 3, 255])
        func show(_ variables: [String: String], _ drawing: PicturePixels?, _ arguments: String...) async throws -> String {
            let list = try TestProgram()
            #expect(try await list.run("diary", "list", "--json", "--directory", directory) == 0)
            let id = try #require(try listed(list).first?["id"] as? String)
            let program = try TestProgram(variables: variables, drawing: drawing)
            #expect(try await program.run(arguments: ["diary", "show", id, "--directory", directory] + arguments) == 0, "\(program.standardError)")
            return program.standardOutput
        }
        let drawn = TerminalPicture.kitty.text(of: pixels)
        let kitty = try await show(["TERM": "xterm-kitty"], pixels)
        #expect(kitty.hasSuffix("sea\n" + drawn + drawn))
        let korean = try await show(["TERM": "xterm-kitty", "LANG": "ko_KR.UTF-8"], pixels)
        #expect(korean.contains("사진 2") && korean.hasSuffix("sea\n" + drawn + drawn))
        #expect(try await show(["TERM": "dumb"], pixels).hasSuffix("sea\n"))
        #expect(try await show(["TERM": "xterm-kitty"], nil).hasSuffix("sea\n"))
        #expect(try await show(["TERM": "xterm-kitty"], pixels, "--image", "none").hasSuffix("sea\n"))
        #expect(try await show(["TERM": "dumb"], pixels, "--image", "sixel").hasSuffix(TerminalPicture.sixel.text(of: pixels)))
        #expect(!(try await show(["TERM": "xterm-kitty"], pixels, "--json").contains("\u{1B}")))
    }

    /// A server with an empty diary. - Parameter pull: called before each page that is read.
    private static func emptyServer(
        pull: @escaping @Sendable () throws(RPCError) -> Void = {}
    ) -> [String: StubChannel.Handler] {
        let taken = Taken()
        return [
            "RegisterDiaryDevice": { (_, _) throws(RPCError) in PBDiaryDevice() },
            "PushDiaryMutations": StubChannel.answer(PBPushDiaryMutationsRequest.self) { (request, _) throws(RPCError) in
                let last = request.mutations.last?.number ?? 0
                taken.last.store(last, ordering: .relaxed)
                return PBPushDiaryMutationsResponse(
                    lastMutation: last,
                    results: request.mutations.map { PBMutationResult(number: $0.number, outcome: .applied) })
            },
            "PullDiaryChanges": { (_, _) throws(RPCError) in
                try pull()
                return PBDiaryChanges(nextCursor: "c", complete: true, lastMutation: taken.last.load(ordering: .relaxed))
            },
        ]
    }

    /// The number of the last edit that a server has taken.
    private final class Taken: Sendable { let last = Atomic<Int64>(0) }

    private static let minji = "4042ae86-239a-4720-92e3-d9838f068d5d"

    @Test("X1, promise 16: a token from outside may be somebody else's, so an edit is not sent with it")
    func strangersToken() async throws {
        let program = try TestProgram(Self.emptyServer())
        let directory = program.home.path + "/diary"
        try program.signIn(token: "minji's", userID: Self.minji)
        #expect(try await program.run("diary", "sync", "--directory", directory) == 0)
        #expect(try await program.run("diary", "write", "one", "--directory", directory) == 0)
        #expect(program.channel.calls.contains { $0.method == "PushDiaryMutations" })
        // The same home with the token of another account in the environment.
        let other = try TestProgram(
            Self.emptyServer(), variables: ["PULSEBOARD_TOKEN": "jisoo's", "XDG_STATE_HOME": program.home.path + "/state"])
        #expect(try await other.run("diary", "write", "two", "--directory", directory) == 0)
        #expect(other.channel.calls.isEmpty)
        #expect(other.standardError.contains("1 waiting"))
    }

    @Test("X1, promise 16: nobody changes another account's diary; reading says whose it is not, and without a session nobody is refused")
    func anotherAccount() async throws {
        let program = try TestProgram(Self.emptyServer())
        try program.signIn(account: "minji", token: "minji's", userID: Self.minji)
        #expect(try await program.run("diary", "sync") == 0)
        #expect(try await program.run("diary", "write", "mine", "--offline") == 0)
        try program.signIn(account: "jisoo", token: "jisoo's", userID: "5042ae86-239a-4720-92e3-d9838f068d5d")
        let changes = [
            ["write", "SECRET"], ["edit", "3f2a", "--text", "SECRET"], ["delete", Self.minji], ["settle", "3f2a", "7c41", "--take"],
            ["rejected", "--restore", "1"], ["rejected", "--forget", "1"],
        ]
        for words in changes {
            #expect(try await program.run(arguments: ["diary"] + words + ["--offline"]) == 71, "\(words)")
        }
        #expect(program.standardError.hasSuffix("Choose another one with --directory.\n"), "\(program.standardError)")
        #expect(try await program.run("diary", "list") == 0)
        #expect(program.standardOutput.contains(" mine ") && !program.standardOutput.contains("SECRET"))
        #expect(program.standardError.hasSuffix("This directory has another account's diary.\n"), "\(program.standardError)")
        #expect(try await program.run("diary", "write", "by name", "--offline", "--account", "minji") == 0)
        try program.store.update(forSocket: TestProgram.socket) { $0.removeAll { _ in true } }
        #expect(try await program.run("diary", "write", "signed out", "--offline") == 0)
    }

    @Test("B33: a server that goes away is waited for as every watch does, longer each time; one that was never there is a failure")
    func following() async throws {
        let gone = RPCError(.unavailable, "the server is shutting down")
        let pulls = Atomic<Int>(0), watches = Atomic<Int>(0)
        let program = try TestProgram(
            Self.emptyServer { () throws(RPCError) in
                if [2, 3].contains(pulls.wrappingAdd(1, ordering: .relaxed).newValue) { throw gone }
            },
            streams: [
                "WatchDiary": { (_, _) in
                    ([], watches.wrappingAdd(1, ordering: .relaxed).newValue == 1 ? gone : RPCError(.unauthenticated, "signed out"))
                }
            ])
        try program.signIn(userID: Self.minji)
        #expect(try await program.run("diary", "sync", "--watch") == 80)
        #expect(program.waits == [.milliseconds(500), .seconds(1), .seconds(2)])
        #expect(program.standardError.components(separatedBy: "trying again").count == 2)
        #expect(program.standardError.components(separatedBy: "Connected again").count == 2)

        let absent = try TestProgram(Self.emptyServer { () throws(RPCError) in throw gone })
        try absent.signIn(userID: Self.minji)
        #expect(try await absent.run("diary", "sync", "--watch") == 78)
        #expect(absent.waits.isEmpty)
    }
}
