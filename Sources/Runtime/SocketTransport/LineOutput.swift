import Dispatch
import Glibc
import Synchronization

/// Writes lines to a descriptor that may have no reader, such as standard error. Writing never waits.
///
/// A thread writes the lines. They wait in memory for it, up to a limit. Lines beyond the limit, and lines that cannot be written, are lost and
/// counted.
public final class LineOutput: TextOutputStream, Sendable {
    /// The default of the bytes that may wait: about 1,500 lines of a log.
    public static let defaultCapacity = 256 << 10

    /// Why lines were lost.
    public enum Loss: Sendable {
        /// More bytes waited than the capacity.
        case unread
        /// They could not be written, such as on a full disk.
        case unwritable
    }

    private struct State {
        var waiting: [UInt8] = []
        var lost = 0
        /// Lines that could not be written since the last report.
        var unwritable = 0
        /// Lines of the last report, until that is written.
        var reported = 0
        /// Whether the last write worked.
        var isWritable = true
        /// Whether only a part of the last line was written.
        var isTorn = false
        var isWriting = false
        var flushing: [DispatchSemaphore] = []
    }

    private let state = Mutex(State())
    private let descriptor: Int32
    private let capacity: Int
    private let onLoss: @Sendable (LineOutput, Int, Loss) -> Void
    /// Its thread may be blocked in a write while nobody reads.
    private let queue = DispatchQueue(label: "lines")

    /// - Parameters:
    ///   - descriptor: the target of the lines. Its owner keeps it open, and may replace its file (dup2(2)).
    ///   - capacity: bytes that may wait.
    ///   - onLoss: called with the number of lost lines when there is room or they can be written again, so that ``write(_:)`` can say so.
    public init(
        descriptor: Int32, capacity: Int = defaultCapacity, onLoss: @escaping @Sendable (LineOutput, Int, Loss) -> Void = { _, _, _ in }
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
        let loss = state.withLock { state -> (count: Int, cause: Loss)? in
            if state.isWritable, state.unwritable > 0 {
                defer { (state.reported, state.unwritable) = (state.unwritable, 0) }
                return (state.unwritable, .unwritable)
            }
            guard state.waiting.isEmpty, state.lost > 0 else { return nil }
            defer { state.lost = 0 }
            return (state.lost, .unread)
        }
        if let loss {
            onLoss(self, loss.count, loss.cause)
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
        let wasTorn = state.withLock { $0.isTorn }
        if wasTorn { rest = [0x0A] + rest }
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // Another process with the same file has made it non-blocking.
                var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&writable, 1, -1)
            } else if errno != EINTR {
                // The reader is gone, or the disk is full.
                break
            }
        }
        let lost = rest.suffix(bytes.count).count { $0 == 0x0A }
        state.withLock { state in
            state.isWritable = rest.isEmpty
            state.unwritable += rest.isEmpty ? 0 : lost + state.reported
            state.reported = 0
            if rest.count < bytes.count {
                // At the end of the bytes there is always a line feed. It may have been written before a failure.
                state.isTorn = !rest.isEmpty && bytes[bytes.count - rest.count - 1] != 0x0A
            } else if wasTorn, rest.count == bytes.count {
                state.isTorn = false
            }
        }
    }
}
