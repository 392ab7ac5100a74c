/// Writes a file's descriptor, for server reflection: an enum with the serialized form and the descriptors of the imported files.
struct FileDescriptorGenerator {
    private let file: FileSchema
    private let name: String
    private let access: String
    private let imported: ImportedFiles

    /// - Throws: ``GenerationError`` for an imported file that protoc did not give.
    init(_ context: GenerationContext) throws(GenerationError) {
        file = context.file
        name = TopLevelNames(file).fileDescriptor
        access = context.access
        imported = try ImportedFiles(of: file, context.index)
    }

    func write(_ writer: inout SourceWriter) {
        writer.line("/// `\(file.path)` in protobuf's own terms, for server reflection.")
        writer.block("\(access) enum \(name)") { writer in
            writer.line("/// The file with those that it imports.")
            writeDescriptor(of: file, as: "\(access) static let descriptor", &writer)
            for (index, file) in imported.writtenOut.enumerated() {
                writer.line()
                writer.line("/// `\(file.path)`, of which nothing is used here.")
                writeDescriptor(of: file, as: "private static let \(ImportedFiles.property(index + 1))", &writer)
            }
        }
    }

    private func writeDescriptor(of file: FileSchema, as declaration: String, _ writer: inout SourceWriter) {
        let dependencies = imported.references(from: file)
        writer.line("\(declaration) = FileDescriptor(")
        writer.line("    name: \(file.path.debugDescription),")
        if dependencies.isEmpty {
            writer.line("    dependencies: [],")
        } else {
            writer.line("    dependencies: [")
            for dependency in dependencies { writer.line("        \(dependency),") }
            writer.line("    ],")
        }
        writer.line("    serialized: \"\"\"")
        for line in ByteLiteral(file.serialized).lines { writer.line("        " + line) }
        writer.line("        \"\"\")")
    }
}
