import Glibc
import RPCCore
import RPCServer
import SocketTransport
import TestHarness
import Testing

@testable import RPCClient

/// The client's side: connecting, losing a connection, cancelling, closing.
@Suite struct ChannelTests {
    @Test("no server is UNAVAILABLE, at once and every time; the next call finds one that has come up", arguments: WireProtocol.allCases)
    func noServer(_ wireProtocol: WireProtocol) async throws {
        let directory = TestDirectory()
        try await withChannel(to: directory.socketPath, wireProtocol) { channel in
            #expect(await code { try await channel.call(TestMethods.echo, "") } == .unavailable)
            // A stale socket file refuses connections.
            let stale = try TestServer(in: directory) { _ in }
            #expect(await code { try await channel.call(TestMethods.echo, "") } == .unimplemented)
            await stale.server.shutdown(gracePeriod: .zero)
            #expect(await code { try await channel.call(TestMethods.echo, "") } == .unavailable)
            let server = try TestServer(in: directory) { router in
                router.registerSynchronous(TestMethods.echo) { request, _ in request }
            }
            let answer = try await channel.call(TestMethods.echo, "up")
            #expect(answer == "up")
            await server.server.shutdown(gracePeriod: .zero)
        }
    }

    @Test("a server of an untrusted uid is UNAVAILABLE and sees no call; one of a trusted uid is called", arguments: WireProtocol.allCases)
    func untrustedServer(_ wireProtocol: WireProtocol) async throws {
        let server = try TestServer { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        }
        var configuration = channelConfiguration(server.path, wireProtocol)
        configuration.trustedServerUIDs = [geteuid() + 1]
        let wary = try Channel(configuration)
        #expect(await code { try await wary.call(TestMethods.echo, "secret") } == .unavailable)
        await wary.close()
        configuration.trustedServerUIDs = [geteuid()]
        let trusting = try Channel(configuration)
        #expect(try await trusting.call(TestMethods.echo, "hello") == "hello")
        await trusting.close()
        await server.server.shutdown(gracePeriod: .zero)
    }

    @Test("after a restart of the server the channel connects again, time after time", arguments: WireProtocol.allCases)
    func restarts(_ wireProtocol: WireProtocol) async throws {
        let directory = TestDirectory()
        try await withChannel(to: directory.socketPath, wireProtocol) { channel in
            for round in 0..<20 {
                let server = try TestServer(in: directory) { router in
                    router.registerSynchronous(TestMethods.echo) { request, _ in request }
                }
                let answer = try await channel.call(TestMethods.echo, "\(round)")
                #expect(answer == "\(round)")
                await server.server.shutdown(gracePeriod: .zero)
            }
        }
    }

    @Test("calls that are under way when the connection is lost end with UNAVAILABLE", arguments: WireProtocol.allCases)
    func lostConnection(_ wireProtocol: WireProtocol) async throws {
        let started = Counter()
        let server = try TestServer { router in
            router.register(TestMethods.wait) { request, _ in
                started.increment()
                try await waitForCancellation()
                return request
            }
        }
        try await withChannel(to: server.path, wireProtocol) { channel in
            await withTaskGroup(of: StatusCode?.self) { group in
                for _ in 0..<50 { group.addTask { await code { try await channel.call(TestMethods.wait, "") } } }
                await started.reaches(50)
                await server.server.shutdown(gracePeriod: .zero)
                for await end in group { #expect(end == .unavailable) }
            }
        }
    }

    @Test("cancelling the calling task ends the call, and only it", arguments: WireProtocol.allCases)
    func cancellation(_ wireProtocol: WireProtocol) async throws {
        let started = Counter(), release = Gate()
        try await withServer { router in
            router.registerWait(until: release, started)
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                let cancelled = Task { await code { try await channel.call(TestMethods.wait, "a") } }
                let kept = Task { try await channel.call(TestMethods.wait, "b") }
                await started.reaches(2)
                cancelled.cancel()
                #expect(await cancelled.value == .cancelled)
                release.open()
                // The answer to the cancelled call arrives too, and is ignored.
                let answer = try await kept.value
                #expect(answer == "b")
                let already = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    return await code { try await channel.call(TestMethods.wait, "c") }
                }
                #expect(await already.value == .cancelled)
            }
        }
    }

    @Test("closing a channel ends the calls under way; calls after it fail, and never hang", arguments: WireProtocol.allCases)
    func close(_ wireProtocol: WireProtocol) async throws {
        let started = Counter()
        try await withServer { router in
            router.register(TestMethods.wait) { request, _ in
                started.increment()
                try await waitForCancellation()
                return request
            }
        } _: { server in
            let channel = try Channel(channelConfiguration(server.path, wireProtocol))
            await withTaskGroup(of: StatusCode?.self) { group in
                for _ in 0..<20 { group.addTask { await code { try await channel.call(TestMethods.wait, "", timeout: .seconds(3600)) } } }
                await started.reaches(20)
                await channel.close()
                for await end in group { #expect(end == .unavailable) }
            }
            #expect(await code { try await channel.call(TestMethods.wait, "") } == .unavailable)
            #expect(await code { try await channel.call(TestMethods.wait, "", timeout: .seconds(3600)) } == .unavailable)
            await channel.close()
        }
    }

    @Test("calls made while the channel is being closed all end, one way or the other", arguments: WireProtocol.allCases)
    func closeRace(_ wireProtocol: WireProtocol) async throws {
        try await withServer { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            for _ in 0..<50 {
                let channel = try Channel(channelConfiguration(server.path, wireProtocol))
                await withTaskGroup(of: StatusCode?.self) { group in
                    for _ in 0..<8 { group.addTask { await code { try await channel.call(TestMethods.echo, "") } } }
                    group.addTask {
                        await channel.close()
                        return nil
                    }
                    for await end in group { #expect(end == nil || end == .unavailable) }
                }
            }
        }
    }

    @Test("a task on the channel's own executor may call, and call again from the answer", arguments: WireProtocol.allCases)
    func onOwnExecutor(_ wireProtocol: WireProtocol) async throws {
        try await withServer { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
        } _: { server in
            try await withChannel(to: server.path, wireProtocol) { channel in
                let last = try await Task(executorPreference: channel.executor) {
                    var answer = ""
                    for number in 0..<200 { answer = try await channel.call(TestMethods.echo, "\(number)") }
                    return answer
                }.value
                #expect(last == "199")
            }
        }
    }

    @Test(
        "ids exhausted after 2^31 calls: a connection whose stream ids run low is replaced, and closed when its last call has ended",
        arguments: WireProtocol.allCases)
    func renewal(_ wireProtocol: WireProtocol) async throws {
        let started = Counter(), release = Gate()
        try await withServer { router in
            router.registerSynchronous(TestMethods.echo) { request, _ in request }
            router.registerWait(until: release, started)
        } _: { server in
            var configuration = channelConfiguration(server.path, wireProtocol)
            configuration.renewalStreamID = 9
            let channel = try Channel(configuration)
            // Its connection was retired long before this call ends.
            let patient = Task { try await channel.call(TestMethods.wait, "patient") }
            await started.reaches(1)
            for number in 0..<100 {
                let answer = try await channel.call(TestMethods.echo, "\(number)")
                #expect(answer == "\(number)")
            }
            release.open()
            let answer = try await patient.value
            #expect(answer == "patient")
            await channel.close()
        }
    }

    @Test("a listener whose queue is full is waited for, until the deadline or the close", arguments: WireProtocol.allCases)
    func fullQueue(_ wireProtocol: WireProtocol) async throws {
        let directory = TestDirectory()
        let full = try FullListener(directory.socketPath)
        let channel = try Channel(channelConfiguration(directory.socketPath, wireProtocol))
        #expect(await code { try await channel.call(TestMethods.echo, "", timeout: .milliseconds(12)) } == .deadlineExceeded)
        // It runs at once, so it is on the loop before the next call, and was tried by that call's deadline.
        let waiting = Task.immediate { await code { try await channel.call(TestMethods.echo, "") } }
        #expect(await code { try await channel.call(TestMethods.echo, "", timeout: .milliseconds(12)) } == .deadlineExceeded)
        await channel.close()
        #expect(await waiting.value == .unavailable)
        full.close()
    }
}
