import PulseBoardVocabulary
import Testing

/// `docs/api.md` lists exactly the reasons that clients can get.
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
}
