import PulseBoardDomain

/// The progress of a directory with its server, stored as one row.
struct SyncState {
    /// The diary's owner; `nil` before an account is attached.
    var owner: UserID?
    /// The directory's id among the owner's devices.
    var device: DiaryDeviceID
    var isRegistered: Bool
    /// The place of the next edit in the outbox. Places are not used again, because refused edits keep theirs. A program of an earlier version may
    /// have taken places without counting them.
    var nextPlace: Int64
    /// The number of the next edit.
    var nextNumber: Int64
    /// Results up to this number are stored here.
    var confirmed: Int64
    /// Edits up to this number are in the base.
    var applied: Int64
    /// The place in the server's changes after the base. Empty before the first checkpoint, and when reading must begin again.
    var cursor: String
    /// The place after the staged rows of an incomplete checkpoint; empty if nothing is staged.
    var stagedCursor: String
    var clock: DiaryClock
    /// When a checkpoint was last completed; `nil` before the first.
    var lastSync: Timestamp?

    init(_ database: ClientDatabase) throws(DiaryError) {
        let states = try database.rows(
            """
            SELECT owner, device, is_registered, next_number, confirmed, applied, cursor, staged_cursor, clock, last_sync,
                max(next_place, coalesce((SELECT max(local_id) + 1 FROM outbox), 1))
            FROM sync_state
            """
        ) { row throws(DiaryError) -> SyncState? in
            guard let device = row.blob(1).flatMap({ UUIDBits(bytes: $0) }), let registered = row.integer(2), let next = row.integer(3),
                let confirmed = row.integer(4), let applied = row.integer(5), let cursor = row.text(6), let staged = row.text(7),
                let clock = row.integer(8), let place = row.integer(10)
            else { return nil }
            return SyncState(
                owner: row.blob(0).flatMap { UUIDBits(bytes: $0) }.map(UserID.init(bits:)), device: DiaryDeviceID(bits: device),
                isRegistered: registered == 1, nextPlace: place, nextNumber: next, confirmed: confirmed, applied: applied, cursor: cursor,
                stagedCursor: staged, clock: DiaryClock(last: clock), lastSync: row.integer(9).map(Timestamp.init(microseconds:)))
        }
        guard let state = states.first.flatMap(\.self) else { throw .unreadableRow(of: "sync_state") }
        self = state
    }

    private init(
        owner: UserID?, device: DiaryDeviceID, isRegistered: Bool, nextPlace: Int64, nextNumber: Int64, confirmed: Int64, applied: Int64,
        cursor: String, stagedCursor: String, clock: DiaryClock, lastSync: Timestamp?
    ) {
        self.owner = owner
        self.device = device
        self.isRegistered = isRegistered
        self.nextPlace = nextPlace
        self.nextNumber = nextNumber
        self.confirmed = confirmed
        self.applied = applied
        self.cursor = cursor
        self.stagedCursor = stagedCursor
        self.clock = clock
        self.lastSync = lastSync
    }

    func save(_ database: ClientDatabase) throws(DiaryError) {
        try database.run(
            """
            UPDATE sync_state SET owner = ?, device = ?, is_registered = ?, next_number = ?, confirmed = ?, applied = ?, cursor = ?,
                staged_cursor = ?, clock = ?, last_sync = ?, next_place = ?
            """,
            owner.map { .blob($0.bits.bytes) } ?? .null, .blob(device.bits.bytes), .integer(isRegistered ? 1 : 0), .integer(nextNumber),
            .integer(confirmed), .integer(applied), .text(cursor), .text(stagedCursor), .integer(clock.last),
            lastSync.map { .integer($0.microseconds) } ?? .null, .integer(nextPlace))
    }
}
