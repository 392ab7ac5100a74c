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
        /// The types in it and in its outer messages, by Swift name: the full name of each. In its struct they hide other types.
        var inside: [String: String] = [:]
    }

    private var entries: [String: Entry] = [:]
    /// The full names of top-level types by Swift name. Several of one name can be in several files.
    private var topLevel: [String: [String]] = [:]
    /// The Swift names of all types without their outer types.
    private var swiftNames: Set<String> = []
    /// The full names of the declarations that have a name in C.
    private var cNames: [String: [String]] = [:]
    /// The enumerators and macros in C: those of each message and enum by its full name, and all with the path of their file by their names.
    private var cConstants: [String: [ProtobufCConstant]] = [:]
    private var cConstantsByName: [String: [(constant: ProtobufCConstant, file: String)]] = [:]
    private var filesByPath: [String: FileSchema] = [:]

    init(files: [FileSchema]) {
        for file in files {
            filesByPath[file.path] = file
            let prefix = SwiftNames.prefix(of: file)
            for message in file.messages { add(message, prefix: prefix, file: file) }
            for type in file.enums { add(type, prefix: prefix, file: file) }
        }
    }

    /// The type with that full name. `place` is the full name of the field or method that uses it.
    /// - Throws: ``GenerationError`` at `place` for a name that is not in the request, that proto2 declares, or whose Swift name means another
    ///   type there.
    func entry(_ fullName: String, usedAt place: String) throws(GenerationError) -> Entry {
        guard let entry = entries[fullName] else {
            throw GenerationError(at: place, "the type \(fullName) is not among the files protoc gave")
        }
        guard entry.isProto3 else {
            throw GenerationError(
                at: place, "the type \(fullName) is of a proto2 file (\(entry.file)); only proto3 is supported")
        }
        let outermost = String(entry.swiftName.prefix { $0 != "." })
        let scope = place.lastIndex(of: ".").map { String(place[..<$0]) } ?? ""
        let sameName = (topLevel[outermost] ?? []).first { $0 != fullName && !fullName.hasPrefix($0 + ".") }
        if let other = entries[scope]?.inside[outermost] ?? sameName {
            throw GenerationError(
                at: place,
                "its type \(fullName) cannot be called `\(entry.swiftName)` in Swift, because `\(outermost)` means \(other) there; "
                    + "rename one or set swift_prefix")
        }
        return entry
    }

    /// Whether a message or enum has that Swift name, at the top level or in another one.
    func declares(_ swiftName: String) -> Bool { swiftNames.contains(swiftName) }

    /// - Throws: ``GenerationError`` for a message or enum if protoc-c gives one of its names to another declaration too, or if its C type would hide
    ///   a Swift type.
    func checkCNames(of fullName: String) throws(GenerationError) {
        let type = ProtobufCNames.type(fullName)
        if ReservedNames.cTypes.contains(type) {
            throw GenerationError(at: fullName, "its C type would be called `\(type)`, like a type that generated code uses; give the file a package")
        }
        try checkClashes(of: fullName)
    }

    /// The part of ``checkCNames(of:)`` that is for C alone, of every message and enum of a file.
    /// - Throws: ``GenerationError`` if protoc-c gives a name to two declarations.
    func checkClashes(in file: FileSchema) throws(GenerationError) {
        for type in file.enums { try checkClashes(of: type.fullName) }
        for message in file.messages { try checkClashes(in: message) }
    }

    private func checkClashes(in message: MessageSchema) throws(GenerationError) {
        try checkClashes(of: message.fullName)
        for type in message.enums { try checkClashes(of: type.fullName) }
        for inner in message.messages { try checkClashes(in: inner) }
    }

    private func checkClashes(of fullName: String) throws(GenerationError) {
        let type = ProtobufCNames.type(fullName)
        if type == "NULL" || ProtobufCNames.isOfLibrary(type) || !SwiftNames.isIdentifier(type) {
            throw GenerationError(at: fullName, "its type in C cannot be called `\(type)`; rename it, or give the file another package")
        }
        for name in [ProtobufCNames.type(fullName), ProtobufCNames.functionPrefix(fullName)] {
            if let other = cNames[name]?.first(where: { $0 != fullName }) {
                throw GenerationError(at: fullName, "in protoc-c's C it would be called `\(name)`, as \(other) is; rename one")
            }
        }
        for constant in cConstants[fullName] ?? [] { try check(constant, inFile: path(ofFileWith: fullName)) }
    }

    private func check(_ constant: ProtobufCConstant, inFile file: String?) throws(GenerationError) {
        for other in cConstantsByName[constant.name] ?? [] where other.constant.declaration != constant.declaration {
            if other.file == file && constant.isSameEnumerator(as: other.constant) { continue }
            throw GenerationError(
                at: constant.declaration,
                "protoc-c's C would use the name `\(constant.name)` for it and for \(other.constant.declaration); rename one")
        }
    }

    /// The message of that name; nil for an enum or an unknown name.
    func message(_ fullName: String) -> MessageSchema? { entries[fullName]?.message }

    /// The file of that path; nil for one that protoc did not give.
    func file(_ path: String) -> FileSchema? { filesByPath[path] }

    /// The path of the file that declares a message or enum; nil for an unknown name.
    func path(ofFileWith fullName: String) -> String? { entries[fullName]?.file }

    /// `scope` is the outer message with a dot, or empty; a top-level type has the file's `prefix` instead. `hidden` is what the outer messages
    /// have ``Entry/inside``.
    private mutating func add(
        _ message: MessageSchema, scope: String = "", hidden: [String: String] = [:], prefix: String = "", file: FileSchema
    ) {
        let name = SwiftNames.type(message.name, prefix: prefix, suffix: "Message")
        var inside = hidden
        for type in message.innerTypes { inside[type.name] = type.declaration }
        add(message.fullName, name: name, scope: scope, file: file, message: message, inside: inside)
        for oneof in message.oneofs {
            cNames[ProtobufCNames.caseType(oneof.name, of: message.fullName), default: []].append(message.fullName + "." + oneof.name)
        }
        add(message.cConstants, of: message.fullName, file: file)
        for nested in message.messages { add(nested, scope: scope + name + ".", hidden: inside, file: file) }
        for nested in message.enums { add(nested, scope: scope + name + ".", file: file) }
    }

    private mutating func add(_ type: EnumSchema, scope: String = "", prefix: String = "", file: FileSchema) {
        add(type.fullName, name: SwiftNames.type(type.name, prefix: prefix, suffix: "Enum"), scope: scope, file: file)
        add(type.cConstants, of: type.fullName, file: file)
    }

    private mutating func add(_ constants: [ProtobufCConstant], of fullName: String, file: FileSchema) {
        cConstants[fullName] = constants
        for constant in constants { cConstantsByName[constant.name, default: []].append((constant, file.path)) }
    }

    private mutating func add(
        _ fullName: String, name: String, scope: String, file: FileSchema, message: MessageSchema? = nil, inside: [String: String] = [:]
    ) {
        let cName = ProtobufCNames.type(fullName)
        entries[fullName] = Entry(
            swiftName: scope + name, cName: cName, file: file.path, isProto3: file.syntax == "proto3", message: message, inside: inside)
        if scope.isEmpty { topLevel[name, default: []].append(fullName) }
        swiftNames.insert(name)
        for name in [cName, ProtobufCNames.functionPrefix(fullName)] { cNames[name, default: []].append(fullName) }
    }
}
