/// Every file of a request by path, and every message and enum by full name, with its names in Swift and C.
struct TypeIndex {
    /// One message or enum.
    struct Entry {
        /// With outer types, such as `PBAuthState.State`.
        var swiftName: String
        /// protoc-c's type.
        var cName: String
        /// The path of its file.
        var file: String
        var isProto3: Bool
        /// Nil for an enum.
        var message: MessageSchema?
    }

    private var entries: [String: Entry] = [:]
    private var filesByPath: [String: FileSchema] = [:]

    init(files: [FileSchema]) {
        for file in files {
            filesByPath[file.path] = file
            let prefix = SwiftNames.prefix(of: file)
            for message in file.messages { add(message, prefix: prefix, file: file) }
            for type in file.enums { add(type, prefix: prefix, file: file) }
        }
    }

    /// - Throws: ``GenerationError`` at `place` for a name that is not in the request, or that proto2 declares.
    func entry(_ fullName: String, usedAt place: String) throws(GenerationError) -> Entry {
        guard let entry = entries[fullName] else {
            throw GenerationError(at: place, "the type \(fullName) is not among the files protoc gave")
        }
        guard entry.isProto3 else {
            throw GenerationError(
                at: place, "the type \(fullName) is of a proto2 file (\(entry.file)); only proto3 is supported")
        }
        return entry
    }

    /// The message of that name; nil for an enum or an unknown name.
    func message(_ fullName: String) -> MessageSchema? { entries[fullName]?.message }

    /// The file of that path; nil for one that protoc did not give.
    func file(_ path: String) -> FileSchema? { filesByPath[path] }

    /// The path of the file that declares a message or enum; nil for an unknown name.
    func path(ofFileWith fullName: String) -> String? { entries[fullName]?.file }

    /// `scope` is the outer message with a dot, or empty; a top-level type has the file's `prefix` instead.
    private mutating func add(_ message: MessageSchema, scope: String = "", prefix: String = "", file: FileSchema) {
        let swiftName = scope + SwiftNames.type(message.name, prefix: prefix, suffix: "Message")
        entries[message.fullName] = Entry(
            swiftName: swiftName, cName: ProtobufCNames.type(message.fullName), file: file.path,
            isProto3: file.syntax == "proto3", message: message)
        for nested in message.messages { add(nested, scope: swiftName + ".", file: file) }
        for nested in message.enums { add(nested, scope: swiftName + ".", file: file) }
    }

    private mutating func add(_ type: EnumSchema, scope: String = "", prefix: String = "", file: FileSchema) {
        entries[type.fullName] = Entry(
            swiftName: scope + SwiftNames.type(type.name, prefix: prefix, suffix: "Enum"),
            cName: ProtobufCNames.type(type.fullName), file: file.path, isProto3: file.syntax == "proto3", message: nil)
    }
}
