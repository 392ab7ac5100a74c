import ProtobufC
import ProtobufWellKnownTypes
import RPCCore

/// A frame, decoded by separate code of the tests, so that an error in the sessions' decoding does not hide one in their encoding.
struct TestFrame {
    var streamID: UInt32
    var kind: UInt8
    var flags: UInt8
    var data: [UInt8]

    var bytes: [UInt8] {
        Self.bigEndian(UInt32(data.count)) + Self.bigEndian(streamID) + [kind, flags] + data
    }

    /// The frames in `bytes`; `nil` if they do not end with a whole frame.
    static func parse(_ bytes: [UInt8]) -> [TestFrame]? {
        var frames: [TestFrame] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            guard rest.count >= 10 else { return nil }
            let header = Array(rest.prefix(10))
            let length = header[0..<4].reduce(0) { $0 << 8 | Int($1) }
            guard rest.count >= 10 + length else { return nil }
            let id = header[4..<8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            rest = rest.dropFirst(10)
            frames.append(TestFrame(streamID: id, kind: header[8], flags: header[9], data: Array(rest.prefix(length))))
            rest = rest.dropFirst(length)
        }
        return frames
    }

    /// The status in a Response, decoded by protobuf-c; `nil` if there is none.
    var status: Google_Rpc_Status? {
        guard data.first == 1 << 3 | 2 else { return nil }
        var index = 1
        var length = 0
        var shift = 0
        repeat {
            length |= Int(data[index] & 0x7F) << shift
            shift += 7
            index += 1
        } while data[index - 1] >= 0x80
        return try? Google_Rpc_Status(serializedBytes: Array(data[index..<(index + length)]))
    }

    var statusCode: StatusCode? { status.map { StatusCode(wireValue: $0.code) } }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [UInt8(value >> 24), UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
    }
}
