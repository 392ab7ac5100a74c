/// Makes messages of their compressed bytes. On any thread. (An object, because thousands of messages may wait with it.)
public protocol MessageDecompressor: AnyObject, Sendable {
    /// Makes a message of its compressed bytes.
    /// - Parameter mostWork: when to give up: after so many bytes of the message, where a compressed byte counts as sixteen. It may become twice as
    ///   much. `Int.max`: never.
    /// - Returns: nil if it gave up.
    /// - Throws: ``RPCError``: how the call ends if that is not possible.
    func decompress(_ compressed: [UInt8], mostWork: Int) throws(RPCError) -> [UInt8]?
}

/// The messages that a wire protocol reports for its streams, on either side: the requests of a client, or the responses of a server.
public protocol StreamMessageEvents: AnyObject {
    /// A message of an open stream, borrowed.
    /// - Parameter byteCount: its bytes on the wire, for ``ServerWireProtocol/consumed(_:on:)`` or ``ClientWireProtocol/consumed(_:on:)``.
    func streamMessage(_ id: CallID, payload: RawSpan, byteCount: Int)

    /// A compressed message of an open stream whose sender may send more of them, borrowed. Only over gRPC. Default: it is decompressed at once and
    /// reported as ``streamMessage(_:payload:byteCount:)``.
    /// - Parameters:
    ///   - byteCount: its bytes on the wire, as in ``streamMessage(_:payload:byteCount:)``.
    ///   - decompressor: makes the message of the payload.
    /// - Returns: why the wire protocol must end the call, if it must.
    func compressedStreamMessage(_ id: CallID, payload: RawSpan, byteCount: Int, decompressor: any MessageDecompressor) -> RPCError?
}

extension StreamMessageEvents {
    public func compressedStreamMessage(_ id: CallID, payload: RawSpan, byteCount: Int, decompressor: any MessageDecompressor) -> RPCError? {
        do throws(RPCError) {
            let message = try decompressor.decompress(payload.withUnsafeBytes { Array($0) }, mostWork: .max)
            if let message { streamMessage(id, payload: message.span.bytes, byteCount: byteCount) }
            return nil
        } catch {
            return error
        }
    }
}
