import CProtobufC

/// Builds protobuf-c structs from proto3 JSON in an arena, by their descriptors.
struct MessageJSONReader {
    private let arena: UnsafeMutablePointer<Arena>
    private let options: JSONDecodingOptions
    private let budget: Int
    /// The nesting depth of the present message.
    private var depth = 0

    init(arena: UnsafeMutablePointer<Arena>, options: JSONDecodingOptions, budget: Int) {
        self.arena = arena
        self.options = options
        self.budget = budget
    }

    /// The struct of a message in its JSON form.
    func message(_ json: JSONValue, as descriptor: DescriptorPointer) throws(JSONDecodingError) -> StructView {
        let view = try emptyStruct(descriptor)
        if let known = WellKnownType(descriptor) {
            try wellKnown(known, json, view)
        } else {
            guard case .object(let members) = json else { throw .invalidValue(field: "", reason: .wrongKind) }
            try fields(members, view)
        }
        return view
    }

    /// The reader of a message inside the present one. Levels are those of the wire form, where each map entry is a level too.
    private func inside() throws(JSONDecodingError) -> MessageJSONReader {
        guard depth < options.nestingLimit else { throw .nestingTooDeep(limit: options.nestingLimit) }
        var inner = self
        inner.depth += 1
        return inner
    }

    /// A struct with every field at its default.
    private func emptyStruct(_ descriptor: DescriptorPointer) throws(JSONDecodingError) -> StructView {
        let memory = try room(descriptor.pointee.sizeof_message)
        arena.pointee.noteLevel(depth, structSize: descriptor.pointee.sizeof_message)
        MessageDescriptor(descriptor).initialize(memory)
        return StructView(memory: memory, descriptor: descriptor)
    }

    private func room(_ byteCount: Int) throws(JSONDecodingError) -> UnsafeMutableRawPointer {
        if let memory = arena.pointee.allocate(byteCount: byteCount) { return memory }
        if arena.pointee.failure == .outOfMemory { throw .outOfMemory }
        throw .overBudget(limit: budget)
    }

    /// Sets the fields that an object's members name.
    private func fields(_ members: [JSONValue.Member], _ view: StructView) throws(JSONDecodingError) {
        var seen: Set<UInt32> = []
        var stored: Set<UInt32> = []
        var seenOneofs: Set<UInt32> = []
        for member in members {
            guard let field = JSONFieldName.field(named: member.name, in: view.descriptor) else {
                if options.ignoreUnknownFields { continue }
                throw .unknownField(field: member.name)
            }
            guard seen.insert(field.pointee.id).inserted else { throw .duplicateField(field: field.name) }
            if member.value.isNull && (field.isRepeated || !field.takesNull) { continue }
            if field.isOneofMember && !seenOneofs.insert(field.pointee.quantifier_offset).inserted {
                throw .duplicateOneof(field: field.name)
            }
            do {
                if field.isMap(in: view.descriptor) {
                    try map(member.value, field, view)
                } else if field.isRepeated {
                    try array(member.value, field, view)
                } else if try value(member.value, field, at: view.location(field)) {
                    markPresent(field, view)
                    if field.pointee.label == PROTOBUF_C_LABEL_REQUIRED { stored.insert(field.pointee.id) }
                }
            } catch {
                throw error.inside(field.name)
            }
        }
        try checkRequired(view, stored)
    }

    /// Marks a singular field as set, if the struct has a flag for it.
    private func markPresent(_ field: FieldDescriptor, _ view: StructView) {
        if field.isOneofMember {
            view.quantifier(field).storeBytes(of: field.pointee.id, as: UInt32.self)
        } else if field.pointee.label == PROTOBUF_C_LABEL_OPTIONAL && field.pointee.quantifier_offset != 0 {
            view.quantifier(field).storeBytes(of: 1, as: protobuf_c_boolean.self)
        }
    }

    /// `stored` are the required fields with a value. One with `null`, or with an unknown enum name that the options ignore, has none.
    private func checkRequired(_ view: StructView, _ stored: Set<UInt32>) throws(JSONDecodingError) {
        for field in view.fields
        where field.label == PROTOBUF_C_LABEL_REQUIRED && field.default_value == nil && !stored.contains(field.id) {
            throw .missingRequiredField(field: String(cString: field.name))
        }
    }

    // MARK: Arrays and maps

    /// Reads the elements of a repeated field.
    private func array(_ json: JSONValue, _ field: FieldDescriptor, _ view: StructView) throws(JSONDecodingError) {
        guard case .array(let elements) = json else { throw .invalidValue(field: "", reason: .wrongKind) }
        guard !elements.isEmpty else { return }
        let start = try room(elements.count * field.elementSize)
        var count = 0
        for (index, element) in elements.enumerated() {
            do throws(JSONDecodingError) {
                guard !element.isNull || field.takesNull else { throw .invalidValue(field: "", reason: .nullElement) }
                if try value(element, field, at: start + count * field.elementSize) { count += 1 }
            } catch {
                throw error.inside("[\(index)]")
            }
        }
        setElements(field, view, count, start)
    }

    /// Reads the members of an object as a map's entries.
    private func map(_ json: JSONValue, _ field: FieldDescriptor, _ view: StructView) throws(JSONDecodingError) {
        guard case .object(let members) = json else { throw .invalidValue(field: "", reason: .wrongKind) }
        guard !members.isEmpty else { return }
        let start = try room(members.count * field.elementSize)
        var count = 0
        for member in members {
            do throws(JSONDecodingError) {
                let inner = try inside()
                let entry = try inner.emptyStruct(field.messageDescriptor)
                let keyField = entry.field(1)
                let valueField = entry.field(2)
                try mapKey(member.name, keyField, at: entry.location(keyField))
                markPresent(keyField, entry)
                guard !member.value.isNull || valueField.takesNull else {
                    throw .invalidValue(field: "", reason: .nullElement)
                }
                guard try inner.value(member.value, valueField, at: entry.location(valueField)) else { continue }
                markPresent(valueField, entry)
                start.storeBytes(of: entry.memory, toByteOffset: count * 8, as: UnsafeMutableRawPointer.self)
                count += 1
            } catch {
                throw error.inside("[\(member.name)]")
            }
        }
        setElements(field, view, count, start)
    }

    private func setElements(_ field: FieldDescriptor, _ view: StructView, _ count: Int, _ start: UnsafeMutableRawPointer) {
        view.quantifier(field).storeBytes(of: count, as: Int.self)
        view.location(field).storeBytes(of: count > 0 ? start : nil, as: UnsafeMutableRawPointer?.self)
    }

    /// Reads a map's key, which JSON always writes as a string; numbers only as they are printed.
    private func mapKey(
        _ text: String, _ field: FieldDescriptor, at location: UnsafeMutableRawPointer
    ) throws(JSONDecodingError) {
        switch field.pointee.type {
        case PROTOBUF_C_TYPE_STRING:
            guard text.utf8.count <= MapKeyText.harmlessByteCount || Array(text.utf8).withUnsafeBufferPointer(MapKeyText.isHashedFast) else {
                throw .invalidValue(field: "", reason: .invalidMapKey)
            }
            try string(text, at: location)
        case PROTOBUF_C_TYPE_BOOL:
            let isTrue = text.utf8.elementsEqual("true".utf8)
            guard isTrue || text.utf8.elementsEqual("false".utf8) else { throw .invalidValue(field: "", reason: .invalidMapKey) }
            location.storeBytes(of: isTrue ? 1 : 0, as: protobuf_c_boolean.self)
        default:
            guard Int64(text).map({ String($0) == text }) ?? UInt64(text).map({ String($0) == text }) ?? false else {
                throw .invalidValue(field: "", reason: .invalidMapKey)
            }
            _ = try value(.string(text), field, at: location)
        }
    }

    // MARK: Single values

    /// Stores one value: a singular field or an element of a repeated one. False when it is an unknown enum name that the
    /// options ignore; then nothing is stored.
    private func value(
        _ json: JSONValue, _ field: FieldDescriptor, at location: UnsafeMutableRawPointer
    ) throws(JSONDecodingError) -> Bool {
        switch field.pointee.type {
        case PROTOBUF_C_TYPE_INT32, PROTOBUF_C_TYPE_SINT32, PROTOBUF_C_TYPE_SFIXED32:
            location.storeBytes(of: try integer(json), as: Int32.self)
        case PROTOBUF_C_TYPE_UINT32, PROTOBUF_C_TYPE_FIXED32:
            location.storeBytes(of: try integer(json), as: UInt32.self)
        case PROTOBUF_C_TYPE_INT64, PROTOBUF_C_TYPE_SINT64, PROTOBUF_C_TYPE_SFIXED64:
            location.storeBytes(of: try integer(json), as: Int64.self)
        case PROTOBUF_C_TYPE_UINT64, PROTOBUF_C_TYPE_FIXED64:
            location.storeBytes(of: try integer(json), as: UInt64.self)
        case PROTOBUF_C_TYPE_FLOAT: location.storeBytes(of: try floatingPoint(json), as: Float.self)
        case PROTOBUF_C_TYPE_DOUBLE: location.storeBytes(of: try floatingPoint(json), as: Double.self)
        case PROTOBUF_C_TYPE_BOOL:
            guard case .bool(let value) = json else { throw .invalidValue(field: "", reason: .wrongKind) }
            location.storeBytes(of: value ? 1 : 0, as: protobuf_c_boolean.self)
        case PROTOBUF_C_TYPE_ENUM:
            guard let number = try enumeration(json, field) else { return false }
            location.storeBytes(of: number, as: Int32.self)
        case PROTOBUF_C_TYPE_STRING:
            guard case .string(let text) = json else { throw .invalidValue(field: "", reason: .wrongKind) }
            try string(text, at: location)
        case PROTOBUF_C_TYPE_BYTES:
            guard case .string(let text) = json else { throw .invalidValue(field: "", reason: .wrongKind) }
            guard let decoded = Base64.decode(text, allowsUnusedBits: true) else { throw .invalidValue(field: "", reason: .notBase64) }
            try bytes(decoded, at: location)
        default:
            let submessage = try inside().message(json, as: field.messageDescriptor)
            location.storeBytes(of: submessage.memory, as: UnsafeMutableRawPointer.self)
        }
        return true
    }

    private func string(_ text: String, at location: UnsafeMutableRawPointer) throws(JSONDecodingError) {
        guard !text.utf8.contains(0) else { throw .nulInString(field: "") }
        let copy = try room(text.utf8.count + 1)
        UnsafeMutableRawBufferPointer(start: copy, count: text.utf8.count).copyBytes(from: text.utf8)
        copy.storeBytes(of: 0, toByteOffset: text.utf8.count, as: UInt8.self)
        location.storeBytes(of: copy, as: UnsafeMutableRawPointer.self)
    }

    private func bytes(_ value: [UInt8], at location: UnsafeMutableRawPointer) throws(JSONDecodingError) {
        var data = ProtobufCBinaryData()
        if !value.isEmpty {
            let copy = try room(value.count)
            UnsafeMutableRawBufferPointer(start: copy, count: value.count).copyBytes(from: value)
            data = ProtobufCBinaryData(len: value.count, data: copy.assumingMemoryBound(to: UInt8.self))
        }
        location.storeBytes(of: data, as: ProtobufCBinaryData.self)
    }

    private func integer<Value: FixedWidthInteger>(_ json: JSONValue) throws(JSONDecodingError) -> Value {
        do throws(JSONValueFault) {
            switch json {
            case .number(let text), .string(let text):
                guard let value = try JSONNumber.integer(text).exactly(as: Value.self) else { throw .outOfRange }
                return value
            default: throw .wrongKind
            }
        } catch {
            throw .invalidValue(field: "", reason: error)
        }
    }

    private func floatingPoint<Value: BinaryFloatingPoint & LosslessStringConvertible>(
        _ json: JSONValue
    ) throws(JSONDecodingError) -> Value {
        do throws(JSONValueFault) {
            switch json {
            case .string(let text) where text.utf8.elementsEqual("NaN".utf8): return .nan
            case .string(let text) where text.utf8.elementsEqual("Infinity".utf8): return .infinity
            case .string(let text) where text.utf8.elementsEqual("-Infinity".utf8): return -.infinity
            case .number(let text), .string(let text): return try JSONNumber.floatingPoint(text, as: Value.self)
            default: throw .wrongKind
            }
        } catch {
            throw .invalidValue(field: "", reason: error)
        }
    }

    private func enumeration(_ json: JSONValue, _ field: FieldDescriptor) throws(JSONDecodingError) -> Int32? {
        switch json {
        case .null where field.isNullValue: return 0
        case .number: return try integer(json)
        case .string(let name):
            // A C string ends at a NUL, so a name with a NUL could equal another name.
            if !name.utf8.contains(0),
                let value = protobuf_c_enum_descriptor_get_value_by_name(field.enumDescriptor, name) {
                return value.pointee.value
            }
            if options.ignoreUnknownFields { return nil }
            throw .invalidValue(field: "", reason: .unknownEnumValue)
        default: throw .invalidValue(field: "", reason: .wrongKind)
        }
    }
}

extension MessageJSONReader {
    /// Reads a message whose JSON form is not that of its fields.
    private func wellKnown(_ known: WellKnownType, _ json: JSONValue, _ view: StructView) throws(JSONDecodingError) {
        switch known {
        case .timestamp: try time(json, view, CivilTime.timestamp, .invalidTimestamp)
        case .duration: try time(json, view, CivilTime.duration, .invalidDuration)
        case .fieldMask: try fieldMask(json, view)
        case .structure: try map(json, view.field(1), view)
        case .listValue: try array(json, view.field(1), view)
        case .value: try dynamicValue(json, view)
        case .any: try any(json, view)
        default:
            _ = try value(json, view.field(1), at: view.location(view.field(1)))
        }
    }

    private func time(
        _ json: JSONValue, _ view: StructView, _ parse: (String) -> (seconds: Int64, nanos: Int32)?,
        _ reason: JSONValueFault
    ) throws(JSONDecodingError) {
        guard case .string(let text) = json, let time = parse(text) else {
            throw .invalidValue(field: "", reason: reason)
        }
        view.location(view.field(1)).storeBytes(of: time.seconds, as: Int64.self)
        view.location(view.field(2)).storeBytes(of: time.nanos, as: Int32.self)
    }

    private func fieldMask(_ json: JSONValue, _ view: StructView) throws(JSONDecodingError) {
        guard case .string(let text) = json else { throw .invalidValue(field: "", reason: .wrongKind) }
        guard !text.isEmpty else { return }
        var paths: [JSONValue] = []
        for path in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            guard let snakeCase = FieldMaskPath.snakeCase(path) else {
                throw .invalidValue(field: "", reason: .invalidFieldMask)
            }
            paths.append(.string(snakeCase))
        }
        try array(.array(paths), view.field(1), view)
    }

    /// Reads any JSON value into a `google.protobuf.Value`.
    private func dynamicValue(_ json: JSONValue, _ view: StructView) throws(JSONDecodingError) {
        let field: FieldDescriptor
        switch json {
        case .null: field = view.field(1)
        case .number: field = view.field(2)
        case .string: field = view.field(3)
        case .bool: field = view.field(4)
        case .object: field = view.field(5)
        case .array: field = view.field(6)
        }
        _ = try value(json, field, at: view.location(field))
        markPresent(field, view)
    }

    /// Reads the message inside a `google.protobuf.Any`, found by its `@type`, and packs it.
    private func any(_ json: JSONValue, _ view: StructView) throws(JSONDecodingError) {
        guard case .object(let members) = json else { throw .invalidValue(field: "", reason: .wrongKind) }
        if members.isEmpty { return }
        guard let typeMember = members.first(where: { $0.name.utf8.elementsEqual("@type".utf8) }),
            case .string(let typeURL) = typeMember.value, !typeURL.isEmpty
        else { throw .invalidValue(field: "", reason: .missingTypeURL) }
        guard let descriptor = options.typeRegistry.descriptor(forTypeURL: typeURL) else {
            throw .unknownType(field: "", typeURL: typeURL)
        }
        let rest = members.filter { !$0.name.utf8.elementsEqual("@type".utf8) }
        let inner = try emptyStruct(descriptor.c)
        if let known = WellKnownType(descriptor.c) {
            guard rest.count == 1, rest[0].name.utf8.elementsEqual("value".utf8) else {
                throw .invalidValue(field: "", reason: .invalidAny)
            }
            try inside().wellKnown(known, rest[0].value, inner)
        } else if !Self.isGoEmpty(rest, descriptor) {
            try inside().fields(rest, inner)
        }
        try string(typeURL, at: view.location(view.field(1)))
        try pack(inner, at: view.location(view.field(2)))
    }

    /// Go writes `google.protobuf.Empty` inside an Any with `"value":{}`, as if it had its own JSON form. C++, Java,
    /// Python and this writer write nothing.
    private static func isGoEmpty(_ members: [JSONValue.Member], _ descriptor: MessageDescriptor) -> Bool {
        guard descriptor.fullName == "google.protobuf.Empty", members.count == 1,
            members[0].name.utf8.elementsEqual("value".utf8), case .object(let inner) = members[0].value
        else { return false }
        return inner.isEmpty
    }

    private func pack(_ inner: StructView, at location: UnsafeMutableRawPointer) throws(JSONDecodingError) {
        inner.keepNegativeZeros(in: arena)
        let message = UnsafePointer(inner.memory.assumingMemoryBound(to: ProtobufCMessage.self))
        let size = protobuf_c_message_get_packed_size(message)
        guard size > 0 else { return }
        let bytes = try room(size).assumingMemoryBound(to: UInt8.self)
        _ = protobuf_c_message_pack(message, bytes)
        location.storeBytes(of: ProtobufCBinaryData(len: size, data: bytes), as: ProtobufCBinaryData.self)
    }
}
