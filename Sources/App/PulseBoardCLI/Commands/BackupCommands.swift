import ArgumentParser
import CommandHelp
import Foundation
import ProtobufWellKnownTypes
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore
import StoreSQLite
import SystemPackage

/// `pulseboard admin backup`
struct AdminBackup: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "backup",
            abstract: Phrase("Copy everything that a running server stores into one file.", "실행 중인 서버가 저장한 모든 것을 파일 하나에 복사합니다."),
            discussion: Phrase(
                """
                The file is a tar archive: the database as it is at one instant, the pictures of profiles, the hashes of both (SHA256SUMS) \
                and manifest.json. The server checks the copy before it sends it, and goes on with its work meanwhile. One backup runs at a time.

                The file has hashes of session tokens, and keys. Keep it as private as the database.

                Examples:
                  pulseboard admin backup --overwrite monday.tar
                  (umask 077; pulseboard admin backup - | zstd > monday.tar.zst)
                """,
                """
                파일은 tar 보관 파일입니다. 한 시점의 데이터베이스, 프로필 사진, 둘의 해시(SHA256SUMS), manifest.json이 들어 있습니다. 서버는 보내기 전에 복사본을 \
                검사하고, 그동안 하던 일을 계속합니다. 백업은 한 번에 하나만 실행됩니다.

                파일에는 세션 토큰의 해시와 키가 들어 있습니다. 데이터베이스만큼 조심해서 보관하세요.

                예:
                  pulseboard admin backup --overwrite monday.tar
                  (umask 077; pulseboard admin backup - | zstd > monday.tar.zst)
                """))
    }

    @OptionGroup var options: GlobalOptions

    @Argument(
        help: ArgumentHelp(Phrase("Where to write the archive; - for standard output.", "백업 파일을 쓸 곳. -는 표준 출력입니다."), valueName: "file"),
        completion: .file())
    var file: String

    @Option(parsing: .unconditional, help: ArgumentHelp(
        Phrase("Most MiB a second that the server reads for it, 1 to 4096; without it 32.", "서버가 백업하며 1초에 읽는 최대 MiB, 1에서 4096. 생략하면 32입니다."),
        valueName: "mebibytes"))
    var rate: Int?

    @Flag(help: ArgumentHelp(Phrase(
        "Replace the file if it exists, once the new archive is complete. An archive that lacks all pictures replaces nothing.",
        "파일이 있으면 새 백업이 완성된 뒤에 바꿉니다. 사진이 모두 빠진 백업은 기존 파일을 바꾸지 않습니다.")))
    var overwrite = false

    func validate() throws {
        if let rate, !(1...4_096).contains(rate) {
            throw ValidationError(Phrase("--rate must be 1 to 4096 MiB a second, not \(rate).", "--rate는 1초에 1에서 4096 MiB 사이여야 합니다: \(rate)"))
        }
    }

    func run() async throws {
        try await options.run { invocation in
            if file == "-", invocation.environment.outputIsTerminal {
                throw CommandFailure(
                    code: .failedPrecondition, reason: "OUTPUT_IS_TERMINAL",
                    message: invocation.text("An archive is not written to a terminal.", "백업 파일은 터미널에 출력하지 않습니다."),
                    nextCommand: invocation.failureContext.command("admin backup \(invocation.failureContext.wordForFile)"))
            }
            // The server need not copy anything for a file that cannot be written.
            if file != "-" { try requirePlace(invocation) }
            do {
                try await copy(invocation)
            } catch let error as BackupError {
                throw CommandFailure(error, in: invocation.failureContext)
            }
        }
    }

    /// Refuses a file that exists, unless it may be replaced, and everything that is no file, such as a device.
    private func requirePlace(_ invocation: Invocation) throws(CommandFailure) {
        var status = stat()
        guard lstat(file, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure(
                code: .failedPrecondition, reason: "FILE_UNUSABLE",
                message: invocation.text("\(file) is not a regular file.", "\(file)은(는) 일반 파일이 아닙니다."))
        }
        guard overwrite else {
            throw CommandFailure(
                code: .alreadyExists, reason: "FILE_EXISTS", message: invocation.text("\(file) exists already.", "\(file) 파일이 이미 있습니다."),
                nextCommand: invocation.failureContext.command("admin backup --overwrite \(file.shellQuoted)"))
        }
    }

    private func copy(_ invocation: Invocation) async throws {
        let request = PBBackupRequest(bytesPerSecond: Int64(rate ?? 0) << 20)
        // A backup of a large store takes long.
        var parts = invocation.admin.backup(request, options: invocation.longer(invocation.callOptions(), nil)).makeAsyncIterator()
        // The file is not created before the server has begun.
        var writer: BackupWriter?
        var manifest: BackupManifest?
        var progress = BackupProgressLine(invocation)
        do {
            defer { progress.end() }
            while let part = try await invocation.translatingErrors(about: .backup, { () async throws(RPCError) in try await parts.next() })?.part {
                if writer == nil { writer = try BackupWriter(path: file == "-" ? nil : file, mayReplace: overwrite) }
                switch part {
                case .progress(let now): progress.show(now)
                case .file(let file): try writer?.begin(file)
                case .data(let bytes): try writer?.append(bytes)
                case .manifest(let end): manifest = try writer?.finish(end)
                }
            }
        }
        guard let manifest else {
            throw BackupError.wrongStream(Phrase("it ended before its manifest", "목록(manifest.json) 앞에서 끝났습니다"))
        }
        if manifest.missingFiles > 0 {
            invocation.remark(
                Int(manifest.missingFiles).counted("file of a picture was", "files of pictures were")
                    + " not there: pulseboard admin check names them.",
                "사진 파일 \(Int(manifest.missingFiles).grouped)개가 없었습니다. pulseboard admin check로 확인하세요.")
        }
        let sums = Self.words(manifest, invocation)
        if file == "-" {
            invocation.remark(sums.english, sums.korean)
        } else {
            try invocation.show(document: manifest) { "\(file): " + sums.text(in: invocation.language) + "\n" }
        }
        if let count = manifest.unreadableFiles, count > 0 { throw BackupError.unreadablePictures(count) }
    }

    static func words(_ manifest: BackupManifest, _ invocation: Invocation) -> Phrase {
        let profiles = Int(manifest.rows(of: "profile")), follows = Int(manifest.rows(of: "following")), files = Int(manifest.files)
        let size = Invocation.size(manifest.bytes), time = manifest.time.safeForTerminal
        return Phrase(
            "the state of \(time): \(profiles.counted("profile", "profiles")), \(follows.counted("follow", "follows")); "
                + "\(files.counted("file", "files")), \(size).",
            "\(time)의 상태, 프로필 \(profiles.grouped)개, 팔로우 \(follows.grouped)개, 파일 \(files.grouped)개, \(size).")
    }
}

/// The progress line at a terminal while a backup is made.
private struct BackupProgressLine {
    private let invocation: Invocation
    private var isShown = false

    init(_ invocation: Invocation) { self.invocation = invocation }

    mutating func show(_ progress: PBBackupProgress) {
        guard invocation.environment.errorIsTerminal, !invocation.usesJSON, !invocation.isQuiet else { return }
        let done = Invocation.size(progress.doneBytes), total = Invocation.size(progress.totalBytes)
        let text = progress.stage == .checking
            ? invocation.text("Checking the copy of \(total)", "복사본 \(total) 검사 중")
            : invocation.text("Copying: \(done) of \(total)", "복사 중: \(total) 중 \(done)")
        invocation.environment.write("\r\u{1B}[K" + text, .standardError)
        isShown = true
    }

    func end() {
        if isShown { invocation.environment.write("\r\u{1B}[K", .standardError) }
    }
}

/// `pulseboard admin restore`
struct AdminRestore: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "restore",
            abstract: Phrase("Put a backup into a data directory. The server must be stopped.", "백업을 데이터 디렉터리에 되돌립니다. 서버는 멈춰 있어야 합니다."),
            discussion: Phrase(
                """
                Every byte is checked against the backup's hashes, and the database by SQLite, before anything takes its place. What was there \
                before is kept in a folder beside it, whose name is told.

                Page tokens, places in watches and the places of diaries from before are refused then: clients begin again from the present state. \
                Sessions that have ended since the backup stay ended as far as the database that is replaced shows it; --end-sessions ends all. \
                Users who have left since are there again.

                With --archive, what was committed after the backup is made again, up to --until or to the end. It takes the directory of the \
                server's --wal-archive. If the server's clock was ahead meanwhile, some transactions have later times than those after them. Then \
                the command tells the number that --transactions takes in place of --until.

                Examples:
                  pulseboard admin restore monday.tar
                  pulseboard admin restore --overwrite --archive /srv/wal --until 2026-11-23T09:59:00+09:00 monday.tar
                  pulseboard admin restore --check monday.tar
                  zstd -dc monday.tar.zst | pulseboard admin restore --overwrite -
                """,
                """
                제자리에 놓기 전에 모든 바이트를 백업의 해시와 비교하고, 데이터베이스를 SQLite로 검사합니다. 전에 있던 것은 그 옆의 폴더에 남기고 폴더 이름을 알려 줍니다.

                백업 전의 페이지 토큰, 변경 알림의 위치, 일기의 위치는 그 뒤로 거절되며, 클라이언트는 지금 상태에서 다시 시작합니다. 백업 뒤에 끝난 세션은 \
                바뀌는 데이터베이스가 보여 주는 만큼 끝난 채로 남습니다. --end-sessions는 모든 세션을 끝냅니다. 백업 뒤에 떠난 사용자는 다시 나타납니다.

                --archive를 쓰면 백업 뒤에 커밋된 내용을 --until까지, 또는 끝까지 다시 적용합니다. 서버의 --wal-archive 디렉터리를 씁니다. \
                그동안 서버 시계가 앞선 적이 있으면 뒤의 트랜잭션보다 늦은 시각을 가진 것이 있습니다. 그때는 --until 대신 --transactions에 줄 수를 알려 줍니다.

                예:
                  pulseboard admin restore monday.tar
                  pulseboard admin restore --overwrite --archive /srv/wal --until 2026-11-23T09:59:00+09:00 monday.tar
                  pulseboard admin restore --check monday.tar
                  zstd -dc monday.tar.zst | pulseboard admin restore --overwrite -
                """))
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var place: DataDirectoryOptions
    @OptionGroup var images: ImageDirectoryOptions

    @Argument(help: ArgumentHelp(Phrase("The archive; - for standard input.", "백업 파일. -는 표준 입력입니다."), valueName: "file"), completion: .file())
    var file: String

    @Flag(help: ArgumentHelp(Phrase("Replace the database that is there.", "이미 있는 데이터베이스를 바꿉니다.")))
    var overwrite = false

    @Flag(help: ArgumentHelp(Phrase("End all sessions: everybody signs in again.", "모든 세션을 끝냅니다. 모두 다시 로그인해야 합니다.")))
    var endSessions = false

    @Option(
        help: ArgumentHelp(
            Phrase(
                "What the server has kept of everything committed (--wal-archive): bring the backup forward by it.",
                "서버가 보관한 커밋 내용(--wal-archive)의 디렉터리. 백업을 그만큼 앞으로 진행합니다."),
            valueName: "directory"),
        completion: .directory)
    var archive: String?

    @Option(help: ArgumentHelp(
        Phrase(
            "Bring it forward to this instant, such as 2026-11-23T09:59:00Z; without it to the end.",
            "이 시각까지만 진행합니다(예: 2026-11-23T09:59:00Z). 생략하면 끝까지 진행합니다."), valueName: "time"))
    var until: String?

    @Option(help: ArgumentHelp(
        Phrase("Bring it forward by this many transactions.", "이 수만큼의 트랜잭션만 진행합니다."), valueName: "count"))
    var transactions: Int?

    @Flag(help: ArgumentHelp(Phrase("Only read the archive and check its hashes.", "백업 파일을 읽고 해시만 검사합니다.")))
    var check = false

    func validate() throws {
        if let until, Self.instant(until) == nil {
            throw ValidationError(Phrase(
                "--until is an instant with its zone, such as 2026-11-23T09:59:00Z or 2026-11-23T18:59:00+09:00, not '\(until)'.",
                "--until은 2026-11-23T09:59:00Z나 2026-11-23T18:59:00+09:00처럼 시간대가 있는 시각이어야 합니다: '\(until)'"))
        }
        let ofRestoration = [
            (overwrite, "--overwrite"), (endSessions, "--end-sessions"), (archive != nil, "--archive"),
            (place.dataDirectory != nil, "--data-directory"), (images.imageDirectory != nil, "--image-directory"),
        ]
        if check, let option = ofRestoration.first(where: { $0.0 })?.1 {
            throw ValidationError(Phrase(
                "--check only reads the archive, so \(option) has no meaning with it.", "--check는 백업 파일을 읽기만 하므로 \(option)과(와) 함께 쓸 수 없습니다."))
        }
        if until != nil, transactions != nil {
            throw ValidationError(Phrase("Give --until or --transactions, not both.", "--until과 --transactions 중 하나만 쓸 수 있습니다."))
        }
        if let transactions, transactions < 0 {
            throw ValidationError(Phrase("--transactions is 0 or more, not \(transactions).", "--transactions는 0 이상이어야 합니다: \(transactions)"))
        }
        if archive == nil, let option = until != nil ? "--until" : transactions != nil ? "--transactions" : nil {
            throw ValidationError(Phrase(
                "\(option) needs --archive, the directory of the server's --wal-archive.", "\(option)에는 서버의 --wal-archive 디렉터리인 --archive가 필요합니다."))
        }
    }

    /// An instant in RFC 3339, with or without a fraction of a second.
    private static func instant(_ text: String) -> Timestamp? {
        let plain = Date.ISO8601FormatStyle(timeZone: .gmt), exact = Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: .gmt)
        guard text.hasSuffix("Z") || text.dropFirst(19).contains(where: { $0 == "+" || $0 == "-" }) else { return nil }
        guard let date = (try? exact.parse(text)) ?? (try? plain.parse(text)) else { return nil }
        return Timestamp(microseconds: Int64((date.timeIntervalSince1970 * 1e6).rounded()))
    }

    func run() async throws {
        try await options.run { invocation in
            do {
                if check { try verify(invocation) } else { try restore(invocation) }
            } catch let error as BackupError {
                throw CommandFailure(error, in: invocation.failureContext)
            } catch let error as StoreOpeningError {
                throw CommandFailure(error, in: invocation.failureContext)
            }
        }
    }

    private func verify(_ invocation: Invocation) throws {
        var paths: Set<String> = []
        let manifest = try BackupReader(path: file == "-" ? nil : file).read(
            begin: { path, _ in
                try StoreRestoration.requireFile(of: path)
                guard paths.insert(path).inserted else {
                    throw BackupError.damaged(Phrase("\(path) is in it twice", "\(path)이(가) 두 번 들어 있습니다"))
                }
            },
            append: { _ in })
        guard paths.contains(SQLiteStore.fileName) else { throw BackupError.damaged(.noDatabase) }
        try invocation.show(document: manifest) {
            let words = AdminBackup.words(manifest, invocation)
            return invocation.text("The archive is complete: " + words.english, "백업 파일이 온전합니다: " + words.korean) + "\n"
        }
    }

    private func restore(_ invocation: Invocation) throws {
        let places = try invocation.storePlaces(place, images)
        // The owner of the directory may not be able to read the backup, so it is opened before.
        let reader = try BackupReader(path: file == "-" ? nil : file)
        let (document, outcome) = try DirectoryOwner.perform(in: places.data) { try restore(reader, into: places, invocation) }
        try invocation.show(document: document) { text(document, outcome, invocation) }
    }

    private func restore(
        _ reader: BackupReader, into places: (data: String, images: String?), _ invocation: Invocation
    ) throws -> (RestoreDocument, StoreRestoration.Outcome) {
        let restoration = try StoreRestoration(directory: places.data, imageDirectory: places.images, replacing: overwrite)
        let manifest: BackupManifest
        var replay: LogReplay?
        do {
            manifest = try Self.extract(reader, into: restoration)
            if let archive {
                replay = try bringForward(restoration, manifest, invocation.environment.absolutePath(archive), invocation)
                _ = try restoration.keepPictures()
            }
        } catch {
            restoration.abandon()
            throw error
        }
        let outcome = try restoration.finish(counts: replay == nil ? manifest.storeCounts : nil, sessions: endSessions ? .endAll : .keep)
        let document = RestoreDocument(
            dataDirectory: places.data, formerFiles: outcome.former, formerUnreadable: outcome.isFormerUnreadable,
            endedSessions: outcome.endedSessions,
            returnedAccounts: outcome.returned?.accounts, returnedLeavers: outcome.returned?.leaving,
            returnedProfiles: outcome.returned?.profiles, returnedIdentities: outcome.returned?.identities,
            backup: manifest, transactions: replay?.transactions, lastTransaction: replay?.lastTime.map(\.text))
        return (document, outcome)
    }

    /// Replays the transactions after the backup.
    private func bringForward(
        _ restoration: StoreRestoration, _ manifest: BackupManifest, _ archive: String, _ invocation: Invocation
    ) throws -> LogReplay {
        guard let position = manifest.archivePosition else {
            throw CommandFailure(
                code: .failedPrecondition, reason: "BACKUP_WITHOUT_ARCHIVE",
                message: invocation.text(
                    "The backup was made by a server that archived nothing, so it cannot be brought forward.", "보관 기능 없이 만든 백업이라 앞으로 진행할 수 없습니다."))
        }
        let until = until.flatMap(Self.instant)
        // The manifest's time has whole seconds.
        if let until, let begin = Self.instant(manifest.time), until < begin {
            throw CommandFailure(
                code: .invalidArgument, reason: "BACKUP_IS_LATER",
                message: invocation.text(
                    "The backup has the state of \(manifest.time), which is later. An earlier backup is needed.", "백업이 그보다 나중인 \(manifest.time)의 상태입니다. 더 이른 백업이 필요합니다."))
        }
        let end: LogReplayEnd = if let until { .time(until) } else if let transactions { .transactions(transactions) } else { .archive }
        let replay = try restoration.bringForward(archive: archive, position: position, to: end)
        if replay.isTorn {
            invocation.remark(
                "The archive ends within a transaction, as after a power cut. What was committed after the last one before it is not there.",
                "정전 뒤처럼 보관 파일이 트랜잭션 중간에서 끝났습니다. 그 앞의 마지막 트랜잭션 뒤에 커밋된 내용은 없습니다.")
        }
        if let count = replay.transactionsWithEarlierTimes {
            let next = (count - replay.transactions).grouped
            invocation.remark(
                "The server's clock was ahead. So the next \(next) transactions are not there, although the last of them has a time before --until. "
                    + "With --transactions \(count) in place of --until, they are there.",
                "서버 시계가 앞선 적이 있습니다. 그래서 다음 트랜잭션 \(next)개는 적용하지 않았지만, 그 마지막 시각은 --until보다 앞섭니다. "
                    + "--until 대신 --transactions \(count)를 쓰면 그것까지 적용합니다.")
        }
        if let gap = replay.gapEnd {
            let begin = replay.lastTime.map { Phrase($0.text, $0.text) } ?? Phrase("the backup", "백업")
            invocation.remark(
                "The archive has a gap between \(begin.english) and \(gap.text). What was committed there is missing, and what follows needs a later "
                    + "backup.",
                "\(begin.korean)부터 \(gap.text)까지 보관이 끊겼습니다. 그 사이의 내용은 없고, 그 뒤의 내용에는 더 나중의 백업이 필요합니다.")
        }
        return replay
    }

    private static func extract(_ reader: BackupReader, into restoration: StoreRestoration) throws -> BackupManifest {
        var output: FileDescriptor?
        defer { try? output?.close() }
        return try reader.read(
            begin: { path, _ in
                try? output?.close()
                let target = try restoration.place(for: path)
                output = try Self.attempt(target) {
                    try FileDescriptor.open(target, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite)
                }
            },
            append: { bytes in _ = try Self.attempt("restore.partial") { try output?.writeAll(bytes) } })
    }

    private static func attempt<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as Errno { throw BackupError.file(path, error) }
    }

    private func text(_ document: RestoreDocument, _ outcome: StoreRestoration.Outcome, _ invocation: Invocation) -> String {
        let words = AdminBackup.words(document.backup, invocation)
        var text = invocation.text(
            "Restored into \(document.dataDirectory). The backup has " + words.english,
            "\(document.dataDirectory)에 복원했습니다. 백업: " + words.korean) + "\n"
        if let transactions = document.transactions {
            let last = document.lastTransaction
            text += invocation.text(
                "Made again from the archive: " + transactions.counted("transaction", "transactions") + (last.map { ", the last of \($0)" } ?? "") + ".",
                "백업 뒤의 트랜잭션 \(transactions.grouped)개를 다시 적용했습니다" + (last.map { "(마지막: \($0))" } ?? "") + ".") + "\n"
        }
        if let former = outcome.former {
            text += invocation.text("What was there before is in \(former).", "이전 파일은 \(former)에 있습니다.") + "\n"
        }
        if outcome.isFormerUnreadable {
            text += invocation.text(
                "The former database could not be read. So all sessions were ended, and an ID token that was used since the backup can be used "
                    + "again until it expires.",
                "이전 데이터베이스를 읽을 수 없어 모든 세션을 종료했습니다. 백업 이후에 쓴 ID 토큰은 만료될 때까지 다시 쓸 수 있습니다.") + "\n"
        }
        if outcome.endedSessions > 0 {
            let count = Int(outcome.endedSessions).grouped
            text += invocation.text("Sessions ended: \(count).", "종료한 세션: \(count)개.") + "\n"
        }
        for (count, words) in outcome.returned.map(Self.words) ?? [] where count > 0 {
            text += words.text(in: invocation.language) + " \(Int(count).grouped)\n"
        }
        return text + Phrase.next.text(in: invocation.language) + "pulseboard admin check" + place.option + images.option + "\n"
    }

    /// What users had given up since the backup.
    private static func words(_ returned: StoreRestoration.Returned) -> [(Int64, Phrase)] {
        [
            (returned.accounts, Phrase("Accounts that had left since the backup and are there again:", "백업 이후 탈퇴했다가 되살아난 계정:")),
            (returned.leaving, Phrase("Users who had asked to leave since the backup and have to ask again:", "백업 이후 탈퇴를 신청해 다시 신청해야 하는 사용자:")),
            (returned.profiles, Phrase("Profiles that were deleted since the backup and are there again:", "백업 이후 지웠다가 되살아난 프로필:")),
            (returned.identities, Phrase("Identities that were unlinked since the backup and sign in again:", "백업 이후 해제했다가 다시 로그인되는 계정 연결:")),
        ]
    }
}

/// The JSON answer of `admin restore`. The counts of what is there again are null if there was no former database that can be read.
private struct RestoreDocument: Encodable {
    let dataDirectory: String
    /// The folder of the former files; null if there were none.
    let formerFiles: String?
    /// Whether there was a former database that could not be read, so that all sessions were ended.
    let formerUnreadable: Bool
    let endedSessions: Int64
    let returnedAccounts: Int64?
    let returnedLeavers: Int64?
    let returnedProfiles: Int64?
    let returnedIdentities: Int64?
    let backup: BackupManifest
    /// How many transactions were replayed after the backup; null without an archive.
    let transactions: Int?
    /// The time of the last replayed transaction.
    let lastTransaction: String?
}
