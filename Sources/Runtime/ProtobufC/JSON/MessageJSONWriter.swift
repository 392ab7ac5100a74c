import CProtobufC

/// Writes protobuf-c structs as proto3 JSON, led by their descriptors.
struct MessageJSONWriter {
    var text: JSONTextWriter
    let options: JSONEncodingOptions
    private static let nestingLimit = DecodingOptions.maximumNestingDepth

    init(options: JSONEncodingOptions) {
        text = JSONTextWriter(prettyPrinted: options.prettyPrinted)
        self.options = options
    }

    /// Writes one message in its JSON form.
    mutating func message(_ view: StructView, depth: Int) throws(JSONEncodingError) {
        guard depth <= Self.nestingLimit else { throw .nestingTooDeep(field: "", limit: Self.nestingLimit) }
        if let known = WellKnownType(view.descriptor) {
            try wellKnown(known, view, depth: depth)
        } else {
            text.beginObject()
            try members(view, depth: depth)
            text.endObject()
        }
    }

    /// Writes a message's fields as members of the object at hand.
    mutating func members(_ view: StructView, depth: Int) throws(JSONEncodingError) {
        for index in view.fields.indices {
            // Within the bounds of the table just counted.
            let field = view.fields.baseAddress.unsafelyUnwrapped + index
            guard isPrinted(field, view) else { continue }
            text.name(options.preserveProtoFieldNames ? field.name : JSONFieldName.name(of: field))
            do {
                if field.isMap(in: view.descriptor) {
                    try map(field, view, depth: depth)
                } else if field.isRepeated {
                    try array(field, view, depth: depth)
                } else {
                    try value(field, at: view.location(field), depth: depth)
                }
            } catch {
                throw error.inside(field.name)
            }
        }
    }

    /// Whether a field has something to say: presence, or a value that is not the default.
    private func isPrinted(_ field: FieldDescriptor, _ view: StructView) -> Bool {
        if field.isRepeated { return options.alwaysPrintDefaults || view.elements(field).count > 0 }
        let location = view.location(field)
        if field.isOneofMember && !view.isCase(field) { return false }
        switch field.pointee.type {
        case PROTOBUF_C_TYPE_MESSAGE:
            return location.load(as: UnsafeRawPointer?.self) != nil
        case PROTOBUF_C_TYPE_STRING where field.pointee.label == PROTOBUF_C_LABEL_OPTIONAL && !field.isOneofMember:
            let string = location.load(as: UnsafeRawPointer?.self)
            return string != nil && string != field.pointee.default_value
        default: break
        }
        if field.isOneofMember || field.pointee.label == PROTOBUF_C_LABEL_REQUIRED { return true }
        if field.pointee.label == PROTOBUF_C_LABEL_OPTIONAL {
            return view.quantifier(field).load(as: protobuf_c_boolean.self) != 0
        }
        return options.alwaysPrintDefaults || !isDefault(field, location)
    }

    /// Whether a proto3 field without presence has the default, bit for bit: −0.0 is not 0.0.
    private func isDefault(_ field: FieldDescriptor, _ location: UnsafeMutableRawPointer) -> Bool {
        switch field.pointee.type {
        case PROTOBUF_C_TYPE_STRING:
            location.load(as: UnsafePointer<CChar>?.self).map { $0.pointee == 0 } ?? true
        case PROTOBUF_C_TYPE_BYTES: location.load(as: ProtobufCBinaryData.self).len == 0
        default:
            field.elementSize == 8 ? location.load(as: UInt64.self) == 0 : location.load(as: UInt32.self) == 0
        }
    }

    private mutating func array(_ field: FieldDescriptor, _ view: StructView, depth: Int) throws(JSONEncodingError) {
        let (count, start) = view.elements(field)
        text.beginArray()
        if let start {
            for index in 0..<count {
                text.element()
                do {
                    try value(field, at: start + index * field.elementSize, depth: depth)
                } catch {
                    throw error.inside("[\(index)]")
                }
            }
        }
        text.endArray()
    }

    /// Writes one value: a singular field or an element of a repeated one.
    mutating func value(
        _ field: FieldDescriptor, at location: UnsafeMutableRawPointer, depth: Int
    ) throws(JSONEncodingError) {
        switch field.pointee.type {
        case PROTOBUF_C_TYPE_INT32, PROTOBUF_C_TYPE_SINT32, PROTOBUF_C_TYPE_SFIXED32:
            text.raw(String(location.load(as: Int32.self)))
        case PROTOBUF_C_TYPE_UINT32, PROTOBUF_C_TYPE_FIXED32:
            text.raw(String(location.load(as: UInt32.self)))
        case PROTOBUF_C_TYPE_INT64, PROTOBUF_C_TYPE_SINT64, PROTOBUF_C_TYPE_SFIXED64:
            text.quoted(String(location.load(as: Int64.self)).utf8)
        case PROTOBUF_C_TYPE_UINT64, PROTOBUF_C_TYPE_FIXED64:
            text.quoted(String(location.load(as: UInt64.self)).utf8)
        case PROTOBUF_C_TYPE_FLOAT: floatingPoint(location.load(as: Float.self))
        case PROTOBUF_C_TYPE_DOUBLE: floatingPoint(location.load(as: Double.self))
        case PROTOBUF_C_TYPE_BOOL:
            text.raw(location.load(as: protobuf_c_boolean.self) != 0 ? "true" : "false")
        case PROTOBUF_C_TYPE_ENUM: enumeration(field, location.load(as: Int32.self))
        case PROTOBUF_C_TYPE_STRING:
            text.string(MessageReader.string(location.load(as: UnsafePointer<CChar>?.self)))
        case PROTOBUF_C_TYPE_BYTES:
            let data = location.load(as: ProtobufCBinaryData.self)
            let bytes = UnsafeBufferPointer(start: UnsafePointer(data.data), count: data.data == nil ? 0 : data.len)
            text.quoted(Base64.encode(bytes))
        default:
            try submessage(field, location.load(as: UnsafeMutableRawPointer?.self), depth: depth)
        }
    }

    private mutating func submessage(
        _ field: FieldDescriptor, _ memory: UnsafeMutableRawPointer?, depth: Int
    ) throws(JSONEncodingError) {
        // A map entry may lack its value on the wire; it then counts as an empty message.
        guard let memory else { return text.raw("{}") }
        try message(StructView(memory: memory, descriptor: field.messageDescriptor), depth: depth + 1)
    }

    private mutating func floatingPoint<Value: BinaryFloatingPoint & LosslessStringConvertible>(_ value: Value) {
        if value.isFinite {
            text.raw(JSONNumber.text(value))
        } else if value.isNaN {
            text.quoted("NaN".utf8)
        } else {
            text.quoted((value < 0 ? "-Infinity" : "Infinity").utf8)
        }
    }

    private mutating func enumeration(_ field: FieldDescriptor, _ number: Int32) {
        if field.isNullValue && number == 0 {
            text.raw("null")
        } else if let value = protobuf_c_enum_descriptor_get_value(field.enumDescriptor, number),
            let name = value.pointee.name {
            text.string(String(cString: name))
        } else {
            text.raw(String(number))
        }
    }

    // MARK: Maps

    /// Writes a map as an object, sorted by key so that equal messages have equal texts; the last of equal keys counts.
    mutating func map(_ field: FieldDescriptor, _ view: StructView, depth: Int) throws(JSONEncodingError) {
        let (count, start) = view.elements(field)
        var entries: [MapKey: StructView] = [:]
        for index in 0..<(start == nil ? 0 : count) {
            let memory = start.unsafelyUnwrapped.load(fromByteOffset: index * 8, as: UnsafeMutableRawPointer.self)
            let entry = StructView(memory: memory, descriptor: field.messageDescriptor)
            entries[MapKey(entry.field(1), at: entry.location(entry.field(1)))] = entry
        }
        text.beginObject()
        for (key, entry) in entries.sorted(by: { $0.key < $1.key }) {
            text.name(key.text)
            do {
                try value(entry.field(2), at: entry.location(entry.field(2)), depth: depth)
            } catch {
                throw error.inside("[\(key.text)]")
            }
        }
        text.endObject()
    }
}

/// A map's key: ordered, and equal only when its bytes are (Swift's strings are equal when canonically equivalent).
private enum MapKey: Hashable, Comparable {
    case bool(Bool)
    case signed(Int64)
    case unsigned(UInt64)
    case string([UInt8])

    init(_ field: FieldDescriptor, at location: UnsafeMutableRawPointer) {
        self =
            switch field.pointee.type {
            case PROTOBUF_C_TYPE_BOOL: .bool(location.load(as: protobuf_c_boolean.self) != 0)
            case PROTOBUF_C_TYPE_INT32, PROTOBUF_C_TYPE_SINT32, PROTOBUF_C_TYPE_SFIXED32:
                .signed(Int64(location.load(as: Int32.self)))
            case PROTOBUF_C_TYPE_UINT32, PROTOBUF_C_TYPE_FIXED32: .unsigned(UInt64(location.load(as: UInt32.self)))
            case PROTOBUF_C_TYPE_INT64, PROTOBUF_C_TYPE_SINT64, PROTOBUF_C_TYPE_SFIXED64:
                .signed(location.load(as: Int64.self))
            case PROTOBUF_C_TYPE_UINT64, PROTOBUF_C_TYPE_FIXED64: .unsigned(location.load(as: UInt64.self))
            default: .string(Array(MessageReader.string(location.load(as: UnsafePointer<CChar>?.self)).utf8))
            }
    }

    var text: String {
        switch self {
        case .bool(let value): value ? "true" : "false"
        case .signed(let value): String(value)
        case .unsigned(let value): String(value)
        case .string(let bytes): String(decoding: bytes, as: UTF8.self)
        }
    }

    static func < (left: MapKey, right: MapKey) -> Bool {
        switch (left, right) {
        case (.bool(let left), .bool(let right)): !left && right
        case (.signed(let left), .signed(let right)): left < right
        case (.unsigned(let left), .unsigned(let right)): left < right
        case (.string(let left), .string(let right)): left.lexicographicallyPrecedes(right)
        // The keys of one map have one type.
        default: false
        }
    }
}
