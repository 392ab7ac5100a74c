import CProtobufC

extension Message {
    /// Writes the message's wire bytes straight into `output`, once, with the size known beforehand.
    /// - Throws: ``EncodingError`` when a string holds a NUL, or the message is too deep or too large. Nothing has been
    ///   appended then.
    public func serialize<Output: MessageOutput & ~Copyable>(into output: inout Output) throws(EncodingError) {
        try withPackable { message, size in
            output.append(byteCount: size) { memory in
                _ = protobuf_c_message_pack(message, memory.assumingMemoryBound(to: UInt8.self))
            }
        }
    }

    /// The message's wire bytes.
    /// - Throws: as ``serialize(into:)``.
    public func serializedBytes() throws(EncodingError) -> [UInt8] {
        try withPackable { message, size in
            guard size > 0 else { return [] }
            return [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
                // An array of a capacity above zero has an address.
                initialized = protobuf_c_message_pack(message, buffer.baseAddress.unsafelyUnwrapped)
            }
        }
    }

    /// Fills the C struct and hands it to `body` with its packed size in bytes.
    private func withPackable<Result>(
        _ body: (UnsafePointer<ProtobufCMessage>, Int) -> Result
    ) throws(EncodingError) -> Result {
        try withFilledStruct { (message) throws(EncodingError) -> Result in
            let size = protobuf_c_message_get_packed_size(message)
            guard size <= Int(Int32.max) else { throw .tooLarge(byteCount: size) }
            return body(message, size)
        }
    }

    /// Fills the C struct in an arena and hands it to `body`; it is gone afterwards.
    func withFilledStruct<Result>(
        _ body: (UnsafePointer<ProtobufCMessage>) throws(EncodingError) -> Result
    ) throws(EncodingError) -> Result {
        // What is encoded is already in this process's memory, so the budget only keeps the sums from overflowing.
        try Arena.withArena(budget: Int.max >> 1) { (arena) throws(EncodingError) -> Result in
            var encoder = MessageEncoder(arena: arena)
            let message = try encoder.filled(self)
            guard arena.pointee.failure == nil else { throw .outOfMemory }
            return try body(UnsafePointer(message.assumingMemoryBound(to: ProtobufCMessage.self)))
        }
    }
}
