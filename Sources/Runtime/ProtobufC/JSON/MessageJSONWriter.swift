import CProtobufC

/// Writes protobuf-c structs as proto3 JSON, by their descriptors.
struct MessageJSONWriter {
    private(set) var text: JSONTextWriter
    private let options: JSONEncodingOptions
    /// The depth of the first message on the present stack.
    private var firstDepth = 0
    private static let nestingLimit = DecodingOptions.maximumNestingDepth

    init(options: JSONEncodingOptions) {
        text = JSONTextWriter(prettyPrinted: options.prettyPrinted)
        self.options = options
    }

    /// Writes one message in its JSON form.
    mutating func message(_ view: StructView, depth: Int) throws(JSONEncodingError) {
        guard depth <= Self.nestingLimit else { throw .nestingTooDeep(field: "", limit: Self.nestingLimit) }
        // Not every level comes here: a map's entry and the message in an `Any` are levels too.
        guard depth - firstDepth >= StackNeed.jsonLevels else { return try messageHere(view, depth: depth) }
        let outerFirstDepth = firstDepth
        firstDepth = depth
        defer { firstDepth = outerFirstDepth }
        var result: Result<Void, JSONEncodingError> = .failure(.encoding(.outOfMemory))
        withUnsafeMutablePointer(to: &self) { writer in
            _ = StackNeed.onNewStack(byteCount: StackNeed.ofJSONLevels + StackNeed.ofRest) {
                result = Result { () throws(JSONEncodingError) in try writer.pointee.messageHere(view, depth: depth) }
            }
        }
        try result.get()
    }

    private mutating func messageHere(_ view: StructView, depth: Int) throws(JSONEncodingError) {
        if let known = WellKnownType(view.descriptor) {
            try wellKnown(known, view, depth: depth)
        } else {
            text.beginObject()
            try members(view, depth: depth)
            text.endObject()
        }
    }

    /// Writes a message's fields as members of the present object.
    private mutating func members(_ view: StructView, depth: Int) throws(JSONEncodingError) {
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

    /// Whether a field must be written: it is present, or its value is not the default.
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
    private mutating func value(
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
            text.quoted(Base64.encode(Self.bytes(location.load(as: ProtobufCBinaryData.self))))
        default:
            try submessage(field, location.load(as: UnsafeMutableRawPointer?.self), depth: depth)
        }
    }

    private mutating func submessage(
        _ field: FieldDescriptor, _ memory: UnsafeMutableRawPointer?, depth: Int
    ) throws(JSONEncodingError) {
        guard let memory else { return try emptyMessage(field.messageDescriptor, depth: depth + 1) }
        try message(StructView(memory: memory, descriptor: field.messageDescriptor), depth: depth + 1)
    }

    /// Writes a message with every field at its default, which counts as the value of a map entry without one.
    private mutating func emptyMessage(_ descriptor: DescriptorPointer, depth: Int) throws(JSONEncodingError) {
        let type = MessageDescriptor(descriptor)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: type.structSize, alignment: 16)
        defer { memory.deallocate() }
        type.initialize(memory)
        // It has no messages inside, so its depth needs no check.
        try messageHere(StructView(memory: memory, descriptor: descriptor), depth: depth)
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
        } else if let name = field.enumValue(number)?.pointee.name {
            text.string(String(cString: name))
        } else {
            text.raw(String(number))
        }
    }

    // MARK: Maps

    /// Writes a map as an object, sorted by key so that the text does not depend on the order in memory; the last of equal keys counts.
    private mutating func map(_ field: FieldDescriptor, _ view: StructView, depth: Int) throws(JSONEncodingError) {
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
                // A map entry is a level, as in the wire form.
                try value(entry.field(2), at: entry.location(entry.field(2)), depth: depth + 1)
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

extension MessageJSONWriter {
    /// Writes a message whose JSON form is not that of its fields.
    private mutating func wellKnown(_ known: WellKnownType, _ view: StructView, depth: Int) throws(JSONEncodingError) {
        switch known {
        case .timestamp, .duration:
            let seconds = view.load(1, as: Int64.self)
            let nanos = view.load(2, as: Int32.self)
            let form = known == .timestamp ? CivilTime.timestampText : CivilTime.durationText
            guard let time = form(seconds, nanos) else { throw .invalidValue(field: "") }
            text.quoted(time.utf8)
        case .fieldMask: try fieldMask(view)
        case .structure: try map(view.field(1), view, depth: depth)
        case .listValue: try list(view, depth: depth)
        case .value: try dynamicValue(view, depth: depth)
        case .any: try any(view, depth: depth)
        default:
            try value(view.field(1), at: view.location(view.field(1)), depth: depth)
        }
    }

    private mutating func fieldMask(_ view: StructView) throws(JSONEncodingError) {
        let (count, start) = view.elements(view.field(1))
        let paths = MessageReader.strings(
            count, start?.assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self))
        var camelCase: [String] = []
        for path in paths {
            guard let camel = FieldMaskPath.lowerCamelCase(path) else { throw .invalidValue(field: "paths") }
            camelCase.append(camel)
        }
        text.string(camelCase.joined(separator: ","))
    }

    private mutating func list(_ view: StructView, depth: Int) throws(JSONEncodingError) {
        let field = view.field(1)
        let (count, start) = view.elements(field)
        text.beginArray()
        for index in 0..<(start == nil ? 0 : count) {
            text.element()
            try value(field, at: start.unsafelyUnwrapped + index * field.elementSize, depth: depth)
        }
        text.endArray()
    }

    /// Writes a `google.protobuf.Value`, which is any JSON value. It must be set, and a number must be finite.
    private mutating func dynamicValue(_ view: StructView, depth: Int) throws(JSONEncodingError) {
        let kind = (UInt32(1)...6).first { view.isCase(view.field($0)) }
        switch kind {
        case 1: text.raw("null")
        case 2 where !view.load(2, as: Double.self).isFinite: throw .invalidValue(field: "")
        case let number?: try value(view.field(number), at: view.location(view.field(number)), depth: depth)
        case nil: throw .invalidValue(field: "")
        }
    }

    /// Writes the message inside a `google.protobuf.Any` with its type URL as `@type`.
    private mutating func any(_ view: StructView, depth: Int) throws(JSONEncodingError) {
        let typeURL = MessageReader.string(view.load(1, as: UnsafePointer<CChar>?.self))
        let data = view.load(2, as: ProtobufCBinaryData.self)
        if typeURL.isEmpty && data.len == 0 {
            text.beginObject()
            return text.endObject()
        }
        let bytes = Self.bytes(data)
        guard let descriptor = options.typeRegistry.descriptor(forTypeURL: typeURL) else {
            guard options.showsBytes(typeURL) else { throw .unknownType(field: "", typeURL: typeURL) }
            text.beginObject()
            text.name("@type")
            text.string(typeURL)
            text.name("value")
            text.quoted(Base64.encode(bytes))
            return text.endObject()
        }
        let budget = DecodingOptions().budget(forInputOf: bytes.count)
        try Arena.withArena(budget: budget) { (arena) throws(JSONEncodingError) in
            let memory: UnsafeRawPointer
            do throws(DecodingError) {
                memory = try unpack(
                    bytes, as: descriptor, limit: DecodingOptions.maximumNestingDepth, in: arena, budget: budget)
            } catch {
                throw .undecodableAny(field: "", error)
            }
            let inner = StructView(memory: UnsafeMutableRawPointer(mutating: memory), descriptor: descriptor.c)
            try anyMembers(inner, typeURL, depth: depth)
        }
    }

    private static func bytes(_ data: ProtobufCBinaryData) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: UnsafePointer(data.data), count: data.data == nil ? 0 : data.len)
    }

    private mutating func anyMembers(_ inner: StructView, _ typeURL: String, depth: Int) throws(JSONEncodingError) {
        text.beginObject()
        text.name("@type")
        text.string(typeURL)
        if WellKnownType(inner.descriptor) != nil {
            text.name("value")
            try message(inner, depth: depth + 1)
        } else {
            guard depth < DecodingOptions.maximumNestingDepth else {
                throw .nestingTooDeep(field: "", limit: DecodingOptions.maximumNestingDepth)
            }
            try members(inner, depth: depth + 1)
        }
        text.endObject()
    }
}

/// Paths of `google.protobuf.FieldMask`: lower snake case in the message, lowerCamelCase in JSON.
enum FieldMaskPath {
    /// `user.display_name` → `user.displayName`; `nil` if the reverse would not give the same path.
    static func lowerCamelCase(_ path: String) -> String? {
        var bytes: [UInt8] = []
        var afterUnderscore = false
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "_"):
                if afterUnderscore { return nil }
                afterUnderscore = true
            case UInt8(ascii: "a")...UInt8(ascii: "z"):
                bytes.append(afterUnderscore ? byte - 32 : byte)
                afterUnderscore = false
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."):
                if afterUnderscore { return nil }
                bytes.append(byte)
            default: return nil
            }
        }
        return afterUnderscore || bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// `user.displayName` → `user.display_name`; `nil` if the text is not a lowerCamelCase path.
    static func snakeCase(_ path: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        for byte in path {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                bytes.append(UInt8(ascii: "_"))
                bytes.append(byte + 32)
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."):
                bytes.append(byte)
            default: return nil
            }
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
