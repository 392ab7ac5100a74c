import Logging
import RPCClient
import RPCCore
import RPCServer
import SocketTransport

/// Runs `body` with a channel to a server of these services in the same process, then closes the channel and shuts the server down.
///
///     @Test func refusesAnEmptyName() async throws {
///         try await withInProcessServer(services: [GreeterService()]) { channel in
///             let error = await #expect(throws: RPCError.self) {
///                 try await GreeterClient(channel: channel).sayHello(HelloRequest())
///             }
///             #expect(error?.code == .invalidArgument)
///             #expect(error?.origin == .peer)
///         }
///     }
///
/// Everything happens as over a socket: interceptors, limits, deadlines, metadata, the wire protocol. No file is made. The peer of each call is
/// this process.
/// - Parameters:
///   - interceptors: they run before every handler; the first is the outermost.
///   - observers: observers of the calls.
///   - wireProtocol: the protocol. Only gRPC has response metadata.
///   - logger: the server's logger. Default: nothing is logged.
/// - Throws: ``SocketTransport/SocketError`` when the process is out of descriptors; errors of `body`.
nonisolated(nonsending) public func withInProcessServer<Result>(
    services: [any RPCService], interceptors: [any ServerInterceptor] = [], observers: [any CallObserver] = [],
    wireProtocol: WireProtocol = .ttrpc,
    logger: Logger = Logger(label: "rpc.test", factory: { _ in SwiftLogNoOpLogHandler() }),
    _ body: nonisolated(nonsending) (Channel) async throws -> Result
) async throws -> Result {
    let server = try Server(
        Server.Configuration(loopCount: 1), services: services, interceptors: interceptors, observers: observers, logger: logger)
    let socket = InProcessSocket()
    server.start(on: socket)
    var configuration = Channel.Configuration(target: .inProcess(socket))
    configuration.wireProtocol = wireProtocol
    do {
        let result = try await withChannel(configuration, body)
        await server.shutdown(gracePeriod: .zero)
        return result
    } catch {
        await server.shutdown(gracePeriod: .zero)
        throw error
    }
}
