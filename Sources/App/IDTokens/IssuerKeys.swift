import Logging
import OperatorFiles
import PulseBoardDomain
import Synchronization

/// The keys of one issuer, from its file. Another program writes the file. It is checked when somebody signs in or asks for the
/// state, at most once a second.
///
/// If a file cannot be read, the keys from before stay in use. The log reports the error once (C6). While a check takes long, such as on a server
/// of files that is gone, there is no second one, and everybody but the sign-in that waits for it uses the keys from before.
final class IssuerKeys: Sendable {
    /// The shortest time between two checks of the file.
    static let pause = Duration.seconds(1)
    /// A file that was written this short a time before it was read is read once more, because another write may come in the same tick of
    /// the file system's clock. In seconds.
    private static let settlingSeconds: Int64 = 2

    private struct State {
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
    private let state = Mutex(State())

    /// - Parameters:
    ///   - uptime: a monotonic clock.
    ///   - files: runs the checks of the file, which may block.
    init(
        _ issuer: IDTokenConfiguration.Issuer, clock: any WallClock, uptime: @escaping @Sendable () -> Duration, files: any TaskExecutor,
        logger: Logger
    ) {
        self.issuer = issuer
        self.clock = clock
        self.uptime = uptime
        self.files = files
        self.logger = logger
    }

    /// The keys of the file, at most a second old. If a check is due, one of several callers makes it and waits for it. The others get the present
    /// keys.
    func current() async -> [VerificationKey] {
        if beginsLook() { await withTaskExecutorPreference(files) { await self.lookApart() } }
        return state.withLock(\.keys)
    }

    /// Checks the file now, on the caller's thread, unless another thread does. For a start and a reload.
    func lookAtOnce() {
        state.withLock { $0.nextLook = nil }
        if beginsLook() { look() }
    }

    /// The present state of the keys. It never waits for the file. If a check is due, it begins in the background, so that the age of keys is
    /// soon right also where nobody signs in.
    var status: IssuerStatus {
        if beginsLook() { Task(executorPreference: files) { self.look() } }
        return state.withLock { state in
            IssuerStatus(
                name: issuer.name, issuer: issuer.issuer, keyCount: state.keys.count, keysTime: state.keysTime, problem: state.problem)
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
            let isSettled = file.stamp.writeTime[0] + Self.settlingSeconds < clock.now().microseconds / 1_000_000
            do throws(BoundedFile.Failure) {
                take(try JSONWebKeySet(json: file.bytes, algorithms: issuer.algorithms), file.stamp, isSettled)
            } catch {
                note(error.description, isSettled ? file.stamp : nil)
            }
        } catch {
            note(error.description, nil)
        }
    }

    private func take(_ set: JSONWebKeySet, _ stamp: BoundedFile.Stamp, _ isSettled: Bool) {
        let isNews = state.withLock { state in
            defer {
                state.keys = set.keys
                state.passedOver = set.passedOver
                state.keysTime = Timestamp(microseconds: stamp.writeTime[0] * 1_000_000 + stamp.writeTime[1] / 1_000)
                state.problem = nil
                state.stamp = isSettled ? stamp : nil
            }
            return state.keys.map(\.name) != set.keys.map(\.name) || state.passedOver != set.passedOver || state.problem != nil
                || state.keysTime == nil
        }
        guard isNews else { return }
        var metadata: Logger.Metadata = ["issuer": "\(issuer.name)", "keys": "\(set.keys.count)"]
        if !set.passedOver.isEmpty { metadata["passed_over"] = "\(set.passedOver.map(\.description).joined(separator: "; "))" }
        logger.log(level: set.keys.isEmpty ? .error : .info, "the keys of an issuer of ID tokens were read", metadata: metadata)
    }

    private func note(_ problem: String, _ stamp: BoundedFile.Stamp?) {
        let isNews = state.withLock { state in
            defer {
                state.problem = problem
                state.stamp = stamp
            }
            return state.problem != problem
        }
        guard isNews else { return }
        logger.error(
            "the keys of an issuer of ID tokens cannot be read; those from before stay",
            metadata: ["issuer": "\(issuer.name)", "path": "\(issuer.jwksFile)", "problem": "\(problem)"])
    }
}
