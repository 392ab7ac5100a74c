import Foundation
import PulseBoardDomain
import RepositoryContract
import StoreSQL
import Synchronization
import TestPostgreSQL
import Testing

@testable import StorePostgreSQL

/// No server that lacks acknowledged writes is used.
@Suite("Outdated servers", .timeLimit(.minutes(5))) struct OutdatedServerTests {
    private func store(_ address: String, uptime: @escaping @Sendable () -> Duration = PostgreSQLStore.machineUptime) throws -> PostgreSQLStore {
        try PostgreSQLStore(
            address: address, clock: ContractCase.clock, comparesClocks: false, probePauses: .milliseconds(10)...(.milliseconds(20)),
            patience: .milliseconds(50), uptime: uptime)
    }

    private func expectOutdated(_ store: PostgreSQLStore, _ words: String, _ body: () async throws -> Void) async throws {
        while true {
            do {
                try await body()
                Issue.record("answered by a server without acknowledged writes")
            } catch RepositoryError.storeUnavailable(.outdated, let detail) {
                #expect(detail.contains(words), "\(detail)")
            } catch RepositoryError.storeUnavailable(.unreachable, _) {
                // The proxy does not listen again yet.
                await Task.yield()
                continue
            }
            break
        }
        #expect(store.status.trouble?.failure == .outdated)
    }

    @Test("a former primary that takes over again is refused with STORE_OUTDATED, by its timeline, until the address leads to the right server")
    func timelines() async throws {
        let former = try TestCluster.shared.get()
        let address = try former.makeDatabase()
        let first = try PostgreSQLStore(address: address, clock: ContractCase.clock, comparesClocks: false)
        try await first.addUser(1)
        try first.close()
        let present = try former.promotedCopy()
        let proxy = try CuttingProxy(address)
        try proxy.lead(to: present.folder)
        let store = try store(proxy.address)
        let (events, told) = AsyncStream<StoreEvent>.makeStream()
        store.observe { told.yield($0) }
        try await store.addUser(2)
        try proxy.lead(to: former.folder)
        try await expectOutdated(store, "Make the standby with timeline 2 the primary; do not rebuild it") {
            _ = try await store.profile(of: testUser(1), viewer: testUser(1))
        }
        try await expectOutdated(store, "timeline 1") { try await store.addUser(3) }
        // A new process knows nothing of the other one's writes.
        let other = try PostgreSQLStore(address: proxy.address, clock: ContractCase.clock, comparesClocks: false)
        #expect(try await other.profile(of: testUser(1), viewer: testUser(1)).id == testUser(1))
        try other.close()
        try proxy.lead(to: present.folder)
        for await event in events {
            if case .recovered = event { break }
        }
        #expect(try await store.profile(of: testUser(2), viewer: testUser(2)).id == testUser(2))
        try await store.addUser(3)
        #expect(store.status.trouble == nil)
        try store.close()
        try proxy.end()
    }

    @Test("of several hosts, a former primary is passed over, and no call fails for it")
    func hosts() async throws {
        let former = try TestCluster.shared.get()
        let address = try former.makeDatabase()
        try PostgreSQLStore(address: address).close()
        let present = try former.promotedCopy()
        let proxy = try CuttingProxy(address)
        proxy.suspend()
        let store = try store(proxy.address + "," + present.folder)
        try await store.addUser(1)
        try proxy.resume()
        for number in 2...4 as ClosedRange<UInt64> {
            try present.psql(
                address.replacing(former.folder, with: present.folder),
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
            #expect(try await store.profile(of: testUser(1), viewer: testUser(1)).id == testUser(1))
            try await store.addUser(number)
        }
        #expect(store.status.lastTrouble == nil)
        try store.close()
        try proxy.end()
    }

    @Test("a connection to a former primary is not used any more once a write was made durable on its successor")
    func openConnections() async throws {
        let former = try TestCluster.shared.get()
        let address = try former.makeDatabase()
        try PostgreSQLStore(address: address).close()
        let present = try former.promotedCopy()
        let library = try LibPQ.shared.get()
        func session(_ address: String, _ acknowledged: AcknowledgedWrites) throws -> PostgreSQLSession {
            try PostgreSQLAddress(address, library).connect(library, silence: .seconds(600)) { session throws(PostgreSQLFailure) in
                try acknowledged.check(session)
            }
        }
        let acknowledged = AcknowledgedWrites(uptime: PostgreSQLStore.machineUptime)
        let old = try session(address, acknowledged)
        let new = try session(address.replacing(former.folder, with: present.folder), acknowledged)
        #expect(old.timeline?.system == new.timeline?.system)
        try acknowledged.note(nil, on: old)
        #expect(acknowledged.accepts(old) && acknowledged.accepts(new))
        try acknowledged.note(nil, on: new)
        #expect(!acknowledged.accepts(old) && acknowledged.accepts(new))
        // A COMMIT that comes through on the former primary is not acknowledged.
        #expect(throws: PostgreSQLFailure.self) { try acknowledged.note(nil, on: old) }
        #expect(throws: PostgreSQLFailure.self) { try session(address, acknowledged) }
    }

    @Test("a database without the newest acknowledged write is refused, until it has the write again or half an hour has passed")
    func missingWrite() async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let proxy = try CuttingProxy(address)
        let uptime = Mutex(Duration.zero)
        let store = try store(proxy.address, uptime: { uptime.withLock { $0 } })
        let (events, told) = AsyncStream<StoreEvent>.makeStream()
        store.observe { told.yield($0) }
        var next = events.makeAsyncIterator()
        try await store.addUser(1)
        // The trigger is for the writes of the store's own rounds: the newest write counts.
        try cluster.psql(
            address,
            """
            CREATE FUNCTION make_void() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.is_void := 1; RETURN NEW; END $$;
            CREATE TRIGGER make_void BEFORE INSERT ON operation FOR EACH ROW EXECUTE FUNCTION make_void();
            UPDATE operation SET is_void = 1
            """)
        try proxy.lead(to: cluster.folder)
        try await expectOutdated(store, "lacks a write that was acknowledged") { _ = try await store.profile(of: testUser(1), viewer: testUser(1)) }
        try cluster.psql(address, "DROP TRIGGER make_void ON operation; UPDATE operation SET is_void = 0")
        while let event = await next.next() {
            if case .recovered = event { break }
        }
        try await store.addUser(2)
        try cluster.psql(
            address,
            """
            CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
            CREATE TRIGGER lose BEFORE INSERT ON operation FOR EACH ROW EXECUTE FUNCTION lose();
            DELETE FROM operation
            """)
        try proxy.lead(to: cluster.folder)
        try await expectOutdated(store, "lacks a write that was acknowledged") { try await store.addUser(3) }
        try cluster.psql(address, "DROP TRIGGER lose ON operation")
        uptime.withLock { $0 += AcknowledgedWrites.memory }
        while let event = await next.next() {
            if case .recovered = event { break }
        }
        #expect(try await store.profile(of: testUser(2), viewer: testUser(2)).id == testUser(2))
        try store.close()
        try proxy.end()
    }

    /// A connection of an ordinary role to a new database with the tables of that role. The role's own functions come before PostgreSQL's.
    private func limitedSession() throws -> (role: String, address: String, session: PostgreSQLSession) {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let limited = try cluster.makeUser(of: address, connections: 16)
        try PostgreSQLStore(address: limited.address).close()
        for setting in ["search_path = public, pg_catalog", "statement_timeout = '1h'"] {
            try cluster.psql(address, "ALTER ROLE \(limited.name) SET \(setting)")
        }
        let library = try LibPQ.shared.get()
        return (limited.name, address, try PostgreSQLAddress(limited.address, library).connect(library, silence: .seconds(600)))
    }

    @Test("only a database without the table of writes is another one; any other refusal of the question is reported as what it is")
    func refusedQuestion() throws {
        let cluster = try TestCluster.shared.get()
        let (role, address, session) = try limitedSession()
        let acknowledged = AcknowledgedWrites(uptime: PostgreSQLStore.machineUptime)
        func failure() -> PostgreSQLFailure? {
            do throws(PostgreSQLFailure) {
                try acknowledged.check(session)
                return nil
            } catch { return error }
        }
        #expect(failure() == nil)
        try acknowledged.note(OperationKey(bits: UUIDBits(high: 1, low: 1)), on: session)
        guard case .refused(.outdated, _, _) = failure() else {
            Issue.record("found a write that was never made")
            return
        }
        try cluster.psql(address, "REVOKE SELECT ON operation FROM \(role)")
        guard case .refused(.other, _, let detail) = failure(), detail.contains("42501") else {
            Issue.record("no refusal of the question")
            return
        }
        try cluster.psql(address, "GRANT SELECT ON operation TO \(role); REVOKE ALL ON SCHEMA public FROM \(role), PUBLIC")
        guard case .refused(.readOnly, _, let hidden) = failure(), hidden.contains("42P01") else {
            Issue.record("the table counts as missing because the role cannot see it")
            return
        }
        try cluster.psql(address, "GRANT ALL ON SCHEMA public TO \(role); ALTER TABLE operation RENAME TO another")
        guard case .refused(.outdated, _, _) = failure() else {
            Issue.record("found a write in another database")
            return
        }
    }

    @Test(
        "only a server that does not support the question for its timeline has none",
        arguments: [("42883", true), ("0A000", true), ("57014", false), ("53200", false), ("42501", false)])
    func refusedTimeline(_ state: String, _ isNone: Bool) throws {
        let cluster = try TestCluster.shared.get()
        let (_, address, session) = try limitedSession()
        try cluster.psql(
            address,
            """
            CREATE FUNCTION pg_control_system(OUT system_identifier bigint) LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'no timeline' USING ERRCODE = '\(state)'; END $$
            """)
        var met: PostgreSQLFailure?
        do throws(PostgreSQLFailure) { try AcknowledgedWrites(uptime: PostgreSQLStore.machineUptime).check(session) } catch { met = error }
        #expect((met == nil) == isNone, "\(String(describing: met))")
        #expect(session.timeline == nil)
    }

    @Test("a statement may take four fifths of the time for which the server may be silent, whatever limit the role has")
    func timeLimit() throws {
        let (_, _, session) = try limitedSession()
        func limit() throws -> String? { try session.ask(Query("SELECT current_setting('statement_timeout')")) { $0.text(0) } }
        #expect(try limit() == "8min")
        // A transaction that may take longer has a limit of its own.
        session.permit(.seconds(750))
        try session.begin(.write)
        let own = session.cursor("SELECT current_setting('statement_timeout')")
        #expect(try own.step() && own.text(0) == "10min")
        own.reset()
        session.abandon()
        session.permit(nil)
        #expect(try limit() == "8min")
    }

    @Test("an ordinary role may ask for the timeline")
    func role() throws {
        let cluster = try TestCluster.shared.get()
        let limited = try cluster.makeUser(of: try cluster.makeDatabase(), connections: 5)
        let library = try LibPQ.shared.get()
        let session = try PostgreSQLAddress(limited.address, library).connect(library, silence: .seconds(600)) { session throws(PostgreSQLFailure) in
            try AcknowledgedWrites(uptime: PostgreSQLStore.machineUptime).check(session)
        }
        #expect(session.timeline?.number == 1)
    }
}
