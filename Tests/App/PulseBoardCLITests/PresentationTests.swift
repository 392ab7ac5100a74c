import CommandHelp
import Foundation
import ProtobufC
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore
import Testing

@testable import PulseBoardCLI

@Suite struct LanguageTests {
    @Test(
        "The first locale variable that says something decides",
        arguments: [
            ([:], Language.english),
            (["LANG": "ko_KR.UTF-8"], .korean),
            (["LANG": "ko"], .korean),
            (["LANG": "kok_IN.UTF-8"], .english),
            (["LANG": "ko_KR.UTF-8", "LC_MESSAGES": "en_US.UTF-8"], .english),
            (["LANG": "en_US.UTF-8", "LC_MESSAGES": "ko_KR.UTF-8"], .korean),
            (["LC_ALL": "C", "LC_MESSAGES": "ko_KR.UTF-8"], .english),
            (["LC_ALL": "", "LANG": "ko_KR"], .korean),
        ] as [([String: String], Language)])
    func chosen(_ variables: [String: String], _ language: Language) {
        #expect(Language(variables: variables) == language)
    }
}

@Suite struct DisplayWidthTests {
    @Test(
        "East Asian wide characters and emoji take two columns, marks none",
        arguments: [
            ("", 0), ("abc", 3), ("한글", 4), ("\u{1112}\u{1161}\u{11AB}", 2), ("日本", 4), ("ｆ", 2), ("é", 1),
            ("e\u{301}", 1), ("👩‍💻", 2), ("🇰🇷", 2), ("❤️", 2), ("ㄱ", 2), ("·", 1), ("a\u{200B}b", 2),
        ])
    func columns(_ text: String, _ width: Int) {
        #expect(text.displayWidth == width)
    }

    @Test("a hostile server's texts control no terminal, neither as text nor as JSON", arguments: [
        ["admin", "status"], ["admin", "top", "--once"], ["admin", "metrics"], ["admin", "set", "log-level", "debug"], ["doctor"],
    ])
    func hostileServer(_ words: [String]) async throws {
        let evil = "e\u{1B}[2J\u{9B}31m\u{202E}\u{2028}vil"
        let program = try TestProgram([
            "GetServerInfo": { (_, _) throws(RPCError) in
                PBServerInfo(
                    version: evil, store: evil,
                    storeStatus: PBStoreStatus(path: evil, archiveDirectory: "/a'" + evil, archiveProblem: evil), caches: [PBCacheStatus(name: evil)],
                    refusals: [PBLimitRefusals(limit: evil, userClass: evil, count: 1)])
            },
            "GetMetrics": { (_, _) throws(RPCError) in PBGetMetricsResponse(text: "a 1\n\(evil) 2\n") },
            "SetLogLevel": { (_, _) throws(RPCError) in PBSetLogLevelResponse(level: evil, formerLevel: evil) },
        ])
        for words in [words, words + ["--json"]] {
            _ = try await program.run(arguments: words)
            for text in [program.standardOutput, program.standardError] {
                #expect(!text.unicodeScalars.contains { $0 != "\n" && ["\u{1B}", "\u{9B}", "\u{202E}", "\u{2028}"].contains($0) }, "\(words)")
            }
        }
        #expect(program.standardOutput.contains("vil") || program.standardError.contains("vil"), "\(words) shows them")
    }

    @Test("Other people's text cannot move the cursor or reverse what follows")
    func hazards() {
        #expect("a\u{1B}[2Jb".safeForTerminal == "a\u{FFFD}[2Jb")
        #expect("a\nb\tc".safeForTerminal == "a b c")
        #expect("\u{202E}abc".safeForTerminal == "\u{FFFD}abc")
        #expect("\u{9B}31m".safeForTerminal == "\u{FFFD}31m")
        #expect("한글 👩‍💻".safeForTerminal == "한글 👩‍💻")
        #expect("a\tb\nc\u{1B}[2J\r\n".linesSafeForTerminal == "a\tb\nc\u{FFFD}[2J\u{FFFD}\n")
        let json = "{\n\t\"a\": \"\u{9B}\u{7F}\u{202E}\u{2028}\u{1B}가\"\n}\n"
        #expect(json.jsonSafeForTerminal == "{\n\t\"a\": \"\\u009b\\u007f\\u202e\\u2028\\u001b가\"\n}\n")
    }
}

@Suite struct TableTests {
    private let plain = TextStyle(isTerminal: false, variables: [:])

    @Test("a terminal that is too narrow for all columns is spared the optional ones, the last first")
    func optional() {
        var table = Table([
            .init("METHOD"), .init("CALLS/S", .right), .init("ERRORS/S", .right, isOptional: true), .init("BYTES/S", .right, isOptional: true),
        ])
        table.append(["ProfileService/프로필가져오기", "1,234", "0", "12.3 MiB"])
        let rendered = { table.rendered(TextStyle(isTerminal: true, variables: ["NO_COLOR": "1"], columns: $0)) }
        #expect(rendered(80).contains("BYTES/S"))
        #expect(rendered(30) == "METHOD       CALLS/S  ERRORS/S\nProfileSer…    1,234         0\n")
        #expect(rendered(20) == "METHOD       CALLS/S\nProfileSer…    1,234\n")
        var wide = Table([.init("METHOD", narrowest: 20), .init("CALLS/S", .right), .init("ERRORS/S", .right, isOptional: true)])
        wide.append(["ProfileService/프로필가져오기", "1,234", "0"])
        #expect(wide.rendered(TextStyle(isTerminal: true, variables: ["NO_COLOR": "1"], columns: 30)) == """
            METHOD                 CALLS/S
            ProfileService/프로…     1,234

            """)
    }

    @Test("a card breaks its values at spaces, and puts them below labels that would take half of the terminal")
    func narrowCard() {
        var card = Card(title: "@하늘")
        card.append("status", "오늘도 좋은 하루 보내세요 👩‍💻")
        let rendered = { card.rendered(TextStyle(isTerminal: true, variables: ["NO_COLOR": "1"], columns: $0)) }
        #expect(rendered(24) == "@하늘\n  status  오늘도 좋은\n          하루 보내세요\n          👩‍💻\n")
        #expect(rendered(18) == "@하늘\n  status\n    오늘도 좋은\n    하루 보내세요\n    👩‍💻\n")
    }

    @Test("Columns stay aligned with Hangul in some cells")
    func hangul() {
        var table = Table([.init("USERNAME"), .init("이름"), .init("N", .right)])
        table.append(["@하늘", "김하늘", "7"])
        table.append(["@bob", "Bob", "1,234"])
        let expected = """
            USERNAME  이름        N
            @하늘     김하늘      7
            @bob      Bob     1,234

            """
        #expect(table.rendered(plain) == expected)
        let lines = expected.split(separator: "\n").map(String.init)
        #expect(Set(lines.map(\.displayWidth)).count == 1, "every line ends in the same column")
    }

    @Test("Lines have no trailing spaces")
    func trailing() {
        var table = Table([.init("A"), .init("LONG HEADING")])
        table.append(["x", ""])
        #expect(table.rendered(plain) == "A  LONG HEADING\nx\n")
    }

    @Test("A card leaves out what is empty and aligns what is there")
    func card() {
        var card = Card(title: "@하늘")
        card.append("이름", "김하늘")
        card.append("상태 메시지", "")
        card.append("user id", "1")
        #expect(card.rendered(plain) == "@하늘\n  이름     김하늘\n  user id  1\n")
    }

    @Test("Colour is for terminals whose owner does not object")
    func colour() {
        #expect(TextStyle(isTerminal: true, variables: [:]).bold("x") == "\u{1B}[1mx\u{1B}[0m")
        #expect(TextStyle(isTerminal: false, variables: [:]).bold("x") == "x")
        #expect(TextStyle(isTerminal: true, variables: ["NO_COLOR": "1"]).bold("x") == "x")
        #expect(TextStyle(isTerminal: true, variables: ["NO_COLOR": ""]).isEnabled)
        #expect(!TextStyle(isTerminal: true, variables: ["TERM": "dumb"]).isEnabled)
    }
}

@Suite struct LocalTimeTests {
    @Test(
        "B14, B38, X9: one instant reads differently in each zone, with the offset that makes it the same instant",
        arguments: [
            ("Asia/Seoul", "2026-11-21 19:49:01 +09:00"), ("UTC", "2026-11-21 10:49:01 +00:00"),
            ("America/St_Johns", "2026-11-21 07:19:01 -03:30"), ("Pacific/Kiritimati", "2026-11-22 00:49:01 +14:00"),
        ])
    func zones(_ zone: String, _ text: String) throws {
        let timeZone = try #require(TimeZone(identifier: zone))
        #expect(LocalTime(timeZone: timeZone).text(seconds: 1_795_258_141) == text)
        let parser = ISO8601DateFormatter()
        parser.formatOptions = [
            .withFullDate, .withTime, .withColonSeparatorInTime, .withSpaceBetweenDateAndTime, .withTimeZone, .withColonSeparatorInTimeZone
        ]
        let compact = text.replacingOccurrences(of: " +", with: "+").replacingOccurrences(of: " -", with: "-")
        #expect(parser.date(from: compact)?.timeIntervalSince1970 == 1_795_258_141)
    }

    @Test("The offset is the one of the instant, not of today")
    func daylightSaving() throws {
        let berlin = LocalTime(timeZone: try #require(TimeZone(identifier: "Europe/Berlin")))
        #expect(berlin.text(seconds: 1_784_635_200).hasSuffix("+02:00"))
        #expect(berlin.text(seconds: 1_795_258_141).hasSuffix("+01:00"))
    }

    @Test("dates before 1582 are those of RFC 3339, and instants that are no timestamp become the nearest one")
    func proleptic() throws {
        let utc = LocalTime(timeZone: try #require(TimeZone(identifier: "UTC")))
        #expect(utc.text(seconds: -62_135_596_800) == "0001-01-01 00:00:00 +00:00")
        #expect(UTCTime.text(seconds: -62_135_596_800) == "0001-01-01T00:00:00Z")
        #expect(UTCTime.text(seconds: -12_219_292_801) == "1582-10-14T23:59:59Z")
        #expect(UTCTime.text(seconds: .min) == "0001-01-01T00:00:00Z")
        #expect(UTCTime.text(seconds: .max) == "9999-12-31T23:59:59Z")
        #expect(utc.text(seconds: .max) == "9999-12-31 23:59:59 +00:00")
        let west = LocalTime(timeZone: try #require(TimeZone(secondsFromGMT: -3600)))
        #expect(west.text(seconds: .min) == "0000-12-31 23:00:00 -01:00")
    }

    @Test("a local time that a clock shows twice is the earlier one, one that it skips is none, and a day without midnight begins later")
    func changesOfOffset() throws {
        let berlin = LocalTime(timeZone: try #require(TimeZone(identifier: "Europe/Berlin")))
        // 2026-10-25 and 2026-03-29, at half past two.
        #expect(berlin.instant(days: 20_751, second: 9_000) == 1_792_888_200)
        #expect(berlin.instant(days: 20_541, second: 9_000) == nil)
        #expect(berlin.instant(days: 20_541, second: 10_800) == 1_774_746_000)
        // Midnight of 2018-11-04 became one o'clock in São Paulo.
        let saoPaulo = LocalTime(timeZone: try #require(TimeZone(identifier: "America/Sao_Paulo")))
        #expect(saoPaulo.instant(days: 17_839, second: 0) == nil)
        #expect(saoPaulo.start(ofDay: 17_839) == 1_541_300_400)
        // Samoa had no 30 December 2011.
        let apia = LocalTime(timeZone: try #require(TimeZone(identifier: "Pacific/Apia")))
        #expect(apia.start(ofDay: 15_338) == apia.start(ofDay: 15_339))
        #expect(apia.start(ofDay: 15_339) == 1_325_239_200)
    }

    @Test func utc() {
        #expect(UTCTime.text(seconds: 1_795_258_141) == "2026-11-21T10:49:01Z")
    }
}

@Suite struct ProgressBarTests {
    @Test("The line says how far, how fast and how long still")
    func line() {
        let bar = ProgressBar(label: "Follows", total: 578_006, columns: 80)
        #expect(
            bar.line(done: 289_003, elapsed: .seconds(10))
                == "Follows [###############---------------]  50 %  289,003/578,006  28,900/s  0:10")
    }

    @Test("The line keeps within the terminal, without a bar if need be")
    func narrow() {
        for columns in [20, 60, 80, 200] {
            let bar = ProgressBar(label: "팔로우", total: 1000, columns: columns)
            let line = bar.line(done: 500, elapsed: .seconds(1))
            #expect(line.displayWidth <= columns || !line.contains("["))
        }
    }

    @Test("Nothing to do and nothing done divide by nothing")
    func zero() {
        #expect(ProgressBar(label: "x", total: 0, columns: 80).line(done: 0, elapsed: .zero).contains("100 %"))
        #expect(ProgressBar(label: "x", total: 5, columns: 80).line(done: 0, elapsed: .seconds(3)).contains("--:--"))
    }

    @Test func grouping() {
        #expect([0, 12, 999, 1000, 37_700, 1_234_567, -1000].map(\.grouped) == [
            "0", "12", "999", "1,000", "37,700", "1,234,567", "-1,000",
        ])
    }
}
