/// The full state of one entry: each field's value with the stamp of the edit that won, and the conflicts. Tombstones are rows too.
public struct DiaryRow: Hashable, Sendable {
    /// A field of a row. A deleted entry has no values.
    public struct Cell: Hashable, Sendable {
        /// The value; `nil` in a deleted entry.
        public var value: DiaryValue?
        /// The stamp of the edit that set the value.
        public var stamp: DiaryStamp

        public init(value: DiaryValue?, stamp: DiaryStamp) {
            self.value = value
            self.stamp = stamp
        }

        static let empty = Cell(value: nil, stamp: .none)
    }

    /// When the entry was created, by the stamp of its creation. In a deleted entry whose creation was not seen, that of the first edit.
    public var createTime: Timestamp
    public var isDeleted: Bool
    /// Edits that lost and that nobody has covered since.
    public var conflicts: Set<DiaryConflict>
    /// In the order of the fields.
    private var cells: [Cell]

    /// A row without values, for an entry that is deleted.
    public init(createTime: Timestamp, isDeleted: Bool, conflicts: Set<DiaryConflict> = []) {
        self.createTime = createTime
        self.isDeleted = isDeleted
        self.conflicts = conflicts
        cells = DiaryField.allCases.map { _ in .empty }
    }

    /// The row of a new entry.
    init(content: DiaryContent, stamp: DiaryStamp) {
        self.init(createTime: Timestamp(microseconds: stamp.time), isDeleted: false)
        for field in DiaryField.allCases {
            let isWritten = field != .images || !content.images.isEmpty
            self[field] = Cell(value: content[field], stamp: isWritten ? stamp : .none)
        }
    }

    /// The value of a field and its stamp.
    public subscript(field: DiaryField) -> Cell {
        get { cells[Int(field.rawValue) - 1] }
        set { cells[Int(field.rawValue) - 1] = newValue }
    }

    /// The fields whose stamps are sent and stored, in their order: all, but pictures only if the row has ever had some.
    public var stampedFields: [DiaryField] { DiaryField.allCases.filter { $0 != .images || self[$0].stamp != .none } }

    /// The stamps of the fields. A deletion names them.
    public var stamps: [DiaryField: DiaryStamp] {
        Dictionary(uniqueKeysWithValues: stampedFields.map { ($0, self[$0].stamp) })
    }

    /// The stamps of ``stampedFields`` in their order, 24 bytes each.
    public var stampBytes: [UInt8] {
        var writer = DiaryBytesWriter()
        for field in stampedFields { writer.put(self[field].stamp) }
        return writer.bytes
    }

    /// The greatest time of any stamp in the row, UTC microseconds.
    public var lastStampTime: Int64 {
        max(cells.map(\.stamp.time).max() ?? 0, conflicts.map(\.stamp.time).max() ?? 0)
    }

    /// Bytes of the values, including conflicts (``DiaryValue/byteCount``).
    public var byteCount: Int {
        cells.reduce(0) { $0 + ($1.value?.byteCount ?? 0) } + conflicts.reduce(0) { $0 + $1.value.byteCount }
    }

    /// Bytes that the row counts for on a page: the values, and 100 for each conflict, so that a page of short conflicts is not long.
    public var pageByteCount: Int { byteCount + 100 * conflicts.count }

    /// The conflicts in an order that is the same everywhere: by field, then by stamp.
    public var orderedConflicts: [DiaryConflict] {
        conflicts.sorted { ($0.field, $0.stamp) < ($1.field, $1.stamp) }
    }

    /// What the owner wrote; `nil` when the entry is deleted.
    public var content: DiaryContent? {
        guard !isDeleted, case .time(let time)? = self[.entryTime].value, case .emotion(let emotion)? = self[.emotion].value,
            case .text(let text)? = self[.text].value, case .images(let images)? = self[.images].value
        else { return nil }
        return DiaryContent(stored: time, emotion: emotion, text: text, images: images)
    }

    /// The entry as the owner sees it; `nil` when it is deleted.
    public func entry(_ id: DiaryEntryID) -> DiaryEntry? {
        content.map { content in
            DiaryEntry(
                id: id, content: content, createTime: createTime, updateTime: Timestamp(microseconds: cells.map(\.stamp.time).max() ?? 0), etag: etag)
        }
    }

    /// A token of the fields' state: a hash of their stamps. Every edit has its own stamp, so all replicas with the same state
    /// have the same token.
    public var etag: Etag {
        Etag(text: String(FNV1aHash.value(of: stampBytes), radix: 36))
    }
}

/// An edit that lost against a later one, or against a deletion that had not seen it. It is kept until its owner has looked at it.
public struct DiaryConflict: Hashable, Sendable {
    public let field: DiaryField
    public let stamp: DiaryStamp
    public let value: DiaryValue

    public init(field: DiaryField, stamp: DiaryStamp, value: DiaryValue) {
        self.field = field
        self.stamp = stamp
        self.value = value
    }

    /// A stamp names one edit, so the hash does not read the value. An entry may have a megabyte of conflicts.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(field)
        hasher.combine(stamp)
    }

    /// Names the edit.
    public var fieldStamp: DiaryFieldStamp { DiaryFieldStamp(field, stamp) }
}
