import CZlib
import RPCCore

/// How messages are compressed: `grpc-encoding`.
enum MessageEncoding: Sendable {
    case identity, gzip, deflate

    /// The encodings that this side can read, for `grpc-accept-encoding`.
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

    /// The compression of a request.
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

    /// The most bytes of a list of encodings that are read. Real lists are shorter.
    private static let longestList = 256

    /// The encoding for a peer that accepts these names: gzip before deflate.
    static func preferred(among names: UnsafeRawBufferPointer) -> MessageEncoding {
        var preferred = MessageEncoding.identity
        for name in names.prefix(longestList).split(separator: UInt8(ascii: ",")) {
            // Blanks and tabs may stand on both sides (RFC 9110, 5.6.1).
            switch MessageEncoding(HTTP2Field.withoutBlanks(name)) {
            case .gzip: return .gzip
            case .deflate: preferred = .deflate
            case .identity, nil: break
            }
        }
        return preferred
    }

    /// zlib's number for the format: 15 bits of window, and 16 more for gzip's header instead of zlib's.
    var windowBits: Int32 { self == .gzip ? 31 : 15 }

    // MARK: Work

    /// Why bytes could not be decompressed.
    enum Failure: Error {
        case malformed
        /// The decompressed message would be over the limit.
        case oversized(limit: Int)
        /// The decompressed message would be far larger than the compressed one, as no ordinary message is.
        case bomb
        /// The compressed message is far larger than the decompressed one, as no ordinary message is.
        case padded
        case noMemory
    }

    /// Decompresses a message, at most `limit` bytes.
    func decompress(_ bytes: UnsafeRawBufferPointer, limit: Int) throws(Failure) -> [UInt8] {
        let inflation = try Inflation(self, limit: limit, isTrusted: true)
        var input = bytes
        while try !inflation.advance(&input, by: .max) {}
        return Array(inflation.message.bytes)
    }

    /// Decompresses an answer of a server.
    /// - Throws: ``RPCError``: how the call ends if that is not possible.
    func decompressAnswer(_ bytes: UnsafeRawBufferPointer, limit: Int) throws(RPCError) -> [UInt8] {
        do throws(Failure) {
            return try decompress(bytes, limit: limit)
        } catch .oversized(let limit) {
            throw .limitReached(.messageSize, "the message has more than the \(limit) bytes that are possible")
        } catch {
            throw RPCError(.internal, "the message cannot be decompressed")
        }
    }

    /// Decompresses a request of a client. It is done in steps, because the ratio of a message is checked after each.
    /// - Parameter mostWork: the ``Inflation/work`` after which it gives up.
    /// - Returns: nil if it gave up.
    /// - Throws: ``RPCError``: how the call ends if that is not possible.
    func decompressRequest(_ bytes: UnsafeRawBufferPointer, limit: Int, mostWork: Int) throws(RPCError) -> [UInt8]? {
        // The input alone would be too much.
        guard bytes.count <= mostWork / Inflation.inputWork else { return nil }
        do throws(Failure) {
            let inflation = try Inflation(self, limit: limit)
            var input = bytes
            while try !inflation.advance(&input, by: min(Inflation.pieceWork, mostWork - inflation.work)) {
                guard inflation.work < mostWork else { return nil }
            }
            return Array(inflation.message.bytes)
        } catch {
            throw .notInflated(error)
        }
    }

    /// The compressed bytes; nil if zlib gets no memory.
    func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        let problem = deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard problem == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(bytes.count)))
        return bytes.withUnsafeBufferPointer { bytes in
            [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
                stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
                stream.avail_in = UInt32(bytes.count)
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(bound)
                // The output has enough room, so one call is enough.
                _ = CZlib.deflate(&stream, Z_FINISH)
                count = bound - Int(stream.avail_out)
            }
        }
    }
}

/// Decompresses the messages of a stream when they are taken.
final class StreamDecompressor: MessageDecompressor {
    private let encoding: MessageEncoding
    private let limit: Int
    private let isTrusted: Bool

    /// - Parameters:
    ///   - limit: bytes that a message may have.
    ///   - isTrusted: whether the messages are a server's answers. They are decompressed at once, whatever they grow to within the limit.
    init(_ encoding: MessageEncoding, limit: Int, isTrusted: Bool) {
        self.encoding = encoding
        self.limit = limit
        self.isTrusted = isTrusted
    }

    func decompress(_ compressed: [UInt8], mostWork: Int) throws(RPCError) -> [UInt8]? {
        try compressed.withUnsafeBufferPointer { (bytes) throws(RPCError) in
            let bytes = UnsafeRawBufferPointer(bytes)
            return isTrusted
                ? try encoding.decompressAnswer(bytes, limit: limit)
                : try encoding.decompressRequest(bytes, limit: limit, mostWork: mostWork)
        }
    }
}
