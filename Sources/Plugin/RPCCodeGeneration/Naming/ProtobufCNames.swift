/// The names that protoc-c gives to things in C.
///
/// The rules were found by running protoc-c 1.4.1 on every kind of name. They are followed exactly, because the generated Swift
/// must compile with its output.
enum ProtobufCNames {
    /// The C struct of a message or the C type of an enum: `a_b.C.D` → `AB__C__D`.
    static func type(_ fullName: String) -> String {
        fullName.split(separator: ".").map(camel).joined(separator: "__")
    }

    /// Whether protobuf-c.h declares such a type, such as `ProtobufCMessage`.
    static func isOfLibrary(_ type: String) -> Bool {
        let library = "ProtobufC"
        return type.hasPrefix(library) && type.dropFirst(library.count).first?.isUppercase == true
    }

    /// The C type of the member that says which field of a `oneof` is set: `pick_one` of `a.B` → `A__B__PickOneCase`.
    static func caseType(_ oneofName: String, of message: String) -> String { type(message + "." + oneofName) + "Case" }

    /// The beginning of the names of all functions and tables of a message or an enum: `a.FooBar` → `a__foo_bar`.
    static func functionPrefix(_ fullName: String) -> String {
        fullName.split(separator: ".").map(lowerSnake).joined(separator: "__")
    }

    /// The same in capitals, for enumerators and macros: `a.FooBar` → `A__FOO_BAR`.
    static func constantPrefix(_ fullName: String) -> String { functionPrefix(fullName).uppercased() }

    /// The function that initialises a message's struct: `a.FooBar` → `a__foo_bar__init`.
    static func initializer(_ fullName: String) -> String { functionPrefix(fullName) + "__init" }

    /// A field's struct member: its name in lower case, with `_` after a reserved word.
    static func member(_ fieldName: String) -> String {
        let name = fieldName.lowercased()
        return reservedWords.contains(name) ? name + "_" : name
    }

    /// The struct member that counts a repeated field's elements.
    static func countMember(_ fieldName: String) -> String { "n_" + member(fieldName) }

    /// The struct member that says which field of a `oneof` is set, by number.
    static func caseMember(_ oneofName: String) -> String { lowerSnake(oneofName) + "_case" }

    /// Removes each `_` and makes the next letter a capital; the first letter too.
    private static func camel(_ name: some StringProtocol) -> String {
        var result = ""
        var raisesNext = true
        for character in name {
            if character == "_" {
                raisesNext = true
            } else {
                result += raisesNext ? character.uppercased() : String(character)
                raisesNext = false
            }
        }
        return result
    }

    /// Puts `_` before a capital that does not follow a capital. An existing `_` stays, so `A_B` becomes `a__b`.
    private static func lowerSnake(_ name: some StringProtocol) -> String {
        var result = ""
        var followsCapital = true
        for character in name {
            if character.isUppercase && !followsCapital { result += "_" }
            result += character.lowercased()
            followsCapital = character.isUppercase
        }
        return result
    }

    /// Keywords of C and C++ after which protoc-c writes `_`. Newer keywords (`restrict`, `nullptr`…) are not among them.
    private static let reservedWords: Set<String> = [
        "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char", "class", "compl",
        "const", "const_cast", "continue", "default", "delete", "do", "double", "dynamic_cast", "else", "enum", "explicit", "extern",
        "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable", "namespace", "new", "not",
        "not_eq", "operator", "or", "or_eq", "private", "protected", "public", "register", "reinterpret_cast", "return",
        "short", "signed", "sizeof", "static", "static_cast", "struct", "switch", "template", "this", "throw", "true", "try",
        "typedef", "typeid", "typename", "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while",
        "xor", "xor_eq",
    ]

    /// Member names that do not compile: the first member of every struct, C keywords that protoc-c does not escape, macros of GNU C and
    /// of `<assert.h>`, which protobuf-c includes, and `_`, which Swift cannot name.
    static let unusableMembers: Set<String> = ["base", "restrict", "typeof", "linux", "unix", "static_assert", "_"]
}
