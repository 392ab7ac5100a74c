/// Limits of a diary. Everything that a caller can send has one of these bounds.
public enum DiaryLimits {
    /// Characters of a text, 0…10,000.
    public static let maximumTextCharacters = 10_000
    /// Bytes of a text in UTF-8 and NFC.
    public static let maximumTextBytes = 40_000
    /// Bytes of an emotion's name. It consists of the letters a to z and underscores.
    public static let maximumEmotionBytes = 32
    /// Years 1 to 9999, the range of `google.protobuf.Timestamp`, in microseconds.
    public static let entryTimes: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999
    /// Entries of an owner that are not deleted.
    public static let maximumEntries: Int64 = 20_000
    /// Entries of an owner, including remembered deleted ones.
    public static let maximumRows: Int64 = 40_000
    /// Pictures of an entry.
    public static let maximumImages = 4
    /// Bytes of a picture: 5 MiB.
    public static let maximumImageBytes = 5 << 20
    /// Pictures of an owner, including those that wait for an entry.
    public static let maximumStoredImages: Int64 = 10_000
    /// Bytes of all pictures of an owner: 1 GiB.
    public static let maximumStoredImageBytes: Int64 = 1 << 30
    /// Bytes of one part. Pictures are stored and sent in parts. Stored pictures are read by this number, so another one needs a migration.
    public static let imagePartBytes = 256 << 10
    /// How long a picture without an entry is kept: while it waits for its entry, or after its last entry dropped it.
    public static let unusedImageLifetime = Timestamp.Interval.hours(24)
    /// Names of pictures in one request: as many as the longest push has.
    public static let maximumImageNames = 400
    /// Bytes of all texts of an owner, including those in conflicts: 64 MiB.
    public static let maximumTotalBytes: Int64 = 64 << 20
    /// Devices of an owner.
    public static let maximumDevices: Int64 = 32
    /// Bytes of a device's name in UTF-8.
    public static let maximumDeviceNameBytes = 100
    /// Conflicts that are kept for one entry. A deletion may add one more for each field, because it always wins.
    public static let maximumConflicts = 32
    /// Conflicts that one mutation may name: as many as an entry can have.
    public static let maximumCovers = maximumConflicts + DiaryField.allCases.count
    /// Mutations in one push.
    public static let maximumBatch = 100
    /// Bytes of the mutations in one push, as they are stored: 1 MiB. One mutation always fits.
    public static let maximumBatchBytes = 1 << 20
    /// Bytes of rows, with their conflicts, that one transaction of a push reads and writes: 16 MiB. The rest of the push follows in further
    /// transactions, so that other users' writes come between them. A push of entries without conflicts takes one transaction.
    public static let maximumTransactionBytes = 16 << 20
    /// Results of a device that the server keeps for a repeated push: enough for the last two pushes.
    public static let keptResults: Int64 = 200
    /// Rows on one page of changes: the maximum and the default.
    public static let maximumChanges = 500
    /// Bytes of text after which a page of entries or changes ends: 1 MiB. A page has at least one row of any length.
    public static let maximumPageBytes = 1 << 20
    /// Entries that one page of a search looks at, at most. Then the page ends, and may be empty. It bounds the work of a search.
    public static let maximumScannedEntries = 4_000
    /// Bytes of entries that one page of a search looks at, at most: 2 MiB.
    public static let maximumScannedBytes = 2 << 20
    /// How far a stamp may be ahead of the server's clock.
    public static let maximumSkew = Timestamp.Interval.hours(24)
    /// How far a stamp may be ahead of the newest one in the diary, wherever that is. It is enough for a million edits of one device.
    public static let stepPastSeenStamps = Timestamp.Interval.seconds(1)
    /// How long a deleted entry is remembered, so that other devices learn of the deletion.
    public static let tombstoneLifetime = Timestamp.Interval.days(90)
    /// Characters of a search text.
    public static let maximumQueryCharacters = 100
}
