import CProtobufC

extension MessageJSONReader {
    /// Reads a message whose JSON form is not that of its fields.
    func wellKnown(_ known: WellKnownType, _ json: JSONValue, _ view: StructView) throws(JSONDecodingError) {
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
        for path in text.split(separator: ",", omittingEmptySubsequences: false) {
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

    /// Go writes `google.protobuf.Empty` inside an Any with `"value":{}`, as if it had a JSON form of its own; C++, Java and
    /// Python, and this writer, write nothing.
    private static func isGoEmpty(_ members: [JSONValue.Member], _ descriptor: MessageDescriptor) -> Bool {
        guard descriptor.fullName == "google.protobuf.Empty", members.count == 1,
            members[0].name.utf8.elementsEqual("value".utf8), case .object(let inner) = members[0].value
        else { return false }
        return inner.isEmpty
    }

    private func pack(_ inner: StructView, at location: UnsafeMutableRawPointer) throws(JSONDecodingError) {
        let message = UnsafePointer(inner.memory.assumingMemoryBound(to: ProtobufCMessage.self))
        let size = protobuf_c_message_get_packed_size(message)
        guard size > 0 else { return }
        let bytes = try room(size).assumingMemoryBound(to: UInt8.self)
        _ = protobuf_c_message_pack(message, bytes)
        location.storeBytes(of: ProtobufCBinaryData(len: size, data: bytes), as: ProtobufCBinaryData.self)
    }
}
