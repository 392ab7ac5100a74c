import RPCCore
import WireBytes

/// ttrpc's `Request`, read in place. This is much faster than protobuf-c (`docs/performance.md`).
///
///     Request  { string service=1; string method=2; bytes payload=3; int64 timeout_nano=4; repeated KeyValue metadata=5 }
///     KeyValue { string key=1; string value=2 }
struct RequestEnvelope {
    /// The most metadata pairs of one request. More are refused, because a pair needs far more memory than bytes on the wire.
    static let maximumMetadataCount = 128
    /// The most bytes of all pairs of a request, as encoded in the envelope: 16 KiB, like gRPC's headers.
    static let maximumMetadataByteCount = 16 << 10
    /// The most fields of one request, unknown and repeated ones and those of groups included. A frame has room for millions, which would take a loop
    /// too long.
    static let maximumFieldCount = 1 << 10

    /// Why an envelope is refused.
    enum Failure: Error {
        case malformed
        case tooMuchMetadata
    }

    var service = UnsafeRawBufferPointer(start: nil, count: 0)
    var method = UnsafeRawBufferPointer(start: nil, count: 0)
    var payload = UnsafeRawBufferPointer(start: nil, count: 0)
    var timeoutNanoseconds: Int64 = 0
    var metadata = Metadata()
    /// The additions to ttrpc that the client asked for; not part of ``metadata``.
    var extensions = Extensions()
    /// Whether the bytes that were read contain the service or the method.
    private(set) var namesMethod = false

    private static let pairTag: UInt8 = 5 << 3 | 2
    /// The number of pairs that were read, with the pair of ``extensions``, and their bytes.
    private var pairCount = 0
    private var pairByteCount = 0

    /// Reads an envelope. Its parts point into `bytes`. Unknown fields are skipped. If a singular field is repeated, the last one counts, as protobuf
    /// requires.
    /// - Parameter known: the metadata of the previous request. It is replaced by the metadata of this one.
    init(_ bytes: UnsafeRawBufferPointer, _ known: inout KnownMetadata) throws(Failure) {
        var cursor = FieldCursor(bytes)
        var fieldsLeft = Self.maximumFieldCount
        while !cursor.isAtEnd {
            if cursor.first == Self.pairTag, pairCount == 0 {
                try readPairs(&cursor, &known)
                continue
            }
            fieldsLeft -= 1
            guard fieldsLeft >= 0, let tag = cursor.varint(), tag >> 3 != 0 else { throw .malformed }
            switch tag {
            case 1 << 3 | 2:
                guard let value = cursor.bytes() else { throw .malformed }
                service = value
                namesMethod = true
            case 2 << 3 | 2:
                guard let value = cursor.bytes() else { throw .malformed }
                method = value
                namesMethod = true
            case 3 << 3 | 2:
                guard let value = cursor.bytes() else { throw .malformed }
                payload = value
            case 4 << 3 | 0:
                guard let value = cursor.varint() else { throw .malformed }
                timeoutNanoseconds = Int64(bitPattern: value)
            case 5 << 3 | 2:
                try readPair(&cursor)
            default:
                guard cursor.skip(tag: tag, fieldsLeft: &fieldsLeft) else { throw .malformed }
            }
        }
    }

    /// Reads consecutive pairs.
    private mutating func readPairs(_ cursor: inout FieldCursor, _ known: inout KnownMetadata) throws(Failure) {
        let start = cursor.rest
        let count = known.match(start, pairTag: Self.pairTag)
        guard count == 0 else {
            (metadata, extensions, pairCount, pairByteCount) = (known.metadata, known.extensions, known.pairCount, count)
            _ = cursor.skip(count)
            return
        }
        while cursor.first == Self.pairTag {
            _ = cursor.varint()
            try readPair(&cursor)
        }
        known.note(UnsafeRawBufferPointer(rebasing: start[..<(start.count - cursor.rest.count)]), metadata, extensions, pairCount)
    }

    /// Reads a pair after its tag. A pair over the limit is not decoded.
    private mutating func readPair(_ cursor: inout FieldCursor) throws(Failure) {
        guard let pair = cursor.bytes() else { throw .malformed }
        pairCount += 1
        pairByteCount += pair.count
        guard pairCount <= Self.maximumMetadataCount, pairByteCount <= Self.maximumMetadataByteCount else { throw .tooMuchMetadata }
        guard appendPair(pair) else { throw .malformed }
    }

    private mutating func appendPair(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var cursor = FieldCursor(bytes), fieldsLeft = FieldCursor.mostGroupFields
        var key = UnsafeRawBufferPointer(start: nil, count: 0)
        var value = key
        while !cursor.isAtEnd {
            guard let tag = cursor.varint(), tag >> 3 != 0 else { return false }
            switch tag {
            case 1 << 3 | 2:
                guard let bytes = cursor.bytes() else { return false }
                key = bytes
            case 2 << 3 | 2:
                guard let bytes = cursor.bytes() else { return false }
                value = bytes
            default:
                guard cursor.skip(tag: tag, fieldsLeft: &fieldsLeft) else { return false }
            }
        }
        guard let keyText = String(validating: key, as: UTF8.self), let valueText = String(validating: value, as: UTF8.self) else {
            return false
        }
        // Bytes are compared: a peer may send any text, and the time to compare texts grows with the square of a run of combining marks.
        if key.elementsEqual(Extensions.metadataKey.utf8) {
            extensions = Extensions(value)
        } else {
            metadata.append(valueText, for: keyText)
        }
        return true
    }
}

/// Encodes a failure as ttrpc's `Response { google.rpc.Status status=1; … }`.
enum StatusEnvelope {
    /// The most bytes of a failure, even if frames may be larger: 1 MiB.
    static let maximumByteCount = 1 << 20

    /// The data of a `Response` frame with a failure, at most `limit` bytes. (The code always fits.)
    static func response(_ error: RPCError, limit: Int) -> [UInt8] {
        let room = max(0, min(limit, maximumByteCount) - StatusBytes.framingByteCount)
        var response: [UInt8] = []
        appendField(1, StatusBytes.encode(error, room: room + StatusBytes.framingByteCount), to: &response)
        return response
    }
}

/// PulseBoard's additions to ttrpc, which has no flow control, no cancellation and no notice before closing.
///
/// A client asks for them in the metadata of a request (`pulse-ttrpc: drain,window=262144`). Other servers ignore the pair. The server sends the new
/// frames only to clients that asked. A client sends them without asking, because other servers ignore unknown types.
struct Extensions: Equatable {
    static let metadataKey = "pulse-ttrpc"

    /// Whether the client understands ``FrameKind/drain`` on this connection.
    var drain = false
    /// Bytes of this stream's Data frames that the server may send before it gets more window; nil means no flow control.
    var window: UInt64?

    init(drain: Bool = false, window: UInt64? = nil) {
        self.drain = drain
        self.window = window
    }

    /// The longest value that is read. A longer one asks for nothing.
    static let maximumByteCount = 256

    /// Reads the bytes of the metadata value. Unknown words are skipped, so that later versions can add words.
    init(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count <= Self.maximumByteCount else { return }
        for word in bytes.split(separator: UInt8(ascii: ",")) {
            if word.elementsEqual("drain".utf8) { drain = true }
            if word.starts(with: "window=".utf8) { window = UInt64(String(decoding: word.dropFirst(7), as: UTF8.self)) }
        }
    }

    var text: String {
        var words: [String] = []
        if drain { words.append("drain") }
        if let window { words.append("window=\(window)") }
        return words.joined(separator: ",")
    }
}
