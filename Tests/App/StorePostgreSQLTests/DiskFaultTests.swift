import PulseBoardDomain
import Synchronization
import TestPostgreSQL
import Testing

@testable import StorePostgreSQL

/// What the store says while the database server's disk is full, fails, or has a damaged page. A trigger raises the server's own errors.
@Suite("Truth about a PostgreSQL whose disk fails") struct DiskFaultTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let state: String
        let message: String
        let failure: StoreFailure

        var testDescription: String { "\(state): \(failure.rawValue)" }
    }

    private static let faults = [
        Fault(state: "53100", message: "could not extend file: No space left on device", failure: .full),
        Fault(state: "58030", message: "could not write block: Input/output error", failure: .inputOutput),
        Fault(state: "XX001", message: "invalid page in block 3 of relation", failure: .corrupt),
    ]

    @Test("writes are refused with the reason, the trouble is told once, and it is over by itself", arguments: faults)
    func fault(_ fault: Fault) async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let store = try PostgreSQLStore(address: address, connections: .one, probePauses: .milliseconds(1)...(.milliseconds(20)))
        let (events, told) = AsyncStream<StoreEvent>.makeStream()
        store.observe { told.yield($0) }
        try await store.addUser(1)
        try cluster.psql(
            address,
            """
            CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION '\(fault.message)' USING ERRCODE = '\(fault.state)'; END $$;
            CREATE TRIGGER fail BEFORE INSERT ON operation EXECUTE FUNCTION fail()
            """)
        let detail = "PostgreSQL error \(fault.state): ERROR:  \(fault.message)"
        for number in 2...4 as ClosedRange<UInt64> {
            let error = await #expect(throws: RepositoryError.self) { try await store.addUser(number) }
            guard case .storeUnavailable(fault.failure, let said)? = error else {
                Issue.record("refused with \(String(describing: error))")
                continue
            }
            #expect(said.hasPrefix(detail), "\(said)")
            #expect(error?.reason.rawValue == fault.failure.rawValue)
        }
        let trouble = try #require(store.status.trouble)
        #expect(trouble.failure == fault.failure && trouble.count >= 3 && trouble.detail.hasPrefix(detail), "\(trouble)")
        try cluster.psql(address, "DROP TRIGGER fail ON operation")
        var seen: [StoreEvent] = []
        for await event in events {
            seen.append(event)
            if case .recovered = event { break }
        }
        guard seen.count == 2, case .failing(let begun) = seen[0], case .recovered = seen[1] else {
            Issue.record("told \(seen)")
            return
        }
        #expect(begun.failure == fault.failure)
        #expect(store.status.trouble == nil && store.status.lastTrouble?.failure == fault.failure)
        // Nothing of the refused writes is there, and they can be made now.
        for number in 2...4 as ClosedRange<UInt64> { try await store.addUser(number) }
        try store.close()
    }

    @Test("a write that succeeds beside those that fail does not end the trouble")
    func partialFault() async throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let store = try PostgreSQLStore(address: address, connections: .one, probePauses: .seconds(600)...(.seconds(600)))
        let told = ToldEvents()
        store.observe { event in told.events.withLock { $0.append(event) } }
        try await store.addUser(1)
        try cluster.psql(
            address,
            """
            CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'; END $$;
            CREATE TRIGGER fail BEFORE INSERT ON profile FOR EACH ROW WHEN (NEW.username = 'user2') EXECUTE FUNCTION fail()
            """)
        for number in 3...5 as ClosedRange<UInt64> {
            await #expect(throws: RepositoryError.self) { try await store.addUser(2) }
            try await store.addUser(number)
            #expect(store.status.trouble?.failure == .full)
        }
        #expect(told.events.withLock(\.count) == 1)
        try store.close()
    }
}

/// What a store has told.
private final class ToldEvents: Sendable {
    let events = Mutex<[StoreEvent]>([])
}
