import Foundation
import Synchronization

/// A thread of the store that holds one connection as long as it runs.
///
/// It is no Dispatch queue: waking a thread costs one system call, waking a queue four or more. The connection's prepared statements are local
/// variables of the thread and need no lock.
package final class ConnectionThread: Sendable {
    private let work = Doorbell()
    private let end = Doorbell()
    /// `pthread_self()` of the thread; 0 until it runs.
    private let identity = Atomic<UInt>(0)

    /// Starts the thread. - Parameter body: what it does until its end.
    package init(_ name: String, _ body: @escaping @Sendable (ConnectionThread) -> Void) {
        let thread = Thread { [self] in
            identity.store(UInt(pthread_self()), ordering: .relaxed)
            body(self)
            end.ring()
        }
        thread.name = name
        thread.start()
    }

    /// Ends the thread's sleep.
    package func wake() { work.ring() }

    /// Sleeps until somebody wakes the thread. On the thread itself.
    package func sleep() { work.wait() }

    /// The same until an instant; `nil` for no end.
    package func sleep(until end: ContinuousClock.Instant?) {
        if let end { work.wait(until: end) } else { work.wait() }
    }

    /// Returns when the thread has ended; at once on the thread itself, which cannot wait for that. For one caller, once.
    package func join() {
        guard identity.load(ordering: .relaxed) != UInt(pthread_self()) else { return }
        end.wait()
    }
}
