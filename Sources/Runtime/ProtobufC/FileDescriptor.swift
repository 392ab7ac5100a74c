/// One `.proto` file in protobuf's own terms: the serialized `google.protobuf.FileDescriptorProto`, with those that it imports.
///
/// protobuf-c's descriptors serve encoding and lack what the outside asks for (services with their streams, options, imports), so
/// the plugin writes one of these for every file, without `source_code_info`. gRPC's server reflection answers with them.
public struct FileDescriptor: Sendable, Hashable {
    /// The path by which other files import it, such as `google/protobuf/any.proto`.
    public let name: String
    /// The imported files, in the order of the import statements.
    public let dependencies: [FileDescriptor]
    /// The wire form of the `FileDescriptorProto`.
    public let serializedBytes: [UInt8]

    public init(name: String, dependencies: [FileDescriptor], serializedBytes: [UInt8]) {
        self.name = name
        self.dependencies = dependencies
        self.serializedBytes = serializedBytes
    }

    /// For generated code: the wire form as a text whose every Unicode scalar stands for the byte of its number.
    ///
    /// A literal of that form compiles several times faster than an array of thousands of numbers, and the names in it can be
    /// read and compared.
    /// - Precondition: no scalar is beyond U+00FF.
    public init(name: String, dependencies: [FileDescriptor], serialized text: String) {
        self.init(name: name, dependencies: dependencies, serializedBytes: text.unicodeScalars.map { UInt8($0.value) })
    }

    /// This file and all that it imports, directly or not: each once, and none before a file that it imports.
    public var withAllDependencies: [FileDescriptor] {
        var files: [FileDescriptor] = []
        var seen: Set<String> = []
        func add(_ file: FileDescriptor) {
            guard seen.insert(file.name).inserted else { return }
            for dependency in file.dependencies { add(dependency) }
            files.append(file)
        }
        add(self)
        return files
    }
}

extension FileDescriptor: CustomStringConvertible {
    public var description: String { name }
}
