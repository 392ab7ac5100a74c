/// A value that belongs to one event loop. Other code may pass it on, but only the loop may read it.
public struct LoopBound<Value>: @unchecked Sendable {
    // Sendable: the value is reachable only through `value`, which stops the program on another thread. If the last reference is released on
    // another thread, the value ends there. Then nobody else has the value, or what only the value holds. So the deinits of loop-bound classes
    // change and free only what belongs to the value itself, such as the counter of headers of the session that also holds the headers. What a
    // value shares with others, such as an account, is atomic or locked.
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
