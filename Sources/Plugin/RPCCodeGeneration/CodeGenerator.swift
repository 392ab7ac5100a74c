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
