import CProtobufC

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Allocates the memory that a protobuf-c struct points at, for one encode. For generated code, inside
/// ``Message/fill(_:with:)``.
///
/// Lack of memory is noted, and reported at the end of the encode. So functions that cannot fail otherwise
/// need no `throws`. They return null pointers then, and nothing is packed.
public struct MessageEncoder: ~Copyable {
    @usableFromInline let arena: UnsafeMutablePointer<Arena>
    /// The nesting depth of the message that is being filled.
    @usableFromInline var depth = 0
    /// The stack that the outer messages leave, bytes.
    @usableFromInline var remainingStack = StackNeed.ofCaller

    @inlinable
    init(arena: UnsafeMutablePointer<Arena>) {
        self.arena = arena
    }

    /// A NUL-terminated copy of `value`.
    ///
    /// The empty string gets memory of its own, because protobuf-c treats its own empty string as an unset `oneof` member.
    /// - Throws: ``EncodingError/nulInString(field:)``.
    public mutating func string(
        _ value: String, field: StaticString
    ) throws(EncodingError) -> UnsafeMutablePointer<CChar> {
        var value = value
        var holdsNUL = false
        let copy = value.withUTF8 { utf8 -> UnsafeMutablePointer<CChar>? in
            guard let copy = arena.allocate(CChar.self, count: utf8.count + 1) else { return nil }
            if let start = utf8.baseAddress, !utf8.isEmpty {
                holdsNUL = memchr(start, 0, utf8.count) != nil
                UnsafeMutableRawPointer(copy).copyMemory(from: start, byteCount: utf8.count)
            }
            copy[utf8.count] = 0
            return copy
        }
        guard !holdsNUL else { throw .nulInString(field: field.description) }
        guard let copy else { throw .outOfMemory }
        return copy
    }

    /// A copy of a `bytes` field.
    @inlinable
    public mutating func bytes(_ value: [UInt8]) -> ProtobufCBinaryData {
        guard let copy = array(value) else { return ProtobufCBinaryData() }
        return ProtobufCBinaryData(len: value.count, data: copy)
    }

    /// A repeated `string` field.
    /// - Throws: ``EncodingError/nulInString(field:)`` with the element's index.
    public mutating func strings(
        _ values: [String], field: StaticString
    ) throws(EncodingError) -> (count: Int, pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) {
        guard let pointers = room(for: values, UnsafeMutablePointer<CChar>?.self) else { return (0, nil) }
        for index in values.indices {
            do throws(EncodingError) {
                (pointers + index).initialize(to: try string(values[index], field: ""))
            } catch {
                throw error.inside("\(field)[\(index)]")
            }
        }
        return (values.count, pointers)
    }

    /// A repeated `bytes` field.
    public mutating func bytesArray(
        _ values: [[UInt8]]
    ) -> (count: Int, pointer: UnsafeMutablePointer<ProtobufCBinaryData>?) {
        guard let elements = room(for: values, ProtobufCBinaryData.self) else { return (0, nil) }
        for index in values.indices {
            (elements + index).initialize(to: bytes(values[index]))
        }
        return (values.count, elements)
    }

    /// A repeated number field.
    @inlinable
    public mutating func scalars<Scalar: BitwiseCopyable>(
        _ values: [Scalar]
    ) -> (count: Int, pointer: UnsafeMutablePointer<Scalar>?) {
        guard let copy = array(values) else { return (0, nil) }
        return (values.count, copy)
    }

    /// A repeated `bool` field.
    public mutating func bools(_ values: [Bool]) -> (count: Int, pointer: UnsafeMutablePointer<protobuf_c_boolean>?) {
        guard let elements = room(for: values, protobuf_c_boolean.self) else { return (0, nil) }
        for index in values.indices {
            (elements + index).initialize(to: values[index] ? 1 : 0)
        }
        return (values.count, elements)
    }

    /// An enum field as the C enum type, a 4-byte integer in whatever form Swift imports it.
    @inlinable
    public func enumeration<Enum: ProtobufEnum, CEnum: BitwiseCopyable>(_ value: Enum, as type: CEnum.Type) -> CEnum {
        withUnsafeBytes(of: value.rawValue) { $0.loadUnaligned(as: type) }
    }

    /// A repeated enum field as an array of the C enum type.
    @inlinable
    public mutating func enums<Enum: ProtobufEnum, CEnum: BitwiseCopyable>(
        _ values: [Enum], as type: CEnum.Type
    ) -> (count: Int, pointer: UnsafeMutablePointer<CEnum>?) {
        guard let elements = room(for: values, type) else { return (0, nil) }
        for index in values.indices {
            (elements + index).initialize(to: enumeration(values[index], as: type))
        }
        return (values.count, elements)
    }

    /// A submessage in its C struct, or `nil` when it is absent. `field` names it in errors.
    /// - Throws: errors of filling the submessage, with `field` before the path.
    @inlinable
    public mutating func message<Submessage: Message, CStruct>(
        _ value: Submessage?, as type: CStruct.Type, field: StaticString
    ) throws(EncodingError) -> UnsafeMutablePointer<CStruct>? {
        guard let value else { return nil }
        do throws(EncodingError) {
            return try filled(value, as: Submessage.descriptor).assumingMemoryBound(to: type)
        } catch {
            throw error.inside(field.description)
        }
    }

    /// A repeated message field as an array of pointers to C structs. `field` names it in errors.
    /// - Throws: errors of filling an element, with `field[index]` before the path.
    @inlinable
    public mutating func messages<Submessage: Message, CStruct>(
        _ values: [Submessage], as type: CStruct.Type, field: StaticString
    ) throws(EncodingError) -> (count: Int, pointer: UnsafeMutablePointer<UnsafeMutablePointer<CStruct>?>?) {
        guard let pointers = room(for: values, UnsafeMutablePointer<CStruct>?.self) else { return (0, nil) }
        for index in values.indices {
            do throws(EncodingError) {
                (pointers + index).initialize(to: try filled(values[index], as: Submessage.descriptor).assumingMemoryBound(to: type))
            } catch {
                throw error.inside("\(field)[\(index)]")
            }
        }
        return (values.count, pointers)
    }

    /// Adds unknown fields after the known ones of the struct.
    @inlinable
    public mutating func unknownFields(_ fields: UnknownFields, into blank: BlankStruct) {
        if !fields.isEmpty { addRecords(of: fields.wireBytes, into: blank.address) }
    }

    /// Writes −0.0 in a field without presence, which protobuf-c treats as 0.0 and omits. It writes nothing for other values.
    @inlinable
    public mutating func negativeZero(_ value: Double, number: UInt32, into blank: BlankStruct) {
        if value.bitPattern == 1 << 63 { addNegativeZero(number: number, byteCount: 8, into: blank.address) }
    }

    /// The same for a `float` field.
    @inlinable
    public mutating func negativeZero(_ value: Float, number: UInt32, into blank: BlankStruct) {
        if value.bitPattern == 1 << 31 { addNegativeZero(number: number, byteCount: 4, into: blank.address) }
    }

    /// Adds a record of −0.0 after the known fields. Every reader takes it as the field's value.
    @usableFromInline
    func addNegativeZero(number: UInt32, byteCount: Int, into message: UnsafeMutableRawPointer) {
        addRecords(of: Self.negativeZero(number: number, byteCount: byteCount), into: message)
    }

    /// The record of −0.0 in a field of 4 or 8 bytes.
    static func negativeZero(number: UInt32, byteCount: Int) -> [UInt8] {
        var record: [UInt8] = []
        record.appendVarint(UInt64(number) << 3 | (byteCount == 8 ? 1 : 5))
        return record + [UInt8](repeating: 0, count: byteCount - 1) + [0x80]
    }

    /// Adds records after the known fields and earlier records.
    /// - Parameter earlierAreOwn: whether the earlier records were added here. protobuf-c's array of them has no room for more.
    @usableFromInline
    func addRecords(of wireBytes: [UInt8], into message: UnsafeMutableRawPointer, earlierAreOwn: Bool = true) {
        guard let bytes = array(wireBytes) else { return }
        let base = message.assumingMemoryBound(to: ProtobufCMessage.self)
        let cursor = WireCursor(position: UnsafePointer(bytes), end: UnsafePointer(bytes) + wireBytes.count)
        let present = Int(base.pointee.n_unknown_fields)
        let count = UnknownRecords(cursor: cursor).reduce(present) { count, _ in count + 1 }
        guard let records = recordRoom(for: count, after: present, earlierAreOwn ? base.pointee.unknown_fields : nil) else { return }
        if let former = base.pointee.unknown_fields, former != records { records.initialize(from: former, count: present) }
        for (index, record) in UnknownRecords(cursor: cursor).enumerated() {
            (records + present + index).initialize(to: record)
        }
        base.pointee.unknown_fields = records
        base.pointee.n_unknown_fields = UInt32(count)
    }

    /// An array for `count` records: the present one if it has room. A larger one has room for as many again, so that a record for each of many
    /// fields does not copy the message's unknown fields each time. The record before the array has its room as `len`.
    private func recordRoom(
        for count: Int, after present: Int, _ own: UnsafeMutablePointer<ProtobufCMessageUnknownField>?
    ) -> UnsafeMutablePointer<ProtobufCMessageUnknownField>? {
        if let own, (own - 1).pointee.len >= count { return own }
        let room = max(count, 2 * present)
        guard let memory = arena.allocate(ProtobufCMessageUnknownField.self, count: 1 + room) else { return nil }
        var header = ProtobufCMessageUnknownField()
        header.len = room
        memory.initialize(to: header)
        return memory + 1
    }

    /// The struct of `value`, initialised and filled.
    @inlinable
    mutating func filled<Value: Message>(_ value: Value, as type: MessageDescriptor) throws(EncodingError) -> UnsafeMutableRawPointer {
        let (formerDepth, formerStack) = (depth, remainingStack)
        let memory = try emptyStruct(type)
        defer { (depth, remainingStack) = (formerDepth, formerStack) }
        if remainingStack >= 0 {
            try value.fill(BlankStruct(memory), with: &self)
        } else {
            try fillOnNewStack(value, BlankStruct(memory), formerStack - remainingStack)
        }
        return memory
    }

    /// Fills a struct on a thread with enough stack.
    @usableFromInline
    mutating func fillOnNewStack<Value: Message>(_ value: Value, _ blank: BlankStruct, _ need: Int) throws(EncodingError) {
        // Stack for this message and a hundred levels of usual size. Larger messages use another stack.
        remainingStack = 1 << 20
        var failure: EncodingError?
        let ran = withUnsafeMutablePointer(to: &self) { encoder in
            StackNeed.onNewStack(byteCount: need + encoder.pointee.remainingStack + StackNeed.ofRest) {
                do throws(EncodingError) {
                    try value.fill(blank, with: &encoder.pointee)
                } catch {
                    failure = error
                }
            }
        }
        guard ran else { throw .outOfMemory }
        if let failure { throw failure }
    }

    /// A struct with every field at its default, and this encoder one level deeper.
    @usableFromInline
    mutating func emptyStruct(_ descriptor: MessageDescriptor) throws(EncodingError) -> UnsafeMutableRawPointer {
        let limit = DecodingOptions.maximumNestingDepth
        guard depth <= limit else { throw .nestingTooDeep(field: "", limit: limit) }
        guard let memory = room(byteCount: descriptor.structSize) else { throw .outOfMemory }
        descriptor.initialize(memory)
        depth &+= 1
        remainingStack &-= StackNeed.ofLevel(structSize: descriptor.structSize)
        return memory
    }

    /// Throws if the arena could not give memory.
    @usableFromInline
    func checkMemory() throws(EncodingError) {
        guard arena.pointee.failure == nil else { throw .outOfMemory }
    }

    @inlinable
    func array<Element: BitwiseCopyable>(_ values: [Element]) -> UnsafeMutablePointer<Element>? {
        guard let copy = room(for: values, Element.self) else { return nil }
        values.withUnsafeBufferPointer { buffer in
            if let start = buffer.baseAddress { copy.initialize(from: start, count: buffer.count) }
        }
        return copy
    }

    /// Room for as many `Element`s as there are values; `nil` for none.
    @inlinable
    func room<Value, Element>(for values: [Value], _ type: Element.Type) -> UnsafeMutablePointer<Element>? {
        guard !values.isEmpty else { return nil }
        return room(byteCount: values.count * MemoryLayout<Element>.stride)?
            .bindMemory(to: type, capacity: values.count)
    }

    @usableFromInline
    func room(byteCount: Int) -> UnsafeMutableRawPointer? {
        arena.pointee.allocate(byteCount: byteCount)
    }
}

/// The records of unknown fields, pointing into the bytes given.
private struct UnknownRecords: Sequence, IteratorProtocol {
    var cursor: WireCursor

    mutating func next() -> ProtobufCMessageUnknownField? {
        guard !cursor.isAtEnd, let tag = try? cursor.readTag() else { return nil }
        let start = cursor.position
        guard (try? cursor.skipValue(of: tag)) != nil else { return nil }
        return ProtobufCMessageUnknownField(
            tag: tag.number, wire_type: ProtobufCWireType(UInt32(tag.wireType)), len: cursor.position - start,
            data: UnsafeMutablePointer(mutating: start))
    }
}
