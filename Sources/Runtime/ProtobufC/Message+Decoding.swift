import CProtobufC

extension Message {
    /// Reads a message from its wire bytes, after checking all that protobuf-c does not.
    ///
    /// No input crashes or takes more than the limits of `options`. Fields that the schema lacks are kept in
    /// ``unknownFields``; of several values for one singular field the last counts, submessages are merged.
    /// - Throws: ``DecodingError`` with the path of the field at fault.
    @inlinable
    public init(serializedBytes: RawSpan, options: DecodingOptions = DecodingOptions()) throws(DecodingError) {
        self = try serializedBytes.withUnsafeBytes { (buffer) throws(DecodingError) -> Self in
            try Self(serializedBytes: buffer, options: options)
        }
    }

    /// Reads a message from an array of wire bytes, as ``init(serializedBytes:options:)-(RawSpan,_)``.
    @inlinable
    public init(serializedBytes: [UInt8], options: DecodingOptions = DecodingOptions()) throws(DecodingError) {
        try self.init(serializedBytes: serializedBytes.span.bytes, options: options)
    }

    /// Reads a message from borrowed memory that stays put for the call, as ``init(serializedBytes:options:)-(RawSpan,_)``.
    @inlinable
    public init(
        serializedBytes: UnsafeRawBufferPointer, options: DecodingOptions = DecodingOptions()
    ) throws(DecodingError) {
        let bytes = serializedBytes.assumingMemoryBound(to: UInt8.self)
        var message: Self?
        try withUnpacked(bytes, as: Self.descriptor, options: options) { message = Self(unpacked: $0) }
        // `withUnpacked` either throws or has called its closure.
        self = message.unsafelyUnwrapped
    }
}

/// Checks and unpacks `bytes` and hands the C struct to `body`, once; it is gone afterwards.
///
/// Not generic, and inlinable like what calls it: Swift's runtime otherwise looks up the types' metadata in each call, which
/// costs more than the decode.
@inlinable
func withUnpacked(
    _ bytes: UnsafeBufferPointer<UInt8>, as descriptor: MessageDescriptor, options: DecodingOptions,
    _ body: (UnsafeRawPointer) -> Void
) throws(DecodingError) {
    let budget = options.budget(forInputOf: bytes.count)
    try Arena.withArena(budget: budget) { (arena) throws(DecodingError) in
        body(try unpack(bytes, as: descriptor, limit: options.nestingLimit, in: arena, budget: budget))
    }
}

/// Checks and unpacks `bytes` into a C struct in `arena`.
@usableFromInline
func unpack(
    _ bytes: UnsafeBufferPointer<UInt8>, as descriptor: MessageDescriptor, limit: Int,
    in arena: UnsafeMutablePointer<Arena>, budget: Int
) throws(DecodingError) -> UnsafeRawPointer {
    guard bytes.count <= Int(Int32.max) else { throw .malformed(field: "", reason: .messageTooLarge) }
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
        return try unpackChecked(bytes, as: descriptor, in: arena, budget: budget)
    }
    let cursor = WireCursor(position: start, end: start + bytes.count)
    var check = WireCheck(nestingLimit: limit)
    try check.check(cursor, as: descriptor.c)
    guard check.needsMerge else { return try unpackChecked(bytes, as: descriptor, in: arena, budget: budget) }
    var merge = SubmessageMerge(budget: budget)
    return try merge.merge(cursor, as: descriptor.c).withUnsafeBufferPointer { (merged) throws(DecodingError) in
        try unpackChecked(merged, as: descriptor, in: arena, budget: budget)
    }
}

@inline(__always)
private func unpackChecked(
    _ bytes: UnsafeBufferPointer<UInt8>, as descriptor: MessageDescriptor,
    in arena: UnsafeMutablePointer<Arena>, budget: Int
) throws(DecodingError) -> UnsafeRawPointer {
    var allocator = arena.allocator
    guard let message = protobuf_c_message_unpack(descriptor.c, &allocator, bytes.count, bytes.baseAddress) else {
        throw refusal(of: bytes, as: descriptor, arena.pointee.failure, budget: budget)
    }
    return UnsafeRawPointer(message)
}

/// Why protobuf-c has refused checked bytes.
private func refusal(
    of bytes: UnsafeBufferPointer<UInt8>, as descriptor: MessageDescriptor, _ failure: Arena.Failure?, budget: Int
) -> DecodingError {
    switch failure {
    case .overBudget: return .overBudget(limit: budget)
    case .outOfMemory: return .outOfMemory
    case nil: break
    }
    guard let missing = missingRequiredField(bytes, as: descriptor.c) else {
        return .malformed(field: "", reason: .refusedByParser)
    }
    return .missingRequiredField(field: missing)
}

/// The path of the first `required` field (proto2) that checked bytes lack; runs only to name the place of an error.
private func missingRequiredField(
    _ bytes: UnsafeBufferPointer<UInt8>, as descriptor: UnsafePointer<ProtobufCMessageDescriptor>
) -> String? {
    var present: Set<UInt32> = []
    var occurrences: [UInt32: Int] = [:]
    var lookup = FieldLookup(descriptor)
    if let start = bytes.baseAddress {
        var cursor = WireCursor(position: start, end: start + bytes.count)
        while !cursor.isAtEnd, let tag = try? cursor.readTag() {
            present.insert(tag.number)
            guard let field = lookup.field(number: tag.number), field.pointee.type == PROTOBUF_C_TYPE_MESSAGE else {
                guard (try? cursor.skipValue(tag.wireType)) != nil else { return nil }
                continue
            }
            guard let payload = try? cursor.readLengthDelimited() else { return nil }
            let index = occurrences[tag.number, default: 0]
            occurrences[tag.number] = index + 1
            let inner = UnsafeBufferPointer(start: payload.position, count: payload.remaining)
            if let path = missingRequiredField(inner, as: field.messageDescriptor) {
                return field.pathComponent(index: field.isRepeated ? index : nil).joinedPath(path)
            }
        }
    }
    let fields = UnsafeBufferPointer(start: descriptor.pointee.fields, count: Int(descriptor.pointee.n_fields))
    let missing = fields.first {
        $0.label == PROTOBUF_C_LABEL_REQUIRED && $0.default_value == nil && !present.contains($0.id)
    }
    return missing.map { String(cString: $0.name) }
}
