import Dispatch
import Glibc
import Synchronization

/// Writes lines to a descriptor that may have no reader, such as standard error. Writing never waits.
///
/// A thread writes the lines. They wait in memory for it, up to a limit. Lines beyond the limit are lost and counted.
public final class LineOutput: TextOutputStream, Sendable {
    /// The default of the bytes that may wait: about 1,500 lines of a log.
    public static let defaultCapacity = 256 << 10

    private struct State {
        var waiting: [UInt8] = []
        var lost = 0
        var isWriting = false
        var flushing: [DispatchSemaphore] = []
    }

    private let state = Mutex(State())
    private let descriptor: Int32
    private let capacity: Int
    private let onLoss: @Sendable (LineOutput, Int) -> Void
    /// Its thread may be blocked in a write while nobody reads.
    private let queue = DispatchQueue(label: "lines")

    /// - Parameters:
    ///   - descriptor: the target of the lines. Its owner keeps it open, and may replace its file (dup2(2)).
    ///   - capacity: bytes that may wait.
    ///   - onLoss: called with the number of lost lines when there is room again, so that ``write(_:)`` can say so.
    public init(
        descriptor: Int32, capacity: Int = defaultCapacity, onLoss: @escaping @Sendable (LineOutput, Int) -> Void = { _, _ in }
    ) {
        self.descriptor = descriptor
        self.capacity = capacity
        self.onLoss = onLoss
    }

    /// Writes a line, which includes its line feed. Any thread; never waits.
    public func write(_ line: String) {
        let begins = state.withLock { state in
            let bytes = line.utf8
            guard state.waiting.count + bytes.count <= capacity else {
                state.lost += 1
                return false
            }
            state.waiting.append(contentsOf: bytes)
            guard !state.isWriting else { return false }
            state.isWriting = true
            return true
        }
        if begins { queue.async { self.writeWaiting() } }
    }

    /// Waits until all lines are written, at most `limit`.
    /// - Returns: whether all lines were written.
    @discardableResult
    public func flush(within limit: Duration) -> Bool {
        let done = DispatchSemaphore(value: 0)
        let isEmpty = state.withLock { state in
            guard state.isWriting else { return true }
            state.flushing.append(done)
            return false
        }
        return isEmpty || done.wait(timeout: .now() + .milliseconds(Self.milliseconds(limit))) == .success
    }

    /// Runs `body` after a delay, on a thread that nobody waits for.
    public func later(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Self.milliseconds(delay)), execute: body)
    }

    /// For Dispatch: at most eleven days.
    private static func milliseconds(_ duration: Duration) -> Int { Int(min(max(0, duration / .milliseconds(1)), 1e9)) }

    private func writeWaiting() {
        while let next = take() {
            if next.isEmpty { continue }
            write(all: next)
        }
    }

    /// All waiting lines; empty if a loss was reported instead; nil if no lines wait.
    private func take() -> [UInt8]? {
        let lost = state.withLock { state in
            guard state.waiting.isEmpty, state.lost > 0 else { return 0 }
            defer { state.lost = 0 }
            return state.lost
        }
        guard lost == 0 else {
            onLoss(self, lost)
            return []
        }
        return state.withLock { state in
            guard state.waiting.isEmpty else {
                defer { state.waiting = [] }
                return state.waiting
            }
            guard state.lost == 0 else { return [] }
            state.isWriting = false
            for each in state.flushing { each.signal() }
            state.flushing = []
            return nil
        }
    }

    private func write(all bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // Another process with the same file has made it non-blocking.
                var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&writable, 1, -1)
            } else if errno != EINTR {
                // The reader is gone, or the file does not exist, so the lines cannot be written.
                return
            }
        }
    }
}
