import ProtobufC
import RPCCore

/// A call's metadata as HTTP/2 headers. In ``Metadata``, the values of `-bin` keys are unpadded base64.
enum MetadataHeaders {
    /// Pairs that one call may carry. More are refused: each costs far more memory than it takes on the wire.
    static let maximumCount = 128

    /// Why a pair is refused.
    enum Refusal: Error {
        case tooMany
        case notText
        case notBase64
    }

    /// Adds a received pair. A binary value may hold several, divided by commas, each padded or not.
    static func append(
        name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, to metadata: inout Metadata
    ) throws(Refusal) {
        guard metadata.count < maximumCount else { throw .tooMany }
        // `HeaderName` has found the name to be ASCII.
        let key = String(decoding: name, as: UTF8.self)
        guard let text = String(validating: value, as: UTF8.self), !value.contains(where: isControl) else { throw .notText }
        guard key.hasSuffix("-bin") else { return metadata.append(text, for: key) }
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard metadata.count < maximumCount else { throw .tooMany }
            guard let bytes = Base64.decode(trimmed(part)) else { throw .notBase64 }
            metadata.append(base64(bytes), for: key)
        }
    }

    /// Adds what a program has set to the headers to be sent, less the spaces at a value's ends, which HTTP/2 forbids. What HTTP/2 cannot carry, and what is gRPC's own, is left out; of a binary key, values
    /// that are no base64 too.
    static func append(_ metadata: Metadata, to headers: inout HeaderBlock) {
        for entry in metadata where isSettable(entry.key) {
            if entry.key.hasSuffix("-bin") {
                if let bytes = Base64.decode(entry.value) { headers.append(entry.key.utf8, base64(bytes).utf8) }
            } else if isSendable(entry.value) {
                headers.append(entry.key.utf8, trimmed(entry.value[...]).utf8)
            }
        }
    }

    /// The base64 that gRPC sends: unpadded.
    static func base64(_ bytes: [UInt8]) -> String {
        bytes.withUnsafeBufferPointer { String(decoding: Base64.encode($0, padded: false), as: UTF8.self) }
    }

    static func isSettable(_ key: String) -> Bool {
        guard HeaderName.isToken(key.utf8), !key.hasPrefix("grpc-") else { return false }
        return !["te", "content-type", "content-length", "host", "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"]
            .contains(key)
    }

    /// Whether HTTP/2 carries the value as it is: printable ASCII.
    static func isSendable(_ value: String) -> Bool { value.utf8.allSatisfy { $0 >= 0x20 && $0 <= 0x7E } }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
