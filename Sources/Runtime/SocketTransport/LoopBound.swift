/// A value that belongs to one event loop, carried through code that does not: only the loop may look inside.
public struct LoopBound<Value>: @unchecked Sendable {
    // Sendable: the value is reachable only through `value`, which stops the program off the loop. A last release off the loop
    // runs a deinit there, so loop-bound classes do nothing in theirs.
    private let bound: Value
    public let loop: EventLoop

    public init(_ value: Value, to loop: EventLoop) {
        bound = value
        self.loop = loop
    }

    /// The value. On the loop only.
    public var value: Value {
        loop.preconditionInLoop()
        return bound
    }
}
