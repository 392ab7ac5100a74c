import Foundation
import SocketTransport

/// A connection on which only the test sends and answers.
final class RawConnection: Sendable {
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let descriptor = descriptor
        guard try withSocketAddress(path, { connect(descriptor, $0, $1) }) == 0 else { throw SystemError("connect \(path)", errno) }
    }

    func close() { Foundation.close(descriptor) }

    /// Calls `AuthService/GetAuthState`, which every server answers without a sign-in and without its store.
    /// - Parameter promisingToDrain: whether to promise, like the project's client, to close the connection when the
    ///   server drains.
    func ask(promisingToDrain: Bool = false) throws {
        var envelope = Self.field(1, Array("pulseboard.auth.v1.AuthService".utf8)) + Self.field(2, Array("GetAuthState".utf8))
        if promisingToDrain {
            envelope += Self.field(5, Self.field(1, Array("pulse-ttrpc".utf8)) + Self.field(2, Array("drain".utf8)))
        }
        // Length, stream id 1, Request, no flags: the connection's first and only call.
        let frame: [UInt8] = [0, 0, 0, UInt8(envelope.count), 0, 0, 0, 1, 1, 0] + envelope
        try write(frame)
    }

    /// Sends the first byte of a frame.
    func sendPart() throws { try write([0]) }

    private func write(_ bytes: [UInt8]) throws {
        guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw SystemError("send", errno)
        }
    }

    /// Whether a frame comes. False if the server closes the connection instead.
    func answered() async -> Bool {
        await withCheckedContinuation { continuation in
            // It uses a separate thread, because reading blocks.
            Thread.detachNewThread { [descriptor] in
                var frame = [UInt8](repeating: 0, count: 65_536)
                var isWhole = recv(descriptor, &frame, 10, Int32(MSG_WAITALL)) == 10
                let count = frame[..<4].reduce(0) { $0 << 8 | Int($1) }
                if isWhole, count > 0 { isWhole = recv(descriptor, &frame, count, Int32(MSG_WAITALL)) == count }
                continuation.resume(returning: isWhole)
            }
        }
    }

    /// A field of wire type 2 with fewer than 128 bytes.
    private static func field(_ number: UInt8, _ value: [UInt8]) -> [UInt8] {
        [number << 3 | 2, UInt8(value.count)] + value
    }
}
