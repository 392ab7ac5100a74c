import Crypto
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import PulseBoardVocabulary

/// The keys with which the server seals diaries. They are in a file that the operator keeps apart from the database.
///
/// Each line of the file is a key of 256 bits: 64 hexadecimal digits. The first key seals new data. The others only open what was sealed with them
/// before. If the first line is `none`, new data is not sealed. Empty lines and lines that begin with `#` are ignored.
public struct DiaryKeys: Sendable {
    /// Identifies a key without revealing it: the first eight bytes of a hash of it.
    public struct ID: Hashable, Sendable, CustomStringConvertible {
        public static let byteCount = 8
        public let bytes: [UInt8]
        /// The id of data that is not sealed.
        public static let none = ID(bytes: [])

        public init(bytes: [UInt8]) { self.bytes = bytes }

        public var description: String { bytes.isEmpty ? "none" : bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
    }

    /// Maximum keys in a file.
    public static let maximumKeys = 16
    /// Maximum bytes of a file.
    public static let maximumFileBytes = 64 << 10
    private static let keyBytes = 32

    /// The key that seals new data. With ``ID/none``, new data is not sealed.
    public let newest: ID
    private let keys: [ID: SymmetricKey]

    /// No keys: nothing is sealed, and nothing sealed can be read.
    public static let none = DiaryKeys(newest: .none, keys: [:])

    private init(newest: ID, keys: [ID: SymmetricKey]) {
        self.newest = newest
        self.keys = keys
    }

    /// Whether there is a file of keys.
    public var isConfigured: Bool { !keys.isEmpty }

    /// The keys that can open data.
    public var ids: Set<ID> { Set(keys.keys) }

    func key(_ id: ID) -> SymmetricKey? { keys[id] }

    /// Reads a file of keys.
    /// - Throws: ``DiaryKeyFileError``. The error contains no part of a key.
    public init(path: String) throws(DiaryKeyFileError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DiaryKeyFileError(path: path, problem: .unreadable(String(cString: strerror(errno)))) }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            throw DiaryKeyFileError(path: path, problem: .notAFile)
        }
        guard information.st_mode & 0o077 == 0, [0, geteuid()].contains(information.st_uid) else {
            throw DiaryKeyFileError(path: path, problem: .open)
        }
        var bytes = [UInt8](repeating: 0, count: Self.maximumFileBytes + 1)
        var count = 0
        while count < bytes.count {
            let more = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count) }
            if more < 0, errno == EINTR { continue }
            guard more >= 0 else { throw DiaryKeyFileError(path: path, problem: .unreadable(String(cString: strerror(errno)))) }
            if more == 0 { break }
            count += more
        }
        guard count <= Self.maximumFileBytes else { throw DiaryKeyFileError(path: path, problem: .tooLong) }
        try self.init(text: String(decoding: bytes[..<count], as: UTF8.self), path: path)
    }

    init(text: String, path: String) throws(DiaryKeyFileError) {
        var newest: ID?
        var keys: [ID: SymmetricKey] = [:]
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let word = line.filter { $0 != " " && $0 != "\t" && $0 != "\r" }
            if word.isEmpty || word.hasPrefix("#") { continue }
            if word == "none", newest == nil {
                newest = ID.none
                continue
            }
            guard let bytes = Self.bytes(word) else { throw DiaryKeyFileError(path: path, problem: .malformed(line: number + 1)) }
            let id = ID(bytes: Array(SHA256.hash(data: Array("pulseboard diary key".utf8) + bytes).prefix(ID.byteCount)))
            guard keys.updateValue(SymmetricKey(data: bytes), forKey: id) == nil else {
                throw DiaryKeyFileError(path: path, problem: .repeated(line: number + 1))
            }
            newest = newest ?? id
        }
        guard let newest, !keys.isEmpty else { throw DiaryKeyFileError(path: path, problem: .empty) }
        guard keys.count <= Self.maximumKeys else { throw DiaryKeyFileError(path: path, problem: .tooLong) }
        self.init(newest: newest, keys: keys)
    }

    private static func bytes(_ word: String) -> [UInt8]? {
        let digits = word.utf8.compactMap { digit -> UInt8? in
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
            default: nil
            }
        }
        guard digits.count == 2 * keyBytes, word.utf8.count == digits.count else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}

/// Why a file of keys cannot be used.
public struct DiaryKeyFileError: Error, Hashable, Sendable, CustomStringConvertible {
    enum Problem: Hashable, Sendable {
        case unreadable(String)
        case notAFile
        /// Other users may read the file.
        case open
        case tooLong
        case malformed(line: Int)
        case repeated(line: Int)
        case empty
    }

    let path: String
    let problem: Problem

    /// The text for the operator.
    public var phrase: Phrase {
        switch problem {
        case .unreadable(let detail): Phrase("\(path) cannot be read: \(detail)", "\(path)을(를) 읽을 수 없습니다: \(Phrase.systemError(detail).korean)")
        case .notAFile: Phrase("\(path) cannot be read: it is no file", "\(path)은(는) 파일이 아닙니다")
        case .open:
            Phrase(
                "\(path) must be the server's or root's, and nobody else's to read (chmod 600)",
                "\(path)은(는) 서버나 root의 것이어야 하고 다른 사용자가 읽을 수 없어야 합니다(chmod 600)")
        case .tooLong:
            Phrase(
                "\(path) has more than \(DiaryKeys.maximumKeys) keys or \(DiaryKeys.maximumFileBytes) bytes",
                "\(path)의 키가 \(DiaryKeys.maximumKeys)개를 넘거나 크기가 \(DiaryKeys.maximumFileBytes)바이트를 넘습니다")
        case .malformed(let line):
            Phrase("line \(line) of \(path) is no key: a key is 64 hexadecimal digits", "\(path)의 \(line)번째 줄이 키가 아닙니다. 키는 16진수 64자리입니다")
        case .repeated(let line): Phrase("line \(line) of \(path) has a key that is there already", "\(path)의 \(line)번째 줄에 같은 키가 또 있습니다")
        case .empty: Phrase("\(path) has no key", "\(path)에 키가 없습니다")
        }
    }

    public var description: String { phrase.english }
}
