import Glibc
import RPCClient
import RPCCore
import RPCServer
import SocketTransport
import Synchronization
import TestHarness
import Testing

/// `timeout_nano` and its effects.
@Suite struct DeadlineTests {
    @Test("a deadline that passes while the handler runs ends the call and cancels the handler")
    func whileRunning() async throws {
        let started = Gate(), cancelled = Gate()
        try await withServer { router in
            router.register(TestMethods.wait) { request, _ in
                try await waitForCancellation(started: started, heard: cancelled)
                return request
            }
        } _: { server in
            let peer = try RawPeer(server.path)
            let id = try await peer.letExpire(onceStarted: started) { RawFrame.request($0, "Wait", timeout: 1_000_000) }
            await cancelled.wait()
            // There is one answer, and the connection still works.
            await peer.send(RawFrame.request(id, "None").bytes)
            #expect(await peer.readFrame()?.streamID == id)
        }
    }

    @Test("a handler that answers after its deadline, having heard nothing, is answered for with DEADLINE_EXCEEDED", arguments: [true, false])
    func answeredTooLate(_ isSynchronous: Bool) async throws {
        @Sendable func idle(until deadline: Deadline) { while !deadline.hasPassed(at: MonotonicClock.now()) {} }
        try await withServer { router in
            if isSynchronous {
                router.registerSynchronous(TestMethods.wait) { request, context in
                    idle(until: context.deadline)
                    return request
                }
            } else {
                router.register(TestMethods.wait) { request, context in
                    idle(until: context.deadline)
                    return request
                }
            }
        } _: { server in
            let peer = try RawPeer(server.path)
            await peer.send(RawFrame.request(1, "Wait", timeout: 2_000_000).bytes)
            #expect(await peer.readFrame()?.statusCode == 4)
        }
    }

    @Test("a request that expires while it waits behind others in one burst is never started")
    func expiredInTheQueue() async throws {
        let starts = Mutex<[String]>([])
        try await withServer { router in
            router.registerSynchronous(TestMethods.wait) { request, _ in
                starts.withLock { $0.append("wait") }
                // Longer than the other's timeout, by the same clock.
                let end = MonotonicClock.now() + 3_000_000
                while MonotonicClock.now() < end {}
                return request
            }
            router.register(TestMethods.echo) { request, _ in
                starts.withLock { $0.append("echo") }
                return request
            }
        } _: { server in
            let peer = try RawPeer(server.path)
            await peer.send(RawFrame.request(1, "Wait").bytes + RawFrame.request(3, "Echo", timeout: 2_000_000).bytes)
            #expect(await peer.readFrame()?.statusCode == 0)
            #expect(await peer.readFrame()?.statusCode == 4)
            #expect(starts.withLock { $0 } == ["wait"])
        }
    }

    @Test("a negative timeout has passed already: the handler never starts", arguments: [-1, Int64.min])
    func negativeTimeout(_ timeout: Int64) async throws {
        let starts = Counter()
        try await withServer { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in
                starts.increment()
                return request
            }
        } _: { server in
            let peer = try RawPeer(server.path)
            await peer.send(RawFrame.request(1, "Echo", timeout: timeout).bytes)
            #expect(await peer.readFrame()?.statusCode == 4)
            #expect(starts.value == 0)
            // The longest timeout means no deadline, and not one in the past.
            await peer.send(RawFrame.request(3, "Echo", timeout: .max).bytes)
            #expect(await peer.readFrame()?.statusCode == 0)
        }
    }

    @Test(
        "a client stops waiting at its deadline though the server never answers; timeouts of zero and below have passed",
        arguments: WireProtocol.allCases)
    func clientSide(_ wireProtocol: WireProtocol) async throws {
        // A listener without a server: it accepts connections and answers nothing.
        let directory = TestDirectory()
        let socket = try ListeningSocket(path: directory.socketPath)
        try await withChannel(to: directory.socketPath, wireProtocol) { channel in
            #expect(await code { try await channel.call(TestMethods.echo, "", timeout: .milliseconds(2)) } == .deadlineExceeded)
            #expect(await code { try await channel.call(TestMethods.echo, "", timeout: .zero) } == .deadlineExceeded)
            #expect(await code { try await channel.call(TestMethods.echo, "", timeout: .seconds(-5)) } == .deadlineExceeded)
        }
        socket.close()
    }
}
