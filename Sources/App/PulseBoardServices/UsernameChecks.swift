import PulseBoardDomain
import Synchronization

/// Answers about a username while it is typed (B19). Each names the text it is for, and none is for a text that was typed over since (X12).
///
/// A text that equals the one before is skipped. A malformed one is answered at once, without the store. A well-formed one is said to be checked at
/// once, and has its verdict after a pause in typing, or when the typing has ended. If the store cannot say, that is the answer, and the typing goes
/// on. If texts come faster than answers are read, only the newest is kept. The answers end after the last text's answer. They also end when reading
/// the texts fails; the reader of the texts is told the error.
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
                    // It may be due already.
                    watch.wake()
                    return .checking(text: text, normalized: checks.rules.judge(text).normalized)
                }
                while let (text, number) = texts.due() {
                    let answer = try await answer(text)
                    // Typed over while the store was asked: the answer would be stale (X12).
                    guard texts.settle(number) else { continue }
                    // There may be something left to do, such as ending.
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
                pause: checks.pause, timer: checks.dependencies.timer, isWellFormed: { rules.judge($0).username != nil },
                wake: { [weak watch] in watch?.wake() })
            typing = (watch, texts, TextReader(reading: checks.texts, into: texts))
            return (watch, texts)
        }
    }
}

/// Reads texts into a mailbox until it is let go of.
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

/// The newest text that is being typed, and whether it is time to answer it.
private final class TypedTexts: Sendable {
    private struct State {
        /// The newest text, answered or not. Repetitions of it are skipped.
        var text: String?
        /// Counts texts: says whether a text is still the newest.
        var number = 0
        var isAnswered = true
        /// Whether it needs not be said any more that the text is checked.
        var isAnnounced = true
        /// Whether it need not wait for a pause any longer.
        var isDue = false
        var isAtEnd = false
        var pause: Task<Void, Never>?
    }

    private let pause: Duration
    private let timer: any Clock<Duration>
    private let isWellFormed: @Sendable (String) -> Bool
    private let wake: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - pause: how long the typing of a well-formed text must rest.
    ///   - wake: called when a text has become due, and at the end.
    init(
        pause: Duration, timer: any Clock<Duration>, isWellFormed: @escaping @Sendable (String) -> Bool,
        wake: @escaping @Sendable () -> Void
    ) {
        self.pause = pause
        self.timer = timer
        self.isWellFormed = isWellFormed
        self.wake = wake
    }

    deinit { state.withLock { $0.pause?.cancel() } }

    /// Takes a text that was typed.
    func type(_ text: String) {
        let waits = isWellFormed(text)
        let number: Int? = state.withLock { state in
            // By bytes: a comparison of characters would bring both to one form first, however long they are.
            if let present = state.text, text.utf8.elementsEqual(present.utf8) { return nil }
            state.text = text
            state.number += 1
            state.isAnswered = false
            state.isAnnounced = !waits
            state.isDue = !waits
            state.pause?.cancel()
            state.pause = nil
            return state.number
        }
        guard let number else { return }
        wake()
        guard waits else { return }
        let rest = Task { [weak self, timer, pause] in
            // Cancelled by the next text, whose number differs.
            try? await timer.sleep(for: pause)
            self?.rested(number)
        }
        state.withLock { state in
            if state.number == number { state.pause = rest } else { rest.cancel() }
        }
    }

    private func rested(_ number: Int) {
        let isDue = state.withLock { state in
            guard state.number == number, !state.isAnswered else { return false }
            state.isDue = true
            return true
        }
        if isDue { wake() }
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

    /// The newest text, if it has to be said that it is checked. It is said once.
    func unannounced() -> String? {
        state.withLock { state in
            guard let text = state.text, !state.isAnnounced, !state.isAnswered else { return nil }
            state.isAnnounced = true
            return text
        }
    }

    /// The text to be answered now, and its number.
    func due() -> (text: String, number: Int)? {
        state.withLock { state in
            guard let text = state.text, state.isDue, !state.isAnswered else { return nil }
            return (text, state.number)
        }
    }

    /// Notes that a text has an answer. - Returns: `false` when a newer one has been typed, or nobody waits any more.
    func settle(_ number: Int) -> Bool {
        state.withLock { state in
            guard state.number == number, !state.isAnswered else { return false }
            state.isAnswered = true
            return true
        }
    }

    /// Whether there is nothing left to answer and never will be.
    var isDone: Bool { state.withLock { $0.isAtEnd && $0.isAnswered } }
}
