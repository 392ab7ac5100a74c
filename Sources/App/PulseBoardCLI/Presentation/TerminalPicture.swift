import ArgumentParser
import Foundation
import ProfileImages
import PulseBoardDomain

/// A protocol by which terminals show pictures.
enum TerminalPicture: String, CaseIterable, Sendable, ExpressibleByArgument {
    /// kitty's graphics protocol: pixels in base64, in parts of 4,096 bytes.
    case kitty
    /// iTerm2's inline images (OSC 1337): a file in base64.
    case iterm2
    /// DEC's sixels: rows of six pixels, colour by colour.
    case sixel
    /// No picture.
    case none

    /// The protocol that a terminal supports, by its variables and its terminfo entry. Within tmux and screen it is `none`, because
    /// they pass no pictures on.
    /// - Parameter terminfo: returns the compiled entry for a terminal's name.
    init(variables: [String: String], terminfo: (String) -> Data?) {
        let terminal = variables["TERM"] ?? ""
        let program = variables["LC_TERMINAL"] ?? variables["TERM_PROGRAM"] ?? ""
        if terminal.isEmpty || ["tmux", "screen", "dumb"].contains(where: terminal.hasPrefix) {
            self = .none
        } else if terminal.contains("kitty") || terminal.contains("ghostty") || variables["KITTY_WINDOW_ID"] != nil {
            self = .kitty
        } else if ["iTerm.app", "iTerm2", "WezTerm", "mintty"].contains(program) {
            self = .iterm2
        } else if ["foot", "mlterm", "yaft"].contains(where: terminal.hasPrefix) || terminfo(terminal)?.hasSixelCapability == true {
            self = .sixel
        } else {
            self = .none
        }
    }

    /// Reads the terminfo entry of a terminal from the places that ncurses uses.
    static func terminfo(_ terminal: String, variables: [String: String]) -> Data? {
        guard let letter = terminal.first, !terminal.contains("/"), terminal.utf8.count <= 100 else { return nil }
        let folders = [variables["TERMINFO"], variables["HOME"].map { $0 + "/.terminfo" }, "/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo"]
        return folders.lazy.compactMap { $0 }.compactMap { try? Data(contentsOf: URL(filePath: "\($0)/\(letter)/\(terminal)")) }.first
    }

    /// The bytes that draw the picture and move the cursor to the line below; empty for ``none``.
    func text(of picture: PicturePixels) -> String {
        switch self {
        case .kitty: Self.kittyText(picture)
        case .iterm2:
            "\u{1B}]1337;File=inline=1;size=\(picture.png.count);width=\(picture.side)px;height=\(picture.side)px:"
                + Data(picture.png).base64EncodedString() + "\u{07}\n"
        case .sixel: Self.sixelText(picture)
        case .none: ""
        }
    }

    private static let kittyPartBytes = 4_096

    private static func kittyText(_ picture: PicturePixels) -> String {
        let bytes = Array(Data(picture.rgba).base64EncodedString().utf8)
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: kittyPartBytes) {
            let end = min(start + kittyPartBytes, bytes.count)
            // With q=2 the terminal sends no answer. An answer would appear as input of the shell.
            let keys = start == 0 ? "a=T,f=32,s=\(picture.side),v=\(picture.side),q=2," : ""
            text += "\u{1B}_G\(keys)m=\(end < bytes.count ? 1 : 0);" + String(decoding: bytes[start..<end], as: UTF8.self) + "\u{1B}\\"
        }
        return text + "\n"
    }

    // MARK: Sixels

    /// Steps of each of red, green and blue. They give 216 colours, which fit the 256 registers of terminals.
    private static let steps = 6

    /// The colour register of each pixel, -1 for a transparent one. It uses ordered dithering to hide the small number of colours.
    private static func registers(_ picture: PicturePixels) -> [Int] {
        let thresholds = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]
        return (0..<picture.side * picture.side).map { number in
            let (x, y) = (number % picture.side, number / picture.side)
            guard picture.rgba[number * 4 + 3] >= 128 else { return -1 }
            return (0..<3).reduce(0) { register, channel in
                let scaled = Int(picture.rgba[number * 4 + channel]) * (steps - 1) * 16 + thresholds[y % 4 * 4 + x % 4] * 255
                return register * steps + min(steps - 1, scaled / (255 * 16))
            }
        }
    }

    private static func sixelText(_ picture: PicturePixels) -> String {
        let side = picture.side
        let registers = registers(picture)
        var text = "\u{1B}P0;1;0q\"1;1;\(side);\(side)"
        for register in Set(registers).sorted() where register >= 0 {
            let levels = [register / (steps * steps), register / steps % steps, register % steps].map { String($0 * 100 / (steps - 1)) }
            text += "#\(register);2;" + levels.joined(separator: ";")
        }
        for top in stride(from: 0, to: side, by: 6) {
            let rows = top..<min(top + 6, side)
            for register in Set(registers[(rows.lowerBound * side)..<(rows.upperBound * side)]).sorted() where register >= 0 {
                // Each byte is six pixels of a column, with the upper one in the lowest bit.
                let columns = (0..<side).map { x in
                    rows.reduce(UInt8(0)) { $0 | (registers[$1 * side + x] == register ? 1 << UInt8($1 - top) : 0) }
                }
                text += "#\(register)" + runs(columns) + "$"
            }
            text += "-"
        }
        return text + "\u{1B}\\\n"
    }

    /// Encodes columns of sixels. Repeated ones are written as `!COUNT`.
    private static func runs(_ columns: [UInt8]) -> String {
        var text = ""
        var index = 0
        while index < columns.count {
            let count = columns[index...].prefix { $0 == columns[index] }.count
            let character = String(UnicodeScalar(columns[index] + 63))
            text += count > 3 ? "!\(count)" + character : String(repeating: character, count: count)
            index += count
        }
        return text
    }
}

extension Data {
    /// Whether a terminfo entry has `Sxl`, the extended capability for sixels.
    fileprivate var hasSixelCapability: Bool { range(of: Data("\0Sxl\0".utf8)) != nil }
}

extension PicturePixels {
    /// The picture as a PNG whose pixels are not compressed (PNG specification, third edition; RFC 1950, RFC 1951).
    var png: [UInt8] {
        var header = UInt32(side).bigEndianBytes + UInt32(side).bigEndianBytes
        header += [8, 6, 0, 0, 0]  // Bits of a channel, red green blue alpha, and the only possible methods.
        var rows: [UInt8] = []
        for row in 0..<side { rows += [0] + rgba[(row * side * 4)..<((row + 1) * side * 4)] }
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: rows.count, by: 65_535) {
            let end = min(start + 65_535, rows.count)
            let count = UInt16(end - start)
            stream += [end == rows.count ? 1 : 0, UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8)]
            stream += rows[start..<end]
        }
        stream += Self.adler32(rows).bigEndianBytes
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Self.chunk("IHDR", header) + Self.chunk("IDAT", stream) + Self.chunk("IEND", [])
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return UInt32(data.count).bigEndianBytes + body + crc32(body).bigEndianBytes
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (first, second): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            first = (first + UInt32(byte)) % 65_521
            second = (second + first) % 65_521
        }
        return second << 16 | first
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF as UInt32) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
    }
}
