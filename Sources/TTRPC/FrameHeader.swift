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

/// The frame types of ttrpc. Others are ignored.
enum FrameKind: UInt8 {
    case request = 1
    case response = 2
    case data = 3
}

/// ttrpc's limits.
public enum TTRPCLimits {
    /// The most data a frame may carry, bytes; the limit that every ttrpc implementation has built in.
    public static let maximumDataLength = 4 << 20
}
