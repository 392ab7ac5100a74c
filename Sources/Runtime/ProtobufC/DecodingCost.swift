import CProtobufC

/// Counts what makes a message expensive to decode: its fields, and the bytes that are not only copied. It stops as soon as the message is expensive.
struct DecodingCost {
    /// The most fields of a message that decodes quickly, with those of its submessages. An empty submessage costs most: two bytes of the wire become
    /// a C struct and a Swift value.
    static let mostFields = 1024

    private var fieldCount = 0
    /// Bytes outside of fields of type `bytes`.
    private var byteCount = 0

    /// Counts a message and all messages inside it. False if it is expensive, or not a message.
    mutating func staysLow(_ bytes: WireCursor, as descriptor: UnsafePointer<ProtobufCMessageDescriptor>, depth: Int = 0) -> Bool {
        guard depth <= DecodingOptions.maximumNestingDepth else { return false }
        var cursor = bytes
        var lookup = FieldLookup(descriptor)
        while !cursor.isAtEnd {
            fieldCount += 1
            guard fieldCount <= Self.mostFields else { return false }
            let before = cursor.remaining
            var inside: WireCursor?
            do throws(Malformation) {
                let tag = try cursor.readTag()
                // Counting the fields of a group would take as long as reading it.
                guard tag.wireType != 3 else { return false }
                let field = lookup.field(number: tag.number)
                if tag.wireType == 2, let field, field.pointee.type == PROTOBUF_C_TYPE_BYTES || field.pointee.type == PROTOBUF_C_TYPE_MESSAGE {
                    inside = try cursor.readLengthDelimited()
                } else {
                    try cursor.skipValue(of: tag)
                }
                byteCount += before - cursor.remaining - (inside?.remaining ?? 0)
                guard byteCount <= MessageDescriptor.cheapByteCount else { return false }
                if let inside, let field, field.pointee.type == PROTOBUF_C_TYPE_MESSAGE {
                    guard staysLow(inside, as: field.messageDescriptor, depth: depth + 1) else { return false }
                }
            } catch {
                return false
            }
        }
        return true
    }
}
