import Foundation
import ProtobufWellKnownTypes
import PulseBoardMessages
import RPCCore
import Synchronization
import Testing

@testable import PulseBoardCLI

@Suite struct AdminTests {
    private static let info = PBServerInfo(
        version: "0.1.0", pid: 4711, startTime: Google_Protobuf_Timestamp(seconds: 1_795_258_141),
        uptime: Google_Protobuf_Duration(seconds: 93_784), connections: 1_200, runningCalls: 3, socket: "/run/s",
        socketHandedOver: true, store: "SQLite 3.40.1")

    private static let drains: [String: StubChannel.Handler] = [
        "GetServerInfo": { (_, _) throws(RPCError) in info },
        "Drain": StubChannel.answer(PBDrainRequest.self) { (request, _) throws(RPCError) in
            PBDrainResponse(
                pid: 4711, gracePeriod: request.gracePeriod ?? Google_Protobuf_Duration(seconds: 10), connections: 2,
                runningCalls: 3)
        },
    ]

    @Test("B14: the status is a card with times of the user's zone")
    func status() async throws {
        let program = try TestProgram(Self.drains)
        #expect(try await program.run("admin", "status") == 0)
        #expect(program.standardOutput == """
            pulseboardd 0.1.0
              state          serving
              process        4711
              started        2026-11-21 19:49:01 +09:00
              uptime         1 d 2 h 3 min 4 s
              connections    1,200
              running calls  3
              socket         /run/s (handed over)
              store          SQLite 3.40.1

            """)
        #expect(program.channel.calls.first?.options.metadata["authorization"] == nil, "the kernel says who asks")
    }

    @Test("The store's sizes, its trouble in words, and how often the caches had what was asked for", arguments: [
        ("en_US.UTF-8", """
              state            not serving: the store fails
              process          4711
              started          2026-11-21 19:49:01 +09:00
              uptime           1 d 2 h 3 min 4 s
              connections      1,200
              running calls    3
              socket           /run/s (handed over)
              store            SQLite 3.40.1
              database         /data/pulseboard.sqlite
              size             55.5 MiB
              log (WAL)        32.0 KiB
              free space       0 B
              last commit      2026-11-21 19:49:01 +09:00
              failing          The server's disk is full. Try again once there is room. [STORE_FULL; since 2026-11-21 19:49:02 +09:00; 1,234 calls \
            failed; SQLite error 13]
              cache: profiles  10 of 4,096, found 90.0 % of 1,000
              cache: sessions  0 of 4,096, found – of 0

            """),
        ("ko_KR.UTF-8", "서버의 저장 공간이 가득 찼습니다. 공간이 확보되면 다시 시도해 주세요. [STORE_FULL; 2026-11-21 19:49:02 +09:00부터; 실패한 호출 1,234건; SQLite error 13]\n"),
    ])
    func store(_ language: String, _ expected: String) async throws {
        var info = Self.info
        info.storeStatus = PBStoreStatus(
            path: "/data/pulseboard.sqlite", databaseBytes: 58_212_352, walBytes: 32_768, freeBytes: 0,
            lastCommitTime: Google_Protobuf_Timestamp(seconds: 1_795_258_141),
            trouble: PBStoreTrouble(
                reason: "STORE_FULL", detail: "SQLite error 13", startTime: Google_Protobuf_Timestamp(seconds: 1_795_258_142), count: 1_234))
        info.caches = [
            PBCacheStatus(name: "profiles", entries: 10, capacity: 4_096, hits: 900, misses: 100),
            PBCacheStatus(name: "sessions", capacity: 4_096),
        ]
        let program = try TestProgram(["GetServerInfo": { [info] (_, _) throws(RPCError) in info }], variables: ["LANG": language])
        #expect(try await program.run("admin", "status") == 0)
        #expect(program.standardOutput.contains(expected), "\(program.standardOutput)")
    }

    @Test("How the calls of each method went: how many, what failed, how long they took, their bytes", arguments: [
        ("en_US.UTF-8", [
            "ProfileService/GetProfile    1,010 calls, 2 running, NOT_FOUND 9, UNAVAILABLE 1, p50 ≤ 25.6 µs, p99 ≤ 1.3 ms, 1.0 KiB in, 5 B out",
            "ProfileService/WatchProfile  0 calls, 1 running",
            "AuthService/SignIn           1 call, p50 > 2 min, p99 > 2 min, 0 B in, 0 B out",
        ]),
        ("ko_KR.UTF-8", [
            "호출 1,010건, 실행 중 2건, NOT_FOUND 9, UNAVAILABLE 1, p50 ≤ 25.6 µs, p99 ≤ 1.3 ms, 수신 1.0 KiB, 송신 5 B",
            "호출 0건, 실행 중 1건", "호출 1건, p50 2분 초과, p99 2분 초과, 수신 0 B, 송신 0 B",
        ]),
    ])
    func methods(_ language: String, _ expected: [String]) async throws {
        var info = Self.info
        info.methods = [
            PBMethodStatus(
                method: "pulseboard.profile.v1.ProfileService/GetProfile", running: 2,
                ended: [PBCodeCount(code: 0, count: 1_000), PBCodeCount(code: 5, count: 9), PBCodeCount(code: 14, count: 1)],
                requestBytes: 1_024, responseBytes: 5,
                latencies: [
                    PBLatencyBucket(upperBound: Google_Protobuf_Duration(nanos: 25_600), count: 990),
                    PBLatencyBucket(upperBound: Google_Protobuf_Duration(nanos: 1_310_720), count: 20),
                ]),
            PBMethodStatus(method: "pulseboard.profile.v1.ProfileService/WatchProfile", running: 1),
            PBMethodStatus(
                method: "pulseboard.auth.v1.AuthService/SignIn", ended: [PBCodeCount(code: 0, count: 1)], latencies: [PBLatencyBucket(count: 1)]),
        ]
        let program = try TestProgram(["GetServerInfo": { [info] (_, _) throws(RPCError) in info }], variables: ["LANG": language])
        #expect(try await program.run("admin", "status") == 0)
        for line in expected { #expect(program.standardOutput.contains(line), "\(program.standardOutput)") }
    }

    @Test("The status in Korean, of a server that is ending")
    func korean() async throws {
        var info = Self.info
        info.draining = true
        info.uptime = nil
        let program = try TestProgram(
            ["GetServerInfo": { [info] (_, _) throws(RPCError) in info }], variables: ["LANG": "ko_KR.UTF-8"])
        #expect(try await program.run("admin", "status") == 0)
        #expect(program.standardOutput.contains("종료 중") && program.standardOutput.contains("(넘겨받음)"))
        #expect(program.standardOutput.contains("0초"))
    }

    @Test("--json is the message with every field")
    func statusJSON() async throws {
        let program = try TestProgram(Self.drains)
        #expect(try await program.run("admin", "status", "--json") == 0)
        let object = try JSONSerialization.jsonObject(with: Data(program.standardOutput.utf8)) as? [String: Any]
        #expect(
            Set(object.map { Array($0.keys) } ?? []) == [
                "version", "pid", "startTime", "uptime", "connections", "runningCalls", "draining", "socket",
                "socketHandedOver", "store", "caches", "remoteSocket", "issuers", "methods", "users", "refusals", "loops", "uid", "dataDirectory",
            ])
    }

    @Test("Draining without a period leaves it to the server; with one it is sent as it is")
    func gracePeriod() async throws {
        let program = try TestProgram(Self.drains)
        #expect(try await program.run("admin", "drain") == 0)
        #expect(program.standardOutput == "The server (process 4711) is ending. Running calls: 3; they have 10.0 s.\n")
        #expect(try await program.run("admin", "drain", "--grace-period", "1.5", "--json") == 0)
        let periods = program.channel.calls.compactMap { ($0.request as? PBDrainRequest)?.gracePeriod }
        #expect(periods == [Google_Protobuf_Duration(seconds: 1, nanos: 500_000_000)])
        #expect(program.standardOutput.contains("\"gracePeriodSeconds\" : 1.5"))
        #expect(program.standardOutput.contains("\"ended\" : false"))
        #expect(program.channel.calls.map(\.method) == ["Drain", "Drain"], "nothing else is asked")
        #expect(try await program.run("admin", "drain", "--grace-period", "-1") == 64)
        #expect(try await program.run("admin", "drain", "--grace-period", "86401") == 64)
    }

    @Test("--wait takes hold of the process before it asks for the end, and returns after it")
    func waiting() async throws {
        let waited = Atomic<Int32>(0)
        let program = try TestProgram(Self.drains) { pid in
            { waited.store(pid, ordering: .relaxed) }
        }
        #expect(try await program.run("admin", "drain", "--wait") == 0)
        #expect(program.channel.calls.map(\.method) == ["GetServerInfo", "Drain"])
        #expect(waited.load(ordering: .relaxed) == 4711)
        #expect(program.standardOutput == "The server (process 4711) has ended.\n")
    }

    @Test("A server whose process cannot be seen is not asked to end by --wait")
    func invisible() async throws {
        let program = try TestProgram(Self.drains) { _ in nil }
        #expect(try await program.run("admin", "drain", "--wait") == 73)
        #expect(program.channel.calls.map(\.method) == ["GetServerInfo"])
        #expect(program.standardError.contains("4711") && program.standardError.contains("Next: pulseboard admin drain"))
    }

    @Test("Whoever is not trusted is told so")
    func stranger() async throws {
        let refusal = try RPCError.with(.permissionDenied, reason: "NOT_TRUSTED")
        let program = try TestProgram(["Drain": { (_, _) throws(RPCError) in throw refusal }], userID: 1_000)
        #expect(try await program.run("admin", "drain") == 71)
        #expect(
            program.standardError.hasPrefix(
                "Error: Only users whom the server trusts may do this. The server's configuration names them (--admin-uid)"))
        #expect(program.standardError.hasSuffix("Next: sudo pulseboard admin drain --socket \(TestProgram.socket)\n"))
    }

    @Test(
        "admin migrate runs the server's program, and its failure has an exit code of this one; without that program it says so",
        arguments: [(0, 0), (64, 64), (69, 78), (1, 77), (130, 130), (nil, 69)] as [(Int32?, Int32)])
    func migrate(code: Int32?, exitCode: Int32) async throws {
        let started = Mutex<[[String]]>([])
        let program = try TestProgram(runServerProgram: { arguments in
            started.withLock { $0.append(arguments) }
            return code
        })
        #expect(try await program.run("admin", "migrate", "--from", "sqlite:/a", "--to", "postgresql:///b") == exitCode)
        #expect(started.withLock { $0 } == [["migrate", "--from", "sqlite:/a", "--to", "postgresql:///b"]])
        #expect(program.standardError == (code == nil ? "Error: The server's program `pulseboardd` is not installed here.\n" : ""))
    }
}
