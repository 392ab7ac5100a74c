import Glibc
import Logging

/// The format of a log.
public enum LogFormat: String, Sendable, Hashable {
    /// A line for people.
    case text
    /// A JSON object on each line.
    case json
    /// The native protocol of systemd's journal: fields and priorities.
    case journal

    /// `journal` if `JOURNAL_STREAM` says that the descriptor is connected to the journal, else `text`. Source: systemd.exec(5).
    static func suitable(for descriptor: Int32) -> LogFormat {
        var status = stat()
        guard let stream = getenv("JOURNAL_STREAM").map({ String(cString: $0) }), fstat(descriptor, &status) == 0 else { return .text }
        return stream == "\(status.st_dev):\(status.st_ino)" ? .journal : .text
    }
}

extension Logger.Level {
    /// The priority of syslog, from 7 for debug to 2 for critical.
    var priority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}

/// One event with all its fields.
struct LogRecord {
    let label: String
    let level: Logger.Level
    let message: String
    /// The fields in the order of their names.
    let fields: [(name: String, value: String)]

    /// The event of this moment as one JSON object with a line feed.
    func json() -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return json(at: now)
    }

    /// The event as one JSON object with a line feed. A field never replaces `time`, `level`, `logger` or `message`.
    func json(at time: timespec) -> String {
        var text = "{\"time\":\"\(Self.utc(time))\",\"level\":\"\(level)\",\"logger\":\(Self.quoted(label)),\"message\":\(Self.quoted(message))"
        for field in fields {
            let name = ["time", "level", "logger", "message"].contains(field.name) ? "field." + field.name : field.name
            text += ",\(Self.quoted(name)):\(Self.quoted(field.value))"
        }
        return text + "}\n"
    }

    /// The event in the journal's protocol. Each value follows its length, so that its contents cannot add fields.
    /// Source: systemd's JOURNAL_NATIVE_PROTOCOL.
    func journal() -> [UInt8] {
        var bytes: [UInt8] = []
        func add(_ name: String, _ value: String) {
            bytes += Array(name.utf8)
            let value = Array(value.utf8)
            guard value.contains(0x0A) else {
                bytes += [0x3D] + value + [0x0A]
                return
            }
            bytes.append(0x0A)
            withUnsafeBytes(of: UInt64(value.count).littleEndian) { bytes += $0 }
            bytes += value + [0x0A]
        }
        add("MESSAGE", fields.isEmpty ? message : message + " " + fields.map { "\($0.name)=\($0.value)" }.joined(separator: " "))
        add("PRIORITY", String(level.priority))
        add("SYSLOG_IDENTIFIER", label)
        for field in fields { add(Self.journalName(field.name), field.value) }
        return bytes
    }

    /// A field's name with the characters that the journal permits: `rpc.method` is `RPC_METHOD`. It begins with a letter and has at
    /// most 64 characters.
    static func journalName(_ name: String) -> String {
        let letters = name.utf8.prefix(60).map { byte -> Character in
            switch byte {
            case 0x61...0x7A: Character(Unicode.Scalar(byte - 0x20))
            case 0x41...0x5A, 0x30...0x39: Character(Unicode.Scalar(byte))
            default: "_"
            }
        }
        let isPlain = letters.first.map { $0.isLetter } ?? false
        return (isPlain ? "" : "F_") + String(letters)
    }

    private static func utc(_ time: timespec) -> String {
        var seconds = time.tv_sec
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func padded(_ number: Int, _ digits: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
        }
        let day = "\(padded(Int(parts.tm_year) + 1900, 4))-\(padded(Int(parts.tm_mon) + 1, 2))-\(padded(Int(parts.tm_mday), 2))"
        let clock = "\(padded(Int(parts.tm_hour), 2)):\(padded(Int(parts.tm_min), 2)):\(padded(Int(parts.tm_sec), 2))"
        return "\(day)T\(clock).\(padded(time.tv_nsec / 1_000, 6))Z"
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value):
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
