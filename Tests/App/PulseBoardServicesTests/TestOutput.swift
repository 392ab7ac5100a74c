import PulseBoardDomain
import Synchronization

@testable import PulseBoardServices

/// An output of a long answer whose reader reads when the test says so.
final class TestOutput<Part: Sendable>: PacedOutput, Sendable {
    private struct State {
        var room: Int
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>
    private let parts: AsyncStream<Part>.Continuation
    /// What was handed over.
    let received: AsyncStream<Part>
    private let waits: AsyncStream<Void>.Continuation
    /// An element for each time that the answer began to wait for the reader.
    let stops: AsyncStream<Void>

    /// - Parameter room: the parts that the reader takes before it stops.
    init(room: Int = .max) {
        state = Mutex(State(room: room))
        (received, parts) = AsyncStream.makeStream()
        (stops, waits) = AsyncStream.makeStream()
    }

    /// Runs an answer into this output. When it ends, so do the streams, so that no test waits for more.
    func take(_ answer: @escaping @Sendable (TestOutput) async throws -> Void) -> Task<Void, any Error> {
        Task {
            defer {
                parts.finish()
                waits.finish()
            }
            try await answer(self)
        }
    }

    /// Lets the reader take everything from now on.
    func read() {
        let waiting = state.withLock { state in
            state.room = .max
            return state.waiting.take()
        }
        waiting?.resume()
    }

    var isReady: Bool { get async { state.withLock { $0.room > 0 } } }

    func waitUntilReady() async throws {
        guard await !isReady else { return }
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.room > 0 { return true }
                state.waiting = continuation
                return false
            }
            if isReady { continuation.resume() }
            waits.yield()
        }
    }

    func handOver(_ part: Part) async throws {
        state.withLock { if $0.room < .max { $0.room -= 1 } }
        parts.yield(part)
    }
}
