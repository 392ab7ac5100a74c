import RPCCore

extension RPCError {
    /// There is no memory for what a call needs.
    package static func noMemory(_ byteCount: Int) -> RPCError {
        RPCError(.resourceExhausted, "there is no memory for \(byteCount) bytes of this call")
    }
}
