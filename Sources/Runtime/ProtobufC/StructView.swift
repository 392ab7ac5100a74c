import CProtobufC

typealias DescriptorPointer = UnsafePointer<ProtobufCMessageDescriptor>

/// A protobuf-c struct that is read by its descriptor, as JSON reads every message.
///
/// The offsets and types are those of `protoc-c`'s own tables, so each access has the type the C compiler gave the member.
struct StructView {
    let memory: UnsafeMutableRawPointer
    let descriptor: DescriptorPointer

    /// The fields in the order of their numbers.
    var fields: UnsafeBufferPointer<ProtobufCFieldDescriptor> {
        UnsafeBufferPointer(start: descriptor.pointee.fields, count: Int(descriptor.pointee.n_fields))
    }

    /// The field with that number. The caller knows that it exists.
    func field(_ number: UInt32) -> FieldDescriptor {
        // Asked only for numbers whose presence `WellKnownType` or `isMapEntry` has checked.
        protobuf_c_message_descriptor_get_field(descriptor, number).unsafelyUnwrapped
    }

    /// Where the field's value, or its array's address, is kept.
    func location(_ field: FieldDescriptor) -> UnsafeMutableRawPointer {
        memory + Int(field.pointee.offset)
    }

    /// Where the count, the presence flag or the oneof's case is kept.
    func quantifier(_ field: FieldDescriptor) -> UnsafeMutableRawPointer {
        memory + Int(field.pointee.quantifier_offset)
    }

    /// The value of a member of C type `Value`.
    func load<Value: BitwiseCopyable>(_ number: UInt32, as type: Value.Type) -> Value {
        location(field(number)).load(as: type)
    }

    /// The array of a repeated field: its count and the address of its first element.
    func elements(_ field: FieldDescriptor) -> (count: Int, start: UnsafeMutableRawPointer?) {
        (quantifier(field).load(as: Int.self), location(field).load(as: UnsafeMutableRawPointer?.self))
    }

    /// Calls `body` with this message and with every message inside it. The checks of decoding limit the depth.
    func forEachMessage(_ body: (StructView) -> Void) {
        body(self)
        for index in fields.indices {
            // Within the bounds of the table just counted.
            let field = fields.baseAddress.unsafelyUnwrapped + index
            guard field.pointee.type == PROTOBUF_C_TYPE_MESSAGE else { continue }
            if field.isRepeated {
                let (count, start) = elements(field)
                for index in 0..<(start == nil ? 0 : count) {
                    visit(start.unsafelyUnwrapped.load(fromByteOffset: 8 * index, as: UnsafeMutableRawPointer?.self), field, body)
                }
            } else if !field.isOneofMember || isCase(field) {
                visit(location(field).load(as: UnsafeMutableRawPointer?.self), field, body)
            }
        }
    }

    private func visit(_ memory: UnsafeMutableRawPointer?, _ field: FieldDescriptor, _ body: (StructView) -> Void) {
        guard let memory else { return }
        StructView(memory: memory, descriptor: field.messageDescriptor).forEachMessage(body)
    }

    /// Adds a record for each −0.0 in a field without presence, which protobuf-c treats as 0.0 and omits. For structs that will be packed.
    func keepNegativeZeros(in arena: UnsafeMutablePointer<Arena>) {
        forEachMessage { view in
            var records: [UInt8] = []
            for field in view.fields where field.label == PROTOBUF_C_LABEL_NONE && field.flags & PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue == 0 {
                let location = view.memory + Int(field.offset)
                var byteCount = 0
                if field.type == PROTOBUF_C_TYPE_DOUBLE, location.load(as: UInt64.self) == 1 << 63 { byteCount = 8 }
                if field.type == PROTOBUF_C_TYPE_FLOAT, location.load(as: UInt32.self) == 1 << 31 { byteCount = 4 }
                if byteCount > 0 { records += MessageEncoder.negativeZero(number: field.id, byteCount: byteCount) }
            }
            // All together, because adding copies the unknown fields.
            if !records.isEmpty { MessageEncoder(arena: arena).addRecords(of: records, into: view.memory, earlierAreOwn: false) }
        }
    }

    /// Whether this member of a oneof is set.
    func isCase(_ field: FieldDescriptor) -> Bool {
        quantifier(field).load(as: UInt32.self) == field.pointee.id
    }
}

extension UnsafePointer<ProtobufCFieldDescriptor> {
    /// Bytes of one element of this field in an array.
    var elementSize: Int {
        switch pointee.type {
        case PROTOBUF_C_TYPE_INT64, PROTOBUF_C_TYPE_SINT64, PROTOBUF_C_TYPE_SFIXED64, PROTOBUF_C_TYPE_UINT64,
            PROTOBUF_C_TYPE_FIXED64, PROTOBUF_C_TYPE_DOUBLE, PROTOBUF_C_TYPE_STRING, PROTOBUF_C_TYPE_MESSAGE:
            8
        case PROTOBUF_C_TYPE_BYTES: MemoryLayout<ProtobufCBinaryData>.stride
        default: 4
        }
    }

    /// The descriptor of the enum type of this field, whose type must be an enum.
    var enumDescriptor: UnsafePointer<ProtobufCEnumDescriptor> {
        // protoc-c sets it in every field of enum type.
        pointee.descriptor.unsafelyUnwrapped.assumingMemoryBound(to: ProtobufCEnumDescriptor.self)
    }

    /// The value with that number of the enum type of this field, whose type must be an enum; nil if there is none.
    ///
    /// protobuf-c's own search does not find 2,147,483,647, because it adds 1 to it.
    func enumValue(_ number: Int32) -> UnsafePointer<ProtobufCEnumValue>? {
        let type = enumDescriptor
        guard let values = type.pointee.values, type.pointee.n_values > 0 else { return nil }
        // They are in the order of their numbers, each number once. The numbers of most enums have no gaps.
        var (low, high) = (0, Int(type.pointee.n_values))
        let guess = Int(number) - Int(values.pointee.value)
        if guess >= low, guess < high, values[guess].value == number { return values + guess }
        while low < high {
            let middle = (low + high) / 2
            let found = values[middle].value
            if found == number { return values + middle }
            if found < number { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// Whether this is a map, as far as protobuf-c's tables show: a repeated message of exactly `key = 1` and `value = 2`
    /// whose type is nested in `parent` with the name that protoc gives to a map's entries (`counts_by_id` →
    /// `CountsByIdEntry`). A hand-written message with exactly this
    /// shape counts as a map too, because it has the same wire form. But a message whose `key` and `value` are in one oneof does not,
    /// because only one of them can be read.
    func isMap(in parent: DescriptorPointer) -> Bool {
        guard isRepeated, pointee.type == PROTOBUF_C_TYPE_MESSAGE else { return false }
        let entry = messageDescriptor
        guard entry.pointee.n_fields == 2 else { return false }
        guard !entry.pointee.fields.isOneofMember, !(entry.pointee.fields + 1).isOneofMember else { return false }
        let key = entry.pointee.fields[0]
        let value = entry.pointee.fields[1]
        guard key.id == 1, value.id == 2, key.label != PROTOBUF_C_LABEL_REPEATED, value.label != PROTOBUF_C_LABEL_REPEATED,
            String(cString: key.name) == "key", String(cString: value.name) == "value"
        else { return false }
        switch key.type {
        case PROTOBUF_C_TYPE_FLOAT, PROTOBUF_C_TYPE_DOUBLE, PROTOBUF_C_TYPE_BYTES, PROTOBUF_C_TYPE_MESSAGE,
            PROTOBUF_C_TYPE_ENUM:
            return false
        default:
            let expected = "\(String(cString: parent.pointee.name)).\(JSONFieldName.mapEntryName(name))"
            return String(cString: entry.pointee.name) == expected
        }
    }
}
