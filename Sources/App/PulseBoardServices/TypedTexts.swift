import Synchronization

/// The newest text that is being typed, and whether it is time to answer it.
final class TypedTexts: Sendable {
    private struct State {
        /// The newest text, answered or not; repetitions of it are passed over.
        var text: String?
        /// Counts texts: says whether a text is still the newest.
        var number = 0
        var isAnswered = true
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
            state.isDue = !waits
            state.pause?.cancel()
            state.pause = nil
            return state.number
        }
        guard let number else { return }
        guard waits else { return wake() }
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

    /// Nothing more will be typed: what is pending is due.
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
