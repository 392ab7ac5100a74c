import PulseBoardDomain
import StoreSQL
import Synchronization

/// A cluster, and how often it has got a new primary.
struct ClusterTimeline: Hashable, Sendable {
    let system: Int64
    let number: Int64
}

/// What this process knows of the writes that it has acknowledged. No server without them is used.
///
/// - A cluster's timeline rises with each promotion. A server with a lower timeline than one on which a write was acknowledged is a former primary,
///   which has taken over again by a fault of the cluster.
/// - The key of the newest acknowledged transaction (`operation`) is missing on a server that was restored meanwhile, on a standby that was promoted
///   without the newest writes, and in another database.
///
/// Nothing of this is stored in the database, because the database is what is in doubt. A restart forgets it.
final class AcknowledgedWrites: Sendable {
    private struct State {
        /// The highest timeline of each cluster on which a transaction of this process was made durable.
        var highest: [Int64: Int64] = [:]
        var newest: (operation: OperationKey, time: Duration)?
    }

    /// How long the newest transaction must be known to a server. Its key is kept for ``HousekeepingThread/operationLifetime``, which is longer.
    static let memory = Duration.seconds(30 * 60)

    private let uptime: @Sendable () -> Duration
    private let state = Mutex(State())

    /// - Parameter uptime: a monotonic clock.
    init(uptime: @escaping @Sendable () -> Duration) { self.uptime = uptime }

    /// Records a durable transaction. Call it before the write is acknowledged.
    /// - Parameter operation: the key of the transaction; `nil` if it has none.
    /// - Throws: `refused` with `outdated` if the server has been replaced meanwhile. Then its transaction must not be acknowledged.
    func note(_ operation: OperationKey?, on session: PostgreSQLSession) throws(PostgreSQLFailure) {
        let now = uptime()
        let higher = state.withLock { state -> Int64? in
            if let higher = Self.higher(than: session, state) { return higher }
            if let timeline = session.timeline { state.highest[timeline.system] = timeline.number }
            if let operation { state.newest = (operation, now) }
            return nil
        }
        if let higher { throw Self.behind(session, higher) }
    }

    /// Whether a connection may still be used.
    func accepts(_ session: PostgreSQLSession) -> Bool { state.withLock { Self.higher(than: session, $0) } == nil }

    /// Checks a new connection. It asks for the timeline, and for the newest acknowledged transaction.
    /// - Throws: `refused` with `outdated` if the server lacks acknowledged writes.
    func check(_ session: PostgreSQLSession) throws(PostgreSQLFailure) {
        session.timeline = try Self.timeline(session)
        let (higher, newest) = state.withLock { (Self.higher(than: session, $0), $0.newest) }
        if let higher { throw Self.behind(session, higher) }
        guard let newest, uptime() - newest.time < Self.memory else { return }
        guard try newest.operation.wasCommitted(session) else {
            throw .refused(
                .outdated,
                detail: "the database lacks a write that was acknowledged: it was restored, it is another one, or a standby without the newest "
                    + "writes was promoted. Bring back the database with the write. To go on without it, stop all servers and make the statements "
                    + "of docs/scaling.md, 'After a restore or a loss'")
        }
    }

    /// The timeline that forbids the use of a connection; `nil` if none does.
    private static func higher(than session: PostgreSQLSession, _ state: State) -> Int64? {
        guard let timeline = session.timeline, let highest = state.highest[timeline.system], timeline.number < highest else { return nil }
        return highest
    }

    private static func behind(_ session: PostgreSQLSession, _ highest: Int64) -> PostgreSQLFailure {
        .refused(
            .outdated,
            detail: "the server is on timeline \(session.timeline?.number ?? 0), and writes were acknowledged on timeline \(highest). "
                + "Make the standby with timeline \(highest) the primary; do not rebuild it")
    }

    private static let present = Query(
        """
        SELECT (SELECT system_identifier FROM pg_control_system()),
            CAST(CAST('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS BIT(32)) AS BIGINT)
        """)

    /// The server's timeline; `nil` if it knows none, as databases that only speak PostgreSQL's protocol.
    /// - Throws: any other refusal. It leaves open whether the server is outdated.
    private static func timeline(_ session: PostgreSQLSession) throws(PostgreSQLFailure) -> ClusterTimeline? {
        do throws(PostgreSQLFailure) {
            return try session.ask(present) { cursor in
                cursor.integer(0).flatMap { system in cursor.integer(1).map { ClusterTimeline(system: system, number: $0) } }
            }
        } catch {
            // There is no such function, or the database does not support it.
            guard error.isRefusal(of: "42883", "0A000") else { throw error }
            return nil
        }
    }
}

extension OperationKey {
    private static let committed = Query("SELECT is_void FROM operation WHERE operation_id = ?")

    /// Whether the database has the transaction.
    fileprivate func wasCommitted(_ session: PostgreSQLSession) throws(PostgreSQLFailure) -> Bool {
        do throws(PostgreSQLFailure) {
            return try session.ask(Self.committed, binding: bits) { $0.integer(0) == 0 ? true : nil } ?? false
        } catch {
            // Without such a table it is another database. If the table is there, this role cannot see it: it has no right on the schema, or another
            // search_path. That and any other refusal say nothing about the transaction.
            guard error.isRefusal(of: "42P01"), try session.ask(Self.tableExists, { $0.integer(0) == 1 ? true : nil }) == nil else { throw error }
            return false
        }
    }

    private static let tableExists = Query("SELECT 1 FROM pg_catalog.pg_class WHERE relname = 'operation' AND relkind = 'r'")
}
