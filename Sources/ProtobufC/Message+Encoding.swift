import CProtobufC

extension Message {
    /// Writes the message's wire bytes straight into `output`, once, with the size known beforehand.
    ///
    /// protobuf-c takes −0.0 for 0.0 in a field without presence and leaves it out.
    /// - Throws: ``EncodingError`` when a string holds a NUL, or the message is too deep or too large. Nothing has been
    ///   appended then.
    @inlinable
    public func serialize<Output: MessageOutput & ~Copyable>(into output: inout Output) throws(EncodingError) {
        try withPackable { message, size in
            output.append(byteCount: size) { memory in
                _ = protobuf_c_message_pack(message, memory.assumingMemoryBound(to: UInt8.self))
            }
        }
    }

    /// The message's wire bytes.
    /// - Throws: as ``serialize(into:)``.
    @inlinable
    public func serializedBytes() throws(EncodingError) -> [UInt8] {
        var bytes: [UInt8] = []
        try withPackable { message, size in
            guard size > 0 else { return }
            bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
                // An array of a capacity above zero has an address.
                initialized = protobuf_c_message_pack(message, buffer.baseAddress.unsafelyUnwrapped)
            }
        }
        return bytes
    }

    /// Fills the C struct and hands it to `body` with its packed size in bytes.
    @inlinable
    func withPackable(_ body: (UnsafePointer<ProtobufCMessage>, Int) -> Void) throws(EncodingError) {
        try withFilledStruct { (message) throws(EncodingError) in
            let size = protobuf_c_message_get_packed_size(message)
            guard size <= Int(Int32.max) else { throw .tooLarge(byteCount: size) }
            body(message, size)
        }
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

/// Runs `body` with an encoder whose memory is gone when it returns; not generic for the reason that `withUnpacked` gives.
@usableFromInline
func withEncoder(_ body: (inout MessageEncoder) throws(EncodingError) -> Void) throws(EncodingError) {
    // What is encoded is already in this process's memory, so the budget only keeps the sums from overflowing.
    try Arena.withArena(budget: Int.max >> 1) { (arena) throws(EncodingError) in
        var encoder = MessageEncoder(arena: arena)
        try body(&encoder)
    }
}
