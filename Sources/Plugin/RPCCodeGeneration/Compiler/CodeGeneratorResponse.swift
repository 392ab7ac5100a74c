import CompilerPluginC

/// The plugin's response: files, or an error.
struct CodeGeneratorResponse: Hashable, Sendable {
    /// A generated file. `name` is relative to protoc's output folder.
    struct File: Hashable, Sendable {
        var name: String
        var content: String
    }

    /// The error, if code could not be generated. protoc prints it and fails.
    var error: String?
    var files: [File] = []

    /// The supported features, as bits of `CodeGeneratorResponse.Feature`: bit 0, proto3's `optional`.
    static let supportedFeatures: UInt64 = 1

    /// A response without files.
    init() {}

    /// Reads a response from its wire bytes.
    /// - Throws: ``GenerationError`` when the bytes are not a response.
    init(serializedBytes bytes: [UInt8]) throws(GenerationError) {
        guard let response = google__protobuf__compiler__code_generator_response__unpack(nil, bytes.count, bytes) else {
            throw GenerationError(at: "protoc-c", "its answer is not a google.protobuf.compiler.CodeGeneratorResponse")
        }
        defer { google__protobuf__compiler__code_generator_response__free_unpacked(response, nil) }
        error = response.pointee.error.map { String(cString: $0) }
        files = elements(response.pointee.n_file, response.pointee.file).map {
            File(name: String(optional: $0.name), content: String(optional: $0.content))
        }
    }

    /// The wire bytes of the answer.
    ///
    /// A NUL would cut a text. Neither names nor contents have one, because protoc refuses it in a `.proto`.
    func serializedBytes() -> [UInt8] {
        var response = Google__Protobuf__Compiler__CodeGeneratorResponse()
        google__protobuf__compiler__code_generator_response__init(&response)
        var strings: [UnsafeMutablePointer<CChar>] = []
        defer { for string in strings { string.deallocate() } }
        func cString(_ text: String) -> UnsafeMutablePointer<CChar> {
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.utf8.count + 1)
            for (index, byte) in text.utf8.enumerated() { copy[index] = CChar(bitPattern: byte) }
            copy[text.utf8.count] = 0
            strings.append(copy)
            return copy
        }
        response.error = error.map(cString)
        response.has_supported_features = 1
        response.supported_features = Self.supportedFeatures

        let structs = UnsafeMutablePointer<Google__Protobuf__Compiler__CodeGeneratorResponse__File>
            .allocate(capacity: files.count)
        defer { structs.deallocate() }
        let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Google__Protobuf__Compiler__CodeGeneratorResponse__File>?>
            .allocate(capacity: files.count)
        defer { pointers.deallocate() }
        for (index, file) in files.enumerated() {
            google__protobuf__compiler__code_generator_response__file__init(structs + index)
            structs[index].name = cString(file.name)
            structs[index].content = cString(file.content)
            pointers[index] = structs + index
        }
        response.n_file = files.count
        response.file = pointers

        let size = google__protobuf__compiler__code_generator_response__get_packed_size(&response)
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = google__protobuf__compiler__code_generator_response__pack(&response, buffer.baseAddress)
        }
    }
}
