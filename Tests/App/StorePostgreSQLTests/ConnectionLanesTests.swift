import Dispatch
import PulseBoardDomain
import RepositoryContract
import StoreSQL
import Synchronization
import TestHarness
import TestPostgreSQL
import Testing

@testable import StorePostgreSQL

@Suite("Lanes of connections", .timeLimit(.minutes(5))) struct ConnectionLanesTests {
    @Test("work of a lane that gets no connection while the store closes is refused, and not given to lanes that have ended")
    func closing() async throws {
        let library = try LibPQ.shared.get()
        let cluster = try TestCluster.shared.get()
        let text = try cluster.makeDatabase()
        let address = try PostgreSQLAddress(text, library)
        let isFirst = Atomic(true)
        let entered = DispatchSemaphore(value: 0), gate = DispatchSemaphore(value: 0), hasEnded = DispatchSemaphore(value: 0)
        let reachability = Reachability(StoreHealth(clock: SystemWallClock())) { () throws(PostgreSQLFailure) in
            if isFirst.exchange(false, ordering: .acquiringAndReleasing) { return try address.connect(library, silence: .seconds(600)) }
            hasEnded.wait()
            throw .lost(detail: "no connection left")
        }
        let lanes = ConnectionLanes("test lanes", laneCount: 2, batch: 1, reachability: reachability) { accesses, lane in
            for access in accesses {
                do throws(PostgreSQLFailure) {
                    access.perform(SQLConnection(try lane.session())).answer(nil)
                } catch { access.refuse(error.error) }
            }
        }
        let held = Task.immediate { @Sendable in
            try await lanes.perform { _ throws(RepositoryError) in
                entered.signal()
                gate.wait()
            }
        }
        await hear(entered)
        let late = Task.immediate { @Sendable in try await lanes.perform { _ throws(RepositoryError) in } }
        let closing = Task.detached { lanes.close() }
        await until { lanes.isClosed }
        gate.signal()
        try await held.value
        // The first lane has ended when the database has no connection of it any more.
        let question = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'pulseboardd' AND datname = current_database()"
        while try cluster.psql(text, question) != "0" {}
        for _ in 0..<4 { hasEnded.signal() }
        await #expect(throws: RepositoryError.self) { try await late.value }
        await closing.value
    }

    @Test("a lane is idle once, so two accesses at once have two lanes")
    func idleOnce() async throws {
        let library = try LibPQ.shared.get()
        let address = try PostgreSQLAddress(try TestCluster.shared.get().makeDatabase(), library)
        let reachability = Reachability(StoreHealth(clock: SystemWallClock())) { () throws(PostgreSQLFailure) in
            try address.connect(library, silence: .seconds(600))
        }
        let lanes = ConnectionLanes("test lanes", laneCount: 2, batch: 1, reachability: reachability) { accesses, lane in
            for access in accesses {
                do throws(PostgreSQLFailure) {
                    access.perform(SQLConnection(try lane.session())).answer(nil)
                } catch { access.refuse(error.error) }
            }
        }
        for _ in 0..<20 {
            try await lanes.perform { _ throws(RepositoryError) in }
            await until { lanes.idleCount > 0 }
        }
        let entered = DispatchSemaphore(value: 0), gate = DispatchSemaphore(value: 0)
        let held = Task.immediate { @Sendable in
            try await lanes.perform { _ throws(RepositoryError) in
                entered.signal()
                gate.wait()
            }
        }
        await hear(entered)
        #expect(lanes.idleCount == 0)
        // It does not wait for the other one.
        try await lanes.perform { _ throws(RepositoryError) in }
        gate.signal()
        try await held.value
        lanes.close()
    }

    private func hear(_ semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                semaphore.wait()
                continuation.resume()
            }
        }
    }

    @Test("a server that waits for one lock after another reports each one, so that it does not count as silent")
    func locks() async throws {
        let cluster = try TestCluster.shared.get()
        let real = try cluster.makeDatabase()
        let proxy = try CuttingProxy(real)
        let store = try PostgreSQLStore(address: proxy.address, connections: .one, silence: .seconds(600))
        let holder = try PostgreSQLStore(address: real)
        let users = (1...6 as ClosedRange<UInt64>).map(testUser)
        // The housekeeping would wait for the lock of an id without a user, to remove it.
        for number in 1...6 as ClosedRange<UInt64> { try await store.addUser(number) }
        let entered = DispatchSemaphore(value: 0), gate = DispatchSemaphore(value: 0)
        let held = Task {
            try await holder.write { connection throws(RepositoryError) in
                try connection.lock(users[5])
                _ = connection.changes
                entered.signal()
                gate.wait()
            }
        }
        await hear(entered)
        // The housekeeping's first round is over, and no other is due. So the next answer is one to the write.
        await until { store.status.databaseBytes != 0 }
        var isReported = false
        // A machine may be too slow to look before the lock's time is over.
        for _ in 1...3 where !isReported {
            let process = try await store.write { connection throws(RepositoryError) in
                let query = try connection.statement("SELECT pg_backend_pid()")
                return try query.step() ? query.integer(0) ?? 0 : 0
            }
            try proxy.cut(1, .toClient)
            let locking = Task {
                try? await store.write { connection throws(RepositoryError) in
                    try connection.lock(users)
                    _ = connection.changes
                }
            }
            await until { proxy.hasCut }
            // An answer has come, and all the same its process waits. The write is made again by another process.
            isReported = try cluster.psql(real, "SELECT wait_event_type FROM pg_stat_activity WHERE pid = \(process)") == "Lock"
            if isReported { gate.signal() }
            await locking.value
        }
        #expect(isReported)
        if !isReported { gate.signal() }
        try await held.value
        try store.close()
        try holder.close()
        try proxy.end()
    }
}
