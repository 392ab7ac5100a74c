import Foundation
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore
import SocketTransport
import StoreSQLite

/// Finds problems of a server's set-up on this machine, and the command to type next: `pulseboard doctor`.
///
/// It changes nothing. It needs no server, no rights and no session, and reports what it cannot see.
struct Doctor {
    /// The result of one check.
    struct Finding: Hashable {
        enum State: String, Encodable { case ok, note, fault }

        let state: State
        /// The name of the check. It never changes, because scripts use it.
        let topic: String
        let words: Phrase
        /// The command to type next; `nil` if all is well.
        let next: Phrase?

        static func ok(_ topic: String, _ words: Phrase) -> Finding { Finding(state: .ok, topic: topic, words: words, next: nil) }
        static func note(_ topic: String, _ words: Phrase, next: String? = nil) -> Finding {
            Finding(state: .note, topic: topic, words: words, next: next.map { Phrase($0, $0) })
        }
        static func fault(_ topic: String, _ words: Phrase, next: String? = nil) -> Finding {
            Finding(state: .fault, topic: topic, words: words, next: next.map { Phrase($0, $0) })
        }
        /// A database that only a backup brings back.
        /// - Parameter place: the option for the data directory.
        static func lostDatabase(_ words: Phrase, _ place: String) -> Finding {
            let command = "pulseboard admin restore --overwrite "
            let next = Phrase(command + Phrase.wordForFile.english + place, command + Phrase.wordForFile.korean + place)
            return Finding(state: .fault, topic: "database", words: words, next: next)
        }
    }

    /// The server's answer, or why there is none.
    enum Server {
        case answers(PBServerInfo)
        /// It answers, but does not permit this user to read its status.
        case isClosed
        case isAway(RPCError)
    }

    /// The configuration with which the server's program would start.
    struct ServerConfiguration {
        /// The settings by key; empty if they could not be read.
        let settings: [String: String]
        /// Why it would not start; `nil` if it would.
        let problem: String?
        /// The file that the program was told to read; `nil` for the one that it finds itself.
        var namedFile: String?

        /// Whether its settings are known, although the server may not start with them.
        var isKnown: Bool { problem == nil || !settings.isEmpty }

        /// Whether the server keeps its data in PostgreSQL, and not in its data directory.
        var usesPostgreSQL: Bool { settings["store"] == "PostgreSQL" }

        /// The absolute path that a setting has; `nil` if it has none.
        func path(_ key: String) -> String? { settings[key].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    }

    let socket: String
    let dataDirectory: String
    /// Whether the server, the user or a stopped server's configuration has named the directory. Otherwise it is only this user's default, and
    /// the running server may use another one.
    var knowsDataDirectory = true
    /// The option that has named the directory, for the next command; empty without it.
    var placeOption = ""
    /// The option that has named the socket, for the next command; empty without it.
    var socketOption = ""
    let server: Server
    /// The effective uid.
    let uid: UInt32
    /// Seconds since 1970 by this machine's clock.
    let now: Int64
    /// Free bytes on the disk of a directory; `nil` if unknown.
    var freeBytes: (String) -> Int64? = Doctor.freeBytes
    /// The number of a directory's disk; `nil` if there is no such directory.
    var disk: (String) -> UInt? = Doctor.disk
    /// The hard limit of descriptors of the server, or else of its unit, or else of this process.
    var descriptorLimit: UInt64 = Doctor.ownDescriptorLimit
    /// The configuration according to the server's program; `nil` without such a program.
    var configuration: () -> ServerConfiguration? = { nil }
    /// Lines of the unit's log at `err` and above in the last day; `nil` without systemd.
    var loggedErrors: () -> Int? = { nil }
    /// The unit's `ActiveState` and `Result` from systemd, or `masked`; `nil` without systemd or without the unit.
    var unit: () -> (state: String, result: String)? = { nil }

    /// Bytes of free room below which a fault is reported.
    static let leastRoom: Int64 = 1 << 30
    /// The number of descriptors below which a fault is reported: too few for many clients.
    static let leastDescriptors: UInt64 = 4_096
    /// The beginning of 2026. A clock before it is wrong.
    private static let earliest: Int64 = 1_767_225_600

    /// All findings, in the order in which to fix them.
    func findings() -> [Finding] {
        let files = !knowsDataDirectory ? [] : (keepsFilesHere ? [directory(), database(), owner()] : []) + disks()
        let answer = [socketFile(), rights(), store(), archive(), images(), keys()]
        // A server that does not run may have stopped because of its files.
        let parts = if case .isAway = server { files + answer } else { answer + files }
        return ([version(), settings()] + parts + [clock(), limits(), service(), logs()]).compactMap(\.self)
    }

    private func version() -> Finding? {
        guard case .answers(let info) = server else {
            return .ok("version", Phrase("pulseboard \(pulseBoardVersion)", "pulseboard \(pulseBoardVersion)"))
        }
        guard info.version != pulseBoardVersion else {
            return .ok("version", Phrase("server and command line are \(info.version)", "서버와 명령줄 모두 \(info.version)"))
        }
        return .note(
            "version", Phrase("the server is \(info.version), the command line \(pulseBoardVersion)", "서버 \(info.version), 명령줄 \(pulseBoardVersion)"),
            next: "apt-get install pulseboard pulseboard-server")
    }

    /// Whether a socket's server is the machine's service. Otherwise it is one of the user's own.
    static func isOfMachine(_ socket: String, uid: UInt32) -> Bool { uid == 0 || socket == PulseBoardSocket.machine }

    /// `systemctl`, as this user types it for the unit.
    private var systemctl: String { !Self.isOfMachine(socket, uid: uid) ? "systemctl --user" : uid == 0 ? "systemctl" : "sudo systemctl" }
    /// `journalctl`, as this user types it for the unit.
    private var journalctl: String { Self.isOfMachine(socket, uid: uid) ? "journalctl -u pulseboardd" : "journalctl --user-unit pulseboardd" }

    /// `pulseboard doctor`, as this user types it to be permitted more. The administrator's default is the machine's socket.
    private var asAdministrator: String {
        "sudo pulseboard doctor" + (socket == PulseBoardSocket.machine ? "" : " --socket \(socket.shellQuoted)") + placeOption
    }

    /// How to start the server: by its unit, if there is one.
    private var start: String {
        switch unit()?.state {
        case nil: "pulseboardd --socket \(socket.shellQuoted)"
        case "masked": "\(systemctl) unmask pulseboardd.service"
        // systemd refuses a unit that has failed often, until it is told to forget that.
        case "failed": "\(systemctl) reset-failed pulseboardd.socket pulseboardd.service && \(systemctl) start pulseboardd.socket pulseboardd.service"
        default: "\(systemctl) enable --now pulseboardd.socket pulseboardd.service"
        }
    }

    /// Whether the database is in the data directory, and not in PostgreSQL.
    private var keepsFilesHere: Bool {
        guard case .answers(let info) = server else { return configuration()?.usesPostgreSQL != true }
        return !info.store.hasPrefix("PostgreSQL")
    }

    private func settings() -> Finding? {
        guard let configuration = configuration() else { return nil }
        let file = configuration.settings["config"]
        guard let problem = configuration.problem else {
            return .ok(
                "configuration",
                Phrase(
                    file.map { "\($0) is good" } ?? "there is no configuration file; the defaults hold",
                    file.map { "\($0) 정상" } ?? "설정 파일이 없어 기본값을 씁니다"))
        }
        return .fault(
            "configuration", Phrase("the server cannot start with it: \(problem)", "이 설정으로는 서버를 시작할 수 없습니다: \(problem)"),
            next: "pulseboardd --check-config" + (configuration.namedFile.map { " --config " + $0.shellQuoted } ?? ""))
    }

    private func archive() -> Finding? {
        guard case .answers(let info) = server, let status = info.storeStatus, !status.archiveDirectory.isEmpty else { return nil }
        guard status.archiveProblem.isEmpty else {
            let readOnly = String(cString: strerror(EROFS))
            let next =
                if status.archiveProblem.hasSuffix(LogArchiveSettings.gapEnding) {
                    "pulseboard admin backup FILE" + socketOption
                } else if status.archiveProblem.hasSuffix(readOnly), unit() != nil {
                    // The unit lets the server write to its data directory only.
                    "\(systemctl) edit pulseboardd  # [Service] ReadWritePaths=\(status.archiveDirectory)"
                } else if [ENOSPC, EDQUOT].contains(where: { status.archiveProblem.hasSuffix(String(cString: strerror($0))) }) {
                    "df -h \(status.archiveDirectory.shellQuoted)"
                } else {
                    "ls -la \(status.archiveDirectory.shellQuoted)"
                }
            return .fault(
                "archive", Phrase("no backup can be brought forward to now: \(status.archiveProblem)", "백업을 지금 시점까지 복구할 수 없습니다: \(status.archiveProblem)"),
                next: next)
        }
        return .ok("archive", Phrase("\(status.archiveDirectory) takes what is committed", "\(status.archiveDirectory)에 보관 중"))
    }

    private func images() -> Finding? {
        guard case .answers(let info) = server, let trouble = info.imageDirectory?.trouble, let path = info.imageDirectory?.path else { return nil }
        return .fault(
            "images",
            Phrase("no picture can be stored: \(trouble.reason) (\(trouble.detail))", "사진을 저장할 수 없습니다: \(trouble.reason) (\(trouble.detail))"),
            next: "df -h \(path.shellQuoted)")
    }

    private func keys() -> Finding? {
        guard case .answers(let info) = server, !info.issuers.isEmpty else { return nil }
        guard let broken = info.issuers.first(where: { !$0.problem.isEmpty || $0.keys == 0 }) else {
            return .ok("keys", Phrase("every issuer of ID tokens has keys", "모든 ID 토큰 발급자의 키가 있음"))
        }
        let problem = broken.problem.isEmpty ? "no keys" : broken.problem
        return .fault(
            "keys", Phrase("the keys of \(broken.name): \(problem)", "\(broken.name)의 키: \(problem)"),
            next: "\(systemctl) status " + "pulseboard-jwks@\(broken.name).timer".shellQuoted)
    }

    private func logs() -> Finding? {
        guard let count = loggedErrors() else { return nil }
        guard count > 0 else { return .ok("logs", Phrase("no errors in the last day", "지난 하루 동안 오류 없음")) }
        return .note(
            "logs", Phrase("\(count) lines of errors in the last day", "지난 하루 동안 오류 \(count)줄"), next: "\(journalctl) -p err --since -1d")
    }

    private func socketFile() -> Finding? {
        var status = stat()
        guard lstat(socket, &status) == 0 else {
            if errno == EACCES {
                return .fault(
                    "socket", Phrase("you may not look into the directory of \(socket)", "\(socket)의 디렉터리를 볼 권한이 없습니다"),
                    next: "sudo ls -ld \(directoryOf(socket).shellQuoted)")
            }
            if let holder = holder() {
                return .fault(
                    "socket",
                    Phrase(
                        "there is no \(socket), and process \(holder) has \(dataDirectory): it serves another socket",
                        "\(socket)이(가) 없고 프로세스 \(holder)이(가) \(dataDirectory)을(를) 쓰고 있습니다. 다른 소켓을 씁니다"),
                    next: "ps -o pid,user,lstart,args -p \(holder)")
            }
            return .fault(
                "socket", Phrase("there is no \(socket): no server runs there", "\(socket)이(가) 없습니다: 서버가 실행 중이 아닙니다"),
                next: start)
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            return .fault("socket", Phrase("\(socket) is no socket", "\(socket)은(는) 소켓이 아닙니다"), next: "ls -l \(socket.shellQuoted)")
        }
        // Connecting needs the right to write.
        if case .isAway = server, access(socket, W_OK) != 0 {
            return .fault(
                "socket",
                Phrase(
                    "you may not use \(socket) (uid \(status.st_uid), mode \(String(status.st_mode & 0o777, radix: 8)))",
                    "\(socket)을(를) 사용할 권한이 없습니다(uid \(status.st_uid), 모드 \(String(status.st_mode & 0o777, radix: 8)))"),
                next: "sudo ls -ld \(directoryOf(socket).shellQuoted) \(socket.shellQuoted)")
        }
        if case .isAway(let error) = server {
            if let holder = holder() {
                return .fault(
                    "socket",
                    Phrase(
                        "nobody answers at \(socket), and process \(holder) has \(dataDirectory): it serves another socket, or hangs",
                        "\(socket)에서 응답이 없고 프로세스 \(holder)이(가) \(dataDirectory)을(를) 쓰고 있습니다. 다른 소켓을 쓰거나 멈춘 상태입니다"),
                    next: "ps -o pid,user,lstart,args -p \(holder)")
            }
            let cause = error.message.split(separator: ": ").last.map(String.init) ?? error.code.name
            return .fault(
                "socket", Phrase("nobody answers at \(socket) (\(cause))", "\(socket)에서 응답이 없습니다(\(cause))"),
                next: start)
        }
        return .ok("socket", Phrase("\(socket) answers", "\(socket) 응답함"))
    }

    private func rights() -> Finding? {
        switch server {
        case .answers: .ok("rights", Phrase("you may administer the server", "서버를 관리할 권한이 있습니다"))
        case .isClosed:
            .note(
                "rights",
                Phrase("you (uid \(uid)) may not administer the server; some checks are left out", "서버를 관리할 권한이 없어(uid \(uid)) 일부 검사를 건너뜁니다"),
                next: asAdministrator)
        case .isAway: nil
        }
    }

    private func store() -> Finding? {
        guard case .answers(let info) = server else { return nil }
        guard let trouble = info.storeStatus?.trouble else { return .ok("store", Phrase("\(info.store) works", "\(info.store) 정상")) }
        return .fault(
            "store", Phrase("the store fails: \(trouble.reason) (\(trouble.detail))", "저장소 장애: \(trouble.reason) (\(trouble.detail))"),
            next: "pulseboard admin status" + socketOption)
    }

    private func directory() -> Finding? {
        var status = stat()
        guard stat(dataDirectory, &status) == 0 else {
            if errno == EACCES {
                return .note(
                    "directory", Phrase("you may not look into \(dataDirectory)", "\(dataDirectory)을(를) 볼 권한이 없습니다"), next: asAdministrator)
            }
            return .fault(
                "directory", Phrase("there is no data directory \(dataDirectory)", "데이터 디렉터리 \(dataDirectory)이(가) 없습니다"),
                next: unit() == nil ? "pulseboardd --data-directory \(dataDirectory.shellQuoted)" : start)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return .fault(
                "directory", Phrase("\(dataDirectory) is no directory", "\(dataDirectory)은(는) 디렉터리가 아닙니다"),
                next: "ls -ld \(dataDirectory.shellQuoted)")
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            return .fault(
                "directory", Phrase("\(dataDirectory) is open to others (mode \(mode))", "다른 사용자가 \(dataDirectory)에 접근할 수 있습니다(모드 \(mode))"),
                next: "chmod 700 \(dataDirectory.shellQuoted)")
        }
        return .ok("directory", Phrase("\(dataDirectory) is its owner's alone", "\(dataDirectory)은(는) 소유자만 접근 가능"))
    }

    private func database() -> Finding? {
        let path = dataDirectory + "/" + SQLiteStore.fileName
        // The new database may be in its place already, or the former one still.
        if StoreRestoration.isInterrupted(in: dataDirectory) {
            return .lostDatabase(Phrase("a restore was interrupted", "복원이 중단되었습니다"), placeOption)
        }
        var status = stat()
        let logByteCount = stat(path + "-wal", &status) == 0 ? status.st_size : 0
        if logByteCount == 0, SQLiteStore.isDatabaseLost(in: dataDirectory) {
            return .lostDatabase(
                Phrase(
                    "\(path) is missing or empty, and there was a database before (\(SQLiteStore.lockFileName))",
                    "\(path)이(가) 없거나 비어 있습니다. 전에는 데이터베이스가 있었습니다(\(SQLiteStore.lockFileName))"), placeOption)
        }
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else { return nil }
            if logByteCount > 0 {
                return .lostDatabase(
                    Phrase(
                        "\(path) is missing, and its log is there with \(logByteCount) bytes of it",
                        "\(path)이(가) 없고 로그(\(logByteCount)바이트)만 있습니다"), placeOption)
            }
            return .note("database", Phrase("there is no database yet; the server's first start makes it", "아직 데이터베이스가 없습니다. 서버가 처음 시작할 때 만듭니다"))
        }
        guard access(path, R_OK) == 0 else {
            return .note("database", Phrase("you may not read \(path)", "\(path)을(를) 읽을 권한이 없습니다"), next: asAdministrator)
        }
        // A pipe at this path would block.
        let isFile = status.st_mode & S_IFMT == S_IFREG
        let header = isFile ? try? FileHandle(forReadingFrom: URL(filePath: path)).read(upToCount: 16) : nil
        guard header == Data("SQLite format 3\0".utf8) else {
            return .lostDatabase(Phrase("\(path) is no database", "\(path)은(는) 데이터베이스가 아닙니다"), placeOption)
        }
        return .ok(
            "database",
            Phrase(
                "\(path), \(Invocation.size(Int64(status.st_size))); pulseboard admin check reads all of it",
                "\(path), \(Invocation.size(Int64(status.st_size))); 전체 검사: pulseboard admin check"))
    }

    /// Finds files that belong to another user than their directory, such as root's copies. The server could not open them.
    private func owner() -> Finding? {
        var status = stat()
        guard stat(dataDirectory, &status) == 0 else { return nil }
        let owner = status.st_uid
        let names = ["", "-wal", "-shm"].map { SQLiteStore.fileName + $0 } + [SQLiteStore.lockFileName, "images"]
        let paths = names.map { dataDirectory + "/" + $0 }
        // The last look is at the one that is found.
        guard let other = paths.first(where: { stat($0, &status) == 0 && status.st_uid != owner }) else { return nil }
        return .fault(
            "owner",
            Phrase(
                "\(other) belongs to uid \(status.st_uid), and its directory to uid \(owner): the server cannot open it",
                "\(other)의 소유자는 uid \(status.st_uid), 디렉터리의 소유자는 uid \(owner)이라 서버가 열 수 없습니다"),
            next: "sudo chown -R --reference=\(dataDirectory.shellQuoted) \(dataDirectory.shellQuoted)")
    }

    /// Looks at the disk of the data directory, and at those of the pictures and of the archive if they are others.
    private func disks() -> [Finding?] {
        var places = [(path: dataDirectory, of: Phrase("", ""))]
        let pictures = Phrase(" for pictures", "(사진)"), archive = Phrase(" for the archive", "(보관)")
        if case .answers(let info) = server {
            if let path = info.imageDirectory?.path { places.append((path, pictures)) }
            if let path = info.storeStatus?.archiveDirectory, !path.isEmpty { places.append((path, archive)) }
        } else if let configuration = configuration() {
            if let path = configuration.path("image-directory") { places.append((path, pictures)) }
            if let path = configuration.path("wal-archive") { places.append((path, archive)) }
        }
        var seen: Set<UInt> = []
        return places.map { place in
            // A directory that does not exist yet is no disk.
            guard let disk = disk(place.path), seen.insert(disk).inserted, let free = freeBytes(place.path) else { return nil }
            let words = Phrase("\(Invocation.size(free)) free\(place.of.english)", "여유 공간 \(Invocation.size(free))\(place.of.korean)")
            return free >= Self.leastRoom ? .ok("disk", words) : .fault("disk", words, next: "df -h \(place.path.shellQuoted)")
        }
    }

    private func clock() -> Finding? {
        guard now >= Self.earliest else { return .fault("clock", Phrase("the clock is before 2026", "시계가 2026년 이전입니다"), next: "timedatectl") }
        if case .answers(let info) = server, let start = info.startTime, let uptime = info.uptime, abs(start.seconds + uptime.seconds - now) > 60 {
            return .fault(
                "clock", Phrase("the clock was set since the server started, or the server's is another one", "서버 시작 이후 시계가 변경되었거나 서버의 시계가 다릅니다"),
                next: "timedatectl")
        }
        return .ok("clock", Phrase("the clock is plausible", "시계 정상"))
    }

    private func limits() -> Finding? {
        let words = Phrase("\(descriptorLimit) descriptors for a process", "프로세스당 디스크립터 \(descriptorLimit)개")
        guard descriptorLimit < Self.leastDescriptors else { return .ok("limits", words) }
        let next = unit() == nil ? "ulimit -Hn 65536" : "\(systemctl) edit pulseboardd  # [Service] LimitNOFILE=65536"
        return .fault("limits", words, next: next)
    }

    private func service() -> Finding? {
        guard let unit = unit() else { return nil }
        let words = Phrase("the unit is \(unit.state) (\(unit.result))", "유닛 상태: \(unit.state) (\(unit.result))")
        switch unit.state {
        case "active", "activating", "reloading": return .ok("unit", words)
        case "failed": return .fault("unit", words, next: "\(journalctl) -e")
        case "masked": return .note("unit", Phrase("the unit is masked", "유닛이 마스크되어 있습니다"), next: start)
        default: return .note("unit", words, next: start)
        }
    }

    /// The process that has locked the data directory; `nil` if there is none.
    private func holder() -> Int32? {
        guard let text = try? String(contentsOfFile: dataDirectory + "/" + SQLiteStore.lockFileName, encoding: .utf8),
            let pid = text.split(separator: "\n").first.flatMap({ Int32($0) }),
            pid > 0, kill(pid, 0) == 0 || errno == EPERM
        else { return nil }
        // The id may belong to another program by now: only a held lock counts.
        let file = open(dataDirectory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        guard flock(file, LOCK_SH | LOCK_NB) != 0 else {
            flock(file, LOCK_UN)
            return nil
        }
        return pid
    }

    private func directoryOf(_ path: String) -> String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }
}
