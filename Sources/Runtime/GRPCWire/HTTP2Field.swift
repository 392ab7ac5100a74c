import CNGHTTP2
import Glibc

/// A received header field, as nghttp2 stores it: two reference-counted buffers.
///
/// A field that the peer sends as an index of HPACK's table comes in the same two buffers each time, as long as they are held (``hold()``). So
/// a field that was seen before is recognized without reading its bytes.
struct HTTP2Field {
    private let nameBuffer: OpaquePointer
    private let valueBuffer: OpaquePointer

    init(name: OpaquePointer, value: OpaquePointer) {
        nameBuffer = name
        valueBuffer = value
    }

    /// Valid as long as the field is valid.
    var name: UnsafeRawBufferPointer { Self.bytes(nameBuffer) }

    /// Valid as long as the field is valid.
    var value: UnsafeRawBufferPointer { Self.bytes(valueBuffer) }

    /// Its bytes as HTTP/2 counts them (RFC 9113, 6.5.2).
    var listByteCount: Int { name.count + value.count + HeaderBlock.fieldOverhead }

    /// Whether HTTP/2 permits the field in trailers (RFC 9113, 8.1 and 8.2): no pseudo-header, no header of a connection, a valid name and value.
    var mayBeTrailer: Bool {
        switch HeaderName(name) {
        case .method, .scheme, .authority, .path, .status, .forbidden: false
        default: !Self.isForbidden(value)
        }
    }

    /// Whether a value has a NUL, CR or LF, which no header may have (RFC 9113, 8.2.1).
    static func isForbidden(_ value: UnsafeRawBufferPointer) -> Bool {
        value.contains { $0 <= UInt8(ascii: "\r") && ($0 == 0 || $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n")) }
    }

    /// A space or a tab (RFC 9110, 5.6.3).
    static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// A value, or a word of it, without the blanks around it.
    static func withoutBlanks(_ value: Slice<UnsafeRawBufferPointer>) -> UnsafeRawBufferPointer {
        var text = value.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return UnsafeRawBufferPointer(rebasing: text)
    }

    /// Whether the fields have the same name and value.
    func isSame(as other: HTTP2Field) -> Bool { hasSameName(as: other) && Self.areSame(valueBuffer, other.valueBuffer) }

    func hasSameName(as other: HTTP2Field) -> Bool { Self.areSame(nameBuffer, other.nameBuffer) }

    /// Compares the addresses first. Fields that are not in HPACK's table, such as `:path` of many clients, are compared by their bytes.
    private static func areSame(_ left: OpaquePointer, _ right: OpaquePointer) -> Bool {
        if left == right { return true }
        let left = nghttp2_rcbuf_get_buf(left)
        let right = nghttp2_rcbuf_get_buf(right)
        return left.len == right.len && memcmp(left.base, right.base, left.len) == 0
    }

    /// Keeps the field's bytes beyond the callback, until ``release()``.
    func hold() {
        nghttp2_rcbuf_incref(nameBuffer)
        nghttp2_rcbuf_incref(valueBuffer)
    }

    func release() {
        nghttp2_rcbuf_decref(nameBuffer)
        nghttp2_rcbuf_decref(valueBuffer)
    }

    private static func bytes(_ buffer: OpaquePointer) -> UnsafeRawBufferPointer {
        let bytes = nghttp2_rcbuf_get_buf(buffer)
        return UnsafeRawBufferPointer(start: bytes.base, count: bytes.len)
    }
}
