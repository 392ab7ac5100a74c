import PulseBoardDomain
import StoreSQL

/// Where a store on PostgreSQL is, and how its connections are made.
struct PostgreSQLAddress: Sendable, CustomStringConvertible {
    private let text: String
    /// For people; without a password in any case.
    let description: String

    /// The beginnings by which an address is known.
    static let schemes = ["postgresql://", "postgres://"]

    /// - Throws: `addressInvalid`, `passwordInAddress`.
    init(_ text: String, _ library: LibPQ) throws(PostgreSQLOpeningError) {
        guard Self.schemes.contains(where: text.hasPrefix) else { throw .addressInvalid(detail: "it begins with none of \(Self.schemes)") }
        let settings = try library.settings(of: text)
        guard settings["password"] == nil, settings["sslpassword"] == nil else { throw .passwordInAddress }
        self.text = text
        let place = settings["service"].map { "service \($0)" } ?? [settings["host"], settings["port"]].compactMap(\.self).joined(separator: ":")
        description = "database \(settings["dbname"] ?? "of the default")" + (place.isEmpty ? "" : " at \(place)")
    }

    /// What the address may change: how long a connection may take, and that it is to the primary.
    private static var defaults: KeyValuePairs<String, String> {
        [
            "application_name": "pulseboardd", "connect_timeout": "5", "target_session_attrs": "read-write", "client_encoding": "UTF8",
            // A host that has gone says nothing.
            "tcp_user_timeout": "5000", "keepalives_idle": "5", "keepalives_interval": "2", "keepalives_count": "3",
        ]
    }

    /// What a session needs: a lock is waited for less long than a silent server, a client that has gone holds its locks no longer than half a
    /// minute, short statements are not compiled, and nothing but warnings is told.
    ///
    /// And every statement goes by an index, in its order. There is one for each, and a statement asks for few rows. The planner thinks of the average
    /// user, so for a page it would read and sort all followers of whoever has a million; and while tables are small or unknown to it, it reads them whole.
    static let settings = [
        "SET lock_timeout = '3s'", "SET idle_in_transaction_session_timeout = '30s'", "SET jit = off", "SET client_min_messages = warning",
        "SET enable_seqscan = off", "SET enable_bitmapscan = off", "SET enable_hashjoin = off", "SET enable_mergejoin = off", "SET enable_sort = off",
    ]

    /// Opens a connection.
    func connect(_ library: LibPQ) throws(PostgreSQLFailure) -> PostgreSQLSession {
        let session = PostgreSQLSession(try PQConnection(library, text, defaults: Self.defaults))
        try session.perform(Self.settings)
        return session
    }
}
