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
    /// The number of pauses between two lines about the same trouble.
    private static let pausesBetweenLines = 6

    private let store: any ServedStore
    private let logger: Logger
    private let events: AsyncStream<StoreEvent>

    /// Begins to watch. The health changes from here on; the log is written once the service runs.
    /// - Parameter services: full names of the services that write to the store.
    init(store: any ServedStore, health: HealthService, services: [String], logger: Logger) {
        self.store = store
        self.logger = logger
        // If events come faster than the log takes them, the newest are kept.
        let (events, continuation) = AsyncStream<StoreEvent>.makeStream(bufferingPolicy: .bufferingNewest(64))
        self.events = events
        store.observe { event in
            switch event {
            case .failing: for service in services + [""] { health.setStatus(.notServing, for: service) }
            case .recovered: for service in services + [""] { health.setStatus(.serving, for: service) }
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

    /// Ends when the sleep is cancelled by the shutdown.
    private func lookNowAndThen() async {
        var told: StoreTrouble?
        var archiveProblem: String?
        var pauses = 0
        while (try? await Task.sleep(for: Self.pause)) != nil {
            store.check()
            log(store.status.archive, after: &archiveProblem)
            guard let trouble = store.status.trouble else {
                told = nil
                continue
            }
            pauses = told?.since == trouble.since ? pauses + 1 : 0
            if told?.since != trouble.since { told = trouble }
            guard pauses >= Self.pausesBetweenLines, told?.count != trouble.count else { continue }
            logger.error("the store still cannot do its work", metadata: trouble.metadata)
            told = trouble
            pauses = 0
        }
    }
}

extension StoreTrouble {
    fileprivate var metadata: Logger.Metadata {
        ["store.failure": "\(failure.rawValue)", "store.detail": "\(detail)", "store.failed_calls": "\(count)"]
    }
}

/// Logs when pictures cannot be stored, such as on a full disk: a line when it begins, one a minute with the number of refused uploads, and one when
/// it is over. The health does not change, because all other calls work.
struct ImageFolderWatch: Service {
    /// How often it is tried again.
    private static let pause = Duration.seconds(10)
    /// The number of pauses between two lines about the same trouble.
    private static let pausesBetweenLines = 6

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
        var told: StoreTrouble?
        var pauses = 0
        while (try? await Task.sleep(for: Self.pause)) != nil {
            await folder.check()
            guard let trouble = folder.health.trouble else {
                told = nil
                continue
            }
            pauses = told?.since == trouble.since ? pauses + 1 : 0
            if told?.since != trouble.since { told = trouble }
            guard pauses >= Self.pausesBetweenLines, told?.count != trouble.count else { continue }
            logger.error("pictures still cannot be stored", metadata: trouble.metadata)
            told = trouble
            pauses = 0
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
            var toldJump: ClockJump?
            // Ends when the sleep is cancelled by the shutdown.
            while (try? await Task.sleep(for: Self.pause)) != nil {
                let failure = store.housekeepingFailure
                if let failure, failure != told {
                    logger.error("expired rows could not be removed", metadata: ["store.failure": "\(failure.reason.rawValue)"])
                }
                told = failure
                let jump = store.clockJump
                if let jump, jump != toldJump {
                    logger.warning(
                        "the clock is more than a day off; nothing expires until it is back, or has stayed for an hour",
                        metadata: [
                            "clock.before_seconds": "\(jump.from.microseconds / 1_000_000)",
                            "clock.now_seconds": "\(jump.to.microseconds / 1_000_000)",
                        ])
                }
                toldJump = jump
            }
        }
    }
}

/// Purges the users who have asked to leave and whose time is over, once a minute and at the start.
struct PurgeSweep: Service {
    private static let pause = Duration.seconds(60)

    let services: Services
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var told: RepositoryError?
            // Ends when the sleep is cancelled by the shutdown.
            repeat {
                do throws(RepositoryError) {
                    while try await services.withdrawals.purgeDue() == WithdrawalService.purgedAtOnce {}
                    told = nil
                } catch {
                    if error != told {
                        logger.error(
                            "users who have left could not be removed", metadata: ["store.failure": "\(error.reason.rawValue)", "error": "\(error)"])
                    }
                    told = error
                }
            } while (try? await Task.sleep(for: Self.pause)) != nil
        }
    }
}

/// Removes discarded pictures, once a minute and at the start.
struct ImageSweep: Service {
    private static let pause = Duration.seconds(60)

    let services: Services
    let logger: Logger

    func run() async throws {
        guard let images = services.images else { return }
        await cancelWhenGracefulShutdown {
            var told: RepositoryError?
            // Ends when the sleep is cancelled by the shutdown.
            repeat {
                do throws(RepositoryError) {
                    while try await images.removeDiscarded() == ImageService.removedAtOnce {}
                    told = nil
                } catch {
                    if error != told {
                        logger.error("pictures could not be removed", metadata: ["store.failure": "\(error.reason.rawValue)", "error": "\(error)"])
                    }
                    told = error
                }
            } while (try? await Task.sleep(for: Self.pause)) != nil
        }
    }
}
