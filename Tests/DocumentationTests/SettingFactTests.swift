import ArgumentParser
import Foundation
import PulseBoardDomain
import Testing

@testable import IDTokens
@testable import PulseBoardCLI
@testable import PulseBoardDiary
@testable import PulseBoardServices
@testable import pulseboardd

/// What the pages say of diaries, metrics, reloads and ID tokens is what the code does.
@Suite struct SettingFactTests {
    private func days(_ interval: Timestamp.Interval) -> Int64 { interval.microseconds / Timestamp.Interval.days(1).microseconds }
    private func hours(_ interval: Timestamp.Interval) -> Int64 { interval.microseconds / Timestamp.Interval.hours(1).microseconds }

    @Test("docs/diary.md gives the limits of diaries")
    func diaryLimits() throws {
        typealias Limits = DiaryLimits
        let page = try Page("docs/diary.md")
        let documented: [(String, [String])] = [
            ("text", ["\(Written.count(Limits.maximumTextCharacters)) characters", "\(Written.count(Limits.maximumTextBytes)) bytes"]),
            (
                "pictures of an entry",
                ["\(Limits.maximumImages),", Written.bytes(Limits.maximumImageBytes), "\(ImageLimits.maximumPixels / 1_000_000) million pixels"]
            ),
            ("pictures of a diary", [Written.count(Limits.maximumStoredImages), Written.bytes(Limits.maximumStoredImageBytes)]),
            ("pictures in one", ["\(Limits.maximumImageNames)"]),
            ("text of a search", ["\(Limits.maximumQueryCharacters) characters"]),
            ("emotion", ["at most \(Limits.maximumEmotionBytes) "]),
            ("entries of a diary", ["\(Written.count(Limits.maximumEntries));", "\(Written.count(Limits.maximumRows)) with deleted"]),
            ("all texts of a diary", [Written.bytes(Limits.maximumTotalBytes)]),
            ("devices of a diary", ["\(Limits.maximumDevices)"]),
            ("conflicts of an entry", ["\(Limits.maximumConflicts)"]),
            ("mutations of a push", ["\(Limits.maximumBatch) and \(Written.bytes(Limits.maximumBatchBytes))"]),
            ("entries of a page", ["\(PageRequest.maximumSize);", Written.bytes(Limits.maximumPageBytes)]),
            ("rows of a page of changes", ["\(Limits.maximumChanges);", Written.bytes(Limits.maximumPageBytes)]),
            ("rows that one transaction", [Written.bytes(Limits.maximumTransactionBytes)]),
            ("stamps ahead", ["\(hours(Limits.maximumSkew)) hours"]),
            ("deleted entries are remembered", ["\(days(Limits.tombstoneLifetime)) days"]),
            ("a device sends again", ["\(days(DiaryFile.lossWindow)) days"]),
            ("calls of an attempt", ["\(Int(DiaryInvocation.attemptTimeout / .milliseconds(1))) ms each", "a second together"]),
            ("`sync --watch` looks", ["every second; every minute"]),
            ("pictures that no entry names", ["\(hours(Limits.unusedImageLifetime)) hours"]),
            ("entries that one page of a search", [Written.count(Limits.maximumScannedEntries), Written.bytes(Limits.maximumScannedBytes)]),
            ("pages of one user in memory", ["\(DiaryService.pagesInMemory);"]),
            ("pushes of one user", ["\(DiaryService.pushesAtOnce);"]),
            ("edits on the server", ["\(DiaryService.editsAtOnce);"]),
            ("`FindMissingDiaryImages` of one user", ["\(DiaryImageService.looksAtOnce);"]),
        ]
        for (words, values) in documented {
            let rows = try page.rows("## Limits").filter { $0[0] == words }
            let cell = try rows.first?[1] ?? page.value(of: words, in: "## Limits")
            for value in values { #expect(cell.contains(value), "'\(words)' is documented as '\(cell)', and is \(value)") }
        }
        #expect(DiaryInvocation.attemptBudget == .seconds(1) && DiarySync.lookInterval == .seconds(1) && DiarySync.looksPerRun == 60)
    }

    @Test("docs/observing.md lists every metric of PulseBoard, and none besides")
    func metrics() throws {
        let source = try Page("Sources/App/PulseBoardRPC/OpenMetricsText.swift").text
        let families = source.matches(of: /family\(\s*"(pulseboard_[a-z_]+)", "([a-z]+)"/).map { match in
            // A counter's samples end in _total, and an info's in _info.
            String(match.1) + (match.2 == "counter" ? "_total" : match.2 == "info" ? "_info" : "")
        }
        #expect(families.count > 25)
        let rows = try Page("docs/observing.md").allRows.filter { $0[0].hasPrefix("`pulseboard_") }
        #expect(Set(rows.flatMap { Page.code(in: $0[0]) }) == Set(families))
    }

    @Test("docs/operating.md lists every key that SIGHUP changes, and none besides")
    func reloads() throws {
        let settings = try DaemonSettings(try DaemonOptions.parse([]), environment: [:], uid: 1_000)
        let rows = try Page("docs/operating.md").rows("### The configuration file").filter { $0[0].hasPrefix("`") }
        #expect(Set(rows.flatMap { Page.code(in: $0[0]) }) == Set(settings.list.filter(\.isReloadable).map(\.name)))
    }

    @Test("docs/id-tokens.md gives the bounds and defaults of its file")
    func idTokens() throws {
        typealias Bounds = IDTokenConfiguration
        let json = """
            {"issuers":[{"name":"a","issuer":"https://a","audiences":["b"],"algorithms":["RS256"],"jwks_file":"c"}]}
            """
        let standard = try IDTokenConfiguration(json: Array(json.utf8), directory: "")
        let issuer = try #require(standard.issuers.first)
        func range(_ range: ClosedRange<Int>) -> String { "\(Written.count(range.lowerBound)) to \(Written.count(range.upperBound))" }
        let page = try Page("docs/id-tokens.md")
        let rows = page.tables.first { $0[0][0] == "member of an issuer" }?.dropFirst() ?? []
        let documented: [(String, String, String)] = [
            ("`name`", "1 to \(Bounds.maximumNameBytes) of", "required"), ("`issuer`", "at most \(Bounds.maximumTextBytes) bytes", "required"),
            ("`aliases`", "at most \(Bounds.maximumAliases).", "none"), ("`audiences`", "1 to \(Bounds.maximumAudiences)", "required"),
            ("`algorithms`", IDTokenAlgorithm.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "), "required"),
            ("`jwks_file`", "a relative path starts at the configuration file", "required"),
            ("`nonce`", "", "`\(issuer.nonce.rawValue)`"),
            ("`clock_skew_seconds`", range(Bounds.clockSkews), Written.count(issuer.clockSkewSeconds)),
            ("`maximum_age_seconds`", range(Bounds.maximumAges), Written.count(issuer.maximumAgeSeconds)),
            ("`sign_ins_per_second`", range(Bounds.rates), Written.count(issuer.signInsPerSecond)),
        ]
        #expect(rows.map { $0[0] } == documented.map(\.0))
        for (row, (name, rule, standard)) in zip(rows, documented) {
            #expect(row[1].contains(rule) || rule.isEmpty, "\(name) is documented as '\(row[1])', and is \(rule)")
            #expect(row[2] == standard, "\(name)")
        }
        for policy in IDTokenConfiguration.NoncePolicy.allCases { #expect(page.text.contains("`\(policy.rawValue)`: ")) }
        #expect(page.text.contains("`caller_sign_ins_per_second` (\(range(Bounds.rates)), default \(Bounds.defaultCallerRate))"))
        #expect(page.text.contains("The file has 1 to \(Bounds.maximumIssuers) issuers and at most \(Written.bytes(Bounds.maximumFileBytes))"))
        #expect(page.text.contains("A JWKS file has at most \(Written.bytes(JSONWebKeySet.maximumFileBytes)) and \(JSONWebKeySet.maximumKeys) keys"))
    }
}
