import Glibc

/// The name of a received header, recognized by length and bytes. Names that gRPC knows never become a `String`.
enum HeaderName {
    case method, scheme, authority, path, status
    case host
    case contentType, contentLength, te, userAgent
    case timeout, encoding, acceptEncoding, grpcStatus, grpcMessage, statusDetails
    /// Ignored: unknown names of gRPC.
    case passedOver
    /// Not permitted in HTTP/2 (RFC 9113, 8.2.2), an unknown pseudo-header, or not a valid name.
    case forbidden
    /// Metadata of the call.
    case metadata

    init(_ name: UnsafeRawBufferPointer) {
        if let known = Self.known(name) {
            self = known
        } else if Self.isToken(name) {
            self = Self.begins(name, "grpc-") ? .passedOver : .metadata
        } else {
            self = .forbidden
        }
    }

    private static func known(_ name: UnsafeRawBufferPointer) -> HeaderName? {
        switch name.count {
        case 2: equal(name, "te") ? .te : nil
        case 4: equal(name, "host") ? .host : nil
        case 5: equal(name, ":path") ? .path : nil
        case 7: ofSeven(name)
        case 10:
            equal(name, ":authority") ? .authority
                : equal(name, "user-agent") ? .userAgent : equal(name, "connection") || equal(name, "keep-alive") ? .forbidden : nil
        case 11: equal(name, "grpc-status") ? .grpcStatus : nil
        case 12: ofTwelve(name)
        case 13: equal(name, "grpc-encoding") ? .encoding : nil
        case 14: equal(name, "content-length") ? .contentLength : nil
        case 16: equal(name, "proxy-connection") ? .forbidden : nil
        case 17: equal(name, "transfer-encoding") ? .forbidden : nil
        case 20: equal(name, "grpc-accept-encoding") ? .acceptEncoding : nil
        // These two names of gRPC are for client and handler (gRFC A6).
        case 22: equal(name, "grpc-retry-pushback-ms") ? .metadata : nil
        case 26: equal(name, "grpc-previous-rpc-attempts") ? .metadata : nil
        case 23: equal(name, "grpc-status-details-bin") ? .statusDetails : nil
        default: nil
        }
    }

    private static func ofSeven(_ name: UnsafeRawBufferPointer) -> HeaderName? {
        if equal(name, ":method") { return .method }
        if equal(name, ":scheme") { return .scheme }
        if equal(name, ":status") { return .status }
        return equal(name, "upgrade") ? .forbidden : nil
    }

    private static func ofTwelve(_ name: UnsafeRawBufferPointer) -> HeaderName? {
        if equal(name, "content-type") { return .contentType }
        if equal(name, "grpc-timeout") { return .timeout }
        return equal(name, "grpc-message") ? .grpcMessage : nil
    }

    /// Whether the bytes are a lower-case field name (RFC 9113, 8.2.1).
    static func isToken(_ name: some Collection<UInt8>) -> Bool {
        !name.isEmpty && name.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "'"),
                UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
                UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
                true
            default: false
            }
        }
    }

    /// Whether the bytes equal a constant text.
    static func equal(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
        bytes.count == text.utf8CodeUnitCount && begins(bytes, text)
    }

    static func begins(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
        guard bytes.count >= text.utf8CodeUnitCount, let start = bytes.baseAddress else { return text.utf8CodeUnitCount == 0 }
        return memcmp(start, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    /// Whether the bytes begin with a constant text of lower-case letters, in any case.
    static func begins(_ bytes: UnsafeRawBufferPointer, inAnyCase text: StaticString) -> Bool {
        guard bytes.count >= text.utf8CodeUnitCount, let start = bytes.baseAddress else { return text.utf8CodeUnitCount == 0 }
        return strncasecmp(start.assumingMemoryBound(to: CChar.self), text.utf8Start, text.utf8CodeUnitCount) == 0
    }
}
