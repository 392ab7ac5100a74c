/// A value that belongs to one event loop. Other code may pass it on, but only the loop may read it.
public struct LoopBound<Value>: @unchecked Sendable {
    // Sendable: the value is reachable only through `value`, which stops the program on another thread. The last reference may be released on another
    // thread, and then the value is freed there. At that moment nobody else refers to the value, or to what only it holds. So a deinit of a
    // loop-bound class changes only such things. An example is a session's counter of header bytes, because the session also holds the headers. What
    // a value shares with others, such as an account, is atomic or locked.
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
