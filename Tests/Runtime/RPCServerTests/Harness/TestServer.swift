import Logging
import ProtobufWellKnownTypes
import RPCClient
import RPCCore
import RPCServer
import SocketTransport
import TestHarness
import Testing

typealias Text = Google_Protobuf_StringValue
typealias Bytes = Google_Protobuf_BytesValue

/// The methods that the tests register.
enum TestMethods {
    static let service = "test.v1.TestService"
    static let echo = text("Echo")
    static let wait = text("Wait")
    static let fail = text("Fail")
    static let echoBytes = MethodDescriptor<Bytes, Bytes>(service: service, method: "EchoBytes", shape: .unary)

    static func text(_ name: String) -> MethodDescriptor<Text, Text> {
        MethodDescriptor(service: service, method: name, shape: .unary)
    }
}

extension Router {
    /// Registers `Wait`, which counts a call when it begins, and answers it with its request when the gate is open.
    mutating func registerWait(until release: Gate, _ started: Counter) {
        register(TestMethods.wait) { request, _ in
            started.increment()
            await release.wait()
            return request
        }
    }
}

/// A logger without output.
let silentLogger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

/// A server in this process, on a socket in a temporary directory.
struct TestServer {
    let directory: TestDirectory
    let server: Server

    var path: String { directory.socketPath }

    init(
        in directory: TestDirectory = TestDirectory(), limits: ServerLimits = ServerLimits(), loopCount: Int = 2,
        interceptors: [any ServerInterceptor] = [], observers: [any CallObserver] = [], logger: Logger = silentLogger,
        register: (inout Router) -> Void
    ) throws {
        var router = Router()
        register(&router)
        self.directory = directory
        var limits = limits
        // On a machine that is blocked for a while, this timeout must not occur unless a test sets it.
        if limits.firstByteTimeout == ServerLimits().firstByteTimeout { limits.firstByteTimeout = .seconds(3600) }
        if limits.unfinishedTimeout == ServerLimits().unfinishedTimeout { limits.unfinishedTimeout = .seconds(3600) }
        if limits.unreadOutputTimeout == ServerLimits().unreadOutputTimeout { limits.unreadOutputTimeout = .seconds(3600) }
        server = try Server(
            Server.Configuration(limits: limits, loopCount: loopCount), router: router, interceptors: interceptors,
            observers: observers, logger: logger)
        server.start(on: try ListeningSocket(path: directory.socketPath))
    }
}

/// Runs `body` with a server, and shuts it down afterwards in any case.
func withServer(
    limits: ServerLimits = ServerLimits(), loopCount: Int = 2, interceptors: [any ServerInterceptor] = [],
    observers: [any CallObserver] = [], logger: Logger = silentLogger, register: (inout Router) -> Void, _ body: (TestServer) async throws -> Void
) async throws {
    let server = try TestServer(
        limits: limits, loopCount: loopCount, interceptors: interceptors, observers: observers, logger: logger, register: register)
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await body(server)) } catch { outcome = .failure(error) }
    await server.server.shutdown(gracePeriod: .zero)
    try outcome.get()
}

/// The configuration of a channel to `path` with a protocol.
func channelConfiguration(_ path: String, _ wireProtocol: WireProtocol) -> Channel.Configuration {
    var configuration = Channel.Configuration(socketPath: path)
    configuration.wireProtocol = wireProtocol
    return configuration
}

/// Runs `body` with a channel to `path`, and closes it afterwards in any case.
func withChannel(
    to path: String, _ wireProtocol: WireProtocol = .ttrpc, maximumMessageByteCount: Int = 4 << 20,
    _ body: (Channel) async throws -> Void
) async throws {
    var configuration = channelConfiguration(path, wireProtocol)
    configuration.maximumMessageByteCount = maximumMessageByteCount
    let channel = try Channel(configuration)
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await body(channel)) } catch { outcome = .failure(error) }
    await channel.close()
    try outcome.get()
}

extension Channel {
    /// Calls a method with text as request and response.
    func call(
        _ method: MethodDescriptor<Text, Text>, _ text: String, timeout: Duration? = nil, metadata: Metadata = Metadata()
    ) async throws -> String {
        var request = Text()
        request.value = text
        return try await unary(method, request, options: CallOptions(timeout: timeout, metadata: metadata)).value
    }
}

/// The code with which a call fails; `nil` if it succeeds.
func code(_ call: () async throws -> some Any) async -> StatusCode? {
    do {
        _ = try await call()
        return nil
    } catch let error as RPCError {
        return error.code
    } catch {
        Issue.record(error, "calls fail with RPCError only")
        return nil
    }
}

func text(_ value: String) -> Text {
    var text = Text()
    text.value = value
    return text
}

func bytes(_ count: Int) -> Bytes {
    var bytes = Bytes()
    bytes.value = [UInt8](repeating: 7, count: count)
    return bytes
}
