import Glibc
import Synchronization

/// A value that closures share.
final class SharedValue<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) { state = Mutex(value) }

    var value: Value { state.withLock { $0 } }

    func set(_ value: Value) {
        // Not within the lock: what is let go of may do anything.
        _ = state.withLock { state in
            defer { state = value }
            return state
        }
    }

    func change(_ body: (inout Value) -> Void) { state.withLock { body(&$0) } }
}

/// Work on a thread that is none of an event loop's.
enum OtherThread {
    /// Runs `body` there and blocks the calling thread meanwhile.
    static func run(_ body: @escaping @Sendable () -> Void) {
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        pthread_create(&thread, nil, { argument in
            Unmanaged<Work>.fromOpaque(argument!).takeRetainedValue().body()
            return nil
        }, work.toOpaque())
        pthread_join(thread, nil)
    }

    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
