import RepositoryContract
import StoreSQLite
import Testing

/// The shared suite on the real store.
@Suite("Repository contract on SQLite") struct ContractTests {
    @Test(arguments: ContractCase.all)
    func holds(_ contractCase: ContractCase) async throws {
        let directory = try TemporaryDirectory()
        let clock = ContractClock()
        let store = try SQLiteStore(directory: directory.path, clock: clock, uptime: clock.uptime)
        try await contractCase.run(store, clock)
        try store.close()
    }
}
