import PulseBoardDomain

/// One page of a list of a diary's entries, newest first, while it is read.
///
/// Texts are compared here, in a time that grows only with their length. The time of LIKE would grow with the product of text and query. Sealed
/// entries cannot be compared elsewhere, and emotions have no index. So the database only sorts, and the page ends after a number of entries and
/// bytes that were looked at.
struct DiaryListing {
    private let diary: DiaryKey
    private let vault: DiaryVault
    private let filter: DiaryFilter
    private let limit: Int
    private let search: DiaryTextSearch?
    /// Whether entries are compared here, after they were read.
    private let isLookedAt: Bool
    private var rowsAtOnce = RowsAtOnce()
    /// The place after the last entry that was read; `nil` at the beginning.
    private var last: DiaryCursor?
    private var entries: [DiaryEntry] = []
    private var byteCount = 0
    private var scanned = (count: 0, bytes: 0)

    init(of diary: DiaryKey, _ filter: DiaryFilter, _ vault: DiaryVault, after cursor: DiaryCursor?, limit: Int) {
        self.diary = diary
        self.vault = vault
        self.filter = filter
        self.limit = limit
        search = filter.search
        isLookedAt = filter.text != nil || filter.emotion != nil
        last = cursor
    }

    /// Reads the page.
    mutating func read(_ connection: borrowing SQLConnection) throws(RepositoryError) -> DiaryEntryPage {
        while true {
            switch try readRows(connection) {
            case .pageIsFull: return DiaryEntryPage(entries: entries, next: last)
            case .noMoreRows: return DiaryEntryPage(entries: entries, isComplete: true)
            case .moreRows: continue
            }
        }
    }

    private enum Progress { case pageIsFull, noMoreRows, moreRows }

    /// Reads the rows of one answer of the database, as long as the page has room.
    private mutating func readRows(_ connection: borrowing SQLConnection) throws(RepositoryError) -> Progress {
        // How many entries a search passes over is not known before.
        let statement = try query(rowsAtOnce.next(room: isLookedAt ? .max - 1 : limit - entries.count), connection)
        var answer = (rowCount: 0, byteCount: 0)
        while try statement.step() {
            guard hasRoom else { return .pageIsFull }
            answer.byteCount += try take(statement)
            answer.rowCount += 1
        }
        return rowsAtOnce.hasMore(afterRows: answer.rowCount, byteCount: answer.byteCount) ? .moreRows : .noMoreRows
    }

    private var hasRoom: Bool {
        entries.count < limit && byteCount < DiaryLimits.maximumPageBytes && scanned.count < DiaryLimits.maximumScannedEntries
            && scanned.bytes < DiaryLimits.maximumScannedBytes
    }

    /// The next rows after the last one.
    private func query(_ rows: Int, _ connection: borrowing SQLConnection) throws(RepositoryError) -> SQLStatement {
        var conditions = ["diary = ?", "is_deleted = 0"]
        if filter.times != nil { conditions.append("entry_time >= ?") }
        // Only one upper limit: with two, a database would begin at that of the filter, and pass over all earlier pages.
        conditions.append(contentsOf: last != nil ? ["(entry_time, entry_id) < (?, ?)"] : filter.times != nil ? ["entry_time < ?"] : [])
        var statement = try connection.statement(
            """
            SELECT \(DiaryRecord.rowColumns), entry_id FROM diary_entry
            WHERE \(conditions.joined(separator: " AND ")) ORDER BY entry_time DESC, entry_id DESC LIMIT ?
            """)
        try statement.bind(diary)
        if let times = filter.times { try statement.bind(times.lowerBound) }
        if let last {
            try statement.bind(last.entryTime)
            try statement.bind(last.id)
        } else if let times = filter.times {
            try statement.bind(times.upperBound)
        }
        try statement.bind(Int64(rows))
        return statement
    }

    /// Takes the present row into the page, if it is one that the filter selects.
    /// - Returns: the row's bytes.
    private mutating func take(_ statement: borrowing SQLStatement) throws(RepositoryError) -> Int {
        guard let id = statement.identifier(DiaryRecord.rowColumnCount, as: DiaryEntryID.self) else {
            throw .corruptRow(table: "diary_entry", key: diary.description)
        }
        guard let row = try DiaryRecord.row(statement, id, in: diary, vault) else { throw DiaryRecord.corrupt(id) }
        let entry = try DiaryRecord.entry(id, row)
        last = DiaryCursor(after: entry)
        if isLookedAt {
            scanned.count += 1
            scanned.bytes += row.byteCount
            guard isSelected(entry.content) else { return row.byteCount }
        }
        entries.append(entry)
        byteCount += row.byteCount
        return row.byteCount
    }

    private func isSelected(_ content: DiaryContent) -> Bool {
        if let emotion = filter.emotion, emotion != content.emotion { return false }
        return search?.matches(content.text) ?? true
    }
}

/// How many rows of a diary a statement asks for. PostgreSQL keeps all rows of an answer in memory, and a page may have room for 20 long entries
/// or for hundreds of short ones.
struct RowsAtOnce {
    /// The rows that the last statement was asked for.
    private var asked = 0
    private var most = 64
    /// Bytes of an answer, up to which the next one may have four times the rows.
    private static let smallAnswer = 128 << 10

    /// The rows that the next statement is asked for.
    /// - Parameter room: how many rows the page can have. One more shows whether there is another page.
    mutating func next(room: Int) -> Int {
        asked = min(most, room + 1)
        return asked
    }

    /// Takes note of an answer, and says whether there may be more rows.
    mutating func hasMore(afterRows rows: Int, byteCount: Int) -> Bool {
        if byteCount <= Self.smallAnswer { most = 256 }
        return rows == asked
    }
}
