/// The header of one file in a tar archive (ustar, POSIX.1-1988): 512 bytes of text in fixed places.
///
/// A backup needs only regular files with short names, one after another. Every tar can read what it writes. It reads only such archives.
struct TarHeader: Hashable {
    /// Bytes of a header. Files are padded to multiples of it.
    static let blockBytes = 512
    /// Bytes of the longest name.
    private static let maximumPathBytes = 100
    /// The longest file whose length fits in octal digits. The length of a longer file is binary, as in GNU tar and libarchive.
    private static let maximumOctal: Int64 = 0o77_777_777_777

    /// The file's name, relative, at most 100 bytes.
    let path: String
    /// Its length in bytes.
    let byteCount: Int64
    /// When it was changed, seconds since 1970.
    let seconds: Int64

    /// How many zeros follow the file's bytes.
    var paddingBytes: Int { Int((Int64(Self.blockBytes) - byteCount % Int64(Self.blockBytes)) % Int64(Self.blockBytes)) }

    /// The encoded header; `nil` if the name is too long.
    var bytes: [UInt8]? {
        let name = Array(path.utf8)
        guard (1...Self.maximumPathBytes).contains(name.count), byteCount >= 0 else { return nil }
        var block = [UInt8](repeating: 0, count: Self.blockBytes)
        func put(_ text: some Sequence<UInt8>, at offset: Int) { for (index, byte) in text.enumerated() { block[offset + index] = byte } }
        put(name, at: 0)
        put(Self.octal(0o600, digits: 7), at: 100)
        put(Self.octal(0, digits: 7), at: 108)
        put(Self.octal(0, digits: 7), at: 116)
        if byteCount <= Self.maximumOctal {
            put(Self.octal(byteCount, digits: 11), at: 124)
        } else {
            block[124] = 0x80
            for index in 0..<8 { block[135 - index] = UInt8(truncatingIfNeeded: byteCount >> (8 * index)) }
        }
        put(Self.octal(max(0, min(seconds, Self.maximumOctal)), digits: 11), at: 136)
        block[156] = UInt8(ascii: "0")
        put("ustar\0".utf8, at: 257)
        put("00".utf8, at: 263)
        put(Self.octal(Self.checksum(block), digits: 6), at: 148)
        block[154] = 0
        block[155] = UInt8(ascii: " ")
        return block
    }

    init(path: String, byteCount: Int64, seconds: Int64) {
        self.path = path
        self.byteCount = byteCount
        self.seconds = seconds
    }

    /// Reads a header of 512 bytes; `nil` if it is damaged, or not of a regular file.
    init?(bytes block: [UInt8]) {
        guard block.count == Self.blockBytes, block[257..<262].elementsEqual("ustar".utf8), block[156] == UInt8(ascii: "0"),
            let checksum = Self.number(block[148..<156]), checksum == Self.checksum(block),
            let path = String(validating: block[..<100].prefix { $0 != 0 }, as: UTF8.self), !path.isEmpty,
            let seconds = Self.number(block[136..<148])
        else { return nil }
        self.path = path
        self.seconds = seconds
        if block[124] == 0x80 {
            guard block[125..<128].allSatisfy({ $0 == 0 }), block[128] < 0x80 else { return nil }
            byteCount = block[128..<136].reduce(0) { $0 << 8 | Int64($1) }
        } else {
            guard let size = Self.number(block[124..<136]) else { return nil }
            byteCount = size
        }
    }

    private static func octal(_ value: Int64, digits: Int) -> [UInt8] {
        let text = String(value, radix: 8)
        return [UInt8](repeating: UInt8(ascii: "0"), count: max(0, digits - text.utf8.count)) + Array(text.utf8)
    }

    /// Reads octal digits up to a zero or a space.
    private static func number(_ field: ArraySlice<UInt8>) -> Int64? {
        let digits = field.prefix { $0 != 0 && $0 != UInt8(ascii: " ") }
        guard !digits.isEmpty else { return nil }
        return Int64(String(decoding: digits, as: UTF8.self), radix: 8)
    }

    /// The sum of all bytes, with spaces in place of the sum itself.
    private static func checksum(_ block: [UInt8]) -> Int64 {
        block.enumerated().reduce(0) { $0 + Int64((148..<156).contains($1.offset) ? UInt8(ascii: " ") : $1.element) }
    }
}
