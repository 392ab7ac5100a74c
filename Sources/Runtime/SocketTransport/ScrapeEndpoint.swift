import CLinuxSockets
import Dispatch
import Glibc
import Synchronization

/// Serves one text over HTTP/1.1 to a scraper on this machine, such as Prometheus. It answers `GET` and `HEAD` of one path only.
///
///     let endpoint = try ScrapeEndpoint(.loopback(port: 9464), path: "/metrics", contentType: "text/plain; version=0.0.4") {
///         metrics.current.map { "calls_total{method=\"\($0.key)\"} \($0.value.endedCount)\n" }.joined()
///     }
///     await server.run(on: socket)
///     endpoint.close()
///
/// `metrics` are the server's `CallMetrics`.
///
/// It serves at most 16 connections at once, each for one request, and for two seconds at most. Another one takes the place of the oldest that has
/// not sent its request, so that callers that connect and stay silent keep nobody out. A request has at most 8 KiB. So it uses few descriptors and
/// little memory whatever its callers do, and does not run on an event loop. There is no authentication: everybody who can reach the address can read
/// the text.
public final class ScrapeEndpoint: Sendable {
    /// The address on which it listens.
    public enum Address: Sendable, Hashable {
        /// A port of the loopback interface (127.0.0.1); 0 lets the system choose.
        case loopback(port: UInt16)
        /// A Unix socket with its permission bits.
        case unix(path: String, mode: UInt32)
    }

    private static let longestRequest = 8 << 10
    /// Most connections at once.
    static let mostClients = 16
    /// How long it takes no connections after the system refused it a descriptor.
    private static let rest = Duration.milliseconds(100)

    let descriptor: Int32
    private let unixSocket: ListeningSocket?
    private let path: String
    private let contentType: String
    private let patience: Duration
    private let body: @Sendable () -> String
    /// Its thread waits for connections until the end.
    private let queue = DispatchQueue(label: "scrape")
    private let isClosed = Atomic(false)

    /// The address that is served, such as `http://127.0.0.1:9464/metrics`.
    public let description: String

    /// Binds, listens and serves until ``close()``.
    /// - Parameters:
    ///   - path: the path of the URL, such as `/metrics`.
    ///   - patience: how long one connection may take.
    ///   - body: makes the text, once for each request, on the endpoint's own thread.
    /// - Throws: ``SocketError``.
    public init(
        _ address: Address, path: String, contentType: String, patience: Duration = .seconds(2), body: @escaping @Sendable () -> String
    ) throws(SocketError) {
        self.path = path
        self.patience = patience
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

    /// A connection, and how far it is.
    private struct Client {
        let descriptor: Int32
        /// Whether the peer can pass descriptors; see ``PassedDescriptors``.
        let mayHoldDescriptors: Bool
        let end: ContinuousClock.Instant
        var head: [UInt8] = []
        /// What is left of the answer; `nil` until the request is complete.
        var answer: ArraySlice<UInt8>?

        func close() { PassedDescriptors.close(descriptor, mayHoldDescriptors: mayHoldDescriptors) }

        /// Reads what has come, without waiting, as recv(2).
        func receive(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
            mayHoldDescriptors
                ? pulse_receive_without_descriptors(descriptor, buffer.baseAddress, buffer.count)
                : recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        }
    }

    private func serveUntilClosed() {
        var clients: [Client] = []
        var restsUntil: ContinuousClock.Instant?
        while !isClosed.load(ordering: .acquiring) {
            var polls = clients.map { pollfd(fd: $0.descriptor, events: Int16($0.answer == nil ? POLLIN : POLLOUT), revents: 0) }
            // A negative descriptor is passed over.
            polls.append(pollfd(fd: restsUntil == nil ? descriptor : -1, events: Int16(POLLIN), revents: 0))
            _ = poll(&polls, nfds_t(polls.count), Self.milliseconds(until: (clients.map(\.end) + [restsUntil].compactMap(\.self)).min()))
            let now = ContinuousClock.now
            var left: [Client] = []
            for (index, client) in clients.enumerated() {
                var client = client
                let goesOn = polls[index].revents == 0 || advance(&client)
                if goesOn, now < client.end { left.append(client) } else { client.close() }
            }
            clients = left
            if let end = restsUntil, end <= now { restsUntil = nil }
            // One at a time: each connection is read once before it can be replaced.
            if polls[polls.count - 1].revents & Int16(POLLIN) != 0, !accept(into: &clients) { restsUntil = now + Self.rest }
        }
        for var client in clients {
            while client.answer != nil, Self.wait(client.descriptor, for: Int16(POLLOUT), until: client.end), advance(&client) {}
            client.close()
        }
    }

    /// Accepts a connection.
    /// - Returns: false if the system has no descriptor for it.
    private func accept(into clients: inout [Client]) -> Bool {
        let connection = accept4(descriptor, nil, nil, Int32(SOCK_CLOEXEC.rawValue))
        guard connection >= 0 else { return ![EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) }
        if clients.count >= Self.mostClients {
            clients.remove(at: clients.firstIndex { $0.answer == nil } ?? 0).close()
        }
        let mayHoldDescriptors = unixSocket != nil && PassedDescriptors.mayComeTo(connection)
        clients.append(Client(descriptor: connection, mayHoldDescriptors: mayHoldDescriptors, end: .now + patience))
        return true
    }

    /// Reads or writes as much as is possible now.
    /// - Returns: whether the connection goes on.
    private func advance(_ client: inout Client) -> Bool {
        if client.answer == nil {
            var buffer = [UInt8](repeating: 0, count: Self.longestRequest - client.head.count)
            let count = buffer.withUnsafeMutableBytes { client.receive($0) }
            guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
            // The end may have begun in what came before.
            let first = max(0, client.head.count - 3)
            client.head += buffer[..<count]
            let head = client.head
            guard head.indices[first...].dropLast(3).contains(where: { head[$0..<$0 + 4].elementsEqual("\r\n\r\n".utf8) }) else {
                return head.count < Self.longestRequest
            }
            client.answer = answer(head)[...]
        }
        while let rest = client.answer, !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(client.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)) }
            guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
            client.answer = rest.dropFirst(count)
        }
        // The peer is told that this is all.
        shutdown(client.descriptor, Int32(SHUT_WR))
        return false
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

    private static func wait(_ connection: Int32, for event: Int16, until end: ContinuousClock.Instant) -> Bool {
        var waited = pollfd(fd: connection, events: event, revents: 0)
        return poll(&waited, 1, milliseconds(until: end)) == 1
    }

    /// For `poll`: 0 for an instant in the past, -1 without one.
    private static func milliseconds(until end: ContinuousClock.Instant?) -> Int32 {
        guard let end else { return -1 }
        return Int32(min(max(0, ContinuousClock.now.duration(to: end) / .milliseconds(1)).rounded(.up), 1e9))
    }
}
