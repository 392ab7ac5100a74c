import Crypto
import Foundation
import ProtobufWellKnownTypes
import PulseBoardMessages
import RPCCore
import TestHarness
import Testing

@testable import PulseBoardCLI

@Suite("The archive of a backup") struct BackupArchiveTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.path + "/backup.tar" }

    init() throws { directory = try TemporaryDirectory() }

    private static let files: [(path: String, bytes: [UInt8])] = [
        ("pulseboard.sqlite", Array(repeating: 7, count: 70_000)), ("images/3d/a/b-96.webp", Array("small".utf8)), ("images/3d/a/b-400.webp", []),
    ]

    private static func parts(_ files: [(path: String, bytes: [UInt8])] = files) -> [PBBackupResponse] {
        var parts = [PBBackupResponse(part: .progress(PBBackupProgress(stage: .copying, doneBytes: 1, totalBytes: 2)))]
        for file in files {
            let hash = Array(SHA256.hash(data: file.bytes))
            parts.append(PBBackupResponse(part: .file(PBBackupFile(path: file.path, byteCount: Int64(file.bytes.count), sha256: hash))))
            for start in stride(from: 0, to: file.bytes.count, by: 65_536) {
                parts.append(PBBackupResponse(part: .data(Array(file.bytes[start..<min(start + 65_536, file.bytes.count)]))))
            }
        }
        parts.append(PBBackupResponse(part: .manifest(PBBackupManifest(
            version: "0.1.0", time: Google_Protobuf_Timestamp(seconds: 1_795_258_141), store: "SQLite 3.40.1", schema: "10 diaries",
            counts: [PBBackupCount(table: "profile", rows: 2), PBBackupCount(table: "following", rows: 1)], files: Int64(files.count),
            bytes: Int64(files.reduce(0) { $0 + $1.bytes.count })))))
        return parts
    }

    private func program(_ parts: [PBBackupResponse], ending: RPCError? = nil) throws -> TestProgram {
        try TestProgram(streams: ["Backup": { (_, _) in (parts, ending) }])
    }

    private func read() throws -> (manifest: BackupManifest, files: [String: [UInt8]]) {
        var files: [String: [UInt8]] = [:]
        var name = ""
        let manifest = try BackupReader(path: path).read(
            begin: { path, _ in
                name = path
                files[path] = []
            }, append: { bytes in files[name]! += bytes })
        return (manifest, files)
    }

    @Test("what the server sends is in it, and tar and sha256sum agree")
    func whole() async throws {
        let program = try program(Self.parts())
        #expect(try await program.run("admin", "backup", path, "--rate", "5") == 0)
        #expect(program.standardOutput == "\(path): the state of 2026-11-21T10:49:01Z: 2 profiles, 1 follow; 3 files, 68.4 KiB.\n")
        let call = try #require(program.channel.calls.first)
        #expect((call.request as? PBBackupRequest)?.bytesPerSecond == 5 << 20)
        #expect(call.options.timeout == nil)
        let (manifest, files) = try read()
        for file in Self.files { #expect(files[file.path] == file.bytes) }
        #expect(manifest.rows(of: "profile") == 2)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let tar = Process()
        tar.executableURL = URL(filePath: "/bin/sh")
        tar.arguments = ["-c", "cd \(directory.path) && tar -xf backup.tar && sha256sum --quiet -c SHA256SUMS"]
        try tar.run()
        tar.waitUntilExit()
        #expect(tar.terminationStatus == 0)
        // The file is replaced only if the user says so, by a whole archive.
        let former = try Data(contentsOf: URL(filePath: path))
        #expect(try await program.run("admin", "backup", path) == 64 + 6)
        #expect(program.standardError.contains("exists already") && program.standardError.contains("admin backup --overwrite"))
        #expect(try await self.program(Self.parts().dropLast()).run("admin", "backup", "--overwrite", path) != 0)
        #expect(try Data(contentsOf: URL(filePath: path)) == former)
        try Data("old".utf8).write(to: URL(filePath: path))
        #expect(try await self.program(Self.parts()).run("admin", "backup", "--overwrite", path) == 0)
        #expect(try Data(contentsOf: URL(filePath: path)).count == former.count)
        #expect(!FileManager.default.fileExists(atPath: path + ".partial"))
        let device = try self.program(Self.parts())
        #expect(try await device.run("admin", "backup", "--overwrite", "/dev/null") != 0)
        #expect(device.standardError.contains("is not a regular file") && device.channel.calls.isEmpty)
    }

    @Test("an archive without any of its pictures does not replace the former one")
    func picturesAway() async throws {
        let path = directory.path + "/nightly.tar"
        try Data("the former one".utf8).write(to: URL(filePath: path))
        var parts = Self.parts([Self.files[0]])
        guard case .manifest(var manifest)? = parts.removeLast().part else { return #expect(Bool(false)) }
        manifest.missingFiles = 3
        parts.append(PBBackupResponse(part: .manifest(manifest)))
        let program = try self.program(parts)
        #expect(try await program.run("admin", "backup", "--overwrite", path) == 64 + 15)
        #expect(program.standardError.contains("lacks all pictures (3 files)"), "\(program.standardError)")
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("the former one".utf8))
        #expect(FileManager.default.fileExists(atPath: path + ".partial"))
    }

    @Test("a stream that ends early, or breaks its rules, leaves no file", arguments: ["early", "bytes", "hash", "more", "name"])
    func broken(_ fault: String) async throws {
        var parts = Self.parts()
        switch fault {
        case "early": parts.removeLast()
        case "bytes": parts.remove(at: 3)
        case "hash": parts[3] = PBBackupResponse(part: .data(Array(repeating: 8, count: 70_000 - 65_536)))
        case "more": parts.insert(PBBackupResponse(part: .data([1])), at: 4)
        default: parts.insert(PBBackupResponse(part: .file(PBBackupFile(path: String(repeating: "x", count: 101), byteCount: 1))), at: 4)
        }
        let program = try program(parts)
        #expect(try await program.run("admin", "backup", path) == 64 + 15, "\(program.standardError)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
        #expect(program.standardError.contains("no whole backup"))
    }

    @Test("a refusal is told as it is, and no file is made")
    func refused() async throws {
        let program = try program([], ending: try RPCError.with(.permissionDenied, reason: "NOT_TRUSTED"))
        #expect(try await program.run("admin", "backup", path, "--json") == 64 + 7)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
    }

    @Test("every changed byte and every cut is found")
    func damaged() async throws {
        #expect(try await program(Self.parts([Self.files[1]])).run("admin", "backup", path) == 0)
        let whole = try Data(contentsOf: URL(filePath: path))
        _ = try read()
        // The zeros after the manifest have no meaning.
        let end = try #require(whole.lastIndex { $0 != 0 })
        for index in stride(from: 0, through: end, by: 7) {
            var changed = whole
            changed[index] ^= 0x10
            try changed.write(to: URL(filePath: path))
            // Padding, times, and names that only tar shows are not hashed.
            if let (_, files) = try? read() { #expect(files["images/3d/a/b-96.webp"] == Array("small".utf8)) }
        }
        for length in stride(from: 0, to: end, by: 97) {
            try whole.prefix(length).write(to: URL(filePath: path))
            let error = try #require(#expect(throws: BackupError.self) { try read() })
            let korean = CommandFailure(error, in: FailureContext(language: .korean, socket: "/s")).message
            #expect(!korean.hasEnglishSentence, "\(korean)")
        }
    }

    @Test("the hashes can be checked without restoring; a file that is no backup is named so")
    func check() async throws {
        #expect(try await program(Self.parts()).run("admin", "backup", path) == 0)
        let program = try TestProgram()
        #expect(try await program.run("admin", "restore", "--check", path) == 0)
        #expect(program.standardOutput == "The archive is complete: the state of 2026-11-21T10:49:01Z: 2 profiles, 1 follow; 3 files, 68.4 KiB.\n")
        try Data("no archive".utf8).write(to: URL(filePath: path))
        #expect(try await program.run("admin", "restore", "--check", path) == 64 + 15)
        #expect(program.standardError.contains("This is not a whole backup"))
        #expect(try await program.run("admin", "restore", "--check", path + ".absent") == 64 + 5)
        // They would have no effect.
        for option in [["--overwrite"], ["--end-sessions"], ["--archive", "/wal"], ["--data-directory", "/d"], ["--image-directory", "/i"]] {
            #expect(try await program.run(arguments: ["admin", "restore", "--check", path] + option) == 64, "\(option)")
        }
    }

    @Test("commands on a server's files do not guess where these are, when its configuration does not say", arguments: [
        ["admin", "check"], ["admin", "repair"], ["admin", "restore", "monday.tar"], ["admin", "check", "--data-directory", "/absent"],
    ])
    func brokenConfiguration(_ command: [String]) async throws {
        let configuration = Doctor.ServerConfiguration(settings: [:], problem: "line 3 is no setting")
        let program = try TestProgram(configuration: configuration)
        #expect(try await program.run(arguments: command) == 64 + StatusCode.failedPrecondition.rawValue)
        #expect(program.standardError.contains("line 3 is no setting"))
        let directories = ["--data-directory", program.home.path, "--image-directory", program.home.path]
        let told = try TestProgram(configuration: configuration)
        _ = try await told.run(arguments: ["admin", "check"] + directories)
        #expect(!told.standardError.contains("line 3 is no setting"))
    }

    @Test("beside a server on PostgreSQL, the data directory from before the move does not own the pictures that lie in it", arguments: [
        ["admin", "check"], ["admin", "repair", "--yes"], ["admin", "restore", "--overwrite", "monday.tar"],
    ])
    func picturesOfPostgreSQL(_ command: [String]) async throws {
        for (folder, isRefused) in [("old/images", true), ("elsewhere", false)] {
            let home = try TestProgram().home.path
            let program = try TestProgram(
                configuration: Doctor.ServerConfiguration(settings: ["store": "PostgreSQL", "image-directory": "\(home)/\(folder)"], problem: nil))
            _ = try await program.run(arguments: command + ["--data-directory", home + "/old"])
            #expect(program.standardError.contains("Give --image-directory") == isRefused, "\(program.standardError)")
            let other = try TestProgram(
                configuration: Doctor.ServerConfiguration(settings: ["store": "PostgreSQL", "image-directory": "\(home)/\(folder)"], problem: nil))
            _ = try await other.run(arguments: command + ["--data-directory", home + "/old", "--image-directory", home + "/old/images"])
            #expect(!other.standardError.contains("Give --image-directory"))
        }
    }

    @Test(
        "a check finds what a restore would refuse: a foreign file, a file that is there twice, no database",
        arguments: ["../evil", "pulseboard.lock", "images/3d/a/../b", "pulseboard.sqlite", nil])
    func checkOfFiles(_ extra: String?) async throws {
        let files = extra.map { Self.files + [($0, Array("x".utf8))] } ?? Array(Self.files.dropFirst())
        #expect(try await program(Self.parts(files)).run("admin", "backup", path) == 0)
        let program = try TestProgram()
        #expect(try await program.run("admin", "restore", "--check", path) != 0)
        #expect(program.standardError.contains(extra ?? "pulseboard.sqlite"))
    }

    @Test("headers are read as they were written, of files of any length", arguments: [0, 1, 511, 512, 513, 8 << 30, 1 << 40, Int64.max])
    func headers(_ byteCount: Int64) throws {
        let header = TarHeader(path: "images/a", byteCount: byteCount, seconds: 1_795_258_141)
        let bytes = try #require(header.bytes)
        #expect(bytes.count == 512)
        #expect(TarHeader(bytes: bytes) == header)
        var damaged = bytes
        damaged[0] += 1
        #expect(TarHeader(bytes: damaged) == nil)
        #expect(TarHeader(path: String(repeating: "x", count: 101), byteCount: 0, seconds: 0).bytes == nil)
    }
}
