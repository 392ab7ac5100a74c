import PulseBoardDomain
import Synchronization

/// The answers to a username while it is typed (B19). Each contains the text it is for. No answer is for a text that was replaced meanwhile (X12).
///
/// A text that equals the one before is skipped. A malformed text gets its verdict at once, without the store. A well-formed text gets `checking` at
/// once, and its verdict after a pause in typing or when the texts end. If the store fails, the answer is `failed`, and later texts are still
/// checked. If texts come faster than answers are read, only the newest text is kept. The answers end after the last text's answer, or when reading
/// the texts fails; only the reader of the texts gets the error.
///
/// Of a text with more than 4 KiB only the beginning is kept, and its answer contains the beginning. The text is kept as long as the stream, so
/// otherwise a caller's streams would hold much memory that nobody counts.
struct UsernameChecks<Texts: AsyncSequence & Sendable>: AsyncSequence, Sendable where Texts.Element == String {
    let texts: Texts
    let caller: Caller
    let profiles: ProfileService
    let rules: UsernameRules
    let pause: Duration
    let dependencies: WatchDependencies

    func makeAsyncIterator() -> Iterator { Iterator(checks: self) }

    struct Iterator: AsyncIteratorProtocol {
        let checks: UsernameChecks
        private var typing: (watch: Watch, texts: TypedTexts, reader: TextReader)?

        init(checks: UsernameChecks) { self.checks = checks }

        mutating func next(
            isolation: isolated (any Actor)? = #isolation
        ) async throws(RepositoryError) -> UsernameCheckProgress? {
            let (watch, texts) = try begin()
            while let reasons = try await watch.wait() {
                try await watch.requireSession(reasons)
                if let text = texts.unannounced() {
                    // The text may be due already.
                    watch.wake()
                    return .checking(text: text, normalized: checks.rules.judge(text).normalized)
                }
                while let (text, number) = texts.due() {
                    let answer = try await answer(text)
                    // The text was replaced while the store was asked, so the answer would be stale (X12).
                    guard texts.settle(number) else { continue }
                    // There may be more to do, such as ending.
                    watch.wake()
                    return answer
                }
                if texts.isDone { return nil }
            }
            return nil
        }

        private func answer(_ text: String) async throws(RepositoryError) -> UsernameCheckProgress {
            do throws(RepositoryError) {
                return .checked(try await checks.profiles.checkUsername(text, checks.caller))
            } catch {
                guard error.isOfStore else { throw error }
                return .failed(text: text, error)
            }
        }

        private mutating func begin() throws(RepositoryError) -> (Watch, TypedTexts) {
            if let typing { return (typing.watch, typing.texts) }
            let watch = try Watch([], by: checks.caller, checks.dependencies)
            let rules = checks.rules
            let texts = TypedTexts(
                keptByteCount: Swift.max(4 << 10, 2 * rules.maximumBytes), pause: checks.pause, timer: checks.dependencies.timer,
                isWellFormed: { rules.judge($0).username != nil }, wake: { [weak watch] in watch?.wake() })
            typing = (watch, texts, TextReader(reading: checks.texts, into: texts))
            return (watch, texts)
        }
    }
}

/// Reads texts into a mailbox until its last reference is gone.
private final class TextReader: Sendable {
    private let task: Task<Void, Never>

    init<Texts: AsyncSequence & Sendable>(
        reading texts: Texts, into mailbox: TypedTexts
    ) where Texts.Element == String {
        task = Task {
            do {
                for try await text in texts { mailbox.type(text) }
                mailbox.end()
            } catch {
                mailbox.abandon()
            }
        }
    }

    deinit { task.cancel() }
}

/// The newest typed text, and whether it is time to answer it.
private final class TypedTexts: Sendable {
    private struct State {
        /// The newest text, answered or not. Of a long text it is the beginning. Repetitions of it are skipped.
        var text: String?
        /// The length of the whole text, bytes.
        var byteCount = 0
        /// The number of the newest text.
        var number = 0
        var isAnswered = true
        /// Whether `checking` was sent for the text, or is not needed.
        var isAnnounced = true
        /// Whether the pause is over.
        var isDue = false
        /// When the text's pause is over, if no other text comes before.
        var dueTime = Duration.zero
        var isAtEnd = false
        /// Waits for pauses, from the first text until no text waits for one. Most texts are replaced before their pause is over, so a task for each
        /// would cost more than all the rest.
        var pauses: Task<Void, Never>?
    }

    private let keptByteCount: Int
    private let pause: Duration
    private let timer: any Clock<Duration>
    /// The time since the beginning, by ``timer``.
    private let elapsed: @Sendable () -> Duration
    private let isWellFormed: @Sendable (String) -> Bool
    private let wake: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - keptByteCount: how many bytes of a text are kept. No well-formed text has more.
    ///   - pause: how long typing must stop before a well-formed text is due.
    ///   - wake: called when a text has become due, and at the end.
    init(
        keptByteCount: Int, pause: Duration, timer: any Clock<Duration>, isWellFormed: @escaping @Sendable (String) -> Bool,
        wake: @escaping @Sendable () -> Void
    ) {
        self.keptByteCount = keptByteCount
        self.pause = pause
        self.timer = timer
        elapsed = Self.stopwatch(timer)
        self.isWellFormed = isWellFormed
        self.wake = wake
    }

    deinit { state.withLock { $0.pauses?.cancel() } }

    private static func stopwatch(_ timer: some Clock<Duration>) -> @Sendable () -> Duration {
        let start = timer.now
        return { start.duration(to: timer.now) }
    }

    /// Takes a text that was typed.
    func type(_ text: String) {
        let byteCount = text.utf8.count
        let text = text.beginning(ofBytes: keptByteCount)
        let waits = isWellFormed(text)
        let isNew = state.withLock { state in
            // Bytes are compared, because comparing characters would first normalise both texts. Long texts with one length and one beginning get the
            // same answer.
            if let present = state.text, byteCount == state.byteCount, text.hasSameBytes(as: present) { return false }
            state.text = text
            state.byteCount = byteCount
            state.number += 1
            state.isAnswered = false
            state.isAnnounced = !waits
            state.isDue = !waits
            guard waits else { return true }
            state.dueTime = elapsed() + pause
            if state.pauses == nil { state.pauses = waitForPauses() }
            return true
        }
        if isNew { wake() }
    }

    private func waitForPauses() -> Task<Void, Never> {
        Task { [weak self, timer] in
            while let rest = self?.restOfPause() {
                do { try await timer.sleep(for: rest) } catch { return }
            }
        }
    }

    /// How long the text's pause still lasts. `nil` if no text waits for a pause; then ``State/pauses`` ends. A text whose pause is over becomes due.
    private func restOfPause() -> Duration? {
        let (rest, isNowDue) = state.withLock { state -> (Duration?, Bool) in
            let isWaiting = state.text != nil && !state.isDue && !state.isAnswered
            let rest = state.dueTime - elapsed()
            guard !isWaiting || rest <= .zero else { return (rest, false) }
            state.pauses = nil
            if isWaiting { state.isDue = true }
            return (nil, isWaiting)
        }
        if isNowDue { wake() }
        return rest
    }

    /// The typing has ended, so a pending text is due.
    func end() {
        state.withLock { state in
            state.isAtEnd = true
            state.isDue = true
        }
        wake()
    }

    /// Nobody waits for an answer any more.
    func abandon() {
        state.withLock { state in
            state.isAtEnd = true
            state.isAnswered = true
        }
        wake()
    }

    /// The newest text if `checking` has to be sent for it. It is returned once.
    func unannounced() -> String? {
        state.withLock { state in
            guard let text = state.text, !state.isAnnounced, !state.isAnswered else { return nil }
            state.isAnnounced = true
            return text
        }
    }

    /// The text to answer now, and its number.
    func due() -> (text: String, number: Int)? {
        state.withLock { state in
            guard let text = state.text, state.isDue, !state.isAnswered else { return nil }
            return (text, state.number)
        }
    }

    /// Marks a text as answered.
    /// - Returns: `false` if a newer text was typed, or nobody waits any more.
    func settle(_ number: Int) -> Bool {
        state.withLock { state in
            guard state.number == number, !state.isAnswered else { return false }
            state.isAnswered = true
            return true
        }
    }

    /// Whether the texts have ended and the last one is answered.
    var isDone: Bool { state.withLock { $0.isAtEnd && $0.isAnswered } }
}

extension String {
    /// The text, or as many of its first scalars as fit into `limit` bytes, as a text of its own.
    fileprivate func beginning(ofBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(unicodeScalars[..<end])
    }
}
