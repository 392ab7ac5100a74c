import CompilerPluginC

/// protoc-c's C for the messages of a request, as one Clang module.
///
/// protoc-c (1.4) gets a changed request. The wire form of the messages is the same.
///
/// - Services are left out. Their stubs are not needed, and do not compile if a method has the name of a C keyword (`Delete`, `Register`).
/// - Each `optional` field is a oneof of one field, because protoc-c does not support proto3's `optional`.
/// - Imports of which no type is used are left out, and all extensions. protoc-c writes nothing for extensions, but includes the header of
///   every import. Nobody generates such a header for a file that only declares options.
/// - `optimize_for` is left out. With `CODE_SIZE`, protoc-c writes no names into its tables, and the runtime needs them.
/// - protobuf-c's own options, such as `c_package`, are left out, because the Swift code does not follow them.
struct CFiles {
    private let schemas: [FileSchema]
    private let module: String

    init(_ schemas: [FileSchema], module: String) {
        self.schemas = schemas
        self.module = module
    }

    /// The sources at the paths of the protos, and the headers below `include/` with the module map.
    /// - Throws: ``GenerationError`` with file and line for a group, because protoc-c would crash, and for two declarations of one name in C.
    func files(
        _ request: CodeGeneratorRequest, _ protocC: CodeGenerator.ProtocC
    ) throws(GenerationError) -> [CodeGeneratorResponse.File] {
        let index = TypeIndex(files: request.files)
        for schema in schemas {
            do throws(GenerationError) {
                if schema.syntax == "editions" { throw GenerationError(at: schema.path, "its syntax is editions; protoc-c knows proto2 and proto3") }
                for message in schema.messages { try refuseGroups(in: message) }
                try index.checkClashes(in: schema)
            } catch {
                throw error.located(in: schema)
            }
        }
        let response = try CodeGeneratorResponse(serializedBytes: protocC(request.serializedForProtocC(index)))
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

    private func refuseGroups(in message: MessageSchema) throws(GenerationError) {
        for field in message.fields where field.type == .group {
            throw GenerationError(at: message.fullName + "." + field.name, "protoc-c has no groups")
        }
        for inner in message.messages { try refuseGroups(in: inner) }
    }

    /// The header with each enumerator once. The enum of a oneof begins with `…__NOT_SET = 0`, and an enum beside the oneof can have that
    /// value too. ``TypeIndex`` refuses two enumerators of one name that differ in their numbers.
    private static func withoutRepeatedEnumerators(_ header: String) -> String {
        var seen: Set<Substring> = []
        var lines: [Substring] = []
        var previous: Int?
        for line in header.split(separator: "\n", omittingEmptySubsequences: false) {
            if let name = enumerator(line) {
                guard seen.insert(name).inserted else {
                    // The last enumerator of an enum has no comma after it.
                    if !line.hasSuffix(","), let previous, lines[previous].hasSuffix(",") { lines[previous].removeLast() }
                    continue
                }
                previous = lines.count
            }
            lines.append(line)
        }
        return lines.joined(separator: "\n")
    }

    /// The name of the enumerator on a line, such as `  KIND__NOT_SET = 0,`; nil if there is none.
    private static func enumerator(_ line: Substring) -> Substring? {
        guard line.hasPrefix("  "), let end = line.firstRange(of: " = ")?.lowerBound else { return nil }
        let name = line[..<end].dropFirst(2)
        return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? name : nil
    }
}

extension CodeGeneratorRequest {
    /// The changed request for protoc-c: see ``CFiles``.
    fileprivate func serializedForProtocC(_ types: TypeIndex) -> [UInt8] {
        // The bytes were already unpacked once. Removed parts of this copy are not freed, because the program ends soon.
        guard let request = google__protobuf__compiler__code_generator_request__unpack(nil, serialized.count, serialized) else { return [] }
        defer { google__protobuf__compiler__code_generator_request__free_unpacked(request, nil) }
        request.pointee.parameter = nil
        let imports = NeededImports(index: types)
        // `files` was made from these elements, in the same order.
        for (index, schema) in files.enumerated() {
            guard let file = request.pointee.proto_file[index] else { continue }
            file.pointee.n_service = 0
            file.pointee.n_extension = 0
            keep(imports.paths(of: schema), of: file)
            file.pointee.options?.pointee.has_optimize_for = 0
            forgetOwnOptions(file.pointee.options)
            for inner in 0..<file.pointee.n_message_type { change(file.pointee.message_type[inner]) }
        }
        let size = google__protobuf__compiler__code_generator_request__get_packed_size(request)
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = google__protobuf__compiler__code_generator_request__pack(request, buffer.baseAddress)
        }
    }

    /// Replaces proto3's `optional` by the oneof that protoc has made for it, and removes extensions and protobuf-c's options. It also removes
    /// `deprecated`: the generated Swift code uses every member of the C struct, and would not compile without warnings.
    private func change(_ message: UnsafeMutablePointer<Google__Protobuf__DescriptorProto>?) {
        guard let message else { return }
        message.pointee.n_extension = 0
        forgetOwnOptions(message.pointee.options)
        for index in 0..<message.pointee.n_field {
            guard let field = message.pointee.field[index] else { continue }
            field.pointee.has_proto3_optional = 0
            forgetOwnOptions(field.pointee.options)
            field.pointee.options?.pointee.has_deprecated = 0
        }
        for index in 0..<message.pointee.n_nested_type { change(message.pointee.nested_type[index]) }
    }

    /// Removes protobuf-c's own options from a struct of options. They are extensions, so they are unknown fields here, and all have number 1019.
    private func forgetOwnOptions(_ options: UnsafeMutableRawPointer?) {
        // Every struct of protobuf-c begins with this one.
        guard let base = options?.assumingMemoryBound(to: ProtobufCMessage.self) else { return }
        let fields = UnsafeMutableBufferPointer(start: base.pointee.unknown_fields, count: Int(base.pointee.n_unknown_fields))
        let kept = fields.filter { $0.tag != 1019 }
        for (index, field) in kept.enumerated() { fields[index] = field }
        base.pointee.n_unknown_fields = UInt32(kept.count)
    }

    /// Removes the other imports. The file names its public and weak imports by their places, so these change too.
    private func keep(_ paths: Set<String>, of file: UnsafeMutablePointer<Google__Protobuf__FileDescriptorProto>) {
        var places: [Int32: Int32] = [:]
        for index in 0..<file.pointee.n_dependency where paths.contains(String(optional: file.pointee.dependency[index])) {
            file.pointee.dependency[places.count] = file.pointee.dependency[index]
            places[Int32(index)] = Int32(places.count)
        }
        file.pointee.n_dependency = places.count
        func moved(_ former: UnsafeMutablePointer<Int32>?, _ count: Int) -> Int {
            let kept = UnsafeBufferPointer(start: former, count: count).compactMap { places[$0] }
            for (index, place) in kept.enumerated() { former?[index] = place }
            return kept.count
        }
        file.pointee.n_public_dependency = moved(file.pointee.public_dependency, file.pointee.n_public_dependency)
        file.pointee.n_weak_dependency = moved(file.pointee.weak_dependency, file.pointee.n_weak_dependency)
    }
}

/// The imports that a file's messages and services need.
private struct NeededImports {
    let index: TypeIndex

    /// The paths of the imports that have a used type, themselves or by `import public`, and of all imports that the file itself makes public.
    func paths(of file: FileSchema) -> Set<String> {
        let used = file.usedPaths(index)
        let needed = file.dependencies.filter { !used.isDisjoint(with: visible(through: $0)) }
        return Set(needed + file.publicDependencies)
    }

    /// An imported file, and those whose types are visible through it.
    private func visible(through path: String) -> Set<String> {
        var visible: Set<String> = []
        var pending = [path]
        while let next = pending.popLast() {
            if visible.insert(next).inserted { pending += index.file(next)?.publicDependencies ?? [] }
        }
        return visible
    }
}
