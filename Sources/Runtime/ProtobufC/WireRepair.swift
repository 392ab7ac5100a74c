import CProtobufC

/// Rewrites wire bytes that protobuf-c's parser would refuse or read wrongly, and restores the hidden records afterwards.
///
/// - Groups, and records of known fields that count as unknown (a wrong wire type, a number that a closed enum does not have),
///   are wrapped into a record with a number that no schema has. After the parser they are unwrapped again, as unknown fields.
/// - The parts of every singular message field are joined, so that it comes once. By the specification, joining the bytes of two
///   submessages is the same as merging them. So protobuf-c's wrong merge never runs.
///
/// Only for input that has passed ``WireCheck`` and needs it. Senders normally do not write such bytes.
struct WireRepair {
    /// Bytes that the copies may still take, all levels together.
    private var remainingBudget: Int
    private let limit: Int

    /// The field number of wrapped records. It is reserved for implementations of protobuf, so no field can have it.
    static let wrappingNumber: UInt32 = 19_999

    init(budget: Int) {
        remainingBudget = budget
        limit = budget
    }

    // MARK: Unknown fields

    /// The same message with every such record wrapped.
    mutating func wrapStrangers(
        _ bytes: WireCursor, as descriptor: UnsafePointer<ProtobufCMessageDescriptor>
    ) throws(DecodingError) -> [UInt8] {
        try charge(bytes.remaining)
        var output: [UInt8] = []
        output.reserveCapacity(bytes.remaining)
        var cursor = bytes
        var lookup = FieldLookup(descriptor)
        while let record = try Self.next(&cursor, &lookup) {
            let raw = UnsafeBufferPointer(start: record.start, count: record.end - record.start)
            guard let field = record.field else {
                if record.tag.wireType == 3 || record.tag.number == Self.wrappingNumber { wrap(raw, &output) } else { output += raw }
                continue
            }
            if field.pointee.type == PROTOBUF_C_TYPE_MESSAGE, let payload = record.payload {
                if try Self.isEntryOfStranger(payload, field, in: descriptor) {
                    wrap(raw, &output)
                } else {
                    append(try wrapStrangers(payload, as: field.messageDescriptor), to: field.pointee.id, &output)
                }
            } else if record.tag.wireType == field.elementWireType {
                let isStranger = field.isClosedEnum ? try Self.hasStranger(record.value, field) : false
                if isStranger { wrap(raw, &output) } else { output += raw }
            } else if let payload = record.payload, field.isRepeated {
                if field.isClosedEnum { try wrapStrangers(ofPacked: payload, field, &output) } else { output += raw }
            } else {
                wrap(raw, &output)
            }
        }
        return output
    }

    /// Separates the numbers of a packed closed enum into known and unknown ones.
    private func wrapStrangers(ofPacked payload: WireCursor, _ field: FieldDescriptor, _ output: inout [UInt8]) throws(DecodingError) {
        var numbers = payload
        while !numbers.isAtEnd {
            let number = try Self.varint(&numbers)
            var record: [UInt8] = []
            record.appendVarint(UInt64(field.pointee.id) << 3)
            record.appendVarint(number)
            if field.hasEnumValue(number) { output += record } else { wrap(record, &output) }
        }
    }

    private static func hasStranger(_ value: WireCursor, _ field: FieldDescriptor) throws(DecodingError) -> Bool {
        var value = value
        return !field.hasEnumValue(try varint(&value))
    }

    private static func varint(_ cursor: inout WireCursor) throws(DecodingError) -> UInt64 {
        do { return try cursor.readVarint() } catch { throw .malformed(field: "", reason: error) }
    }

    /// Whether the record is a map entry whose value is not a number of its closed enum. Then the whole entry is unknown.
    private static func isEntryOfStranger(
        _ payload: WireCursor, _ field: FieldDescriptor, in descriptor: UnsafePointer<ProtobufCMessageDescriptor>
    ) throws(DecodingError) -> Bool {
        guard field.isMap(in: descriptor) else { return false }
        let valueField = field.messageDescriptor.pointee.fields + 1
        guard valueField.isClosedEnum else { return false }
        var cursor = payload
        var lookup = FieldLookup(field.messageDescriptor)
        var isStranger = false
        while let record = try next(&cursor, &lookup) {
            if record.tag.number == 2, record.tag.wireType == 0 { isStranger = try hasStranger(record.value, valueField) }
        }
        return isStranger
    }

    private func wrap(_ record: some Collection<UInt8>, _ output: inout [UInt8]) {
        output.appendVarint(UInt64(Self.wrappingNumber) << 3 | 2)
        output.appendVarint(UInt64(record.count))
        output += record
    }

    /// Unwraps records in an unpacked message, and in all messages inside it, as unknown fields.
    static func unwrap(_ message: StructView) {
        message.forEachMessage { view in
            let base = view.memory.assumingMemoryBound(to: ProtobufCMessage.self)
            for index in 0..<Int(base.pointee.n_unknown_fields) {
                let field = base.pointee.unknown_fields + index
                guard field.pointee.tag == wrappingNumber, let data = field.pointee.data else { continue }
                var cursor = WireCursor(position: data, end: UnsafePointer(data) + field.pointee.len)
                // The record was written by `wrap`, from one that has been read before.
                guard let record = try? cursor.readLengthDelimited() else { continue }
                cursor = record
                guard let tag = try? cursor.readTag() else { continue }
                field.pointee = ProtobufCMessageUnknownField(
                    tag: tag.number, wire_type: ProtobufCWireType(UInt32(tag.wireType)), len: cursor.remaining,
                    data: UnsafeMutablePointer(mutating: cursor.position))
            }
        }
    }

    // MARK: Merging

    /// One field in wire form.
    private struct Record {
        var field: FieldDescriptor?
        var tag: WireCursor.Tag
        /// The bytes after the tag.
        var value: WireCursor
        var start: UnsafePointer<UInt8>
        var end: UnsafePointer<UInt8>
        /// The bytes inside a length-delimited value.
        var payload: WireCursor?
    }

    /// The joined parts of one singular message field, and where the last of them ended.
    private struct Parts {
        var bytes: [UInt8] = []
        var lastEnd: UnsafePointer<UInt8>
    }

    /// The same message with all parts joined. It is never longer than `bytes`.
    mutating func merge(
        _ bytes: WireCursor, as descriptor: UnsafePointer<ProtobufCMessageDescriptor>
    ) throws(DecodingError) -> [UInt8] {
        // Twice the size: the joined parts and the result.
        try charge(2 * bytes.remaining)
        let parts = try Self.join(bytes, descriptor)
        var output: [UInt8] = []
        output.reserveCapacity(bytes.remaining)
        var cursor = bytes
        var lookup = FieldLookup(descriptor)
        while let record = try Self.next(&cursor, &lookup) {
            guard let field = record.field, field.pointee.type == PROTOBUF_C_TYPE_MESSAGE, let payload = record.payload
            else {
                output += UnsafeBufferPointer(start: record.start, count: record.end - record.start)
                continue
            }
            if field.isRepeated {
                append(try merge(payload, as: field.messageDescriptor), to: field.pointee.id, &output)
            } else if let joined = parts[field.pointee.id], joined.lastEnd == record.end {
                append(try merge(joined.bytes, as: field.messageDescriptor), to: field.pointee.id, &output)
            }
        }
        return output
    }

    private mutating func merge(
        _ bytes: [UInt8], as descriptor: UnsafePointer<ProtobufCMessageDescriptor>
    ) throws(DecodingError) -> [UInt8] {
        try bytes.withUnsafeBufferPointer { (buffer) throws(DecodingError) -> [UInt8] in
            guard let start = buffer.baseAddress, !buffer.isEmpty else { return [] }
            return try merge(WireCursor(position: start, end: start + buffer.count), as: descriptor)
        }
    }

    /// Collects the parts of each singular message field. A later member of its `oneof` drops them.
    private static func join(
        _ bytes: WireCursor, _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>
    ) throws(DecodingError) -> [UInt32: Parts] {
        var parts: [UInt32: Parts] = [:]
        var oneofCases: [UInt32: UInt32] = [:]
        var cursor = bytes
        var lookup = FieldLookup(descriptor)
        while let record = try next(&cursor, &lookup) {
            guard let field = record.field else { continue }
            if field.isOneofMember {
                // The members of one oneof share the place of its case.
                let previous = oneofCases.updateValue(field.pointee.id, forKey: field.pointee.quantifier_offset)
                if let previous, previous != field.pointee.id { parts[previous] = nil }
            }
            guard field.pointee.type == PROTOBUF_C_TYPE_MESSAGE, !field.isRepeated, let payload = record.payload else {
                continue
            }
            let buffer = UnsafeBufferPointer(start: payload.position, count: payload.remaining)
            parts[field.pointee.id, default: Parts(lastEnd: record.end)].bytes.append(contentsOf: buffer)
            parts[field.pointee.id]?.lastEnd = record.end
        }
        return parts
    }

    private mutating func charge(_ byteCount: Int) throws(DecodingError) {
        guard byteCount <= remainingBudget else { throw .overBudget(limit: limit) }
        remainingBudget -= byteCount
    }

    private static func next(_ cursor: inout WireCursor, _ lookup: inout FieldLookup) throws(DecodingError) -> Record? {
        guard !cursor.isAtEnd else { return nil }
        let start = cursor.position
        do throws(Malformation) {
            let tag = try cursor.readTag()
            let value = cursor.position
            let payload: WireCursor?
            if tag.wireType == 2 {
                payload = try cursor.readLengthDelimited()
            } else {
                payload = nil
                try cursor.skipValue(of: tag)
            }
            return Record(
                field: lookup.field(number: tag.number), tag: tag, value: WireCursor(position: value, end: cursor.position),
                start: start, end: cursor.position, payload: payload)
        } catch {
            throw .malformed(field: "", reason: error)
        }
    }

    private func append(_ payload: [UInt8], to number: UInt32, _ output: inout [UInt8]) {
        output.appendVarint(UInt64(number) << 3 | 2)
        output.appendVarint(UInt64(payload.count))
        output.append(contentsOf: payload)
    }
}

extension [UInt8] {
    /// Appends a base-128 varint.
    mutating func appendVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}
