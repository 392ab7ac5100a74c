import ProtobufC
import RPCCore

/// A call's metadata as HTTP/2 headers. In ``Metadata``, the values of `-bin` keys are unpadded base64.
enum MetadataHeaders {
    /// The most pairs of one call. More are refused, because a pair needs far more memory than bytes on the wire.
    static let maximumCount = 128

    /// Why a pair is refused.
    enum Refusal: Error {
        case tooMany
        case controlCharacter
        case notBase64
    }

    /// Adds a received pair. Blanks around the value are removed, as gRPC permits (PROTOCOL-HTTP2.md, “Custom-Metadata”). A binary value may have
    /// several values, separated by commas, each padded or not. A value that HTTP permits and that is no UTF-8 is left out, because gRPC's values are
    /// ASCII and such a call must not fail (PROTOCOL-HTTP2.md, the same place).
    static func append(
        name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, to metadata: inout Metadata
    ) throws(Refusal) {
        guard metadata.count < maximumCount else { throw .tooMany }
        let value = HTTP2Field.withoutBlanks(value[...])
        // `HeaderName` has checked that the name is ASCII.
        let key = String(decoding: name, as: UTF8.self)
        guard !value.contains(where: isControl) else { throw .controlCharacter }
        guard let text = String(validating: value, as: UTF8.self) else {
            if key.hasSuffix("-bin") { throw .notBase64 }
            return
        }
        guard key.hasSuffix("-bin") else { return metadata.append(text, for: key) }
        var rest = value[...]
        while true {
            let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
            guard metadata.count < maximumCount else { throw .tooMany }
            guard let base64 = plainBase64(UnsafeRawBufferPointer(rebasing: rest[..<end])) else { throw .notBase64 }
            metadata.append(base64, for: key)
            guard end < rest.endIndex else { return }
            rest = rest[(end + 1)...]
        }
    }

    /// A received base64 value without the spaces around it, in the standard alphabet and unpadded; nil for text that is not valid by the rules of
    /// ``Base64``. It reads the bytes once, because a value of some KiB may be a single byte on the wire (RFC 7541, 6.1).
    static func plainBase64(_ value: UnsafeRawBufferPointer) -> String? {
        var text = value[...]
        while text.first == UInt8(ascii: " ") { text.removeFirst() }
        while text.last == UInt8(ascii: " ") { text.removeLast() }
        let count = text.count
        while text.last == UInt8(ascii: "="), count - text.count < 2 { text.removeLast() }
        guard text.count == count || count % 4 == 0, text.count % 4 != 1 else { return nil }
        // Some bits of the last character are unused.
        let unused: UInt8 = text.count % 4 == 2 ? 15 : text.count % 4 == 3 ? 3 : 0
        if let last = text.last, (Base64.value(last) ?? 0) & unused != 0 { return nil }
        guard text.allSatisfy({ Base64.value($0) != nil }) else { return nil }
        return String(unsafeUninitializedCapacity: text.count) { buffer in
            for (index, byte) in text.enumerated() {
                buffer[index] = byte == UInt8(ascii: "-") ? UInt8(ascii: "+") : byte == UInt8(ascii: "_") ? UInt8(ascii: "/") : byte
            }
            return text.count
        }
    }

    /// Adds a program's metadata to the headers to be sent. Spaces at the ends of values are removed, because HTTP/2 forbids them. Pairs that HTTP/2
    /// cannot carry, reserved keys of gRPC, and binary values that are not base64 are left out.
    static func append(_ metadata: Metadata, to headers: inout HeaderBlock) {
        for entry in metadata where isSettable(entry.key) {
            if entry.key.hasSuffix("-bin") {
                if let bytes = Base64.decode(entry.value) { headers.append(entry.key.utf8, base64(bytes).utf8) }
            } else if isSendable(entry.value) {
                headers.append(entry.key.utf8, trimmed(entry.value[...]).utf8)
            }
        }
    }

    /// Base64 without padding, as gRPC sends it.
    static func base64(_ bytes: [UInt8]) -> String {
        bytes.withUnsafeBufferPointer { String(decoding: Base64.encode($0, padded: false), as: UTF8.self) }
    }

    /// Whether gRPC can carry a pair of a program.
    static func canCarry(_ entry: Metadata.Entry) -> Bool {
        isSettable(entry.key) && (entry.key.hasSuffix("-bin") ? Base64.decode(entry.value) != nil : isSendable(entry.value))
    }

    static func isSettable(_ key: String) -> Bool {
        guard HeaderName.isToken(key.utf8), !key.hasPrefix("grpc-") || ["grpc-retry-pushback-ms", "grpc-previous-rpc-attempts"].contains(key)
        else { return false }
        return !["te", "content-type", "content-length", "host", "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"]
            .contains(key)
    }

    /// Whether HTTP/2 can carry the value: printable ASCII.
    static func isSendable(_ value: String) -> Bool { value.utf8.allSatisfy { $0 >= 0x20 && $0 <= 0x7E } }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
