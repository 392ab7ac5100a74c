#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import PulseBoardVocabulary

/// Identifies a log among those of the same file: two numbers in its header that all its frames repeat.
struct LogSalts: Sendable, Hashable {
    var first: UInt32 = 0
    var second: UInt32 = 0
}

extension LogSalts {
    /// The salts in a frame, which begins with its header; `nil` if that is not whole.
    /// - Parameter start: where the frame begins.
    init?(ofFrame bytes: [UInt8], at start: Int = 0) {
        guard bytes.count >= start + LogReader.frameHeaderBytes else { return nil }
        self.init(first: bytes.bigEndianWord(at: start + 8), second: bytes.bigEndianWord(at: start + 12))
    }
}

/// The header of a write-ahead log. Source: "WAL File Format" of SQLite (walformat.html), section 1.
struct LogHeader: Sendable, Hashable {
    static let byteCount = 32
    let pageBytes: Int
    /// How often the log has begun again from its start since the file was created or opened.
    let restarts: UInt32
    let salts: LogSalts
    /// The checksum of the header. The first frame's continues it.
    fileprivate let checksum: LogChecksum
    fileprivate let isBigEndian: Bool

    /// `nil` for bytes that are not a header.
    fileprivate init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        let words = (0..<8).map { bytes.bigEndianWord(at: 4 * $0) }
        guard words[0] & ~1 == 0x377F_0682, words[1] == 3_007_000 else { return nil }
        isBigEndian = words[0] & 1 == 1
        pageBytes = Int(words[2])
        restarts = words[3]
        salts = LogSalts(first: words[4], second: words[5])
        var sum = LogChecksum()
        sum.add(Array(bytes[..<24]), bigEndian: isBigEndian)
        guard sum.first == words[6], sum.second == words[7], (512...65_536).contains(pageBytes) else { return nil }
        checksum = sum
    }
}

/// SQLite's own checksum of its log. It is fast, and good enough to detect a torn write.
struct LogChecksum: Sendable, Hashable {
    var first: UInt32 = 0
    var second: UInt32 = 0

    /// Adds bytes. Their number must be a multiple of eight.
    mutating func add(_ bytes: [UInt8], bigEndian isBigEndian: Bool = false) {
        bytes.withUnsafeBytes { words in
            var index = 0
            while index + 8 <= words.count {
                let one = words.loadUnaligned(fromByteOffset: index, as: UInt32.self),
                    two = words.loadUnaligned(fromByteOffset: index + 4, as: UInt32.self)
                first = first &+ (isBigEndian ? UInt32(bigEndian: one) : UInt32(littleEndian: one)) &+ second
                second = second &+ (isBigEndian ? UInt32(bigEndian: two) : UInt32(littleEndian: two)) &+ first
                index += 8
            }
        }
    }
}

/// Reads the frames of a write-ahead log that SQLite has open. Closing the file here is safe, because SQLite holds no lock on it.
final class LogReader {
    static let frameHeaderBytes = 24

    /// The header; `nil` for a log without frames.
    let header: LogHeader?
    private let file: ReadFile
    private let path: String

    /// - Throws: if the file is missing or cannot be read.
    init(_ path: String) throws(LogArchiveFailure) {
        self.path = path
        file = try ReadFile(path)
        header = LogHeader(try file.read(at: 0, LogHeader.byteCount))
    }

    /// Reads whole frames, each with its header.
    /// - Throws: if the file is shorter.
    func frames(_ range: Range<Int>) throws(LogArchiveFailure) -> [UInt8] {
        let frameBytes = Self.frameHeaderBytes + (header?.pageBytes ?? 0)
        let bytes = try file.read(at: Int64(LogHeader.byteCount + range.lowerBound * frameBytes), range.count * frameBytes)
        guard bytes.count == range.count * frameBytes else {
            let end = range.upperBound
            throw LogArchiveFailure("it ends before frame \(end)", "프레임 \(end) 앞에서 끝납니다", of: path)
        }
        return bytes
    }

    /// The size of the database in pages after the transaction whose last frame is before `end`.
    func databasePages(at end: Int) throws(LogArchiveFailure) -> UInt32 {
        let frame = try frames((end - 1)..<end)
        let pages = frame.bigEndianWord(at: 4)
        guard pages > 0, LogSalts(ofFrame: frame) == header?.salts else {
            throw LogArchiveFailure("frame \(end) ends no transaction", "프레임 \(end)은(는) 트랜잭션의 끝이 아닙니다", of: path)
        }
        return pages
    }

    /// The end of the last whole transaction, as the number of frames up to it; `nil` if there is none.
    var lastCommit: Int? { (try? commits(after: 0))?.last }

    /// The ends of the transactions after some frames, each as the number of frames up to it. It stops at a frame that is torn or of another log.
    func commits(after first: Int) throws(LogArchiveFailure) -> [Int] {
        guard let header else { return [] }
        var checksum = header.checksum
        var commits: [Int] = []
        var index = 0
        while let frame = try? frames(index..<(index + 1)) {
            checksum.add(Array(frame[..<8]), bigEndian: header.isBigEndian)
            checksum.add(Array(frame[Self.frameHeaderBytes...]), bigEndian: header.isBigEndian)
            guard LogSalts(ofFrame: frame) == header.salts, checksum.first == frame.bigEndianWord(at: 16),
                checksum.second == frame.bigEndianWord(at: 20)
            else { break }
            index += 1
            if frame.bigEndianWord(at: 4) > 0, index > first { commits.append(index) }
        }
        return commits
    }
}

/// A file that is open for reading. It is closed with the last reference to it.
final class ReadFile {
    private let descriptor: CInt
    private let path: String

    /// - Throws: if it is missing or cannot be opened.
    init(_ path: String) throws(LogArchiveFailure) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(path) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Reads bytes; fewer if the file ends.
    /// - Throws: if the disk fails. A failure is no end: what follows may still be there.
    func read(at offset: Int64, _ count: Int) throws(LogArchiveFailure) -> [UInt8] {
        var failure: LogArchiveFailure?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count {
                let more = pread(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(offset) + off_t(filled))
                if more < 0 {
                    if errno == EINTR { continue }
                    failure = .system(path)
                }
                guard more > 0 else { return }
                filled += more
            }
        }
        if let failure { throw failure }
        return bytes
    }
}

extension Collection<UInt8> where Index == Int {
    /// Reads a big-endian number of four bytes.
    func bigEndianWord(at offset: Int) -> UInt32 {
        (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(self[startIndex + offset + $1]) }
    }
}
