import RepositoryContract
import StorePostgreSQL
import TestPostgreSQL
import Testing

/// The shared suite on a real PostgreSQL.
@Suite("Repository contract on PostgreSQL") struct ContractTests {
    @Test(arguments: ContractCase.all)
    func holds(_ contractCase: ContractCase) async throws {
        let clock = ContractClock()
        let address = try TestCluster.shared.get().makeDatabase()
        let store = try PostgreSQLStore(address: address, clock: clock, comparesClocks: false, uptime: clock.uptime)
        // The first housekeeping ends before a case moves the clock: no step of it takes days. The next one is a minute away.
        while store.status.databaseBytes == 0 { _ = try await store.commitSetting() }
        try await contractCase.run(store, clock)
        try store.close()
    }
}
