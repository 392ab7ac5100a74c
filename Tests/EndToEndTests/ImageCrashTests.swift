import Foundation
import GRDB
import Testing

/// What remains of pictures when the server or the decoder is killed at each step.
///
/// A preloaded library kills the server before a system call that the test names. So each kill is at the same place in every run.
@Suite("Pictures and sudden deaths, end to end", .serialized, .timeLimit(.minutes(5)))
struct ImageCrashTests {
    /// Kills its process before the call that `DIE_BEFORE` names, such as `linkat 2` for the second one.
    private static let killer = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <signal.h>
        #include <stdatomic.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/stat.h>
        #include <unistd.h>

        static atomic_int calls, linked;

        static void before(const char *name) {
            const char *when = getenv("DIE_BEFORE");
            size_t length = strlen(name);
            if (when == NULL || strncmp(when, name, length) != 0 || when[length] != ' ') return;
            if (atomic_fetch_add(&calls, 1) + 1 != atoi(when + length)) return;
            kill(getpid(), SIGKILL);
            for (;;) pause();
        }

        // The upload, which has no name, is read from its beginning for the decoder.
        off_t lseek(int file, off_t offset, int whence) {
            struct stat status;
            if (offset == 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 0) before("decoding");
            return ((off_t (*)(int, off_t, int))dlsym(RTLD_NEXT, "lseek"))(file, offset, whence);
        }
        int linkat(int from, const char *old, int to, const char *new, int flags) {
            before("linkat");
            int result = ((int (*)(int, const char *, int, const char *, int))dlsym(RTLD_NEXT, "linkat"))(from, old, to, new, flags);
            if (result == 0) atomic_fetch_add(&linked, 1);
            return result;
        }
        int fsync(int file) {
            if (atomic_load(&linked) == 3) before("fsync");
            return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
        }
        int unlink(const char *path) {
            if (strstr(path, ".webp") != NULL) before("unlink");
            return ((int (*)(const char *))dlsym(RTLD_NEXT, "unlink"))(path);
        }
        int rmdir(const char *path) {
            if (strstr(path, "/images/") != NULL) before("rmdir");
            return ((int (*)(const char *))dlsym(RTLD_NEXT, "rmdir"))(path);
        }
        """

    /// A household whose servers die on demand, with one user.
    private struct Scene {
        let house: Household
        let killer: String
        let file: String

        init(_ house: Household) async throws {
            self.house = house
            killer = house.root + "/killer.so"
            file = house.root + "/photo.png"
            try Data(ImageCrashTests.killer.utf8).write(to: URL(filePath: house.root + "/killer.c"))
            let compiled = try await house.run("/usr/bin/cc", ["-shared", "-fPIC", "-o", killer, house.root + "/killer.c"])
            try #require(compiled.exit == .success, "\(compiled)")
            try ImageTests.png.write(to: URL(filePath: file))
        }

        /// Starts a server that is killed before a call, or one that is not.
        func server(dyingBefore call: String? = nil, _ arguments: [String] = []) throws -> ChildProcess {
            let variables = call.map { ["LD_PRELOAD": killer, "DIE_BEFORE": $0] } ?? [:]
            return try house.start(Programs.server, ["--socket", house.socket, "--data-directory", house.data] + arguments, variables)
        }

        /// The rows of pictures, as `IMAGE state`.
        func rows() throws -> [String] {
            let database = try DatabaseQueue(path: house.data + "/pulseboard.sqlite")
            return try database.read { database in
                try Row.fetchAll(database, sql: "SELECT lower(hex(image_id)) AS id, state FROM image ORDER BY 1").map {
                    "\($0["id"] as String) \($0["state"] as Int)"
                }
            }
        }

        /// The pictures with files, and the number of files of each.
        func files() throws -> [String: Int] {
            let all = try FileManager.default.subpathsOfDirectory(atPath: house.data + "/images").filter { $0.hasSuffix(".webp") }
            return Dictionary(all.map { path in (path.split(separator: "/")[2].split(separator: "-").dropLast().joined(), 1) }, uniquingKeysWith: +)
        }

        /// Expires all rows that an hour would expire.
        func letTimePass() throws {
            let database = try DatabaseQueue(path: house.data + "/pulseboard.sqlite")
            try database.write { try $0.execute(sql: "UPDATE image SET expire_time = 0 WHERE state <> 2") }
        }

        /// C18: every file has its row, and every picture in use has all its files.
        func expectWhole(_ location: SourceLocation = #_sourceLocation) throws {
            let (rows, files) = (try rows(), try files())
            let known = Set(rows.map { $0.prefix(32) })
            for image in files.keys { #expect(known.contains(image[...]), "a file without a row", sourceLocation: location) }
            for row in rows where row.hasSuffix(" 2") { #expect(files[String(row.prefix(32))] == 3, "a row without files", sourceLocation: location) }
        }

        /// After the next start and an hour, only the picture in use is left, or none. The server that has swept keeps running.
        func expectSwept(keeping count: Int, _ location: SourceLocation = #_sourceLocation) async throws -> ChildProcess {
            try letTimePass()
            let server = try await house.ready(try self.server())
            while try rows().count != count {
                let state = try await house.answer("auth", "status")
                try #require(state["state"].text != nil)
            }
            let (rows, files) = (try rows(), try files())
            #expect(rows.allSatisfy { $0.hasSuffix(" 2") }, "\(rows)", sourceLocation: location)
            #expect(files.count == count && files.values.allSatisfy { $0 == 3 }, "\(files)", sourceLocation: location)
            return server
        }
    }

    /// The calls before which the server is killed during an upload, and how many rows and files it leaves.
    private static let uploads: [(call: String, rows: Int, files: Int)] = [
        ("decoding 1", 0, 0), ("linkat 1", 1, 0), ("linkat 2", 1, 1), ("linkat 3", 1, 2), ("fsync 1", 1, 3), ("fsync 2", 1, 3), ("fsync 3", 1, 3),
    ]

    @Test("C18: kill -9 at each step of an upload leaves no file without a row, and nothing after an hour", arguments: uploads)
    func deathWhileUploading(_ call: String, _ rows: Int, _ files: Int) async throws {
        try await Household.with { house in
            let scene = try await Scene(house)
            let server = try await house.ready(try scene.server(dyingBefore: call))
            let made = try await house.enter(as: "one", username: "first")
            let upload = try await house.pulseboard("profile", "image", "set", scene.file, "--json", as: "one")
            #expect(upload.exit != .success)
            #expect(try await server.ended() == .signal(SIGKILL), "\(upload)")
            try scene.expectWhole()
            #expect(try scene.rows().count == rows)
            #expect(try scene.files().values.reduce(0, +) == files)
            let next = try await scene.expectSwept(keeping: 0)
            // The profile is unchanged, and the picture can be uploaded again.
            #expect(try await house.answer("profile", "show", as: "one") == made)
            let shown = try await house.answer("profile", "image", "set", scene.file, as: "one")
            #expect(shown["image"]["path"].text != nil)
            next.send(SIGKILL)
            _ = try await next.ended()
            try scene.expectWhole()
        }
    }

    @Test("C18: kill -9 with a picture that waits for its profile: it can be used for an hour, and then nothing is left of it")
    func deathOfStaged() async throws {
        try await Household.with { house in
            let scene = try await Scene(house)
            func upload() async throws -> String {
                let bytes = ImageTests.png.base64EncodedString()
                let messages = "{\"header\":{\"sizeBytes\":\"\(ImageTests.png.count)\"}}\n{\"chunk\":\"\(bytes)\"}\n"
                let method = "pulseboard.profile.v1.ProfileImageService/UploadProfileImage"
                try Data(messages.utf8).write(to: URL(filePath: house.root + "/upload.json"))
                let run = try await house.run(
                    "/bin/sh",
                    ["-c", "exec \"$0\" rpc call \(method) --auth --account one -d @ < \"$1\"", Programs.commandLine, house.root + "/upload.json"],
                    ["PULSEBOARD_SOCKET": house.socket])
                return try #require(try run.document()["imageId"].text, "\(run)")
            }
            let first = try await house.ready(try scene.server())
            _ = try await house.enter(as: "one", username: "first")
            let image = try await upload()
            first.send(SIGKILL)
            _ = try await first.ended()
            try scene.expectWhole()
            #expect(try scene.rows().map { $0.suffix(2) } == [" 1"])
            let second = try await house.ready(try scene.server())
            let used = try await house.answer(
                "rpc", "call", "pulseboard.profile.v1.ProfileService/UpdateProfile", "--auth", "-d",
                "{\"updateMask\":\"image\",\"imageId\":\"\(image)\"}", as: "one")
            #expect(used["image"]["path"].text != nil, "\(used)")
            _ = try await upload()
            second.send(SIGKILL)
            _ = try await second.ended()
            #expect(try scene.rows().count == 2)
            _ = try await scene.expectSwept(keeping: 1)
        }
    }

    /// The calls before which the server is killed during a sweep, and how many files of two pictures it leaves.
    private static let sweeps: [(call: String, files: Int)] = [("unlink 1", 6), ("unlink 2", 5), ("unlink 3", 4), ("rmdir 1", 3)]

    @Test(
        "C18: kill -9 after a change of the picture and at each step of the sweep leaves the new one whole, and the next sweep goes on",
        arguments: sweeps)
    func deathWhileSweeping(_ call: String, _ files: Int) async throws {
        try await Household.with { house in
            let scene = try await Scene(house)
            let first = try await house.ready(try scene.server())
            _ = try await house.enter(as: "one", username: "first")
            _ = try await house.answer("profile", "image", "set", scene.file, as: "one")
            let shown = try await house.answer("profile", "image", "set", scene.file, as: "one")
            first.send(SIGKILL)
            _ = try await first.ended()
            try scene.expectWhole()
            #expect(Set(try scene.rows().map { $0.suffix(2) }) == [" 2", " 3"])
            try scene.letTimePass()
            #expect(try await scene.server(dyingBefore: call).ended() == .signal(SIGKILL))
            try scene.expectWhole()
            #expect(try scene.rows().count == 2)
            #expect(try scene.files().values.reduce(0, +) == files)
            _ = try await scene.expectSwept(keeping: 1)
            #expect(try await house.answer("profile", "show", as: "one") == shown)
            let output = house.root + "/kept.webp"
            _ = try await house.answer("profile", "image", "get", "--output", output, as: "one")
            #expect(try Data(contentsOf: URL(filePath: output)).prefix(4) == Data("RIFF".utf8))
        }
    }

    @Test("C18, C17: kill -9 of the decoding program fails its upload alone, and with the server's death nothing is left", arguments: [true, false])
    func deathOfDecoder(serverLives: Bool) async throws {
        try await Household.with { house in
            let scene = try await Scene(house)
            let (decoder, pipe, word) = try Self.waitingDecoder(in: house)
            let server = try await house.ready(try scene.server(dyingBefore: nil, ["--image-program", decoder]))
            let made = try await house.enter(as: "one", username: "first")
            _ = try await house.enter(as: "two", username: "second")
            let upload = try house.start(
                Programs.commandLine, ["profile", "image", "set", scene.file, "--json", "--account", "one"], ["PULSEBOARD_SOCKET": house.socket])
            let pid = try await Self.nextNumber(from: pipe)
            #expect(try scene.rows().isEmpty)
            if serverLives {
                try #require(kill(pid, SIGKILL) == 0)
                // The picture is not to blame for the kill.
                #expect(try await upload.ended() == .resourceExhausted)
                #expect(upload.progress.current.errorText.contains("IMAGE_BUSY"), "\(upload.progress.current.errorText)")
                // Another one's upload is decoded.
                let other = try house.start(
                    Programs.commandLine, ["profile", "image", "set", scene.file, "--json", "--account", "two"], ["PULSEBOARD_SOCKET": house.socket])
                _ = try await Self.nextNumber(from: pipe)
                try Self.say("go", in: word)
                #expect(try await other.ended() == .success)
                server.send(SIGKILL)
            } else {
                server.send(SIGKILL)
                _ = try await server.ended()
                // The server is gone, so the decoder has nobody to answer.
                try Self.say("go", in: word)
                #expect(try await upload.ended() != .success)
            }
            _ = try await server.ended()
            try scene.expectWhole()
            _ = try await scene.expectSwept(keeping: serverLives ? 1 : 0)
            #expect(try await house.answer("profile", "show", as: "one") == made)
        }
    }

    @Test("B20: whoever waits for the decoder is told so on the terminal, in Korean too, and sees the profile then")
    func slowUpload() async throws {
        try await Household.with { house in
            let scene = try await Scene(house)
            let (decoder, pipe, word) = try Self.waitingDecoder(in: house)
            _ = try await house.ready(try scene.server(dyingBefore: nil, ["--image-program", decoder]))
            _ = try await house.enter(as: "one", username: "first")
            for (language, remark) in [("en_US.UTF-8", "The server prepares the picture…"), ("ko_KR.UTF-8", "서버가 사진을 준비하고 있습니다…")] {
                let terminal = try Terminal(house, "profile image set \(scene.file) --account one", language: language)
                _ = try await Self.nextNumber(from: pipe)
                try await terminal.sees(remark)
                try Self.say("go", in: word)
                try await terminal.sees("@first")
                #expect(try await terminal.program.ended() == .success)
            }
        }
    }

    /// Makes a decoder that first writes its process id into a pipe and waits for a word from another pipe.
    private static func waitingDecoder(in house: Household) throws -> (path: String, pipe: String, word: String) {
        let (path, pipe, word) = (house.root + "/decoder", house.root + "/decoders", house.root + "/word")
        try #require(mkfifo(pipe, 0o600) == 0 && mkfifo(word, 0o600) == 0)
        try Data("#!/bin/sh\necho $$ > \(pipe)\nread go < \(word)\nexec \(Programs.imageProgram)\n".utf8).write(to: URL(filePath: path))
        try #require(chmod(path, 0o700) == 0)
        return (path, pipe, word)
    }

    /// Reads the next number from a pipe.
    private static func nextNumber(from pipe: String) async throws -> Int32 {
        let line = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try FileHandle(forReadingFrom: URL(filePath: pipe)).readToEnd() ?? Data() })
            }
        }
        return try #require(Int32(String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    /// Writes a line into a pipe.
    private static func say(_ text: String, in pipe: String) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: pipe))
        try file.write(contentsOf: Data((text + "\n").utf8))
        try file.close()
    }
}
