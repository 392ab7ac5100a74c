import ProtobufC

extension Message {
    /// Lends the message to `body` as ``ProtobufC/Message/withPackable(_:)`` does, in terms of calls.
    /// - Parameter code: what a message that cannot be encoded is: its caller's mistake, or our service's.
    /// - Throws: ``RPCError``: `code`, or what `body` throws.
    package func withPackable(
        orElse code: StatusCode, _ body: (borrowing PackableMessage) throws(RPCError) -> Void
    ) throws(RPCError) {
        var failure: RPCError?
        do throws(EncodingError) {
            try withPackable { message in
                do throws(RPCError) { try body(message) } catch { failure = error }
            }
        } catch {
            throw .notEncodable(error, code)
        }
        if let failure { throw failure }
    }
}
