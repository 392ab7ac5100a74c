import Glibc
import Synchronization

/// A value that closures share.
final class SharedValue<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) { state = Mutex(value) }

    var value: Value { state.withLock { $0 } }

    func set(_ value: Value) {
        // The old value is released outside the lock, because its deinit may do anything.
        _ = state.withLock { state in
            defer { state = value }
            return state
        }
    }

    func change(_ body: (inout Value) -> Void) { state.withLock { body(&$0) } }
}

/// Runs work on a thread that belongs to no event loop.
enum OtherThread {
    /// Runs `body` on another thread and blocks the calling thread meanwhile.
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
