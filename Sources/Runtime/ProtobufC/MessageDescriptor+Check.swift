import CProtobufC

extension MessageDescriptor {
    /// Checks wire bytes of this type as far as their decoding does before it takes any memory: what passes can fail for its required fields
    /// (proto2) and for its memory only.
    ///
    /// For whoever keeps a message as bytes and has it decoded elsewhere.
    /// - Throws: ``DecodingError`` with the path of the field at fault.
    public func check(_ bytes: RawSpan, options: DecodingOptions = DecodingOptions()) throws(DecodingError) {
        try bytes.withUnsafeBytes { (buffer) throws(DecodingError) in
            guard buffer.count <= Int(Int32.max) else { throw .malformed(field: "", reason: .messageTooLarge) }
            guard let start = buffer.assumingMemoryBound(to: UInt8.self).baseAddress, !buffer.isEmpty else { return }
            var check = WireCheck(nestingLimit: options.nestingLimit)
            try check.check(WireCursor(position: start, end: start + buffer.count), as: c)
        }
    }

    /// Whether decoding a message costs little more than a copy of it: but for ``cheapByteCount`` bytes it is made of a few fields of type `bytes`.
    ///
    /// For whoever must not be held up by a message, and has one that costs more decoded elsewhere. A message of 4 MiB may have two million fields, each
    /// of which is looked up, or a text that is read through, which takes ten times as long as copying it and more. A look at the first fields
    /// tells. Of bytes that are no message the answer means nothing.
    public func decodesByCopying(_ bytes: RawSpan) -> Bool {
        guard bytes.byteCount > Self.cheapByteCount else { return true }
        return bytes.withUnsafeBytes { buffer in
            guard let start = buffer.assumingMemoryBound(to: UInt8.self).baseAddress else { return true }
            var cursor = WireCursor(position: start, end: start + buffer.count)
            var fields = FieldLookup(c)
            var copied = 0
            for _ in 0..<Self.fewFields where !cursor.isAtEnd {
                let before = cursor.remaining
                do throws(Malformation) {
                    let tag = try cursor.readTag()
                    try cursor.skipValue(tag.wireType)
                    if fields.field(number: tag.number)?.pointee.type == PROTOBUF_C_TYPE_BYTES { copied += before - cursor.remaining }
                } catch {
                    return false
                }
            }
            return cursor.remaining <= Self.cheapByteCount && buffer.count - copied <= Self.cheapByteCount
        }
    }

    /// Bytes that may be of any kind in a message that decodes quickly: 64 KiB.
    public static let cheapByteCount = 64 << 10
    private static let fewFields = 32
}
