/// A set of `.proto` files, which can be searched by full names.
///
///     let schema = Schema(files)
///     if case .service(let greeter)? = schema["greeter.v1.Greeter"] { print(greeter.methods.map(\.name)) }
public struct Schema: Sendable {
    /// The declaration of a full name.
    public enum Declaration: Sendable, Hashable {
        case message(SchemaMessage)
        case enumeration(SchemaEnum)
        case enumValue(SchemaEnum.Value, of: SchemaEnum)
        case service(SchemaService)
        case method(SchemaMethod, of: SchemaService)
        /// A field or an extension.
        case field(SchemaField)
        /// A oneof of a message.
        case oneof(String, of: SchemaMessage)
    }

    private struct Entry: Sendable {
        let declaration: Declaration
        let file: String
    }

    /// The files by name.
    public private(set) var files: [String: SchemaFile] = [:]
    private var entries: [String: Entry] = [:]
    private var extensionFiles: [String: [Int32: String]] = [:]

    /// A schema of these files. If two files have the same name, or declare the same name, the first one counts.
    public init(_ files: some Sequence<SchemaFile> = []) {
        for file in files { add(file) }
    }

    /// Adds a file, unless there is one of that name.
    public mutating func add(_ file: SchemaFile) {
        guard files[file.name] == nil else { return }
        files[file.name] = file
        for message in file.messages { add(message, file.name) }
        for type in file.enums { add(type, scope: file.package, file.name) }
        for service in file.services {
            add(.service(service), service.fullName, file.name)
            for method in service.methods { add(.method(method, of: service), service.fullName + "." + method.name, file.name) }
        }
        for field in file.extensions { add(extension: field, file.name) }
    }

    /// The declaration of a full name, without a leading dot.
    public subscript(fullName: String) -> Declaration? { entries[fullName]?.declaration }

    /// The file that declares a full name.
    public func file(declaring fullName: String) -> SchemaFile? { entries[fullName].flatMap { files[$0.file] } }

    /// The file that declares the extension of a message with that number.
    public func file(extending message: String, number: Int32) -> SchemaFile? {
        extensionFiles[message]?[number].flatMap { files[$0] }
    }

    /// The numbers of all extensions of a message, in ascending order.
    public func extensionNumbers(of message: String) -> [Int32] {
        extensionFiles[message, default: [:]].keys.sorted()
    }

    /// Every declared full name, in no order.
    public var fullNames: some Sequence<String> { entries.keys }

    /// The first missing file among the direct and indirect imports; nil if all are there.
    public var missingFile: String? {
        files.values.flatMap(\.dependencies).filter { files[$0] == nil }.min()
    }

    private mutating func add(_ declaration: Declaration, _ fullName: String, _ file: String) {
        if entries[fullName] == nil { entries[fullName] = Entry(declaration: declaration, file: file) }
    }

    private mutating func add(_ message: SchemaMessage, _ file: String) {
        add(.message(message), message.fullName, file)
        for field in message.fields { add(.field(field), field.fullName, file) }
        for oneof in message.oneofs { add(.oneof(oneof, of: message), message.fullName + "." + oneof, file) }
        for inner in message.messages { add(inner, file) }
        for type in message.enums { add(type, scope: message.fullName, file) }
        for field in message.extensions { add(extension: field, file) }
    }

    /// An enum's values are named in the scope around it, as in C++.
    private mutating func add(_ type: SchemaEnum, scope: String, _ file: String) {
        add(.enumeration(type), type.fullName, file)
        for value in type.values {
            add(.enumValue(value, of: type), scope.isEmpty ? value.name : scope + "." + value.name, file)
        }
    }

    private mutating func add(extension field: SchemaField, _ file: String) {
        add(.field(field), field.fullName, file)
        guard let extendee = field.extendee else { return }
        extensionFiles[extendee, default: [:]][field.number] = extensionFiles[extendee]?[field.number] ?? file
    }
}
