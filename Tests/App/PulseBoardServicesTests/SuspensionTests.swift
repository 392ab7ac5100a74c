import PulseBoardDomain
import Synchronization
import Testing

@testable import PulseBoardServices

@Suite("What is in memory is answered without suspending") struct SuspensionTests {
    /// Starts a call on this thread. Returns whether the call ended before it suspended.
    /// - Parameter release: lets the call continue when that is known.
    private func endsAtOnce(
        _ call: @escaping @Sendable () async throws -> Void, thenRelease release: () -> Void = {}
    ) async throws -> Bool {
        let isDone = Flag()
        let task = Task.immediate {
            try await call()
            isDone.set()
        }
        let endedAtOnce = isDone.isSet
        release()
        try await task.value
        return endedAtOnce
    }

    private final class Flag: Sendable {
        private let value = Mutex(false)
        var isSet: Bool { value.withLock { $0 } }
        func set() { value.withLock { $0 = true } }
    }

    @Test("authenticating and fetching the current user run to completion on the caller's thread")
    func hotPath() async throws {
        let bench = try await Bench()
        let auth = bench.services.auth
        let profiles = bench.services.profiles
        let follows = bench.services.follows
        let token = try await auth.signIn(peerUID: 1000).token
        let caller = try await auth.authenticate(token)
        _ = try await profiles.createProfile(username: "name", caller)

        // The first read has to ask the store, which shows that this test can fail. The store is held meanwhile:
        // otherwise it could answer before the read suspends.
        let (held, holder) = AsyncStream.makeStream(of: Void.self)
        bench.counted.pause("profile") { for await _ in held {} }
        let isCached = try await endsAtOnce {
            _ = try await profiles.fetchCurrentUser(caller)
        } thenRelease: {
            holder.finish()
        }
        #expect(!isCached)
        bench.counted.resetCalls()
        #expect(
            try await endsAtOnce {
                let caller = try await auth.authenticate(token)
                _ = try await profiles.fetchCurrentUser(caller)
                _ = try await follows.relationship(to: caller.userID, caller)
                _ = try await profiles.checkUsername("!", caller)
                _ = try await auth.authState(token)
            })
        #expect(bench.counted.calls() == 0)
    }
}
