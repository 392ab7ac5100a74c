import RPCClient
import RPCCore
import Testing

@testable import RPCServer

/// How many large requests a user may have at once, and how much memory they may take.
@Suite struct LargeRequestPlaceTests {
    @Test("a quarter of a user's calls may be handled apart, and each end frees a place", arguments: WireProtocol.allCases)
    func placesApart(_ wireProtocol: WireProtocol) async throws {
        var limits = ServerLimits()
        limits.maximumConcurrentCallsPerUser = 8
        let started = Counter(), release = Gate()
        try await withServer(limits: limits) { router in
            router.register(TestMethods.wait) { request, _ in
                started.increment()
                if request.value != "passing" { await release.wait() }
                return request
            }
            router.handleApart(TestMethods.wait)
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                try await withThrowingTaskGroup { group in
                    for _ in 0..<2 { group.addTask { try await channel.call(TestMethods.wait, "x") } }
                    await started.reaches(2)
                    let refused = await #expect(throws: RPCError.self) { _ = try await channel.call(TestMethods.wait, "x") }
                    #expect(refused?.code == .resourceExhausted && refused?.details.isEmpty == false)
                    #expect(server.server.users.map(\.runningCalls) == [2])
                    // Other calls go on.
                    let answer = try await channel.call(TestMethods.echo, "y")
                    #expect(answer == "y")
                    release.open()
                    for try await answer in group { #expect(answer == "x") }
                    for _ in 0..<3 {
                        let passed = try await channel.call(TestMethods.wait, "passing")
                        #expect(passed == "passing")
                    }
                }
            }
        }
    }

    @Test("large requests may take half of a user's memory, one always, and each end gives it back", arguments: WireProtocol.allCases)
    func memoryApart(_ wireProtocol: WireProtocol) async throws {
        var limits = ServerLimits()
        limits.maximumHeldByteCountPerUser = 448 << 10
        let started = Counter(), release = Gate()
        // Two fit into the half, three do not. Three together are shorter than what is dropped while it is half-received.
        let large = String(repeating: "x", count: 80 << 10)
        try await withServer(limits: limits) { router in
            router.register(TestMethods.wait) { request, _ in
                started.increment()
                await release.wait()
                return Text(value: "\(request.value.utf8.count)")
            }
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                try await withThrowingTaskGroup { group in
                    for _ in 0..<2 { group.addTask { try await channel.call(TestMethods.wait, large) } }
                    await started.reaches(2)
                    let refused = await #expect(throws: RPCError.self) { _ = try await channel.call(TestMethods.wait, large) }
                    #expect(refused?.code == .resourceExhausted && refused?.limitReason == .userMemory)
                    #expect(server.server.users.map(\.runningCalls) == [2])
                    // Small requests go on.
                    let answer = try await channel.call(TestMethods.echo, "y")
                    #expect(answer == "y")
                    release.open()
                    for try await answer in group { #expect(answer == "\(large.utf8.count)") }
                    for _ in 0..<3 {
                        // More than the half, but alone.
                        let passed = try await channel.call(TestMethods.wait, large + large + large)
                        #expect(passed == "\(3 * large.utf8.count)")
                    }
                }
            }
        }
    }

    @Test("large and half-received requests together leave a quarter, and small requests are not refused because of large ones")
    func quarterForSmallOnes() throws {
        var limits = ServerLimits()
        limits.maximumHeldByteCountPerUser = 1000
        let accountant = Accountant(CurrentLimits(limits), loopCount: 1, loopsAreBusy: { false })
        let account = try #require(accountant.openConnection(of: .uid(1), ConnectionLimit(own: 1)))
        account.holdUnfinished(500)
        // Alone, however large.
        #expect(account.takeLargeCall(isApart: true, holding: 900, besides: (0, 0)) == nil)
        account.releaseLargeCall(isApart: true, holding: 900)
        #expect(account.takeLargeCall(isApart: true, holding: 300, besides: (0, 0)) == nil)
        #expect(account.takeLargeCall(isApart: true, holding: 100, besides: (0, 0))?.limitReason == .userMemory)
        #expect(account.takeLargeCall(isApart: true, holding: 0, besides: (0, 0)) == nil)
        account.holdUnfinished(-400)
        #expect(account.takeLargeCall(isApart: false, holding: 100, besides: (0, 0)) == nil)
        // The first grows beyond the half, although others have something of it.
        #expect(account.holdGrowth(200, of: 300, toConnectionWith: 200)?.limitReason == .userMemory)
        account.releaseGrowth(200)
        account.releaseLargeCall(isApart: false, holding: 100)
        #expect(account.holdGrowth(200, of: 300, toConnectionWith: 200) == nil)
        #expect(account.takeLargeCall(isApart: true, holding: 1, besides: (0, 0))?.limitReason == .userMemory)
        account.releaseGrowth(200)
        #expect(account.takeLargeCall(isApart: true, holding: 1, besides: (0, 0)) == nil)
    }
}
