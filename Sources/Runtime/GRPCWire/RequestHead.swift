import CNGHTTP2
import RPCCore

/// The decoded headers of a request.
///
/// nghttp2's own checks are off, because they refuse headers of real clients. So HTTP/2's rules for headers are checked here (RFC 9113, 8). A head
/// never changes. Requests whose headers differ only in the timeout share one; see ``InboundHeaders``.
final class RequestHead {
    /// How a request is refused, the most serious first.
    enum Refusal {
        /// It breaks HTTP/2: the stream is reset.
        case malformed
        /// It is not gRPC: it is answered with an HTTP status only.
        case http(HTTPRefusal)
        case status(RPCError)
    }

    /// The HTTP status of an answer that is not gRPC.
    enum HTTPRefusal {
        case methodNotAllowed, unsupportedMediaType
    }

    /// The method; nil if it is unknown.
    private(set) var method: RegisteredMethod?
    /// The path of an unknown method. A long path is cut.
    private var unknownPath: [UInt8] = []
    private var seen: Pseudo = []
    private var isPost = false
    /// Whether the path is `*`, as an OPTIONS request for the whole server says (RFC 9113, 8.3.1).
    private var hasNoPath = false
    private var isConnect = false
    /// Whether the method is HEAD, whose answers have no body.
    private(set) var isHead = false
    private var isGRPC = false
    private var acceptsTrailers = false
    private var hasRegularField = false
    private var hasHost = false
    private var isMalformed = false
    private let isOversized: Bool
    private var failure: RPCError?
    private(set) var encoding = MessageEncoding.identity
    /// The encoding for compressed responses.
    private(set) var responseEncoding = MessageEncoding.identity
    private(set) var metadata = Metadata()
    /// The length of the body, bytes, if the client sent it.
    private(set) var contentLength: Int?
    private let counted: HeaderBytes
    private let byteCount: Int

    private struct Pseudo: OptionSet {
        let rawValue: UInt8

        static let method = Pseudo(rawValue: 1)
        static let scheme = Pseudo(rawValue: 2)
        static let authority = Pseudo(rawValue: 4)
        static let path = Pseudo(rawValue: 8)
    }

    /// - Parameters:
    ///   - limit: the most bytes of all fields together.
    ///   - counted: the counter to which the bytes of this head are added while it exists.
    ///   - find: looks up a method by its names.
    init(_ headers: InboundHeaders.Received, limit: Int, _ counted: HeaderBytes, find: (RawSpan, RawSpan) -> RegisteredMethod?) {
        self.counted = counted
        isOversized = headers.isOversized
        byteCount = headers.block.byteCount
        counted.count += byteCount
        for field in headers.block.fields { take(field.name, field.value, find) }
        if isOversized { failure = .limitReached(.metadataSize, "the call's headers have more than \(limit) bytes") }
    }

    deinit { counted.count -= byteCount }

    private func take(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ find: (RawSpan, RawSpan) -> RegisteredMethod?) {
        let kind = HeaderName(name)
        if HTTP2Field.isForbidden(value) { isMalformed = true }
        switch kind {
        case .method, .scheme, .authority, .path: takePseudo(kind, value, find)
        case .status, .forbidden: isMalformed = true
        default:
            hasRegularField = true
            takeRegular(kind, name, value)
        }
    }

    private func takePseudo(
        _ kind: HeaderName, _ value: UnsafeRawBufferPointer, _ find: (RawSpan, RawSpan) -> RegisteredMethod?
    ) {
        let pseudo: Pseudo =
            switch kind {
            case .method: .method
            case .scheme: .scheme
            case .path: .path
            default: .authority
            }
        // Each pseudo-header comes once, and before all other headers.
        guard seen.insert(pseudo).inserted, !hasRegularField else { return isMalformed = true }
        switch kind {
        case .method:
            isPost = HeaderName.equal(value, "POST")
            guard !isPost else { return }
            isConnect = HeaderName.equal(value, "CONNECT")
            isHead = HeaderName.equal(value, "HEAD")
            if nghttp2_check_method(value.baseAddress, value.count) == 0 { isMalformed = true }
        case .scheme: if !Self.isScheme(value) { isMalformed = true }
        case .path: takePath(value, find)
        default: takeHost(value)
        }
    }

    /// On a Unix socket, clients send anything as the host: a path, an encoded path, an invented name. It is ignored. A host with a control character
    /// makes the request malformed.
    private func takeHost(_ value: UnsafeRawBufferPointer) {
        if value.contains(where: { $0 < UInt8(ascii: " ") || $0 == 0x7F }) { isMalformed = true }
    }

    private func takePath(_ path: UnsafeRawBufferPointer, _ find: (RawSpan, RawSpan) -> RegisteredMethod?) {
        if HeaderName.equal(path, "*") { return hasNoPath = true }
        guard path.first == UInt8(ascii: "/") else { return isMalformed = true }
        if let slash = path.lastIndex(of: UInt8(ascii: "/")), slash > 0 {
            method = find(
                UnsafeRawBufferPointer(rebasing: path[1..<slash]).bytes, UnsafeRawBufferPointer(rebasing: path[(slash + 1)...]).bytes)
        }
        if method == nil { unknownPath = Array(path.prefix(512)) }
    }

    private func takeRegular(_ kind: HeaderName, _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        switch kind {
        case .host:
            // A proxy and a server could otherwise choose different ones (RFC 9110, 7.2).
            if hasHost { isMalformed = true }
            hasHost = true
            takeHost(value)
        case .contentType: isGRPC = Self.isGRPC(value)
        case .contentLength:
            let length = Self.length(value)
            if length == nil || contentLength ?? length != length { isMalformed = true }
            contentLength = length
        // HTTP/2 permits no other value here. It is written in any case (RFC 9110, 10.1.4).
        case .te:
            let isTrailers = value.count == 8 && HeaderName.begins(value, inAnyCase: "trailers")
            if isTrailers { acceptsTrailers = true } else { isMalformed = true }
        case .timeout:
            // Its value belongs to the call, and not to this head.
            if Timeout.read(value) == nil { fail(RPCError(.internal, "grpc-timeout is no timeout")) }
        case .encoding:
            guard let known = MessageEncoding(value) else {
                return fail(
                    RPCError(.unimplemented, "messages compressed with \(Self.excerpt(value)) cannot be read; \(MessageEncoding.accepted) can"))
            }
            encoding = known
        case .acceptEncoding: responseEncoding = .preferred(among: value)
        case .metadata, .userAgent: takeMetadata(name, value)
        default: break
        }
    }

    private func takeMetadata(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        do throws(MetadataHeaders.Refusal) {
            try MetadataHeaders.append(name: name, value: value, to: &metadata)
        } catch .tooMany {
            fail(.limitReached(.metadataSize, "a request may carry \(MetadataHeaders.maximumCount) metadata pairs at most"))
        } catch .controlCharacter {
            fail(RPCError(.internal, "the value of \(Self.excerpt(name)) has a control character"))
        } catch {
            fail(RPCError(.internal, "the value of \(Self.excerpt(name)) is no base64"))
        }
    }

    /// Notes the first error. Later errors, which may be many, are ignored, and their texts are not made.
    private func fail(_ error: @autoclosure () -> RPCError) {
        if failure == nil { failure = error() }
    }

    /// Why the request is refused, if it is. Valid after all its headers have been read.
    var refusal: Refusal? {
        // Headers after the limit were not read.
        if isMalformed || !isOversized && !hasPseudoHeaders { return .malformed }
        if let failure, failure.code == .resourceExhausted { return .status(failure) }
        guard isPost else { return .http(.methodNotAllowed) }
        if hasNoPath { return .malformed }
        guard isGRPC else { return .http(.unsupportedMediaType) }
        guard acceptsTrailers else { return .status(RPCError(.internal, "the request does not say te: trailers")) }
        if method == nil { return .status(RPCError(.unimplemented, "\(String(decoding: unknownPath, as: UTF8.self)) is not served here")) }
        return failure.map { .status($0) }
    }

    /// Whether the method's pseudo-headers are there. A CONNECT has no scheme and no path (RFC 9113, 8.5).
    private var hasPseudoHeaders: Bool {
        isConnect ? seen == [.method, .authority] : seen.isSuperset(of: [.method, .scheme, .path])
    }

    /// `application/grpc` in any case (RFC 9110, 8.3.1), alone or with `+proto` or parameters. Other message formats and gRPC-Web are not supported.
    private static func isGRPC(_ type: UnsafeRawBufferPointer) -> Bool {
        let name: StaticString = "application/grpc"
        guard HeaderName.begins(type, inAnyCase: name) else { return false }
        var rest = type.dropFirst(name.utf8CodeUnitCount)
        let format: StaticString = "+proto"
        if HeaderName.begins(UnsafeRawBufferPointer(rebasing: rest), inAnyCase: format) { rest = rest.dropFirst(format.utf8CodeUnitCount) }
        let end = rest.first { !HTTP2Field.isBlank($0) }
        return end == nil || end == UInt8(ascii: ";")
    }

    /// A letter, then letters, digits, `+`, `-` and `.` (RFC 3986, 3.1).
    private static func isScheme(_ value: UnsafeRawBufferPointer) -> Bool {
        guard let first = value.first, isLetter(first) else { return false }
        return value.allSatisfy { byte in
            isLetter(byte) || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
                || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") }

    /// A number of digits only (RFC 9110, 8.6); nil if it does not fit.
    private static func length(_ value: UnsafeRawBufferPointer) -> Int? {
        guard !value.isEmpty, value.count <= 18 else { return nil }
        var length = 0
        for digit in value {
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
            length = length * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return length
    }

    private static func excerpt(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes.prefix(64), as: UTF8.self) }
}

/// Bytes of the headers that a session keeps, as HTTP/2 counts them. A head that many calls share counts once.
final class HeaderBytes {
    fileprivate(set) var count = 0
}

/// `grpc-timeout`: at most eight digits and a unit (PROTOCOL-HTTP2.md, “Timeout”).
enum Timeout {
    private static let longestNumber = 8

    /// Nanoseconds of a header value, at most `Int64.max`; nil if it is not a timeout.
    static func read(_ value: UnsafeRawBufferPointer) -> Int64? {
        guard let unit = value.last.flatMap(nanoseconds), value.count >= 2, value.count <= longestNumber + 1 else { return nil }
        var number: Int64 = 0
        for digit in value.dropLast() {
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
            number = number * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        let (product, overflow) = number.multipliedReportingOverflow(by: unit)
        return overflow ? .max : product
    }

    /// The timeout as calls store it. There 0 means none, so a timeout of zero becomes -1.
    static func ofCall(_ value: UnsafeRawBufferPointer) -> Int64? { read(value).map { $0 == 0 ? -1 : $0 } }

    /// The header value for a number of nanoseconds. It has the finest unit that fits, rounded up, so that a call never ends too early.
    static func text(nanoseconds: Int64) -> String {
        let most: Int64 = 99_999_999
        for (unit, name) in [(1, "n"), (1_000, "u"), (1_000_000, "m"), (1_000_000_000, "S"), (60_000_000_000, "M")] as [(Int64, String)] {
            let number = nanoseconds / unit + (nanoseconds % unit > 0 ? 1 : 0)
            if number <= most { return "\(max(1, number))\(name)" }
        }
        return "\(min(most, nanoseconds / 3_600_000_000_000 + 1))H"
    }

    private static func nanoseconds(_ unit: UInt8) -> Int64? {
        switch unit {
        case UInt8(ascii: "H"): 3_600_000_000_000
        case UInt8(ascii: "M"): 60_000_000_000
        case UInt8(ascii: "S"): 1_000_000_000
        case UInt8(ascii: "m"): 1_000_000
        case UInt8(ascii: "u"): 1_000
        case UInt8(ascii: "n"): 1
        default: nil
        }
    }
}
