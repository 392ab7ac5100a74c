/// The names that a file's declarations take in their Swift module.
struct TopLevelNames {
    /// Each name with the full name of the declaration that takes it.
    private let taken: [(name: String, declaration: String)]
    /// The enum that holds the file's descriptor: `profile_list.proto` with the prefix `PB` → `PBProfileListFile`, with `_`
    /// behind it where the file declares a type of that name.
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

    /// - Throws: ``GenerationError`` naming a declaration that would be called as another one of the file, or a service that would
    ///   hide a type of the runtime. (Messages and enums evade those by a suffix.)
    func check() throws(GenerationError) {
        var declarations: [String: String] = [:]
        for item in taken {
            if ReservedNames.types.contains(item.name) {
                throw GenerationError(
                    at: item.declaration, "in Swift it would hide the type `\(item.name)`; rename it or set swift_prefix")
            }
            if let other = declarations.updateValue(item.declaration, forKey: item.name) {
                throw GenerationError(
                    at: item.declaration, "in Swift, \(other) takes the name `\(item.name)` too; rename one")
            }
        }
    }
}
