/// A clock that a test sets, in nanoseconds.
final class TestClock {
    private(set) var now: Int64 = 1

    func advance(seconds: Int64) { now += seconds * 1_000_000_000 }

    func advance(milliseconds: Int64) { now += milliseconds * 1_000_000 }
}
