import CProtobufC

extension MessageJSONWriter {
    /// Writes a message whose JSON form is not that of its fields.
    mutating func wellKnown(_ known: WellKnownType, _ view: StructView, depth: Int) throws(JSONEncodingError) {
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

    /// Writes a `google.protobuf.Value`, which is any JSON value; it must be set, and a number must be finite.
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
        guard let descriptor = options.typeRegistry.descriptor(forTypeURL: typeURL) else {
            throw .unknownType(field: "", typeURL: typeURL)
        }
        let bytes = UnsafeBufferPointer(start: UnsafePointer(data.data), count: data.data == nil ? 0 : data.len)
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
    /// `user.display_name` → `user.displayName`; `nil` when the way back would not give the same path.
    static func lowerCamelCase(_ path: String) -> String? {
        var bytes: [UInt8] = []
        var afterUnderscore = false
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: ","): return nil
            case UInt8(ascii: "_"):
                if afterUnderscore { return nil }
                afterUnderscore = true
            case UInt8(ascii: "a")...UInt8(ascii: "z"):
                bytes.append(afterUnderscore ? byte - 32 : byte)
                afterUnderscore = false
            default:
                if afterUnderscore { return nil }
                bytes.append(byte)
            }
        }
        return afterUnderscore || bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// `user.displayName` → `user.display_name`; `nil` for what is no lowerCamelCase path.
    static func snakeCase(_ path: Substring) -> String? {
        var bytes: [UInt8] = []
        for byte in path.utf8 {
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
