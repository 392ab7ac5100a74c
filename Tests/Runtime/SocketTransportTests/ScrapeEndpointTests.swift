import CLinuxSockets
import Glibc
import TestHarness
import Testing

@testable import SocketTransport

@Suite("The endpoint for scrapers") struct ScrapeEndpointTests {
    /// A connection that sends nothing by itself.
    private final class Peer {
        let descriptor: Int32

        init(_ path: String) throws {
            descriptor = try connectedSocket(to: path)
        }

        deinit { close(descriptor) }

        func send(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } }

        /// Everything until the end of the connection.
        func answer() -> String {
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
                bytes += buffer[..<count]
            }
        }

        /// Whether the server has not closed the connection.
        var isOpen: Bool {
            var byte: UInt8 = 0
            return recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) < 0 && errno == EAGAIN
        }
    }

    private static let request = "GET /metrics HTTP/1.1\r\nHost: here\r\n\r\n"

    @Test("a scrape is answered while others are connected and silent; if there are too many, the oldest of them gives way", arguments: [12, 40])
    func silent(_ count: Int) throws {
        let directory = TestDirectory()
        let path = directory.path + "/s"
        let endpoint = try ScrapeEndpoint(
            .unix(path: path, mode: 0o600), path: "/metrics", contentType: "text/plain", patience: .seconds(3_600)
        ) { "figures\n" }
        defer { endpoint.close() }
        let silent = try (0..<count).map { _ in try Peer(path) }
        silent[0].send("GET /met")
        let scraper = try Peer(path)
        scraper.send(Self.request)
        let answer = scraper.answer()
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.hasSuffix("\r\n\r\nfigures\n"))
        #expect(silent.map(\.isOpen) == (0..<count).map { $0 >= count + 1 - ScrapeEndpoint.mostClients })
    }

    @Test("a request that comes in parts is answered, and a long answer is sent to its end while others are served")
    func parts() throws {
        let directory = TestDirectory()
        let path = directory.path + "/s"
        let long = String(repeating: "0123456789abcde\n", count: 1 << 17)
        let endpoint = try ScrapeEndpoint(
            .unix(path: path, mode: 0o600), path: "/metrics", contentType: "text/plain", patience: .seconds(3_600)
        ) { long }
        defer { endpoint.close() }
        let slow = try Peer(path), other = try Peer(path)
        slow.send(Self.request)
        other.send(String(Self.request.prefix(30)))
        other.send(String(Self.request.dropFirst(30)))
        #expect(other.answer().hasSuffix("\r\n\r\n" + long))
        #expect(slow.answer().hasSuffix("\r\n\r\n" + long))
    }
}
