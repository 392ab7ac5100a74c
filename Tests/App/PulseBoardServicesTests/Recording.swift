import PulseBoardDomain

@testable import PulseBoardServices

/// Reads a sequence of the services in a separate task, so that a test can wait for each element. The elements end with the
/// sequence.
struct Recording<Element: Sendable>: Sendable {
    private let elements: AsyncStream<Element>
    private let task: Task<RepositoryError?, Never>

    init<Updates: AsyncSequence & Sendable>(
        _ updates: Updates
    ) where Updates.Element == Element, Updates.Failure == RepositoryError {
        let (elements, continuation) = AsyncStream<Element>.makeStream()
        self.elements = elements
        task = Task {
            defer { continuation.finish() }
            do throws(RepositoryError) {
                for try await element in updates { continuation.yield(element) }
                return nil
            } catch {
                return error
            }
        }
    }

    /// The next element; `nil` at the end.
    func next() async -> Element? {
        var iterator = elements.makeAsyncIterator()
        return await iterator.next()
    }

    /// Cancels the reading task.
    func cancel() { task.cancel() }

    /// How the sequence ended: `nil` without an error.
    func ending() async -> RepositoryError? { await task.value }
}

extension AuthStateUpdate {
    /// The state, if the element is one.
    var state: AuthState? {
        if case .state(let state) = self { state } else { nil }
    }
}

extension WatchedProfile {
    /// The profile, if the element is one.
    var profile: Profile? {
        if case .profile(let profile) = self { profile } else { nil }
    }
}

extension Recording<FollowUpdate> {
    /// The next event; positions are skipped.
    func event() async -> FollowEvent? {
        while let update = await next() {
            if let event = update.event { return event }
        }
        return nil
    }
}

extension Recording<UsernameCheckProgress> {
    /// The next verdict; `checking` is skipped.
    func verdict() async -> UsernameCheck? {
        while let progress = await next() {
            if case .checked(let check) = progress { return check }
        }
        return nil
    }
}

/// Texts that a test types, one after another.
struct Keyboard: AsyncSequence, Sendable {
    private let texts: (stream: AsyncStream<String>, continuation: AsyncStream<String>.Continuation)
    private let demands: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)

    init() {
        texts = AsyncStream<String>.makeStream()
        demands = AsyncStream<Void>.makeStream()
    }

    /// Returns when the reader has asked for the first text.
    func isRead() async {
        var iterator = demands.stream.makeAsyncIterator()
        _ = await iterator.next()
    }

    /// Returns when the reader has taken the text and asks for the next one.
    func type(_ text: String) async {
        texts.continuation.yield(text)
        await isRead()
    }

    func end() { texts.continuation.finish() }

    func makeAsyncIterator() -> Iterator {
        Iterator(texts: texts.stream.makeAsyncIterator(), demands: demands.continuation)
    }

    struct Iterator: AsyncIteratorProtocol {
        var texts: AsyncStream<String>.Iterator
        let demands: AsyncStream<Void>.Continuation

        mutating func next(isolation: isolated (any Actor)?) async -> String? {
            demands.yield()
            return await texts.next(isolation: isolation)
        }
    }
}
