import CLinuxSockets
import Dispatch
import Glibc
import Synchronization

/// Serves one text over HTTP/1.1 to a scraper on this machine, such as Prometheus. It answers `GET` and `HEAD` of one path only.
///
/// It serves one connection after the other, each for one request, and for two seconds at most. A request has at most 8 KiB. So it uses one
/// descriptor and a few KiB whatever its callers do, and does not run on an event loop. There is no authentication: everybody who can reach the
/// address can read the text.
public final class ScrapeEndpoint: Sendable {
    /// The address on which it listens.
    public enum Address: Sendable, Hashable {
        /// A port of the loopback interface (127.0.0.1); 0 lets the system choose.
        case loopback(port: UInt16)
        /// A Unix socket with its permission bits.
        case unix(path: String, mode: UInt32)
    }

    private static let longestRequest = 8 << 10
    private static let patience = Duration.seconds(2)

    private let descriptor: Int32
    private let unixSocket: ListeningSocket?
    private let path: String
    private let contentType: String
    private let body: @Sendable () -> String
    /// Its thread waits for connections until the end.
    private let queue = DispatchQueue(label: "scrape")
    private let isClosed = Atomic(false)

    /// The address that is served, such as `http://127.0.0.1:9464/metrics`.
    public let description: String

    /// Binds, listens and serves until ``close()``.
    /// - Parameters:
    ///   - path: the path of the URL, such as `/metrics`.
    ///   - body: makes the text, once for each request, on the endpoint's own thread.
    /// - Throws: ``SocketError``.
    public init(_ address: Address, path: String, contentType: String, body: @escaping @Sendable () -> String) throws(SocketError) {
        self.path = path
        self.contentType = contentType
        self.body = body
        switch address {
        case .unix(let file, let mode):
            let made = try ListeningSocket(path: file, mode: mode)
            (unixSocket, descriptor) = (made, made.descriptor)
            description = "unix:\(file)"
        case .loopback(let port):
            let (made, bound) = try Self.listen(port)
            (unixSocket, descriptor) = (nil, made)
            description = "http://127.0.0.1:\(bound)\(path)"
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        queue.async { [self] in serveUntilClosed() }
    }

    /// Stops listening. A request that is being answered is finished.
    public func close() {
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // Ends the wait for the next connection.
        shutdown(descriptor, Int32(SHUT_RDWR))
        queue.sync {}
        if let unixSocket { unixSocket.close() } else { Glibc.close(descriptor) }
    }

    private static func listen(_ port: UInt16) throws(SocketError) -> (descriptor: Int32, port: UInt16) {
        let target = "127.0.0.1:\(port)"
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system("socket", target) }
        var reuse: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && Glibc.listen(descriptor, 16) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else {
            let error = SocketError.system("bind", target)
            Glibc.close(descriptor)
            throw error
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    // MARK: On the queue

    private func serveUntilClosed() {
        while !isClosed.load(ordering: .acquiring) {
            var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&waited, 1, -1) == 1, waited.revents & Int16(POLLIN) != 0 { serveNext() }
        }
    }

    private func serveNext() {
        let connection = accept4(descriptor, nil, nil, Int32(SOCK_CLOEXEC.rawValue))
        guard connection >= 0 else { return }
        defer { Glibc.close(connection) }
        let end = ContinuousClock.now + Self.patience
        guard let request = Self.readHead(connection, until: end) else { return }
        Self.write(answer(request), to: connection, until: end)
        // Read the rest of the peer's input. Otherwise the kernel would discard the answer.
        shutdown(connection, Int32(SHUT_WR))
    }

    /// The head of a request; `nil` if none comes in time, or if it is too long.
    private static func readHead(_ connection: Int32, until end: ContinuousClock.Instant) -> [UInt8]? {
        var head: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: longestRequest)
        while head.count < longestRequest {
            guard wait(connection, for: Int16(POLLIN), until: end) else { return nil }
            let count = recv(connection, &buffer, longestRequest - head.count, 0)
            guard count > 0 else { return nil }
            head += buffer[..<count]
            if head.indices.dropLast(3).contains(where: { head[$0..<$0 + 4].elementsEqual("\r\n\r\n".utf8) }) { return head }
        }
        return nil
    }

    private func answer(_ head: [UInt8]) -> [UInt8] {
        let line = String(decoding: head.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self).split(separator: " ")
        guard line.count == 3, line[2].hasPrefix("HTTP/1.") else { return Self.response("400 Bad Request", "text/plain", "a request was expected\n") }
        guard line[0] == "GET" || line[0] == "HEAD" else {
            return Self.response("405 Method Not Allowed", "text/plain", "GET \(path)\n", "Allow: GET, HEAD\r\n")
        }
        guard line[1] == path || line[1].hasPrefix(path + "?") else { return Self.response("404 Not Found", "text/plain", "GET \(path)\n") }
        let text = body()
        return Self.response("200 OK", contentType, text, isHead: line[0] == "HEAD")
    }

    private static func response(_ status: String, _ type: String, _ body: String, _ more: String = "", isHead: Bool = false) -> [UInt8] {
        Array(
            ("HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\(more)Connection: close\r\n\r\n"
                + (isHead ? "" : body)).utf8)
    }

    private static func write(_ bytes: [UInt8], to connection: Int32, until end: ContinuousClock.Instant) {
        var rest = bytes[...]
        while !rest.isEmpty, wait(connection, for: Int16(POLLOUT), until: end) {
            let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private static func wait(_ connection: Int32, for event: Int16, until end: ContinuousClock.Instant) -> Bool {
        let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
        guard left > 0 else { return false }
        var waited = pollfd(fd: connection, events: event, revents: 0)
        return poll(&waited, 1, Int32(left.rounded(.up))) == 1
    }
}
