import ArgumentParser
import CommandHelp
import DiarySealing
import FoundationEssentials
import Glibc
import IDTokens
import Logging
import ProfileImages
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardRPC
import PulseBoardServices
import PulseBoardVocabulary
import RPCCore
import RPCServer
import RPCStandardServices
import ServerLog
import ServiceLifecycle
import SocketTransport
import StorePostgreSQL
import StoreSQL
import StoreSQLite

/// The server program. It makes the store, the services, the router and the sockets from the settings.
@main
struct PulseBoardDaemon: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "pulseboardd",
            abstract: Phrase(
                "Serve profiles, onboarding, follows and diaries to local clients over a Unix socket.",
                "유닉스 소켓으로 이 컴퓨터의 클라이언트에 프로필, 온보딩, 팔로우, 일기를 제공합니다."),
            discussion: Phrase(
                """
                Without options it serves the current user's own socket from a SQLite database in that user's data directory. With --store \
                several servers share a PostgreSQL database. \
                Every option but --check-config can be given as an environment variable instead; an option wins over its variable.

                SIGTERM, SIGINT and `pulseboard admin drain` finish the calls that are running, for at most --grace-period seconds, \
                then exit with 0.

                A listening socket that systemd hands over (LISTEN_FDS) is served instead of one of its own, and stays when the \
                server ends: clients wait in its queue for the next server. One that is named "remote" (LISTEN_FDNAMES) is the gateway's.
                """,
                """
                옵션이 없으면 현재 사용자의 소켓을, 그 사용자의 데이터 디렉터리에 있는 SQLite 데이터베이스로 제공합니다. --store를 쓰면 여러 서버가 \
                PostgreSQL 데이터베이스 하나를 함께 씁니다.
                --check-config를 제외한 모든 옵션은 환경 변수로도 줄 수 있으며, 옵션이 환경 변수보다 앞섭니다.

                SIGTERM, SIGINT, `pulseboard admin drain`을 받으면 실행 중인 호출을 최대 --grace-period초 동안 마친 뒤 0으로 끝납니다.

                systemd가 넘겨준 소켓(LISTEN_FDS)이 있으면 자기 소켓 대신 그것을 쓰며, 서버가 끝나도 소켓은 남아 클라이언트가 다음 서버를 \
                기다립니다. 이름이 "remote"인 것(LISTEN_FDNAMES)은 게이트웨이의 소켓입니다.
                """),
            version: "pulseboardd \(pulseBoardVersion)", subcommands: [MigrateCommand.self])
    }

    @OptionGroup var options: DaemonOptions

    /// Reads the arguments and serves. Help and usage errors are in the language of the environment.
    static func main() {
        let program = ProgramArguments.current
        let arguments = program.words
        // Until ``SignalResponse`` SIGHUP has no work, because everything is read for the first time. By default it would end the start. The others
        // find nothing to close. `migrate` ends with its terminal, like other commands.
        if !arguments.contains("migrate") {
            // Not for a check, whose status says whether the configuration is valid.
            if !arguments.contains("--check-config") {
                for number in [SIGTERM, SIGINT] { signal(number) { _ in _exit(EXIT_SUCCESS) } }
            }
            signal(SIGHUP, SIG_IGN)
        }
        // They must come before there are threads.
        DescriptorLimit.raise()
        ProcessMemory.prepare()
        ProgramTask.run {
            await runInLanguage(arguments, areValid: program.areValid)
            return EXIT_SUCCESS
        }
    }

    private static func runInLanguage(_ arguments: [String], areValid: Bool) async {
        let language = Language(variables: Environment.current)
        await HelpLanguage.$current.withValue(language) {
            do {
                guard areValid else {
                    throw ValidationError(Phrase("The command line is not valid UTF-8.", "명령줄이 올바른 UTF-8이 아닙니다."))
                }
                if let variable = Environment.invalidSetting {
                    throw ValidationError(Phrase("\(variable) is not valid UTF-8.", "\(variable)이(가) 올바른 UTF-8이 아닙니다."))
                }
                var command = try parseAsRoot(arguments)
                if var asynchronous = command as? any AsyncParsableCommand {
                    try await asynchronous.run()
                } else {
                    try command.run()
                }
            } catch {
                end(with: error, of: arguments, in: language)
            }
        }
    }

    /// Writes an answer to standard output. If it cannot be written, such as on a full disk, the program exits with 1.
    private static func answer(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let cause = Phrase.systemError(errno)
                let phrase = Phrase("the answer could not be written: \(cause.english)", "결과를 출력하지 못했습니다: \(cause.korean)")
                let output = LineOutput(descriptor: STDERR_FILENO)
                output.write("pulseboardd: \(phrase.text(in: HelpLanguage.current))\n")
                output.flush(within: .seconds(1))
                Glibc.exit(EXIT_FAILURE)
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Prints the message of argument-parser, and exits.
    private static func end(with error: any Error, of arguments: [String], in language: Language) -> Never {
        let code = exitCode(for: error)
        if let usage = try? CommandUsage(of: Self.self, for: arguments, in: language) {
            if code == .success {
                answer((usage.asksForHelp(error) ? usage.page(columns: terminalColumns(of: STDOUT_FILENO)) : fullMessage(for: error)) + "\n")
                Glibc.exit(code.rawValue)
            }
            if code == .validationFailure {
                let output = LineOutput(descriptor: STDERR_FILENO)
                output.write(usage.text(for: error) + "\n")
                output.flush(within: .seconds(1))
                Glibc.exit(code.rawValue)
            }
        }
        exit(withError: error)
    }

    func run() async throws {
        let settings = try DaemonSettings(options, environment: Environment.current, uid: getuid())
        // All files that are created from here on, such as the database, are accessible to the owner only.
        umask(0o077)
        // A write beyond a limit on the size of files must fail like one on a full disk, and not end the process.
        signal(SIGXFSZ, SIG_IGN)
        if options.checkConfig {
            guard let problem = settings.unreadableFile else { return Self.answer(settings.summary) }
            // Other programs read the settings all the same.
            Self.answer(settings.table)
            throw ValidationError(problem)
        }
        let log = ServerLog(label: "pulseboardd", format: settings.logFormat)
        defer { log.end() }
        LoggingSystem.bootstrap { log.handler(label: $0) }
        var logger = Logger(label: "pulseboardd")
        logger.logLevel = settings.logLevel
        let signals = await SignalResponse(log: log, logger: logger)
        logger.debug("descriptors", metadata: ["limit": "\(DescriptorLimit.current)"])
        // A store on PostgreSQL is named by its errors.
        let place = settings.storeAddress == nil ? " in \(settings.dataDirectory)" : ""
        do {
            try await serve(settings, logger, signals, log)
        } catch let error as SocketError {
            if case .wrongDescriptor = error.kind { try fail("cannot serve the socket that was handed over", error.description, log) }
            // It names the path, which may be that of the remote socket or of the metrics.
            try fail("cannot serve", error.description, log)
        } catch let error as RepositoryError {
            // The store failed while the services were made, which read it and write a key.
            try fail("cannot use the store\(place)", Self.words(error), log)
        } catch let error as StoreOpeningError {
            try fail("cannot open the store\(place)", error.description, log)
        } catch let error as PostgreSQLOpeningError {
            try fail("cannot open the store on PostgreSQL", error.description, log)
        }
    }

    /// How long after its grace period the server before this one may take for its last answers, its last write and its end.
    static let takeoverMargin = Duration.seconds(5)

    private func serve(_ settings: DaemonSettings, _ logger: Logger, _ signals: SignalResponse, _ log: ServerLog) async throws {
        let manager = ServiceManagerLink(environment: Environment.current)
        // The socket's lock comes first, so that a second server reports who holds the socket.
        let sockets = try signals.starting { try ServedSockets(settings, environment: Environment.current) }
        let running = RunningServer(
            sockets: sockets, dataDirectory: URL(filePath: settings.dataDirectory).standardized.path, log: log)
        let parts: Parts
        do { parts = try await makeParts(settings, sockets, running, logger, manager) } catch {
            signals.startFailed()
            throw error
        }
        let (store, server, services, scrapes) = (parts.store, parts.server, parts.services, parts.scrapes)
        defer { scrapes?.close() }
        let watch = manager.map { link in
            ServiceManagerWatch(
                link: link, patience: ServiceManagerLink.watchdogInterval(environment: Environment.current, pid: getpid()), server: server,
                store: store, trouble: { store.status.trouble?.failure.rawValue })
        }
        signals.onHangUp { reload(into: running, startedWith: settings, logger) }
        let service = ServerService(
            server: server, sockets: sockets, remoteRole: settings.remoteRole, gracePeriod: { running.gracePeriod },
            requestedDrains: running.drains, willEnd: { watch?.tellEnding(within: $0) }
        ) {
            announce("pulseboardd \(pulseBoardVersion) ready: \(sockets.description), store \(store)")
            watch?.tellReady("\(sockets.description), store \(store)")
            if let scrapes { logger.notice("figures can be read", metadata: ["metrics": "\(scrapes.description)"]) }
            logger.info("ready", metadata: [
                "socket": "\(sockets.local.path)", "socket.handed_over": "\(sockets.local.isInherited)",
                "socket.remote": "\(sockets.remote?.path ?? "none")", "store": "\(store)", "version": "\(pulseBoardVersion)",
            ])
        }
        // The group ends them one after another, the last one first. So the first one goes on until all others have ended.
        //
        // A drain that a client requested ends the server without a signal. Then the rest of the group must end as on a
        // signal.
        let background: [(any Service)?] = [
            watch, HousekeepingWatch(store: store, logger: logger), parts.storeWatch, ImageFolderWatch(folder: parts.folder, logger: logger),
            Sweep.purge(services.withdrawals, logger), services.images.map { Sweep.pictures($0, logger) },
        ]
        let group = ServiceGroup(configuration: .init(
            services: background.compactMap { $0.map { .init(service: $0) } }
                + [.init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)],
            logger: logger))
        signals.serving(group)
        try await group.run()
        close(store, logger)
        logger.info("stopped")
    }

    /// What a server consists of, besides its sockets.
    private struct Parts {
        let store: any ServedStore
        let storeWatch: StoreWatch
        let services: Services
        let folder: ImageFolder
        let server: Server
        let scrapes: ScrapeEndpoint?
    }

    /// Opens the store, and makes the services and the server on it.
    private func makeParts(
        _ settings: DaemonSettings, _ sockets: ServedSockets, _ running: RunningServer, _ logger: Logger, _ manager: ServiceManagerLink?
    ) async throws -> Parts {
        let idTokens = ReplaceableIDTokens(settings.idTokens, logger: logger, files: { BlockingTaskExecutor(label: "issuers.keys", threads: 1) })
        // The process that handed the socket over may have started this server while the former one finishes its calls.
        let patience = sockets.areInherited ? settings.gracePeriod + Self.takeoverMargin : .zero
        let store = try await Self.open(settings, patience: patience, logger, manager)
        do { return try await makeParts(on: store, settings, running, idTokens, logger) } catch {
            // A store that is only let go would not copy its last transactions into the archive.
            try? store.close()
            throw error
        }
    }

    private func makeParts(
        on store: any ServedStore, _ settings: DaemonSettings, _ running: RunningServer, _ idTokens: ReplaceableIDTokens, _ logger: Logger
    ) async throws -> Parts {
        let folder = try ImageFolder(path: URL(filePath: settings.imageDirectory).standardized.path)
        Self.tellRights(of: settings.storeAddress == nil ? [settings.dataDirectory, settings.imageDirectory] : [settings.imageDirectory], logger)
        let images = Services.ImageParts(
            store: folder, decoder: ImageProgram(program: settings.imageProgram, uploadsIn: settings.imageDirectory, health: folder.health))
        if access(settings.imageProgram, X_OK) != 0 {
            logger.notice("no pictures can be uploaded: there is no program that decodes them", metadata: ["path": "\(settings.imageProgram)"])
        }
        var configuration = settings.services
        configuration.limitUploads(toDescriptors: DescriptorLimit.current)
        DescriptorLimit.reserve(forFiles: configuration.uploadDescriptors)
        let services = try await Services(store: store, images: images, idTokens: idTokens, configuration: configuration)
        var router = Router()
        services.register(on: &router)
        running.administration(settings).register(on: &router)
        // These calls work for the operator even when clients have taken all places.
        router.reserveCalls(for: [
            PBAdminService.Methods.getServerInfo.path, PBAdminService.Methods.getMetrics.path, PBAdminService.Methods.setLogLevel.path,
            PBAdminService.Methods.drain.path,
        ])
        let health = router.registerStandardServices(
            describing: Services.registered.map(\.file) + [PBAdminService.file] + Services.errorFiles)
        let storeWatch = StoreWatch(
            store: store, health: health, services: Services.registered.map(\.name),
            locked: store.areDiariesLocked ? [PBDiaryService.fullName] : [], logger: logger)
        let server = try Server(
            Server.Configuration(limits: settings.limits), router: router,
            interceptors: services.interceptors(
                publicMethods: Router.standardMethods, localMethods: settings.remoteReflection ? [] : Router.reflectionMethods),
            observers: [running.metrics, CallLog()], logger: logger)
        running.begin(server, store, services, folder, idTokens)
        let scrapes = try settings.metrics.map {
            try ScrapeEndpoint($0, path: "/metrics", contentType: OpenMetricsText.contentType) { running.openMetrics() }
        }
        return Parts(store: store, storeWatch: storeWatch, services: services, folder: folder, server: server, scrapes: scrapes)
    }

    /// Opens the store of the settings.
    private static func open(
        _ settings: DaemonSettings, patience: Duration, _ logger: Logger, _ manager: ServiceManagerLink?
    ) async throws -> any ServedStore {
        if let address = settings.storeAddress {
            // SQLite's store makes its directory, where the pictures are by default. With PostgreSQL nothing else makes it.
            do { try FileManager.default.createDirectory(atPath: settings.imageDirectory, withIntermediateDirectories: true) } catch {
                throw StoreOpeningError.directoryUnusable(path: settings.imageDirectory, detail: error.causeForPeople)
            }
            let store = try await connect(to: address, settings, logger, manager)
            try await tellKeys(of: store, settings, logger)
            return store
        }
        let store = try await SQLiteStore.open(
            directory: settings.dataDirectory, patience: patience, usernames: settings.usernames, diaryKeys: settings.diaryKeys,
            archive: settings.archive
        ) {
            // An hour is longer than any migration takes.
            manager?.tell("STATUS=bringing the database to this version", "EXTEND_TIMEOUT_USEC=3600000000")
            logger.notice("bringing the database of an earlier version to this one; a minute for ten million follows")
        } willWait: { holder in
            logger.info(
                "waiting for another server to leave the data directory",
                metadata: ["holder.pid": "\(holder.map(String.init) ?? "unknown")"])
        }
        _ = try await complete(store)
        try await tellKeys(of: store, settings, logger)
        return store
    }

    /// Logs if other users may write into a directory, and so replace what is in it.
    private static func tellRights(of directories: [String], _ logger: Logger) {
        for directory in directories {
            var status = stat()
            guard stat(directory, &status) == 0, status.st_mode & 0o022 != 0 else { continue }
            logger.warning(
                "other users may write into a directory of the server: chmod go-w",
                metadata: ["directory": "\(directory)", "mode": "\(String(status.st_mode & 0o7777, radix: 8))"])
        }
    }

    /// Logs if PostgreSQL acknowledges a COMMIT before it is durable.
    private static func tellDurability(of store: PostgreSQLStore, _ logger: Logger) async throws(RepositoryError) {
        let setting = try await store.commitSetting()
        guard ["off", "local"].contains(setting) else { return }
        logger.warning(
            "acknowledged writes can be lost: synchronous_commit is \(setting) for this role; ALTER ROLE … RESET synchronous_commit",
            metadata: ["synchronous_commit": "\(setting)"])
    }

    /// Opens the store on PostgreSQL. For a service manager it waits for a database that does not answer, because both may start after a power cut.
    /// Who types the command gets the error at once.
    private static func connect(
        to address: String, _ settings: DaemonSettings, _ logger: Logger, _ manager: ServiceManagerLink?
    ) async throws -> PostgreSQLStore {
        var former: String?
        while true {
            let detail: String
            do {
                return try await ready(PostgreSQLStore(address: address, usernames: settings.usernames, diaryKeys: settings.diaryKeys), logger)
            } catch let error as PostgreSQLOpeningError {
                guard manager != nil, case .failed = error else { throw error }
                detail = error.description
            } catch RepositoryError.storeUnavailable(.unreachable, let reason) where manager != nil {
                // It was there a moment ago. It may have restarted, or has no connection left.
                detail = reason
            }
            if former != detail { logger.error("waiting for PostgreSQL", metadata: ["reason": "\(detail)"]) }
            former = detail
            let line = detail.split(separator: "\n").first ?? ""
            manager?.tell("STATUS=waiting for PostgreSQL: \(line)", "EXTEND_TIMEOUT_USEC=60000000")
            try await Task.sleep(for: .seconds(2))
        }
    }

    /// Returns the store after the first questions to it, or closes it.
    private static func ready(_ store: PostgreSQLStore, _ logger: Logger) async throws -> PostgreSQLStore {
        do {
            try await tellDurability(of: store, logger)
            return try await complete(store)
        } catch {
            try? store.close()
            throw error
        }
    }

    /// Returns the store if it is not an unfinished copy.
    /// - Throws: otherwise.
    private static func complete<Store: SQLStore & ServedStore>(_ store: Store) async throws -> Store {
        guard try await store.hasUnfinishedCopy() else { return store }
        try store.close()
        throw RepositoryError.storeUnavailable(detail: "it is the target of a copy that has not come to its end; run pulseboardd migrate again")
    }

    /// Logs which keys diaries are sealed with, and which are missing. No log line contains a part of a key.
    private static func tellKeys(of store: SQLStore, _ settings: DaemonSettings, _ logger: Logger) async throws(RepositoryError) {
        let list = { (ids: Set<DiaryKeys.ID>) in ids.map(\.description).sorted().joined(separator: ", ") }
        guard store.missingDiaryKeys.isEmpty else {
            return logger.error(
                "diaries are sealed with keys that are missing; they are not served until the key file has them again",
                metadata: ["keys.missing": "\(list(store.missingDiaryKeys))"])
        }
        guard settings.diaryKeys.isConfigured else { return }
        let inUse = list(store.diaryKeysAtStart)
        logger.notice("diaries are sealed", metadata: ["key.writes": "\(settings.diaryKeys.newest)", "keys.in_use": "\(inUse)"])
    }

    /// Reads the configuration again, applies what can change while the server runs, and logs what cannot.
    private func reload(into running: RunningServer, startedWith started: DaemonSettings, _ logger: Logger) {
        do {
            let settings = try DaemonSettings(options, environment: Environment.current, uid: getuid())
            let changed = running.reload(settings)
            logger.notice(
                "SIGHUP: the configuration was read again",
                metadata: ["log.level": "\(settings.logLevel)", "changed": "\(changed.isEmpty ? "nothing" : changed.joined(separator: ", "))"])
            let fixed = settings.changes(since: started, isReloadable: false)
            guard !fixed.isEmpty else { return }
            logger.warning(
                "SIGHUP: settings have changed that a running server keeps: restart to apply",
                metadata: ["settings": "\(fixed.joined(separator: ", "))"])
        } catch {
            logger.error(
                "SIGHUP: the configuration is not valid, and the server goes on as it was", metadata: ["reason": "\(Self.message(for: error))"])
        }
    }

    /// Closes the store. Acknowledged writes are on the disk already, so a full or failing disk does not make the shutdown
    /// fail.
    private func close(_ store: any ServedStore, _ logger: Logger) {
        do throws(RepositoryError) {
            try store.close()
            guard store.status.walBytes > 0 else { return }
            logger.notice("the write-ahead log could not be emptied into the database; it stays, and the next start reads it")
        } catch {
            guard case .storeUnavailable(let failure, let detail) = error else { return }
            logger.error(
                "the store could not be closed; the next start recovers it",
                metadata: ["store.failure": "\(failure.rawValue)", "store.detail": "\(detail)"])
        }
    }

    /// Writes one line to standard output at once, even into a pipe. A pipe that nobody reads does not block the server.
    private func announce(_ line: String) { LineOutput(descriptor: STDOUT_FILENO).write(line + "\n") }

    private static func words(_ error: RepositoryError) -> String {
        let text = error.reason.text().english
        guard case .storeUnavailable(let failure, let detail) = error else { return text }
        // The text of a failure with no reason of its own is for callers: it only tells them to try again.
        if failure == .other, !detail.isEmpty { return detail }
        return "\(text) (\(detail))"
    }

    private func fail(_ what: String, _ why: String, _ log: ServerLog) throws -> Never {
        log.end(because: "\(what): \(why)")
        throw ExitCode(EX_UNAVAILABLE)
    }
}
