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
}
