import RPCCore
import WireBytes

/// How a failure travels in ttrpc's `Response { google.rpc.Status status=1; … }`.
enum StatusEnvelope {
    /// Bytes that a failure may take at most, also where frames may be larger: 1 MiB.
    static let maximumByteCount = 1 << 20

    /// The data of a `Response` frame that carries a failure, of at most `limit` bytes (but the code always fits).
    static func response(_ error: RPCError, limit: Int) -> [UInt8] {
        let room = max(0, min(limit, maximumByteCount) - StatusBytes.framingByteCount)
        var response: [UInt8] = []
        appendField(1, StatusBytes.encode(error, room: room + StatusBytes.framingByteCount), to: &response)
        return response
    }
}
