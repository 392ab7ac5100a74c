import CompilerPluginC

/// What protoc asks of the plugin.
struct CodeGeneratorRequest: Hashable, Sendable {
    /// Paths of the files to generate for.
    var filesToGenerate: [String]
    /// The plugin parameter as given on protoc's command line.
    var parameter: String
    /// Those files and all they import, imported ones first.
    var files: [FileSchema]

    /// Reads the request from its wire bytes.
    /// - Throws: ``GenerationError`` when the bytes are not a request.
    init(serializedBytes bytes: [UInt8]) throws(GenerationError) {
        guard let request = google__protobuf__compiler__code_generator_request__unpack(nil, bytes.count, bytes) else {
            throw GenerationError(at: "request", "the bytes are not a google.protobuf.compiler.CodeGeneratorRequest")
        }
        defer { google__protobuf__compiler__code_generator_request__free_unpacked(request, nil) }
        let c = request.pointee
        filesToGenerate = (0..<c.n_file_to_generate).map { String(optional: c.file_to_generate[$0]) }
        parameter = String(optional: c.parameter)
        files = elements(c.n_proto_file, c.proto_file).map(FileSchema.init(c:))
    }
}
