import RPCCore

/// What the headers of a request say.
///
/// nghttp2's own checks are off, because they refuse what real clients send. So HTTP/2's rules for headers are kept here (RFC 9113, 8). A head never
/// changes. Requests whose headers differ in the timeout only share one; see ``InboundHeaders``.
final class RequestHead {
    /// How a request is turned away, in the order of gravity.
    enum Refusal {
        /// Breaks HTTP/2: the stream is reset.
        case malformed
        /// Not gRPC: answered with an HTTP status and nothing else.
        case http(StaticString)
        case status(RPCError)
    }

    /// The method; nil if nobody serves it.
    private(set) var method: RegisteredMethod?
    /// The path of a method that nobody serves. A long path is cut.
    private var unknownPath: [UInt8] = []
    private var seen: Pseudo = []
    private var isPost = false
    private var isGRPC = false
    private var acceptsTrailers = false
    private var hasRegularField = false
    private var isMalformed = false
    private var failure: RPCError?
    private(set) var encoding = MessageEncoding.identity
    /// What responses may be compressed with.
    private(set) var responseEncoding = MessageEncoding.identity
    private(set) var metadata = Metadata()
    /// Bytes of the body, if the client says how many there will be.
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
    ///   - limit: bytes that all fields may have together.
    ///   - counted: where the bytes of this head count while it exists.
    ///   - find: looks a method up by its names.
    init(_ headers: InboundHeaders.Received, limit: Int, _ counted: HeaderBytes, find: (RawSpan, RawSpan) -> RegisteredMethod?) {
        self.counted = counted
        byteCount = headers.block.byteCount
        counted.count += byteCount
        for field in headers.block.fields { take(field.name, field.value, find) }
        if headers.isOversized { failure = RPCError(.resourceExhausted, "the call's headers have more than \(limit) bytes") }
    }

    deinit { counted.count -= byteCount }

    private func take(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ find: (RawSpan, RawSpan) -> RegisteredMethod?) {
        let kind = HeaderName(name)
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
        // Each once, and before all others.
        guard seen.insert(pseudo).inserted, !hasRegularField else { return isMalformed = true }
        switch kind {
        case .method: isPost = HeaderName.equal(value, "POST")
        case .path: takePath(value, find)
        // Clients on Unix sockets send a path, an encoded path or a made-up host: none of them means anything here.
        default: break
        }
    }

    private func takePath(_ path: UnsafeRawBufferPointer, _ find: (RawSpan, RawSpan) -> RegisteredMethod?) {
        guard path.first == UInt8(ascii: "/") else { return isMalformed = true }
        if let slash = path.lastIndex(of: UInt8(ascii: "/")), slash > 0 {
            method = find(
                UnsafeRawBufferPointer(rebasing: path[1..<slash]).bytes, UnsafeRawBufferPointer(rebasing: path[(slash + 1)...]).bytes)
        }
        if method == nil { unknownPath = Array(path.prefix(512)) }
    }

    private func takeRegular(_ kind: HeaderName, _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        switch kind {
        case .contentType: isGRPC = Self.isGRPC(value)
        case .contentLength:
            let length = Self.length(value)
            if length == nil || contentLength ?? length != length { isMalformed = true }
            contentLength = length
        // HTTP/2 permits no other word here.
        case .te: if HeaderName.equal(value, "trailers") { acceptsTrailers = true } else { isMalformed = true }
        case .timeout:
            // Its value belongs to the call and not to this head.
            if Timeout.read(value) == nil { fail(.internal, "grpc-timeout is no timeout") }
        case .encoding:
            guard let known = MessageEncoding(value) else {
                return fail(.unimplemented, "messages compressed with \(Self.excerpt(value)) cannot be read; \(MessageEncoding.accepted) can")
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
            fail(.resourceExhausted, "a request may carry \(MetadataHeaders.maximumCount) metadata pairs at most")
        } catch .notText {
            fail(.internal, "the value of \(Self.excerpt(name)) is no text")
        } catch {
            fail(.internal, "the value of \(Self.excerpt(name)) is no base64")
        }
    }

    /// The first thing found counts; of the others, which may be many, not even the text is made.
    private func fail(_ code: StatusCode, _ message: @autoclosure () -> String) {
        if failure == nil { failure = RPCError(code, message()) }
    }

    /// Why the request is turned away, if it is, once all its headers have been taken in.
    var refusal: Refusal? {
        if isMalformed || !seen.isSuperset(of: [.method, .scheme, .path]) { return .malformed }
        // Over the limit, what came after it was not read.
        if let failure, failure.code == .resourceExhausted { return .status(failure) }
        guard isPost else { return .http("405") }
        guard isGRPC else { return .http("415") }
        guard acceptsTrailers else { return .status(RPCError(.internal, "the request does not say te: trailers")) }
        if method == nil { return .status(RPCError(.unimplemented, "\(String(decoding: unknownPath, as: UTF8.self)) is not served here")) }
        return failure.map { .status($0) }
    }

    /// `application/grpc`, alone or with `+proto` or parameters. Other message formats, and gRPC-Web, are not spoken here.
    private static func isGRPC(_ type: UnsafeRawBufferPointer) -> Bool {
        let name: StaticString = "application/grpc"
        guard HeaderName.begins(type, name) else { return false }
        var rest = type.dropFirst(name.utf8CodeUnitCount)
        let format: StaticString = "+proto"
        if HeaderName.begins(UnsafeRawBufferPointer(rebasing: rest), format) { rest = rest.dropFirst(format.utf8CodeUnitCount) }
        return rest.isEmpty || rest.first == UInt8(ascii: ";")
    }

    /// Digits alone, as many as fit a number (RFC 9110, 8.6).
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

/// Bytes of the headers that a session has read and still keeps, as HTTP/2 counts them. One head may be that of many calls, and counts once.
final class HeaderBytes {
    fileprivate(set) var count = 0
}

/// `grpc-timeout`: at most eight digits and a unit (PROTOCOL-HTTP2.md, “Timeout”).
enum Timeout {
    private static let longestNumber = 8

    /// Nanoseconds of a header value, `Int64.max` if there are more; nil if it is no timeout.
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

    /// The same as a call's: 0 is for none, so one of no time is negative.
    static func ofCall(_ value: UnsafeRawBufferPointer) -> Int64? { read(value).map { $0 == 0 ? -1 : $0 } }

    /// The header value for so many nanoseconds: the finest unit that has room, rounded up, so that a call is never cut short.
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
