import Foundation
import PulseBoardMessages
import RPCClient
import RPCCore
import TestHarness
import Testing

/// What operators and monitoring systems see of a server.
@Suite("Observing, end to end", .serialized, .timeLimit(.minutes(3)))
struct ObservingTests {
    private static let monitoring = URL(filePath: #filePath).appending(path: "../../../Scripts/monitoring").standardized

    /// The port of the metrics from the server's log.
    private func port(_ server: ChildProcess) async throws -> String {
        let port = await server.progress.first { progress -> String? in
            progress.errorText.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\/metrics/).map { String($0.1) }
        }
        return try #require(port)
    }

    /// The answer of a local port to an HTTP request.
    private func get(_ path: String, _ port: String, _ house: Household, method: String = "GET") async throws -> String {
        try await house.run(
            "/bin/bash", ["-c", #"exec 3<>"/dev/tcp/127.0.0.1/$0"; printf '%s %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n' "$2" "$1" >&3; cat <&3"#, port, path, method]
        ).output
    }

    /// The names of metrics in OpenMetrics text.
    private static func names(_ text: String) -> Set<String> {
        Set(text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { String($0.prefix { $0 != "{" && $0 != " " }) })
    }

    @Test("the figures are read by HTTP at a port of the loopback interface, as text that admin metrics gives too")
    func scraped() async throws {
        try await Household.withServer(["--metrics", "0"]) { house, server in
            _ = try await house.enter(as: "one", username: "first")
            let port = try await port(server)
            let answer = try await get("/metrics", port, house)
            #expect(
                answer.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: application/openmetrics-text; version=1.0.0; charset=utf-8\r\n"),
                "\(answer.prefix(300))")
            #expect(answer.hasSuffix("# EOF\n"))
            #expect(answer.contains(#"pulseboard_calls_total{code="OK",method="SignIn",service="pulseboard.auth.v1.AuthService"} 1"#), "\(answer)")
            #expect(answer.contains("pulseboard_store_up 1\n") && answer.contains(#"le="+Inf""#))
            #expect(try await get("/other", port, house).hasPrefix("HTTP/1.1 404 "))
            #expect(try await get("/metrics", port, house, method: "POST").hasPrefix("HTTP/1.1 405 "))
            #expect(try await get("/metrics", port, house, method: "HEAD").hasSuffix("\r\n\r\n"))
            let text = try await house.pulseboard("admin", "metrics")
            #expect(text.exit == .success)
            // The text was made later, so it may have more.
            let scraped = Self.names(String(answer.split(separator: "\r\n\r\n", maxSplits: 1)[1]))
            #expect(scraped.count > 15 && scraped.isSubset(of: Self.names(text.output)), "\(scraped.subtracting(Self.names(text.output)))")
            #expect(text.output.contains("process_resident_memory_bytes ") && text.output.hasSuffix("# EOF\n"))
        }
    }

    @Test("alert rules and the dashboard name metrics that exist, and promtool takes the rules")
    func rules() async throws {
        try await Household.withServer { house, _ in
            _ = try await house.enter(as: "one", username: "first")
            let known = Self.names(try await house.pulseboard("admin", "metrics").output).union(["up"])
            let alerts = try String(contentsOf: Self.monitoring.appending(path: "alerts.yml"), encoding: .utf8)
            let dashboard = try String(contentsOf: Self.monitoring.appending(path: "dashboard.json"), encoding: .utf8)
            var named: Set<String> = []
            for text in [alerts, dashboard] {
                for match in text.matches(of: /\b(?:pulseboard|process)_[a-z_]+\b/) { named.insert(String(match.0)) }
            }
            #expect(named.count > 15)
            // These are absent without issuers, without an archive, without failures of the store and without refusals.
            let absent: Set = [
                "pulseboard_issuer_keys", "pulseboard_issuer_keys_timestamp_seconds", "pulseboard_store_failed_accesses", "pulseboard_refusals_total", "pulseboard_store_archive_up",
            ]
            #expect(named.subtracting(known) == named.intersection(absent), "\(named.subtracting(known))")
            guard let promtool = try Self.program("promtool") else { return }
            let checked = try await house.run(promtool, ["check", "rules", Self.monitoring.path + "/alerts.yml"])
            #expect(checked.exit == .success, "\(checked)")
        }
    }

    @Test("Debian's Prometheus scrapes a server")
    func prometheus() async throws {
        guard let prometheus = try Self.program("prometheus") else { return }
        try await Household.withServer(["--metrics", "0"]) { house, server in
            let target = try await port(server)
            let configuration = """
                global: {scrape_interval: 1s}
                rule_files: ["\(Self.monitoring.path)/alerts.yml"]
                scrape_configs:
                  - job_name: pulseboard
                    static_configs: [{targets: ["127.0.0.1:\(target)"]}]

                """
            try configuration.write(toFile: house.root + "/prometheus.yml", atomically: true, encoding: .utf8)
            // A port that is probably free.
            let listen = 20_000 + Int(server.pid) % 20_000
            let child = try house.start(prometheus, [
                "--config.file", house.root + "/prometheus.yml", "--storage.tsdb.path", house.root + "/tsdb", "--web.listen-address", "127.0.0.1:\(listen)",
            ])
            let isReady = await child.progress.first { progress in
                progress.errorText.contains("Server is ready") ? true : progress.exit == nil ? nil : false
            }
            #expect(isReady == true, "\(child.progress.current.errorText)")
            // Prometheus reports no scrape, so one process asks it after each until it knows the metric.
            let answer = try await house.run(
                "/bin/bash", ["-c", #"""
                    while kill -0 "$1" 2>&-; do
                        exec 3<>"/dev/tcp/127.0.0.1/$0"
                        printf 'GET /api/v1/query?query=pulseboard_build_info HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n' >&3
                        answer=$(cat <&3)
                        case $answer in *'"value"'*) break; esac
                        sleep 1
                    done
                    printf %s "$answer"
                    """#, String(listen), String(child.pid)]
            ).output
            #expect(answer.contains("\"version\":\"") && answer.contains("127.0.0.1:\(target)"), "\(answer) \(child.progress.current.errorText)")
        }
    }

    /// A program from Debian; `nil` if it is not installed. With CI=true it must be installed.
    private static func program(_ name: String) throws -> String? {
        let path = "/usr/bin/" + name
        if access(path, X_OK) == 0 { return path }
        try #require(ProcessInfo.processInfo.environment["CI"] != "true", "\(name) is not installed")
        return nil
    }

    @Test("the log level changes while the server runs, by command and by SIGHUP, and a server's own failure is logged at any")
    func logLevel() async throws {
        try await Household.with { house in
            let file = house.root + "/pulseboardd.toml"
            try "log-level = \"error\"\nadmin-uid = [12345]\n".write(toFile: file, atomically: true, encoding: .utf8)
            let server = try await house.startServer(["--config", file])
            let debug = try await house.pulseboard("admin", "set", "log-level", "debug")
            #expect(debug.output == "The log level is debug; it was error.\n", "\(debug)")
            _ = try await house.pulseboard("ping", "--count", "1")
            #expect(await server.progress.first { $0.errorText.contains("a call ended") ? true : nil } == true)
            let wrong = try await house.pulseboard("admin", "set", "log-level", "loud")
            #expect(wrong.exit == .status(64) && wrong.errors.contains("'loud'"), "\(wrong)")
            let refused = try await house.pulseboard("rpc", "call", "pulseboard.admin.v1.AdminService/SetLogLevel", "-d", #"{"level": "loud"}"#)
            #expect(refused.exit == .status(67) && refused.errors.contains("LOG_LEVEL_INVALID"), "\(refused)")
            try "log-level = \"notice\"\n".write(toFile: file, atomically: true, encoding: .utf8)
            server.send(SIGHUP)
            #expect(await server.progress.first { $0.errorText.contains("the configuration was read again") ? true : nil } == true)
            #expect(try await house.pulseboard("admin", "set", "log-level", "info").output.contains("it was notice"))
            try "log-level = \"nothing\"\n".write(toFile: file, atomically: true, encoding: .utf8)
            server.send(SIGHUP)
            #expect(await server.progress.first { $0.errorText.contains("the server goes on as it was") ? true : nil } == true)
        }
    }

    /// Makes a server read its configuration again, and returns its log line about that.
    private func reloaded(_ server: ChildProcess, round: Int) async -> String {
        server.send(SIGHUP)
        return await server.progress.first { progress in
            let lines = progress.errorText.split(separator: "\n").filter { $0.contains("SIGHUP: the configuration") }
            return lines.count >= round ? String(lines[round - 1]) : progress.exit == nil ? nil : "it has ended"
        } ?? ""
    }

    @Test("a value that makes no sense is named, also where it begins with a dash", arguments: [
        "--grace-period", "--withdrawal-grace", "--username-cooldown", "--username-hold", "--remote-heartbeat", "--wal-archive-days", "--username-length", "--metrics",
        "--socket-mode", "--remote-socket-mode", "--admin-uid", "--trusted-uid",
    ])
    func namedValues(_ option: String) async throws {
        try await Household.with { house in
            let run = try await house.run(Programs.server, ["--check-config", option, "-1"])
            #expect(run.exit == .status(64) && run.errors.contains("'-1'"), "\(run)")
        }
    }

    @Test("an archive or pictures in the data directory itself are refused, also through a link", arguments: ["--wal-archive", "--image-directory"])
    func archiveBesideItself(option: String) async throws {
        try await Household.with { house in
            let data = house.root + "/kept", link = house.root + "/link"
            try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: data)
            for archive in [data, data + "/", link] {
                let run = try await house.run(Programs.server, ["--check-config", "--data-directory", data, option, archive])
                #expect(run.exit == .status(64) && run.errors.contains("\(option) must not be"), "\(run)")
            }
        }
    }

    @Test("SIGHUP changes the rules of names and the grace periods at once")
    func reloadedRules() async throws {
        try await Household.with { house in
            let file = house.root + "/pulseboardd.toml"
            try "".write(toFile: file, atomically: true, encoding: .utf8)
            let server = try await house.startServer(["--config", file])
            _ = try await house.pulseboard("auth", "login")
            #expect(try await house.pulseboard("profile", "check-username", "ab").output.contains("is free"))
            let rules = "username-length = \"3-9\"\nwithdrawal-grace = 0\ngrace-period = 7\nusername-cooldown = 1\nusername-hold = 1\n"
            try rules.write(toFile: file, atomically: true, encoding: .utf8)
            let changed = "changed=username-length, withdrawal-grace, username-cooldown, username-hold, grace-period"
            #expect(await reloaded(server, round: 1).contains(changed))
            #expect(try await house.pulseboard("profile", "check-username", "ab").output.contains("cannot be taken"))
            _ = try await house.pulseboard("profile", "create", "--username", "abc")
            let left = try await house.pulseboard("account", "withdraw", "--yes", "--json")
            guard case .string(let purge) = try JSON(left.output)["purgeTime"] else { throw CancellationError() }
            // Days are enough: it would be a month later.
            #expect(purge.prefix(10) <= Date(timeIntervalSinceNow: 86_400).ISO8601Format().prefix(10), "\(purge)")
            #expect(try await house.answer("admin", "drain")["gracePeriodSeconds"].integer == 7)
        }
    }

    @Test("SIGHUP changes limits and uids at once, names what needs a restart, and a file that is no good changes nothing")
    func reloadedLimits() async throws {
        try await Household.with { house in
            let file = house.root + "/pulseboardd.toml"
            let write = { (text: String) in try text.write(toFile: file, atomically: true, encoding: .utf8) }
            try write("")
            let server = try await house.startServer(["--config", file])
            let idle = try RawConnection(house.socket)
            defer { idle.close() }
            try idle.ask()
            #expect(await idle.answered())
            try write("[limit]\nconnections-per-uid = 1\n")
            #expect(await reloaded(server, round: 1).contains("changed=limit"))
            #expect(try await house.pulseboard("ping", "--count", "1").exit == .status(78))
            try write("socket-mode = \"666\"\nusername-length = \"3-9\"\ntrusted-uid = [4242]\n")
            #expect(await reloaded(server, round: 2).contains("changed=trusted-uid, username-length, limit"))
            #expect(try await house.pulseboard("ping", "--count", "1").exit == .success)
            #expect(await server.said("warning", "restart to apply", "settings=socket-mode "))
            try write("[limit]\nconnections-per-uid = 0\n")
            #expect(await reloaded(server, round: 3).contains("the server goes on as it was"))
            #expect(try await house.pulseboard("ping", "--count", "1").exit == .success)
            try write("socket-mode = \"666\"\nusername-length = \"3-9\"\ntrusted-uid = [4242]\n")
            #expect(await reloaded(server, round: 4).contains("changed=nothing"))
        }
    }

    @Test("an option whose path is empty by mistake is refused, and not left out", arguments: ["--wal-archive", "--image-directory", "--socket"])
    func emptyPath(_ option: String) async throws {
        try await Household.with { house in
            let run = try await house.run(Programs.server, ["--check-config", option, ""])
            #expect(run.exit == .status(64) && run.errors.contains("\(option) needs a path"), "\(run)")
        }
    }

    @Test("--check-config says what the server would run with, and names what is wrong", arguments: [
        ("socket-mode = \"660\"\n[limit]\ncalls = 4096\n", nil), ("log-level = = 1\n", "pulseboardd.toml:1: "),
        ("log-format = \"text\"\nlog-level = info\n", "A text stands between quotation marks"),
        ("log-level = \"info\nlog-format = \"text\"\n", "pulseboardd.toml:1: "),
        ("color = true\n", "There is no setting 'color'"), ("admin-uid = \"x\"\n", "'admin-uid' must be a list of numbers"),
        ("[limit]\ncalls = 9\nlog-level = \"info\"\n", "'log-level' stands below [limit]"),
        ("[limit]\ncalls = 0\n", "calls is a whole number from 1"), ("log-level = \"loud\"\n", "not 'loud'"),
        ("store = \"SQLite\"\n", "The store is the address of a PostgreSQL database"),
    ])
    func checkConfig(_ text: String, _ problem: String?) async throws {
        try await Household.with { house in
            let file = house.root + "/pulseboardd.toml"
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            let run = try await house.run(
                Programs.server, ["--check-config", "--config", file], ["PULSEBOARD_LOG_LEVEL": problem == nil ? "info" : ""])
            if let problem {
                #expect(run.exit == .status(64) && run.errors.contains(problem), "\(run)")
            } else {
                #expect(run.exit == .success && run.output.contains("socket-mode = \"660\"") && run.output.contains("log-level = \"info\""), "\(run)")
            }
        }
    }

    @Test("a configuration file with NUL or without UTF-8 is refused, and changes no running server", arguments: [
        "log-level = \"info\"\n\0admin-uid = [7]\n", String(repeating: "\0", count: 300), "log-level = \"info\\u0000\"\n", "socket = \"\\U00000000/s\"\n", "\u{FF}",
    ])
    func damagedConfiguration(_ text: String) async throws {
        try await Household.with { house in
            let file = house.root + "/pulseboardd.toml"
            try "log-level = \"info\"\n".write(toFile: file, atomically: true, encoding: .utf8)
            let server = try await house.startServer(["--config", file])
            try text.data(using: .isoLatin1)?.write(to: URL(filePath: file))
            let run = try await house.run(Programs.server, ["--check-config", "--config", file])
            #expect(run.exit == .status(64) && run.errors.contains("cannot be read: it "), "\(run)")
            #expect(await reloaded(server, round: 1).contains("the server goes on as it was"))
        }
    }

    @Test("what --check-config prints is a configuration file with all keys, and means the same")
    func printedConfiguration() async throws {
        try await Household.with { house in
            let file = house.root + "/pulseboardd.toml"
            let chosen = """
                socket = "\(house.root)/a \\"b\\" \\\\ c.sock"
                remote-socket = "\(house.root)/r"
                wal-archive = "\(house.root)/archive"
                metrics = "0"
                log-format = "json"
                admin-uid = [7]
                grace-period = 2.5
                username-length = "3-9"
                [limit]
                calls = 400
                memory = 100
                """
            try chosen.write(toFile: file, atomically: true, encoding: .utf8)
            func lines() async throws -> [String] {
                let run = try await house.run(Programs.server, ["--check-config", "--config", file])
                #expect(run.exit == .success, "\(run)")
                return run.output.split(separator: "\n").dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
            }
            let first = try await lines()
            #expect(first.contains("grace-period = 2.5") && first.contains("memory-per-user = 25"), "\(first)")
            try (first.joined(separator: "\n") + "\n").write(toFile: file, atomically: true, encoding: .utf8)
            #expect(try await lines() == first)

            let refused = try await house.run(Programs.server, ["--check-config"], ["PULSEBOARD_CONFIG": file, "PULSEBOARD_LOG_LEVEL": "loud"])
            #expect(refused.exit == .status(64))
            try "nonsense = 1\n".write(toFile: file, atomically: true, encoding: .utf8)
            let keys = try await house.run(Programs.server, ["--check-config", "--config", file]).errors
            let known = try #require(keys.split(separator: "The settings are: ").last?.split(separator: ".").first)
                .split(separator: ", ").map(String.init)
            let printed = first.compactMap { line in
                line.trimmingCharacters(in: CharacterSet(charactersIn: "# []")).split(whereSeparator: { " :".contains($0) }).first.map(String.init)
            }
            #expect(Set(known).subtracting(printed).isEmpty, "\(Set(known).subtracting(printed))")
        }
    }

    /// Begins a call that lasts until its client ends it. Returns when the server runs its handler.
    private func lastingCall(_ channel: Channel) async throws -> ClientStream<PBUploadProfileImageRequest, PBStagedImage> {
        let session = try await PBAuthServiceClient(channel: channel).signIn(PBSignInRequest(credential: .peer(PBPeerCredential())))
        let options = CallOptions(metadata: ["authorization": "Bearer " + session.token])
        _ = try await PBProfileServiceClient(channel: channel).createProfile(PBCreateProfileRequest(username: "first"), options: options)
        let upload = PBProfileImageServiceClient(channel: channel).uploadProfileImage(options: options)
        try await upload.write(PBUploadProfileImageRequest(part: .header(PBUploadProfileImageHeader(sizeBytes: 100))))
        try await until { try await PBAdminServiceClient(channel: channel).getServerInfo(PBGetServerInfoRequest()).runningCalls == 1 }
        return upload
    }

    @Test("a service manager is told when the server is ready, that it lives, and that it ends, before its last call has ended")
    func notified() async throws {
        try await Household.with { house in
            let manager = try NotifySocket(in: house.root)
            let server = try house.start(
                Programs.server, ["--socket", house.socket, "--data-directory", house.data, "--grace-period", "90"],
                ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "300000"])
            let told = try await manager.reports(through: "WATCHDOG=1", count: 3)
            #expect(told.contains { $0.hasPrefix("READY=1\nSTATUS=socket \(house.socket)") }, "\(told)")
            let channel = try Channel(socketPath: house.socket)
            let call = try await lastingCall(channel)
            server.send(SIGTERM)
            let end = try await manager.reports(through: "STOPPING=1").last
            #expect(
                end?.contains("\nEXTEND_TIMEOUT_USEC=120000000\n") == true,
                "it may take as long as its grace period, and a little more: \(end ?? "")")
            _ = try await manager.reports(through: "WATCHDOG=1", count: 2)
            #expect(server.progress.current.exit == nil, "it waits for its last call, and says that it lives")
            call.cancel()
            #expect(try await server.ended() == .success)
            await channel.close()
        }
    }

    @Test("the units are correct, and the system service is closed to what it does not need")
    func units() async throws {
        guard let analyze = try Self.program("systemd-analyze") else { return }
        try await Household.with { house in
            let folder = Self.monitoring.appending(path: "..").standardized.path
            let ofMachine = [
                "pulseboardd.service", "pulseboardd.socket", "pulseboardd-remote.socket", "pulseboard-jwks@.service", "pulseboard-jwks@.timer"
            ]
            for unit in ofMachine.map({ "system/" + $0 }) + ["pulseboardd.service", "pulseboardd.socket"] {
                let target = house.root + (unit.hasPrefix("system/") ? "/system/" : "/user/")
                try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
                let text = try String(contentsOfFile: folder + "/" + unit, encoding: .utf8)
                // A program that exists.
                let placed = text.replacing(/@PREFIX@\/bin\/pulseboardd?/, with: "/bin/true").replacing("@PREFIX@", with: "/usr")
                    .replacing("@SYSCONFDIR@", with: "/etc").replacing("Documentation=man:", with: "Documentation=https://localhost/")
                try placed.write(toFile: target + unit.split(separator: "/").last!, atomically: true, encoding: .utf8)
            }
            // Not every machine has curl, which the service of keys starts.
            let system = ofMachine.filter { $0 != "pulseboard-jwks@.service" }.map { house.root + "/system/" + $0 }
            let verified = try await house.run(analyze, ["verify", "--man=no", "--recursive-errors=no"] + system)
            #expect(verified.exit == .success && verified.errors.isEmpty, "\(verified)")
            let user = try await house.run(
                analyze,
                [
                    "--user", "verify", "--man=no", "--recursive-errors=no", house.root + "/user/pulseboardd.service",
                    house.root + "/user/pulseboardd.socket"
                ],
                ["XDG_RUNTIME_DIR": house.root])
            #expect(user.exit == .success && user.errors.isEmpty, "\(user)")
            for unit in ofMachine where unit.hasSuffix(".service") {
                let security = try await house.run(
                    analyze, ["security", "--offline=true", "--threshold=20", "--no-pager", house.root + "/system/" + unit])
                #expect(security.exit == .success, "\(security.output.suffix(200))")
            }
        }
    }
}
