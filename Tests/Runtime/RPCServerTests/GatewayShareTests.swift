import RPCCore
import SocketTransport
import TestHarness
import Testing

@testable import RPCServer

/// Behind a gateway all people are one user. A connection that has much leaves a part of each limit to the others.
@Suite struct GatewayShareTests {
    /// Accounts of a gateway and of a uid, with a limit of 100 calls and 1,000 bytes each.
    private static func accounts(memoryOfProcess: Int = 1 << 30) throws -> (gateway: UserAccount, local: UserAccount) {
        var limits = ServerLimits()
        limits.maximumHeldByteCount = memoryOfProcess
        limits.maximumConcurrentCallsPerUser = 100
        limits.maximumHeldByteCountPerUser = 1000
        let accountant = Accountant(CurrentLimits(limits), loopCount: 1, loopsAreBusy: { false })
        let limit = ConnectionLimit(own: 10)
        return (
            try #require(accountant.openConnection(of: AccountHolder(principal: .listener(1), uid: 33), limit)),
            try #require(accountant.openConnection(of: .uid(33), limit))
        )
    }

    /// How many calls a connection without any gets.
    private static func callsTaken(of account: UserAccount, by take: (Int) -> Bool) -> Int {
        var count = 0
        while take(count) { count += 1 }
        return count
    }

    @Test("each connection that takes all the calls that it gets leaves some to the next; a local user's connection may have all")
    func calls() throws {
        let (gateway, local) = try Self.accounts()
        let taken = (0..<4).map { _ in Self.callsTaken(of: gateway) { gateway.takeCall(besides: $0) } }
        #expect(taken == [75, 13, 6, 3])
        #expect(gateway.callRefusal(besides: 75).limitReason == .userCalls)
        // The methods with reserved calls have a few more.
        #expect(gateway.takeReservedCall(besides: 0))
        #expect(Self.callsTaken(of: local) { local.takeCall(besides: $0) } == 100)
    }

    @Test("calls that are handled apart, and large requests, are shared in the same way")
    func largeCalls() throws {
        let (gateway, local) = try Self.accounts()
        func take(_ account: UserAccount) -> [Int] {
            (0..<2).map { _ in Self.callsTaken(of: account) { account.takeLargeCall(isApart: true, holding: 0, besides: ($0, 0)) == nil } }
        }
        #expect(take(gateway) == [19, 3])
        #expect(take(local) == [25, 0])
        func takeBytes(_ account: UserAccount) -> [Int] {
            (0..<2).map { _ in
                Self.callsTaken(of: account) { account.takeLargeCall(isApart: false, holding: 10, besides: (0, 10 * $0)) == nil }
            }
        }
        #expect(takeBytes(gateway) == [37, 7])
        #expect(takeBytes(local) == [50, 0])
    }

    @Test("above three quarters, a connection is full that has more than what is left; small things are permitted up to the limit")
    func memory() throws {
        let (gateway, local) = try Self.accounts()
        for account in [gateway, local] { account.hold(750) }
        #expect(!gateway.isFull(forConnectionWith: 750))
        for account in [gateway, local] { account.hold(50) }
        #expect(gateway.isFull(forConnectionWith: 201) && !gateway.isFull(forConnectionWith: 200))
        #expect(!gateway.isFull && !gateway.isFull(forConnectionWith: 800, isSmall: true))
        #expect(gateway.memoryRefusal(ofConnectionWith: 201).limitReason == .userMemory)
        #expect(!local.isFull(forConnectionWith: 800))
    }

    @Test("a connection with little finds a quarter more than the limit")
    func little() throws {
        let (gateway, local) = try Self.accounts()
        for account in [gateway, local] { account.hold(1250) }
        // A 64th of the limit is little.
        #expect(gateway.isFull && gateway.isFull(forConnectionWith: 16, isSmall: true) && !gateway.isFull(forConnectionWith: 15))
        #expect(local.isFull(forConnectionWith: 15))
        gateway.hold(1)
        #expect(gateway.isFull(forConnectionWith: 0, isSmall: true) && gateway.memoryRefusal(ofConnectionWith: 0).limitReason == .userMemory)
    }

    @Test("half-received requests are shared alone, and together with large ones; so is what these grow by")
    func requests() throws {
        let (gateway, local) = try Self.accounts()
        for account in [gateway, local] { account.holdUnfinished(400) }
        #expect(gateway.hasTooMuchUnfinished(ofConnectionWith: 101) && !gateway.hasTooMuchUnfinished(ofConnectionWith: 100))
        #expect(!local.hasTooMuchUnfinished(ofConnectionWith: 400))
        for account in [gateway, local] { _ = account.takeLargeCall(isApart: false, holding: 200, besides: (0, 0)) }
        #expect(!gateway.hasTooMuchUnfinished(ofConnectionWith: 100) && gateway.hasTooMuchUnfinished(ofConnectionWith: 151))
        func next(_ account: UserAccount, _ own: Int) -> RPCError? { account.takeLargeCall(isApart: false, holding: 100, besides: (0, own)) }
        #expect(next(gateway, 200)?.limitReason == .userMemory && next(gateway, 100) == nil)
        #expect(next(local, 200) == nil)
        for account in [gateway, local] { account.holdUnfinished(-400) }
        // 300 are taken of 500.
        #expect(gateway.holdGrowth(100, of: 100, toConnectionWith: 250)?.limitReason == .userMemory)
        gateway.releaseGrowth(100)
        #expect(gateway.holdGrowth(100, of: 100, toConnectionWith: 200) == nil)
        #expect(local.holdGrowth(100, of: 100, toConnectionWith: 250) == nil)
    }

    @Test("over the limit of the process, a gateway is told of that limit, as long as its own is not reached")
    func limitOfProcess() throws {
        let (gateway, _) = try Self.accounts(memoryOfProcess: 900)
        gateway.hold(901)
        #expect(gateway.isFull && gateway.memoryRefusal().limitReason == .serverMemory)
        #expect(gateway.memoryRefusal(ofConnectionWith: 500).limitReason == .userMemory)
    }

    /// Runs `body` with a gateway's socket of a server whose users have 2 MiB and 100 calls.
    private func withGateway(
        register: (inout Router) -> Void, _ body: (_ path: String, Server) async throws -> Void
    ) async throws {
        var limits = ServerLimits()
        limits.maximumHeldByteCountPerUser = 2 << 20
        limits.maximumConcurrentCallsPerUser = 100
        let directory = TestDirectory()
        try await withServer(limits: limits, register: register) { server in
            server.server.start(on: try ListeningSocket(path: directory.socketPath), as: .remote)
            try await body(directory.socketPath, server.server)
        }
    }

    @Test("a stream whose requests fill the memory ends before others behind the gateway are refused")
    func queuedRequests() async throws {
        let opened = Counter(), release = Gate()
        try await withGateway { router in
            router.registerClientStreaming(StreamTests.upload) { _, _ in
                opened.increment()
                await release.wait()
                return text("")
            }
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { path, server in
            let greedy = try RawPeer(path), other = try RawPeer(path)
            await greedy.send(RawFrame.open(1, "Upload").bytes)
            await opened.reaches(1)
            let message = RawFrame.data(1, String(repeating: "x", count: 16 << 10)).bytes
            // Together less than the limit, and more than three quarters and what the server reads at once.
            for _ in 0..<118 { await greedy.send(message) }
            // The answer shows that all of them were read.
            await greedy.send(RawFrame.request(3, "Echo").bytes)
            let ended = await greedy.readFrame()
            #expect(ended?.streamID == 1 && ended?.statusCode == 8 && ended?.text.contains("USER_MEMORY") == true)
            #expect(await greedy.readFrame()?.streamID == 3)
            await other.send(RawFrame.request(1, "Echo").bytes)
            #expect(await other.readFrame()?.statusCode == 0)
            release.open()
        }
    }

    @Test("what nobody can drop fills the memory, and a connection with little is served all the same")
    func heldRequests() async throws {
        let opened = Counter(), release = Gate()
        try await withGateway { router in
            router.registerServerStreaming(StreamTests.watch) { _, _, _ in
                opened.increment()
                await release.wait()
            }
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { path, server in
            // Each request is held as long as its stream. Together they are just over the limit.
            let name = String(repeating: "x", count: 100 << 10)
            var greedy: [RawPeer] = []
            for number in 1...40 where server.users.map(\.heldByteCount).reduce(0, +) <= 2 << 20 {
                let peer = try RawPeer(path)
                await peer.send(RawFrame.request(1, "Watch", text: name).bytes)
                await opened.reaches(number)
                greedy.append(peer)
            }
            #expect(greedy.count < 40)
            let other = try RawPeer(path)
            await other.send(RawFrame.request(1, "Echo").bytes)
            #expect(await other.readFrame()?.statusCode == 0)
            // One with much is refused.
            let first = try #require(greedy.first)
            await first.send(RawFrame.request(3, "Watch", text: name).bytes)
            #expect(await first.readFrame()?.text.contains("USER_MEMORY") == true)
            release.open()
        }
    }

    @Test("the calls of one connection leave some to others behind the gateway")
    func places() async throws {
        let started = Counter(), release = Gate()
        try await withGateway { router in
            router.registerWait(until: release, started)
        } _: { path, server in
            let greedy = try RawPeer(path), other = try RawPeer(path)
            for id: UInt32 in 0..<100 { await greedy.send(RawFrame.request(2 * id + 1, "Wait").bytes) }
            for _ in 0..<25 {
                let refused = await greedy.readFrame()
                #expect(refused?.statusCode == 8 && refused?.text.contains("USER_CALLS") == true)
            }
            await started.reaches(75)
            await other.send(RawFrame.request(1, "Wait").bytes)
            await started.reaches(76)
            release.open()
            #expect(await other.readFrame()?.statusCode == 0)
        }
    }
}
