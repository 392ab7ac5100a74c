/// The plugin as a function: a request's bytes in, a response's bytes out.
public enum CodeGenerator {
    /// Answers one `google.protobuf.compiler.CodeGeneratorRequest` in wire form with a `CodeGeneratorResponse` in wire form.
    ///
    /// The same request gives the same bytes. What cannot be generated for becomes the response's `error`, which names the
    /// file or the declaration and which protoc prints before it fails; there are then no files.
    public static func response(to request: [UInt8]) -> [UInt8] {
        var response = CodeGeneratorResponse()
        do {
            response.files = try files(for: CodeGeneratorRequest(serializedBytes: request))
        } catch {
            response.error = error.description
        }
        return response.serializedBytes()
    }

    /// The files to write for a request.
    static func files(for request: CodeGeneratorRequest) throws(GenerationError) -> [CodeGeneratorResponse.File] {
        let parameters = try GeneratorParameters(parsing: request.parameter)
        let index = TypeIndex(files: request.files)
        var files: [CodeGeneratorResponse.File] = []
        for path in request.filesToGenerate {
            guard let file = request.files.first(where: { $0.path == path }) else {
                throw GenerationError(at: path, "protoc asks for this file but does not describe it")
            }
            let context = GenerationContext(file: file, parameters: parameters, index: index)
            files += try FileGenerator(context: context).files()
        }
        return files
    }
}

/// What `--pulseboard-swift_opt` can say.
public struct GeneratorParameters: Hashable, Sendable {
    /// The access level of everything generated.
    public enum Visibility: String, Hashable, Sendable {
        case `public`, package, `internal`
    }

    /// The Clang module that holds protoc-c's output for the same files. Required.
    public var cModule: String
    /// Swift modules that hold the types of imported files, in the order given.
    public var imports: [String] = []
    /// Default: `public`.
    public var visibility = Visibility.public

    /// Reads protoc's parameter: `CModule=Name,Import=Name,Import=Name,Visibility=package`.
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
                cModule = pair[1]
            case "Import":
                imports.append(pair[1])
            case "Visibility":
                guard let visibility = Visibility(rawValue: pair[1]) else {
                    throw GenerationError(
                        at: "parameter", "Visibility is public, package or internal, not `\(pair[1])`")
                }
                self.visibility = visibility
            default:
                throw GenerationError(
                    at: "parameter", "`\(pair[0])` is unknown; there are CModule, Import and Visibility")
            }
        }
        guard let cModule else {
            throw GenerationError(
                at: "parameter", "CModule is missing: the Clang module that holds protoc-c's output for these files")
        }
        self.cModule = cModule
    }
}

/// Why no Swift could be written for a schema: a text for the person who runs `protoc`, which prints it.
public struct GenerationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and where, beginning with the file or the full name of the declaration.
    public let description: String

    /// An error at a file or at the full name of a declaration.
    init(at place: String, _ problem: String) {
        description = "\(place): \(problem)"
    }
}
