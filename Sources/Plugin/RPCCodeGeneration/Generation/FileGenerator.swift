/// Writes the Swift files of one `.proto`: `a/b.pb.swift` for its messages, enums and descriptor, `a/b.rpc.swift` for
/// its services.
struct FileGenerator {
    let context: GenerationContext

    /// The generated files. Without services there is no `.rpc.swift`, and without declarations there is no file.
    /// - Throws: ``GenerationError``.
    func files() throws(GenerationError) -> [CodeGeneratorResponse.File] {
        let file = context.file
        guard file.syntax == "proto3" else {
            throw GenerationError(at: file.path, "its syntax is \(file.syntax); only proto3 is supported")
        }
        try context.names.check(file)
        let base = file.path.hasSuffix(".proto") ? String(file.path.dropLast(6)) : file.path
        var files: [CodeGeneratorResponse.File] = []
        if file.declaresAnything {
            files.append(.init(name: base + ".pb.swift", content: try messages()))
        }
        if !file.services.isEmpty {
            files.append(.init(name: base + ".rpc.swift", content: try services()))
        }
        return files
    }

    private func messages() throws(GenerationError) -> String {
        var writer = SourceWriter()
        writeHeader(&writer)
        if !context.file.messages.isEmpty || !context.file.enums.isEmpty {
            // The public code has no C type, so the C module is imported as internal, in this file only.
            writer.line("internal import \(context.parameters.cModule)")
        }
        for module in (context.parameters.imports + ["ProtobufC"]).sorted() {
            writer.line("import \(module)")
        }
        let prefix = SwiftNames.prefix(of: context.file)
        for type in context.file.enums {
            writer.line()
            try EnumGenerator(type, prefix: prefix, context).write(&writer)
        }
        for message in context.file.messages {
            writer.line()
            try MessageGenerator(message, prefix: prefix, context).write(&writer)
        }
        writer.line()
        try FileDescriptorGenerator(context).write(&writer)
        return writer.text
    }

    private func services() throws(GenerationError) -> String {
        var writer = SourceWriter()
        writeHeader(&writer)
        for module in (context.parameters.imports + ["ProtobufC", "RPCCore"]).sorted() {
            writer.line("import \(module)")
        }
        for service in context.file.services {
            writer.line()
            try ServiceGenerator(service, prefix: SwiftNames.prefix(of: context.file), context).write(&writer)
        }
        return writer.text
    }

    private func writeHeader(_ writer: inout SourceWriter) {
        writer.line("// Written by protoc-gen-pulseboard-swift from \(context.file.path).")
        writer.line("// Do not edit: change that file and generate again.")
        writer.line()
    }
}

/// The context that the generators of one file share.
struct GenerationContext {
    let file: FileSchema
    let parameters: GeneratorParameters
    let index: TypeIndex
    /// The names of all files that are generated with this one.
    let names: TopLevelNames

    /// The access level of the file's declarations, as source.
    var access: String { parameters.visibility.rawValue }

    /// The C type as source.
    ///
    /// It may have the same name as a Swift type, above all without a package. Then it is written with its module.
    /// - Throws: ``GenerationError`` at `place` if a Swift type has the name of that module.
    func cType(_ name: String, usedAt place: String) throws(GenerationError) -> String {
        guard !name.contains("__") || index.declares(name) else { return name }
        let module = parameters.cModule
        if index.declares(module) {
            throw GenerationError(at: place, "a message or enum is called `\(module)` in Swift, as the C module is; rename one")
        }
        return module + "." + name
    }
}
