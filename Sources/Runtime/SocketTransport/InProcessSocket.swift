import CLinuxSockets
import Glibc
import Synchronization

/// Connects channels with a server of the same process, without a file. For tests of a service, and for programs that are client and server.
///
///     let socket = InProcessSocket()
///     server.start(on: socket)
///     let greeter = GreeterClient(channel: try Channel(Channel.Configuration(target: .inProcess(socket))))
///     print(try await greeter.sayHello(HelloRequest(name: "world")).text)
///
/// Each connection is a pair of Unix sockets, so server and client run the same code as over a path. Clients may connect before the
/// server starts; they wait for it. After the server has shut down they are refused.
public final class InProcessSocket: Sendable {
    private enum State {
        case unserved(waiting: [AcceptedSocket])
        case served(@Sendable (AcceptedSocket) -> Void)
        case closed
    }

    private let state = Mutex(State.unserved(waiting: []))

    /// A socket that no server serves yet.
    public init() {}

    deinit {
        if case .unserved(let waiting) = state.withLock({ $0 }) { for accepted in waiting { accepted.refuse() } }
    }

    /// Gives the waiting connections and all later ones to `accept`, which is called on the connecting thread. Called once, by the server.
    public func serve(_ accept: @escaping @Sendable (AcceptedSocket) -> Void) {
        state.withLock { state in
            guard case .unserved(let waiting) = state else { return }
            state = .served(accept)
            for accepted in waiting { accept(accepted) }
        }
    }

    /// Refuses every connection from now on. After it returns, `accept` is not called any more.
    public func close() {
        state.withLock { state in
            if case .unserved(let waiting) = state { for accepted in waiting { accepted.refuse() } }
            state = .closed
        }
    }

    /// Connects, and returns the client's descriptor.
    func connect() throws(SocketError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .system("socketpair") }
        guard let peer = SocketPeer(of: ends[0]) else {
            let error = SocketError.system("getsockopt")
            for end in ends { Glibc.close(end) }
            throw error
        }
        let accepted = AcceptedSocket(descriptor: ends[0], peer: peer, mayHoldDescriptors: false)
        let isTaken = state.withLock { state in
            switch state {
            case .unserved(let waiting): state = .unserved(waiting: waiting + [accepted])
            case .served(let accept): accept(accepted)
            case .closed: return false
            }
            return true
        }
        guard isTaken else {
            for end in ends { Glibc.close(end) }
            throw SocketError(.system(errno: ECONNREFUSED), "the server of this process has shut down")
        }
        return ends[1]
    }
}
