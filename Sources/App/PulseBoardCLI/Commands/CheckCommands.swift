import ArgumentParser
import CommandHelp
import PulseBoardVocabulary
import RPCCore
import StoreSQLite

/// `pulseboard admin check`
struct AdminCheck: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "check",
            abstract: Phrase(
                "Check a data directory: pages, indexes, rows that must agree, pictures.", "데이터 디렉터리를 검사합니다: 페이지, 인덱스, 서로 맞아야 하는 행, 사진."),
            discussion: Phrase(
                """
                It only reads, so the server may go on. The user must be able to read the server's files: run it as the server's user or as root. \
                The exit code is 79 when something is wrong.
                """,
                """
                읽기만 하므로 서버는 계속 실행해도 됩니다. 서버의 파일을 읽을 수 있어야 하므로 서버의 사용자나 root로 실행하세요. 문제가 있으면 종료 코드가 79입니다.
                """))
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var place: DataDirectoryOptions
    @OptionGroup var images: ImageDirectoryOptions

    func run() async throws {
        try await options.run { invocation in
            let report: StoreReport
            let places = try invocation.storePlaces(place, images)
            do {
                let check = StoreCheck(directory: places.data, imageDirectory: places.images)
                report = try DirectoryOwner.perform(in: places.data) { try check.run() }
            } catch let error as StoreOpeningError {
                throw CommandFailure(error, in: invocation.failureContext)
            }
            try invocation.show(document: CheckDocument(report, in: invocation.language)) { report.text(invocation) }
            guard report.isSound else {
                throw CommandFailure(
                    code: .dataLoss, reason: "STORE_UNSOUND",
                    message: report.lacksOnlyPictures
                        ? invocation.text(
                            "Pictures are missing. If they are on a disk of their own, mount it first.", "사진이 없습니다. 사진을 다른 디스크에 두었다면 먼저 마운트하세요.")
                        : invocation.text("The data directory has faults.", "데이터 디렉터리에 문제가 있습니다."),
                    nextCommand: report.isRepairable
                        ? "pulseboard admin repair" + place.option + images.option
                        : invocation.restoreCommand + place.option + images.option)
            }
        }
    }
}

/// `pulseboard admin repair`
struct AdminRepair: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "repair",
            abstract: Phrase(
                "Say how faults of a data directory would be mended; --yes mends them.", "데이터 디렉터리의 문제를 어떻게 고칠지 알려 줍니다. --yes를 쓰면 고칩니다."),
            discussion: Phrase(
                """
                Without --yes nothing is changed. With it the server must be stopped: everything is mended in one transaction, or nothing is. Counts \
                are counted again, follows that one side has are given to the other, and what nobody can reach is removed. Damaged pages are not \
                mended: restore a backup.
                """,
                """
                --yes가 없으면 아무것도 바꾸지 않습니다. --yes를 쓰려면 서버가 멈춰 있어야 하며, 한 트랜잭션에서 모두 고치거나 아무것도 고치지 않습니다. 수는 다시 세고, \
                한쪽에만 있는 팔로우는 다른 쪽에도 넣고, 아무도 닿을 수 없는 것은 지웁니다. 손상된 페이지는 고치지 못하므로 백업을 되돌리세요.
                """))
    }

    @OptionGroup var options: GlobalOptions
    @OptionGroup var place: DataDirectoryOptions
    @OptionGroup var images: ImageDirectoryOptions

    @Flag(help: ArgumentHelp(Phrase("Mend.", "고칩니다.")))
    var yes = false

    func run() async throws {
        try await options.run { invocation in
            let places = try invocation.storePlaces(place, images)
            let check = StoreCheck(directory: places.data, imageDirectory: places.images)
            do {
                guard yes else {
                    let report = try DirectoryOwner.perform(in: places.data) { try check.run() }
                    try invocation.show(document: CheckDocument(report, in: invocation.language)) {
                        report.plan(invocation, places: place.option + images.option)
                    }
                    return
                }
                let (before, after) = try DirectoryOwner.perform(in: places.data) { try StoreRepair(of: check).run() }
                try invocation.show(document: RepairDocument(before, after, in: invocation.language)) {
                    let mended = before.mended(after)
                    let lines = mended.isSound ? "" : invocation.text("Mended:\n", "고친 항목:\n") + mended.text(invocation)
                    return before.isSound ? before.text(invocation) : lines + invocation.text("Now:\n", "현재:\n") + after.text(invocation)
                }
                guard !after.isSound else { return }
                let pictures = places.images ?? places.data + "/images"
                throw CommandFailure(
                    code: .dataLoss, reason: "STORE_UNSOUND",
                    message: after.lacksOnlyPictures
                        ? invocation.text(
                            "There is no picture in \(pictures). If they are on a disk of their own, mount it.",
                            "\(pictures)에 사진이 없습니다. 사진을 다른 디스크에 두었다면 마운트하세요.")
                        : invocation.text("Not everything could be mended.", "일부는 고칠 수 없었습니다."),
                    nextCommand: after.lacksOnlyPictures ? nil : invocation.restoreCommand + place.option + images.option)
            } catch let error as StoreOpeningError {
                throw CommandFailure(error, in: invocation.failureContext)
            }
        }
    }
}

extension StoreReport {
    /// The report for people.
    fileprivate func text(_ invocation: Invocation) -> String {
        guard !isSound else {
            let rows = Int(counts.reduce(0) { $0 + $1.rows }).grouped
            return invocation.text("\(path) is sound: \(counts.count) tables, \(rows) rows.", "\(path)에 이상이 없습니다: 테이블 \(counts.count)개, 행 \(rows)개.")
                + "\n"
        }
        var table = Table([
            .init(invocation.text(Phrase.Word.fault.heading)), .init(invocation.text("FOUND", "개수"), .right), .init(invocation.text("SUCH AS", "예")),
        ])
        for finding in findings {
            table.append([finding.about.text(in: invocation.language), Int(finding.count).grouped, finding.examples.first ?? ""])
        }
        let lines = damage.map { "  - " + $0.safeForTerminal + "\n" }.joined()
        return (damage.isEmpty ? "" : invocation.text("SQLite finds damage:\n", "SQLite가 찾은 손상:\n") + lines)
            + (findings.isEmpty ? "" : table.rendered(invocation.style))
    }

    /// What a repair would do, as text for people.
    /// - Parameter places: the options of the command that repairs.
    fileprivate func plan(_ invocation: Invocation, places: String) -> String {
        guard isRepairable, !isSound else { return text(invocation) }
        let indexes = damage.isEmpty ? "" : invocation.text("SQLite finds damaged indexes; they are made again.\n", "손상된 인덱스는 다시 만듭니다.\n")
        var table = Table([
            .init(invocation.text(Phrase.Word.fault.heading)), .init(invocation.text("FOUND", "개수"), .right),
            .init(invocation.text("REPAIR", "복구 방법")),
        ])
        for finding in findings {
            table.append([
                finding.about.text(in: invocation.language), Int(finding.count).grouped, finding.remedy.text(in: invocation.language),
            ])
        }
        let next = Phrase.next.text(in: invocation.language) + "pulseboard admin repair --yes" + places + "\n"
        return indexes + (findings.isEmpty ? "" : table.rendered(invocation.style)) + next
    }
}

extension Invocation {
    /// A restore replaces the damaged database, which is kept in a folder of its own.
    fileprivate var restoreCommand: String { "pulseboard admin restore --overwrite \(failureContext.wordForFile)" }
}

/// The JSON answer of `admin check`.
private struct CheckDocument: Encodable {
    struct Finding: Encodable {
        let rule: String
        let about: String
        let remedy: String
        let count: Int64
        let examples: [String]
    }

    let database: String
    let schema: String
    let sound: Bool
    let damage: [String]
    let findings: [Finding]
    /// Rows, by table.
    let rows: [String: Int64]

    init(_ report: StoreReport, in language: Language) {
        database = report.path
        schema = report.schema
        sound = report.isSound
        damage = report.damage
        findings = report.findings.map {
            Finding(
                rule: $0.rule, about: $0.about.text(in: language), remedy: $0.remedy.text(in: language), count: $0.count, examples: $0.examples)
        }
        rows = Dictionary(uniqueKeysWithValues: report.counts.map { ($0.table, $0.rows) })
    }
}

/// The JSON answer of `admin repair --yes`.
private struct RepairDocument: Encodable {
    let before: CheckDocument
    let after: CheckDocument

    init(_ before: StoreReport, _ after: StoreReport, in language: Language) {
        self.before = CheckDocument(before, in: language)
        self.after = CheckDocument(after, in: language)
    }
}
