import Dispatch
import ProtobufC
import RPCClient
import RPCCore
import Synchronization
import Testing

@testable import RPCServer

/// Handlers that end on another executor than their connection's loop: each call is answered, and so is the next one.
@Suite struct HandlerExecutorTests {
    /// The executor on which a handler ends, and the form of the handler.
    enum Place: String, CaseIterable, Sendable {
        case mainActor, mainActorFunction, mainActorMethod, actor, actorOfItsOwnQueue, functionValue, captureList, storedClosure, detachedTask

        func register(on router: inout Router) {
            let plain = PlainActor()
            let queued = QueuedActor()
            let service: any Answering = MainActorService()
            let method = TestMethods.echo
            switch self {
            case .mainActor: router.register(method) { @MainActor request, _ in try checked(request) }
            case .mainActorFunction: router.register(method, answerOnMainActor)
            // The same as in generated code.
            case .mainActorMethod: router.register(method) { request, context in try await service.answer(request, context: context) }
            case .actor: router.register(method) { request, _ in try await plain.answer(request) }
            case .actorOfItsOwnQueue: router.register(method) { request, _ in try await queued.answer(request) }
            case .functionValue: router.register(method, answerAnywhere)
            case .captureList: router.register(method) { [queued] request, _ in try await queued.answer(request) }
            case .storedClosure:
                let handler: @Sendable (Text, CallContext) async throws -> Text = { request, _ in try await queued.answer(request) }
                router.register(method, handler)
            case .detachedTask:
                router.register(method) { request, _ in try await Task.detached { try await queued.answer(request) }.value }
            }
        }
    }

    @Test("a handler may end on any executor, with an answer or an error", arguments: Place.allCases, [false, true])
    func ends(_ place: Place, isIntercepted: Bool) async throws {
        let interceptors: [any ServerInterceptor] = isIntercepted ? [PassingInterceptor()] : []
        try await withServer(interceptors: interceptors) { router in
            place.register(on: &router)
        } _: { server in
            try await withChannel(to: server.path) { channel in
                for number in 0..<20 {
                    let answer = try await channel.call(TestMethods.echo, "\(number)")
                    #expect(answer == "\(number)")
                    #expect(await code { try await channel.call(TestMethods.echo, "refuse") } == .notFound)
                }
            }
        }
    }

    @Test("a stream's handler may end on any executor", arguments: [false, true])
    func streamEnds(fails: Bool) async throws {
        let queued = QueuedActor()
        try await withServer { router in
            router.registerServerStreaming(StreamTests.watch) { request, responses, _ in
                try await responses.write(request)
                _ = try await queued.answer(fails ? text("refuse") : request)
            }
        } _: { server in
            try await withChannel(to: server.path) { channel in
                var received: [String] = []
                var failure: StatusCode?
                do throws(RPCError) {
                    for try await message in channel.serverStream(StreamTests.watch, text("x"), options: CallOptions()) {
                        received.append(message.value)
                    }
                } catch {
                    failure = error.code
                }
                #expect(received == ["x"])
                #expect(failure == (fails ? .notFound : nil))
            }
        }
    }

    @Test("a handler that cancels its own task cancels no other call")
    func cancelsItself() async throws {
        try await withServer { router in
            router.register(TestMethods.echo) { request, _ in
                let wasCancelled = Task.isCancelled
                withUnsafeCurrentTask { $0?.cancel() }
                return wasCancelled ? text("cancelled") : request
            }
        } _: { server in
            try await withChannel(to: server.path) { channel in
                for _ in 0..<10 {
                    let answer = try await channel.call(TestMethods.echo, "x")
                    #expect(answer == "x")
                }
            }
        }
    }

    @Test("a task that waits for the next handler holds nothing of the last")
    func parkedTaskHoldsNothing() async throws {
        // Over gRPC a call's context holds an object. It shows whether somebody still holds the context.
        let held = WeakReference()
        try await withServer { router in
            router.register(TestMethods.wait) { request, context in
                held.set(context.responseMetadata)
                return request
            }
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            try await withChannel(to: server.path, .grpc) { channel in
                let answer = try await channel.call(TestMethods.wait, "x")
                #expect(answer == "x" && held.wasSet)
                // When a second call is answered, the turn in which the first one ended is over.
                let other = try await channel.call(TestMethods.echo, "y")
                #expect(other == "y")
                #expect(held.isGone)
            }
        }
    }
}

private func checked(_ request: Text) throws -> Text {
    if request.value == "refuse" { throw RPCError(.notFound, "refused") }
    return request
}

@MainActor private func answerOnMainActor(_ request: Text, _ context: CallContext) async throws -> Text { try checked(request) }

private func answerAnywhere(_ request: Text, _ context: CallContext) async throws -> Text {
    await Task.yield()
    return try checked(request)
}

private protocol Answering: Sendable {
    func answer(_ request: Text, context: CallContext) async throws -> Text
}

@MainActor private final class MainActorService: Answering {
    nonisolated init() {}
    func answer(_ request: Text, context: CallContext) async throws -> Text { try checked(request) }
}

private actor PlainActor {
    func answer(_ request: Text) throws -> Text { try checked(request) }
}

/// An actor with a queue as its executor, like actors of some libraries.
private actor QueuedActor {
    private let executor = QueueExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    func answer(_ request: Text) throws -> Text { try checked(request) }
}

private final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "test.actor")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

private struct PassingInterceptor: ServerInterceptor {}

private final class WeakReference: Sendable {
    private struct Box {
        weak var object: ResponseMetadata?
        var wasSet = false
    }

    private let box = Mutex(Box())
    func set(_ object: ResponseMetadata?) {
        box.withLock { box in
            box.object = object
            box.wasSet = object != nil
        }
    }
    var wasSet: Bool { box.withLock { $0.wasSet } }
    var isGone: Bool { box.withLock { $0.object == nil } }
}
