import PulseBoardDomain
import StoreSQL

/// The address of a store on PostgreSQL, with the settings of its connections.
struct PostgreSQLAddress: Sendable, CustomStringConvertible {
    private let text: String
    /// The address for people. It never contains a password.
    let description: String

    /// The schemes of an address.
    static let schemes = ["postgresql://", "postgres://"]

    /// - Throws: `addressInvalid`, `passwordInAddress`.
    init(_ text: String, _ library: LibPQ) throws(PostgreSQLOpeningError) {
        guard Self.schemes.contains(where: text.hasPrefix) else { throw .addressInvalid(detail: "it does not begin with \(Self.schemes.joined(separator: " or "))") }
        let settings = try library.settings(of: text)
        guard settings["password"] == nil, settings["sslpassword"] == nil else { throw .passwordInAddress }
        self.text = text
        let place = [settings["host"], settings["port"]].compactMap(\.self).joined(separator: ":")
        let database = settings["dbname"].map { "database \($0)" } ?? settings["service"].map { "database of the service \($0)" } ?? "database of the default"
        description = database + (place.isEmpty ? "" : " at \(place)")
    }

    /// Defaults that the address may change, such as the time limit for connecting, and that the server must be the primary.
    private static var defaults: KeyValuePairs<String, String> {
        [
            "application_name": "pulseboardd", "connect_timeout": "3", "target_session_attrs": "read-write", "client_encoding": "UTF8",
            // Without these, nobody would notice that a host is gone.
            "tcp_user_timeout": "5000", "keepalives_idle": "5", "keepalives_interval": "2", "keepalives_count": "3",
        ]
    }

    /// The settings of each session. A statement may wait for the locks of a row, of its key and of its new version one after the other. All three waits
    /// end before a silent server is given up. A client that is gone holds its locks for at most half a minute. Short statements are not compiled. The
    /// server sends warnings, but no lesser messages.
    ///
    /// Every statement must use an index and its order, because each statement has an index and reads few rows. The planner assumes an average user: for
    /// one page it would read and sort all followers of a user with a million. And it would read small or new tables whole.
    static let settings = [
        "SET lock_timeout = '1500ms'", "SET idle_in_transaction_session_timeout = '30s'", "SET jit = off", "SET client_min_messages = warning",
        "SET enable_seqscan = off", "SET enable_bitmapscan = off", "SET enable_hashjoin = off", "SET enable_mergejoin = off", "SET enable_sort = off",
    ]

    /// Opens a connection.
    /// - Parameter silence: how long the server may say nothing.
    func connect(_ library: LibPQ, silence: Duration) throws(PostgreSQLFailure) -> PostgreSQLSession {
        let session = PostgreSQLSession(try PQConnection(library, text, defaults: Self.defaults), silence: silence)
        try session.perform(Self.settings)
        return session
    }
}
