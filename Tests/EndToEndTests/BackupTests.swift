import Foundation
import Testing

/// A backup of a running server, the loss of its data, and the restoration, with the built programs.
@Suite("Backup and restore, end to end", .serialized, .timeLimit(.minutes(2)))
struct BackupTests {
    /// A PNG of 120 by 80 pixels.
    private static let png = Data(
        base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAHgAAABQAQMAAADoVSPKAAAAA1BMVEUAgIBxQSaxAAAAEklEQVQ4y2NgGAWjYBSMgpEJAAUAAAEvwYmaAAAAAElFTkSuQmCC")!

    private func admin(_ house: Household, _ words: String...) async throws -> Run {
        try await house.run(
            Programs.commandLine, ["admin"] + words,
            ["PULSEBOARD_SOCKET": house.socket, "PULSEBOARD_DATA_DIRECTORY": house.data, "LANG": "en_US.UTF-8"])
    }

    @Test("what was there at the backup is there again, pictures too; tokens of before are refused and clients begin again")
    func life() async throws {
        try await Household.withServer { house, server in
            let one = try await house.enter(as: "one", username: "first")
            for number in 0..<3 {
                _ = try await house.enter(as: "fan\(number)", username: "fan\(number)")
                _ = try await house.answer("follow", "add", "@first", as: "fan\(number)")
            }
            let photo = house.root + "/photo.png"
            try Self.png.write(to: URL(filePath: photo))
            let shown = try await house.answer("profile", "image", "set", photo, as: "one")
            _ = try await house.answer("diary", "write", "a day", "--emotion", "calm", "--directory", house.root + "/here", as: "one")
            _ = try await house.answer("diary", "sync", "--directory", house.root + "/here", as: "one")
            let token = try #require(
                try await house.answer("follow", "followers", "@first", "--limit", "1", as: "one")["nextPageToken"].text)

            let file = house.root + "/monday.tar"
            let backup = try await admin(house, "backup", file, "--json")
            #expect(try backup.document()["missingFiles"].integer == 0)
            #expect(try backup.document()["files"].integer == 4)
            let sound = try await admin(house, "check")
            #expect(sound.exit == .success && sound.output.contains("is sound"), "\(sound)")

            // Made after the backup, and lost by the restoration.
            _ = try await house.answer("follow", "remove", "@first", as: "fan0")
            let running = try await admin(house, "restore", file, "--overwrite", "--json")
            #expect(running.exit == .failedPrecondition)
            #expect(try running.failure()["reason"] == "SERVER_RUNNING")
            server.send(SIGTERM)
            #expect(try await server.ended() == .success)
            let occupied = try await admin(house, "restore", file, "--json")
            #expect(try occupied.failure()["reason"] == "DATA_DIRECTORY_OCCUPIED")
            try FileManager.default.removeItem(atPath: house.data)
            let restored = try await admin(house, "restore", file)
            #expect(restored.exit == .success, "\(restored)")

            let next = try await house.startServer()
            #expect(try await house.answer("profile", "show", as: "one") == shown)
            #expect(try await house.answer("follow", "counts", "@first", as: "one")["followers"].integer == 3)
            let picture = try await house.answer("profile", "image", "get", "@first", "--output", house.root + "/got.webp", as: "fan1")
            #expect(picture["path"] == shown["image"]["path"])
            #expect(one["userId"] == shown["userId"])
            let refused = try await house.pulseboard("follow", "followers", "@first", "--page-token", token, "--json", as: "one")
            #expect(try refused.failure()["reason"] == "PAGE_TOKEN_INVALID")
            // A device from before the restoration has to begin again.
            let synced = try await house.answer("diary", "sync", "--directory", house.root + "/here", as: "one")
            #expect(synced["entries"].integer == 1, "\(synced)")
            #expect(try await admin(house, "check").exit == .success)
            next.send(SIGTERM)
            #expect(try await next.ended() == .success)
        }
    }

    @Test("an archive goes through a pipe, and a fault is found, shown and mended")
    func pipeAndRepair() async throws {
        try await Household.withServer { house, server in
            _ = try await house.enter(as: "one", username: "first")
            let pipe = try await house.run(
                "/bin/sh", ["-c", "\(Programs.commandLine) admin backup - | \(Programs.commandLine) admin restore --check -"],
                ["PULSEBOARD_SOCKET": house.socket])
            #expect(pipe.exit == .success && pipe.output.contains("The archive is complete"), "\(pipe)")
            server.send(SIGTERM)
            _ = try await server.ended()
            let tampered = try await house.run(
                "/usr/bin/sqlite3", [house.data + "/pulseboard.sqlite", "UPDATE follow_count SET followers = 5"])
            #expect(tampered.exit == .success)
            let found = try await admin(house, "check")
            #expect(found.exit == .status(79) && found.output.contains("counts that are not those of the follows"), "\(found)")
            let plan = try await admin(house, "repair")
            #expect(plan.exit == .success && plan.output.contains("counted again") && plan.output.contains("repair --yes"), "\(plan)")
            #expect(try await admin(house, "check").exit == .status(79), "nothing was changed")
            #expect(try await admin(house, "repair", "--field", "nonsense").exit != .success, "what cannot be shown is a failure")
            let mended = try await admin(house, "repair", "--yes")
            #expect(mended.exit == .success, "\(mended)")
            #expect(try await admin(house, "check").exit == .success)
        }
    }

    @Test("a picture that cannot be read is left out and named, and all else is in the backup")
    func unreadablePicture() async throws {
        try await Household.withServer { house, server in
            _ = try await house.enter(as: "one", username: "first")
            let photo = house.root + "/photo.png", files = FileManager.default
            try Self.png.write(to: URL(filePath: photo))
            _ = try await house.answer("profile", "image", "set", photo, as: "one")
            let folder = house.data + "/images"
            let small = try #require(files.enumerator(atPath: folder)?.lazy.compactMap { $0 as? String }.first { $0.hasSuffix("-96.webp") })
            // The server opens no link, so this file fails like one on a damaged disk.
            try files.removeItem(atPath: folder + "/" + small)
            try files.createSymbolicLink(atPath: folder + "/" + small, withDestinationPath: photo)

            let file = house.root + "/monday.tar"
            let backup = try await admin(house, "backup", file, "--json")
            #expect(backup.exit == .status(79), "\(backup)")
            #expect(try JSON(backup.errors)["error"]["reason"] == "PICTURES_UNREADABLE")
            #expect(await server.said("error", "a backup lacks a picture that cannot be read"))
            #expect(server.progress.current.errorText.contains(small))
            let manifest = try JSON(backup.output)
            #expect(manifest["unreadableFiles"].integer == 1 && manifest["missingFiles"].integer == 0 && manifest["files"].integer == 3, "\(backup)")
            server.send(SIGTERM)
            _ = try await server.ended()
            try files.removeItem(atPath: house.data)
            #expect(try await admin(house, "restore", file).exit == .success)
            #expect(files.fileExists(atPath: folder + "/" + small.replacing("-96.webp", with: "-400.webp")))
        }
    }

    @Test(
        "root restores with the owner's rights: the files are the owner's, and links that the owner planted harm nobody",
        .enabled(if: geteuid() == 0))
    func byRoot() async throws {
        try await Household.withServer { house, server in
            _ = try await house.enter(as: "one", username: "first")
            let vault = house.root + "/vault", files = FileManager.default
            try files.createDirectory(atPath: vault, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            let file = vault + "/monday.tar"
            // Somebody else made this file, and could read what is written to it.
            try Data().write(to: URL(filePath: file + ".partial"))
            #expect(chmod(file + ".partial", 0o666) == 0)
            #expect(try await admin(house, "backup", file).exit == .success)
            #expect(try files.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
            server.send(SIGTERM)
            _ = try await server.ended()

            #expect(try await house.run("/bin/chown", ["-R", "4242:4243", house.data]).exit == .success)
            #expect(chmod(house.root, 0o755) == 0)
            let secret = vault + "/app.sqlite"
            #expect(try await house.run("/usr/bin/sqlite3", [secret, "CREATE TABLE other (value INTEGER)"]).exit == .success)
            let before = files.contents(atPath: secret)
            for name in ["pulseboard.sqlite", "pulseboard.sqlite-wal", "pulseboard.lock"] {
                let link = house.data + "/" + name
                try? files.removeItem(atPath: link)
                try files.createSymbolicLink(atPath: link, withDestinationPath: secret)
                // A lock that is a link cannot be taken.
                let isLock = name == "pulseboard.lock"
                let restored = try await admin(house, "restore", "--overwrite", file)
                #expect((restored.exit == .success) == !isLock, "\(name): \(restored)")
                #expect(files.contents(atPath: secret) == before, "\(name)")
                if isLock { try files.removeItem(atPath: link) }
            }
            #expect(try await admin(house, "restore", "--overwrite", file).exit == .success)
            for name in ["pulseboard.sqlite", "pulseboard.lock"] {
                #expect(try files.attributesOfItem(atPath: house.data + "/" + name)[.ownerAccountID] as? Int == 4_242, "\(name)")
            }
            #expect(try await admin(house, "check").exit == .success)
        }
    }

    @Test("a backup is brought forward to an instant and to the end by what the server has kept, also after it was killed")
    func pointInTime() async throws {
        try await Household.with { house in
            let wal = house.root + "/wal"
            let server = try await house.startServer(["--wal-archive", wal])
            _ = try await house.enter(as: "one", username: "first")
            let file = house.root + "/backup.tar"
            #expect(try await house.pulseboard("admin", "backup", file).exit == .success)
            _ = try await house.enter(as: "two", username: "second")
            // A kill within a second of a commit loses the commit's time. The archive keeps the order, so when it has this sign-in, it has everything
            // before.
            let entered = Date.now
            _ = try await house.answer("auth", "login", as: "reader")
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: .gmt)
            var archived = Date.distantPast
            while archived < entered {
                if case .string(let text) = try await house.answer("admin", "status")["storeStatus"]["archiveTime"] {
                    archived = try style.parse(text)
                }
            }
            let between = try await house.run("/bin/date", ["--utc", "+%Y-%m-%dT%H:%M:%S.%6NZ"]).output.trimmingCharacters(in: .newlines)
            _ = try await house.enter(as: "three", username: "third")
            #expect(try await house.answer("admin", "status")["storeStatus"]["archiveDirectory"] == .string(wal))
            server.send(SIGKILL)
            _ = try await server.ended()
            // The next start copies what the killed server did not copy.
            let next = try await house.startServer(["--wal-archive", wal])
            _ = try await house.enter(as: "four", username: "fourth")
            next.send(SIGTERM)
            #expect(try await next.ended() == .success)
            // This server is killed before it has copied anything.
            let third = try await house.startServer(["--wal-archive", wal])
            _ = try await house.enter(as: "five", username: "fifth")
            third.send(SIGKILL)
            _ = try await third.ended()
            let last = try await house.startServer(["--wal-archive", wal])
            last.send(SIGTERM)
            #expect(try await last.ended() == .success)

            func names(_ arguments: String...) async throws -> [String] {
                let restored = try await house.run(
                    Programs.commandLine, ["admin", "restore", "--overwrite", "--archive", wal, "--data-directory", house.data] + arguments + [file])
                #expect(restored.exit == .success && restored.output.contains("Made again from the archive"), "\(restored)")
                #expect(restored.output.hasSuffix("Next: pulseboard admin check --data-directory \(house.data)\n"), "\(restored)")
                let server = try await house.startServer()
                defer { server.send(SIGTERM) }
                var found: [String] = []
                for name in ["first", "second", "third", "fourth", "fifth"] {
                    _ = try await house.answer("auth", "login", as: "reader")
                    if try await house.pulseboard("profile", "show", "@" + name, as: "reader").exit == .success { found.append(name) }
                }
                server.send(SIGTERM)
                _ = try await server.ended()
                return found
            }
            #expect(try await names("--until", between) == ["first", "second"])
            #expect(try await names() == ["first", "second", "third", "fourth", "fifth"])
            let early = try await house.run(
                Programs.commandLine,
                ["admin", "restore", "--overwrite", "--archive", wal, "--until", "2020-01-01T00:00:00Z", "--data-directory", house.data, file])
            #expect(early.exit == .invalidArgument && early.errors.contains("which is later"), "\(early)")
            let zone = try await house.pulseboard("admin", "restore", "--archive", wal, "--until", "2026-11-23 10:00", file)
            #expect(zone.exit == .status(64) && zone.errors.contains("--until"), "\(zone)")
        }
    }
}
