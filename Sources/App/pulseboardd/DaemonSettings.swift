import ArgumentParser
import CommandHelp
import DiarySealing
import FoundationEssentials
import Glibc
import IDTokens
import Logging
import OperatorFiles
import PulseBoardDomain
import PulseBoardServices
import PulseBoardVocabulary
import RPCServer
import ServerLog
import SocketTransport
import StorePostgreSQL
import StoreSQLite

/// The server's settings: from options, else environment variables, else the configuration file, else defaults.
struct DaemonSettings {
    /// The socket path that a setting names; `nil` if none does.
    let chosenSocketPath: String?
    /// The path of the socket to make if none was handed over.
    let socketPath: String
    let chosenSocketMode: UInt32?
    var socketMode: UInt32 { chosenSocketMode ?? 0o600 }
    /// The path of the gateway's socket that a setting names; `nil` if none does.
    let remoteSocketPath: String?
    let chosenRemoteSocketMode: UInt32?
    /// The role of the gateway's socket.
    let remoteRole: ListenerRole
    /// Whether the gateway's callers may use reflection.
    let remoteReflection: Bool
    /// The uids that may use the admin service.
    let adminUIDs: Set<UInt32>
    let dataDirectory: String
    /// The address of a PostgreSQL database; `nil` for SQLite in the data directory.
    let storeAddress: String?
    /// The archive of SQLite's commits; `nil` for none.
    let archive: LogArchiveSettings?
    /// The days of an archive, also if there is none.
    let archiveDays: Int
    /// The directory of pictures.
    let imageDirectory: String
    /// The program that decodes uploaded pictures.
    let imageProgram: String
    let logLevel: Logger.Level
    let logFormat: LogFormat?
    /// The address where the server's metrics can be read; `nil` if only the admin service offers them.
    let metrics: ScrapeEndpoint.Address?
    /// The path of the configuration file; `nil` without one.
    let configurationPath: String?
    let gracePeriod: Duration
    let services: ServicesConfiguration
    /// The file of the issuers whose ID tokens can sign in; `nil` for none.
    let idTokenFile: String?
    let idTokens: IDTokenConfiguration?
    /// How long names are kept for their owners.
    let usernames: UsernamePolicy
    /// The file of the keys that seal diaries; `nil` for none.
    let diaryKeyFile: String?
    let diaryKeys: DiaryKeys
    /// The limits for clients.
    let limits: ServerLimits

    /// - Throws: `ValidationError` of the argument parser. The program prints it with the usage and exits with 64.
    init(_ options: DaemonOptions, environment variables: [String: String], uid: UInt32) throws {
        try Self.requireText(options)
        let path = Self.configurationPath(options, variables, uid)
        let file = try path.map { try ConfigurationFile(path: $0) }
        let given = variables.filter { !$0.value.isEmpty }
        let environment = file?.variables.merging(given) { $1 } ?? given
        // Checked first, so that a wrong option is not taken for a wrong value of the file.
        _ = try DaemonLimit.limits(options.limits)
        // The variable whose text was asked for last, if no option replaces it.
        var asked: String?
        do {
            try self.init(options, path, environment, uid) { option, variable in
                let text = option ?? environment[variable].flatMap { $0.isEmpty ? nil : $0 }
                asked = option == nil && text != nil ? variable : nil
                return text
            }
        } catch let error as ArgumentParser.ValidationError {
            guard let asked else { throw error }
            let isFromFile = given[asked] == nil
            let source = isFromFile ? [path, ConfigurationFile.key(of: asked)].compactMap(\.self).joined(separator: ", ") : asked
            throw ArgumentParser.ValidationError("\(source): \(error.message)")
        }
    }

    /// A path may be empty by mistake: a script's variable is not set. The server would then run without what was asked for.
    private static func requireText(_ options: DaemonOptions) throws {
        let paths = [
            ("--socket", options.socket), ("--remote-socket", options.remoteSocket), ("--data-directory", options.dataDirectory),
            ("--image-directory", options.imageDirectory), ("--image-program", options.imageProgram), ("--wal-archive", options.walArchive),
            ("--oidc-config", options.oidcConfig), ("--diary-key-file", options.diaryKeyFile), ("--config", options.config),
        ]
        for (name, path) in paths where path?.isEmpty == true {
            throw ArgumentParser.ValidationError(Phrase("\(name) needs a path, and was given an empty text.", "\(name)에 빈 값을 썼습니다. 경로가 필요합니다."))
        }
    }

    /// - Parameter setting: the text of an option, else of a variable, else of the file; `nil` for none. Each setting is checked before the next one
    ///   is asked for, so that an error can name the last one.
    private init(
        _ options: DaemonOptions, _ configurationPath: String?, _ environment: [String: String], _ uid: UInt32,
        _ setting: (_ option: String?, _ variable: String) -> String?
    ) throws {
        self.configurationPath = configurationPath
        chosenSocketPath = setting(options.socket, "PULSEBOARD_SOCKET")
        try chosenSocketPath.map(Self.requireSocketPath)
        socketPath = chosenSocketPath ?? PulseBoardSocket.default(environment: environment, uid: uid)
        chosenSocketMode = try setting(options.socketMode, "PULSEBOARD_SOCKET_MODE").map(Self.mode)
        remoteSocketPath = setting(options.remoteSocket, "PULSEBOARD_REMOTE_SOCKET")
        try remoteSocketPath.map(Self.requireSocketPath)
        guard remoteSocketPath != socketPath else {
            throw ArgumentParser.ValidationError(Phrase(
                "The socket for a gateway cannot be the one for local clients, '\(socketPath)'.",
                "게이트웨이 소켓은 이 컴퓨터의 클라이언트를 위한 소켓 '\(socketPath)'과(와) 같을 수 없습니다."))
        }
        chosenRemoteSocketMode = try setting(options.remoteSocketMode, "PULSEBOARD_REMOTE_SOCKET_MODE").map(Self.mode)
        var remoteRole = ListenerRole.remote
        if let heartbeat = setting(options.remoteHeartbeat, "PULSEBOARD_REMOTE_HEARTBEAT") {
            let interval = try Self.seconds(heartbeat, Phrase("heartbeat", "하트비트는"))
            remoteRole.heartbeat = interval > .zero ? interval : nil
        }
        self.remoteRole = remoteRole
        remoteReflection = try options.remoteReflection || Self.flag(setting(nil, "PULSEBOARD_REMOTE_REFLECTION"))
        dataDirectory = setting(options.dataDirectory, "PULSEBOARD_DATA_DIRECTORY")
            ?? SQLiteStore.defaultDirectory(environment: environment, uid: uid)
        storeAddress = setting(options.store, "PULSEBOARD_STORE")
        // The text is not repeated. A mistyped address may hold a password.
        guard storeAddress.map(PostgreSQLStore.takes(address:)) ?? true else {
            throw ArgumentParser.ValidationError(Phrase(
                "The store is the address of a PostgreSQL database, postgresql://…. Without --store it is SQLite in --data-directory.",
                "저장소에는 PostgreSQL 데이터베이스 주소(postgresql://…)를 씁니다. --store를 생략하면 --data-directory의 SQLite입니다."))
        }
        if options.checkConfig { try storeAddress.map(Self.checkStore) }
        archiveDays = Int(try Self.days(
            setting(options.walArchiveDays, "PULSEBOARD_WAL_ARCHIVE_DAYS") ?? "14",
            in: Int64(LogArchiveSettings.dayRange.lowerBound)...Int64(LogArchiveSettings.dayRange.upperBound), Phrase("time of the archive", "보관 기간은")
        ))
        archive = setting(options.walArchive, "PULSEBOARD_WAL_ARCHIVE").map { [archiveDays] in LogArchiveSettings(directory: $0, days: archiveDays) }
        guard archive == nil || storeAddress == nil else {
            throw ArgumentParser.ValidationError(Phrase(
                "--wal-archive is for SQLite; PostgreSQL has its own archive (archive_command).",
                "--wal-archive는 SQLite에만 씁니다. PostgreSQL에는 자체 보관 기능(archive_command)이 있습니다."))
        }
        if let archive, Self.isOneDirectory(archive.directory, dataDirectory) {
            throw ArgumentParser.ValidationError(Phrase(
                "--wal-archive must not be the data directory. What happens to one should not happen to the other.",
                "--wal-archive는 데이터 디렉터리와 달라야 합니다. 한쪽을 잃어도 다른 쪽은 남아야 합니다."))
        }
        imageDirectory = setting(options.imageDirectory, "PULSEBOARD_IMAGE_DIRECTORY") ?? dataDirectory + "/images"
        if storeAddress == nil, Self.isOneDirectory(imageDirectory, dataDirectory) {
            throw ArgumentParser.ValidationError(Phrase(
                "--image-directory must not be the data directory. A directory in it may be.",
                "--image-directory는 데이터 디렉터리와 달라야 합니다. 그 안의 디렉터리는 쓸 수 있습니다."))
        }
        imageProgram = setting(options.imageProgram, "PULSEBOARD_IMAGE_PROGRAM") ?? Self.besideThisProgram("pulseboard-image")
        logLevel = try Self.level(setting(options.logLevel, "PULSEBOARD_LOG_LEVEL") ?? "notice")
        logFormat = try setting(options.logFormat, "PULSEBOARD_LOG_FORMAT").map(Self.logFormat)
        metrics = try setting(options.metrics, "PULSEBOARD_METRICS").map(Self.metrics)
        gracePeriod = try Self.seconds(setting(options.gracePeriod, "PULSEBOARD_GRACE_PERIOD") ?? "10", Phrase("grace period", "유예 시간은"))
        let trusted = try Self.uids(options.trustedUIDs, setting(nil, "PULSEBOARD_TRUSTED_UIDS"))
        adminUIDs = try Self.uids(options.adminUIDs, setting(nil, "PULSEBOARD_ADMIN_UIDS")).union([0, uid])
        let namedLimits = setting(nil, "PULSEBOARD_LIMITS").map { $0.split(separator: ",").map(String.init) } ?? []
        // Options come after the variable's settings, and so override them.
        limits = try DaemonLimit.limits(namedLimits + options.limits)
        let length = try Self.length(setting(options.usernameLength, "PULSEBOARD_USERNAME_LENGTH") ?? Self.defaultUsernameLength)
        idTokenFile = setting(options.oidcConfig, "PULSEBOARD_OIDC_CONFIG")
        idTokens = try idTokenFile.map(Self.idTokens)
        diaryKeyFile = setting(options.diaryKeyFile, "PULSEBOARD_DIARY_KEY_FILE")
        diaryKeys = try diaryKeyFile.map { try Self.diaryKeys($0, isChecked: options.checkConfig) } ?? DiaryKeys.none
        let grace = try Self.days(setting(options.withdrawalGrace, "PULSEBOARD_WITHDRAWAL_GRACE") ?? "30", in: 0...90,
            Phrase("time to come back", "탈퇴를 취소할 수 있는 기간은"))
        usernames = UsernamePolicy(
            cooldown: .days(
                try Self.days(
                    setting(options.usernameCooldown, "PULSEBOARD_USERNAME_COOLDOWN") ?? "30", in: UsernamePolicy.days,
                    Phrase("cool-down of usernames", "이름을 다시 바꿀 수 없는 기간은"))),
            hold: .days(
                try Self.days(setting(options.usernameHold, "PULSEBOARD_USERNAME_HOLD") ?? "60", in: UsernamePolicy.days,
                    Phrase("hold of usernames", "버린 이름을 남겨 두는 기간은"))))
        services = ServicesConfiguration(
            trustedUIDs: trusted.union([0, uid]), usernameRules: UsernameRules(length: length),
            signInsPerSecondPerCaller: idTokens?.signInsPerSecondPerCaller ?? IDTokenConfiguration.defaultCallerRate,
            withdrawalGrace: .days(grace))
    }

    /// For root, says which of the files that root has read the service's user cannot read; `nil` if there is none. The service's user owns the data
    /// directory.
    var unreadableFile: Phrase? {
        let files = [configurationPath, idTokenFile, diaryKeyFile].compactMap(\.self)
        guard geteuid() == 0, let user = serviceUser, let path = files.first(where: { !user.canRead($0) }) else { return nil }
        return Phrase(
            "\(user.name), the user of the service, cannot read \(path): chown \(user.name) \(path)",
            "서비스의 사용자 \(user.name)이(가) \(path)을(를) 읽을 수 없습니다: chown \(user.name) \(path)")
    }

    /// `nil` if it is root, or unknown.
    private var serviceUser: OtherUser? {
        var status = stat()
        if stat(dataDirectory, &status) == 0 { return OtherUser(getpwuid(status.st_uid)?.pointee) }
        return configurationPath == Self.machineConfiguration ? OtherUser(getpwnam("pulseboard")?.pointee) : nil
    }

    /// A start reports the same, but a check does not open the store.
    private static func checkStore(_ address: String) throws {
        do throws(PostgreSQLOpeningError) {
            try PostgreSQLStore.check(address: address)
        } catch {
            throw ArgumentParser.ValidationError(Phrase(
                "The store cannot be used: \(error.phrase.english).", "저장소를 쓸 수 없습니다: \(error.phrase.korean)."))
        }
    }

    private static func diaryKeys(_ path: String, isChecked: Bool) throws -> DiaryKeys {
        do throws(DiaryKeyFileError) {
            return try DiaryKeys(path: path, ofAnybody: isChecked && geteuid() == 0)
        } catch {
            throw ArgumentParser.ValidationError(Phrase(
                "The keys of diaries are not valid: \(error.phrase.english).", "일기의 키를 쓸 수 없습니다: \(error.phrase.korean)."))
        }
    }

    /// The path of the configuration file of the machine's service.
    private static var machineConfiguration: String { MachineConfiguration.path(ofProgram: besideThisProgram("pulseboardd")) }

    /// The path of the configuration file: from an option or variable, else the default path if that file exists.
    private static func configurationPath(_ options: DaemonOptions, _ environment: [String: String], _ uid: UInt32) -> String? {
        if let chosen = options.config ?? environment["PULSEBOARD_CONFIG"], !chosen.isEmpty { return chosen }
        let home = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.config" : nil }
        let path = uid == 0 ? machineConfiguration : home.map { $0 + "/pulseboard/pulseboardd.toml" }
        return path.flatMap { access($0, F_OK) == 0 ? $0 : nil }
    }

    private static func logFormat(_ text: String) throws -> LogFormat {
        guard let format = LogFormat(rawValue: text) else {
            throw ArgumentParser.ValidationError(Phrase(
                "The log format is text, json or journal, not '\(text)'.", "로그 형식은 text, json, journal 가운데 하나여야 합니다. '\(text)'은(는) 아닙니다."))
        }
        return format
    }

    private static func metrics(_ text: String) throws -> ScrapeEndpoint.Address {
        if text.hasPrefix("/") { return .unix(path: text, mode: 0o600) }
        guard let port = UInt16(text) else {
            throw ArgumentParser.ValidationError(Phrase(
                "Metrics are read at a port from 0 to 65535 or at the absolute path of a socket, not at '\(text)'.",
                "지표는 0에서 65535까지의 포트나 소켓의 절대 경로에서 읽습니다. '\(text)'은(는) 아닙니다."))
        }
        return .loopback(port: port)
    }

    private static func idTokens(_ path: String) throws -> IDTokenConfiguration {
        do throws(IDTokenConfigurationError) {
            return try IDTokenConfiguration(path: path)
        } catch {
            throw ArgumentParser.ValidationError(Phrase(
                "The configuration of ID tokens is not valid: \(error.phrase.english)",
                "ID 토큰 설정을 쓸 수 없습니다: \(error.phrase.korean)"))
        }
    }

    /// Whether two paths lead to the same directory, by links too.
    private static func isOneDirectory(_ first: String, _ second: String) -> Bool {
        func target(_ path: String) -> String { URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path }
        return target(first) == target(second)
    }

    /// The path of a program in the same folder as this one.
    private static func besideThisProgram(_ name: String) -> String {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(path: name).path
    }

    /// Refuses options that contradict the sockets that were handed over, because such options would have no effect.
    /// - Throws: `ValidationError`, like the initialiser.
    func check(agreesWith sockets: HandedOverSockets) throws {
        if let local = sockets.local { try check(local, "--socket", chosenSocketPath, chosenSocketMode) }
        if let remote = sockets.remote { try check(remote, "--remote-socket", remoteSocketPath, chosenRemoteSocketMode) }
    }

    private func check(_ socket: ListeningSocket, _ option: String, _ path: String?, _ mode: UInt32?) throws {
        if let path, !socket.isServed(at: path) {
            throw ArgumentParser.ValidationError(
                Phrase(
                    "The socket that was handed over is \(socket.path), not '\(path)': leave \(option) out, or let both agree.",
                    "넘겨받은 소켓은 '\(path)'이(가) 아니라 \(socket.path)입니다. \(option)을(를) 빼거나 둘을 맞춰 주세요."))
        }
        if mode != nil {
            throw ArgumentParser.ValidationError(
                Phrase(
                    "The mode of a socket that is handed over is its holder's to set (SocketMode= of a systemd socket unit).",
                    "넘겨받은 소켓의 권한은 넘겨준 쪽에서 정합니다(systemd 소켓 유닛의 SocketMode=)."))
        }
    }

    private static func mode(_ text: String) throws -> UInt32 {
        guard let mode = UInt32(text, radix: 8), mode <= 0o777, mode & 0o600 == 0o600 else {
            throw ArgumentParser.ValidationError(Phrase(
                "The socket mode is three octal digits from 600 to 777, not '\(text)'.",
                "소켓의 권한은 600에서 777까지의 8진수 세 자리여야 합니다. '\(text)'은(는) 아닙니다."))
        }
        return mode
    }

    private static func level(_ text: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: text.lowercased()) else {
            let known = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw ArgumentParser.ValidationError(Phrase(
                "The log level is one of \(known), not '\(text)'.",
                "로그 수준은 \(known) 가운데 하나여야 합니다. '\(text)'은(는) 아닙니다."))
        }
        return level
    }

    private static func seconds(_ text: String, _ what: Phrase) throws -> Duration {
        guard let seconds = Double(text), (0...86_400).contains(seconds) else {
            throw ArgumentParser.ValidationError(Phrase(
                "The \(what.english) is 0 to 86400 seconds, not '\(text)'.",
                "\(what.korean) 0초에서 86400초 사이여야 합니다. '\(text)'은(는) 아닙니다."))
        }
        return .seconds(seconds)
    }

    private static func days(_ text: String, in range: ClosedRange<Int64>, _ what: Phrase) throws -> Int64 {
        guard let days = Int64(text), range.contains(days) else {
            throw ArgumentParser.ValidationError(Phrase(
                "The \(what.english) is \(range.lowerBound) to \(range.upperBound) days, not '\(text)'.",
                "\(what.korean) \(range.lowerBound)일에서 \(range.upperBound)일 사이여야 합니다. '\(text)'은(는) 아닙니다."))
        }
        return days
    }

    private static func flag(_ text: String?) throws -> Bool {
        switch text {
        case nil, "0": return false
        case "1": return true
        case let text?: throw ArgumentParser.ValidationError(Phrase(
            "It is 0 or 1, not '\(text)'.", "0 또는 1이어야 합니다. '\(text)'은(는) 아닙니다."))
        }
    }

    private static func requireSocketPath(_ path: String) throws {
        guard path.utf8.count <= SocketPath.maximumByteCount else {
            throw ArgumentParser.ValidationError(Phrase(
                "The path of a socket has at most \(SocketPath.maximumByteCount) bytes. '\(path)' has \(path.utf8.count).",
                "소켓 경로는 \(SocketPath.maximumByteCount)바이트까지 쓸 수 있습니다. '\(path)'은(는) \(path.utf8.count)바이트입니다."))
        }
    }

    /// The uids from the options, else from a variable or the file.
    private static func uids(_ options: [UInt32], _ text: String?) throws -> Set<UInt32> {
        guard options.isEmpty, let text else { return Set(options) }
        return Set(try text.split(separator: ",").map { part in
            guard let uid = UInt32(part.filter { $0 != " " }) else {
                throw ArgumentParser.ValidationError(Phrase(
                    "A uid is a number from 0 to \(UInt32.max), not '\(part)'.",
                    "uid는 0에서 \(UInt32.max) 사이의 숫자여야 합니다. '\(part)'은(는) 아닙니다."))
            }
            return uid
        })
    }

    /// The length of usernames without the option, as the option spells it.
    static let defaultUsernameLength = "\(UsernameRules.defaultLength.lowerBound)-\(UsernameRules.defaultLength.upperBound)"

    private static func length(_ text: String) throws -> ClosedRange<Int> {
        let parts = text.split(separator: "-").map { Int($0) }
        guard parts.count == 2, let shortest = parts[0], let longest = parts[1], (1...64).contains(shortest),
            (shortest...64).contains(longest)
        else {
            throw ArgumentParser.ValidationError(Phrase(
                "The username length is two numbers from 1 to 64 such as \(defaultUsernameLength), not '\(text)'.",
                "이름의 길이는 \(defaultUsernameLength)처럼 1에서 64 사이의 두 수여야 합니다. '\(text)'은(는) 아닙니다."))
        }
        return shortest...longest
    }
}

/// A user whose rights root takes for a moment.
private struct OtherUser {
    let name: String
    private let uid: uid_t
    private let gid: gid_t

    /// `nil` for root, and without an entry.
    init?(_ entry: passwd?) {
        guard let entry, entry.pw_uid != 0 else { return nil }
        (name, uid, gid) = (String(cString: entry.pw_name), entry.pw_uid, entry.pw_gid)
    }

    /// Whether the user may open a file. Call it while no other thread opens files.
    func canRead(_ path: String) -> Bool {
        let formerGroup = getegid()
        var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        let count = getgroups(Int32(groups.count), &groups)
        guard count >= 0 else { return true }
        defer {
            _ = seteuid(0)
            _ = setegid(formerGroup)
            _ = setgroups(Int(count), groups)
        }
        guard initgroups(name, gid) == 0, setegid(gid) == 0, seteuid(uid) == 0 else { return true }
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        let isDenied = file < 0 && errno == EACCES
        if file >= 0 { close(file) }
        return !isDenied
    }
}

/// The process's environment variables.
enum Environment {
    /// The first setting that is not UTF-8. A part of its text would be lost, and it would name another file.
    static var invalidSetting: String? {
        var entry = environ
        while let text = entry.pointee {
            let pair = String(cString: text)
            if pair.hasPrefix("PULSEBOARD_"), String(validatingCString: text) == nil { return pair.split(separator: "=").first.map(String.init) }
            entry += 1
        }
        return nil
    }

    static var current: [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let pair = String(cString: text)
            if let equals = pair.firstIndex(of: "=") {
                variables[String(pair[..<equals])] = String(pair[pair.index(after: equals)...])
            }
            entry += 1
        }
        return variables
    }
}
