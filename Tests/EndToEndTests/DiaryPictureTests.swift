import Foundation
import GRDB
import Testing

/// Pictures in the diary's directory, with the built programs.
@Suite struct DiaryPictureTests {
    private func diary(_ household: Household, at directory: String, _ words: String...) async throws -> Run {
        try await household.run(
            Programs.commandLine, ["diary"] + words + ["--directory", directory, "--json", "--account", "minji"],
            ["PULSEBOARD_SOCKET": household.socket])
    }

    /// Bytes that begin like a JPEG, large enough to be written in several steps.
    private func photo(_ number: Int) -> Data { Data([0xFF, 0xD8, 0xFF] + [UInt8](repeating: UInt8(number), count: 400_000)) }

    @Test(
        "promise 17: whenever a program that writes pictures is killed, the opened directory has the files of its pictures and no others, and all can be read")
    func killed() async throws {
        try await Household.with { household in
            let directory = household.root + "/here"
            _ = try await diary(household, at: directory, "status").document()
            for round in 0..<24 {
                let file = household.root + "/photo\(round).jpg"
                try photo(round).write(to: URL(filePath: file))
                let child = try household.start(
                    Programs.commandLine, ["diary", "write", "round \(round)", "--image", file, "--directory", directory, "--json"],
                    ["PULSEBOARD_SOCKET": household.socket])
                if round % 4 == 3 {
                    // One that has answered.
                    _ = await child.progress.first { $0.outputText.contains("\n}\n") || $0.exit != nil ? true : nil }
                } else {
                    for _ in 0..<(round * 500) { await Task.yield() }
                }
                child.send(SIGKILL)
                _ = try await child.ended()
                // A picture waits for its entry, which was not written. The test lets time pass.
                let database = try DatabaseQueue(path: directory + "/diary.sqlite")
                try await database.write { try $0.execute(sql: "UPDATE image SET expire_time = 0") }
                try database.close()
                _ = try await diary(household, at: directory, "status").document()
            }
            let database = try DatabaseQueue(path: directory + "/diary.sqlite")
            let named = try await database.read { database in
                try Data.fetchSet(database, sql: "SELECT DISTINCT sha256 FROM image_use").map { $0.map { String(format: "%02x", $0) }.joined() }
            }
            let files = try FileManager.default.contentsOfDirectory(atPath: directory + "/images")
            #expect(Set(files) == Set(named))
            let list = try await diary(household, at: directory, "list", "--all").document()
            #expect(list["entries"].elements.count == files.count)
            #expect(list["entries"].elements.count >= 6)
            let copy = try await diary(household, at: directory, "export", "--images", household.root + "/copy")
            #expect(copy.exit == .status(0))
            #expect(try FileManager.default.contentsOfDirectory(atPath: household.root + "/copy/images").count == files.count)
        }
    }

    @Test("B22, B33: pictures reach another device over a server that keeps them sealed, and a restart without the key loses nothing")
    func sealed() async throws {
        try await Household.with { household in
            let here = household.root + "/here", there = household.root + "/there", keys = household.root + "/keys"
            #expect(FileManager.default.createFile(
                atPath: keys, contents: Data(String(repeating: "4e", count: 32).utf8), attributes: [.posixPermissions: 0o600]))
            // One gray pixel.
            let png = try #require(Data(
                base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="))
            try png.write(to: URL(filePath: household.root + "/pixel.png"))
            var server = try await household.startServer(["--diary-key-file", keys])
            _ = try await household.enter(as: "minji", username: "minji")
            let made = try await diary(household, at: here, "write", "kanarienvogel", "--image", household.root + "/pixel.png").document()
            let id = try #require(made["id"].text)
            for directory in [here, there] { _ = try await diary(household, at: directory, "sync").document() }
            #expect(try await diary(household, at: there, "show", id, "--save-images", household.root + "/saved").exit == .status(0))
            #expect(try Data(contentsOf: URL(filePath: household.root + "/saved/\(id.prefix(8))-1.png")) == png)
            server.send(SIGTERM)
            _ = try await server.ended()
            // Without the key the diary is locked and edits wait. With the key everything continues.
            server = try await household.startServer()
            _ = try await diary(household, at: here, "edit", id, "--text", "later").document()
            let refused = try await diary(household, at: here, "sync")
            #expect(refused.exit != .status(0))
            #expect(refused.errors.contains("DIARY_LOCKED"))
            #expect(try await diary(household, at: here, "status").document()["pending"] == 1)
            server.send(SIGTERM)
            _ = try await server.ended()
            server = try await household.startServer(["--diary-key-file", keys])
            for directory in [here, there] { _ = try await diary(household, at: directory, "sync").document() }
            #expect(try await diary(household, at: there, "show", id).document()["text"] == "later")
        }
    }

    @Test("C9: who is about to leave is told so by a sync, writes on this device, and has everything after coming back")
    func leaving() async throws {
        try await Household.with { household in
            let here = household.root + "/here"
            _ = try await household.startServer()
            _ = try await household.enter(as: "minji", username: "minji")
            _ = try await diary(household, at: here, "write", "before").document()
            _ = try await diary(household, at: here, "sync").document()
            let account = { (words: String...) in
                try await household.run(
                    Programs.commandLine, words + ["--account", "minji", "--json"], ["PULSEBOARD_SOCKET": household.socket])
            }
            #expect(try await account("account", "withdraw", "--yes").exit == .status(0))
            #expect(try await account("auth", "login").exit == .status(0))
            _ = try await diary(household, at: here, "write", "meanwhile").document()
            let refused = try await diary(household, at: here, "sync")
            #expect(refused.exit == .status(73))
            #expect(refused.errors.contains("WITHDRAWING") && refused.errors.contains("account restore"))
            #expect(try await account("account", "restore").exit == .status(0))
            _ = try await diary(household, at: here, "sync").document()
            let listed = try await account("rpc", "call", "pulseboard.diary.v1.DiaryService/ListDiaryEntries", "--auth")
            #expect(listed.output.contains("before") && listed.output.contains("meanwhile"))
        }
    }
}
