// `Mutex` with the API of `Synchronization`, on pthread's mutex, which ThreadSanitizer knows. On Linux the standard library's `Mutex` uses atomics and futex
// calls in code that is not instrumented. So the sanitizer reports false races for everything that it protects. `Scripts/sanitize` uses this module instead.
@_exported import func Synchronization.atomicMemoryFence
@_exported import protocol Synchronization.AtomicOptionalRepresentable
@_exported import protocol Synchronization.AtomicRepresentable
@_exported import struct Synchronization.Atomic
@_exported import struct Synchronization.AtomicLoadOrdering
@_exported import struct Synchronization.AtomicStoreOrdering
@_exported import struct Synchronization.AtomicUpdateOrdering
import Glibc

/// A lock and its value. Both are on the heap, because pthread's mutex must not move.
// The value is reachable only while the lock is held.
public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    public init(_ initialValue: consuming sending Value) {
        lock = .allocate(capacity: 1)
        precondition(pthread_mutex_init(lock, nil) == 0)
        value = .allocate(capacity: 1)
        value.initialize(to: initialValue)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    public borrowing func withLock<Result: ~Copyable, E: Error>(_ body: (inout sending Value) throws(E) -> sending Result) throws(E) -> sending Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body(&value.pointee)
    }

    public borrowing func withLockIfAvailable<Result: ~Copyable, E: Error>(
        _ body: (inout sending Value) throws(E) -> sending Result
    ) throws(E) -> sending Result? {
        guard pthread_mutex_trylock(lock) == 0 else { return nil }
        defer { pthread_mutex_unlock(lock) }
        return try body(&value.pointee)
    }
}
