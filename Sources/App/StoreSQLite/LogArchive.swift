import Foundation
import PulseBoardDomain
import PulseBoardVocabulary
import StoreSQL
import Synchronization

/// Archives each committed transaction, so that a restored backup can be brought forward to any later instant.
///
/// SQLite appends each transaction's pages to the write-ahead log, as frames. The archive copies the frames into files of a directory, with the time
/// of each COMMIT. It does so at most a second after a commit, and always before a checkpoint, because only after a checkpoint can the log begin
/// again from its start (``WriteAheadLog``). So no frame is overwritten before it is archived, while the archive can be written.
///
/// A series of transactions without a gap is a **generation**. If frames were lost, because the archive's disk was full or a server ran without the
/// archive, a new generation begins, and an earlier backup cannot be brought beyond the gap. A file beside the database has the generation of the
/// newest backup, so a later start still reports the gap.
///
/// A thread of its own writes the files (``LogArchiveWriter``), because the archive's disk may hang, like a network file system without its server.
/// Nobody waits longer than ``patience`` for a step of the disk, or six times that while the store is opened. A checkpoint that has waited in vain
/// **gives up** the archive: what was not copied is lost to it. When the disk can be written again, a new generation begins.
final class LogArchive: Sendable {
    /// The longest time between a commit and the copy of its frames.
    static let pause = Duration.seconds(1)
    /// How long after a failure copying is tried again.
    static let pauseAfterFailure = Duration.seconds(10)
    /// How long the archive's disk may need for one step.
    static let patience = Duration.seconds(5)
    /// How many times as long one step may take while the store is opened, when whole files are read.
    private static let patienceAtStart = 6

    private struct State {
        var requests: [Request] = []
        /// Commits that are not copied yet, oldest first. Empty while the archive is given up.
        var waiting: [LogCommit] = []
        /// The number of the log's frames after the last commit.
        var frames = 0
        /// When the next copy begins; `nil` if there is nothing to copy.
        var due: ContinuousClock.Instant?
        /// Whether a checkpoint waits until everything is copied.
        var checkpointWaits = false
        /// When the disk answered last, or the present work began; `nil` while the thread sleeps.
        var lastAnswer: ContinuousClock.Instant?
        /// Whether frames are lost until a new generation begins.
        var isGivenUp = false
        /// When a new generation is tried next.
        var retry: ContinuousClock.Instant?
        /// Whether the database is open.
        var hasBegun = false
        var isEnding = false
        var thread: ConnectionThread?
        /// The generation that is written; `nil` if there is none, or it is given up.
        var generation: UInt64?
        /// The number of the next record.
        var sequence: UInt64 = 0
        var lastTime: Timestamp?
        var problem: String?
        /// Why no backup made so far can be brought forward to now; `nil` once there is a new backup.
        var gap: String?
    }

    /// A step that somebody waits for.
    private struct Request {
        let step: @Sendable (inout LogArchiveWriter) -> Void
        let isDone: Doorbell
    }

    /// What the archive's thread does next.
    private enum Work {
        case perform(Request)
        case copy([LogCommit], forCheckpoint: Bool)
        case beginAgain
        case sleep(until: ContinuousClock.Instant?)
        case end
    }

    private let directory: String
    private let walPath: String
    /// The file with the generation of the newest backup, in hexadecimal digits.
    private let backupPath: String
    private let clock: any WallClock
    private let patience: Duration
    /// It is never held while a disk works.
    private let state = Mutex(State())
    /// Rings when the waiting checkpoint may go on.
    private let checkpointMayGoOn = Doorbell()
    /// Rings when the thread has ended.
    private let hasEnded = Doorbell()

    /// Starts the thread.
    /// - Parameters:
    ///   - database: the path of the database.
    ///   - uptime: a monotonic clock. `clock` is compared with it, and with the archive's last record.
    init(_ settings: LogArchiveSettings, database: String, clock: any WallClock, uptime: @escaping @Sendable () -> Duration) {
        directory = settings.directory
        walPath = database + "-wal"
        backupPath = database + "-archived"
        patience = settings.patience
        self.clock = clock
        let thread = ConnectionThread("pulseboard archive") { [weak self, hasEnded] thread in
            var writer = LogArchiveWriter(settings, database: database, clock: clock, uptime: uptime) {
                let isInTime = self?.diskAnswered() ?? false
                settings.willWork()
                return isInTime
            }
            work: while let work = self?.nextWork() {
                switch work {
                case .perform(let request): self?.perform(request, &writer)
                case .copy(let commits, let isForCheckpoint): self?.copy(commits, isForCheckpoint, &writer)
                case .beginAgain: self?.beginAgain(&writer)
                case .sleep(let end): thread.sleep(until: end)
                case .end: break work
                }
            }
            writer.unlock()
            hasEnded.ring()
        }
        state.withLock { $0.thread = thread }
    }

    deinit { state.withLock(\.thread)?.wake() }

    /// Reads the archive's end. Call it before the database is opened, and ``begin(_:)`` afterwards.
    /// - Returns: `nil` if the disk does not answer.
    func readEnd() -> LogArchiveResumption? {
        let resumption = request(within: patience * Self.patienceAtStart) { $0.resumption() }
        if resumption == nil { giveUp() }
        return resumption
    }

    /// Continues the archive if the database and its log show that nothing was written since its end. Otherwise begins a generation.
    /// Call it after the database was opened, and before its first checkpoint.
    /// - Parameter before: what ``readEnd()`` has returned.
    func begin(_ before: LogArchiveResumption?) {
        // The archive is given up then. Its thread begins a generation from these frames on.
        if before == nil { noteFrames() }
        state.withLock { $0.hasBegun = true }
        guard let before else { return wake() }
        let backupPath = backupPath
        let left = request(within: patience * Self.patienceAtStart) { writer in
            let backup = (try? String(contentsOfFile: backupPath, encoding: .utf8)).flatMap { UInt64($0, radix: 16) }
            return writer.begin(before, backup: backup)
        }
        guard let left else {
            noteFrames()
            return giveUp()
        }
        state.withLock { state in
            guard !state.isGivenUp else { return }
            state.frames = left.frames
            state.waiting = left.commits
            state.due = left.commits.isEmpty ? nil : .now
        }
        wake()
    }

    /// Reads how many frames the log has, if the thread could not do it in time. A backup will have them.
    private func noteFrames() {
        let frames = (try? LogReader(walPath))?.lastCommit ?? 0
        state.withLock { $0.frames = frames }
    }

    /// When the next copy is due; `nil` if there is nothing to copy.
    var due: ContinuousClock.Instant? { state.withLock(\.due) }

    /// The status for the operator. Asking waits for no disk.
    var status: StoreArchiveStatus {
        state.withLock { state in
            let isSilent = state.lastAnswer.map { $0 + patience < .now } ?? false
            return StoreArchiveStatus(
                directory: directory, lastTime: state.lastTime, problem: isSilent ? silence.description : state.problem ?? state.gap)
        }
    }

    /// Records a commit. Waits for no disk.
    func committed(frames: Int) {
        let now = clock.now()
        let isSooner = state.withLock { state in
            defer { state.frames = frames }
            guard !state.isGivenUp else { return false }
            let former = state.due
            // A log that has begun again is shorter, as a rule. It is copied at once: only its first record shows a later start that all of the
            // former log was copied (``LogArchiveResumption``).
            if frames <= state.frames {
                state.due = .now
            } else if state.due == nil {
                state.due = .now + Self.pause
            }
            state.waiting.append(LogCommit(frames: frames, time: now))
            return state.due != former
        }
        if isSooner { wake() }
    }

    /// Waits until all commits are copied. If that fails, or the disk does not answer, they are lost to the archive. Call it before each checkpoint,
    /// because the log may begin again after it.
    func waitBeforeCheckpoint() {
        let waits = state.withLock { state in
            state.checkpointWaits = !state.waiting.isEmpty
            return state.checkpointWaits
        }
        guard waits else { return }
        wake()
        let mayGoOn = wait(for: checkpointMayGoOn, within: patience) { state.withLock { !$0.checkpointWaits } }
        if !mayGoOn { giveUp { $0.checkpointWaits } }
    }

    /// Wakes the thread if it has overslept. It waits by the time of day, and so sleeps too long if the clock is set back.
    func copyIfLate() {
        let next = state.withLock { $0.isGivenUp ? $0.retry : $0.due }
        if let next, next <= .now { wake() }
    }

    /// The position from which a copy of the database that begins now is to be brought forward. The copy may contain later transactions:
    /// ``positionOfCopy(_:)``. `nil` if the archive cannot be written: it will not have the transactions after this copy.
    func positionOfNewCopy() -> LogPosition? { request { $0.positionOfNewCopy() } ?? nil }

    /// The position of a copy whose snapshot was taken just now, from that before the snapshot. It says which transactions the copy may contain.
    /// `nil` if the archive may have lost one of them.
    func positionOfCopy(_ position: LogPosition) -> LogPosition? {
        state.withLock { state in
            guard position.generation == state.generation else { return nil }
            return LogPosition(
                generation: position.generation, sequence: position.sequence, end: state.sequence + UInt64(state.waiting.count))
        }
    }

    /// Records that there is a backup that begins at a position. It is the one that a gap asks for, unless there was another gap after it began.
    func noteBackup(at position: LogPosition) {
        let isWanted = state.withLock { state in
            guard position.generation == state.generation else { return false }
            state.gap = nil
            return true
        }
        // If the note cannot be written, the next start may ask for another backup, which does no harm.
        if isWanted { try? Data(String(position.generation, radix: 16).utf8).write(to: URL(filePath: backupPath), options: .atomic) }
    }

    /// Records the state of the database at an orderly end, when the whole log is in the database. So the next server can continue the archive.
    func close() {
        let isWhole = state.withLock { !$0.isEnding && !$0.isGivenUp && $0.waiting.isEmpty }
        if isWhole, request({ $0.close() }) == nil { giveUp() }
        end()
    }

    /// Ends the thread without that.
    func end() {
        let mayWait = state.withLock { state in
            defer { state.isEnding = true }
            // A thread whose disk does not answer ends when the disk answers, or with the process.
            return !state.isEnding && !state.isGivenUp
        }
        wake()
        if mayWait, !wait(for: hasEnded, within: patience, until: { true }) { giveUp() }
    }

    // MARK: Waiting for the thread

    private func wake() { state.withLock(\.thread)?.wake() }

    /// Performs a step on the thread.
    /// - Returns: `nil` if the disk does not answer. Then the step is not begun later, but if it has begun, it goes on.
    private func request<Result: Sendable>(
        within patience: Duration? = nil, _ step: @escaping @Sendable (inout LogArchiveWriter) -> Result
    ) -> Result? {
        let result = Mutex<Result?>(nil), isWanted = Atomic(true), isDone = Doorbell()
        state.withLock { state in
            let step = { @Sendable (writer: inout LogArchiveWriter) in
                guard isWanted.load(ordering: .relaxed) else { return }
                let value = step(&writer)
                result.withLock { $0 = value }
            }
            state.requests.append(Request(step: step, isDone: isDone))
        }
        wake()
        if !wait(for: isDone, within: patience ?? self.patience, until: { true }) { isWanted.store(false, ordering: .relaxed) }
        return result.withLock(\.self)
    }

    /// Waits until a bell rings for what is awaited, or the disk has not answered for that long.
    /// - Returns: whether the bell rang.
    private func wait(for bell: Doorbell, within patience: Duration, until isDone: () -> Bool) -> Bool {
        let begin = ContinuousClock.now
        var end = begin + patience
        while true {
            if bell.wait(until: end) {
                if isDone() { return true }
            } else {
                let last = state.withLock(\.lastAnswer) ?? begin
                end = max(begin, last) + patience
                if ContinuousClock.now >= end { return false }
            }
        }
    }

    private var silence: LogArchiveFailure {
        LogArchiveFailure("its disk does not answer", "디스크가 응답하지 않습니다", of: directory)
    }

    /// Waits for the archive no longer, until a new generation is on its disk.
    /// - Parameter isNeeded: whether to do so, if it may have answered at the last moment.
    private func giveUp(if isNeeded: (borrowing State) -> Bool = { _ in true }) {
        state.withLock { state in
            guard isNeeded(state) else { return }
            state.isGivenUp = true
            state.generation = nil
            state.waiting = []
            state.due = nil
            state.retry = .now
            state.checkpointWaits = false
            state.problem = silence.description
            state.gap = LogArchiveSettings.gap("\(directory): its disk did not answer")
        }
        wake()
    }

    // MARK: On the thread

    private func nextWork() -> Work {
        state.withLock { state in
            let work = nextWork(&state)
            state.lastAnswer = switch work {
            case .sleep, .end: nil
            case .perform, .copy, .beginAgain: .now
            }
            return work
        }
    }

    private func nextWork(_ state: inout State) -> Work {
        if state.isEnding { return .end }
        if !state.requests.isEmpty { return .perform(state.requests.removeFirst()) }
        if state.isGivenUp, state.hasBegun {
            return state.retry.map { $0 <= .now } ?? true ? .beginAgain : .sleep(until: state.retry)
        }
        guard state.checkpointWaits || state.due.map({ $0 <= .now }) ?? false else { return .sleep(until: state.due) }
        state.due = nil
        if !state.waiting.isEmpty { return .copy(state.waiting, forCheckpoint: state.checkpointWaits) }
        letCheckpointGoOn(&state)
        return .sleep(until: nil)
    }

    private func letCheckpointGoOn(_ state: inout State) {
        guard state.checkpointWaits else { return }
        state.checkpointWaits = false
        checkpointMayGoOn.ring()
    }

    /// Records that the disk has done a step.
    /// - Returns: whether the archive is not given up. If it is, the log may have begun again, and what was read from it must not be archived.
    private func diskAnswered() -> Bool {
        state.withLock { state in
            state.lastAnswer = .now
            return !state.isGivenUp
        }
    }

    private func perform(_ request: Request, _ writer: inout LogArchiveWriter) {
        if state.withLock({ $0.isGivenUp && $0.hasBegun }) { beginAgain(&writer) }
        request.step(&writer)
        state.withLock { Self.publish(&writer, &$0) }
        request.isDone.ring()
    }

    private func copy(_ commits: [LogCommit], _ isForCheckpoint: Bool, _ writer: inout LogArchiveWriter) {
        let count = writer.copy(commits)
        state.withLock { state in
            guard !state.isGivenUp else { return }
            state.waiting.removeFirst(count)
            if count < commits.count { failed(isForCheckpoint, &writer, &state) }
            Self.publish(&writer, &state)
        }
    }

    /// Lets the commits that were not copied wait for the next try. If a checkpoint waits for this one, all that wait are lost.
    private func failed(_ isForCheckpoint: Bool, _ writer: inout LogArchiveWriter, _ state: inout State) {
        if isForCheckpoint {
            state.waiting = []
            writer.lose(upTo: state.frames)
            letCheckpointGoOn(&state)
        } else {
            state.due = .now + Self.pauseAfterFailure
        }
    }

    /// Begins a generation after the archive was given up, if the disk can be written.
    private func beginAgain(_ writer: inout LogArchiveWriter) {
        writer.beginGeneration {
            // From here on, commits wait for the generation, and checkpoints for the commits.
            state.withLock { state in
                state.isGivenUp = false
                return state.frames
            }
        }
        state.withLock { state in
            if writer.sequence == 0 {
                state.isGivenUp = true
                state.waiting = []
                state.due = nil
                state.problem = writer.problem
                state.retry = .now + Self.pauseAfterFailure
                letCheckpointGoOn(&state)
            }
            Self.publish(&writer, &state)
        }
    }

    private static func publish(_ writer: inout LogArchiveWriter, _ state: inout State) {
        guard !state.isGivenUp else { return }
        state.generation = writer.generation
        state.sequence = writer.sequence
        state.lastTime = writer.lastTime
        state.problem = writer.problem
        if let gap = writer.takeGap() { state.gap = gap }
    }
}

/// A transaction in the log.
struct LogCommit: Sendable {
    /// The number of the log's frames after it.
    let frames: Int
    let time: Timestamp
}

/// The settings of an archive of commits.
public struct LogArchiveSettings: Sendable {
    /// Permitted numbers of days.
    public static let dayRange = 1...3_650
    /// How a problem of an archive ends that a new backup ends.
    public static let gapEnding = "; only a new backup can be brought forward from here"
    public let directory: String
    /// After how many days a file is removed.
    public let days: Int
    /// How long the disk may need for one step.
    var patience = LogArchive.patience
    /// Called on the archive's thread between two steps of the disk, for tests.
    var willWork: @Sendable () -> Void = {}

    public init(directory: String, days: Int = 14) {
        self.directory = directory
        self.days = days
    }

    static func gap(_ cause: String) -> String { cause + gapEnding }
}

/// An error of an archive, as a text for the operator.
struct LogArchiveFailure: Error, CustomStringConvertible {
    let phrase: Phrase
    /// The text for the log.
    var description: String { phrase.english }

    init(_ phrase: Phrase) { self.phrase = phrase }
    init(_ english: String, _ korean: String, of path: String = "") { phrase = Phrase(english, korean).after(path) }

    static func system(_ path: String) -> LogArchiveFailure { LogArchiveFailure(Phrase.systemError(errno).after(path)) }
}
