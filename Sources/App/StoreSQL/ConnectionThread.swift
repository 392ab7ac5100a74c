import Foundation
import Synchronization

/// A thread of the store. It holds one connection while it runs.
///
/// It is not a Dispatch queue, because waking a thread costs fewer system calls. The connection's prepared statements are local variables of
/// the thread and need no lock.
package final class ConnectionThread: Sendable {
    private let work = Doorbell()
    private let end = Doorbell()
    /// `pthread_self()` of the thread; 0 until it runs.
    private let identity = Atomic<UInt>(0)

    /// Starts the thread.
    /// - Parameter body: the work of the thread; the thread ends when it returns.
    package init(_ name: String, _ body: @escaping @Sendable (ConnectionThread) -> Void) {
        let thread = Thread { [self] in
            identity.store(UInt(pthread_self()), ordering: .relaxed)
            body(self)
            end.ring()
        }
        thread.name = name
        thread.start()
    }

    /// Wakes the thread.
    package func wake() { work.ring() }

    /// Sleeps until ``wake()``. Call it on the thread itself.
    package func sleep() { work.wait() }

    /// Sleeps until ``wake()`` or an instant; `nil` for no limit. Call it on the thread itself.
    package func sleep(until end: ContinuousClock.Instant?) {
        if let end { work.wait(until: end) } else { work.wait() }
    }

    /// Waits until the thread has ended. On the thread itself it returns at once. Call it only once.
    package func join() {
        guard identity.load(ordering: .relaxed) != UInt(pthread_self()) else { return }
        end.wait()
    }
}

/// Wakes one sleeping thread. Ringing twice before it wakes has the effect of ringing once.
package final class Doorbell: Sendable {
    private let isRung = Atomic(false)
    private let condition = NSCondition()
    /// For waits with a limit of time; `nil` before the first one. Changed while `condition` is locked.
    private let timed = Mutex<TimedWait?>(nil)

    package init() {}

    /// Wakes the waiting thread, or makes the next wait return at once.
    package func ring() {
        guard !isRung.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // The lock is needed: otherwise a thread that has just checked, but does not sleep yet, would miss the signal.
        condition.lock()
        condition.signal()
        timed.withLock { $0?.end() }
        condition.unlock()
    }

    /// Sleeps until the bell rings. Returns at once if it has rung since the last wait.
    package func wait() {
        if isRung.exchange(false, ordering: .acquiringAndReleasing) { return }
        condition.lock()
        while !isRung.exchange(false, ordering: .acquiringAndReleasing) { condition.wait() }
        condition.unlock()
    }

    /// Sleeps until the bell rings or an instant.
    /// - Returns: whether it rang.
    @discardableResult
    package func wait(until end: ContinuousClock.Instant) -> Bool {
        if isRung.exchange(false, ordering: .acquiringAndReleasing) { return true }
        // With the lock of `ring()`: either it sees the new value, or its ring is seen below.
        condition.lock()
        let wait = timed.withLock { timed in
            let wait = timed ?? TimedWait()
            timed = wait
            return wait
        }
        condition.unlock()
        while !isRung.exchange(false, ordering: .acquiringAndReleasing) {
            guard ContinuousClock.now < end else { return false }
            wait.wait(until: end)
            wait.begin()
        }
        return true
    }
}

/// A wait with a limit of time. The limit of an `NSCondition` is a time of day: it moves away when the clock is set back.
package final class TimedWait: Sendable {
    /// How long a wait sleeps at once if there is no descriptor to wait for, milliseconds.
    private static let slice: CInt = 10

    /// Its reading end is readable after the end of the wait. -1 if the process has no descriptors left.
    private let reading: CInt
    private let writing: CInt

    package init() {
        var ends: [CInt] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        if socketpair(AF_UNIX, kind, 0, &ends) != 0 { ends = [-1, -1] }
        (reading, writing) = (ends[0], ends[1])
    }

    deinit { for end in [reading, writing] where end >= 0 { close(end) } }

    /// Ends the present wait, or the next one, of every thread.
    package func end() {
        var byte: UInt8 = 0
        // A full socket is readable too.
        if writing >= 0 { _ = write(writing, &byte, 1) }
    }

    /// Lets later waits wait again.
    package func begin() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while reading >= 0, read(reading, &bytes, bytes.count) == bytes.count {}
    }

    /// Waits until ``end()`` or an instant, or for a part of that time.
    package func wait(until end: ContinuousClock.Instant) {
        let left = ContinuousClock.now.duration(to: end)
        guard left > .zero else { return }
        let milliseconds = CInt(clamping: Int64((left / .milliseconds(1)).rounded(.up)))
        var waited = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        // poll(2) ignores a descriptor of -1.
        _ = poll(&waited, 1, reading >= 0 ? milliseconds : min(milliseconds, Self.slice))
    }
}
