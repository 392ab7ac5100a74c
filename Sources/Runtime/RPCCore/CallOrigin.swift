import Logging

/// The process at the other end of a Unix socket, as the kernel reports it (`SO_PEERCRED`) when the connection is made.
///
///     struct GreeterService: GreeterHandler {
///         func sayHello(_ request: HelloRequest, context: CallContext) async throws -> HelloReply {
///             guard let peer = context.peer else { throw RPCError(.unauthenticated, "the socket does not show who you are") }
///             return HelloReply(text: "Hello, user \(peer.uid)!")
///         }
///     }
///
/// A test chooses the caller:
///
///     let context = CallContext(peer: PeerCredentials(pid: 1, uid: 1000, gid: 1000), metadata: Metadata(), deadline: .never, method: "test")
///     #expect(try await GreeterService().sayHello(HelloRequest(), context: context).text == "Hello, user 1000!")
public struct PeerCredentials: Sendable, Hashable {
    /// The process id at the time of connecting. The process may have ended since, and another process may have the same id now.
    public let pid: Int32
    /// The effective uid at the time of connecting.
    public let uid: UInt32
    /// The effective gid at the time of connecting.
    public let gid: UInt32

    /// The credentials of a process, as the kernel reports them.
    public init(pid: Int32, uid: UInt32, gid: UInt32) {
        self.pid = pid
        self.uid = uid
        self.gid = gid
    }
}

/// Where a call comes from. It says what is proved about the caller before any token is read.
///
/// An interceptor that lets only known processes of this machine call:
///
///     struct RequireLocalCaller: ContextInterceptor {
///         func prepare(_ context: inout CallContext) throws -> Bool {
///             switch context.origin {
///             case .inProcess, .local: return true
///             case .unmapped, .remote: throw RPCError(.unauthenticated, "the socket does not show who you are")
///             }
///         }
///     }
///
/// Only the case ``local(_:)`` has credentials. So nobody can take a gateway's uid for the uid of a caller behind it.
public enum CallOrigin: Sendable, Hashable {
    /// A handler that the program calls directly, without a connection. A call over an `InProcessSocket` is ``local(_:)``.
    case inProcess
    /// From a process of this machine, with its credentials from the kernel.
    case local(PeerCredentials)
    /// From a process of this machine whose uid has no number in the server's user namespace. The kernel shows the same number for all of
    /// these (user_namespaces(7)), so it identifies none of them.
    case unmapped
    /// From behind a gateway: the process at the other end of the socket forwards the calls of others. The number identifies the connection within
    /// the server process.
    case remote(connection: UInt64)
}

extension CallOrigin {
    /// The caller's credentials; nil if the connection proves none.
    @inlinable public var credentials: PeerCredentials? {
        if case .local(let credentials) = self { credentials } else { nil }
    }

    /// Whether it is from behind a gateway.
    @inlinable public var isRemote: Bool {
        if case .remote = self { true } else { false }
    }
}

extension CallOrigin {
    /// The fields of a log line that say where a call, or a connection, comes from.
    package var logMetadata: Logger.Metadata {
        switch self {
        case .inProcess: [:]
        case .local(let peer): ["peer.pid": "\(peer.pid)", "peer.uid": "\(peer.uid)"]
        case .unmapped: ["peer": "unmapped"]
        case .remote: ["peer": "remote"]
        }
    }
}
