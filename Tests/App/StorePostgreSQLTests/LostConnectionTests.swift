import Foundation
import PulseBoardDomain
import RepositoryContract
import StoreSQL
import Synchronization
import TestHarness
import TestPostgreSQL
import Testing

@testable import StorePostgreSQL

/// Callers get correct answers, whenever a connection ends.
@Suite("Lost connections") struct LostConnectionTests {
    @Test("connections that the server has ended are made again, and no call fails for it")
    func idleConnections() async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let store = try PostgreSQLStore(address: address, clock: ContractCase.clock, comparesClocks: false)
        try await store.addUser(1)
        for number in 2...6 as ClosedRange<UInt64> {
            try cluster.psql(
                address, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
            #expect(try await store.profile(of: testUser(1), viewer: testUser(1)).id == testUser(1))
            try await store.addUser(number)
        }
        #expect(store.status.trouble == nil)
        try store.close()
    }

    @Test(
        "whichever piece of the conversation is lost, COMMIT and its answer too, the write is made once and acknowledged",
        arguments: [CuttingProxy.Direction.toServer, .toClient])
    func everyPiece(_ direction: CuttingProxy.Direction) async throws {
        let cluster = try TestCluster.shared.get()
        let real = try cluster.makeDatabase()
        let proxy = try CuttingProxy(real)
        // By the real clock, the housekeeping would forget these events when the test takes long.
        // A connection that a slow machine gives up would be a trouble.
        let store = try PostgreSQLStore(
            address: proxy.address, connections: .one, clock: ContractCase.clock, comparesClocks: false, silence: .seconds(600))
        for number in 1...40 as ClosedRange<UInt64> { try await store.addUser(number) }
        var cuts = 0
        for piece in 1...39 {
            let (one, other) = (testUser(UInt64(piece)), testUser(UInt64(piece) + 1))
            _ = try await store.keepFollowEvents(of: other, at: testTime(1))
            try proxy.cut(piece, direction)
            _ = try await store.follow(other, by: one, at: testTime(2), idempotency: nil)
            if proxy.hasCut { cuts += 1 }
            // A second write would change nothing, but the events show how often it was performed.
            #expect(try await store.keptFollowEvents(of: other, after: nil, limit: 9).map(\.change) == [.followerGained], "piece \(piece)")
            #expect(try await store.counts(of: other, viewer: other).followers == 1, "piece \(piece)")
        }
        // A write has at least: its start, its questions and its COMMIT.
        #expect(cuts >= 3)
        // The next connection could always be made. So health has never changed.
        #expect(store.status.lastTrouble == nil)
        try store.close()
        try proxy.end()
    }

    @Test("a COMMIT of which the server cannot tell the outcome is looked up, and made again if it was not made")
    func ambiguousCommit() async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let store = try PostgreSQLStore(address: address, clock: ContractCase.clock, comparesClocks: false)
        try cluster.psql(
            address,
            """
            CREATE SEQUENCE doubts;
            CREATE FUNCTION doubt() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN IF nextval('doubts') = 1 THEN RAISE EXCEPTION 'result is ambiguous' USING ERRCODE = '40003'; END IF; RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER doubt AFTER INSERT ON profile DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION doubt()
            """)
        try await store.addUser(1)
        #expect(try cluster.psql(address, "SELECT last_value FROM doubts") == "2")
        #expect(try cluster.psql(address, "SELECT count(*) FROM operation WHERE is_void = 1") == "1")
        #expect(store.status.lastTrouble == nil)
        try store.close()
    }

    @Test("while the database has no connection left, those that a server has do all of its work")
    func noConnectionLeft() async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let limited = try cluster.makeUser(of: address, connections: 16)
        // A connection that a slow machine gives up could not be made again.
        let store = try PostgreSQLStore(
            address: limited.address, clock: ContractCase.clock, comparesClocks: false, patience: .seconds(600), silence: .seconds(600))
        // One connection for writes, one for reads, and the housekeeping's.
        try await store.addUser(0)
        _ = try await store.profile(of: testUser(0), viewer: testUser(0))
        while try cluster.psql(address, "SELECT count(*) FROM pg_stat_activity WHERE usename = '\(limited.name)'") < "3" {}
        try cluster.psql(address, "ALTER ROLE \(limited.name) CONNECTION LIMIT 1")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...40 as ClosedRange<UInt64> {
                group.addTask { try await store.addUser(number) }
                group.addTask { _ = try await store.profile(of: testUser(0), viewer: testUser(0)) }
            }
            try await group.waitForAll()
        }
        #expect(store.status.trouble == nil)
        #expect(store.status.lastTrouble == nil)
        try store.close()
    }

    @Test("calls that get no connection while others have one are refused; health says once that the database is out of reach, and not again")
    func noConnectionOfAKind() async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let limited = try cluster.makeUser(of: address, connections: 16)
        let store = try PostgreSQLStore(
            address: limited.address, connections: .one, clock: ContractCase.clock, patience: .seconds(600), silence: .seconds(600))
        let troubles = Atomic(0)
        store.observe { event in
            if case .failing = event { troubles.add(1, ordering: .relaxed) }
        }
        // One connection for writes, and the housekeeping's.
        try await store.addUser(0)
        await until { store.status.databaseBytes != 0 }
        try cluster.psql(address, "ALTER ROLE \(limited.name) CONNECTION LIMIT 1")
        for number in 1...20 as ClosedRange<UInt64> {
            do throws(RepositoryError) {
                _ = try await store.followers(of: testUser(0), viewer: testUser(0), after: nil, limit: 5)
                Issue.record("listed without a connection")
            } catch {
                guard case .storeUnavailable(.unreachable, _) = error else { throw error }
            }
            if number > 1 { #expect(store.status.trouble == nil) }
            try await store.addUser(number)
            #expect(store.status.trouble == nil)
        }
        #expect(troubles.load(ordering: .relaxed) <= 1)
        try cluster.psql(address, "ALTER ROLE \(limited.name) CONNECTION LIMIT 16")
        var isListed = false
        while !isListed { isListed = (try? await store.followers(of: testUser(0), viewer: testUser(0), after: nil, limit: 5)) != nil }
        try store.close()
    }

    @Test("only a transaction that began after the refusal, on a connection of before, proves that connections are refused while others work")
    func shortage() throws {
        let library = try LibPQ.shared.get()
        let address = try PostgreSQLAddress(try TestCluster.shared.get().makeDatabase(), library)
        let unreachable = RepositoryError.storeUnavailable(.unreachable, detail: "no connection left")
        let shortage = ConnectionShortage()
        let old = try address.connect(library, silence: .seconds(600))
        let before = ContinuousClock.now
        shortage.worked(old, since: before)
        shortage.refused()
        shortage.worked(old, since: before)
        #expect(shortage.judged(unreachable) == unreachable)
        shortage.worked(old, since: .now + .nanoseconds(1))
        #expect(shortage.judged(unreachable) == .storeUnavailable(detail: "no connection left"))
        #expect(shortage.judged(.storeUnavailable(.full, detail: "")) == .storeUnavailable(.full, detail: ""))
        shortage.lost()
        #expect(shortage.judged(unreachable) == unreachable)
        shortage.refused()
        let new = try address.connect(library, silence: .seconds(600))
        shortage.worked(new, since: .now + .nanoseconds(1))
        #expect(!shortage.isProven)
        // The new connection has ended the shortage. The next one begins with the next refusal.
        shortage.worked(old, since: .now + .nanoseconds(1))
        #expect(!shortage.isProven)
        shortage.refused()
        shortage.worked(new, since: .now + .nanoseconds(1))
        #expect(shortage.isProven)
    }

    @Test("a transaction whose client says nothing more is idle for PostgreSQL, which ends it and its locks after a while")
    func frozenClient() throws {
        let cluster = try TestCluster.shared.get()
        let text = try cluster.makeDatabase()
        try PostgreSQLStore(address: text).close()
        let library = try LibPQ.shared.get()
        let session = try PostgreSQLAddress(text, library).connect(library, silence: .seconds(600))
        let answer = try session.ask(Query("SELECT pg_backend_pid()")) { $0.integer(0) }
        let process = try #require(answer)
        let state = "SELECT state FROM pg_stat_activity WHERE pid = \(process)"
        for kind in [PostgreSQLSession.Kind.write, .read] {
            try session.begin(kind)
            try Self.perform("SELECT count(*) FROM owner", session)
            #expect(try cluster.psql(text, state) == "idle in transaction")
            session.abandon()
            #expect(try cluster.psql(text, state) == "idle")
        }
        try session.begin(.write)
        #expect(throws: RepositoryError.self) { try Self.perform("SELECT nonsense", session) }
        #expect(try cluster.psql(text, state) == "idle in transaction (aborted)")
        let end = session.end()
        guard case .rolledBack(.refused(_, _, _)) = end else {
            Issue.record("\(end)")
            return
        }
        let owners = try cluster.psql(text, "SELECT count(*) FROM owner")
        try session.perform(["SET idle_in_transaction_session_timeout = '50ms'"])
        try session.begin(.write)
        try session.lock([testUser(1)])
        #expect(session.changes == 1)
        while try cluster.psql(text, state) != "" {}
        if case .committed = session.end() { Issue.record("committed a transaction that PostgreSQL had ended") }
        #expect(try cluster.psql(text, "SELECT count(*) FROM owner") == owners)
    }

    private static func perform(_ sql: String, _ session: PostgreSQLSession) throws {
        let cursor = session.cursor(sql)
        defer { cursor.reset() }
        _ = try cursor.step()
    }

    @Test("when the server says nothing, calls are refused with STORE_UNREACHABLE, health knows, and it is over by itself")
    func silent() async throws {
        let proxy = try CuttingProxy(try TestCluster.shared.get().makeDatabase())
        let store = try PostgreSQLStore(
            address: proxy.address + "&connect_timeout=2", probePauses: .milliseconds(10)...(.milliseconds(20)), patience: .milliseconds(50),
            silence: .seconds(1))
        try await store.addUser(1)
        let (events, told) = AsyncStream<StoreEvent>.makeStream()
        store.observe { told.yield($0) }
        proxy.freeze()
        // Together, and then one after the other.
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<40 { group.addTask { await expectUnreachable(store) } }
        }
        for _ in 0..<40 { await expectUnreachable(store) }
        #expect(store.status.trouble?.failure == .unreachable)
        proxy.thaw()
        for await event in events {
            if case .recovered = event { break }
        }
        // On a slow machine the first new connection may still take longer than its two seconds.
        var found: Profile?
        while found == nil {
            do throws(RepositoryError) { found = try await store.profile(of: testUser(1), viewer: testUser(1)) } catch {
                guard case .storeUnavailable(.unreachable, _) = error else { throw error }
            }
        }
        #expect(found?.id == testUser(1))
        try store.close()
        try proxy.end()
    }

    private func expectUnreachable(_ store: PostgreSQLStore) async {
        do throws(RepositoryError) {
            _ = try await store.profile(of: testUser(1), viewer: testUser(1))
            Issue.record("read from nowhere")
        } catch {
            guard case .storeUnavailable(.unreachable, _) = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test("while one tries to reach the database, the others are refused at once, and the first success lets all through")
    func oneTries() async throws {
        let library = try LibPQ.shared.get()
        let address = try PostgreSQLAddress(try TestCluster.shared.get().makeDatabase(), library)
        let tries = Atomic(0), isBack = Atomic(false)
        let (trying, tells) = AsyncStream<Void>.makeStream()
        let isRefused = DispatchSemaphore(value: 0)
        let health = StoreHealth(clock: SystemWallClock())
        let reachability = Reachability(health) { () throws(PostgreSQLFailure) in
            tries.add(1, ordering: .relaxed)
            if isBack.load(ordering: .acquiring) { return try address.connect(library, silence: .seconds(5)) }
            tells.yield()
            isRefused.wait()
            throw .lost(detail: "still gone")
        }
        reachability.wasSilent()
        #expect(health.trouble?.failure == .unreachable)
        let first = Thread { _ = try? reachability.connect() }
        first.start()
        for await _ in trying { break }
        for _ in 0..<100 { #expect(throws: PostgreSQLFailure.self) { try reachability.connect() } }
        #expect(tries.load(ordering: .relaxed) == 1)
        isRefused.signal()
        isBack.store(true, ordering: .releasing)
        // As the housekeeping does, which waits for nobody.
        _ = try reachability.connectInAnyCase()
        for _ in 0..<3 { _ = try reachability.connect() }
        #expect(tries.load(ordering: .relaxed) == 5)
    }

    @Test("a statement that waits long for a lock ends before its server counts as silent, and its connection goes on")
    func longWait() throws {
        let library = try LibPQ.shared.get()
        let text = try TestCluster.shared.get().makeDatabase()
        try PostgreSQLStore(address: text).close()
        let address = try PostgreSQLAddress(text, library)
        let holder = try address.connect(library, silence: .seconds(600)), waiting = try address.connect(library, silence: .seconds(1))
        try holder.begin(.write)
        try holder.lock([testUser(1)])
        #expect(holder.changes == 1)
        for isYielding in [false, true] {
            try waiting.begin(.write)
            if isYielding { try waiting.lockOrYield([testUser(1)]) } else { try waiting.lock([testUser(1)]) }
            switch waiting.end() {
            case .rolledBack(.conflict(_, hasWaited: true)): #expect(!isYielding)
            case .rolledBack(.yielded): #expect(isYielding)
            default: Issue.record("the wait did not end as one: \(String(describing: waiting.failure))")
            }
        }
        // Other users are not held up.
        try waiting.begin(.write)
        try waiting.lockOrYield([testUser(2)])
        guard case .committed = waiting.end() else {
            Issue.record("the connection is of no more use")
            return
        }
    }

    @Test("a write that waits for a lock in vain is refused after three waits, and the database does not count as out of reach")
    func heldLock() async throws {
        let library = try LibPQ.shared.get()
        let text = try TestCluster.shared.get().makeDatabase()
        let store = try PostgreSQLStore(address: text, connections: .one, silence: .seconds(1))
        try await store.addUser(1)
        try await store.addUser(2)
        let holder = try PostgreSQLAddress(text, library).connect(library, silence: .seconds(600))
        try holder.begin(.write)
        try holder.lock([testUser(1)])
        #expect(holder.changes == 1)
        do throws(RepositoryError) {
            try await store.deleteProfile(of: testUser(1), at: ContractCase.clock.now(), idempotency: nil)
            Issue.record("wrote without the lock")
        } catch {
            guard case .storeUnavailable(.other, _) = error else {
                Issue.record("\(error)")
                return
            }
        }
        #expect(store.status.trouble == nil)
        // The connection is free for others.
        try await store.deleteProfile(of: testUser(2), at: ContractCase.clock.now(), idempotency: nil)
        guard case .committed = holder.end() else {
            Issue.record("the lock was lost")
            return
        }
        try await store.deleteProfile(of: testUser(1), at: ContractCase.clock.now(), idempotency: nil)
        try store.close()
    }

    @Test("silence on one connection says nothing about the database if another one has made a write durable meanwhile")
    func silentStatement() {
        let health = StoreHealth(clock: SystemWallClock())
        let reachability = Reachability(health, silence: .seconds(600)) { () throws(PostgreSQLFailure) in throw .lost(detail: "not made") }
        reachability.noteCommit()
        reachability.wasSilent()
        #expect(health.trouble == nil)
        let late = Reachability(health, silence: .zero) { () throws(PostgreSQLFailure) in throw .lost(detail: "not made") }
        late.noteCommit()
        late.wasSilent()
        #expect(health.trouble?.failure == .unreachable)
    }

    @Test("when the server is gone, calls are refused with STORE_UNREACHABLE, health knows, and it is over by itself")
    func gone() async throws {
        let proxyAddress = try TestCluster.shared.get().makeDatabase()
        let proxy = try CuttingProxy(proxyAddress)
        let store = try PostgreSQLStore(address: proxy.address, probePauses: .milliseconds(10)...(.milliseconds(20)), patience: .milliseconds(50))
        try await store.addUser(1)
        let (events, told) = AsyncStream<StoreEvent>.makeStream()
        store.observe { told.yield($0) }
        proxy.suspend()
        do throws(RepositoryError) {
            _ = try await store.profile(of: testUser(1), viewer: testUser(1))
            Issue.record("read from nowhere")
        } catch {
            guard case .storeUnavailable(.unreachable, _) = error else {
            Issue.record("\(error)")
            return
        }
        }
        var next = events.makeAsyncIterator()
        guard case .failing(let trouble)? = await next.next() else {
            Issue.record("no trouble")
            return
        }
        #expect(trouble.failure == .unreachable)
        try proxy.resume()
        while let event = await next.next() {
            if case .recovered = event { break }
        }
        #expect(try await store.profile(of: testUser(1), viewer: testUser(1)).id == testUser(1))
        try store.close()
        try proxy.end()
    }
}
