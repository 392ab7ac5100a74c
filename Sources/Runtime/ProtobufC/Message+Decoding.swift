import CProtobufC

/// Limits of one decode.
///
///     let limits = DecodingOptions(maxNestingDepth: 4, arenaBudget: 1 << 20)
///     let request = try HelloRequest(serializedBytes: bytes, options: limits)
public struct DecodingOptions: Sendable, Hashable {
    /// How deeply messages may be nested below the outermost one. protobuf-c has no such limit and recurses on
    /// the stack. Values outside 0…``maximumNestingDepth`` are changed to the nearest limit. Default 32.
    public var maxNestingDepth: Int

    /// Bytes that protobuf-c may take for the unpacked form; `nil` = 8 MiB + 8 × input.
    ///
    /// A message with many small fields needs the factor (a one-byte `int64` in a packed field takes 8 bytes). The
    /// base permits small messages of every kind. An empty submessage of two bytes takes more than 60.
    public var arenaBudget: Int?

    /// The highest permitted value of ``maxNestingDepth``, in levels.
    ///
    /// Messages of that depth are read and written on every thread with 256 KiB of free stack. A message that
    /// needs more stack continues on a thread of its own.
    public static let maximumNestingDepth = 100

    /// The defaults, or other limits.
    public init(maxNestingDepth: Int = 32, arenaBudget: Int? = nil) {
        self.maxNestingDepth = maxNestingDepth
        self.arenaBudget = arenaBudget
    }

    /// The nesting limit within its bounds.
    @inlinable var nestingLimit: Int { min(max(maxNestingDepth, 0), Self.maximumNestingDepth) }

    /// The budget in bytes for an input of `inputSize` bytes.
    @inlinable
    func budget(forInputOf inputSize: Int) -> Int {
        arenaBudget ?? (8 << 20) + 8 * inputSize
    }
}

extension Message {
    /// Reads a message from its wire bytes, after checking all that protobuf-c does not.
    ///
    /// No input crashes or takes more than the limits of `options`. Fields that are not in the schema are kept in
    /// ``unknownFields``. If a singular field has several values, the last one counts; submessages are merged.
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

    /// Reads a message from borrowed memory that does not move during the call, as ``init(serializedBytes:options:)-(RawSpan,_)``.
    @inlinable
    public init(
        serializedBytes: UnsafeRawBufferPointer, options: DecodingOptions = DecodingOptions()
    ) throws(DecodingError) {
        var byteCount = 0
        try self.init(serializedBytes: serializedBytes, as: Self.descriptor, options: options, unpackedByteCount: &byteCount)
    }

    /// Reads a message from its wire bytes, and says how much memory protobuf-c needed for it. Many small fields take far more memory than their wire
    /// bytes: an empty submessage takes two bytes of the wire, and more than 60 of memory. The Swift value mostly takes as much again, and at most
    /// four times as much.
    /// - Parameters:
    ///   - type: the value of ``Message/descriptor``, which the caller keeps. (Swift looks up a static constant with a call into its runtime, each
    ///     time.)
    ///   - unpackedByteCount: set to the bytes of the unpacked form beyond its first KiB.
    @inlinable
    package init(serializedBytes: RawSpan, as type: MessageDescriptor, unpackedByteCount: inout Int) throws(DecodingError) {
        self = try serializedBytes.withUnsafeBytes { (buffer) throws(DecodingError) -> Self in
            try Self(serializedBytes: buffer, as: type, options: DecodingOptions(), unpackedByteCount: &unpackedByteCount)
        }
    }

    @inlinable
    init(
        serializedBytes: UnsafeRawBufferPointer, as type: MessageDescriptor, options: DecodingOptions, unpackedByteCount: inout Int
    ) throws(DecodingError) {
        let bytes = serializedBytes.assumingMemoryBound(to: UInt8.self)
        var message: Self?
        var stackNeed = 0
        unpackedByteCount = try withUnpacked(bytes, as: type, options: options) { unpacked, need in
            if need <= StackNeed.ofCaller { message = Self(unpacked: UnpackedStruct(unpacked)) } else { stackNeed = need }
        }
        if stackNeed > 0 { message = try Self.read(bytes, options, stackNeed: stackNeed) }
        // `withUnpacked` either throws or has called its closure.
        self = message.unsafelyUnwrapped
    }

    /// Reads the message on a thread with enough stack. It is a separate function, because the common path would otherwise copy the message.
    @usableFromInline
    static func read(_ bytes: UnsafeBufferPointer<UInt8>, _ options: DecodingOptions, stackNeed: Int) throws(DecodingError) -> Self {
        var message: Result<Self, DecodingError> = .failure(.outOfMemory)
        _ = StackNeed.onNewStack(byteCount: stackNeed + StackNeed.ofRest) {
            do throws(DecodingError) {
                try withUnpacked(bytes, as: Self.descriptor, options: options) { unpacked, _ in
                    message = .success(Self(unpacked: UnpackedStruct(unpacked)))
                }
            } catch {
                message = .failure(error)
            }
        }
        return try message.get()
    }
}

/// Checks and unpacks `bytes` and lends the C struct to `body`, once, with the stack that reading it needs (``StackNeed``).
///
/// Not generic, and inlinable like its callers. Otherwise Swift's runtime would look up the types' metadata in each call, which
/// costs more than the decode.
/// - Returns: the bytes of the struct beyond its first KiB.
@inlinable @discardableResult
func withUnpacked(
    _ bytes: UnsafeBufferPointer<UInt8>, as descriptor: MessageDescriptor, options: DecodingOptions,
    _ body: (UnsafeRawPointer, Int) -> Void
) throws(DecodingError) -> Int {
    let budget = options.budget(forInputOf: bytes.count)
    return try Arena.withArena(budget: budget) { (arena) throws(DecodingError) -> Int in
        let message = try unpack(bytes, as: descriptor, limit: options.nestingLimit, in: arena, budget: budget)
        body(message, arena.pointee.stackNeed)
        return arena.pointee.usedHeapByteCount(ofBudget: budget)
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
        arena.pointee.stackNeed = StackNeed.ofLevel(structSize: descriptor.structSize)
        return try unpackChecked(bytes, as: descriptor, in: arena, budget: budget)
    }
    let cursor = WireCursor(position: start, end: start + bytes.count)
    var check = WireCheck(nestingLimit: limit)
    try check.check(cursor, as: descriptor.c)
    arena.pointee.stackNeed = check.stackNeed
    if !check.needsMerge && !check.hasStrangers && check.deepest <= StackNeed.parserLevelsOfCaller {
        return try unpackChecked(bytes, as: descriptor, in: arena, budget: budget)
    }
    return try unpackRarity(cursor, check, as: descriptor, in: arena, budget: budget)
}

/// Unpacks messages that protobuf-c would refuse or read wrongly, and deep messages.
private func unpackRarity(
    _ bytes: WireCursor, _ check: WireCheck, as descriptor: MessageDescriptor,
    in arena: UnsafeMutablePointer<Arena>, budget: Int
) throws(DecodingError) -> UnsafeRawPointer {
    func unpacked() -> Result<UnsafeRawPointer, DecodingError> {
        Result { () throws(DecodingError) in try unpackRepaired(bytes, check, as: descriptor, in: arena, budget: budget) }
    }
    if check.deepest <= StackNeed.parserLevelsOfCaller { return try unpacked().get() }
    var result: Result<UnsafeRawPointer, DecodingError> = .failure(.outOfMemory)
    _ = StackNeed.onNewStack(byteCount: check.deepest * StackNeed.ofParserLevel + StackNeed.ofRest) { result = unpacked() }
    return try result.get()
}

private func unpackRepaired(
    _ bytes: WireCursor, _ check: WireCheck, as descriptor: MessageDescriptor,
    in arena: UnsafeMutablePointer<Arena>, budget: Int
) throws(DecodingError) -> UnsafeRawPointer {
    guard check.needsMerge || check.hasStrangers else {
        let bytes = UnsafeBufferPointer(start: bytes.position, count: bytes.remaining)
        return try unpackChecked(bytes, as: descriptor, in: arena, budget: budget)
    }
    var repair = WireRepair(budget: budget)
    var repaired = Array(UnsafeBufferPointer(start: bytes.position, count: bytes.remaining))
    if check.hasStrangers { repaired = try repair.wrapStrangers(bytes, as: descriptor.c) }
    if check.needsMerge {
        repaired = try repaired.withUnsafeBufferPointer { (buffer) throws(DecodingError) in
            guard let start = buffer.baseAddress else { return [] }
            return try repair.merge(WireCursor(position: start, end: start + buffer.count), as: descriptor.c)
        }
    }
    let message = try repaired.withUnsafeBufferPointer { (buffer) throws(DecodingError) in
        try unpackChecked(buffer, as: descriptor, in: arena, budget: budget)
    }
    if check.hasStrangers { WireRepair.unwrap(StructView(memory: UnsafeMutableRawPointer(mutating: message), descriptor: descriptor.c)) }
    return message
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

/// The path of the first missing `required` field (proto2) in checked bytes. It runs only for an error message.
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
                guard (try? cursor.skipValue(of: tag)) != nil else { return nil }
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

extension MessageDescriptor {
    /// Checks wire bytes of this type, as decoding does before it allocates memory. Later, decoding can fail only because of required fields
    /// (proto2) or memory.
    ///
    /// For code that keeps a message as bytes, and decodes it later.
    /// - Throws: ``DecodingError`` with the path of the field at fault.
    public func check(_ bytes: RawSpan, options: DecodingOptions = DecodingOptions()) throws(DecodingError) {
        try bytes.withUnsafeBytes { (buffer) throws(DecodingError) in
            guard buffer.count <= Int(Int32.max) else { throw .malformed(field: "", reason: .messageTooLarge) }
            guard let start = buffer.assumingMemoryBound(to: UInt8.self).baseAddress, !buffer.isEmpty else { return }
            var check = WireCheck(nestingLimit: options.nestingLimit)
            try check.check(WireCursor(position: start, end: start + buffer.count), as: c)
        }
    }

    /// Whether decoding a message costs little more than copying it. That is so if it has at most 1,024 fields (`DecodingCost.mostFields`), with
    /// those of its submessages, and at most 64 KiB outside of fields of type `bytes` (``cheapByteCount``).
    ///
    /// For code that must not be delayed by a message, and decodes expensive ones on another thread. A message of 64 KiB may have 32,000 fields, and
    /// a long text has characters that must be checked. Both take much longer than a copy. If the bytes are not a message, the answer has no meaning.
    public func decodesByCopying(_ bytes: RawSpan) -> Bool {
        guard bytes.byteCount > Self.uncountedByteCount else { return true }
        return bytes.withUnsafeBytes { buffer in
            guard let start = buffer.assumingMemoryBound(to: UInt8.self).baseAddress else { return true }
            var cost = DecodingCost()
            return cost.staysLow(WireCursor(position: start, end: start + buffer.count), as: c)
        }
    }

    /// The bytes outside of fields of type `bytes` that a message may have and still decode quickly: 64 KiB.
    public static let cheapByteCount = 64 << 10
    /// The size of messages that always decode quickly, because a field has at least two bytes: 2 KiB. Their fields are not counted.
    public static let uncountedByteCount = 2 << 10
}

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
