import RepositoryContract
import StorePostgreSQL
import TestPostgreSQL
import Testing

/// The shared suite on a real PostgreSQL.
@Suite("Repository contract on PostgreSQL") struct ContractTests {
    @Test(arguments: ContractCase.all)
    func holds(_ contractCase: ContractCase) async throws {
        let store = try PostgreSQLStore(address: try TestCluster.shared.get().makeDatabase(), clock: ContractCase.clock)
        try await contractCase.run(store)
        try store.close()
    }
}
