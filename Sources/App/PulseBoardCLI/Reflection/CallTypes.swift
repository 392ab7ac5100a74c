import ProtobufC
import ProtobufSchema
import RPCCore

/// The types of a call's messages.
///
/// A `google.protobuf.Any` may hold a type that the files of the service do not import. Then the server is asked for it.
struct CallTypes: Sendable {
    /// What the server said of a type.
    enum Finding {
        /// It describes the type.
        case described
        /// It does not. Answers show the type's name and the bytes.
        case strange
        /// It was not asked.
        case unknown
    }

    /// Maximum types that the server is asked for. Types are never freed, and a malicious server could name types without end.
    private static let maximumAskedCount = 100

    /// The files that the server has described.
    private(set) var schema: Schema
    /// The types in them.
    private(set) var described: SchemaTypes
    private var standIns = AnyStandIns()
    private var askedCount = 0
    private let channel: any CallChannel
    private let options: CallOptions

    /// - Parameter options: of the calls to reflection.
    /// - Throws: if the server's description of the types is invalid.
    init(_ schema: Schema, channel: any CallChannel, options: CallOptions) throws(SchemaFault) {
        self.schema = schema
        described = try SchemaTypes(schema)
        self.channel = channel
        self.options = options
    }

    /// The types that an `Any` in an answer may hold: the described ones, and stand-ins for strange ones.
    var registryOfAnswers: TypeRegistry { standIns.added(to: described.registry) }

    /// An answer as ``registryOfAnswers`` needs it.
    func readable(_ answer: [UInt8], as type: String) -> [UInt8] { standIns.placed(in: answer, of: type, schema) }

    /// Asks the server for the type that a type URL names.
    ///
    /// If it cannot be asked, the type is strange too: an answer that has come already is always shown.
    mutating func find(_ typeURL: String) async -> Finding {
        // The name comes after the last slash, as for a `TypeRegistry`.
        guard let slash = typeURL.utf8.lastIndex(of: UInt8(ascii: "/")) else { return .unknown }
        let name = String(typeURL[typeURL.utf8.index(after: slash)...])
        // A question to the server cannot have a NUL.
        guard name.utf8.count <= AnyStandIns.longestName, !name.utf8.contains(0) else { return .unknown }
        // The registry compares names by their bytes, as JSON does.
        if described.registry[name] != nil { return .described }
        if standIns.contains(name) { return .strange }
        guard askedCount < Self.maximumAskedCount else { return .unknown }
        askedCount += 1
        var client = ReflectionClient(channel: channel, options: options, knowing: schema)
        try? await client.load(name)
        client.finish()
        if let types = try? SchemaTypes(client.schema), types.registry[name] != nil {
            schema = client.schema
            described = types
            return .described
        }
        standIns.add(name)
        return standIns.contains(name) ? .strange : .unknown
    }
}
