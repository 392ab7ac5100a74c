extension String {
    /// The text without characters that could move the cursor, change colours or reverse the reading order. So other
    /// people's texts cannot forge this program's output.
    var safeForTerminal: String {
        guard unicodeScalars.contains(where: \.isTerminalHazard) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            result.unicodeScalars.append(scalar.isTerminalHazard ? (scalar == "\n" || scalar == "\t" ? " " : "\u{FFFD}") : scalar)
        }
        return result
    }

    /// The JSON with such characters in strings written as `\u` and four digits. Line feeds between values stay.
    var jsonSafeForTerminal: String {
        guard unicodeScalars.contains(where: { $0.isTerminalHazard && $0.value >= 0x20 }) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            guard scalar.isTerminalHazard, scalar.value >= 0x20 else {
                result.unicodeScalars.append(scalar)
                continue
            }
            let digits = String(scalar.value, radix: 16)
            result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Control characters (C0, DEL, C1) and the bidirectional overrides and isolates.
    fileprivate var isTerminalHazard: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029: true
        default: false
        }
    }
}
