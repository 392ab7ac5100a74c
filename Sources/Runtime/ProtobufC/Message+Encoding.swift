import CProtobufC

extension Message {
    /// Lends the message to `body` in a form that any output can take: its size first, then its bytes, written in place.
    ///
    /// protobuf-c takes −0.0 for 0.0 in a field without presence and leaves it out.
    /// - Throws: ``EncodingError`` when a string holds a NUL, or the message is too deep or too large. `body` was not called then;
    ///   otherwise it is called once.
    @inlinable
    public func withPackable(_ body: (borrowing PackableMessage) -> Void) throws(EncodingError) {
        try withFilledStruct { (message) throws(EncodingError) in try PackableMessage.withFilled(message, body) }
    }

    /// The message's wire bytes.
    /// - Throws: as ``withPackable(_:)``.
    @inlinable
    public func serializedBytes() throws(EncodingError) -> [UInt8] {
        var bytes: [UInt8] = []
        try withPackable { bytes = $0.bytes() }
        return bytes
    }

    /// Fills the C struct in an arena and hands it to `body`; it is gone afterwards.
    @inlinable
    func withFilledStruct(
        _ body: (UnsafePointer<ProtobufCMessage>) throws(EncodingError) -> Void
    ) throws(EncodingError) {
        try withEncoder { (encoder) throws(EncodingError) in
            let message = try encoder.filled(self)
            try encoder.checkMemory()
            try body(UnsafePointer(message.assumingMemoryBound(to: ProtobufCMessage.self)))
        }
    }
}

/// Runs `body` with an encoder whose memory is gone when it returns.
@inlinable
func withEncoder(_ body: (inout MessageEncoder) throws(EncodingError) -> Void) throws(EncodingError) {
    // What is encoded is already in this process's memory, so the budget only keeps the sums from overflowing.
    try Arena.withArena(budget: Int.max >> 1) { (arena) throws(EncodingError) in
        var encoder = MessageEncoder(arena: arena)
        try body(&encoder)
    }
}
