/// The names of `.proto` declarations in Swift. Most are the same as in swift-protobuf. But a field with a reserved name gets a final `_` (there
/// `_p`), and a field such as `has_value` keeps its name.
enum SwiftNames {
    /// The prefix of a file's top-level types: `option swift_prefix`, or the package with `_` for every dot:
    /// `google.protobuf` → `Google_Protobuf_`.
    static func prefix(of file: FileSchema) -> String {
        if let prefix = file.swiftPrefix { return prefix }
        let parts = file.package.split(separator: ".").map { part in
            part.split(separator: "_").map(capitalized).joined()
        }
        return parts.map { $0 + "_" }.joined()
    }

    /// Whether a text is an identifier of Swift, perhaps a keyword: a letter or `_`, followed by such, digits and marks (UAX 31).
    static func isIdentifier(_ text: some StringProtocol) -> Bool {
        guard let first = text.unicodeScalars.first, first == "_" || first.properties.isXIDStart else { return false }
        return text.unicodeScalars.allSatisfy(\.properties.isXIDContinue)
    }

    /// The declared name of a message or enum: with the file's prefix, or without one inside another message.
    ///
    /// `suffix` (`Message` or `Enum`) is added if generated code itself uses the name, or if Swift does not allow it for a type.
    static func type(_ name: String, prefix: String, suffix: String) -> String {
        let plain = prefix + name
        let isReserved = [ReservedNames.types, ReservedNames.words, ReservedNames.messageMembers].contains { $0.contains(plain) }
        return isReserved ? plain + suffix : plain
    }

    /// The enum of a `oneof`: `pick_one` → `OneOf_PickOne`.
    static func oneof(_ name: String) -> String { "OneOf_" + upperCamel(name) }

    /// A field's, oneof's or method's name in lowerCamelCase: `user_id` → `userID`, `GetMyProfile` → `getMyProfile`.
    static func lowerCamel(_ name: String) -> String {
        let words = words(of: name)
        guard let first = words.first else { return name }
        let result = first.lowercased() + words.dropFirst().map(cased).joined()
        return result.first?.isNumber == true ? "_" + result : result
    }

    /// The same in UpperCamelCase: `credential` → `Credential`.
    static func upperCamel(_ name: String) -> String {
        words(of: name).map(cased).joined()
    }

    /// The last part of a file's path in UpperCamelCase: `a/error_details.proto` → `ErrorDetails`.
    static func file(_ path: String) -> String {
        var base = path[...]
        if let slash = base.lastIndex(of: "/") { base = base[base.index(after: slash)...] }
        if base.hasSuffix(".proto") { base = base.dropLast(6) }
        return upperCamel(String(base.map { $0.isLetter || $0.isNumber ? $0 : "_" }))
    }

    /// The case name of an enum value: without the enum's name before it, in lowerCamelCase.
    ///
    /// `STATE_SIGNED_OUT` of `State` → `signedOut`. The whole name is used if nothing usable would remain.
    static func enumCase(_ valueName: String, of enumName: String) -> String {
        let prefix = words(of: enumName).map { $0.lowercased() }.joined()
        guard let rest = valueName.droppingPrefix(prefix), rest.first?.isLetter == true else {
            return lowerCamel(withoutShouting(valueName))
        }
        return lowerCamel(withoutShouting(rest))
    }

    /// A member's name as source: in backticks if it is a Swift keyword.
    static func escaped(_ name: String) -> String {
        ReservedNames.words.contains(name) ? "`\(name)`" : name
    }

    /// The member of an imported C struct as source. After a dot, only a few names need backticks.
    static func escapedCMember(_ name: String) -> String {
        ["self", "init"].contains(name) ? "`\(name)`" : name
    }

    /// The words of a name, split at `_` and before a capital: `HTTPServer_port` → `HTTP`, `Server`, `port`.
    private static func words(of name: String) -> [String] {
        var words: [String] = []
        for part in name.split(separator: "_") {
            let characters = Array(part)
            var word = ""
            for (index, character) in characters.enumerated() {
                let followsSmall = index > 0 && !characters[index - 1].isUppercase
                let precedesSmall = index + 1 < characters.count && characters[index + 1].isLowercase
                if character.isUppercase && !word.isEmpty && (followsSmall || precedesSmall) {
                    words.append(word)
                    word = ""
                }
                word.append(character)
            }
            words.append(word)
        }
        return words
    }

    /// Converts a name that is all in capitals, like most enum values, to lower case. Other names are not changed.
    private static func withoutShouting(_ name: some StringProtocol) -> String {
        name.contains { $0.isLowercase } ? String(name) : name.lowercased()
    }

    /// A word that is not the first: capitalised, or all in capitals for common initialisms.
    private static func cased(_ word: String) -> String {
        initialisms.contains(word.lowercased()) ? word.uppercased() : capitalized(word)
    }

    private static func capitalized(_ word: some StringProtocol) -> String {
        word.prefix(1).uppercased() + word.dropFirst()
    }

    private static let initialisms: Set<String> = ["id", "url", "http", "https"]
}

extension String {
    /// The rest of the name after `prefix`, ignoring letter case and `_`; nil if the name does not begin with it.
    fileprivate func droppingPrefix(_ prefix: String) -> Substring? {
        var rest = self[...]
        for character in prefix {
            while rest.first == "_" { rest.removeFirst() }
            guard let next = rest.first, next.lowercased() == character.lowercased() else { return nil }
            rest.removeFirst()
        }
        guard rest.first == "_" else { return nil }
        return rest.drop { $0 == "_" }
    }
}

extension MessageSchema {
    /// The types that are declared in the message's struct, each with the full name of its declaration.
    var innerTypes: [(name: String, declaration: String)] {
        var types: [(name: String, declaration: String)] = []
        for message in messages { types.append((SwiftNames.type(message.name, prefix: "", suffix: "Message"), message.fullName)) }
        for type in enums { types.append((SwiftNames.type(type.name, prefix: "", suffix: "Enum"), type.fullName)) }
        // protoc makes a oneof for each `optional` field too, which has no enum in Swift.
        let written = Set(fields.filter { !$0.isProto3Optional }.compactMap(\.oneofIndex))
        for (index, oneof) in oneofs.enumerated() where written.contains(index) {
            types.append((SwiftNames.oneof(oneof.name), fullName + "." + oneof.name))
        }
        return types
    }
}

/// The names of the declarations of files that are generated together, into one Swift module.
struct TopLevelNames {
    /// What takes each name: the full name of the declaration, and the path of its file.
    private var taken: [String: [(declaration: String, file: String)]] = [:]
    /// The names of the files' descriptors by path.
    private var fileDescriptors: [String: String] = [:]

    init(_ files: [FileSchema]) {
        for file in files {
            for item in Self.declared(in: file) { taken[item.name, default: []].append((item.declaration, file.path)) }
        }
        var names = Set(taken.keys)
        // In the order of the paths, so that the order of protoc's arguments does not matter.
        for file in files.sorted(by: { $0.path < $1.path }) {
            let name = Self.fileDescriptor(of: file, beside: names)
            fileDescriptors[file.path] = name
            if file.declaresAnything { names.insert(name) }
        }
    }

    /// The enum that holds a file's descriptor: `profile_list.proto` with the prefix `PB` → `PBProfileListFile`, with a final `_` if a declaration
    /// of these files has that name. A file that is not among them counts alone.
    func fileDescriptor(of file: FileSchema) -> String {
        fileDescriptors[file.path] ?? Self.fileDescriptor(of: file, beside: Set(Self.declared(in: file).map { $0.name }))
    }

    private static func fileDescriptor(of file: FileSchema, beside names: Set<String>) -> String {
        var name = SwiftNames.prefix(of: file) + SwiftNames.file(file.path) + "File"
        if name.first?.isNumber == true { name = "_" + name }
        while names.contains(name) { name += "_" }
        return name
    }

    /// Each name with the full name of its declaration.
    private static func declared(in file: FileSchema) -> [(name: String, declaration: String)] {
        let prefix = SwiftNames.prefix(of: file)
        var taken: [(name: String, declaration: String)] = []
        for message in file.messages {
            taken.append((SwiftNames.type(message.name, prefix: prefix, suffix: "Message"), message.fullName))
        }
        for type in file.enums {
            taken.append((SwiftNames.type(type.name, prefix: prefix, suffix: "Enum"), type.fullName))
        }
        for service in file.services {
            for suffix in ["", "Handler", "Client"] {
                taken.append((prefix + service.name + suffix, service.fullName))
            }
        }
        return taken
    }

    /// - Throws: ``GenerationError`` for a declaration of the file with the same Swift name as another one of these files, or a service that would
    ///   hide a type of the runtime or has the name of a keyword. (Messages and enums get a suffix instead.)
    func check(_ file: FileSchema) throws(GenerationError) {
        let prefix = SwiftNames.prefix(of: file)
        for service in file.services where ReservedNames.localsBesideServices.contains(prefix + service.name) {
            throw GenerationError(
                at: service.fullName, "generated code has a local `\(prefix + service.name)`, which would hide it; rename it or set swift_prefix")
        }
        var declarations: [String: String] = [:]
        for item in Self.declared(in: file) {
            if ReservedNames.types.contains(item.name) {
                throw GenerationError(
                    at: item.declaration, "in Swift it would hide the type `\(item.name)`; rename it or set swift_prefix")
            }
            if ReservedNames.words.contains(item.name) {
                throw GenerationError(at: item.declaration, "`\(item.name)` is a keyword of Swift; rename it or set swift_prefix")
            }
            if let other = declarations.updateValue(item.declaration, forKey: item.name) {
                throw GenerationError(
                    at: item.declaration, "in Swift, \(other) takes the name `\(item.name)` too; rename one")
            }
            if let other = taken[item.name]?.first(where: { $0.file != file.path }) {
                throw GenerationError(
                    at: item.declaration,
                    "in Swift, \(other.declaration) of \(other.file) takes the name `\(item.name)` too; rename one or set swift_prefix")
            }
        }
    }
}

/// Names that generated declarations must not take as they are.
enum ReservedNames {
    /// Swift keywords: a member or parameter of that name is written in backticks.
    static let words: Set<String> = [
        "Any", "Protocol", "Self", "Type", "actor", "any", "as", "associatedtype", "async", "await", "break", "case", "catch",
        "class", "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
        "fileprivate", "for", "func", "guard", "if", "import", "in", "indirect", "init", "inout", "internal", "is", "let",
        "nil", "operator", "package", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
        "self", "some", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias",
        "var", "where", "while",
    ]

    /// Locals, parameters and properties beside which generated code names a service, and words that begin an accessor.
    static let localsBesideServices: Set<String> = ["channel", "request", "options", "router", "synchronous", "get", "set"]

    /// Members that every message has: a field of that name gets a final `_`, a type `Message` or `Enum`.
    static let messageMembers: Set<String> = [
        "_", "Type", "Protocol", "self", "init", "description", "debugDescription", "descriptor", "unknownFields", "hashValue",
        "hash", "fill", "serializedBytes", "serialize", "jsonUTF8Bytes", "jsonString",
    ]

    /// Members that every enum has, and the cases of Optional, with which they could be confused: a case of that name gets a
    /// final `_`.
    static let enumMembers: Set<String> = [
        "_", "Type", "Protocol", "self", "init", "description", "debugDescription", "hashValue", "hash", "rawValue",
        "unrecognized", "none", "some",
    ]

    /// Members that every client or enum of methods has: a method of that name gets a final `_`.
    static let serviceMembers: Set<String> = ["_", "self", "init", "channel", "synchronousHandlers"]

    /// Types that generated code uses, and further words that cannot be type names: a message gets `Message` at its end, an enum
    /// `Enum`.
    static let types = cTypes.union([
        "Array", "Int", "Optional", "CallContext", "CallOptions", "CallChannel", "MethodDescriptor", "RPCError", "Router", "Methods",
        "SynchronousHandlers", "MessageStream", "MessageWriter", "ServerStream", "ClientStream", "BidirectionalStream", "RPCService",
        "ServiceClient", "each", "nonisolated", "sending",
    ])

    /// The part of ``types`` that is used in the files that import the C module, and the words that have a meaning after a dot. No C type can have
    /// these names. Only types without a package have such short names in C.
    static let cTypes: Set<String> = [
        "Any", "Protocol", "Self", "Type", "Bool", "Dictionary", "Double", "Float", "Int32", "Int64", "String", "UInt32", "UInt64", "UInt8",
        "UnpackedStruct", "BlankStruct", "Hashable", "Sendable", "Message", "MessageDescriptor", "MessageEncoder", "MessageReader",
        "EncodingError", "ProtobufEnum", "UnknownFields", "FileDescriptor",
    ]
}
