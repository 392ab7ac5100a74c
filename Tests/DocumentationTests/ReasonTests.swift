import PulseBoardVocabulary
import RPCCore
import Testing

/// `docs/api.md` lists exactly the reasons that clients can get, and the fields that they are about.
@Suite struct ReasonTests {
    @Test("docs/api.md lists every reason, and none besides")
    func reasons() throws {
        let rows = try Page("docs/api.md").rows("## Errors")
        // One table has the reasons of calls in its second column, the other those of fields in its first.
        let ofCalls = rows.filter { !$0[0].hasPrefix("`") && $0.count == 3 }.flatMap { Page.code(in: $0[1]) }
        let ofFields = rows.filter { $0[0].hasPrefix("`") && $0.count == 2 }.flatMap { Page.code(in: $0[0]) }
        let documented = (ofCalls + ofFields).filter { $0.allSatisfy { $0.isUppercase || $0 == "_" } }
        #expect(Set(documented).count == documented.count, "a reason is listed twice")
        let missing = Set(Reason.allCases.map(\.rawValue)).subtracting(documented)
        #expect(missing.isEmpty, "the page lacks \(missing.sorted())")
        let unknown = Set(documented).subtracting(Reason.allCases.map(\.rawValue))
        #expect(unknown.isEmpty, "the page lists \(unknown.sorted())")
    }

    @Test("docs/api.md lists every limit of the runtime, and says which of them are temporary")
    func limits() throws {
        let rows = try Page("docs/api.md").rows("## Errors").filter { $0.count == 3 && ["yes", "no"].contains($0[2]) }
        let documented = rows.flatMap { row in Page.code(in: row[0]).map { ($0, row[2] == "yes") } }
        let declared = LimitReason.allCases.map { ($0.rawValue, $0.isTemporary) }
        #expect(documented.map { "\($0.0) \($0.1)" }.sorted() == declared.map { "\($0.0) \($0.1)" }.sorted())
    }

    @Test("docs/api.md names every field that a violation can have, and no field that no message has")
    func fields() throws {
        let errors = try Page("docs/api.md").section("## Errors").flatMap(Page.code).map { $0.replacing(/\[[0-9]\]/, with: "") }
        let named = Set(errors + errors.flatMap { $0.split(separator: ".").map(String.init) })
        // What reads requests says which field is wrong. Rows that a device reads from a server are not requests.
        let readers = try Page.files("Sources/App/PulseBoardRPC", "swift") + Page.files("Sources/App/PulseBoardServices", "swift")
            + Page.files("Sources/App/DiaryMessages", "DiaryMessages.swift")
        let fields = Set(readers.flatMap { $0.matches(of: /(?:field: |\.invalid\(|itemsIn: )"([a-z_.0-9]+)"/).map { String($0.1) } })
        #expect(fields.count > 30)
        #expect(fields.subtracting(named).isEmpty, "the page lacks \(fields.subtracting(named).sorted())")
        let protos = try Page.files("Proto/pulseboard", "proto")
        let declared = Set(protos.flatMap { $0.matches(of: /([a-z_0-9]+) = [0-9]+;/).map { String($0.1) } })
            .union(protos.flatMap { $0.matches(of: /oneof ([a-z_0-9]+) {/).map { String($0.1) } })
        let rows = try Page("docs/api.md").rows("## Errors").filter { $0[0].hasPrefix("`") && $0.count == 2 }
        let paths = rows.flatMap { Page.code(in: $0[1]) }.map { $0.replacing(/\[[0-9]\]/, with: "") }
        let documented = Set(paths.flatMap { $0.split(separator: ".").map(String.init) })
        #expect(documented.count > 30)
        let unknown = documented.subtracting(declared).subtracting(["trace", "debug", "info", "notice", "warning", "error", "critical"])
        #expect(unknown.isEmpty, "no message has \(unknown.sorted())")
    }
}
