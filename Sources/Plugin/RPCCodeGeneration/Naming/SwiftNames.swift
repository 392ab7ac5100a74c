/// The names of `.proto` declarations in Swift. They are the same as in swift-protobuf.
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

/// The names of a file's declarations in their Swift module.
struct TopLevelNames {
    /// Each name with the full name of its declaration.
    private let taken: [(name: String, declaration: String)]
    /// The enum that holds the file's descriptor: `profile_list.proto` with the prefix `PB` → `PBProfileListFile`, with a final `_`
    /// if the file declares a type of that name.
    let fileDescriptor: String

    init(_ file: FileSchema) {
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
        self.taken = taken
        var name = prefix + SwiftNames.file(file.path) + "File"
        if name.first?.isNumber == true { name = "_" + name }
        while taken.contains(where: { $0.name == name }) { name += "_" }
        fileDescriptor = name
    }

    /// - Throws: ``GenerationError`` for a declaration with the same Swift name as another one of the file, or a service that would
    ///   hide a type of the runtime or has the name of a keyword. (Messages and enums get a suffix instead.)
    func check() throws(GenerationError) {
        var declarations: [String: String] = [:]
        for item in taken {
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
    static let types: Set<String> = [
        "Any", "Protocol", "Self", "Type", "Array", "Bool", "Dictionary", "Double", "Float", "Int", "Int32", "Int64",
        "Optional", "String", "UInt32", "UInt64", "UInt8", "UnpackedStruct", "BlankStruct", "Hashable",
        "Sendable", "Message", "MessageDescriptor", "MessageEncoder", "MessageReader", "EncodingError", "ProtobufEnum",
        "UnknownFields", "CallContext", "CallOptions", "CallChannel", "MethodDescriptor", "RPCError", "Router", "Methods", "SynchronousHandlers",
        "MessageStream", "MessageWriter", "ServerStream", "ClientStream", "BidirectionalStream", "FileDescriptor", "RPCService",
        "ServiceClient", "each", "nonisolated", "sending",
    ]
}
