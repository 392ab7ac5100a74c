import GreeterMessages
import RPCCore
import RPCTesting
import Synchronization
import Testing

@testable import greeter_server

/// A handler is a value with async functions, so tests call it directly, without a socket or a server.
@Suite struct GreeterServiceTests {
    let service = GreeterService()
    let context = CallContext(peer: nil, metadata: Metadata(), deadline: .never, method: "test")

    @Test func greetsByName() async throws {
        #expect(try await service.sayHello(HelloRequest(name: "world"), context: context).text == "Hello, world!")
    }

    @Test func refusesAnEmptyName() async throws {
        let error = await #expect(throws: RPCError.self) { try await service.sayHello(HelloRequest(), context: context) }
        #expect(error?.code == .invalidArgument)
    }

    /// Tests with a server and a channel, so that the interceptor runs too.
    @Test func refusesStrangers() async throws {
        try await withInProcessServer(services: [service], interceptors: [RequireCaller()]) { channel in
            let greeter = GreeterClient(channel: channel)
            let error = await #expect(throws: RPCError.self) { try await greeter.sayHello(HelloRequest(name: "world")) }
            #expect(error?.code == .unauthenticated)
            let options = CallOptions(metadata: ["caller": "test"])
            let reply = try await greeter.sayHello(HelloRequest(name: "world"), options: options)
            #expect(reply.text == "Hello, world!")
        }
    }

    @Test func countsDownToZero() async throws {
        let written = Mutex<[UInt32]>([])
        try await service.countDown(
            CountDownRequest(from: 3), responses: MessageWriter { count in written.withLock { $0.append(count.number) } },
            context: context)
        #expect(written.withLock { $0 } == [3, 2, 1, 0])
    }

    @Test func greetsAllAtOnce() async throws {
        let requests = MessageStream(["Minji", "Jun"].map { HelloRequest(name: $0) })
        #expect(try await service.sayHelloToAll(requests, context: context).text == "Hello, Minji and Jun!")
    }
}
