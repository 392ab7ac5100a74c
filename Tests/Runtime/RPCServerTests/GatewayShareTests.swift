import RPCCore
import SocketTransport
import TestHarness
import Testing

@testable import RPCServer

/// Behind a gateway all people are one user. A connection that has much leaves a part of each limit to the others.
@Suite struct GatewayShareTests {
    /// Accounts of a gateway and of a uid, with a limit of 100 calls and 1,000 bytes.
    private static func accounts() throws -> (gateway: UserAccount, local: UserAccount, Accountant) {
        var limits = ServerLimits()
        limits.maximumConcurrentCallsPerUser = 100
        limits.maximumHeldByteCountPerUser = 1000
        let accountant = Accountant(CurrentLimits(limits), loopCount: 1, loopsAreBusy: { false })
        let limit = ConnectionLimit(own: 10)
        return (
            try #require(accountant.openConnection(of: AccountHolder(principal: .listener(1), uid: 33), limit)),
            try #require(accountant.openConnection(of: .uid(33), limit)), accountant
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
        let (gateway, local, _) = try Self.accounts()
        let taken = (0..<4).map { _ in Self.callsTaken(of: gateway) { gateway.takeCall(besides: $0) } }
        #expect(taken == [75, 13, 6, 3])
        #expect(gateway.callRefusal(besides: 75).limitReason == .userCalls)
        // The methods with reserved calls have a few more.
        #expect(gateway.takeReservedCall(besides: 0))
        #expect(Self.callsTaken(of: local) { local.takeCall(besides: $0) } == 100)
    }

    @Test("calls that are handled apart, and large requests, are shared in the same way")
    func largeCalls() throws {
        let (gateway, local, _) = try Self.accounts()
        func take(_ account: UserAccount) -> [Int] {
            (0..<2).map { _ in Self.callsTaken(of: account) { account.takeLargeCall(isApart: true, holding: 0, besides: ($0, 0)) == nil } }
        }
        #expect(take(gateway) == [18, 4])
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
        let (gateway, local, _) = try Self.accounts()
        for account in [gateway, local] { account.hold(750) }
        #expect(!gateway.isFull(forConnectionWith: 750))
        for account in [gateway, local] { account.hold(50) }
        #expect(gateway.isFull(forConnectionWith: 201) && !gateway.isFull(forConnectionWith: 200) && !gateway.isFull)
        #expect(gateway.memoryRefusal().limitReason == .userMemory)
        #expect(!local.isFull(forConnectionWith: 800))
        for account in [gateway, local] { account.hold(201) }
        #expect(gateway.isFull && local.isFull)
        for account in [gateway, local] { account.holdUnfinished(400) }
        #expect(gateway.hasTooMuchUnfinished(ofConnection: 101) && !gateway.hasTooMuchUnfinished(ofConnection: 100))
        #expect(!local.hasTooMuchUnfinished(ofConnection: 400))
    }

    /// Runs `body` with a gateway's socket of a server whose users have 1 MiB and 100 calls.
    private func withGateway(
        register: (inout Router) -> Void, _ body: (_ path: String, Server) async throws -> Void
    ) async throws {
        var limits = ServerLimits()
        limits.maximumHeldByteCountPerUser = 1 << 20
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
            // Together a little more than the limit.
            for _ in 0..<65 { await greedy.send(message) }
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
