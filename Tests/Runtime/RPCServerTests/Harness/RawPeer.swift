import CLinuxSockets
import Dispatch
import Glibc
import SocketTransport
import Testing

/// A client that sends raw bytes, for what no correct client sends.
final class RawPeer: Sendable {
    private let descriptor: Int32
    private let sending = DispatchQueue(label: "raw.peer.sending")
    private let reading = DispatchQueue(label: "raw.peer.reading")

    /// Connects, waiting for room in the listener's queue.
    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let descriptor = descriptor
        guard try withSocketAddress(path, { connect(descriptor, $0, $1) }) == 0 else { throw Failure(errno: errno) }
    }

    /// Takes over a connected descriptor.
    init(taking descriptor: Int32) { self.descriptor = descriptor }

    struct Failure: Error { let errno: Int32 }

    deinit { Glibc.close(descriptor) }

    /// Sends all bytes, and waits while the server does not read. Returns false if the server is gone.
    @discardableResult
    func send(_ bytes: [UInt8]) async -> Bool {
        await on(sending) { descriptor in
            var sent = 0
            while sent < bytes.count {
                let count = bytes.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
                }
                if count <= 0 { return false }
                sent += count
            }
            return true
        }
    }

    /// Sends one byte out of band (`MSG_OOB`), behind all bytes that were sent before.
    func sendOutOfBand(_ byte: UInt8) async {
        await on(sending) { descriptor in
            var byte = byte
            _ = Glibc.send(descriptor, &byte, 1, Int32(MSG_OOB) | Int32(MSG_NOSIGNAL))
        }
    }

    /// The next `count` bytes, fewer at the end of the stream.
    func read(_ count: Int) async -> [UInt8] {
        await on(reading) { descriptor in
            var bytes = [UInt8](repeating: 0, count: count)
            var filled = 0
            while filled < count {
                let got = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress! + filled, count - filled) }
                if got <= 0 { break }
                filled += got
            }
            return Array(bytes[..<filled])
        }
    }

    /// The next frame; `nil` at the end of the stream.
    func readFrame() async -> RawFrame? {
        let header = await read(10)
        guard header.count == 10 else { return nil }
        let length = header[0..<4].reduce(0) { $0 << 8 | Int($1) }
        let id = header[4..<8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return RawFrame(streamID: id, kind: header[8], flags: header[9], data: await read(length))
    }

    /// Makes a connection's first call, and lets its deadline pass after its handler has started. On a busy machine the deadline may pass
    /// before; then the call is repeated.
    /// - Returns: the next call's id.
    func letExpire(onceStarted started: Gate, _ request: (_ id: UInt32) -> RawFrame) async throws -> UInt32 {
        var id: UInt32 = 1
        for _ in 0..<1_000 where !started.isOpen {
            await send(request(id).bytes)
            try #require(await readFrame()?.statusCode == 4)
            id += 2
        }
        try #require(started.isOpen)
        return id
    }

    /// Shuts down sending or reading, without closing the socket.
    func shutDown(_ how: Int32) { Glibc.shutdown(descriptor, how) }

    private func on<Result: Sendable>(_ queue: DispatchQueue, _ work: @escaping @Sendable (Int32) -> Result) async -> Result {
        let descriptor = descriptor
        return await withCheckedContinuation { continuation in
            // The peer, and so its descriptor, lives until the work is done.
            queue.async { [self] in withExtendedLifetime(self) { continuation.resume(returning: work(descriptor)) } }
        }
    }
}

/// One ttrpc frame.
struct RawFrame: Sendable, Equatable {
    var streamID: UInt32
    var kind: UInt8
    var flags: UInt8 = 0
    var data: [UInt8]

    /// A unary request.
    static func request(
        _ id: UInt32, _ method: String, text: String = "", timeout: Int64 = 0, service: String = TestMethods.service
    ) -> RawFrame {
        var envelope = field(1, Array(service.utf8)) + field(2, Array(method.utf8))
        if !text.isEmpty { envelope += field(3, field(1, Array(text.utf8))) }
        if timeout != 0 { envelope += [4 << 3] + varint(UInt64(bitPattern: timeout)) }
        return RawFrame(streamID: id, kind: 1, data: envelope)
    }

    var bytes: [UInt8] {
        let length = UInt32(data.count)
        return Self.bigEndian(length) + Self.bigEndian(streamID) + [kind, flags] + data
    }

    /// The status code in a Response frame; 0 for success.
    var statusCode: UInt8 {
        guard data.count > 3, data[0] == 1 << 3 | 2 else { return 0 }
        // Tag, length, then the status, whose first field is its code.
        var index = 1
        while data[index] & 0x80 != 0 { index += 1 }
        index += 1
        return data[index] == 1 << 3 ? data[index + 1] : 0
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [UInt8(value >> 24), UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
    }

    static func field(_ number: UInt8, _ value: [UInt8]) -> [UInt8] {
        [number << 3 | 2] + varint(UInt64(value.count)) + value
    }

    static func varint(_ value: UInt64) -> [UInt8] {
        var value = value
        var bytes: [UInt8] = []
        while value >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        return bytes + [UInt8(value)]
    }
}
