@testable import SocketTransport

/// Keeps the loop busy for a time.
func spend(_ nanoseconds: Int64) {
    let end = MonotonicClock.now() + nanoseconds
    while MonotonicClock.now() <= end {}
}

/// Keeps the loop busy until a user's allowance of the turn is used up, or that of all ready work.
func spendAllowance() { spend(TurnShare.allowance) }

/// A value that work of a loop changes.
final class Box<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
}
