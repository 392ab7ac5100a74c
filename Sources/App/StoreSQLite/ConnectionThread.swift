import Foundation
import Synchronization

/// A thread of the store's own, which holds one connection for as long as it runs.
///
/// Not a Dispatch queue: waking this costs one system call where a queue costs four or more, and what belongs to the
/// connection (prepared statements) is a local variable of the thread's and needs no guard.
final class ConnectionThread: Sendable {
    private let work = Doorbell()
    private let end = Doorbell()
    /// `pthread_self()` of the thread; 0 until it runs.
    private let identity = Atomic<UInt>(0)

    /// Starts the thread. - Parameter body: what it does until its end.
    init(_ name: String, _ body: @escaping @Sendable (ConnectionThread) -> Void) {
        let thread = Thread { [self] in
            identity.store(UInt(pthread_self()), ordering: .relaxed)
            body(self)
            end.ring()
        }
        thread.name = name
        thread.start()
    }

    /// Ends the thread's sleep.
    func wake() { work.ring() }

    /// Sleeps until somebody wakes the thread. On the thread itself.
    func sleep() { work.wait() }

    /// The same until an instant; `nil` for no end.
    func sleep(until end: ContinuousClock.Instant?) {
        if let end { work.wait(until: end) } else { work.wait() }
    }

    /// Returns when the thread has ended; at once on the thread itself, which cannot wait for that. For one caller, once.
    func join() {
        guard identity.load(ordering: .relaxed) != UInt(pthread_self()) else { return }
        end.wait()
    }
}
