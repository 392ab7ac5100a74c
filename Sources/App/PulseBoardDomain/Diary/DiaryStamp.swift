/// When an edit was made, and by which device. Stamps order edits in the same way on all devices. Each edit of an entry has its own stamp.
public struct DiaryStamp: Hashable, Sendable, Comparable {
    /// UTC microseconds by the device's clock, moved forward past every stamp that the device has seen (``DiaryClock``).
    public let time: Int64
    /// The device that made the edit; it decides between two edits of one instant. A device takes a new id each time it opens its diary, and
    /// uses that id only in stamps.
    public let device: DiaryDeviceID

    public init(time: Int64, device: DiaryDeviceID) {
        self.time = time
        self.device = device
    }

    /// Less than the stamp of any edit. A field that nobody has written, or whose entry is deleted, has it.
    public static let none = DiaryStamp(time: 0, device: DiaryDeviceID(bits: UUIDBits(high: 0, low: 0)))

    public static func < (one: DiaryStamp, other: DiaryStamp) -> Bool { (one.time, one.device) < (other.time, other.device) }
}

/// The stamp of one field: names one edit of it.
public struct DiaryFieldStamp: Hashable, Sendable {
    public let field: DiaryField
    public let stamp: DiaryStamp

    public init(_ field: DiaryField, _ stamp: DiaryStamp) {
        self.field = field
        self.stamp = stamp
    }
}

/// A hybrid logical clock. It is near the time of day, and later than every edit that was made or seen.
///
/// So an edit is later than every edit that its author saw, even if another device's clock is a day ahead.
public struct DiaryClock: Hashable, Sendable {
    /// The time of the last stamp that was made or seen, UTC microseconds.
    public private(set) var last: Int64

    public init(last: Int64 = 0) { self.last = last }

    /// The stamp of an edit that is made now.
    public mutating func stamp(at now: Timestamp, on device: DiaryDeviceID) -> DiaryStamp {
        last = max(now.microseconds, last < .max ? last + 1 : last)
        return DiaryStamp(time: last, device: device)
    }

    /// Moves past the stamps of a row that another device has changed.
    public mutating func observe(_ row: DiaryRow) { last = max(last, row.lastStampTime) }

    /// Moves past a stamp that was made before.
    public mutating func observe(_ stamp: DiaryStamp) { last = max(last, stamp.time) }
}
