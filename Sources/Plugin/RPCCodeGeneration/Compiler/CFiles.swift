import CompilerPluginC

/// protoc-c's C for the messages of a request, as one Clang module.
///
/// protoc-c (1.4) writes stubs for services. They are not needed, and do not compile if a method has the name of a C keyword
/// (`Delete`, `Register`). protoc-c does not support proto3's `optional` either. So it gets the request without services, and with
/// each `optional` field as a oneof of one field. The wire form is the same.
struct CFiles {
    private let schemas: [FileSchema]
    private let module: String

    init(_ schemas: [FileSchema], module: String) {
        self.schemas = schemas
        self.module = module
    }

    /// The sources at the paths of the protos, and the headers below `include/` with the module map.
    /// - Throws: ``GenerationError`` with file and line for a group, because protoc-c would crash.
    func files(
        _ request: CodeGeneratorRequest, _ protocC: CodeGenerator.ProtocC
    ) throws(GenerationError) -> [CodeGeneratorResponse.File] {
        for schema in schemas {
            if schema.syntax == "editions" {
                throw GenerationError(at: schema.path, "its syntax is editions; protoc-c knows proto2 and proto3").located(in: schema)
            }
            for message in schema.messages { try refuseGroups(in: message, of: schema) }
        }
        let response = try CodeGeneratorResponse(serializedBytes: protocC(request.serializedForProtocC()))
        if let error = response.error { throw GenerationError(at: "protoc-c", error) }
        var files: [CodeGeneratorResponse.File] = []
        var headers: [String] = []
        for file in response.files {
            if file.name.hasSuffix(".h") {
                headers.append(file.name)
                files.append(.init(name: "include/" + file.name, content: Self.withoutRepeatedEnumerators(file.content)))
            } else {
                files.append(file)
            }
        }
        let lines = ["module \(module) {"] + headers.map { "    header \"\($0)\"" } + ["    export *", "}"]
        files.append(.init(name: "include/module.modulemap", content: lines.map { $0 + "\n" }.joined()))
        return files
    }

    private func refuseGroups(in message: MessageSchema, of schema: FileSchema) throws(GenerationError) {
        for field in message.fields where field.type == .group {
            throw GenerationError(at: message.fullName + "." + field.name, "protoc-c has no groups").located(in: schema)
        }
        for inner in message.messages { try refuseGroups(in: inner, of: schema) }
    }

    /// The header without duplicate enumerators. Two aliases that differ only in letter case get the same name,
    /// because protoc-c writes both in capitals. The source still has the names and numbers of both.
    private static func withoutRepeatedEnumerators(_ header: String) -> String {
        var seen: Set<Substring> = []
        let lines = header.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            guard line.hasPrefix("  "), line.hasSuffix(","), let end = line.firstRange(of: " = ")?.lowerBound else { return true }
            return seen.insert(line[..<end]).inserted
        }
        return lines.joined(separator: "\n")
    }
}

extension CodeGeneratorRequest {
    /// The changed request for protoc-c: see ``CFiles``.
    fileprivate func serializedForProtocC() -> [UInt8] {
        // The bytes were already unpacked once. Removed parts of this copy are not freed, because the program ends soon.
        guard let request = google__protobuf__compiler__code_generator_request__unpack(nil, serialized.count, serialized) else { return [] }
        defer { google__protobuf__compiler__code_generator_request__free_unpacked(request, nil) }
        request.pointee.parameter = nil
        for index in 0..<request.pointee.n_proto_file {
            guard let file = request.pointee.proto_file[index] else { continue }
            file.pointee.n_service = 0
            for inner in 0..<file.pointee.n_message_type { forgetOptional(file.pointee.message_type[inner]) }
        }
        let size = google__protobuf__compiler__code_generator_request__get_packed_size(request)
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = google__protobuf__compiler__code_generator_request__pack(request, buffer.baseAddress)
        }
    }

    /// Replaces proto3's `optional` by the oneof that protoc has made for it.
    private func forgetOptional(_ message: UnsafeMutablePointer<Google__Protobuf__DescriptorProto>?) {
        guard let message else { return }
        for index in 0..<message.pointee.n_field { message.pointee.field[index]?.pointee.has_proto3_optional = 0 }
        for index in 0..<message.pointee.n_nested_type { forgetOptional(message.pointee.nested_type[index]) }
    }
}
