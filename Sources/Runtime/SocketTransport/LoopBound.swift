/// A value that belongs to one event loop. Other code may pass it on, but only the loop may read it.
public struct LoopBound<Value>: @unchecked Sendable {
    // Sendable: the value is reachable only through `value`, which stops the program on another thread. If the last reference is released on
    // another thread, the value ends there. So loop-bound classes have no deinit. Buffers in them only free their own memory, on any thread.
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
