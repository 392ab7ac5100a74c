import PulseBoardDomain
import Synchronization

/// The answers to a username while it is typed (B19). Each contains the text it is for. No answer is for a text that was replaced meanwhile (X12).
///
/// A text that equals the one before is skipped. A malformed text gets its verdict at once, without the store. A well-formed text gets `checking` at
/// once, and its verdict after a pause in typing or when the texts end. If the store fails, the answer is `failed`, and later texts are still
/// checked, also the same one. If texts come faster than answers are read, only the newest text is kept. The answers end after the last text's
/// answer, or when reading the texts fails; only the reader of the texts gets the error.
///
/// Of a text with more than 4 KiB only the beginning is kept, and its answer contains the beginning. The text is kept as long as the stream, so
/// otherwise a caller's streams would hold much memory that nobody counts.
package struct UsernameChecks: AsyncSequence, Sendable {
    let typed: TypedTexts
    let caller: Caller
    let profiles: ProfileService
    let dependencies: WatchDependencies

    package func makeAsyncIterator() -> Iterator { Iterator(checks: self) }

    package struct Iterator: AsyncIteratorProtocol {
        let checks: UsernameChecks
        private var watch: Watch?

        init(checks: UsernameChecks) { self.checks = checks }

        package mutating func next(
            isolation: isolated (any Actor)? = #isolation
        ) async throws(RepositoryError) -> UsernameCheckProgress? {
            let watch = try begin(), typed = checks.typed
            while let reasons = try await watch.wait() {
                try await watch.requireSession(reasons)
                if let text = typed.unannounced() {
                    // The text may be due already.
                    watch.wake()
                    return .checking(text: text, normalized: typed.rules.judge(text).normalized)
                }
                while let (text, number) = typed.due() {
                    let answer = try await answer(text)
                    // The text was replaced while the store was asked, so the answer would be stale (X12).
                    guard typed.settle(number, with: answer) else { continue }
                    // There may be more to do, such as ending.
                    watch.wake()
                    return answer
                }
                if typed.isDone { return nil }
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

        private mutating func begin() throws(RepositoryError) -> Watch {
            if let watch { return watch }
            let begun = try Watch([], by: checks.caller, checks.dependencies)
            // The watch's first wait returns at once, so it notices what was typed before.
            checks.typed.onChange { [weak begun] in begun?.wake() }
            watch = begun
            return begun
        }
    }
}

/// The same answers to a sequence of texts, which a task of its own reads.
struct UsernameChecksOfSequence<Texts: AsyncSequence & Sendable>: AsyncSequence, Sendable where Texts.Element == String {
    let texts: Texts
    let caller: Caller
    let profiles: ProfileService

    func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

    struct Iterator: AsyncIteratorProtocol {
        let sequence: UsernameChecksOfSequence
        private var reading: (answers: UsernameChecks.Iterator, reader: TextReader)?

        init(sequence: UsernameChecksOfSequence) { self.sequence = sequence }

        mutating func next(
            isolation: isolated (any Actor)? = #isolation
        ) async throws(RepositoryError) -> UsernameCheckProgress? {
            if reading == nil {
                let typed = sequence.profiles.typedTexts()
                let answers = sequence.profiles.checks(of: typed, sequence.caller).makeAsyncIterator()
                reading = (answers, TextReader(reading: sequence.texts, into: typed))
            }
            return try await reading?.answers.next(isolation: isolation)
        }
    }
}

/// Reads texts until its last reference is gone.
private final class TextReader: Sendable {
    private let task: Task<Void, Never>

    init<Texts: AsyncSequence & Sendable>(
        reading texts: Texts, into typed: TypedTexts
    ) where Texts.Element == String {
        task = Task { await typed.read(texts) }
    }

    deinit { task.cancel() }
}

/// The newest typed text, and whether it is time to answer it.
package final class TypedTexts: Sendable {
    private struct State {
        /// The newest text, answered or not. Of a long text it is the beginning. Repetitions of it are skipped. Nil before the first text, and after
        /// a text that could not be checked.
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
        /// Waits for pauses, from the first text until no text waits for one. Most texts are replaced before their pause is over, so a task for
        /// each would cost more than all the rest.
        var pauses: Task<Void, Never>?
        /// Called when there may be an answer to give.
        var wake: (@Sendable () -> Void)?
    }

    /// How many bytes of a text are kept. No well-formed text has more.
    private let keptByteCount: Int
    private let pause: Duration
    private let timer: any Clock<Duration>
    /// The time since the beginning, by ``timer``.
    private let elapsed: @Sendable () -> Duration
    /// The rules by which a text is well-formed.
    let rules: UsernameRules
    private let state = Mutex(State())

    /// - Parameter pause: how long typing must stop before a well-formed text is due.
    init(rules: UsernameRules, pause: Duration, timer: any Clock<Duration>) {
        self.rules = rules
        self.pause = pause
        self.timer = timer
        keptByteCount = max(4 << 10, 2 * rules.maximumBytes)
        elapsed = Self.stopwatch(timer)
    }

    deinit { state.withLock { $0.pauses?.cancel() } }

    private static func stopwatch(_ timer: some Clock<Duration>) -> @Sendable () -> Duration {
        let start = timer.now
        return { start.duration(to: timer.now) }
    }

    /// Sets what is called from now on when a text was typed or has become due, and at the end.
    func onChange(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

    private func wake() { state.withLock { $0.wake }?() }

    /// Takes all texts of a sequence. If reading them fails, nothing more is answered.
    package func read<Texts: AsyncSequence>(_ texts: Texts) async where Texts.Element == String {
        do {
            for try await text in texts { type(text) }
            end()
        } catch {
            abandon()
        }
    }

    /// Takes a text that was typed.
    func type(_ text: String) {
        let byteCount = text.utf8.count
        let text = text.beginning(ofBytes: keptByteCount)
        let waits = rules.judge(text).username != nil
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

    /// How long the text's pause still lasts. `nil` if no text waits for a pause; then ``State/pauses`` ends. A text whose pause is over becomes
    /// due.
    private func restOfPause() -> Duration? {
        let rest = state.withLock { state -> Duration? in
            if !state.isDue, !state.isAnswered {
                let rest = state.dueTime - elapsed()
                if rest > .zero { return rest }
                state.isDue = true
            }
            state.pauses = nil
            return nil
        }
        if rest == nil { wake() }
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

    /// Marks a text as answered. One that could not be checked may be typed again.
    /// - Returns: `false` if a newer text was typed, or nobody waits any more.
    func settle(_ number: Int, with answer: UsernameCheckProgress) -> Bool {
        state.withLock { state in
            guard state.number == number, !state.isAnswered else { return false }
            state.isAnswered = true
            if case .failed = answer { state.text = nil }
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
