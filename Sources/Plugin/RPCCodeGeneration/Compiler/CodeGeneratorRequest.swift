import CompilerPluginC

/// protoc's request to the plugin.
struct CodeGeneratorRequest: Hashable, Sendable {
    /// Paths of the files to generate for.
    var filesToGenerate: [String]
    /// The plugin parameter as given on protoc's command line.
    var parameter: String
    /// These files and all their imports. A file comes after its imports.
    var files: [FileSchema]
    /// The request in wire form.
    let serialized: [UInt8]

    /// Reads the request from its wire bytes.
    /// - Throws: ``GenerationError`` when the bytes are not a request.
    init(serializedBytes bytes: [UInt8]) throws(GenerationError) {
        guard let request = google__protobuf__compiler__code_generator_request__unpack(nil, bytes.count, bytes) else {
            throw GenerationError(at: "request", "the bytes are not a google.protobuf.compiler.CodeGeneratorRequest")
        }
        defer { google__protobuf__compiler__code_generator_request__free_unpacked(request, nil) }
        let c = request.pointee
        serialized = bytes
        filesToGenerate = (0..<c.n_file_to_generate).map { String(optional: c.file_to_generate[$0]) }
        parameter = String(optional: c.parameter)
        files = elements(c.n_proto_file, c.proto_file).map(FileSchema.init(c:))
    }
}

// Builds the schema from protobuf-c's form of descriptor.proto. The numbers in the paths are field numbers of
// descriptor.proto, which is how `SourceCodeInfo` names places.

extension FileSchema {
    init(c: Google__Protobuf__FileDescriptorProto) {
        let comments = SourceComments(c: c.source_code_info?.pointee)
        let lines = SourceLines(c: c.source_code_info?.pointee)
        let package = String(optional: c.package)
        let syntax = String(optional: c.syntax)
        self.init(
            path: String(optional: c.name), package: package, syntax: syntax.isEmpty ? "proto2" : syntax,
            swiftPrefix: c.options?.pointee.swift_prefix.map { String(cString: $0) })
        let paths = (0..<c.n_dependency).map { String(optional: c.dependency[$0]) }
        dependencies = paths
        let publicPlaces = (0..<c.n_public_dependency).map { Int(c.public_dependency[$0]) }
        publicDependencies = publicPlaces.filter { paths.indices.contains($0) }.map { paths[$0] }
        messages = elements(c.n_message_type, c.message_type).enumerated().map { index, message in
            MessageSchema(c: message, scope: package, path: [4, Int32(index)], comments: comments)
        }
        enums = elements(c.n_enum_type, c.enum_type).enumerated().map { index, type in
            EnumSchema(c: type, scope: package, path: [5, Int32(index)], comments: comments)
        }
        services = elements(c.n_service, c.service).enumerated().map { index, service in
            ServiceSchema(c: service, scope: package, path: [6, Int32(index)], comments: comments)
        }
        serialized = c.serializedWithoutSource()
        self.lines = lines.byName(in: c)
    }
}

extension Google__Protobuf__FileDescriptorProto {
    /// The wire form without comments and positions. protobuf-c keeps unknown fields, such as custom options.
    func serializedWithoutSource() -> [UInt8] {
        var file = self
        file.source_code_info = nil
        let size = google__protobuf__file_descriptor_proto__get_packed_size(&file)
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = google__protobuf__file_descriptor_proto__pack(&file, buffer.baseAddress)
        }
    }
}

extension MessageSchema {
    init(c: Google__Protobuf__DescriptorProto, scope: String, path: [Int32], comments: SourceComments) {
        let name = String(optional: c.name)
        let fullName = qualified(name, in: scope)
        self.init(name: name, fullName: fullName, comment: comments[path])
        fields = elements(c.n_field, c.field).enumerated().map { index, field in
            FieldSchema(c: field, comment: comments[path + [2, Int32(index)]])
        }
        oneofs = elements(c.n_oneof_decl, c.oneof_decl).enumerated().map { index, oneof in
            OneofSchema(name: String(optional: oneof.name), comment: comments[path + [8, Int32(index)]])
        }
        messages = elements(c.n_nested_type, c.nested_type).enumerated().map { index, message in
            MessageSchema(c: message, scope: fullName, path: path + [3, Int32(index)], comments: comments)
        }
        enums = elements(c.n_enum_type, c.enum_type).enumerated().map { index, type in
            EnumSchema(c: type, scope: fullName, path: path + [4, Int32(index)], comments: comments)
        }
        isMapEntry = c.options?.pointee.map_entry == 1
    }
}

extension FieldSchema {
    init(c: Google__Protobuf__FieldDescriptorProto, comment: [String]) {
        self.init(
            name: String(optional: c.name), number: c.number,
            type: FieldType(c: c.type, typeName: String(optional: c.type_name).withoutLeadingDot))
        isRepeated = c.label == GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__LABEL__LABEL_REPEATED
        oneofIndex = c.has_oneof_index == 1 ? Int(c.oneof_index) : nil
        isProto3Optional = c.has_proto3_optional == 1 && c.proto3_optional == 1
        self.comment = comment
    }
}

extension FieldType {
    /// `type` is a number of `FieldDescriptorProto.Type`.
    init(c type: Google__Protobuf__FieldDescriptorProto__Type, typeName: String) {
        self = switch type {
        case GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__TYPE__TYPE_DOUBLE: .scalar(.double)
        case GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__TYPE__TYPE_FLOAT: .scalar(.float)
        case GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__TYPE__TYPE_INT64,
            GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__TYPE__TYPE_SINT64,
            GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__TYPE__TYPE_SFIXED64:
            .scalar(.int64)
        case GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__TYPE__TYPE_UINT64,
            GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__TYPE__TYPE_FIXED64:
            .scalar(.uint64)
        case GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__TYPE__TYPE_UINT32,
            GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__TYPE__TYPE_FIXED32:
            .scalar(.uint32)
        case GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__TYPE__TYPE_BOOL: .bool
        case GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__TYPE__TYPE_STRING: .string
        case GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__TYPE__TYPE_BYTES: .bytes
        case GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__TYPE__TYPE_GROUP: .group
        case GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__TYPE__TYPE_MESSAGE: .message(typeName)
        case GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__TYPE__TYPE_ENUM: .enumeration(typeName)
        default: .scalar(.int32)  // INT32, SINT32 and SFIXED32: descriptor.proto has no further types.
        }
    }
}

extension EnumSchema {
    init(c: Google__Protobuf__EnumDescriptorProto, scope: String, path: [Int32], comments: SourceComments) {
        let name = String(optional: c.name)
        self.init(name: name, fullName: qualified(name, in: scope), comment: comments[path])
        values = elements(c.n_value, c.value).enumerated().map { index, value in
            EnumValueSchema(
                name: String(optional: value.name), number: value.number, comment: comments[path + [2, Int32(index)]])
        }
    }
}

extension ServiceSchema {
    init(c: Google__Protobuf__ServiceDescriptorProto, scope: String, path: [Int32], comments: SourceComments) {
        let name = String(optional: c.name)
        self.init(name: name, fullName: qualified(name, in: scope), comment: comments[path])
        methods = elements(c.n_method, c.method).enumerated().map { index, method in
            MethodSchema(
                name: String(optional: method.name), comment: comments[path + [2, Int32(index)]],
                input: String(optional: method.input_type).withoutLeadingDot,
                output: String(optional: method.output_type).withoutLeadingDot,
                shape: MethodShape(
                    streamsRequests: method.has_client_streaming == 1 && method.client_streaming == 1,
                    streamsResponses: method.has_server_streaming == 1 && method.server_streaming == 1))
        }
    }
}

/// A full name; `scope` is a package or an outer message, or empty.
private func qualified(_ name: String, in scope: String) -> String {
    scope.isEmpty ? name : scope + "." + name
}

/// The comments of one file, found by the place of a declaration.
///
/// A place is protoc's path: field numbers and indexes from the FileDescriptorProto down, such as `[4, 0, 2, 1]` for the
/// second field (`field` = 2) of the first message (`message_type` = 4).
struct SourceComments {
    private var comments: [[Int32]: [String]] = [:]

    init(c info: Google__Protobuf__SourceCodeInfo?) {
        guard let info else { return }
        for location in elements(info.n_location, info.location) {
            let path = Array(UnsafeBufferPointer(start: location.path, count: location.n_path))
            let leading = String(optional: location.leading_comments)
            let text = leading.isEmpty ? String(optional: location.trailing_comments) : leading
            let lines = Self.lines(of: text)
            if !lines.isEmpty { comments[path] = lines }
        }
    }

    /// The comment before the declaration at a place, or else the one after it.
    subscript(path: [Int32]) -> [String] { comments[path] ?? [] }

    /// The lines without the blank after `//`, and without empty lines at both ends.
    ///
    /// A line ends at every newline, and so at the CR LF of a file from Windows, which is one `Character`, and at a single CR.
    static func lines(of text: String) -> [String] {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
            var line = line.hasPrefix(" ") ? line.dropFirst() : line
            while line.last?.isWhitespace == true { line.removeLast() }
            return String(line)
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        while lines.first?.isEmpty == true { lines.removeFirst() }
        return lines
    }
}

/// The lines of one file's declarations, counted from 1.
private struct SourceLines {
    private var lines: [[Int32]: Int] = [:]

    init(c info: Google__Protobuf__SourceCodeInfo?) {
        guard let info else { return }
        for location in elements(info.n_location, info.location) where location.n_span > 0 {
            let path = Array(UnsafeBufferPointer(start: location.path, count: location.n_path))
            lines[path] = Int(location.span[0]) + 1
        }
    }

    /// The line of each declaration by its full name, and of the `syntax` statement by the file's path.
    ///
    /// A file without that statement has line 1 for it. Without positions from protoc there are no lines.
    func byName(in file: Google__Protobuf__FileDescriptorProto) -> [String: Int] {
        guard !lines.isEmpty else { return [:] }
        var names = [String(optional: file.name): lines[[12]] ?? 1]
        let package = String(optional: file.package)
        func add(_ name: UnsafePointer<CChar>?, _ scope: String, _ path: [Int32]) {
            if let line = lines[path] { names[qualified(String(optional: name), in: scope)] = line }
        }
        func add(_ type: Google__Protobuf__EnumDescriptorProto, _ scope: String, _ path: [Int32]) {
            add(type.name, scope, path)
            // The errors of this plugin name an enum value with its enum as the scope.
            let name = qualified(String(optional: type.name), in: scope)
            for (index, value) in elements(type.n_value, type.value).enumerated() { add(value.name, name, path + [2, Int32(index)]) }
        }
        func add(_ message: Google__Protobuf__DescriptorProto, _ scope: String, _ path: [Int32]) {
            add(message.name, scope, path)
            let name = qualified(String(optional: message.name), in: scope)
            for (index, field) in elements(message.n_field, message.field).enumerated() { add(field.name, name, path + [2, Int32(index)]) }
            for (index, oneof) in elements(message.n_oneof_decl, message.oneof_decl).enumerated() {
                add(oneof.name, name, path + [8, Int32(index)])
            }
            for (index, inner) in elements(message.n_nested_type, message.nested_type).enumerated() {
                add(inner, name, path + [3, Int32(index)])
            }
            for (index, type) in elements(message.n_enum_type, message.enum_type).enumerated() { add(type, name, path + [4, Int32(index)]) }
        }
        for (index, message) in elements(file.n_message_type, file.message_type).enumerated() { add(message, package, [4, Int32(index)]) }
        for (index, type) in elements(file.n_enum_type, file.enum_type).enumerated() { add(type, package, [5, Int32(index)]) }
        for (index, service) in elements(file.n_service, file.service).enumerated() {
            add(service.name, package, [6, Int32(index)])
            let name = qualified(String(optional: service.name), in: package)
            for (inner, method) in elements(service.n_method, service.method).enumerated() {
                add(method.name, name, [6, Int32(index), 2, Int32(inner)])
            }
        }
        return names
    }
}

/// Copies of protobuf-c's repeated message fields.
///
/// The unpacked request lives longer than every use. protobuf-c sets the count, and fills as many non-null pointers.
func elements<Element>(
    _ count: Int, _ pointers: UnsafeMutablePointer<UnsafeMutablePointer<Element>?>?
) -> [Element] {
    UnsafeBufferPointer(start: pointers, count: pointers == nil ? 0 : count).compactMap { $0?.pointee }
}

extension String {
    /// The C string; empty for none.
    init(optional c: UnsafePointer<CChar>?) {
        self = c.map { String(cString: $0) } ?? ""
    }

    /// The C string; empty for none.
    init(optional c: UnsafeMutablePointer<CChar>?) {
        self.init(optional: UnsafePointer(c))
    }

    /// The name without the dot that protoc puts before full names.
    var withoutLeadingDot: String {
        hasPrefix(".") ? String(dropFirst()) : self
    }
}
