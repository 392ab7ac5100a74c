/// Bytes as the lines of a multi-line string literal in which each Unicode scalar stands for one byte.
///
/// Printable ASCII stands for itself and everything else is escaped, so the source is ASCII whatever the bytes are.
struct ByteLiteral {
    /// Without the quotes around them; each but the last ends with the backslash that joins it to the next.
    let lines: [String]

    /// Characters of a line.
    private static let width = 100

    init(_ bytes: [UInt8]) {
        var lines: [String] = []
        var line = ""
        for byte in bytes {
            let text = Self.source(of: byte)
            // One more for the backslash at the end.
            if line.utf8.count + text.utf8.count + 1 > Self.width {
                lines.append(line + "\\")
                line = ""
            }
            line += text
        }
        self.lines = lines + [line]
    }

    private static func source(of byte: UInt8) -> String {
        switch byte {
        case 0: #"\0"#
        case UInt8(ascii: "\t"): #"\t"#
        case UInt8(ascii: "\n"): #"\n"#
        case UInt8(ascii: "\r"): #"\r"#
        case UInt8(ascii: "\""): #"\""#
        case UInt8(ascii: "\\"): #"\\"#
        case 0x20..<0x7F: String(UnicodeScalar(byte))
        default: "\\u{" + String(byte, radix: 16) + "}"
        }
    }
}
