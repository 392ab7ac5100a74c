import RPCCore
import Synchronization
import TestHarness
import Testing

@testable import RPCServer

/// Streams of many small messages: other work of the loop runs between them, and what handlers hold of them is counted.
@Suite(.timeLimit(.minutes(2))) struct StreamFairnessTests {
    /// The numbers of two handlers, in the order in which they did something.
    private final class Order: Sendable {
        private let numbers = Mutex<[Int]>([])

        func note(_ number: Int) { numbers.withLock { $0.append(number) } }

        /// How often the other handler came next.
        var changeCount: Int { numbers.withLock { numbers in zip(numbers, numbers.dropFirst()).count { $0 != $1 } } }
        var count: Int { numbers.withLock { $0.count } }
    }

    @Test("two handlers that have a thousand small requests queued take turns")
    func readers() async throws {
        let order = Order(), started = Counter(), release = Gate()
        try await withServer(loopCount: 1) { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
            // On the loop, so that both handlers are ready before one runs.
            router.registerSynchronous(TestMethods.fail) { request, _ in
                release.open()
                return request
            }
            router.registerClientStreaming(StreamTests.upload) { requests, _ in
                started.increment()
                let number = started.value
                await release.wait()
                for try await _ in requests { order.note(number) }
                return text("")
            }
        } _: { server in
            let peers = [try RawPeer(server.path), try RawPeer(server.path)]
            for (index, peer) in peers.enumerated() {
                await peer.send(RawFrame.open(1, "Upload").bytes)
                await started.reaches(index + 1)
                await peer.send([UInt8](repeatElement(RawFrame.data(1, "x").bytes, count: 1000).joined()))
                await peer.send(RawFrame.close(1).bytes + RawFrame.request(3, "Echo").bytes)
                // The answer shows that everything before it was read.
                #expect(await peer.readFrame()?.streamID == 3)
            }
            await peers[0].send(RawFrame.request(5, "Fail").bytes)
            #expect(Set([await peers[0].readFrame()?.streamID, await peers[0].readFrame()?.streamID]) == [1, 5])
            #expect(await peers[1].readFrame()?.streamID == 1)
        }
        #expect(order.count == 2000)
        // Without turns it is 1.
        #expect(order.changeCount > 2)
    }

    @Test("two handlers that write a thousand small responses take turns")
    func writers() async throws {
        let order = Order(), started = Counter(), release = Gate()
        try await withServer(loopCount: 1) { router in
            router.registerSynchronous(TestMethods.fail) { request, _ in
                release.open()
                return request
            }
            router.registerServerStreaming(StreamTests.watch) { _, responses, _ in
                started.increment()
                let number = started.value
                await release.wait()
                for _ in 0..<1000 {
                    try await responses.write(text("x"))
                    order.note(number)
                }
            }
        } _: { server in
            let peers = [try RawPeer(server.path), try RawPeer(server.path)]
            for (index, peer) in peers.enumerated() {
                await peer.send(RawFrame.request(1, "Watch").bytes)
                await started.reaches(index + 1)
            }
            await peers[0].send(RawFrame.request(3, "Fail").bytes)
            for _ in 0...1001 { #expect(await peers[0].readFrame() != nil) }
            for _ in 0...1000 { #expect(await peers[1].readFrame()?.streamID == 1) }
        }
        #expect(order.changeCount > 2)
    }

    @Test("what a handler has taken counts for nothing when its connection and then the handler have ended")
    func endedConnections() async throws {
        let started = Counter(), ended = Counter(), release = Gate()
        try await withServer { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
            router.registerBidirectionalStreaming(StreamTests.chat) { requests, _, _ in
                var requests = requests.makeAsyncIterator()
                _ = try await requests.next()
                started.increment()
                // It ignores its cancellation.
                await release.wait()
                ended.increment()
            }
        } _: { server in
            for number in 1...20 {
                let peer = try RawPeer(server.path)
                await peer.send(RawFrame.open(1, "Chat").bytes + RawFrame.data(1, String(repeating: "x", count: 50_000)).bytes)
                await started.reaches(number)
                await peer.send(RawFrame.request(3, "Echo").bytes)
                #expect(await peer.readFrame()?.streamID == 3)
            }
            #expect(server.server.heldByteCount > 20 * 50_000)
            release.open()
            await ended.reaches(20)
            await until { server.server.heldByteCount == 0 }
        }
    }

    @Test("a request that a stream's handler has taken, and a response that waits for the client's window, count as held memory")
    func heldByHandlers() async throws {
        let started = Counter()
        try await withServer { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
            router.registerBidirectionalStreaming(StreamTests.chat) { requests, responses, _ in
                for try await request in requests {
                    started.increment()
                    try await responses.write(request)
                }
            }
        } _: { server in
            let peer = try RawPeer(server.path)
            let before = server.server.heldByteCount
            for id in stride(from: UInt32(1), to: 101, by: 2) {
                var opening = RawFrame.open(id, "Chat")
                let none = RawFrame.field(1, Array("pulse-ttrpc".utf8)) + RawFrame.field(2, Array("window=0".utf8))
                opening.data += RawFrame.field(5, none)
                await peer.send(opening.bytes + RawFrame.data(id, String(repeating: "x", count: 50_000)).bytes)
            }
            await started.reaches(50)
            // Each holds the request, and the response that is the same. A connection reports its memory when it has read something.
            var next: UInt32 = 101
            func held() async -> Int {
                next += 2
                await peer.send(RawFrame.request(next, "Echo").bytes)
                while let answer = await peer.readFrame(), answer.streamID != next {}
                return server.server.heldByteCount - before
            }
            while await held() < 50 * 100_000 {}
            for id in stride(from: UInt32(1), to: 101, by: 2) { await peer.send(RawFrame.cancel(id).bytes) }
            while await held() > 100_000 {}
        }
    }
}
