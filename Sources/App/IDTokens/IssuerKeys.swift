import Logging
import OperatorFiles
import ProtobufWellKnownTypes
import PulseBoardDomain
import Synchronization

/// The keys of one issuer, from its file. Another program writes the file. It is checked when somebody signs in or asks for the
/// state, at most once a second.
///
/// If a file cannot be read, the keys from before stay in use. The log reports the error once (C6). A check may take long, for example on a file
/// server that is gone. Until it ends, no second check begins. Only the sign-in that began the check waits; all others use the keys from before.
final class IssuerKeys: Sendable {
    /// The shortest time between two checks of the file.
    static let pause = Duration.seconds(1)
    /// A file that was written this short a time before it was read is read once more, because another write may come in the same tick of
    /// the file system's clock.
    private static let settling = Timestamp.Interval.seconds(2)

    private struct State {
        /// The issuer's name, for the log and the status. A reload may change it.
        var name: String
        var keys: [VerificationKey] = []
        var passedOver: [JSONWebKeySet.PassedOver] = []
        var keysTime: Timestamp?
        var problem: String?
        /// The version that was read last, valid or not; `nil` if the next check must read the file again.
        var stamp: BoundedFile.Stamp?
        var nextLook: Duration?
        /// Whether a thread checks the file now. Two checks at once could end in the wrong order, and block two threads.
        var isLooking = false
    }

    private let issuer: IDTokenConfiguration.Issuer
    private let logger: Logger
    /// Runs the checks while the server serves.
    private let files: any TaskExecutor
    private let clock: any WallClock
    private let uptime: @Sendable () -> Duration
    private let state: Mutex<State>

    /// - Parameters:
    ///   - uptime: a monotonic clock.
    ///   - files: runs the checks of the file, which may block. No other issuer has it.
    init(
        _ issuer: IDTokenConfiguration.Issuer, clock: any WallClock, uptime: @escaping @Sendable () -> Duration, files: any TaskExecutor,
        logger: Logger
    ) {
        self.issuer = issuer
        self.clock = clock
        self.uptime = uptime
        self.files = files
        self.logger = logger
        state = Mutex(State(name: issuer.name))
    }

    /// Whether an issuer has these keys: the same issuer, file and algorithms. Its other settings do not change them.
    func belong(to other: IDTokenConfiguration.Issuer) -> Bool {
        issuer.issuer == other.issuer && issuer.jwksFile.hasSameBytes(as: other.jwksFile) && issuer.algorithms == other.algorithms
    }

    /// The keys of the file, at most a second old. If a check is due, one of several callers makes it and waits for it. The others get the present
    /// keys.
    func current() async -> [VerificationKey] {
        if beginsLook() { await withTaskExecutorPreference(files) { await self.lookApart() } }
        return state.withLock(\.keys)
    }

    /// Checks the file now, on the caller's thread, unless another thread does. For a start and a reload.
    /// - Parameter name: the issuer's name from now on.
    func lookAtOnce(named name: String) {
        state.withLock { state in
            state.name = name
            state.nextLook = nil
        }
        if beginsLook() { look() }
    }

    /// The present state of the keys. It never waits for the file. If a check is due, it begins in the background, so that the age of keys is
    /// soon right also where nobody signs in.
    var status: IssuerStatus {
        if beginsLook() { Task(executorPreference: files) { self.look() } }
        return state.withLock { state in
            IssuerStatus(
                name: state.name, issuer: issuer.issuer, keyCount: state.keys.count, keysTime: state.keysTime, problem: state.problem)
        }
    }

    /// Whether the caller has to check the file: a check is due, and there is none now. The caller must then call ``look()``.
    private func beginsLook() -> Bool {
        let now = uptime()
        return state.withLock { state in
            guard !state.isLooking, state.nextLook.map({ $0 <= now }) ?? true else { return false }
            state.isLooking = true
            state.nextLook = now + Self.pause
            return true
        }
    }

    @concurrent
    private func lookApart() async { look() }

    private func look() {
        defer { state.withLock { $0.isLooking = false } }
        do throws(BoundedFile.Failure) {
            let stamp = try BoundedFile.stamp(of: issuer.jwksFile)
            guard state.withLock({ $0.stamp != stamp }) else { return }
            let file = try BoundedFile(issuer.jwksFile, limit: JSONWebKeySet.maximumFileBytes)
            let writeTime = Self.instant(seconds: file.stamp.writeTime[0], nanoseconds: file.stamp.writeTime[1])
            let settled = writeTime.advanced(by: Self.settling) < clock.now() ? file.stamp : nil
            do throws(BoundedFile.Failure) {
                take(try JSONWebKeySet(json: file.bytes, algorithms: issuer.algorithms), writeTime, settled)
            } catch {
                note(error.description, settled)
            }
        } catch {
            note(error.description, nil)
        }
    }

    /// The instant of a file's time. A file system may have any time. Messages have only the years 1 to 9999, so another time becomes the nearest one
    /// of these.
    static func instant(seconds: Int64, nanoseconds: Int64) -> Timestamp {
        let valid = Google_Protobuf_Timestamp.validSeconds
        return Timestamp(microseconds: min(max(seconds, valid.lowerBound), valid.upperBound) * 1_000_000 + nanoseconds / 1_000)
    }

    private func take(_ set: JSONWebKeySet, _ writeTime: Timestamp, _ stamp: BoundedFile.Stamp?) {
        let (isNews, name) = state.withLock { state in
            defer {
                state.keys = set.keys
                state.passedOver = set.passedOver
                state.keysTime = writeTime
                state.problem = nil
                state.stamp = stamp
            }
            let isChanged = state.keys.map(\.name) != set.keys.map(\.name) || state.passedOver != set.passedOver || state.problem != nil
                || state.keysTime == nil
            return (isChanged, state.name)
        }
        guard isNews else { return }
        var metadata: Logger.Metadata = ["issuer": "\(name)", "keys": "\(set.keys.count)"]
        if !set.passedOver.isEmpty { metadata["passed_over"] = "\(set.passedOver.map(\.description).joined(separator: "; "))" }
        logger.log(level: set.keys.isEmpty ? .error : .info, "the keys of an issuer of ID tokens were read", metadata: metadata)
    }

    private func note(_ problem: String, _ stamp: BoundedFile.Stamp?) {
        let (isNews, name) = state.withLock { state in
            defer {
                state.problem = problem
                state.stamp = stamp
            }
            return (state.problem != problem, state.name)
        }
        guard isNews else { return }
        logger.error(
            "the keys of an issuer of ID tokens cannot be read; those from before stay",
            metadata: ["issuer": "\(name)", "path": "\(issuer.jwksFile)", "problem": "\(problem)"])
    }
}
