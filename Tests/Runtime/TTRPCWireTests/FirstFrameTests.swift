import RPCCore
import Testing

@testable import TTRPCWire

@Suite struct FirstFrameTests {
    private func isPossible(_ bytes: [UInt8]) -> Bool { FirstFrame.isPossible(bytes.span.bytes) }

    @Test("what a ttrpc client begins with is possible, as far as it has come", arguments: 1...12)
    func ttrpc(_ count: Int) {
        #expect(isPossible(Array(([0, 0, 0, 17, 0, 0, 0, 1, 1, 0, 10, 9] as [UInt8]).prefix(count))))
        #expect(isPossible(Array(([0, 0x3F, 0xFF, 0xFF, 0, 0, 0x10, 1, 1, 2, 10, 9] as [UInt8]).prefix(count))))
    }

    @Test("foreign protocols that begin like a long frame are known by their first ten bytes", arguments: [
        // PostgreSQL: requests for TLS and GSS, a cancellation, and a start with version 3.0.
        [0, 0, 0, 8, 0x04, 0xD2, 0x16, 0x2F], [0, 0, 0, 8, 0x04, 0xD2, 0x16, 0x30], [0, 0, 0, 16, 0x04, 0xD2, 0x16, 0x2E, 0, 0, 0, 1],
        [0, 0, 0, 41, 0, 3, 0, 0] + Array("user".utf8),
        // D-Bus, with and without a unique name.
        [0] + Array("AUTH EXTERNAL 30\r\n".utf8), [0] + Array("AUTH\r\n".utf8) + Array("NEGOTIATE".utf8),
        // SMB 1 and 2 over TCP.
        [0, 0, 0x85, 0xFF] + [0xFF] + Array("SMB".utf8) + [0x72, 0], [0, 0, 0, 0xF8, 0xFE] + Array("SMB".utf8) + [0x40, 0],
        // An unknown type with an even id, and with one that no client begins with.
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0, 0, 1, 99, 0],
    ] as [[UInt8]])
    func foreign(_ bytes: [UInt8]) {
        #expect(!isPossible(Array(bytes.prefix(FirstFrame.byteCount))))
    }
    @Test("a first frame with one mistake is a ttrpc client's, wherever it is cut", arguments: [
        // Requests with an even id, with 0, and with high ids.
        [0, 0, 0, 0, 0, 0, 0, 2, 1, 0], [0, 0, 0, 0, 0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 1, 0, 0, 1, 1, 0], [0, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF, 1, 0],
        // Unknown types with a low odd id.
        [0, 0, 0, 0, 0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 0, 0, 0, 1, 4, 0], [0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 0],
    ] as [[UInt8]])
    func mistakes(_ bytes: [UInt8]) {
        for count in 1...bytes.count { #expect(isPossible(Array(bytes.prefix(count)))) }
    }
}
