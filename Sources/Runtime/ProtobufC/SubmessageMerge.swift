import CProtobufC

/// Rewrites wire bytes so that every singular message field comes once, its parts joined.
///
/// The specification makes joining the bytes of two submessages the same as merging them, so protobuf-c's own faulty merge
/// never runs. Only for input that ``WireCheck`` has passed and found in need of it; no sender writes such bytes normally.
struct SubmessageMerge {
    /// Bytes that the copies may still take, all levels together.
    private var remainingBudget: Int
    private let limit: Int

    init(budget: Int) {
        remainingBudget = budget
        limit = budget
    }

    /// One field as it stands on the wire.
    private struct Record {
        var field: FieldDescriptor?
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

    /// The same message with nothing left to merge, never longer than `bytes`.
    mutating func merge(
        _ bytes: WireCursor, as descriptor: UnsafePointer<ProtobufCMessageDescriptor>
    ) throws(DecodingError) -> [UInt8] {
        // Twice the size: the joined parts and the result.
        guard 2 * bytes.remaining <= remainingBudget else { throw .overBudget(limit: limit) }
        remainingBudget -= 2 * bytes.remaining
        let parts = try Self.join(bytes, descriptor)
        var output: [UInt8] = []
        output.reserveCapacity(bytes.remaining)
        var cursor = bytes
        var lookup = FieldLookup(descriptor)
        while let record = try Self.next(&cursor, &lookup) {
            guard let field = record.field, field.pointee.type == PROTOBUF_C_TYPE_MESSAGE, let payload = record.payload
            else {
                output.append(contentsOf: UnsafeBufferPointer(start: record.start, count: record.end - record.start))
                continue
            }
            if field.isRepeated {
                append(try merge(payload, as: field.messageDescriptor), to: field, &output)
            } else if let joined = parts[field.pointee.id], joined.lastEnd == record.end {
                append(try merge(joined.bytes, as: field.messageDescriptor), to: field, &output)
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

    /// Gathers the parts of each singular message field that still count: a later member of its `oneof` drops them.
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

    private static func next(_ cursor: inout WireCursor, _ lookup: inout FieldLookup) throws(DecodingError) -> Record? {
        guard !cursor.isAtEnd else { return nil }
        let start = cursor.position
        do throws(Malformation) {
            let tag = try cursor.readTag()
            let payload: WireCursor?
            if tag.wireType == 2 {
                payload = try cursor.readLengthDelimited()
            } else {
                payload = nil
                try cursor.skipValue(tag.wireType)
            }
            return Record(field: lookup.field(number: tag.number), start: start, end: cursor.position, payload: payload)
        } catch {
            throw .malformed(field: "", reason: error)
        }
    }

    private func append(_ payload: [UInt8], to field: FieldDescriptor, _ output: inout [UInt8]) {
        output.appendVarint(UInt64(field.pointee.id) << 3 | 2)
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
