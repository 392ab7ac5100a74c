import ProtobufSchema
import RPCCore

extension Invocation {
    /// Asks the server by reflection, and turns errors into failures with text.
    func reflecting<Answer>(
        _ options: CallOptions, _ body: (inout ReflectionClient) async throws(RPCError) -> Answer
    ) async throws(CommandFailure) -> Answer {
        var client = ReflectionClient(channel: channel, options: options)
        defer { client.finish() }
        do throws(RPCError) {
            return try await body(&client)
        } catch where error.code == .unimplemented {
            throw CommandFailure.noReflection(in: failureContext)
        } catch {
            throw CommandFailure(unanswered: error, in: self)
        }
    }

    /// The files that declare `symbol`, with all their imports.
    ///
    /// Some servers know their types but not the members of a type. Then it asks for the type that contains the symbol.
    func schema(of symbol: String, _ options: CallOptions) async throws(CommandFailure) -> Schema {
        let schema = try await reflecting(options) { (client) async throws(RPCError) -> Schema in
            do throws(RPCError) {
                try await client.load(symbol)
            } catch where error.code == .notFound || error.code == .invalidArgument {
                guard let dot = symbol.lastIndex(of: ".") else { return client.schema }
                do throws(RPCError) {
                    try await client.load(String(symbol[..<dot]))
                } catch where error.code == .notFound {
                    return client.schema
                }
            }
            return client.schema
        }
        guard schema[symbol] != nil else { throw CommandFailure.unknownSymbol(symbol, in: failureContext) }
        return schema
    }
}
