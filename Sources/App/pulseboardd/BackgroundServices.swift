import Logging
import ProfileImages
import PulseBoardDomain
import PulseBoardServices
import RPCStandardServices
import ServiceLifecycle

/// Reports the store's status to the health service and the log.
///
/// While the store fails, the services that need it and the server as a whole are NOT_SERVING. The log has one line when it begins, one a minute
/// with the number of failed calls, and one when it is over.
struct StoreWatch: Service {
    /// How often the store's files are checked while nobody writes.
    private static let pause = Duration.seconds(10)

    private let store: any ServedStore
    private let logger: Logger
    private let events: AsyncStream<StoreEvent>

    /// Begins to watch. The health changes from here on; the log is written once the service runs.
    /// - Parameters:
    ///   - services: full names of the services that write to the store.
    ///   - locked: those of them that cannot work until the next start, because their keys are missing.
    init(store: any ServedStore, health: HealthService, services: [String], locked: [String], logger: Logger) {
        self.store = store
        self.logger = logger
        // If events come faster than the log takes them, the newest are kept.
        let (events, continuation) = AsyncStream<StoreEvent>.makeStream(bufferingPolicy: .bufferingNewest(64))
        self.events = events
        for service in locked { health.setStatus(.notServing, for: service) }
        let working = services.filter { !locked.contains($0) } + [""]
        store.observe { event in
            switch event {
            case .failing: for service in working { health.setStatus(.notServing, for: service) }
            case .recovered: for service in working { health.setStatus(.serving, for: service) }
            case .failed: break
            }
            continuation.yield(event)
        }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { for await event in events { log(event) } }
                group.addTask { await lookNowAndThen() }
            }
        }
    }

    private func log(_ event: StoreEvent) {
        switch event {
        case .failing(let trouble): logger.error("the store cannot do its work; calls that need it are refused", metadata: trouble.metadata)
        case .recovered(let trouble): logger.notice("the store works again", metadata: trouble.metadata)
        case .failed(let trouble): logger.error("the store failed", metadata: trouble.metadata)
        }
    }

    /// Logs a problem of the archive once, and its end once.
    private func log(_ archive: StoreArchiveStatus?, after former: inout String?) {
        guard let archive, archive.problem != former else { return }
        former = archive.problem
        if let problem = archive.problem {
            logger.error(
                "the archive lacks what is committed; a backup from before this cannot be brought beyond it",
                metadata: ["archive": "\(archive.directory)", "problem": "\(problem)"])
        } else {
            logger.notice(
                "what is committed is archived again, and the newest backup can be brought forward", metadata: ["archive": "\(archive.directory)"])
        }
    }

    /// Logs that changes by other servers are unknown: once, then once a minute, and once at the end.
    private func log(_ changes: StoreTrouble?, after former: inout StoreTrouble?, _ reminder: inout TroubleReminder) {
        defer { former = changes }
        guard let changes else {
            if let former { logger.notice("changes by other servers are known again", metadata: former.metadataOfChanges) }
            return
        }
        let isDue = reminder.isDue(for: changes)
        if former == nil {
            logger.error(
                "changes by other servers are unknown; nothing is answered from memory, and watches look at the store from time to time",
                metadata: changes.metadataOfChanges)
        } else if isDue {
            logger.error("changes by other servers are still unknown", metadata: changes.metadataOfChanges)
        }
    }

    /// Ends when the sleep is cancelled by the shutdown.
    private func lookNowAndThen() async {
        var reminder = TroubleReminder(), changesReminder = TroubleReminder()
        var archiveProblem: String?
        var changesTrouble: StoreTrouble?
        while (try? await Task.sleep(for: Self.pause)) != nil {
            store.check()
            let status = store.status
            log(status.archive, after: &archiveProblem)
            // A store that cannot do its work has its own lines.
            if status.trouble == nil { log(status.changesTrouble, after: &changesTrouble, &changesReminder) }
            if let trouble = status.trouble, reminder.isDue(for: trouble) {
                logger.error("the store still cannot do its work", metadata: trouble.metadata)
            }
        }
    }
}

/// Decides when a trouble that goes on gets another line in the log: at every sixth look, if more calls have failed since the last line.
private struct TroubleReminder {
    private static let looksBetweenLines = 6

    private var told: StoreTrouble?
    private var looks = 0

    /// - Parameter trouble: the trouble at this look.
    mutating func isDue(for trouble: StoreTrouble) -> Bool {
        guard let told, told.since == trouble.since else {
            // The beginning has a line of its own.
            told = trouble
            looks = 0
            return false
        }
        looks += 1
        guard looks >= Self.looksBetweenLines, told.count != trouble.count else { return false }
        self.told = trouble
        looks = 0
        return true
    }
}

extension StoreTrouble {
    fileprivate var metadata: Logger.Metadata {
        ["store.failure": "\(failure.rawValue)", "store.detail": "\(detail)", "store.failed_calls": "\(count)"]
    }

    /// The same, where no call has failed.
    fileprivate var metadataOfChanges: Logger.Metadata {
        ["store.failure": "\(failure.rawValue)", "store.detail": "\(detail)", "store.failed_looks": "\(count)"]
    }
}

/// Logs when pictures cannot be stored, such as on a full disk: a line when it begins, one a minute with the number of refused uploads, and one when
/// it is over. The health does not change, because all other calls work. It also keeps the folder's free bytes for reports up to date.
struct ImageFolderWatch: Service {
    /// How often it is tried again.
    private static let pause = Duration.seconds(10)

    private let folder: ImageFolder
    private let logger: Logger
    private let events: AsyncStream<StoreEvent>

    init(folder: ImageFolder, logger: Logger) {
        self.folder = folder
        self.logger = logger
        let (events, continuation) = AsyncStream<StoreEvent>.makeStream(bufferingPolicy: .bufferingNewest(64))
        self.events = events
        folder.health.observe { continuation.yield($0) }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { for await event in events { log(event) } }
                group.addTask { await checkNowAndThen() }
            }
        }
    }

    private func log(_ event: StoreEvent) {
        switch event {
        case .failing(let trouble), .failed(let trouble): logger.error("pictures cannot be stored; uploads are refused", metadata: trouble.metadata)
        case .recovered(let trouble): logger.notice("pictures can be stored again", metadata: trouble.metadata)
        }
    }

    /// Ends when the sleep is cancelled by the shutdown.
    private func checkNowAndThen() async {
        var reminder = TroubleReminder()
        while (try? await Task.sleep(for: Self.pause)) != nil {
            folder.lookAtRoom()
            await folder.check()
            if let trouble = folder.health.trouble, reminder.isDue(for: trouble) {
                logger.error("pictures still cannot be stored", metadata: trouble.metadata)
            }
        }
    }
}

/// Logs when the store cannot remove expired rows, or does not because the clock has jumped. No call fails with it, so nobody else would notice.
struct HousekeepingWatch: Service {
    /// How often the store is asked: about as often as it tries.
    private static let pause = Duration.seconds(60)

    let store: any ServedStore
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var told: RepositoryError?
            var toldDoubt: ClockDoubt?
            // Ends when the sleep is cancelled by the shutdown.
            while (try? await Task.sleep(for: Self.pause)) != nil {
                let failure = store.housekeepingFailure
                if let failure, failure != told {
                    // The text of a damaged row has its table and its key.
                    logger.error(
                        "expired rows could not be removed", metadata: ["store.failure": "\(failure.reason.rawValue)", "error": "\(failure)"])
                }
                told = failure
                let doubt = store.clockDoubt
                if let doubt, doubt != toldDoubt { warn(of: doubt) }
                toldDoubt = doubt
            }
        }
    }

    private func warn(of doubt: ClockDoubt) {
        let line: Logger.Message =
            switch doubt.cause {
            case .jumped: "the clock is more than a day off; nothing expires until it is back, or has stayed for an hour"
            case .differsFromDatabase: "the clock differs by more than a minute from the database's; this server lets nothing expire until they agree"
            }
        logger.warning(
            line,
            metadata: [
                "clock.expected_seconds": "\(doubt.expected.microseconds / 1_000_000)",
                "clock.now_seconds": "\(doubt.shown.microseconds / 1_000_000)",
            ])
    }
}

/// Removes what nobody needs any more, at the start and once a minute. Logs a failure once. At the end of the server it leaves the rest to the next.
struct Sweep: Service {
    private static let pause = Duration.seconds(60)

    /// Removes everything that is due. If its task is cancelled, it stops after the present portion.
    private let removeDue: @Sendable () async throws(RepositoryError) -> Void
    /// What the log says if it fails.
    private let failureLine: Logger.Message
    private let logger: Logger

    /// Purges the users who have asked to leave and whose time is over.
    static func purge(_ withdrawals: WithdrawalService, _ logger: Logger) -> Sweep {
        Sweep(
            removeDue: { () async throws(RepositoryError) in
                while !Task.isCancelled, try await withdrawals.purgeDue() == WithdrawalService.purgedAtOnce {}
            },
            failureLine: "users who have left could not be removed", logger: logger)
    }

    /// Removes discarded pictures.
    static func pictures(_ images: ImageService, _ logger: Logger) -> Sweep {
        Sweep(
            removeDue: { () async throws(RepositoryError) in
                while !Task.isCancelled, try await images.removeDiscarded() == ImageService.removedAtOnce {}
            },
            failureLine: "pictures could not be removed", logger: logger)
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var told: RepositoryError?
            // Ends when the sleep is cancelled by the shutdown.
            repeat {
                do throws(RepositoryError) {
                    try await removeDue()
                    told = nil
                } catch {
                    if error != told {
                        logger.error(failureLine, metadata: ["store.failure": "\(error.reason.rawValue)", "error": "\(error)"])
                    }
                    told = error
                }
            } while (try? await Task.sleep(for: Self.pause)) != nil
        }
    }
}
