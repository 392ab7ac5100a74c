#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import Foundation
import PulseBoardDomain
import PulseBoardVocabulary

/// The position of a copy of the database in an archive: a generation, and numbers of its records.
struct LogPosition: Sendable, Hashable, CustomStringConvertible {
    let generation: UInt64
    /// The copy has everything before this record.
    let sequence: UInt64
    /// The copy may have later records too, but none from this one on.
    let end: UInt64

    init(generation: UInt64, sequence: UInt64, end: UInt64? = nil) {
        self.generation = generation
        self.sequence = sequence
        self.end = end ?? sequence
    }

    /// Reads `GENERATION:SEQUENCE` or `GENERATION:SEQUENCE:END`, the first in hexadecimal digits. `nil` for other texts, and if there are 2^32
    /// records or more from `SEQUENCE` to `END`: no copy takes so many.
    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let generation = UInt64(parts[0], radix: 16), let sequence = UInt64(parts[1]),
            let end = parts.count == 3 ? UInt64(parts[2]) : sequence, end >= sequence, end - sequence <= UInt64(UInt32.max)
        else { return nil }
        self.init(generation: generation, sequence: sequence, end: end)
    }

    var description: String { String(generation, radix: 16) + ":" + String(sequence) + (end > sequence ? ":" + String(end) : "") }
}

/// The last record of an archive.
struct LogArchiveEnd: Sendable {
    let generation: UInt64
    let sequence: UInt64
    let checksum: LogChecksum
    let fileNumber: UInt64
    let record: ArchiveRecord

    /// `nil` for an archive without records.
    /// - Parameter wasRead: called after each step of the disk.
    init?(directory: String, wasRead: () -> Void = {}) {
        let names = LogArchiveFile.names(in: directory)
        wasRead()
        // A file that was begun just before its server or the machine ended may have no record, or not even a whole header.
        for name in names.reversed() {
            let last: (file: LogArchiveCursor, record: ArchiveRecord)?
            do throws(LogArchiveFailure) { last = try Self.last(in: directory + "/" + name, wasRead) } catch { return nil }
            guard let (file, record) = last else { continue }
            generation = file.header.generation
            sequence = record.sequence
            checksum = file.checksum
            let generation = file.header.generation
            fileNumber = names.compactMap(LogFileHeader.numbers).last { $0.generation == generation }?.number ?? file.header.number
            self.record = record
            return
        }
        return nil
    }

    /// The last record of a file, with a cursor behind it; `nil` if there is none.
    private static func last(
        in path: String, _ wasRead: () -> Void
    ) throws(LogArchiveFailure) -> (file: LogArchiveCursor, record: ArchiveRecord)? {
        guard var file = try LogArchiveCursor(ofBegunFile: path), var record = try file.next() else { return nil }
        while let next = try file.next() {
            record = next
            wasRead()
        }
        return (file, record)
    }
}

/// Where bringing a database forward ends.
public enum LogReplayEnd: Sendable, Hashable {
    /// At the end of the archive.
    case archive
    /// Before the first transaction after this instant, by the clock that the server had.
    case time(Timestamp)
    /// After this many transactions. It finds a place that has no time of its own because the server's clock was ahead.
    case transactions(Int)

    func isBefore(_ record: ArchiveRecord, number: Int) -> Bool {
        switch self {
        case .archive: false
        case .time(let until): record.time > until
        case .transactions(let count): number > count
        }
    }
}

/// The result of bringing a database forward.
public struct LogReplay: Sendable, Hashable {
    /// How many transactions were replayed.
    public internal(set) var transactions = 0
    /// The time of the last replayed transaction; `nil` without any.
    public internal(set) var lastTime: Timestamp?
    /// When the archive continues after a gap, if it does and the whole archive was to be replayed.
    public internal(set) var gapEnd: Timestamp?
    /// How many transactions there are up to the last one at `until` or before, if the replay ended before it. That is so if the server's clock was
    /// ahead in between.
    public internal(set) var transactionsWithEarlierTimes: Int?
    /// Whether the archive ends within a transaction, as after a power cut. What it should have after ``lastTime`` is unknown.
    public internal(set) var isTorn = false
}

/// Replays the transactions of an archive in a copy of a database.
struct LogArchiveReplay {
    let directory: String
    let database: String
    private static let bytesAtOnce = 1 << 20

    /// Writes the pages of each transaction from `position` on into the database, up to the first one after `end`.
    ///
    /// The database must be a copy with that position. Pages are whole, so replaying those that it has already does no harm, if all of them are
    /// replayed. Otherwise pages of an earlier transaction would stand beside those of a later one.
    /// - Throws: ``LogArchiveFailure`` if the archive lacks something before `end`, or is damaged, or if the copy may have transactions after `end`.
    ///   Then the database is unusable.
    func run(from position: LogPosition, to end: LogReplayEnd) throws(LogArchiveFailure) -> LogReplay {
        var replay = LogReplay()
        let all = LogArchiveFile.names(in: directory)
        let cursors = try files(all, of: position)
        let target = open(database, O_RDWR | O_CLOEXEC)
        guard target >= 0 else { throw .system(database) }
        defer { close(target) }
        var expected = position.sequence
        var isOver = false
        for (number, path) in cursors.enumerated() where !isOver {
            var file = try LogArchiveCursor(path: path)
            try check(file.header, target)
            if number > 0, file.header.sequence != expected {
                throw LogArchiveFailure(
                    "the transactions \(expected) to \(file.header.sequence) are missing", "트랜잭션 \(expected)~\(file.header.sequence)이(가) 없습니다", of: path)
            }
            while let record = try file.next() {
                guard record.sequence >= position.sequence else { continue }
                guard record.sequence == expected else {
                    throw LogArchiveFailure("transaction \(expected) is missing", "트랜잭션 \(expected)이(가) 없습니다", of: path)
                }
                expected += 1
                guard record.kind == .commit else { continue }
                if end.isBefore(record, number: replay.transactions + 1) {
                    guard record.sequence >= position.end else {
                        let least = replay.transactions + Int(position.end - record.sequence)
                        throw LogArchiveFailure(
                            "the backup has transactions after that; choose a later time, or at least \(least) transactions",
                            "백업에 그 뒤의 트랜잭션이 있습니다. 더 나중 시각이나 트랜잭션 \(least)개 이상을 지정해 주세요", of: path)
                    }
                    isOver = true
                    break
                }
                try apply(record, of: file, to: target)
                replay.transactions += 1
                replay.lastTime = record.time
            }
            if !isOver, number == cursors.count - 1 { try checkEnd(of: file, &replay) }
        }
        if !isOver {
            guard replay.transactions == 0 || expected >= position.end else {
                throw LogArchiveFailure(
                    "it ends before transactions that the backup has already", "백업에 이미 있는 트랜잭션보다 먼저 끝납니다", of: directory)
            }
            try lookBeyond(position, end, all, &replay)
        }
        if case .transactions(let count) = end, replay.transactions < count {
            throw LogArchiveFailure(
                "it has only \(replay.transactions) transactions after the backup", "백업 뒤의 트랜잭션이 \(replay.transactions)개뿐입니다", of: directory)
        }
        if isOver, case .time(let until) = end {
            let count = transactions(in: cursors, from: position, until: until)
            if count > replay.transactions { replay.transactionsWithEarlierTimes = count }
        }
        guard fsync(target) == 0 else { throw .system(database) }
        return replay
    }

    /// How many transactions there are up to the last readable one at `until` or before.
    private func transactions(in paths: [String], from position: LogPosition, until: Timestamp) -> Int {
        var count = 0, last = 0
        for path in paths {
            guard var file = try? LogArchiveCursor(path: path) else { break }
            while let record = try? file.next() {
                guard record.sequence >= position.sequence, record.kind == .commit else { continue }
                count += 1
                if record.time <= until { last = count }
            }
        }
        return last
    }

    /// The files of the position's generation from that with the position on, oldest first.
    private func files(_ names: [String], of position: LogPosition) throws(LogArchiveFailure) -> [String] {
        var paths: [String] = []
        for name in names where LogFileHeader.numbers(of: name)?.generation == position.generation {
            let path = directory + "/" + name
            // A file without a whole header has no record. If one is missing for it, the next file's number shows it.
            guard let header = try LogArchiveCursor(ofBegunFile: path)?.header, header.generation == position.generation else { continue }
            // The last file that begins before the position has it.
            if header.sequence <= position.sequence { paths = [] }
            if header.sequence > position.sequence, paths.isEmpty {
                throw LogArchiveFailure(
                    "what was written after the backup and before \(name) is not there any more", "백업 뒤 \(name) 앞까지의 내용이 더 이상 없습니다", of: directory)
            }
            paths.append(path)
        }
        guard !paths.isEmpty else {
            throw LogArchiveFailure("it has nothing that was written after the backup", "백업 뒤의 내용이 없습니다", of: directory)
        }
        return paths
    }

    /// Tells the end of the archive from damage in its last file. Damage in an earlier file shows by the numbers of the next one.
    private func checkEnd(of file: LogArchiveCursor, _ replay: inout LogReplay) throws(LogArchiveFailure) {
        switch try file.ending() {
        case .whole: return
        case .torn: replay.isTorn = true
        case .damaged:
            let (count, last) = (replay.transactions, replay.lastTime?.text)
            throw LogArchiveFailure(
                "it is damaged after \(count) transactions\(last.map { ", the last of \($0)" } ?? ""), and others follow; "
                    + "--until brings a backup forward up to there",
                "트랜잭션 \(count)개\(last.map { "(마지막: \($0))" } ?? "") 뒤가 손상되었고 그 뒤에도 트랜잭션이 있습니다. "
                    + "--until로 그 앞까지 진행할 수 있습니다", of: file.path)
        }
    }

    /// Looks for a later generation after the end of this one. It cannot be replayed.
    private func lookBeyond(
        _ position: LogPosition, _ end: LogReplayEnd, _ names: [String], _ replay: inout LogReplay
    ) throws(LogArchiveFailure) {
        var next: Timestamp?
        for name in names where next == nil {
            guard let numbers = LogFileHeader.numbers(of: name), numbers.generation > position.generation else { continue }
            guard var file = try LogArchiveCursor(ofBegunFile: directory + "/" + name) else { continue }
            // A file that was begun, and whose first record did not get to the disk, says nothing: its server may have gone on with the former one.
            next = try file.next()?.time
        }
        guard let next else { return }
        let isEnough = switch end {
        case .archive: true
        case .time(let until): until < next
        case .transactions(let count): count == replay.transactions
        }
        guard isEnough else {
            throw LogArchiveFailure(
                "it has a gap before \(next.text); a backup from after that is needed", "\(next.text) 앞이 비어 있습니다. 그 뒤의 백업이 필요합니다", of: directory)
        }
        replay.gapEnd = next
    }

    private func check(_ header: LogFileHeader, _ target: CInt) throws(LogArchiveFailure) {
        var bytes = [UInt8](repeating: 0, count: 2)
        guard pread(target, &bytes, 2, 16) == 2 else { throw .system(database) }
        let size = Int(bytes[0]) << 8 | Int(bytes[1])
        guard header.pageBytes == (size == 1 ? 65_536 : size) else {
            throw LogArchiveFailure("it is another database's", "다른 데이터베이스의 보관 파일입니다", of: directory)
        }
    }

    private func apply(_ record: ArchiveRecord, of file: LogArchiveCursor, to target: CInt) throws(LogArchiveFailure) {
        let pageBytes = file.header.pageBytes
        let stride = 8 + pageBytes
        let atOnce = max(1, Self.bytesAtOnce / stride)
        var done = 0
        while done < Int(record.frames) {
            let count = min(atOnce, Int(record.frames) - done)
            let bytes = try file.bytes(at: file.payload + Int64(done * stride), count * stride)
            for index in 0..<count {
                let page = bytes.littleEndian(at: index * stride)
                guard (1...UInt64(UInt32.max)).contains(page) else {
                    throw LogArchiveFailure("a page without a number", "번호 없는 페이지가 있습니다", of: file.path)
                }
                let isWritten = bytes.withUnsafeBytes { pointer in
                    pwrite(target, pointer.baseAddress.map { $0 + index * stride + 8 }, pageBytes, off_t(page - 1) * off_t(pageBytes)) == pageBytes
                }
                guard isWritten else { throw .system(database) }
            }
            done += count
        }
        guard ftruncate(target, off_t(record.pages) * off_t(pageBytes)) == 0 else { throw .system(database) }
    }
}

/// Reads the records of one file, and checks each before it returns it.
struct LogArchiveCursor {
    let header: LogFileHeader
    let path: String
    private let file: ReadFile
    private var offset: Int64
    /// The offset of the last record's pages.
    private(set) var payload: Int64 = 0
    /// The checksum of the last record.
    private(set) var checksum: LogChecksum
    private var sequence: UInt64
    private static let bytesAtOnce = 1 << 20

    init(path: String) throws(LogArchiveFailure) {
        guard let file = try LogArchiveCursor(ofBegunFile: path) else {
            throw LogArchiveFailure("it is no file of an archive", "보관 파일이 아닙니다", of: path)
        }
        self = file
    }

    /// Opens a file; `nil` if it ends within its header, as a power cut can leave it.
    init?(ofBegunFile path: String) throws(LogArchiveFailure) {
        self.path = path
        file = try ReadFile(path)
        offset = Int64(LogArchiveFile.headerBytes)
        let bytes = try file.read(at: 0, LogArchiveFile.headerBytes)
        guard bytes.count == LogArchiveFile.headerBytes else { return nil }
        guard let header = LogFileHeader(bytes) else {
            throw LogArchiveFailure("it is no file of an archive", "보관 파일이 아닙니다", of: path)
        }
        self.header = header
        checksum = header.before
        sequence = header.sequence
    }

    /// The next record; `nil` at the end, and at a torn record, such as the last one after a power cut.
    mutating func next() throws(LogArchiveFailure) -> ArchiveRecord? {
        let head = try file.read(at: offset, ArchiveRecord.byteCount)
        guard let record = ArchiveRecord(head), record.sequence == sequence else { return nil }
        var sum = checksum
        sum.add(head)
        let begin = offset + Int64(ArchiveRecord.byteCount)
        var left = Int64(record.frames) * Int64(8 + header.pageBytes)
        var place = begin
        while left > 0 {
            let bytes = try file.read(at: place, Int(min(left, Int64(Self.bytesAtOnce))))
            guard !bytes.isEmpty else { return nil }
            sum.add(bytes)
            place += Int64(bytes.count)
            left -= Int64(bytes.count)
        }
        let trailer = try file.read(at: place, 8)
        guard trailer.count == 8, LogChecksum(trailer[...]) == sum else { return nil }
        checksum = sum
        payload = begin
        offset = place + 8
        sequence += 1
        return record
    }

    /// What a file has after its last readable record.
    enum Ending {
        case whole
        /// The beginning of a record, such as after a power cut.
        case torn
        /// Something unreadable with a later record behind it.
        case damaged
    }

    /// What follows the last record. Ask after ``next()`` has returned `nil`.
    func ending() throws(LogArchiveFailure) -> Ending {
        let magic = ArchiveRecord.magic.littleEndianBytes
        var place = offset
        while true {
            let bytes = try file.read(at: place, Self.bytesAtOnce)
            guard bytes.count >= magic.count else { return place == offset && bytes.isEmpty ? .whole : .torn }
            for index in 0...(bytes.count - magic.count) where bytes[index] == magic[0] && bytes[index..<(index + magic.count)] == magic[...] {
                let record = ArchiveRecord(try file.read(at: place + Int64(index), ArchiveRecord.byteCount))
                // The record at the present place is the unreadable one. The file has room for fewer records than this.
                guard let record, record.sequence > sequence, record.sequence - sequence < UInt64(Int32.max) else { continue }
                return .damaged
            }
            place += Int64(bytes.count - magic.count + 1)
        }
    }

    /// Reads bytes of the file.
    /// - Throws: if the file is shorter.
    func bytes(at offset: Int64, _ count: Int) throws(LogArchiveFailure) -> [UInt8] {
        let bytes = try file.read(at: offset, count)
        guard bytes.count == count else { throw LogArchiveFailure("it is too short", "파일이 너무 짧습니다", of: path) }
        return bytes
    }
}

extension Timestamp {
    /// The instant in UTC as ISO 8601 writes it, with microseconds, as `admin restore --until` takes it.
    package var text: String {
        let seconds = Date(timeIntervalSince1970: Double(microseconds / 1_000_000)).ISO8601Format()
        let fraction = String(1_000_000 + microseconds % 1_000_000).dropFirst()
        return seconds.dropLast() + "." + fraction + "Z"
    }
}
