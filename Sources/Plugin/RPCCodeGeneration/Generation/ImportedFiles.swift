/// How a generated file refers to the descriptors of what its `.proto` imports.
///
/// An imported file whose types are used has Swift within reach, and so its descriptor is named. Any other, imported for its
/// options or for others' sake, need not have any (proto2 cannot): its descriptor is written out.
struct ImportedFiles {
    /// The files to write out, each once and behind those that it imports.
    private(set) var writtenOut: [FileSchema] = []
    /// The descriptor of each imported file as source, by path.
    private var references: [String: String] = [:]

    /// - Throws: ``GenerationError`` for an imported file that protoc did not give.
    init(of file: FileSchema, _ index: TypeIndex) throws(GenerationError) {
        let used = Set(file.usedTypes.compactMap(index.path(ofFileWith:)))
        try add(importsOf: file, used: used, index)
    }

    /// The descriptors of the files that one of these files imports, as source, in the order of import.
    func references(from file: FileSchema) -> [String] {
        file.dependencies.compactMap { references[$0] }
    }

    private mutating func add(
        importsOf file: FileSchema, used: Set<String>, _ index: TypeIndex
    ) throws(GenerationError) {
        for path in file.dependencies where references[path] == nil {
            guard let imported = index.file(path) else {
                throw GenerationError(at: file.path, "it imports \(path), which is not among the files protoc gave")
            }
            if used.contains(path) {
                references[path] = TopLevelNames(imported).fileDescriptor + ".descriptor"
            } else {
                try add(importsOf: imported, used: used, index)
                writtenOut.append(imported)
                references[path] = Self.property(writtenOut.count)
            }
        }
    }

    /// The name under which the file of that position, from 1, is written out.
    static func property(_ position: Int) -> String { "imported\(position)" }
}

extension FileSchema {
    /// Full names of the types of all fields, requests and responses.
    fileprivate var usedTypes: [String] {
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
