import CTerminal
import Foundation

/// A key that a person pressed.
enum Key: Sendable, Hashable {
    case character(Character)
    case enter
    case backspace
    /// Ctrl-U: clears the line.
    case clear
    /// Ctrl-D, or the terminal is gone.
    case end
}

/// Decodes the bytes of a terminal into keys. Escape sequences, such as of arrow keys, are skipped.
struct KeyDecoder: Sendable {
    private var character: [UInt8] = []
    private var escape: [UInt8] = []

    /// Takes one byte.
    /// - Returns: the key that it completes.
    mutating func decode(_ byte: UInt8) -> Key? {
        if !escape.isEmpty {
            escape.append(byte)
            // A sequence is ESC [ … and a final byte, or ESC and one byte.
            let isOver = escape.count == 2 ? byte != UInt8(ascii: "[") && byte != UInt8(ascii: "O") : (0x40...0x7E).contains(byte)
            if isOver || escape.count > 16 { escape = [] }
            return nil
        }
        switch byte {
        case 0x1B: escape = [byte]
        case 0x0A, 0x0D: return .enter
        case 0x08, 0x7F: return .backspace
        case 0x15: return .clear
        case 0x04: return .end
        case ..<0x20: break
        default: return complete(byte)
        }
        return nil
    }

    private mutating func complete(_ byte: UInt8) -> Key? {
        if byte < 0x80 || byte >= 0xC0 { character = [] }
        character.append(byte)
        let lead = character[0]
        let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        guard character.count >= length else { return nil }
        defer { character = [] }
        return String(validating: character, as: UTF8.self)?.first.map { .character($0) }
    }
}

/// Reads the keys of a terminal as they are pressed, until ``restore()``. Ctrl-C ends the program with 130, even while nobody waits for keys. A
/// signal that ends the program restores the terminal first.
final class TerminalKeys: Sendable {
    private let descriptor: Int32
    private let before: termios

    /// Switches off line editing and echo. `nil` if the descriptor is not a terminal.
    /// - Parameter tell: called with each key, on a separate thread.
    init?(descriptor: Int32, tell: @escaping @Sendable (Key) -> Void) {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return nil }
        self.descriptor = descriptor
        before = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        settings.c_iflag &= ~tcflag_t(ICRNL | IXON)
        pulse_terminal_settings_keep(descriptor)
        guard tcsetattr(descriptor, TCSADRAIN, &settings) == 0 else {
            pulse_terminal_settings_forget()
            return nil
        }
        Thread.detachNewThread { [self] in
            var decoder = KeyDecoder()
            var byte: UInt8 = 0
            while true {
                let count = read(descriptor, &byte, 1)
                if count < 0, errno == EINTR { continue }
                guard count == 1 else { return tell(.end) }
                if byte == 0x03 {
                    restore()
                    _exit(130)
                }
                if let key = decoder.decode(byte) { tell(key) }
            }
        }
    }

    /// Restores the terminal's settings.
    func restore() {
        var settings = before
        tcsetattr(descriptor, TCSADRAIN, &settings)
        pulse_terminal_settings_forget()
    }
}
