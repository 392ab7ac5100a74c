import RPCCore
import StandardServiceMessages
import Synchronization
import Testing

@testable import RPCStandardServices

@Suite struct HealthServiceTests {
    private typealias WireStatus = Grpc_Health_V1_HealthCheckResponse.ServingStatus
    private static let context = CallContext(peer: nil, metadata: Metadata(), deadline: .never, method: "grpc.health.v1.Health/Check")

    private func check(_ health: HealthService, _ service: String) async throws -> WireStatus {
        try await health.check(.init(service: service), context: Self.context).status
    }

    /// Starts a watch in a separate task, with its messages.
    private func watch(
        _ health: HealthService, _ service: String
    ) -> (task: Task<Void, any Error>, statuses: AsyncStream<WireStatus>.Iterator) {
        let (statuses, continuation) = AsyncStream<WireStatus>.makeStream()
        let task = Task {
            defer { continuation.finish() }
            try await health.watch(
                .init(service: service), responses: MessageWriter { continuation.yield($0.status) }, context: Self.context)
        }
        return (task, statuses.makeAsyncIterator())
    }

    @Test("The server and its services serve from the start; a stranger is NOT_FOUND")
    func check() async throws {
        let health = HealthService(services: ["a.A"])
        #expect(try await check(health, "") == .serving)
        #expect(try await check(health, "a.A") == .serving)
        let error = await #expect(throws: RPCError.self) { try await check(health, "b.B") }
        #expect(error?.code == .notFound)
        health.setStatus(.notServing, for: "a.A")
        #expect(try await check(health, "a.A") == .notServing)
        #expect(try await check(health, "") == .serving)
        health.setStatus(.unknown, for: "b.B")
        #expect(try await check(health, "b.B") == .unknown)
        health.clearStatus(for: "b.B")
        await #expect(throws: RPCError.self) { try await check(health, "b.B") }
    }

    @Test("List has every service with its status, and the server as a whole, up to a hundred of them")
    func list() async throws {
        let health = HealthService(services: ["a.A", "b.B"])
        func listed() async throws -> [String: WireStatus] {
            try await health.list(Grpc_Health_V1_HealthListRequest(), context: Self.context).statuses.mapValues(\.status)
        }
        health.setStatus(.notServing, for: "a.A")
        health.setStatus(.unknown, for: "c.C")
        #expect(try await listed() == ["": .serving, "a.A": .notServing, "b.B": .serving, "c.C": .unknown])
        health.clearStatus(for: "c.C")
        for number in 0..<97 { health.setStatus(.serving, for: "n\(number)") }
        #expect(try await listed().count == 100)
        health.setStatus(.serving, for: "one more")
        let error = await #expect(throws: RPCError.self) { try await listed() }
        #expect(error?.code == .resourceExhausted)
        health.clearStatus(for: "one more")
        health.enterTerminalState()
        #expect(try await Set(listed().values) == [.notServing])
    }

    @Test("A watch of a stranger says SERVICE_UNKNOWN, stays open and hears that it has come")
    func watchUnknown() async throws {
        let health = HealthService()
        var (task, statuses) = watch(health, "late.Service")
        #expect(await statuses.next() == .serviceUnknown)
        health.setStatus(.serving, for: "late.Service")
        #expect(await statuses.next() == .serving)
        health.setStatus(.notServing, for: "other.Service")
        health.clearStatus(for: "late.Service")
        #expect(await statuses.next() == .serviceUnknown)
        #expect(health.watcherCount == 1)
        task.cancel()
        #expect(await statuses.next() == nil)
        _ = await task.result
        #expect(health.watcherCount == 0)
    }

    @Test("A name of more than 256 bytes is a stranger's, and is neither looked up nor kept")
    func longNames() async throws {
        let longest = String(repeating: "a", count: 256)
        let health = HealthService(services: [longest])
        #expect(try await check(health, longest) == .serving)
        // Half a million marks: if they were hashed or compared as characters, this test would take an hour.
        let hostile = String(repeating: "\u{0301}\u{0323}", count: 250_000)
        let error = await #expect(throws: RPCError.self) { try await check(health, hostile) }
        #expect(error?.code == .notFound)
        var (task, statuses) = watch(health, hostile)
        #expect(await statuses.next() == .serviceUnknown)
        health.setStatus(.notServing, for: longest)
        health.enterTerminalState()
        #expect(await statuses.next() == nil)
        await #expect(throws: RPCError.self) { try await task.value }
    }

    @Test("The terminal state: everything is NOT_SERVING for good, and watches end after saying so")
    func terminal() async throws {
        let health = HealthService(services: ["a.A"])
        var (task, statuses) = watch(health, "a.A")
        #expect(await statuses.next() == .serving)
        health.enterTerminalState()
        #expect(await statuses.next() == .notServing)
        #expect(await statuses.next() == nil)
        let error = await #expect(throws: RPCError.self) { try await task.value }
        #expect(error?.code == .unavailable)
        health.setStatus(.serving, for: "a.A")
        health.clearStatus(for: "a.A")
        health.enterTerminalState()
        #expect(try await check(health, "a.A") == .notServing)
        #expect(try await check(health, "") == .notServing)
        var (late, lateStatuses) = watch(health, "")
        #expect(await lateStatuses.next() == .notServing)
        #expect(await lateStatuses.next() == nil)
        await #expect(throws: RPCError.self) { try await late.value }
        #expect(health.watcherCount == 0)
    }

    @Test("A watcher whose client is gone is forgotten")
    func writeFails() async throws {
        let health = HealthService()
        let gone = MessageWriter<Grpc_Health_V1_HealthCheckResponse> { (_) async throws(RPCError) in
            throw RPCError(.cancelled, "gone")
        }
        await #expect(throws: RPCError(.cancelled, "gone")) {
            try await health.watch(.init(), responses: gone, context: Self.context)
        }
        #expect(health.watcherCount == 0)
    }

    @Test("as a service of a server they describe those before them")
    func amongServices() {
        struct Other: RPCService {
            func register(on router: inout Router) {
                router.registerSynchronous(MethodDescriptor<Grpc_Health_V1_HealthCheckRequest, Grpc_Health_V1_HealthCheckRequest>(
                    service: "a.A", method: "M", shape: .unary)) { request, _ in request }
            }
        }
        let router = Router(services: [Other(), StandardServices(describing: [])])
        #expect(
            router.serviceNames == ["a.A", "grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection"]
        )
    }
}
