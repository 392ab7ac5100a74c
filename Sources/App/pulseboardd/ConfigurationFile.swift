import ArgumentParser
import Foundation
import TOMLKit

/// The server's configuration file: TOML 1.0, with a key for each option except `--config`, spelled like the option.
///
///     log-level = "info"
///     admin-uid = [1000]
///
///     [limit]
///     calls = 4096
///
/// A key of the file has the effect of its environment variable. An option overrides a variable, and a variable overrides the file. All are checked by
/// the same rules (``DaemonSettings``). An unknown key is an error, and so is a value of the wrong type.
struct ConfigurationFile {
    /// Maximum bytes of a file.
    static let maximumBytes = 64 << 10

    /// The type of a key's value.
    private enum Kind { case text, number, flag, numbers, limits }

    /// Each key with its variable and the type of its value.
    private static let keys: [String: (variable: String, kind: Kind)] = [
        "socket": ("PULSEBOARD_SOCKET", .text), "socket-mode": ("PULSEBOARD_SOCKET_MODE", .text),
        "remote-socket": ("PULSEBOARD_REMOTE_SOCKET", .text), "remote-socket-mode": ("PULSEBOARD_REMOTE_SOCKET_MODE", .text),
        "remote-heartbeat": ("PULSEBOARD_REMOTE_HEARTBEAT", .number), "remote-reflection": ("PULSEBOARD_REMOTE_REFLECTION", .flag),
        "data-directory": ("PULSEBOARD_DATA_DIRECTORY", .text), "image-program": ("PULSEBOARD_IMAGE_PROGRAM", .text),
        "image-directory": ("PULSEBOARD_IMAGE_DIRECTORY", .text), "diary-key-file": ("PULSEBOARD_DIARY_KEY_FILE", .text), "store": ("PULSEBOARD_STORE", .text),
        "log-level": ("PULSEBOARD_LOG_LEVEL", .text), "log-format": ("PULSEBOARD_LOG_FORMAT", .text), "metrics": ("PULSEBOARD_METRICS", .text),
        "trusted-uid": ("PULSEBOARD_TRUSTED_UIDS", .numbers), "admin-uid": ("PULSEBOARD_ADMIN_UIDS", .numbers),
        "wal-archive": ("PULSEBOARD_WAL_ARCHIVE", .text), "wal-archive-days": ("PULSEBOARD_WAL_ARCHIVE_DAYS", .number),
        "oidc-config": ("PULSEBOARD_OIDC_CONFIG", .text), "username-length": ("PULSEBOARD_USERNAME_LENGTH", .text),
        "withdrawal-grace": ("PULSEBOARD_WITHDRAWAL_GRACE", .number), "username-cooldown": ("PULSEBOARD_USERNAME_COOLDOWN", .number),
        "username-hold": ("PULSEBOARD_USERNAME_HOLD", .number), "grace-period": ("PULSEBOARD_GRACE_PERIOD", .number),
        "limit": ("PULSEBOARD_LIMITS", .limits),
    ]

    /// The keys that a file may have.
    static var keyNames: [String] { keys.keys.sorted() }

    /// The variables that the file sets.
    let variables: [String: String]

    /// Reads a file.
    /// - Throws: `ValidationError` of the argument parser. It names the file, and the line if the file is not valid TOML.
    init(path: String) throws {
        let text: String
        do {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? file.close() }
            let bytes = try file.read(upToCount: Self.maximumBytes + 1) ?? Data()
            guard bytes.count <= Self.maximumBytes else {
                throw ArgumentParser.ValidationError("\(path) has more than \(Self.maximumBytes) bytes.")
            }
            text = String(decoding: bytes, as: UTF8.self)
        } catch let error as ArgumentParser.ValidationError {
            throw error
        } catch {
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            let words = cause.map { String(cString: strerror(CInt($0.code))) } ?? "the system refused it"
            throw ArgumentParser.ValidationError("The configuration \(path) cannot be read: \(words).")
        }
        do {
            variables = try Self.variables(TOMLTable(string: text))
        } catch let error as TOMLParseError {
            throw ArgumentParser.ValidationError("\(path):\(error.source.begin.line): \(error.description)")
        } catch let error as ArgumentParser.ValidationError {
            throw ArgumentParser.ValidationError("\(path): \(error.message)")
        }
    }

    private static func variables(_ table: TOMLTable) throws -> [String: String] {
        var variables: [String: String] = [:]
        for (key, value) in table {
            guard let (variable, kind) = keys[key] else {
                throw ArgumentParser.ValidationError("There is no setting '\(key)'. The settings are: \(keyNames.joined(separator: ", ")).")
            }
            variables[variable] = try text(of: value, kind, key)
        }
        return variables
    }

    private static func text(of value: any TOMLValueConvertible, _ kind: Kind, _ key: String) throws -> String {
        let wrong = { (expected: String) in ArgumentParser.ValidationError("'\(key)' is \(expected).") }
        switch kind {
        case .text:
            guard let text = value.string else { throw wrong("a text in quotation marks") }
            return text
        case .number:
            if let number = value.int { return String(number) }
            guard let number = value.double else { throw wrong("a number") }
            return String(number)
        case .flag:
            guard let flag = value.bool else { throw wrong("true or false") }
            return flag ? "1" : "0"
        case .numbers:
            guard let array = value.array else { throw wrong("a list of numbers such as [1000]") }
            return try array.map { element in
                guard let number = element.int else { throw wrong("a list of numbers such as [1000]") }
                return String(number)
            }.joined(separator: ",")
        case .limits:
            guard let table = value.table else { throw wrong("a table: [limit], and below it lines such as calls = 4096") }
            return try table.map { (name, value) in
                guard let number = value.int else { throw ArgumentParser.ValidationError("'limit.\(name)' is a whole number.") }
                return "\(name)=\(number)"
            }.sorted().joined(separator: ",")
        }
    }
}
