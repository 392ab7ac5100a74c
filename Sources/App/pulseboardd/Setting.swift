import CommandHelp
import FoundationEssentials
import Glibc
import PulseBoardDomain
import PulseBoardVocabulary
import SocketTransport

/// One setting of the server, as `--check-config` prints it and as a reload compares it.
struct Setting {
    /// Its key in the configuration file.
    let name: String
    /// The value as the configuration file has it; `nil` if it is not set.
    let text: String?
    /// What is printed as a comment; `nil` for nothing.
    let remark: String?
    /// What a reload compares: the path of a file stays the same when the file changes.
    let value: AnyHashable
    /// Whether a running server takes a new value.
    let isReloadable: Bool

    private init(_ name: String, _ text: String?, _ value: AnyHashable, _ remark: String?, isReloadable: Bool) {
        (self.name, self.text, self.value, self.remark, self.isReloadable) = (name, text, value, remark, isReloadable)
    }

    /// A setting that a running server keeps.
    fileprivate static func fixed(_ name: String, _ text: String?, of value: AnyHashable? = nil, remark: String? = nil) -> Setting {
        Setting(name, text, value ?? AnyHashable(text), remark, isReloadable: false)
    }

    /// A setting that a running server changes.
    fileprivate static func reloadable(_ name: String, _ text: String?, of value: AnyHashable? = nil, remark: String? = nil) -> Setting {
        Setting(name, text, value ?? AnyHashable(text), remark, isReloadable: true)
    }

    /// The lines of the configuration file. What the file need not have is a comment.
    fileprivate var lines: String {
        let comment = remark.map { "  # " + $0 } ?? ""
        guard let text else {
            let unset = { "# \(name): " + Phrase("not set", "설정 안 됨").text(in: HelpLanguage.current) }
            return remark.map { "# \(name) = \($0)" } ?? unset()
        }
        return text.contains("\n") ? "[\(name)]\n\(text)" : "\(name) = \(text)\(comment)"
    }
}

extension DaemonSettings {
    /// All settings. The table `limit` is last, because what follows a table in TOML belongs to it.
    var list: [Setting] {
        let days = { (interval: Timestamp.Interval) in String(interval.microseconds / Timestamp.Interval.days(1).microseconds) }
        return [
            // A path or mode that is not chosen is a comment, because a socket that is handed over has its own.
            .fixed("socket", chosenSocketPath.map(Self.quoted), of: socketPath, remark: chosenSocketPath == nil ? Self.quoted(socketPath) : nil),
            Self.mode("socket-mode", chosenSocketMode), .fixed("remote-socket", remoteSocketPath.map(Self.quoted)),
            Self.mode("remote-socket-mode", chosenRemoteSocketMode),
            .fixed("remote-heartbeat", Self.seconds(remoteRole.heartbeat ?? .zero)), .fixed("remote-reflection", "\(remoteReflection)"),
            // The address is not printed. It may have more in it than everybody should read.
            .fixed("store", nil, of: storeAddress, remark: storeAddress == nil ? "SQLite" : "PostgreSQL"),
            .fixed("data-directory", Self.quoted(dataDirectory)), .fixed("wal-archive", archive.map { Self.quoted($0.directory) }),
            .fixed("wal-archive-days", String(archiveDays)), .fixed("image-directory", Self.quoted(imageDirectory)),
            .fixed("image-program", Self.quoted(imageProgram)),
            .fixed(
                "diary-key-file", diaryKeyFile.map(Self.quoted), of: diaryKeys.ids.map { "\($0)" } + ["\(diaryKeys.newest)"],
                remark: diaryKeyFile.map { _ in "writes \(diaryKeys.newest), reads \(diaryKeys.ids.count)" }),
            .reloadable("log-level", Self.quoted(logLevel.rawValue)), .fixed("log-format", logFormat.map { Self.quoted($0.rawValue) }),
            .fixed("metrics", metrics.map { Self.quoted($0.text) }),
            .reloadable("trusted-uid", Self.list(services.trustedUIDs)), .reloadable("admin-uid", Self.list(adminUIDs)),
            .reloadable(
                "oidc-config", idTokenFile.map(Self.quoted), of: idTokens, remark: idTokens?.issuers.map(\.name).joined(separator: ", ")),
            .reloadable(
                "username-length", Self.quoted("\(services.usernameRules.length.lowerBound)-\(services.usernameRules.length.upperBound)")),
            .reloadable("withdrawal-grace", days(services.withdrawalGrace)), .reloadable("username-cooldown", days(usernames.cooldown)),
            .reloadable("username-hold", days(usernames.hold)), .reloadable("grace-period", Self.seconds(gracePeriod)),
            .reloadable("limit", DaemonLimit.allCases.map { "\($0.rawValue) = \($0.value(in: limits))" }.joined(separator: "\n"), of: limits),
        ]
    }

    /// The keys of the settings that differ from earlier ones.
    /// - Parameter isReloadable: whether to look at those that a running server changes, or at those that it keeps.
    func changes(since former: DaemonSettings, isReloadable: Bool) -> [String] {
        zip(list, former.list).filter { $0.isReloadable == isReloadable && $0.value != $1.value }.map(\.0.name)
    }

    /// What `--check-config` says of a good configuration.
    var summary: String { Phrase("The configuration is good.\n", "설정이 올바릅니다.\n").text(in: HelpLanguage.current) + table }

    /// All settings in the form of the configuration file.
    var table: String {
        let file = configurationPath.map { "# config = \(Self.quoted($0))\n" } ?? ""
        let isThere = access(imageProgram, X_OK) == 0
        let remark = isThere ? Phrase("", "") : Phrase(
            "# This user cannot run the program at image-program. A server of this user takes no pictures.\n",
            "# 이 사용자는 image-program의 프로그램을 실행할 수 없습니다. 이 사용자의 서버는 사진을 받지 못합니다.\n")
        let lines = (remark.text(in: HelpLanguage.current) + file + list.map { $0.lines + "\n" }.joined()).split(separator: "\n").map { "  \($0)\n" }
        return lines.joined()
    }

    private static func mode(_ name: String, _ chosen: UInt32?) -> Setting {
        .fixed(name, chosen.map { quoted(String($0, radix: 8)) }, of: chosen ?? 0o600, remark: chosen == nil ? quoted("600") : nil)
    }

    /// A string of TOML.
    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\", "\"": "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: "\\u00" + CollectionOfOne(UInt8(scalar.value)).hexadecimal
            default: String(scalar)
            }
        }
        return "\"" + escaped.joined() + "\""
    }

    private static func list(_ uids: Set<UInt32>) -> String { "[" + uids.sorted().map(String.init).joined(separator: ", ") + "]" }

    /// Seconds, without a fraction where there is none.
    private static func seconds(_ duration: Duration) -> String {
        let seconds = duration / .seconds(1)
        return seconds == seconds.rounded() ? String(Int64(seconds)) : String(seconds)
    }
}

extension ScrapeEndpoint.Address {
    /// The address as the option and the configuration file have it.
    fileprivate var text: String {
        switch self {
        case .loopback(let port): String(port)
        case .unix(let path, _): path
        }
    }
}
