#if DEBUG || FUZZING
import GRPCWire
import RPCCore

extension FuzzTarget {
    private static var limits: SessionLimits {
        var limits = SessionLimits()
        limits.maximumMessageByteCount = 4096
        limits.maximumBufferedByteCount = 16_384
        limits.maximumUnfinishedByteCount = 16_384
        return limits
    }

    private static let hello = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + HTTP2Bytes.frame(4, 0, 0, [])

    static let grpcServer = FuzzTarget("grpc-server", seeds: { WireVectors.grpc(side: "server") }) { input in
        if let session = ServerSession(limits: limits, now: { 1 }) { FuzzedCalls(session).take(input) }
    }

    static let grpcClient = FuzzTarget("grpc-client", seeds: { WireVectors.grpc(side: "client") }) { input in
        if let session = ClientSession(limits: limits) { FuzzedAnswers(session).take(input) }
    }

    /// Header blocks. The input is blocks, each after its length of two bytes. Each block opens a stream.
    static let grpcHeaders = FuzzTarget("grpc-headers", seeds: { WireVectors.headerBlocks() }) { input in
        var bytes = hello
        var at = 0
        var stream: UInt32 = 1
        while at + 2 <= input.byteCount {
            let length =
                Int(input.unsafeLoad(fromByteOffset: at, as: UInt8.self)) << 8 | Int(input.unsafeLoad(fromByteOffset: at + 1, as: UInt8.self))
            let end = min(input.byteCount, at + 2 + min(length, 16_384))
            let block = input.extracting(at + 2..<end).copied
            bytes += HTTP2Bytes.frame(1, 4, stream, block) + HTTP2Bytes.frame(0, 1, stream, [0, 0, 0, 0, 0])
            stream += 2
            at = end
        }
        if let session = ServerSession(limits: limits, now: { 1 }) { FuzzedCalls(session).take(whole: bytes.span.bytes) }
    }
}

/// HTTP/2 frames and header blocks of literals.
enum HTTP2Bytes {
    static func frame(_ kind: UInt8, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8]) -> [UInt8] {
        let count = payload.count
        return [UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF), kind, flags] + bigEndian(stream) + payload
    }

    static func bigEndian(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

    static func block(_ pairs: [(String, String)]) -> [UInt8] { pairs.flatMap { [0] + text($0) + text($1) } }

    private static func text(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
        var rest = bytes.count - 127
        var length: [UInt8] = [127]
        while rest >= 128 {
            length.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        return length + [UInt8(rest)] + bytes
    }
}
#endif
