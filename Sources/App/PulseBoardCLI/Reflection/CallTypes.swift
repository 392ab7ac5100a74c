import ProtobufC
import ProtobufSchema
import RPCCore
import Synchronization

/// The types of a call's messages.
///
/// A `google.protobuf.Any` may hold a type that the files of the service do not import. The server is asked for it, unless this program contains it.
struct CallTypes: Sendable {
    /// The files that the server has described.
    private(set) var schema: Schema
    /// The types in them.
    private(set) var described: SchemaTypes
    /// The types that an `Any` may hold: the described ones, and those that this program contains.
    private(set) var registry = TypeRegistry()
    /// The bytes of the names of types that were not found. Answers show the bytes of an `Any` of such a type.
    private var notFound: Set<[UInt8]> = []
    /// Whether no more is asked, so that answers show the bytes of every `Any` of a type that is not described.
    private var asksNoMore = false
    private let questions = Questions()
    private let channel: any CallChannel
    private let options: CallOptions

    /// - Parameter options: of the calls to reflection.
    /// - Throws: if the server's description of the types is invalid.
    init(_ schema: Schema, channel: any CallChannel, options: CallOptions) throws(SchemaFault) {
        self.schema = schema
        described = try SchemaTypes(schema)
        self.channel = channel
        self.options = options
        addWellKnown()
    }

    /// If the server describes one of these types, the server's counts.
    private mutating func addWellKnown() { registry = described.added(to: WellKnownFiles.registry) }

    /// An answer as JSON. An `Any` of a type that nobody describes is shown as its type URL and its bytes.
    mutating func json(of answer: [UInt8], as type: MessageDescriptor, _ format: JSONEncodingOptions) async throws -> [UInt8] {
        while true {
            var format = format
            format.typeRegistry = registry
            format.showsBytes = { [asksNoMore, notFound] typeURL in
                guard let name = Self.name(in: typeURL) else { return true }
                return asksNoMore || notFound.contains(Array(name.utf8))
            }
            do {
                return try DynamicMessage(serializedBytes: answer, as: type).jsonUTF8Bytes(options: format)
            } catch let error as JSONEncodingError {
                // The next attempt differs from this one, so there is an end.
                guard case .unknownType(_, let typeURL) = error, await learn(typeURL) else { throw error }
            }
        }
    }

    /// The longest full name of a type that is asked for, in bytes.
    private static let longestName = 1_000

    /// The name in a type URL; nil if there is none that anybody can be asked for.
    static func name(in typeURL: String) -> String? {
        // It comes after the last slash, as for a `TypeRegistry`. A question cannot have a NUL.
        guard let slash = typeURL.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        let name = typeURL[typeURL.utf8.index(after: slash)...]
        return name.isEmpty || name.utf8.count > longestName || name.utf8.contains(0) ? nil : String(name)
    }

    /// Asks the server for the type that a type URL names. If the server does not describe it, answers show its bytes.
    /// - Returns: false if nothing has changed: the type was known before, or was not found before, or the type URL names none.
    mutating func learn(_ typeURL: String) async -> Bool {
        guard let name = Self.name(in: typeURL), registry[name] == nil, !asksNoMore, !notFound.contains(Array(name.utf8)) else { return false }
        guard questions.take() else {
            asksNoMore = true
            return true
        }
        var client = ReflectionClient(channel: channel, options: options, knowing: schema)
        var failure: RPCError?
        do throws(RPCError) {
            try await client.load(name)
        } catch {
            failure = error
        }
        client.finish()
        // Some servers lack a file that the type does not need.
        if client.schema[name] != nil, let types = try? SchemaTypes(client.schema), types.registry[name] != nil {
            schema = client.schema
            described = types
            addWellKnown()
            return true
        }
        // After one of these, each further question could take until its timeout. Other failures are of this type alone.
        if let failure, [.deadlineExceeded, .unavailable, .cancelled, .unimplemented].contains(failure.code) { questions.end() }
        notFound.insert(Array(name.utf8))
        return true
    }

    /// How many types the server may still be asked for. Copies share it, because a bidirectional call has one for each direction.
    ///
    /// Each described type makes new types of all files, which are never freed. A malicious server could name types without end.
    private final class Questions: Sendable {
        private let left = Atomic<Int>(100)

        /// Whether one more question may be asked.
        func take() -> Bool { left.wrappingSubtract(1, ordering: .relaxed).newValue >= 0 }

        func end() { left.store(0, ordering: .relaxed) }
    }
}
