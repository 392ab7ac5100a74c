/// The descriptor of one `.proto` file: its serialized `google.protobuf.FileDescriptorProto`, and the descriptors of its imports.
///
/// Each generated service has its own as `file`. A server needs it to describe itself:
///
///     let file = Greeter.file
///     print(file.name, try file.declarations().messages)      // greeter.proto ["greeter.v1.HelloRequest", …]
///     let server = try Server(services: [GreeterService(), StandardServices(describing: [file])])
///
/// protobuf-c's descriptors are for encoding, and have no services, options or imports. So the plugin writes one of these for every
/// file, without `source_code_info`. gRPC's server reflection answers with them.
public struct FileDescriptor: Sendable, Hashable {
    /// The path by which other files import it, such as `google/protobuf/any.proto`.
    public let name: String
    /// The imported files, in the order of the import statements.
    public let dependencies: [FileDescriptor]
    /// The wire form of the `FileDescriptorProto`.
    public let serializedBytes: [UInt8]

    /// Generated code makes one for each file.
    public init(name: String, dependencies: [FileDescriptor], serializedBytes: [UInt8]) {
        self.name = name
        self.dependencies = dependencies
        self.serializedBytes = serializedBytes
    }

    /// For generated code: the wire form as a text in which each Unicode scalar is the byte with its number.
    ///
    /// Such a literal compiles faster than an array of thousands of numbers (docs/performance.md), and the names in it are readable.
    /// - Precondition: no scalar is beyond U+00FF.
    public init(name: String, dependencies: [FileDescriptor], serialized text: String) {
        self.init(name: name, dependencies: dependencies, serializedBytes: text.unicodeScalars.map { UInt8($0.value) })
    }

    /// This file and all its direct and indirect imports, each once. A file comes after its imports.
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

/// The full names that a `.proto` file declares, without a leading dot. With them, the file of a name can be found.
public struct FileDeclarations: Sendable, Hashable {
    /// An extension: a file extends a message of another file with a field number.
    public struct Extension: Sendable, Hashable {
        /// The extended message.
        public let message: String
        /// The number in the wire form.
        public let number: Int32
    }

    /// Messages, also those inside others.
    public fileprivate(set) var messages: [String] = []
    /// Everything else: fields, oneofs, enums and their values, services, methods, extensions.
    public fileprivate(set) var others: [String] = []
    /// The extensions that it declares, of its own and of other messages.
    public fileprivate(set) var extensions: [Extension] = []
}

extension FileDescriptor {
    /// What the file declares.
    ///
    /// It reads the wire form in place. Decoding it with protobuf-c's tables for descriptor.proto would cost a server
    /// half a MiB of memory.
    /// - Throws: ``DecodingError`` if the bytes are not a `google.protobuf.FileDescriptorProto`.
    public func declarations() throws(DecodingError) -> FileDeclarations {
        var reader = DeclarationReader()
        do throws(Malformation) {
            try serializedBytes.withUnsafeBufferPointer { (bytes) throws(Malformation) in
                guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
                try reader.file(WireCursor(position: start, end: start + bytes.count))
            }
        } catch {
            throw .malformed(field: "", reason: error)
        }
        return reader.declarations
    }
}

/// Walks through a FileDescriptorProto. The numbers are field numbers of descriptor.proto.
private struct DeclarationReader {
    private(set) var declarations = FileDeclarations()

    mutating func file(_ bytes: WireCursor) throws(Malformation) {
        let package = try Self.text(2, of: bytes)
        try each(in: bytes) { (reader, number, element) throws(Malformation) in
            switch number {
            case 4: try reader.message(element, scope: package, depth: 0)
            case 5: try reader.enumeration(element, scope: package)
            case 6: try reader.service(element, scope: package)
            case 7: try reader.extensionField(element, scope: package)
            default: break
            }
        }
    }

    private mutating func message(_ bytes: WireCursor, scope: String, depth: Int) throws(Malformation) {
        let name = try Self.qualified(bytes, scope)
        declarations.messages.append(name)
        // protoc writes no deeper messages, and the stack is limited.
        guard depth < DecodingOptions.maximumNestingDepth else { return }
        try each(in: bytes) { (reader, number, element) throws(Malformation) in
            switch number {
            case 2, 8: reader.declarations.others.append(try Self.qualified(element, name))
            case 3: try reader.message(element, scope: name, depth: depth + 1)
            case 4: try reader.enumeration(element, scope: name)
            case 6: try reader.extensionField(element, scope: name)
            default: break
            }
        }
    }

    /// An enum's values are named in the scope around it, as in C++.
    private mutating func enumeration(_ bytes: WireCursor, scope: String) throws(Malformation) {
        declarations.others.append(try Self.qualified(bytes, scope))
        try each(in: bytes) { (reader, number, element) throws(Malformation) in
            if number == 2 { reader.declarations.others.append(try Self.qualified(element, scope)) }
        }
    }

    private mutating func service(_ bytes: WireCursor, scope: String) throws(Malformation) {
        let name = try Self.qualified(bytes, scope)
        declarations.others.append(name)
        try each(in: bytes) { (reader, number, element) throws(Malformation) in
            if number == 2 { reader.declarations.others.append(try Self.qualified(element, name)) }
        }
    }

    private mutating func extensionField(_ bytes: WireCursor, scope: String) throws(Malformation) {
        declarations.others.append(try Self.qualified(bytes, scope))
        let extended = try Self.text(2, of: bytes)
        declarations.extensions.append(
            FileDeclarations.Extension(
                message: extended.hasPrefix(".") ? String(extended.dropFirst()) : extended, number: try Self.number(3, of: bytes)))
    }

    // MARK: Records

    /// Every field that holds text or a message.
    private mutating func each(
        in bytes: WireCursor, _ body: (inout DeclarationReader, UInt32, WireCursor) throws(Malformation) -> Void
    ) throws(Malformation) {
        var cursor = bytes
        while !cursor.isAtEnd {
            let tag = try cursor.readTag()
            if tag.wireType == 2 {
                try body(&self, tag.number, try cursor.readLengthDelimited())
            } else {
                try cursor.skipValue(of: tag)
            }
        }
    }

    /// The text of a field; the last one, if there are several.
    private static func text(_ number: UInt32, of bytes: WireCursor) throws(Malformation) -> String {
        var cursor = bytes
        var text = ""
        while !cursor.isAtEnd {
            let tag = try cursor.readTag()
            guard tag.wireType == 2 else {
                try cursor.skipValue(of: tag)
                continue
            }
            let value = try cursor.readLengthDelimited()
            guard tag.number == number else { continue }
            text = String(decoding: UnsafeBufferPointer(start: value.position, count: value.remaining), as: UTF8.self)
        }
        return text
    }

    /// The number of a varint field; 0 when there is none.
    private static func number(_ number: UInt32, of bytes: WireCursor) throws(Malformation) -> Int32 {
        var cursor = bytes
        var found: UInt64 = 0
        while !cursor.isAtEnd {
            let tag = try cursor.readTag()
            let start = cursor.position
            try cursor.skipValue(of: tag)
            guard tag.number == number, tag.wireType == 0 else { continue }
            found = 0
            for index in 0..<(cursor.position - start) { found |= UInt64(start[index] & 0x7F) << UInt64(7 * index) }
        }
        return Int32(truncatingIfNeeded: found)
    }

    /// The full name of a declaration. Its own name is field 1 in all kinds of declarations.
    private static func qualified(_ bytes: WireCursor, _ scope: String) throws(Malformation) -> String {
        let name = try text(1, of: bytes)
        return scope.isEmpty ? name : scope + "." + name
    }
}
