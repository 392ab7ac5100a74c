import PulseBoardDomain

/// Answers about a username while it is being typed (B19): each names the text it is for, and none is for a text that has
/// been typed over since (X12).
///
/// A text equal to the one before is passed over. A malformed one is answered at once, without the store; a well-formed one
/// after a pause in typing, or at once when the typing has ended. Of texts that come faster than answers are taken only the
/// newest is kept. The answers end after the last text's, or when reading the texts fails, which their reader is told by
/// themselves.
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
        ) async throws(RepositoryError) -> UsernameCheck? {
            let (watch, texts) = try begin()
            while let reasons = try await watch.wait() {
                try await watch.requireSession(reasons)
                while let (text, number) = texts.due() {
                    let check = try await checks.profiles.checkUsername(text, checks.caller)
                    // Typed over while the store was asked: the answer would be stale (X12).
                    guard texts.settle(number) else { continue }
                    // There may be something left to do, such as ending.
                    watch.wake()
                    return check
                }
                if texts.isDone { return nil }
            }
            return nil
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
