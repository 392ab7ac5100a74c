import ArgumentParser
import CommandHelp
import OperatorFiles
import PulseBoardVocabulary
import TOMLKit

/// The server's configuration file: TOML 1.0, with a key for each option except `--config` and `--check-config`, spelled like
/// the option.
///
///     log-level = "info"
///     admin-uid = [1000]
///
///     [limit]
///     calls = 4096
///
/// A key of the file has the effect of its environment variable. An option overrides a variable, and a variable overrides the file. All are checked
/// by the same rules (``DaemonSettings``). An unknown key is an error, and so is a value of the wrong type.
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
        "image-directory": ("PULSEBOARD_IMAGE_DIRECTORY", .text), "diary-key-file": ("PULSEBOARD_DIARY_KEY_FILE", .text),
        "store": ("PULSEBOARD_STORE", .text),
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

    /// The key with the effect of a variable.
    static func key(of variable: String) -> String? { keys.first { $0.value.variable == variable }?.key }

    /// The variables that the file sets.
    let variables: [String: String]

    /// Reads a file.
    /// - Throws: `ValidationError` of the argument parser. It names the file, and the line if the file is not valid TOML.
    init(path: String) throws {
        let text: String
        do throws(BoundedFile.Failure) {
            // A regular file only: opening a pipe would wait for its writer, and a reload would wait too.
            text = try Self.text(try BoundedFile(path, limit: Self.maximumBytes).bytes)
        } catch {
            throw ArgumentParser.ValidationError(Phrase(
                "The configuration \(path) cannot be read: \(error.phrase.english).",
                "설정 파일 \(path)을(를) 읽을 수 없습니다: \(error.phrase.korean)."))
        }
        do {
            variables = try Self.variables(TOMLTable(string: text))
        } catch let error as TOMLParseError {
            let advice = Self.advice(for: error, in: text)
            throw ArgumentParser.ValidationError(Phrase(
                "\(path):\(error.source.begin.line): \(error.description)\(advice.english)",
                "\(path):\(error.source.begin.line): 올바른 TOML이 아닙니다: \(error.description)\(advice.korean)"))
        } catch let error as ArgumentParser.ValidationError {
            throw ArgumentParser.ValidationError("\(path): \(error.message)")
        }
    }

    /// What to do about the usual mistake, which the parser takes for a damaged number or date: a text without quotation marks.
    private static func advice(for error: TOMLParseError, in text: String) -> Phrase {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let number = Int(error.source.begin.line)
        guard lines.indices.contains(number - 1), lines[number - 1].contains(/=\s*[A-Za-z\/]/) else { return Phrase("", "") }
        return Phrase(". A text stands between quotation marks: log-level = \"info\"", ". 문자열은 따옴표로 묶습니다: log-level = \"info\"")
    }

    /// The text of a file. The parser would take NUL for the end, and a power failure can leave a file of zeros.
    private static func text(_ bytes: [UInt8]) throws(BoundedFile.Failure) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw BoundedFile.Failure(phrase: Phrase("it is not UTF-8", "UTF-8이 아닙니다"))
        }
        guard !text.utf8.contains(0), !text.contains(/\\u0000|\\U00000000/) else {
            throw BoundedFile.Failure(phrase: Phrase("it has a NUL character", "NUL 문자가 있습니다"))
        }
        return text
    }

    private static func variables(_ table: TOMLTable) throws -> [String: String] {
        var variables: [String: String] = [:]
        for (key, value) in table {
            guard let (variable, kind) = keys[key] else {
                let known = keyNames.joined(separator: ", ")
                throw ArgumentParser.ValidationError(Phrase(
                    "There is no setting '\(key)'. The settings are: \(known).", "'\(key)' 설정은 없습니다. 쓸 수 있는 설정: \(known)."))
            }
            variables[variable] = try text(of: value, kind, key)
        }
        return variables
    }

    private static func text(of value: any TOMLValueConvertible, _ kind: Kind, _ key: String) throws -> String {
        let wrong = { (expected: Phrase) in
            ArgumentParser.ValidationError(Phrase("'\(key)' must be \(expected.english).", "'\(key)' 설정은 \(expected.korean)."))
        }
        switch kind {
        case .text:
            guard let text = value.string else { throw wrong(Phrase("a text in quotation marks", "따옴표로 묶은 문자열이어야 합니다")) }
            // An empty one would count as absent, and the server would run without what was asked for.
            guard !text.isEmpty else {
                throw wrong(Phrase("a text that is not empty; leave the key out for its default", "비어 있지 않은 문자열이어야 합니다. 기본값을 쓰려면 키를 빼세요"))
            }
            return text
        case .number:
            if let number = value.int { return String(number) }
            guard let number = value.double else { throw wrong(Phrase("a number", "숫자여야 합니다")) }
            return String(number)
        case .flag:
            guard let flag = value.bool else { throw wrong(Phrase("true or false", "true 또는 false여야 합니다")) }
            return flag ? "1" : "0"
        case .numbers:
            guard let array = value.array else { throw wrong(Phrase("a list of numbers such as [1000]", "[1000] 같은 숫자 목록이어야 합니다")) }
            return try array.map { element in
                guard let number = element.int else { throw wrong(Phrase("a list of numbers such as [1000]", "[1000] 같은 숫자 목록이어야 합니다")) }
                return String(number)
            }.joined(separator: ",")
        case .limits:
            guard let table = value.table else { throw wrong(Phrase(
                "a table: [limit], and below it lines such as calls = 4096", "[limit] 표여야 하고, 그 아래에 calls = 4096 같은 줄을 씁니다")) }
            return try table.map { (name, value) in
                guard keys[name] == nil else {
                    throw ArgumentParser.ValidationError(Phrase(
                        "'\(name)' stands below [limit]. Settings that are no limits stand above the first line in brackets.",
                        "'\(name)' 설정이 [limit] 아래에 있습니다. 한도가 아닌 설정은 첫 대괄호 줄 위에 두세요."))
                }
                guard let number = value.int else {
                    throw ArgumentParser.ValidationError(Phrase("'limit.\(name)' must be a whole number.", "'limit.\(name)' 설정은 정수여야 합니다."))
                }
                return "\(name)=\(number)"
            }.sorted().joined(separator: ",")
        }
    }
}
