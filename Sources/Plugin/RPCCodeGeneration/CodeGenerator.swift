/// The plugin as a function: a request's bytes in, a response's bytes out.
public enum CodeGenerator {
    /// Runs protoc-c's own plugin, `protoc-gen-c`: a request's bytes in, a response's bytes out.
    public typealias ProtocC = ([UInt8]) throws(GenerationError) -> [UInt8]

    /// Answers one `google.protobuf.compiler.CodeGeneratorRequest` in wire form with a `CodeGeneratorResponse` in wire form.
    ///
    /// The same request gives the same bytes. If code cannot be generated, the response has an `error` with the
    /// file, the line and the declaration, and no files. protoc prints the error and fails.
    public static func response(to request: [UInt8], protocC: ProtocC) -> [UInt8] {
        var response = CodeGeneratorResponse()
        do {
            response.files = try files(for: CodeGeneratorRequest(serializedBytes: request), protocC: protocC)
        } catch {
            response.error = error.description
        }
        return response.serializedBytes()
    }

    /// The files to write for a request.
    static func files(
        for request: CodeGeneratorRequest, protocC: ProtocC
    ) throws(GenerationError) -> [CodeGeneratorResponse.File] {
        let parameters = try GeneratorParameters(parsing: request.parameter)
        var schemas: [FileSchema] = []
        for path in request.filesToGenerate {
            guard let file = request.files.first(where: { $0.path == path }) else {
                throw GenerationError(at: path, "protoc asks for this file but does not describe it")
            }
            schemas.append(file)
        }
        switch parameters.language {
        case .c: return try CFiles(schemas, module: parameters.cModule).files(request, protocC)
        case .swift: break
        }
        try requireDifferentFiles(schemas)
        let index = TypeIndex(files: request.files)
        let names = TopLevelNames(schemas)
        var files: [CodeGeneratorResponse.File] = []
        for schema in schemas {
            let prefix = SwiftNames.prefix(of: schema)
            if !prefix.isEmpty, !SwiftNames.isIdentifier(prefix) {
                let source = schema.swiftPrefix == nil ? "which comes from its package; set swift_prefix" : "its `option swift_prefix`"
                throw GenerationError(at: schema.path, "no name in Swift begins with `\(prefix)`, \(source)")
            }
            do throws(GenerationError) {
                let context = GenerationContext(file: schema, parameters: parameters, index: index, names: names)
                files += try FileGenerator(context: context).files()
            } catch {
                throw error.located(in: schema)
            }
        }
        return files
    }

    /// - Throws: ``GenerationError`` for two files of one name in different folders: Swift takes only one of them into a module.
    private static func requireDifferentFiles(_ schemas: [FileSchema]) throws(GenerationError) {
        var paths: [Substring: String] = [:]
        for schema in schemas {
            let name = schema.path.split(separator: "/").last ?? ""
            if let other = paths.updateValue(schema.path, forKey: name) {
                throw GenerationError(
                    at: schema.path,
                    "\(other) has the same name, and a Swift module takes only one file of a name: rename one, or run protoc once for each Swift module")
            }
        }
    }
}

/// The options of `--pulseboard-swift_opt`.
public struct GeneratorParameters: Hashable, Sendable {
    /// The access level of everything generated.
    public enum Visibility: String, Hashable, Sendable {
        case `public`, package, `internal`
    }

    /// The language of the output.
    public enum Language: String, Hashable, Sendable {
        /// protoc-c's C for the messages, which the Swift code uses.
        case c = "C"
        case swift = "Swift"
    }

    /// Default: Swift.
    public var language = Language.swift
    /// The Clang module that holds protoc-c's output for the same files. Required.
    public var cModule: String
    /// Swift modules that hold the types of imported files, in the order given.
    public var imports: [String] = []
    /// Default: `public`.
    public var visibility = Visibility.public

    /// Reads protoc's parameter: `CModule=Name,Import=Name,Import=Name,Visibility=package`, or `Language=C,CModule=Name`.
    /// - Throws: ``GenerationError`` for an unknown key, a bad value, or a missing `CModule`.
    public init(parsing parameter: String) throws(GenerationError) {
        var cModule: String?
        for part in parameter.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2 else {
                throw GenerationError(at: "parameter", "`\(part)` is not of the form key=value")
            }
            switch pair[0] {
            case "CModule":
                cModule = try Self.checkedModule(pair[1], of: pair[0])
            case "Import":
                imports.append(try Self.checkedModule(pair[1], of: pair[0]))
            case "Language":
                guard let language = Language(rawValue: pair[1]) else {
                    throw GenerationError(at: "parameter", "Language is Swift or C, not `\(pair[1])`")
                }
                self.language = language
            case "Visibility":
                guard let visibility = Visibility(rawValue: pair[1]) else {
                    throw GenerationError(
                        at: "parameter", "Visibility is public, package or internal, not `\(pair[1])`")
                }
                self.visibility = visibility
            default:
                throw GenerationError(
                    at: "parameter", "`\(pair[0])` is unknown; there are CModule, Import, Language and Visibility")
            }
        }
        guard let cModule else {
            throw GenerationError(
                at: "parameter", "CModule is missing: the Clang module that holds protoc-c's output for these files")
        }
        self.cModule = cModule
    }

    /// - Throws: ``GenerationError`` for a text that cannot stand behind `import`.
    private static func checkedModule(_ name: String, of key: String) throws(GenerationError) -> String {
        guard SwiftNames.isIdentifier(name), name != "_", !ReservedNames.words.contains(name) else {
            throw GenerationError(at: "parameter", "\(key) takes the name of a module, not `\(name)`")
        }
        return name
    }
}

/// Why no code could be generated: a text for the user of `protoc`, which prints it.
public struct GenerationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text of the error. It begins with the file and its line, if they are known, or with the full name of the declaration.
    public let description: String
    /// The file or the full name of the declaration with the error.
    private let place: String

    /// An error at a file or at the full name of a declaration.
    public init(at place: String, _ problem: String) {
        self.place = place
        description = "\(place): \(problem)"
    }

    private init(place: String, description: String) {
        self.place = place
        self.description = description
    }

    /// The same error with the file and the line before it, if the place is known.
    func located(in file: FileSchema) -> GenerationError {
        guard let line = file.lines[place] else { return self }
        let rest = place == file.path ? String(description.dropFirst(place.count)) : ": " + description
        return GenerationError(place: place, description: "\(file.path):\(line)\(rest)")
    }
}
