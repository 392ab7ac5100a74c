import Foundation
import GRDB
import TestHarness
import Testing

/// A disk that fails, and one that has become read-only.
///
/// A library that is loaded into the server answers for the kernel: while the file of the fault is there, every write, or every sync, of the database
/// and its log fails with its error number. SQLite and the server cannot tell it from a kernel whose disk does so.
@Suite("A failing disk, end to end", .serialized, .timeLimit(.minutes(5)))
struct StoreFaultTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        /// The call that fails: `write` or `sync`.
        let call: String
        let number: Int32
        let reason: String
        let words: String

        var testDescription: String { "\(call): \(reason)" }
    }

    private static let faults = [
        Fault(call: "write", number: EIO, reason: "STORE_IO_ERROR", words: "Input/output error"),
        Fault(call: "sync", number: EIO, reason: "STORE_IO_ERROR", words: "Input/output error"),
        Fault(call: "write", number: EROFS, reason: "STORE_READ_ONLY", words: "Read-only file system"),
    ]

    /// The library. `FAULT` is the path of the fault's file. It has the call, the number, and a part of the path if that is not of the database.
    private static let library = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/syscall.h>
        #include <unistd.h>

        static int fault(const char *call, int file) {
            char link[64], path[4096], wanted[32], part[64] = "/pulseboard.sqlite";
            int number = 0, before = errno;
            const char *name = getenv("FAULT");
            FILE *asked = name ? fopen(name, "re") : NULL;
            if (!asked) { errno = before; return 0; }
            int isRead = fscanf(asked, "%31s %d %63s", wanted, &number, part) >= 2;
            fclose(asked);
            snprintf(link, sizeof link, "/proc/self/fd/%d", file);
            ssize_t length = readlink(link, path, sizeof path - 1);
            errno = before;
            if (!isRead || strcmp(wanted, call) || length < 0) return 0;
            path[length] = 0;
            if (!strstr(path, part)) return 0;
            errno = number;
            return -1;
        }

        #define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
        ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
            return fault("write", file) ? -1 : REAL(pwrite64)(file, bytes, count, at);
        }
        ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
            return fault("write", file) ? -1 : REAL(pwrite)(file, bytes, count, at);
        }
        ssize_t write(int file, const void *bytes, size_t count) { return fault("write", file) ? -1 : REAL(write)(file, bytes, count); }
        int fsync(int file) { return fault("sync", file) ? -1 : REAL(fsync)(file); }
        int fdatasync(int file) { return fault("sync", file) ? -1 : REAL(fdatasync)(file); }
        """

    private func startFaultyServer(_ house: Household, _ more: [String] = []) async throws -> ChildProcess {
        let library = house.root + "/fault.so"
        try Data(Self.library.utf8).write(to: URL(filePath: house.root + "/fault.c"))
        let compiled = try await house.run("/usr/bin/cc", ["-shared", "-fPIC", "-o", library, house.root + "/fault.c", "-ldl"])
        try #require(compiled.exit == .success, "\(compiled)")
        let arguments = ["--socket", house.socket, "--data-directory", house.data] + more
        return try await house.ready(try house.start(Programs.server, arguments, ["LD_PRELOAD": library, "FAULT": house.root + "/fault"]))
    }

    private func health(of service: String, _ house: Household) async throws -> String? {
        let asked = #"{"service":"\#(service)"}"#
        return try await house.answer("rpc", "call", "grpc.health.v1.Health/Check", "--emit-defaults", "-d", asked)["status"].text
    }

    @Test("what an archive's disk has lost is archived again, also if the server is killed in between", arguments: [false, true])
    func lostArchive(isKilled: Bool) async throws {
        try await Household.with { house in
            let archive = house.root + "/archive", file = house.root + "/monday.tar"
            var server = try await startFaultyServer(house, ["--wal-archive", archive])
            _ = try await house.enter(as: "one", username: "first")
            #expect(try await house.pulseboard("admin", "backup", file, as: "one").exit == .success)
            try Data("sync \(ENOSPC) /archive/\n".utf8).write(to: URL(filePath: house.root + "/fault"), options: .atomic)
            _ = try await house.answer("profile", "edit", "--status", "lost", as: "one")
            #expect(await server.said("error", "the archive lacks what is committed"))
            if isKilled {
                server.send(SIGKILL)
                _ = try await server.ended()
            }
            try FileManager.default.removeItem(atPath: house.root + "/fault")
            if isKilled { server = try await startFaultyServer(house, ["--wal-archive", archive]) }
            _ = try await house.answer("profile", "edit", "--status", "after", as: "one")
            try await until { try await house.answer("admin", "status")["storeStatus"]["archiveProblem"].text ?? "" == "" }
            server.send(SIGTERM)
            _ = try await server.ended()
            let restored = try await house.run(
                Programs.commandLine, ["admin", "restore", "--overwrite", "--archive", archive, file],
                ["PULSEBOARD_DATA_DIRECTORY": house.data, "PULSEBOARD_SOCKET": house.socket, "LANG": "en_US.UTF-8"])
            #expect(restored.exit == .success, "\(restored)")
            let next = try await house.startServer()
            #expect(try await house.answer("profile", "show", as: "one")["statusMessage"] == "after")
            next.send(SIGTERM)
            #expect(try await next.ended() == .success)
        }
    }

    @Test("what the sweeps cannot remove is logged in words")
    func damagedSweeps() async throws {
        try await Household.withServer { house, first in
            first.send(SIGTERM)
            #expect(try await first.ended() == .status(0))
            let queue = try DatabaseQueue(path: house.data + "/pulseboard.sqlite")
            try await queue.write { database in
                try database.execute(sql: "INSERT INTO pending_withdrawal VALUES (x'0a', 7, x'00', 1, 1)")
                try database.execute(sql: "INSERT INTO image (owner, image_id, state, expire_time) VALUES (zeroblob(16), x'0a', 0, 1)")
            }
            try queue.close()
            let server = try await house.startServer()
            #expect(await server.said("error", "users who have left could not be removed"))
            #expect(await server.said("error", "pictures could not be removed"))
            let log = server.progress.current.errorText
            #expect(log.contains("a row of table pending_withdrawal") && log.contains("a row of table image"), "\(log)")
            #expect(log.contains("Stored data could not be read.") && !log.contains("corruptRow") && !log.contains("table:"), "\(log)")
        }
    }

    @Test("a disk that fails: calls, health and status give the reason, the log says it once, and all is well by itself", arguments: faults)
    func fault(_ fault: Fault) async throws {
        try await Household.with { house in
            let server = try await startFaultyServer(house)
            let made = try await house.enter(as: "one", username: "first")
            let writing = [
                "", "pulseboard.auth.v1.AuthService", "pulseboard.profile.v1.ProfileService", "pulseboard.follow.v1.FollowService",
                "pulseboard.diary.v1.DiaryService",
            ]
            try Data("\(fault.call) \(fault.number)\n".utf8).write(to: URL(filePath: house.root + "/fault"), options: .atomic)
            for _ in 0..<5 {
                let refused = try await house.run(
                    Programs.commandLine, ["profile", "edit", "--status", "x", "--json", "--account", "one"], ["PULSEBOARD_SOCKET": house.socket])
                #expect(refused.exit == .unavailable)
                #expect(try refused.failure()["reason"].text == fault.reason)
            }
            for service in writing { #expect(try await health(of: service, house) == "NOT_SERVING", "\(service)") }
            #expect(try await health(of: "pulseboard.admin.v1.AdminService", house) == "SERVING", "it writes nothing")
            let status = try await house.answer("admin", "status")["storeStatus"]
            #expect(status["trouble"]["reason"].text == fault.reason)
            #expect(try await house.answer("profile", "show", as: "one") == made, "what can be read is read")
            #expect(await server.said("error", "the store cannot do its work"))

            try FileManager.default.removeItem(atPath: house.root + "/fault")
            #expect(await server.said("notice", "the store works again"))
            for service in writing { #expect(try await health(of: service, house) == "SERVING", "\(service)") }
            #expect(try await house.pulseboard("profile", "edit", "--status", "y", as: "one").exit == .success)
            let after = try await house.answer("admin", "status")["storeStatus"]
            #expect(after["trouble"]["reason"].text == nil)
            #expect(after["lastTrouble"]["reason"].text == fault.reason)
            let log = server.progress.current.errorText
            #expect(log.components(separatedBy: " error pulseboardd").count == 2, "\(log)")
            #expect(log.contains(fault.words) && log.components(separatedBy: fault.reason).count == 3, "\(log)")
            // What was acknowledged is there after a restart, and nothing of what was refused.
            server.send(SIGTERM)
            #expect(try await server.ended() == .status(0))
            _ = try await house.startServer()
            #expect(try await house.answer("profile", "show", as: "one")["statusMessage"].text == "y")
        }
    }
}
