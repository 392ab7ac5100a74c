import CZlib
import RPCCore

/// How messages are compressed: `grpc-encoding`.
enum MessageEncoding: Sendable {
    case identity, gzip, deflate

    /// What this side can read, in `grpc-accept-encoding`'s words.
    static let accepted: StaticString = "identity,deflate,gzip"

    init?(_ name: UnsafeRawBufferPointer) {
        if HeaderName.equal(name, "identity") {
            self = .identity
        } else if HeaderName.equal(name, "gzip") {
            self = .gzip
        } else if HeaderName.equal(name, "deflate") {
            self = .deflate
        } else {
            return nil
        }
    }

    init(_ method: RequestCompression.Method) {
        switch method {
        case .gzip: self = .gzip
        case .deflate: self = .deflate
        }
    }

    /// What a request that is sent now is compressed with.
    init(_ compression: RequestCompression?) {
        if let compression, compression.isOn { self.init(compression.method) } else { self = .identity }
    }

    var name: StaticString {
        switch self {
        case .identity: "identity"
        case .gzip: "gzip"
        case .deflate: "deflate"
        }
    }

    /// What to compress with for a peer that accepts these: gzip before deflate.
    static func preferred(among names: UnsafeRawBufferPointer) -> MessageEncoding {
        var preferred = MessageEncoding.identity
        for name in names.split(separator: UInt8(ascii: ",")) {
            let spaces = name.prefix { $0 == UInt8(ascii: " ") }.count
            let word = UnsafeRawBufferPointer(rebasing: name.dropFirst(spaces))
            switch MessageEncoding(word) {
            case .gzip: return .gzip
            case .deflate: preferred = .deflate
            case .identity, nil: break
            }
        }
        return preferred
    }

    /// zlib's word for the format: 15 bits of window, and 16 for gzip's header rather than zlib's.
    private var windowBits: Int32 { self == .gzip ? 31 : 15 }

    // MARK: Work

    /// Why bytes could not be decompressed.
    enum Failure: Error {
        case malformed
        /// There are more than so many bytes in them.
        case oversized(limit: Int)
    }

    /// The message in compressed bytes, `limit` bytes at most: a bomb stops there.
    func decompress(_ bytes: UnsafeRawBufferPointer, limit: Int) throws(Failure) -> [UInt8] {
        var stream = z_stream()
        guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            preconditionFailure("zlib cannot begin to decompress")
        }
        defer { inflateEnd(&stream) }
        stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.avail_in = UInt32(bytes.count)
        var message: [UInt8] = []
        var result = Z_OK
        while result == Z_OK {
            let before = message.count
            // One byte over the limit tells a message that is just at it from one that goes on.
            let room = min(max(1024, bytes.count * 4, before), limit + 1 - before)
            guard room > 0 else { throw .oversized(limit: limit) }
            message += [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(room)
                result = inflate(&stream, Z_NO_FLUSH)
                count = room - Int(stream.avail_out)
            }
            if result == Z_OK, message.count == before { throw .malformed }
        }
        guard result == Z_STREAM_END, stream.avail_in == 0 else { throw .malformed }
        guard message.count <= limit else { throw .oversized(limit: limit) }
        return message
    }

    /// The bytes compressed.
    func compress(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        let problem = deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard problem == Z_OK else { preconditionFailure("zlib cannot begin to compress") }
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(bytes.count)))
        return bytes.withUnsafeBufferPointer { bytes in
            [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
                stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
                stream.avail_in = UInt32(bytes.count)
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(bound)
                // Within the bound one call finishes.
                _ = CZlib.deflate(&stream, Z_FINISH)
                count = bound - Int(stream.avail_out)
            }
        }
    }
}
