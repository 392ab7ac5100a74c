import Glibc
import RPCClient
import RPCCore
import RPCServer
import SocketTransport
import Testing

/// The end of a server: what runs is finished, what comes is refused, and nothing keeps it for ever.
@Suite struct ShutdownTests {
    @Test("calls that run when the shutdown begins are finished and answered; new ones are refused; then it ends")
    func drains() async throws {
        let started = Counter(), release = Gate()
        let server = try TestServer { router in
            router.register(TestMethods.wait) { request, _ in
                started.increment()
                await release.wait()
                return request
            }
        }
        let idle = try RawPeer(server.path)
        await idle.send(RawFrame.request(1, "None").bytes)
        #expect(await idle.readFrame() != nil)
        let busy = try RawPeer(server.path)
        await busy.send(RawFrame.request(1, "Wait", text: "a").bytes + RawFrame.request(3, "Wait", text: "b").bytes)
        await started.reaches(2)
        async let shutdown: Void = server.server.shutdown(gracePeriod: .seconds(1 << 40))
        // The idle connection's end shows that the shutdown has begun; the busy one may be on the other loop, so ask it until it knows.
        #expect(await idle.readFrame() == nil)
        var id: UInt32 = 5
        var refusal: UInt8?
        repeat {
            await busy.send(RawFrame.request(id, "None").bytes + RawFrame.request(id + 2, "Wait", timeout: 1_000_000).bytes)
            _ = await busy.readFrame()
            refusal = await busy.readFrame()?.statusCode
            id += 4
        } while refusal == 4
        #expect(refusal == 14)
        release.open()
        let answers = [await busy.readFrame(), await busy.readFrame()]
        #expect(Set(answers.map { $0?.streamID }) == [1, 3])
        #expect(answers.allSatisfy { $0?.statusCode == 0 })
        #expect(await busy.readFrame() == nil)
        await shutdown
        #expect(access(server.path, F_OK) != 0)
    }

    @Test("what still runs after the grace period is cancelled and answered UNAVAILABLE")
    func gracePeriodEnds() async throws {
        let started = Gate(), cancelled = Gate()
        let server = try TestServer { router in
            router.register(TestMethods.wait) { request, _ in
                do { try await waitForCancellation(started: started) } catch {
                    cancelled.open()
                    throw error
                }
                return request
            }
        }
        let peer = try RawPeer(server.path)
        await peer.send(RawFrame.request(1, "Wait").bytes)
        await started.wait()
        await server.server.shutdown(gracePeriod: .milliseconds(1))
        await cancelled.wait()
        #expect(await peer.readFrame()?.statusCode == 14)
        #expect(await peer.readFrame() == nil)
    }

    @Test("a peer that reads nothing does not keep the server from ending")
    func silentPeer() async throws {
        let grow = MethodDescriptor<Text, Bytes>(service: TestMethods.service, method: "Grow", shape: .unary)
        let answered = Counter()
        let server = try TestServer { router in
            router.registerSynchronous(grow) { _, _ in
                answered.increment()
                return bytes(4_000_000)
            }
        }
        let peer = try RawPeer(server.path)
        await peer.send(RawFrame.request(1, "Grow").bytes)
        await answered.reaches(1)
        await server.server.shutdown(gracePeriod: .zero)
        #expect(access(server.path, F_OK) != 0)
    }

    @Test("two shutdowns at once both return")
    func twice() async throws {
        let started = Gate()
        let server = try TestServer { router in
            router.register(TestMethods.wait) { request, _ in
                try await waitForCancellation(started: started)
                return request
            }
        }
        let peer = try RawPeer(server.path)
        await peer.send(RawFrame.request(1, "Wait").bytes)
        await started.wait()
        async let first: Void = server.server.shutdown(gracePeriod: .milliseconds(5))
        async let second: Void = server.server.shutdown(gracePeriod: .zero)
        _ = await (first, second)
    }
}
