import Foundation
import Glibc
import SocketTransport
import Testing

/// The socket of a service manager, to which a server reports (sd_notify(3)).
final class NotifySocket: Sendable {
    let path: String
    private let descriptor: Int32
    private let reports: AsyncStream<String>

    init(in folder: String) throws {
        path = folder + "/notify"
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.descriptor = descriptor
        let (reports, continuation) = AsyncStream.makeStream(of: String.self)
        self.reports = reports
        try #require(try withSocketAddress(path) { bind(descriptor, $0, $1) } == 0)
        // A test that waits in vain must end.
        var patience = timeval(tv_sec: 120, tv_usec: 0)
        try #require(setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size)) == 0)
        // The kernel keeps few reports, and a server does not send one again. So they are read when they come, also while the test is busy.
        Thread { Self.receive(from: descriptor, continuation) }.start()
    }

    deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Reads reports until the socket is shut down, and closes it. After two silent minutes nobody gets more of them.
    private static func receive(from descriptor: Int32, _ reports: AsyncStream<String>.Continuation) {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while case let length = recv(descriptor, &buffer, buffer.count, 0), length > 0 || (length < 0 && errno == EAGAIN) {
            if length > 0 { reports.yield(String(decoding: buffer[..<length], as: UTF8.self)) } else { reports.finish() }
        }
        close(descriptor)
        reports.finish()
    }

    /// The next reports, to the last of `count` ones that begin with `prefix`.
    /// - Throws: if they have not come after some minutes.
    func reports(through prefix: String, count: Int = 1) async throws -> [String] {
        let end = ContinuousClock.now + .seconds(240)
        var found: [String] = []
        for await report in reports {
            found.append(report)
            if found.count(where: { $0.hasPrefix(prefix) }) == count { return found }
            if ContinuousClock.now > end { break }
        }
        throw SystemError("no \(prefix) in \(found)", ETIMEDOUT)
    }
}
