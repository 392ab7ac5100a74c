#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import Foundation
import PulseBoardDomain

/// One file of an archive of the log, `GENERATION-NUMBER.wal` in hexadecimal digits, so that names sort as the files were written.
///
/// It begins with a header of 64 bytes. A record is one transaction: a header of 72 bytes, the pages, each after its number, and a checksum of eight
/// bytes. Each checksum continues that of the record before, also across files, so that a missing or torn record is noticed. Numbers are
/// little-endian.
///
///     file:   "PulseBoard WAL 1" | generation 8 | number 8 | first sequence 8 | page size 8 | checksum before 8 | checksum of these 8
///     record: "PBWR" | kind 4 | sequence 8 | time 8 | database pages 4 | frames 4 | salts 8 | end frame 4 | 4 zero bytes |
///             of a closed database: length 8, time of change 8, inode 8
final class LogArchiveFile {
    static let magic = Array("PulseBoard WAL 1".utf8)
    static let headerBytes = 64
    /// How much is synced at once, in bytes.
    static let bytesEachSync: Int64 = 4 << 20
    /// How many frames are copied at once.
    private static let framesAtOnce = 256

    /// When the file was begun.
    let begin: Timestamp
    private(set) var byteCount: Int64 = 0
    /// The length after the last whole record that was synced; at first that of the header.
    private var syncedByteCount = Int64(headerBytes)
    /// The length at the last sync.
    private var byteCountAtSync: Int64 = 0
    /// Whether a sync has failed. Then nobody knows what is on the disk, and another sync would not tell.
    private var hasFailedSync = false
    private let descriptor: CInt
    let path: String

    private init(_ path: String, begin: Timestamp) throws(LogArchiveFailure) {
        self.path = path
        self.begin = begin
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(path) }
    }

    deinit { close(descriptor) }

    /// Begins a file.
    static func make(
        in directory: String, _ header: LogFileHeader, at time: Timestamp, _ checksum: inout LogChecksum
    ) throws(LogArchiveFailure) -> LogArchiveFile {
        let file = try LogArchiveFile("\(directory)/\(header.name)", begin: time)
        var written = header
        written.before = checksum
        do throws(LogArchiveFailure) {
            try file.write(written.bytes)
            // The file's name must be synced too.
            let folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard folder >= 0 else { throw .system(directory) }
            defer { close(folder) }
            guard fsync(folder) == 0 else { throw .system(directory) }
        } catch {
            // Otherwise the next try would find the name taken.
            unlink(file.path)
            throw error
        }
        return file
    }

    /// Whether the file's name still leads to the open file. It does not once somebody has removed or renamed the file or its directory.
    var isInPlace: Bool {
        var opened = stat(), named = stat()
        return fstat(descriptor, &opened) == 0 && stat(path, &named) == 0 && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
    }

    /// The names of the files in a directory, oldest first.
    static func names(in directory: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter(LogFileHeader.isName).sorted()
    }

    /// The newest generation in a directory; `nil` if it has none.
    static func newestGeneration(in directory: String) -> UInt64? {
        names(in: directory).last.flatMap(LogFileHeader.numbers)?.generation
    }

    /// Writes a record without pages.
    func append(_ record: ArchiveRecord, _ checksum: inout LogChecksum) throws(LogArchiveFailure) {
        let bytes = record.bytes
        checksum.add(bytes)
        try write(bytes + checksum.bytes)
    }

    /// Writes a transaction with frames of the log.
    /// - Parameter wasRead: called after frames were read and before they are written. It throws if they may be those of another log.
    func append(
        _ record: ArchiveRecord, frames: Range<Int>, of log: LogReader, _ checksum: inout LogChecksum, wasRead: () throws(LogArchiveFailure) -> Void
    ) throws(LogArchiveFailure) {
        let head = record.bytes
        checksum.add(head)
        try write(head)
        let pageBytes = log.header?.pageBytes ?? 0
        var next = frames.lowerBound
        while next < frames.upperBound {
            let end = min(frames.upperBound, next + Self.framesAtOnce)
            let bytes = try log.frames(next..<end)
            try wasRead()
            var pages: [UInt8] = []
            pages.reserveCapacity((end - next) * (8 + pageBytes))
            for index in 0..<(end - next) {
                let start = index * (LogReader.frameHeaderBytes + pageBytes)
                // The log may have begun again since its header was read.
                guard LogSalts(ofFrame: bytes, at: start) == log.header?.salts else {
                    throw LogArchiveFailure("the log was overwritten before it was copied", "복사하기 전에 로그를 덮어썼습니다", of: path)
                }
                pages += UInt64(bytes.bigEndianWord(at: start)).littleEndianBytes
                pages += bytes[(start + LogReader.frameHeaderBytes)..<(start + LogReader.frameHeaderBytes + pageBytes)]
            }
            checksum.add(pages)
            try write(pages)
            next = end
            // A large transaction on a slow disk makes progress in this way.
            if byteCount - byteCountAtSync >= Self.bytesEachSync {
                try sync()
                try wasRead()
            }
        }
        try write(checksum.bytes)
    }

    /// Syncs the file to the disk.
    func synchronize() throws(LogArchiveFailure) {
        try sync()
        syncedByteCount = byteCount
    }

    private func sync() throws(LogArchiveFailure) {
        guard !hasFailedSync else { throw LogArchiveFailure("it could not be synced before", "앞서 동기화하지 못했습니다", of: path) }
        guard fdatasync(descriptor) == 0 else {
            hasFailedSync = true
            throw .system(path)
        }
        byteCountAtSync = byteCount
    }

    /// Cuts off what was not synced. Nothing may be appended afterwards.
    /// - Returns: whether that succeeded.
    func cutUnsynced() -> Bool { ftruncate(descriptor, off_t(syncedByteCount)) == 0 }

    private func write(_ bytes: [UInt8]) throws(LogArchiveFailure) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system(path) }
            done += count
        }
        byteCount += Int64(bytes.count)
    }
}

/// The header of an archive file.
struct LogFileHeader: Sendable, Hashable {
    var generation: UInt64
    var number: UInt64
    /// The number of its first record.
    var sequence: UInt64
    var pageBytes: Int
    /// The checksum of the record before its first one.
    var before = LogChecksum()

    init(generation: UInt64, number: UInt64, sequence: UInt64, pageBytes: Int) {
        self.generation = generation
        self.number = number
        self.sequence = sequence
        self.pageBytes = pageBytes
    }

    /// `nil` for bytes that are not a header.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == LogArchiveFile.headerBytes, Array(bytes[..<16]) == LogArchiveFile.magic else { return nil }
        generation = bytes.littleEndian(at: 16)
        number = bytes.littleEndian(at: 24)
        sequence = bytes.littleEndian(at: 32)
        pageBytes = Int(truncatingIfNeeded: bytes.littleEndian(at: 40))
        before = LogChecksum(bytes[48..<56])
        var checksum = LogChecksum()
        checksum.add(Array(bytes[..<56]))
        guard checksum == LogChecksum(bytes[56..<64]), (512...65_536).contains(pageBytes) else { return nil }
    }

    var bytes: [UInt8] {
        var bytes = LogArchiveFile.magic + generation.littleEndianBytes + number.littleEndianBytes + sequence.littleEndianBytes
        bytes += UInt64(pageBytes).littleEndianBytes + before.bytes
        var checksum = LogChecksum()
        checksum.add(bytes)
        return bytes + checksum.bytes
    }

    var name: String { "\(Self.digits(generation))-\(Self.digits(number)).wal" }

    static func isName(_ name: String) -> Bool { numbers(of: name) != nil }

    /// The generation and the number of the file with this name; `nil` for another name.
    static func numbers(of name: String) -> (generation: UInt64, number: UInt64)? {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard name.hasSuffix(".wal"), parts.count == 2 else { return nil }
        let numbers = [parts[0], parts[1].dropLast(4)].compactMap { $0.utf8.count == 16 ? UInt64($0, radix: 16) : nil }
        return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
    }

    private static func digits(_ number: UInt64) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}

/// One record of an archive.
struct ArchiveRecord: Sendable, Hashable {
    enum Kind: UInt32 {
        /// A transaction.
        case commit = 1
        /// The orderly end of a server: the whole log is in the database.
        case closed = 2
        /// The beginning of a generation. It does not contain what came before: `endFrame` frames of the log, or the present database if there is no
        /// log. The first transaction after it has all later frames of the log up to its own last one. `pages` of them are of transactions before the
        /// beginning.
        case begin = 3
    }

    static let magic: UInt32 = 0x5257_4250
    var kind: Kind
    var sequence: UInt64
    /// When the transaction was made durable.
    var time: Timestamp
    /// The size of the database after it, in pages. For the beginning of a generation see ``Kind``.
    var pages: UInt32
    /// The salts of its log, and how many frames the log had after it.
    var salts: LogSalts
    var endFrame: UInt32
    /// How many pages it has.
    var frames: UInt32
    /// The state of a database without a log, when it was closed or a generation began.
    var print: DatabasePrint?

    init(kind: Kind, sequence: UInt64, time: Timestamp, pages: UInt32, salts: LogSalts, endFrame: UInt32, frames: UInt32, print: DatabasePrint?) {
        self.kind = kind
        self.sequence = sequence
        self.time = time
        self.pages = pages
        self.salts = salts
        self.endFrame = endFrame
        self.frames = frames
        self.print = print
    }

    /// The length of ``bytes``.
    static let byteCount = 72

    var bytes: [UInt8] {
        var bytes = [Self.magic, kind.rawValue].flatMap(\.littleEndianBytes) + sequence.littleEndianBytes
        bytes += UInt64(bitPattern: time.microseconds).littleEndianBytes
        bytes += [pages, frames, salts.first, salts.second, endFrame, 0].flatMap(\.littleEndianBytes)
        bytes += UInt64(bitPattern: print?.bytes ?? 0).littleEndianBytes + UInt64(bitPattern: print?.modified ?? 0).littleEndianBytes
        return bytes + (print?.inode ?? 0).littleEndianBytes
    }

    /// `nil` for bytes that are not a record.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        let word = { (offset: Int) in UInt32(truncatingIfNeeded: bytes.littleEndian(at: offset)) }
        guard word(0) == Self.magic, let kind = Kind(rawValue: word(4)) else { return nil }
        self.kind = kind
        sequence = bytes.littleEndian(at: 8)
        time = Timestamp(microseconds: Int64(bitPattern: bytes.littleEndian(at: 16)))
        pages = word(24)
        frames = word(28)
        salts = LogSalts(first: word(32), second: word(36))
        endFrame = word(40)
        let inode = bytes.littleEndian(at: 64)
        print = inode == 0
            ? nil
            : DatabasePrint(
                bytes: Int64(bitPattern: bytes.littleEndian(at: 48)), modified: Int64(bitPattern: bytes.littleEndian(at: 56)), inode: inode)
    }
}

extension LogChecksum {
    var bytes: [UInt8] { first.littleEndianBytes + second.littleEndianBytes }

    init(_ bytes: ArraySlice<UInt8>) {
        let number = Array(bytes).littleEndian(at: 0)
        self.init(first: UInt32(truncatingIfNeeded: number), second: UInt32(truncatingIfNeeded: number >> 32))
    }
}

extension FixedWidthInteger {
    var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}

extension [UInt8] {
    /// Reads a little-endian number of up to eight bytes.
    func littleEndian(at offset: Int) -> UInt64 {
        self[offset..<Swift.min(count, offset + 8)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
