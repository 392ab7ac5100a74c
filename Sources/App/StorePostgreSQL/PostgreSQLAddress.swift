import PulseBoardDomain
import PulseBoardVocabulary
import StoreSQL

/// The address of a store on PostgreSQL, with the settings of its connections.
struct PostgreSQLAddress: Sendable, CustomStringConvertible {
    private let text: String
    /// The hosts in the order in which they are tried, as the settings that replace those of the address. The first has none.
    private let orders: [[(key: String, value: String)]]
    /// The address for people. It never contains a password.
    let description: String

    /// The schemes of an address.
    static let schemes = ["postgresql://", "postgres://"]

    /// - Throws: `addressInvalid`, `passwordInAddress`.
    init(_ text: String, _ library: LibPQ) throws(PostgreSQLOpeningError) {
        guard Self.schemes.contains(where: text.hasPrefix) else {
            let schemes = Phrase.Help.oneOf(Self.schemes)
            throw .addressInvalid(detail: Phrase("it does not begin with \(schemes.english)", "다음 가운데 하나로 시작해야 합니다: \(schemes.korean)"))
        }
        let settings = try library.settings(of: text)
        guard settings["password"] == nil, settings["sslpassword"] == nil else { throw .passwordInAddress }
        // A password with a colon, a slash or an @ looks to libpq like a port, a host or a database. These are shown to people.
        let ports = settings["port"] ?? ""
        guard ports.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ",") }) else {
            throw .addressInvalid(detail: Phrase("its port is not a number", "포트가 숫자가 아닙니다"))
        }
        for name in ["host", "dbname"] where settings[name]?.contains("@") == true {
            let part = name == "host" ? Phrase("host", "호스트") : Phrase("database", "데이터베이스 이름")
            throw .addressInvalid(detail: Phrase("there is an @ in its \(part.english)", "\(part.korean)에 @가 있습니다"))
        }
        self.text = text
        orders = Self.orders(settings)
        let place = [settings["host"], settings["port"]].compactMap(\.self).joined(separator: ":")
        let database = settings["dbname"].map { "database \($0)" }
            ?? settings["service"].map { "database of the service \($0)" } ?? "database of the default"
        description = database + (place.isEmpty ? "" : " at \(place)")
    }

    /// Defaults that the address may change, such as the time limit for connecting, and that the server must be the primary.
    private func defaults(_ program: PostgreSQLStore.Program) -> KeyValuePairs<String, String> {
        [
            "application_name": program.rawValue, "connect_timeout": "3", "target_session_attrs": "read-write",
            // Without these, nobody would notice that a host is gone.
            "tcp_user_timeout": "5000", "keepalives_idle": "5", "keepalives_interval": "2", "keepalives_count": "3",
        ]
    }

    /// The settings of each session. Short statements are not compiled. The server sends warnings, but no lesser messages.
    ///
    /// `lock_timeout` limits one wait for a lock. But a statement may wait again and again, if others change the row first. So each statement has a
    /// limit too, which ends before a silent server is given up (``statementLimit(_:)``). In PostgreSQL it does not count for a
    /// COMMIT that waits for its standby.
    ///
    /// A client that is gone holds its locks for at most half a minute:
    /// - A process that has ended closes its connections.
    /// - A frozen process has an idle transaction, because what is sent ends with a sync (``PostgreSQLSession/settle()``). There are two exceptions:
    ///   it freezes while it sends, or with more unread results than a Unix socket takes. Then it holds its locks until it goes on or ends.
    /// - A lost machine does not answer. The server's system notices that within 25 s.
    ///
    /// Every statement must use an index and its order, because each statement has an index and reads few rows. The planner assumes an average user:
    /// for one page it would read and sort all followers of a user with a million. And it would read small or new tables whole. A page has each user
    /// once, so what PostgreSQL remembers of a join is never used again.
    static let settings = [
        "SET client_encoding = 'UTF8'", "SET lock_timeout = '1500ms'", "SET idle_in_transaction_session_timeout = '30s'", "SET jit = off", "SET client_min_messages = warning",
        "SET enable_seqscan = off", "SET enable_bitmapscan = off", "SET enable_hashjoin = off", "SET enable_mergejoin = off", "SET enable_sort = off",
        "SET enable_memoize = off",
        // Without effect on a Unix socket. The last is in milliseconds, the others in seconds.
        "SET tcp_keepalives_idle = 10", "SET tcp_keepalives_interval = 5", "SET tcp_keepalives_count = 3", "SET tcp_user_timeout = 20000",
    ]

    /// How long a statement may take: four fifths of the time for which the server may be silent.
    static func statementLimit(_ silence: Duration) -> Duration { silence * 4 / 5 }

    /// How long the housekeeping waits for a lock before it gives way: 0.3 s with the standard silence of 5 s.
    static func yieldLimit(_ silence: Duration) -> Duration { silence * 3 / 50 }

    /// The setting that limits each statement. (0 would be no limit.)
    static func timeLimit(_ limit: Duration) -> String { "statement_timeout = \(max(1, Int64(limit / .milliseconds(1))))" }

    /// Lets a statement that waits end within a second after this program has gone, if the server can do that: PostgreSQL 14 and newer, on most
    /// systems.
    private static func endStatementsWithClient(_ session: PostgreSQLSession) throws(PostgreSQLFailure) {
        do throws(PostgreSQLFailure) {
            try session.perform(["SELECT set_config(name, '1s', false) FROM pg_settings WHERE name = 'client_connection_check_interval'"])
        } catch {
            guard case .refused = error else { throw error }
        }
    }

    /// Opens a connection.
    /// - Parameters:
    ///   - silence: how long the server may say nothing.
    ///   - program: whose connection it is, for those who look at PostgreSQL's connections.
    ///   - check: refuses a server that lacks acknowledged writes. Then the other hosts of the address are tried first: libpq takes the first that is
    ///     a primary, and a former primary may believe that it is.
    func connect(
        _ library: LibPQ, silence: Duration, for program: PostgreSQLStore.Program = .server,
        check: (PostgreSQLSession) throws(PostgreSQLFailure) -> Void = { _ throws(PostgreSQLFailure) in }
    ) throws(PostgreSQLFailure) -> PostgreSQLSession {
        var refusal: PostgreSQLFailure?
        for order in orders {
            do throws(PostgreSQLFailure) {
                let session = PostgreSQLSession(
                    try PQConnection(library, text, defaults: defaults(program), replacements: order), silence: silence)
                let limit = Self.timeLimit(Self.statementLimit(silence))
                try session.perform(Self.settings + ["SET " + limit])
                try Self.endStatementsWithClient(session)
                try check(session)
                return session
            } catch {
                // What the first refusal says is more than that another host does not answer.
                guard case .refused(.outdated, _, _) = error else { throw refusal ?? error }
                refusal = refusal ?? error
            }
        }
        throw refusal ?? .lost(detail: "the address has no host")
    }

    /// The lists of hosts in every order that begins with another host.
    private static func orders(_ settings: [String: String]) -> [[(key: String, value: String)]] {
        let lists = ["host", "hostaddr", "port"].compactMap { key in
            settings[key].map { (key: key, values: $0.split(separator: ",", omittingEmptySubsequences: false)) }
        }
        let count = lists.map(\.values.count).max() ?? 1
        return (0..<count).map { first in
            guard first > 0 else { return [] }
            return lists.map { list in
                // One port is that of all hosts.
                guard list.values.count == count else { return (list.key, list.values.joined(separator: ",")) }
                return (list.key, (list.values[first...] + list.values[..<first]).joined(separator: ","))
            }
        }
    }
}
