import RPCCore
import WireBytes

/// Encodes the headers that a gRPC server sends: before the first message, at the end of a call, and for a request that is not gRPC.
enum ResponseHeaders {
    /// The most bytes of a failure's text, and of its details, in headers, with base64 and percent-encoding. It is half of the limit of most clients
    /// (8 KiB), so that there is room for metadata.
    static let maximumByteCount = 4 << 10

    /// The headers before the first message.
    static func begin(_ encoding: MessageEncoding, _ metadata: Metadata?) -> HeaderBlock {
        var headers = common
        if encoding != .identity { headers.append("grpc-encoding", encoding.name) }
        if let metadata, metadata.count > 0 { MetadataHeaders.append(metadata, to: &headers) }
        return headers
    }

    /// `:status`, the content type, and the accepted encodings.
    private static let common: HeaderBlock = {
        var headers = HeaderBlock()
        headers.append(":status", "200")
        headers.append("content-type", "application/grpc")
        headers.append("grpc-accept-encoding", MessageEncoding.accepted)
        headers.prepare()
        return headers
    }()

    /// The trailers of a successful call.
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

    /// The trailers of a failed call.
    /// - Parameter isAlone: whether the headers are the whole answer (“Trailers-Only”).
    static func failure(_ error: RPCError, _ metadata: Metadata?, isAlone: Bool) -> HeaderBlock {
        var headers = isAlone ? common : HeaderBlock()
        headers.append("grpc-status", String(error.code.rawValue).utf8)
        let message = PercentEncoding.encode(StatusBytes.prefix(error.message, maximumByteCount))
        if message.count <= maximumByteCount {
            headers.append("grpc-message", message)
        } else {
            // Text outside ASCII takes three times its size. Cut to a third, it always fits.
            headers.append("grpc-message", PercentEncoding.encode(StatusBytes.prefix(error.message, maximumByteCount / 3)))
        }
        if !error.details.isEmpty {
            let details = StatusBytes.encode(error, room: maximumByteCount / 4 * 3)
            headers.append("grpc-status-details-bin", MetadataHeaders.base64(details).utf8)
        }
        if let metadata { MetadataHeaders.append(metadata, to: &headers) }
        return headers
    }

    /// An HTTP status as the answer to a request that is not gRPC.
    static func http(_ refusal: RequestHead.HTTPRefusal) -> HeaderBlock {
        var headers = HeaderBlock()
        headers.append(":status", refusal == .methodNotAllowed ? "405" : "415")
        headers.append("content-type", "text/plain")
        headers.append("content-length", String(text(refusal).utf8CodeUnitCount).utf8)
        // RFC 9110, 15.5.6: this answer names the methods that there are.
        if refusal == .methodNotAllowed { headers.append("allow", "POST") }
        return headers
    }

    /// What a person reads who has sent such a request (RFC 9110, 15.5).
    static func text(_ refusal: RequestHead.HTTPRefusal) -> StaticString {
        switch refusal {
        case .methodNotAllowed: "This is a gRPC server. Its requests are POST.\n"
        case .unsupportedMediaType: "This is a gRPC server. Its requests have the content type application/grpc.\n"
        }
    }
}

/// The percent-encoding of `grpc-message`: UTF-8, with `%` and all bytes outside 0x20…0x7E as `%XX` (PROTOCOL-HTTP2.md). A space at either end is
/// encoded too, because no HTTP/2 header value may begin or end with one (RFC 9113, 8.2.1).
enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    static func encode(_ text: some Collection<UInt8>) -> [UInt8] {
        let text = Array(text)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.count)
        for (index, byte) in text.enumerated() {
            let isAtEnd = index == 0 || index == text.count - 1
            if byte >= 0x20, byte <= 0x7E, byte != UInt8(ascii: "%"), byte != 0x20 || !isAtEnd {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
        return encoded
    }

    /// Decodes leniently, as the specification requires: text that is not an encoding stays, and invalid UTF-8 is replaced.
    static func decode(_ bytes: some Collection<UInt8>) -> String {
        let bytes = Array(bytes)
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = digit(bytes[index + 1]),
                let low = digit(bytes[index + 2])
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
