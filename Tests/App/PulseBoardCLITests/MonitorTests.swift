import Foundation
import ProtobufWellKnownTypes
import PulseBoardMessages
import RPCCore
import Synchronization
import Testing

@testable import PulseBoardCLI

@Suite("pulseboard admin monitor and top") struct MonitorTests {
    /// A server with `look` times 100 calls of two users, two of which failed.
    private static func info(_ look: Int64) -> PBServerInfo {
        PBServerInfo(
            version: "0.1.0", pid: 7, startTime: Google_Protobuf_Timestamp(seconds: 1_795_258_141),
            uptime: Google_Protobuf_Duration(seconds: 10 + 2 * look), connections: 3, runningCalls: 1, store: "SQLite 3.40.1",
            storeStatus: PBStoreStatus(walBytes: 32_768, commits: 10 * look, writes: 40 * look),
            methods: [
                PBMethodStatus(
                    method: "pulseboard.profile.v1.ProfileService/GetProfile", running: 1,
                    ended: [PBCodeCount(code: 0, count: 98 * look), PBCodeCount(code: 5, count: 2 * look)],
                    requestBytes: 1_024 * look, responseBytes: 1_024 * look,
                    latencies: [
                        PBLatencyBucket(upperBound: Google_Protobuf_Duration(nanos: 25_600), count: 90 * look),
                        PBLatencyBucket(upperBound: Google_Protobuf_Duration(nanos: 1_310_720), count: 10 * look),
                    ])
            ],
            users: [
                PBUserStatus(uid: 1_000, connections: 2, runningCalls: 1, memoryBytes: 2_048, calls: 60 * look, requestBytes: 600 * look),
                PBUserStatus(gateway: 0, connections: 1, calls: 40 * look, failedCalls: 2 * look),
            ],
            refusals: look > 1 ? [PBLimitRefusals(limit: "calls-per-user", userClass: "local", count: 5)] : [],
            loops: [PBLoopStatus(turns: 10, busyTime: Google_Protobuf_Duration(seconds: look))], uid: 0)
    }

    /// A program whose server counts up at each reading.
    private func program(failingAt failure: Int64? = nil, language: String = "en_US.UTF-8") throws -> TestProgram {
        let looks = Mutex<Int64>(0)
        return try TestProgram(
            ["GetServerInfo": { (_, _) throws(RPCError) in
                let look = looks.withLock { looks in
                    looks += 1
                    return looks
                }
                if look == failure { throw RPCError(.unavailable, "gone") }
                return Self.info(look)
            }], variables: ["LANG": language])
    }

    @Test("each look shows what has happened since the last one: rates by the server's own clock, errors, latencies, connections by user")
    func monitor() async throws {
        let program = try program()
        #expect(try await program.run("admin", "monitor", "--count", "2", "--interval", "0.5") == 0)
        #expect(program.standardOutput.hasPrefix("""
            pulseboardd 0.1.0  process 7, 3 connections, 1 call running, loops busy 50 %
            50.0 calls/s, 1.0 errors/s, 5.0 commits/s, 20.0 writes/s, WAL 32.0 KiB

            METHOD                     CALLS/S  ERRORS/S      p50     p99  RUNNING  BYTES/S
            ProfileService/GetProfile     50.0       1.0  25.6 µs  1.3 ms        1  1.0 KiB

            connections: uid 1000 2, gateway 0 1

            """), "\(program.standardOutput)")
        #expect(program.waits == [.seconds(0.5), .seconds(0.5)])
    }

    /// A server of which each figure is the same extreme.
    private static func extreme(_ value: Int64, _ small: Int32) -> PBServerInfo {
        let time = Google_Protobuf_Timestamp(seconds: value, nanos: small), span = Google_Protobuf_Duration(seconds: value, nanos: small)
        let trouble = PBStoreTrouble(reason: "STORE_FULL", detail: "full", startTime: time, count: value)
        return PBServerInfo(
            version: "0.1.0", pid: small, startTime: time, uptime: span, connections: small, runningCalls: small, store: "SQLite 3.40.1",
            storeStatus: PBStoreStatus(
                databaseBytes: value, walBytes: value, freeBytes: value, lastCommitTime: time, trouble: trouble, lastTrouble: trouble, commits: value,
                writes: value, checkpoints: value, archiveDirectory: "/archive", archiveTime: time),
            caches: [PBCacheStatus(name: "profiles", entries: value, capacity: value, hits: value, misses: value)],
            issuers: [PBIssuerStatus(name: "google", keys: small, keysTime: time)],
            methods: (0..<3).map { number in
                PBMethodStatus(
                    method: "a.B/\(number)", running: value, ended: [PBCodeCount(code: 0, count: value), PBCodeCount(code: small, count: value)],
                    requestBytes: value, responseBytes: value, totalTime: span,
                    latencies: [PBLatencyBucket(upperBound: span, count: value), PBLatencyBucket(count: value)])
            },
            users: [1, 2].map { uid in
                PBUserStatus(
                    uid: uid, connections: value, runningCalls: value, memoryBytes: value, calls: value, failedCalls: value, requestBytes: value,
                    responseBytes: value)
            },
            refusals: [PBLimitRefusals(limit: "calls", userClass: "local", count: value)], loops: [PBLoopStatus(turns: value, busyTime: span)],
            dataDirectory: "/nowhere", imageDirectory: PBImageDirectoryStatus(path: "/nowhere", freeBytes: value, trouble: trouble))
    }

    @Test("extreme figures of a broken server end no command", arguments: [
        ["admin", "status"], ["admin", "monitor", "--once"], ["admin", "top", "--once"], ["admin", "monitor", "--count", "2"],
        ["admin", "top", "--count", "2"], ["doctor"],
    ], [true, false])
    func extremes(_ command: [String], _ isFirstHigh: Bool) async throws {
        for options in [[], ["--json"]] {
            let isHigh = Mutex(!isFirstHigh)
            let program = try TestProgram(["GetServerInfo": { (_, _) throws(RPCError) in
                let high = isHigh.withLock { isHigh in
                    isHigh.toggle()
                    return isHigh
                }
                // Two looks are compared only if the process is the same.
                var info = Self.extreme(high ? .max : .min, high ? .max : .min)
                if command.contains("--count") {
                    info.pid = 7
                    info.startTime = nil
                }
                return info
            }])
            let code = try await program.run(arguments: command + options)
            // The doctor finds the store's trouble.
            #expect(code == (command == ["doctor"] ? 73 : 0), "\(program.standardError)")
            #expect(!program.standardOutput.isEmpty)
        }
    }

    @Test("a number of looks has a bound", arguments: ["0", "1000000001", "9223372036854775807"])
    func counts(_ count: String) async throws {
        #expect(try await program().run("admin", "monitor", "--count", count) == 64)
    }

    @Test("top shows users by their calls, and what limits have refused")
    func top() async throws {
        let program = try program()
        #expect(try await program.run("admin", "top", "--count", "1") == 0)
        #expect(program.standardOutput.contains("""
            USER       CALLS/S  ERRORS/S  RUNNING  CONNECTIONS   MEMORY  BYTES/S  CALLS
            uid 1000      30.0         0        1            2  2.0 KiB    300 B     60
            gateway 0     20.0       1.0        0            1      0 B      0 B     40
            refused by calls-per-user (local): 5
            """), "\(program.standardOutput)")
    }

    @Test("--once shows the figures since the start; --json a document; Korean too")
    func once() async throws {
        let program = try program(language: "ko_KR.UTF-8")
        #expect(try await program.run("admin", "monitor", "--once") == 0)
        #expect(program.standardOutput.contains("메서드") && program.standardOutput.contains("연결 3개") && program.channel.calls.count == 1)
        #expect(program.waits.isEmpty)
        let json = try self.program()
        #expect(try await json.run("admin", "monitor", "--count", "2", "--json") == 0)
        let lines = json.standardOutput.split(separator: "\n")
        #expect(lines.count == 2)
        let document = try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any]
        #expect(document?["seconds"] as? Double == 2 && (document?["users"] as? [[String: Any]])?.count == 2)
    }

    @Test("a server that goes away is waited for; one that was never there is a failure")
    func away() async throws {
        let program = try program(failingAt: 2)
        #expect(try await program.run("admin", "monitor", "--count", "1") == 0)
        #expect(program.standardError.contains("The server has gone away") && program.standardError.contains("Connected again"))
        #expect(program.standardOutput.contains("GetProfile"))
        let never = try self.program(failingAt: 1)
        #expect(try await never.run("admin", "monitor") == 78)
    }

    @Test("a text is drawn in its own place, and no more of it than the terminal has lines")
    func redrawn() {
        var screen = RedrawnScreen()
        #expect(screen.draw("a\nb\n", rows: 24) == "\ra\u{1B}[K\nb\u{1B}[K\n\u{1B}[J")
        #expect(screen.draw("c\n", rows: 24) == "\u{1B}[2A\rc\u{1B}[K\n\u{1B}[J")
        #expect(screen.draw("1\n2\n3\n4\n", rows: 3) == "\u{1B}[1A\r1\u{1B}[K\n2\u{1B}[K\n\u{1B}[J")
        screen.leave()
        #expect(screen.draw("d\n", rows: 3).hasPrefix("\rd"))
    }

    @Test(
        "options that make no sense are refused",
        arguments: [["--interval", "0"], ["--interval", "-1"], ["--count", "0"], ["--once", "--count", "1"]])
    func usage(_ arguments: [String]) async throws {
        #expect(try await program().run(arguments: ["admin", "monitor"] + arguments) == 64)
    }
}
