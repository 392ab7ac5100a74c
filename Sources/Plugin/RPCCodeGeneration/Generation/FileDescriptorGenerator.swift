/// Writes a file's descriptor, for server reflection: an enum with the serialized form and the descriptors of the imported files.
struct FileDescriptorGenerator {
    private let file: FileSchema
    private let name: String
    private let access: String
    private let imported: ImportedFiles

    /// - Throws: ``GenerationError`` for an imported file that is not in the request.
    init(_ context: GenerationContext) throws(GenerationError) {
        file = context.file
        name = context.names.fileDescriptor(of: file)
        access = context.access
        imported = try ImportedFiles(of: file, context)
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

/// How a generated file refers to the descriptors of its imports.
///
/// If types of an imported file are used, its generated Swift code is available, and its descriptor is referred to by name. Other files, imported
/// for options or for `import public`, may have no Swift code (proto2 never has). Their descriptors are written out.
struct ImportedFiles {
    /// The files to write out, each once and after its imports.
    private(set) var writtenOut: [FileSchema] = []
    /// The descriptor of each imported file as source, by path.
    private var references: [String: String] = [:]

    /// - Throws: ``GenerationError`` for an imported file that is not in the request.
    init(of file: FileSchema, _ context: GenerationContext) throws(GenerationError) {
        try add(importsOf: file, used: file.usedPaths(context.index), context)
    }

    /// The descriptors of the files that one of these files imports, as source, in the order of import.
    func references(from file: FileSchema) -> [String] {
        file.dependencies.compactMap { references[$0] }
    }

    private mutating func add(
        importsOf file: FileSchema, used: Set<String>, _ context: GenerationContext
    ) throws(GenerationError) {
        for path in file.dependencies where references[path] == nil {
            guard let imported = context.index.file(path) else {
                throw GenerationError(at: file.path, "it imports \(path), which is not among the files protoc gave")
            }
            if used.contains(path) {
                references[path] = context.names.fileDescriptor(of: imported) + ".descriptor"
            } else {
                try add(importsOf: imported, used: used, context)
                writtenOut.append(imported)
                references[path] = Self.property(writtenOut.count)
            }
        }
    }

    /// The name of a written-out file with that position, from 1.
    static func property(_ position: Int) -> String { "imported\(position)" }
}

extension FileSchema {
    /// The paths of the files that declare the types of all fields, requests and responses.
    func usedPaths(_ index: TypeIndex) -> Set<String> { Set(usedTypes.compactMap(index.path(ofFileWith:))) }

    private var usedTypes: [String] {
        messages.flatMap(\.usedTypes) + services.flatMap { $0.methods.flatMap { [$0.input, $0.output] } }
    }
}

extension MessageSchema {
    fileprivate var usedTypes: [String] {
        let ofFields: [String] = fields.compactMap { field in
            switch field.type {
            case .message(let name), .enumeration(let name): name
            case .scalar, .string, .bytes, .bool, .group: nil
            }
        }
        return ofFields + messages.flatMap(\.usedTypes)
    }
}

/// Bytes as the lines of a multi-line string literal in which each Unicode scalar is one byte.
///
/// Printable ASCII is written as it is, and everything else is escaped. So the source is always ASCII.
struct ByteLiteral {
    /// The lines without the quotes. Each line except the last ends with a backslash, which joins it to the next.
    let lines: [String]

    /// The length of a line, characters.
    private static let width = 100

    init(_ bytes: [UInt8]) {
        var lines: [String] = []
        var line = ""
        for byte in bytes {
            let text = Self.source(of: byte)
            // One more for the backslash at the end.
            if line.utf8.count + text.utf8.count + 1 > Self.width {
                lines.append(line + "\\")
                line = ""
            }
            line += text
        }
        self.lines = lines + [line]
    }

    private static func source(of byte: UInt8) -> String {
        switch byte {
        case 0: #"\0"#
        case UInt8(ascii: "\t"): #"\t"#
        case UInt8(ascii: "\n"): #"\n"#
        case UInt8(ascii: "\r"): #"\r"#
        case UInt8(ascii: "\""): #"\""#
        case UInt8(ascii: "\\"): #"\\"#
        case 0x20..<0x7F: String(UnicodeScalar(byte))
        default: "\\u{" + String(byte, radix: 16) + "}"
        }
    }
}
