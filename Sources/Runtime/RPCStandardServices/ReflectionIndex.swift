import ProtobufC
import Synchronization

/// The files that a server can describe, searched by what they declare.
///
/// They are read when the first question comes, so a server that is never asked pays nothing.
final class ReflectionIndex: Sendable {
    private let roots: [FileDescriptor]
    private let contents = Mutex<Contents?>(nil)

    private struct Contents: Sendable {
        var files: [String: FileDescriptor] = [:]
        /// The file that declares a full name. If there are two, the first one.
        var names: [String: FileDescriptor] = [:]
        /// Every message, with the files that extend it, by number.
        var messages: [String: [Int32: FileDescriptor]] = [:]

        init(_ roots: [FileDescriptor]) {
            for file in roots.flatMap(\.withAllDependencies) where files[file.name] == nil {
                files[file.name] = file
                // Files of the plugin can always be read. A wrong file that was made by hand can only be found by its name.
                guard let declarations = try? file.declarations() else { continue }
                for name in declarations.messages + declarations.others where names[name] == nil { names[name] = file }
                for message in declarations.messages where messages[message] == nil { messages[message] = [:] }
                for field in declarations.extensions { messages[field.message, default: [:]][field.number] = file }
            }
        }
    }

    init(_ roots: [FileDescriptor]) { self.roots = roots }

    /// The file of that name.
    func file(named name: String) -> FileDescriptor? { read { $0.files[name] } }

    /// The file that declares a full name.
    func file(declaring fullName: String) -> FileDescriptor? { read { $0.names[fullName] } }

    /// The file that declares an extension.
    func file(extending message: String, number: Int32) -> FileDescriptor? { read { $0.messages[message]?[number] } }

    /// The numbers of a message's extensions, in ascending order; nil if there is no such message.
    func extensionNumbers(of message: String) -> [Int32]? { read { $0.messages[message]?.keys.sorted() } }

    private func read<Answer>(_ look: (Contents) -> Answer) -> Answer {
        let contents = contents.withLock { kept in
            let contents = kept ?? Contents(roots)
            kept = contents
            return contents
        }
        return look(contents)
    }
}
