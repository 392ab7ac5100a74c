/// The ten bytes before every ttrpc frame: `u32be data length · u32be stream id · u8 type · u8 flags` (ttrpc `PROTOCOL.md`).
struct FrameHeader: Equatable {
    static let byteCount = 10

    /// Bytes of data that follow.
    var dataLength: Int
    var streamID: UInt32
    var kind: UInt8
    var flags: UInt8

    init(dataLength: Int, streamID: UInt32, kind: FrameKind, flags: UInt8 = 0) {
        self.dataLength = dataLength
        self.streamID = streamID
        self.kind = kind.rawValue
        self.flags = flags
    }

    /// Reads a header. `bytes` holds at least ``byteCount``.
    init(reading bytes: UnsafeRawPointer) {
        dataLength = Int(UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)))
        streamID = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        kind = bytes.load(fromByteOffset: 8, as: UInt8.self)
        flags = bytes.load(fromByteOffset: 9, as: UInt8.self)
    }

    /// Writes the header. `bytes` has room for ``byteCount``.
    func write(to bytes: UnsafeMutableRawPointer) {
        bytes.storeBytes(of: UInt32(dataLength).bigEndian, as: UInt32.self)
        bytes.storeBytes(of: streamID.bigEndian, toByteOffset: 4, as: UInt32.self)
        bytes.storeBytes(of: kind, toByteOffset: 8, as: UInt8.self)
        bytes.storeBytes(of: flags, toByteOffset: 9, as: UInt8.self)
    }
}

/// The frame types that are read. Others are ignored.
enum FrameKind: UInt8 {
    case request = 1
    case response = 2
    case data = 3

    // PulseBoard's additions (`Extensions`). Other implementations get none that they do not ignore.

    /// Client to server, no data: the caller has cancelled the call.
    case cancel = 0x10
    /// Both ways, eight bytes of data: how many bytes of this stream's Data frames, with headers, may be sent in total.
    case window = 0x11
    /// Server to client, on stream 0, no data: open no new calls here, and close when the last one has ended.
    case drain = 0x12
}

/// The flags of ttrpc's streaming frames.
enum FrameFlags {
    /// The sender sends no more on this stream.
    static let remoteClosed: UInt8 = 0x01
    /// On a Request: Data frames follow.
    static let remoteOpen: UInt8 = 0x02
    /// The frame has no message. Without this flag, an empty frame is an empty message.
    static let noData: UInt8 = 0x04
}

/// ttrpc's limits.
public enum TTRPCLimits {
    /// The most data of a frame, bytes. Every ttrpc implementation has this limit.
    public static let maximumDataLength = 4 << 20
}

/// The check of a connection's first frame.
///
/// Some other protocols begin with bytes that look like a long ttrpc frame. Their clients would wait forever for an answer:
/// - D-Bus: `\0AUTH`;
/// - PostgreSQL: a length and 3.0, or the number that asks for TLS;
/// - SMB: a length and `\xFFSMB` or `\xFESMB`.
///
/// In their bytes both the type and the id are foreign to ttrpc. If only one of them is, a ttrpc client has made a mistake, and gets the same answer
/// as for a later frame.
public enum FirstFrame {
    /// The number of first bytes that are needed to exclude other protocols.
    public static let byteCount = FrameHeader.byteCount
    /// Clients number their calls from 1. No client begins above this id.
    static let highestFirstID: UInt32 = 1 << 24
    /// PostgreSQL's requests for TLS and for GSS encryption, after the length 8. Such a client sends no more bytes before an answer.
    private static let postgreSQLRequests: [UInt32] = [80_877_103, 80_877_104]

    /// Whether a ttrpc connection can begin with these bytes: a frame of a known type, or with a low odd id.
    /// - Parameter bytes: the first bytes of the connection, as many as have come. Missing bytes exclude nothing.
    public static func isPossible(_ bytes: RawSpan) -> Bool {
        bytes.withUnsafeBytes { bytes in
            guard bytes.count >= 8 else { return true }
            let length = UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))
            let id = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
            if length == 8, postgreSQLRequests.contains(id) { return false }
            if bytes.count < byteCount || FrameKind(rawValue: bytes[8]) != nil { return true }
            return id % 2 == 1 && id < highestFirstID
        }
    }
}
