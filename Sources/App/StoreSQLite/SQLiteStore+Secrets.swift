import PulseBoardDomain

extension SQLiteStore {
    public func secret(named name: String, orStore candidate: [UInt8]) async throws(RepositoryError) -> [UInt8] {
        try await write { connection throws(RepositoryError) in
            var insertion = try connection.statement(
                "INSERT INTO secret (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING")
            try insertion.bind(name)
            try insertion.bind(candidate)
            try insertion.run()
            var query = try connection.statement("SELECT value FROM secret WHERE name = ?")
            try query.bind(name)
            guard try query.step() else { throw .emptyValue(table: "secret", key: name) }
            guard let value = query.blob(0), value.count == candidate.count else {
                throw .corruptRow(table: "secret", key: name)
            }
            return value
        }
    }
}
