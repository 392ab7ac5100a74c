import Glibc

extension String {
    /// How many terminal columns the text takes. East Asian wide characters and emoji take 2, combining marks take none.
    ///
    /// Graphemes are counted, so that a decomposed Hangul syllable is as wide as a composed one. Source: Unicode
    /// Standard Annex 11 (wide and fullwidth). Ambiguous characters count 1, as terminals draw them outside of legacy
    /// East Asian encodings.
    package var displayWidth: Int {
        reduce(0) { $0 + $1.displayWidth }
    }

    /// The text, padded with spaces on the right to `columns` terminal columns. A longer text stays as it is.
    package func paddedRight(to columns: Int) -> String {
        self + String(repeating: " ", count: max(0, columns - displayWidth))
    }

    /// The text, padded with spaces on the left to `columns` terminal columns. A longer text stays as it is.
    package func paddedLeft(to columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - displayWidth)) + self
    }

    /// The text if it fits `columns` terminal columns, else its beginning and `…`. A wide character is never cut in half.
    package func cut(to columns: Int) -> String {
        guard displayWidth > columns else { return self }
        var result = "", width = 0
        for character in self {
            width += character.displayWidth
            if width > columns - 1 { break }
            result.append(character)
        }
        return result + "…"
    }
}

extension Character {
    /// The terminal columns of one grapheme: 0, 1 or 2.
    fileprivate var displayWidth: Int {
        var width = 0
        for scalar in unicodeScalars {
            if scalar == "\u{FE0F}" { return 2 }
            width = max(width, scalar.displayWidth)
        }
        return width
    }
}

extension Unicode.Scalar {
    fileprivate var displayWidth: Int {
        if value < 0x300 { return value < 0x20 || (0x7F..<0xA0).contains(value) ? 0 : 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        if (0x1160...0x11FF).contains(value) { return 0 }
        return Self.wideRanges.contains { $0.contains(value) } ? 2 : 1
    }

    /// Blocks whose characters are wide, ascending.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3, 0x25FD...0x25FE,
        0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F, 0x2693...0x2693, 0x26A1...0x26A1, 0x26AA...0x26AB,
        0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA, 0x26F2...0x26F3,
        0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B, 0x2728...0x2728,
        0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797, 0x27B0...0x27B0,
        0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55, 0x2E80...0x303E, 0x3041...0x33FF,
        0x3400...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
        0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F004...0x1F004,
        0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E, 0x1F191...0x1F19A, 0x1F1E6...0x1F1FF, 0x1F200...0x1F320,
        0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3,
        0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440...0x1F440, 0x1F442...0x1F4FC,
        0x1F4FF...0x1F53D, 0x1F54B...0x1F567, 0x1F57A...0x1F57A, 0x1F595...0x1F596, 0x1F5A4...0x1F5A4,
        0x1F5FB...0x1F64F, 0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC, 0x1F6D0...0x1F6D7, 0x1F6DC...0x1F6DF,
        0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7F0, 0x1F90C...0x1FAFF, 0x20000...0x3FFFD,
    ]
}

/// The width of a descriptor's terminal in columns; 80 if it is not a terminal.
package func terminalColumns(of descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
}
