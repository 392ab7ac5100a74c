import Dispatch
import PulseBoardDomain
import PulseBoardServices
import Synchronization
import TestHarness
import TestPostgreSQL
import Testing

@testable import StorePostgreSQL

/// What a server answers after another one's write.
@Suite("Consistency of several servers", .timeLimit(.minutes(5))) struct ConsistencyTests {
    /// The consistency for which the reader asks.
    enum Asking: CaseIterable { case withToken, forLatest }

    @Test("with the token of a write, or for the latest, another server answers with that write at once", arguments: Asking.allCases)
    func ownWrites(_ asking: Asking) async throws {
        let servers = try await TwoServers()
        let (first, second, token, caller) = (servers.first, servers.second, servers.token, servers.caller)
        let bounded = try await second.auth.authenticate(token)
        // Without such a request, memory answers. If it never did, this test would prove nothing.
        var stale = 0
        var number = 0
        while number < 30 || stale == 0 {
            number += 1
            _ = try await second.profiles.profile(of: caller.userID, bounded)
            _ = try await first.profiles.updateProfile(
                ProfileUpdate(paths: ["status_message"], texts: [.statusMessage: "\(number)"]), caller)
            let written = try #require(first.auth.consistencyToken(after: caller.userID))
            if second.profiles.cachedProfile(of: caller.userID, bounded)?.profile.texts[.statusMessage] == "\(number - 1)" { stale += 1 }
            let asked = asking == .withToken ? try #require(Consistency(text: "\(written)")) : .latest
            let there = try await second.auth.authenticate(token, asked)
            #expect(try await second.profiles.profile(of: caller.userID, there).texts[.statusMessage] == "\(number)")
            #expect(try await second.auth.authState(token, asked) == .ready(caller.userID))
        }
        try await first.auth.signOut(caller)
        let ended = try #require(first.auth.consistencyToken(after: caller.userID))
        let asked = asking == .withToken ? try #require(Consistency(text: "\(ended)")) : .latest
        await #expect(throws: RepositoryError.notAuthenticated) { try await second.auth.authenticate(token, asked) }
        #expect(try await second.auth.authState(token, asked) == .signedOut)
        try servers.close()
    }

    @Test("a token that a server knows of is answered from memory; one of a write that never was is not, and is no failure")
    func knownTokens() async throws {
        let store = try PostgreSQLStore(address: try TestCluster.shared.get().makeDatabase())
        let services = try await Services(store: store, configuration: ServicesConfiguration(trustedUIDs: [0]))
        let token = try await services.auth.signIn(peerUID: 0).token
        let caller = try await services.auth.authenticate(token)
        _ = try await services.profiles.createProfile(username: "minji", caller)
        _ = try await services.profiles.updateProfile(ProfileUpdate(paths: ["status_message"], texts: [.statusMessage: "new"]), caller)
        let written = try #require(services.auth.consistencyToken(after: caller.userID))
        let known = try #require(Consistency(text: "\(written)"))
        // The store's next look reads the change, and the read after that fills memory.
        var cached: CachedProfile?
        while cached == nil {
            let asking = try await services.auth.authenticate(token, known)
            _ = try await services.profiles.profile(of: caller.userID, asking)
            cached = services.profiles.cachedProfile(of: caller.userID, asking)
        }
        #expect(cached?.profile.texts[.statusMessage] == "new")
        let unheard = try #require(Consistency(text: "1.\(UserBucket.of(caller.userID)).\(Int64.max)"))
        let future = try await services.auth.authenticate(token, unheard)
        #expect(services.profiles.cachedProfile(of: caller.userID, future) == nil)
        #expect(try await services.profiles.profile(of: caller.userID, future).texts[.statusMessage] == "new")
        try store.close()
    }

    @Test("a username is always looked up in the store, and only an answer from memory is a hit")
    func usernames() async throws {
        let store = try PostgreSQLStore(address: try TestCluster.shared.get().makeDatabase())
        let services = try await Services(store: store, configuration: ServicesConfiguration(trustedUIDs: [0]))
        let token = try await services.auth.signIn(peerUID: 0).token
        let caller = try await services.auth.authenticate(token), latest = try await services.auth.authenticate(token, .latest)
        _ = try await services.profiles.createProfile(username: "minji", caller)
        func counts() throws -> [UInt64] {
            let usage = try #require(services.cacheUsage.first { $0.name == "profiles" })
            return [UInt64(usage.entries), usage.hits, usage.misses]
        }
        for _ in 1...2 { #expect(try await services.profiles.profile(username: "minji", caller).id == caller.userID) }
        #expect(services.profiles.cachedProfile(username: "minji") == nil)
        #expect(try counts() == [0, 0, 0])
        for number in 1...2 as ClosedRange<UInt64> {
            _ = try await services.profiles.profile(of: caller.userID, latest)
            #expect(try counts() == [1, 0, number])
        }
        try store.close()
    }

    @Test("memory learns what is stale also while the look at watched users takes long")
    func watchedUsers() async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let store = try PostgreSQLStore(address: address)
        store.listen(SharedStoreListener(watched: { (1...2_500 as ClosedRange<UInt64>).map(testUser) }, changed: { _ in }, forget: { _ in }))
        let gate = DispatchSemaphore(value: 0), entered = DispatchSemaphore(value: 0)
        let held = Task {
            try await store.write { connection throws(RepositoryError) in
                try connection.run("LOCK TABLE owner IN ACCESS EXCLUSIVE MODE")
                _ = connection.changes
                entered.signal()
                gate.wait()
            }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                entered.wait()
                continuation.resume()
            }
        }
        for _ in 1...2 {
            let number = try #require(Int64(try cluster.psql(address, "UPDATE generation SET number = number + 1 WHERE bucket = 7 RETURNING number")))
            await until { store.knowsChange(number, inBucket: 7) }
        }
        gate.signal()
        try await held.value
        try store.close()
    }

    /// What a store tells its listener.
    private struct Told {
        enum Event { case forget, changed }

        var looks = 0
        var events: [Event] = []
    }

    @Test("a change that comes between the numbers and the users of a look leaves memory before its watchers are woken")
    func memoryFirst() async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let store = try PostgreSQLStore(address: address)
        try await store.addUser(1)
        let user = testUser(1), bucket = UserBucket.of(testUser(1))
        let change = """
            UPDATE owner SET last_change = last_change + 1; UPDATE generation SET number = number + 1 WHERE bucket = \(bucket)
            """
        let told = Mutex(Told())
        let listener = SharedStoreListener(
            watched: {
                // Each look asks once, and the first one finds everything new.
                let isSecond = told.withLock { told in
                    told.looks += 1
                    if told.looks == 2 { told.events = [] }
                    return told.looks == 2
                }
                if isSecond { _ = try? cluster.psql(address, change) }
                return [user]
            },
            changed: { _ in told.withLock { $0.events.append(.changed) } },
            forget: { buckets in
                if buckets.contains(bucket) { told.withLock { $0.events.append(.forget) } }
            })
        store.listen(listener)
        await until { told.withLock { $0.events.count >= 2 && $0.looks >= 2 } }
        // Otherwise a watcher would be answered with the old state, and would not be woken again.
        #expect(told.withLock { $0.events } == [.forget, .changed])
        try store.close()
    }

    @Test("a write whose COMMIT has had no answer has its token all the same")
    func settledWrites() async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let proxy = try CuttingProxy(address)
        let store = try PostgreSQLStore(address: proxy.address, connections: .one)
        try await store.addUser(1)
        let bucket = UserBucket.of(testUser(1))
        var cuts = 0
        for piece in 1...20 {
            try proxy.cut(piece, .toClient)
            let change = ProfileChange(texts: [.statusMessage: "\(piece)"])
            _ = try await store.updateProfile(of: testUser(1), change, ifMatches: nil, at: testTime(Int64(piece)), idempotency: nil)
            if proxy.hasCut { cuts += 1 }
            let number = try cluster.psql(address, "SELECT number FROM generation WHERE bucket = \(bucket)")
            #expect(store.newestChange(inBucket: bucket) == Int64(number), "piece \(piece)")
        }
        #expect(cuts > 0)
        try store.close()
        try proxy.end()
    }

    /// Makes every write fail with the error of a server that has become a standby.
    private static let refusal = """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'cannot execute INSERT in a read-only transaction' USING ERRCODE = '25006'; END $$;
        CREATE TRIGGER refuse BEFORE INSERT ON operation EXECUTE FUNCTION refuse()
        """

    @Test("what is read from a server that can make nothing durable any more is answered for five seconds, then refused")
    func formerPrimary() async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let uptime = Mutex(Duration.zero)
        let store = try PostgreSQLStore(address: address, connections: .one, uptime: { uptime.withLock { $0 } })
        try await store.addUser(1)
        let notes = { try #require(Int(try cluster.psql(address, "SELECT count(*) FROM operation"))) }
        let read = { try await store.profile(of: testUser(1), viewer: testUser(1)).id }
        #expect(try await read() == testUser(1))
        let confirmed = try notes()
        // One proof is enough for all reads of a connection. The store's own rounds write a few notes beside them.
        for _ in 1...100 { #expect(try await read() == testUser(1)) }
        #expect(try notes() < confirmed + 50)
        try cluster.psql(address, Self.refusal)
        uptime.withLock { $0 += .milliseconds(4_999) }
        #expect(try await read() == testUser(1))
        uptime.withLock { $0 += .milliseconds(1) }
        do throws(RepositoryError) {
            _ = try await store.profile(of: testUser(1), viewer: testUser(1))
            Issue.record("answered by a former primary")
        } catch {
            guard case .storeUnavailable(.unreachable, _) = error else {
                Issue.record("\(error)")
                return
            }
        }
        try cluster.psql(address, "DROP TRIGGER refuse ON operation")
        #expect(try await read() == testUser(1))
        #expect(try notes() > confirmed)
        try store.close()
    }

    @Test("a write is not refused for what was read from a server that can make nothing durable any more")
    func refusalByFormerPrimary() async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let uptime = Mutex(Duration.zero)
        let store = try PostgreSQLStore(address: address, connections: .one, uptime: { uptime.withLock { $0 } })
        try await store.addUser(1)
        let follow = { _ = try await store.follow(testUser(2), by: testUser(1), at: testTime(1), idempotency: nil) }
        await #expect(throws: RepositoryError.userNotFound) { try await follow() }
        try cluster.psql(address, Self.refusal)
        uptime.withLock { $0 += .milliseconds(4_999) }
        await #expect(throws: RepositoryError.userNotFound) { try await follow() }
        uptime.withLock { $0 += .milliseconds(1) }
        do {
            try await follow()
            Issue.record("followed nobody")
        } catch let error as RepositoryError {
            guard case .storeUnavailable(.unreachable, _) = error else {
                Issue.record("\(error)")
                return
            }
        }
        try cluster.psql(address, "DROP TRIGGER refuse ON operation")
        await #expect(throws: RepositoryError.userNotFound) { try await follow() }
        try store.close()
    }
}
