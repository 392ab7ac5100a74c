extension RPCError {
    /// What a call of a method that nobody serves is answered. The names come from the wire: repaired where they are not UTF-8, cut where
    /// they are long.
    package static func unimplemented(service: RawSpan, method: RawSpan) -> RPCError {
        RPCError(.unimplemented, "\(text(service))/\(text(method)) is not served here")
    }

    private static func text(_ bytes: RawSpan) -> String {
        var text: [UInt8] = []
        for offset in 0..<min(bytes.byteCount, 256) { text.append(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)) }
        return String(decoding: text, as: UTF8.self)
    }
}
