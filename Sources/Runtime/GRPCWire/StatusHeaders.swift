import RPCCore
import WireBytes

/// How a call's end is written into headers: `grpc-status`, `grpc-message`, `grpc-status-details-bin`.
enum StatusHeaders {
    /// Bytes that a failure's text and details may take in headers, base64 and percent-encoding included: half of what clients commonly take
    /// (8 KiB), so that there is room for metadata.
    static let maximumByteCount = 4 << 10

    /// What begins an answer that has messages.
    static func begin(_ encoding: MessageEncoding, _ metadata: Metadata?) -> HeaderBlock {
        var headers = common
        if encoding != .identity { headers.append("grpc-encoding", encoding.name) }
        if let metadata, metadata.count > 0 { MetadataHeaders.append(metadata, to: &headers) }
        return headers
    }

    /// `:status`, the type, and what a client may compress with.
    private static let common: HeaderBlock = {
        var headers = HeaderBlock()
        headers.append(":status", "200")
        headers.append("content-type", "application/grpc")
        headers.append("grpc-accept-encoding", MessageEncoding.accepted)
        headers.prepare()
        return headers
    }()

    /// What ends a call that succeeded.
    static func success(_ metadata: Metadata?) -> HeaderBlock {
        guard let metadata, metadata.count > 0 else { return bareSuccess }
        var headers = bareSuccess
        MetadataHeaders.append(metadata, to: &headers)
        return headers
    }

    private static let bareSuccess: HeaderBlock = {
        var headers = HeaderBlock()
        headers.append("grpc-status", "0")
        headers.prepare()
        return headers
    }()

    /// What ends a call that failed.
    /// - Parameter isAlone: the headers are all of the answer (“Trailers-Only”).
    static func failure(_ error: RPCError, _ metadata: Metadata?, isAlone: Bool) -> HeaderBlock {
        var headers = isAlone ? common : HeaderBlock()
        headers.append("grpc-status", String(error.code.rawValue).utf8)
        let message = PercentEncoding.encode(StatusBytes.prefix(error.message, maximumByteCount))
        if message.count <= maximumByteCount {
            headers.append("grpc-message", message)
        } else {
            // Text outside ASCII takes three times its size; cut, it certainly fits.
            headers.append("grpc-message", PercentEncoding.encode(StatusBytes.prefix(error.message, maximumByteCount / 3)))
        }
        if !error.details.isEmpty {
            let details = StatusBytes.encode(error, room: maximumByteCount / 4 * 3)
            headers.append("grpc-status-details-bin", MetadataHeaders.base64(details).utf8)
        }
        if let metadata { MetadataHeaders.append(metadata, to: &headers) }
        return headers
    }

    /// An answer in HTTP's own words, for what is no gRPC.
    static func http(_ status: StaticString) -> HeaderBlock {
        var headers = HeaderBlock()
        headers.append(":status", status)
        headers.append("content-length", "0")
        return headers
    }
}
