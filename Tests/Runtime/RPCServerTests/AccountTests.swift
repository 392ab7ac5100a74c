import Dispatch
import Glibc
import ProtobufWellKnownTypes
import RPCClient
import RPCCore
import SocketTransport
import Testing

@testable import RPCServer

/// The limits of a user on all connections together, and the time limits for what a client has begun.
@Suite struct AccountTests {
    // MARK: Places

    @Test("a user's calls are limited on all connections together; what ends makes room")
    func callsPerUser() async throws {
        var limits = ServerLimits()
        limits.maximumConcurrentCallsPerUser = 2
        let started = Counter(), release = Gate()
        try await withServer(limits: limits) { router in
            router.registerWait(until: release, started)
        } _: { server in
            let peers = [try RawPeer(server.path), try RawPeer(server.path), try RawPeer(server.path)]
            for peer in peers[..<2] { await peer.send(RawFrame.request(1, "Wait").bytes) }
            await started.reaches(2)
            await peers[2].send(RawFrame.request(1, "Wait").bytes)
            #expect(await peers[2].readFrame()?.statusCode == 8)
            release.open()
            for peer in peers[..<2] { #expect(await peer.readFrame()?.statusCode == 0) }
            await peers[2].send(RawFrame.request(3, "Wait").bytes)
            #expect(await peers[2].readFrame()?.statusCode == 0)
        }
    }

    @Test("methods with reserved calls are served when all the others are taken")
    func reservedCalls() async throws {
        var limits = ServerLimits()
        // One place is reserved.
        limits.maximumConcurrentCalls = 64
        let started = Counter(), release = Gate()
        try await withServer(limits: limits) { router in
            router.registerWait(until: release, started)
            router.register(TestMethods.echo) { request, _ in request }
            router.register(TestMethods.fail) { request, _ in request }
            router.reserveCalls(for: [TestMethods.echo.path])
        } _: { server in
            let peer = try RawPeer(server.path), other = try RawPeer(server.path)
            for index: UInt32 in 0..<63 { await peer.send(RawFrame.request(1 + 2 * index, "Wait").bytes) }
            await started.reaches(63)
            await other.send(RawFrame.request(1, "Fail").bytes)
            #expect(await other.readFrame()?.statusCode == 8)
            await other.send(RawFrame.request(3, "Echo").bytes)
            #expect(await other.readFrame()?.statusCode == 0)
            release.open()
        }
    }

    @Test("idle connections of a user who has all the memory that one may have are closed, those with a call under way are not")
    func idleConnectionsMakeRoom() async throws {
        var limits = ServerLimits()
        limits.maximumHeldByteCountPerUser = 1 << 20
        let started = Counter(), release = Gate()
        try await withServer(limits: limits) { router in
            router.registerWait(until: release, started)
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            let idle = try RawPeer(server.path), busy = try RawPeer(server.path), greedy = try RawPeer(server.path)
            for peer in [idle, busy] {
                await peer.send(RawFrame.request(1, "Echo").bytes)
                #expect(await peer.readFrame()?.statusCode == 0)
            }
            await busy.send(RawFrame.request(3, "Wait").bytes)
            await started.reaches(1)
            let old = MonotonicClock.now() + ServerConnection.shortestIdleTime
            while MonotonicClock.now() < old { await Task.yield() }
            // Each waiting call counts 6 KiB. (Large requests alone get half of the memory.)
            for id in 0...(1 << 20) / UInt32(ServerConnection.waitingCallByteCount) { await greedy.send(RawFrame.request(2 * id + 1, "Wait").bytes) }
            #expect(await idle.readFrame() == nil)
            release.open()
            #expect(await busy.readFrame()?.statusCode == 0)
        }
    }

    @Test("an account outlives its connections as long as a call of its user's runs")
    func callsOutliveConnections() throws {
        let accountant = Accountant(CurrentLimits(ServerLimits()), loopCount: 2, loopsAreBusy: { false })
        let first = try #require(accountant.openConnection(of: .uid(1), ConnectionLimit(own: 1)))
        #expect(accountant.openConnection(of: .uid(1), ConnectionLimit(own: 1)) == nil)
        #expect(first.takeCall(besides: 0))
        accountant.closeConnection(of: first)
        let second = try #require(accountant.openConnection(of: .uid(1), ConnectionLimit(own: 1)))
        #expect(second === first)
        first.releaseCall()
        accountant.closeConnection(of: second)
        let third = try #require(accountant.openConnection(of: .uid(1), ConnectionLimit(own: 1)))
        #expect(third !== first)
    }

    @Test("on a gateway's listener each uid counts for itself, and the first leaves a part of the connections to others")
    func gatewayShares() throws {
        var limits = ServerLimits()
        limits.maximumConcurrentCallsPerUser = 1
        limits.maximumHeldByteCountPerUser = 1000
        let accountant = Accountant(CurrentLimits(limits), loopCount: 2, loopsAreBusy: { false })
        // All uids of the listener have half of these, which are 100.
        let limit = limits.connectionLimit(of: .listener(1), descriptors: 200)
        func holder(_ uid: UInt32) -> AccountHolder { AccountHolder(principal: .listener(1), uid: uid) }
        var accounts: [UInt32: [UserAccount]] = [:]
        for uid: UInt32 in [1500, 33, 1501] {
            while let account = accountant.openConnection(of: holder(uid), limit) { accounts[uid, default: []].append(account) }
        }
        #expect(accounts.mapValues(\.count) == [1500: 75, 33: 18, 1501: 5])
        let stranger = try #require(accounts[1500]?.first), gateway = try #require(accounts[33]?.first)
        #expect(stranger.takeCall(besides: 0) && !stranger.takeCall(besides: 0) && gateway.takeCall(besides: 0))
        stranger.hold(1001)
        #expect(stranger.isFull && !gateway.isFull)
        // Reports have one user for the listener.
        let usage = accountant.usage
        #expect(usage.map(\.principal) == [.listener(1)] && usage.map(\.connections) == [98] && usage.map(\.runningCalls) == [2])
        stranger.hold(-1001)
        for account in [stranger, gateway] { account.releaseCall() }
        for account in accounts.values.joined() { accountant.closeConnection(of: account) }
        #expect(accountant.connectionCount == 0)
        var alone = 0
        while accountant.openConnection(of: holder(33), limit) != nil { alone += 1 }
        #expect(alone == 75)
    }

    @Test("a gateway that is alone has its whole limit; with few descriptors three eighths of them", arguments: [
        (65_472, 16_384), (1_000, 375), (2, 1), (0, 1),
    ])
    func gatewayAlone(descriptors: Int, permitted: Int) {
        let limit = ServerLimits().connectionLimit(of: .listener(0), descriptors: descriptors)
        #expect((0...20_000).first { !limit.permits($0, ofAll: $0) } == permitted)
    }

    @Test("each uid of each listener has turns of its own in an event loop")
    func turns() {
        let holders: [AccountHolder] = [
            .uid(33), AccountHolder(principal: .listener(0), uid: 33), AccountHolder(principal: .listener(1), uid: 33),
            AccountHolder(principal: .listener(0), uid: .max), AccountHolder(principal: .listener(0), uid: 0), .uid(.max),
        ]
        #expect(Set(holders.map(\.number)).count == holders.count)
    }

    @Test("a process that is full refuses whoever holds more than an even part")
    func evenParts() throws {
        var limits = ServerLimits()
        limits.maximumHeldByteCount = 1000
        let accountant = Accountant(CurrentLimits(limits), loopCount: 2, loopsAreBusy: { false })
        let large = try #require(accountant.openConnection(of: .uid(1), ConnectionLimit(own: 1)))
        let small = try #require(accountant.openConnection(of: .uid(2), ConnectionLimit(own: 1)))
        large.hold(700)
        small.hold(300)
        #expect(!large.isFull && !small.isFull)
        small.hold(1)
        #expect(large.isFull && !small.isFull)
        large.hold(-1)
        #expect(!large.isFull)
    }

    @Test("other limits count at once: what is over a lower one stays, more is refused, and a higher one lets more in")
    func changedLimits() async throws {
        let started = Counter(), release = Gate()
        try await withServer { router in
            router.registerWait(until: release, started)
        } _: { server in
            let peer = try RawPeer(server.path)
            await peer.send(RawFrame.request(1, "Wait").bytes + RawFrame.request(3, "Wait").bytes)
            await started.reaches(2)
            var limits = server.server.limits
            limits.maximumConcurrentCallsPerUser = 1
            server.server.setLimits(limits)
            await peer.send(RawFrame.request(5, "Wait").bytes)
            #expect(await peer.readFrame()?.statusCode == 8)
            limits.maximumConcurrentCallsPerUser = 3
            server.server.setLimits(limits)
            await peer.send(RawFrame.request(7, "Wait").bytes)
            await started.reaches(3)
            limits.maximumConnectionsPerUID = 1
            server.server.setLimits(limits)
            let refused = try RawPeer(server.path)
            #expect(await refused.readFrame() == nil)
            limits.maximumConcurrentCallsPerConnection = 3
            server.server.setLimits(limits)
            await peer.send(RawFrame.request(9, "Wait").bytes)
            #expect(await peer.readFrame()?.statusCode == 8)
            release.open()
            for _ in 0..<3 { #expect(await peer.readFrame()?.statusCode == 0) }
        }
    }

    @Test("what a user holds is judged by the limit as it is now")
    func changedByteLimits() throws {
        let limits = CurrentLimits(ServerLimits())
        let accountant = Accountant(limits, loopCount: 2, loopsAreBusy: { false })
        let user = try #require(accountant.openConnection(of: .uid(1), ConnectionLimit(own: 1)))
        user.hold(1000)
        #expect(!user.isFull)
        var lower = ServerLimits()
        lower.maximumHeldByteCountPerUser = 999
        limits.set(lower)
        accountant.limitsHaveChanged()
        #expect(user.isFull)
        limits.set(ServerLimits())
        accountant.limitsHaveChanged()
        #expect(!user.isFull)
    }

    // MARK: Bytes

    @Test("requests of running calls count for their user: what is too much is refused with the limit's name, and room comes back")
    func heldRequests() async throws {
        var limits = ServerLimits()
        // There is room for nine such requests; the tenth exceeds it.
        limits.maximumHeldByteCountPerUser = 250_000
        let request = String(repeating: "x", count: 20_000)
        let started = Counter(), release = Gate()
        try await withServer(limits: limits) { router in
            router.register(TestMethods.wait) { _, _ in
                started.increment()
                await release.wait()
                return Text()
            }
        } _: { server in
            let peer = try RawPeer(server.path), other = try RawPeer(server.path)
            for index in 0..<10 {
                await peer.send(RawFrame.request(UInt32(1 + 2 * index), "Wait", text: request).bytes)
                await started.reaches(index + 1)
            }
            await eventually { server.server.heldByteCount > 250_000 }
            await other.send(RawFrame.request(1, "Wait").bytes)
            let refused = await other.readFrame()
            #expect(refused?.statusCode == 8)
            #expect(refused?.text.contains("USER_MEMORY") == true)
            #expect(refused?.text.contains("google.rpc.RetryInfo") == true)
            release.open()
            for _ in 0..<10 { #expect(await peer.readFrame()?.statusCode == 0) }
            await eventually { server.server.heldByteCount < 50_000 }
            await other.send(RawFrame.request(3, "Wait").bytes)
            #expect(await other.readFrame()?.statusCode == 0)
        }
    }

    @Test("a waiting call counts with the memory of its decoded request, which the loop or another thread has decoded", arguments: [1_000, 20_000])
    func decodedRequests(_ count: Int) async throws {
        let method = MethodDescriptor<Google_Rpc_BadRequest, Text>(service: TestMethods.service, method: "Many", shape: .unary)
        let started = Counter(), release = Gate()
        try await withServer { router in
            router.register(method) { request, _ in
                started.increment()
                await release.wait()
                return text("\(request.fieldViolations.count)")
            }
        } _: { server in
            let channel = try Channel(channelConfiguration(server.path, .ttrpc))
            let request = Google_Rpc_BadRequest(fieldViolations: Array(repeating: Google_Rpc_BadRequest.FieldViolation(), count: count))
            async let answer = channel.unary(method, request, options: CallOptions())
            await started.reaches(1)
            // Each violation has two bytes of the wire.
            await eventually { server.server.heldByteCount > count * 60 }
            release.open()
            #expect(try await answer.value == "\(count)")
            await eventually { server.server.heldByteCount < 60_000 }
        }
    }

    @Test("what handlers that were cancelled held is given back, although their connection says nothing more")
    func cancelledHandlers() async throws {
        let count = 200
        let started = Counter(), ended = Counter()
        try await withServer(loopCount: 1) { router in
            router.register(TestMethods.wait) { request, _ in
                started.increment()
                defer { ended.increment() }
                try await waitForCancellation()
                return request
            }
        } _: { server in
            let peer = try RawPeer(server.path)
            let path = "/test.v1.TestService/Wait", ids = (0...count).map { UInt32(2 * $0 + 1) }
            await peer.send(RawHTTP2.preface + ids.flatMap { RawHTTP2.call($0, path) })
            await started.reaches(count + 1)
            await eventually { server.server.heldByteCount > count << 10 }
            await peer.send(ids.dropFirst().flatMap(RawHTTP2.cancel))
            await ended.reaches(count)
            await eventually { server.server.heldByteCount < 60_000 }
        }
    }

    @Test("half-sent requests count for their user: the one that is too much is dropped, and its connection lives")
    func halfSentRequests() async throws {
        var limits = ServerLimits()
        limits.maximumHeldByteCountPerUser = 20 << 20  // half of it for half-sent requests
        // A slow machine must not drop the halves for their age, or close a connection before its first byte.
        limits.unfinishedTimeout = .seconds(3_600)
        limits.firstByteTimeout = .seconds(3_600)
        try await withServer(limits: limits) { router in
            // A large answer before its request is given back would be over the limit too, and idle connections would be closed for it.
            router.registerSynchronous(TestMethods.echo) { _, _ in text("taken") }
        } _: { server in
            let whole = RawFrame.request(1, "Echo", text: String(repeating: "x", count: 4_000_000)).bytes
            // Each counts as much as the whole frame.
            let first = [try RawPeer(server.path), try RawPeer(server.path)]
            for (index, peer) in first.enumerated() {
                await peer.send(Array(whole.dropLast()))
                await eventually { server.server.heldByteCount >= (index + 1) * 4_000_000 }
            }
            let late = try RawPeer(server.path)
            await late.send(whole)
            #expect(await late.readFrame()?.statusCode == 8)
            #expect(server.server.heldByteCount < 10 << 20)
            #expect(server.server.refusals.map(\.limit) == [.memoryPerUser])
            for (index, peer) in first.enumerated() {
                await peer.send([whole.last!])
                #expect(await peer.readFrame()?.statusCode == 0)
                // An answer can arrive before its loop has given back what it held. The next one on top of that would be over the limit.
                await eventually { server.server.heldByteCount < (2 - index) * 4_000_000 }
            }
            await late.send(RawFrame.request(3, "Echo", text: "now").bytes)
            #expect(await late.readFrame()?.statusCode == 0)
        }
    }

    @Test("answers that wait for a busy loop count for their user: what is too much is refused with the limit's name")
    func answersOffTheLoop() async throws {
        var limits = ServerLimits()
        limits.maximumHeldByteCountPerUser = 8 << 20
        let large = String(repeating: "x", count: 1 << 20)
        let gate = Gate(), blocked = Gate(), unblock = DispatchSemaphore(value: 0), made = Counter()
        try await withServer(limits: limits, loopCount: 1) { router in
            router.register(TestMethods.wait) { _, _ in
                await gate.wait()
                made.increment()
                return Text(value: large)
            }
            router.handleApart(TestMethods.wait)
            router.registerSynchronous(TestMethods.echo) { request, _ in
                blocked.open()
                unblock.wait()
                return request
            }
        } _: { server in
            let peers = try (0..<32).map { _ in try RawPeer(server.path) }
            for peer in peers { await peer.send(RawFrame.request(1, "Wait").bytes) }
            await eventually { server.server.runningCallCount == 32 }
            let blocker = try RawPeer(server.path)
            await blocker.send(RawFrame.request(1, "Echo").bytes)
            await blocked.wait()
            gate.open()
            // The loop takes nothing now. When the last answer is made, all others are encoded or refused.
            await made.reaches(32)
            await eventually { server.server.heldByteCount > 8 << 20 }
            unblock.signal()
            let codes = try await codes(of: peers)
            #expect(codes.count { $0 == 8 } >= 32 - 10)
            #expect(codes.count { $0 == 0 } + codes.count { $0 == 8 } == 32)
            await eventually { server.server.heldByteCount < 1 << 20 }
        }
    }

    @Test("answers made on the loop count before they are written: clients that read nothing get no more than the limit")
    func answersOnTheLoop() async throws {
        var limits = ServerLimits()
        limits.maximumHeldByteCountPerUser = 8 << 20
        // The kernel takes about the first half.
        let large = String(repeating: "x", count: 2 << 20)
        let gate = Gate()
        try await withServer(limits: limits, loopCount: 1) { router in
            router.register(TestMethods.wait) { _, _ in
                await gate.wait()
                return Text(value: large)
            }
        } _: { server in
            let peers = try (0..<40).map { _ in try RawPeer(server.path) }
            for peer in peers { await peer.send(RawFrame.request(1, "Wait").bytes) }
            await eventually { server.server.runningCallCount == 40 }
            gate.open()
            await eventually { server.server.runningCallCount == 0 }
            #expect(server.server.heldByteCount < 11 << 20)
            let codes = try await codes(of: peers)
            #expect(codes.contains(8))
            #expect(codes.count { $0 == 0 } + codes.count { $0 == 8 } == 40)
        }
    }

    /// The status codes of the next answers.
    private func codes(of peers: [RawPeer]) async throws -> [UInt8] {
        var codes: [UInt8] = []
        for peer in peers { codes.append(try #require(await peer.readFrame()).statusCode) }
        return codes
    }

    // MARK: Time

    @Test("a connection on which nothing is said is closed")
    func firstByte() async throws {
        var limits = ServerLimits()
        limits.firstByteTimeout = .milliseconds(20)
        try await withServer(limits: limits) { _ in } _: { server in
            let peer = try RawPeer(server.path)
            #expect(await peer.read(1) == [])
        }
    }

    @Test("a connection is closed whose frame does not come to its end")
    func halfFrame() async throws {
        var limits = ServerLimits()
        limits.unfinishedTimeout = .milliseconds(20)
        try await withServer(limits: limits) { _ in } _: { server in
            let peer = try RawPeer(server.path)
            await peer.send(Array(RawFrame.request(1, "Echo", text: "never whole").bytes.dropLast()))
            #expect(await peer.read(1) == [])
        }
    }

    @Test("half a message that had to wait for its reader is given up when the reader goes on and the rest does not come")
    func halfMessageAfterWait() async throws {
        var limits = ServerLimits()
        limits.unfinishedTimeout = .milliseconds(20)
        let mayRead = Gate(), taken = Counter()
        try await withServer(limits: limits) { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
            router.registerClientStreaming(StreamTests.upload) { requests, _ in
                await mayRead.wait()
                for try await _ in requests { taken.increment() }
                return text("")
            }
        } _: { server in
            let peer = try RawPeer(server.path)
            // The stream's window is 256 KiB. What these messages leave of it has no room for a frame of the long message that begins. Each write has
            // whole messages and arrives at once, because half a message would be given up before the reader waits.
            await peer.send(RawHTTP2.preface + RawHTTP2.settingsAcknowledgement + RawHTTP2.open(1, "/test.v1.TestService/Upload"))
            let message = [0, 0, 0, 4, 0] + RawFrame.field(1, [UInt8](repeating: 0x78, count: 1_021))
            let messages = Array(repeatElement(RawHTTP2.data(1, message), count: 10).joined())
            for _ in 0..<25 { await peer.send(messages) }
            // The answer of the other call shows that the server has all that was sent before.
            await peer.send(RawHTTP2.data(1, [0, 0, 1, 0, 0, 7]) + RawHTTP2.call(3, "/test.v1.TestService/Echo"))
            let other = await peer.readHTTP2End()
            #expect(other == .answer(3))
            // When the server has given up a half frame that came later, it has also looked at the half message.
            let later = try RawPeer(server.path)
            await later.send(Array(RawFrame.request(1, "Echo", text: "never whole").bytes.dropLast()))
            #expect(await later.read(1) == [])
            mayRead.open()
            let end = await peer.readHTTP2End()
            #expect(end == .answer(1))
            #expect(taken.value == 250)
        }
    }

    @Test("a shutdown does not wait for the end of a half-sent request")
    func halfSentAtDrain() async throws {
        var limits = ServerLimits()
        limits.unfinishedTimeout = .seconds(3600)
        limits.halfSentDrainTimeout = .milliseconds(20)
        let server = try TestServer(limits: limits) { $0.registerSynchronous(TestMethods.echo) { request, _ in request } }
        let peer = try RawPeer(server.path)
        await peer.send(RawFrame.request(1, "Echo").bytes + Array(RawFrame.request(3, "Echo", text: "never whole").bytes.dropLast()))
        #expect(await peer.readFrame()?.statusCode == 0)
        // The grace period is practically endless: a shutdown that waited for the request would not return.
        await server.server.shutdown(gracePeriod: .seconds(3600))
        #expect(server.server.connectionCount == 0)
    }

    @Test("a client that takes a byte now and then is given up as one that takes none; one that takes what there is, is not")
    func slowReader() async throws {
        let loop = try EventLoop(label: "test")
        let givenUp = Gate()
        let watch = LoopBound(UnreadOutputWatch(timeout: 50_000_000), to: loop)
        @Sendable func takeByte() {
            guard !givenUp.isOpen else { return }
            watch.value.wrote(1, waiting: 100_000, on: ConnectionExecutor(on: loop)) { givenUp.open() }
            _ = loop.schedule(at: MonotonicClock.now() + 5_000_000) { takeByte() }
        }
        loop.execute { takeByte() }
        await givenUp.wait()

        let taken = Counter(), other = Gate()
        let patient = LoopBound(UnreadOutputWatch(timeout: 50_000_000), to: loop)
        @Sendable func takeMuch() {
            patient.value.wrote(UnreadOutputWatch.progressByteCount, waiting: 1 << 20, on: ConnectionExecutor(on: loop)) { other.open() }
            taken.increment()
            _ = loop.schedule(at: MonotonicClock.now() + 5_000_000) { takeMuch() }
        }
        loop.execute { takeMuch() }
        await taken.reaches(40)
        #expect(!other.isOpen)
        await loop.stop()
    }
}

/// Waits until something has become true on other threads.
private func eventually(_ condition: @Sendable () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
}

extension RawFrame {
    var text: String { String(decoding: data, as: UTF8.self) }
}
