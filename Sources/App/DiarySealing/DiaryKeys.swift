import Crypto
import OperatorFiles
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

        public var description: String { bytes.isEmpty ? "none" : bytes.hexadecimal }
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
    /// - Parameter ofAnybody: whether the file may be another user's. Only for root, who checks the files of a server that runs as another user.
    /// - Throws: ``DiaryKeyFileError``. The error contains no part of a key.
    public init(path: String, ofAnybody: Bool = false) throws(DiaryKeyFileError) {
        let file: BoundedFile
        do throws(BoundedFile.Failure) {
            file = try BoundedFile(path, limit: Self.maximumFileBytes)
        } catch { throw DiaryKeyFileError(path: path, problem: .unreadable(error)) }
        guard file.isPrivate, file.isOwn || ofAnybody else { throw DiaryKeyFileError(path: path, problem: .open) }
        try self.init(text: String(decoding: file.bytes, as: UTF8.self), path: path)
    }

    init(text: String, path: String) throws(DiaryKeyFileError) {
        var newest: ID?
        var keys: [ID: SymmetricKey] = [:]
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let word = line.filter { $0 != " " && $0 != "\t" }
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
        guard keys.count <= Self.maximumKeys else { throw DiaryKeyFileError(path: path, problem: .tooManyKeys) }
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
        case unreadable(BoundedFile.Failure)
        /// Other users may read the file.
        case open
        case tooManyKeys
        case malformed(line: Int)
        case repeated(line: Int)
        case empty
    }

    let path: String
    let problem: Problem

    /// The text for the operator.
    public var phrase: Phrase {
        switch problem {
        case .unreadable(let failure):
            Phrase("\(path) cannot be read: \(failure.phrase.english)", "\(path)을(를) 읽을 수 없습니다: \(failure.phrase.korean)")
        case .open:
            Phrase(
                "\(path) must be the server's or root's, and nobody else's to read (chmod 600)",
                "\(path)은(는) 서버나 root의 것이어야 하고 다른 사용자가 읽을 수 없어야 합니다(chmod 600)")
        case .tooManyKeys: Phrase("\(path) has more than \(DiaryKeys.maximumKeys) keys", "\(path)의 키가 \(DiaryKeys.maximumKeys)개를 넘습니다")
        case .malformed(let line):
            Phrase("line \(line) of \(path) is no key: a key is 64 hexadecimal digits", "\(path)의 \(line)번째 줄이 키가 아닙니다. 키는 16진수 64자리입니다")
        case .repeated(let line): Phrase("line \(line) of \(path) has a key that is there already", "\(path)의 \(line)번째 줄에 같은 키가 또 있습니다")
        case .empty: Phrase("\(path) has no key", "\(path)에 키가 없습니다")
        }
    }

    public var description: String { phrase.english }
}
