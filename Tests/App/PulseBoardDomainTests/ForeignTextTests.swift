import PulseBoardDomain
import Testing

/// Texts from callers that are compared with texts of the server.
///
/// Swift compares characters, and sorts the combining marks of a run for that. A run of a million marks takes days, so these tests end only if
/// bytes are compared.
@Suite struct ForeignTextTests {
    private static let marks = String(repeating: "\u{0301}\u{0316}", count: 500_000)
    private static let otherMarks = String(repeating: "\u{0316}\u{0301}", count: 500_000)

    @Test("X6: an etag from outside is compared by its bytes, whatever they are")
    func etags() {
        let etag = Etag(text: Self.marks)
        #expect(etag != Etag(text: Self.otherMarks))
        #expect(etag == Etag(text: Self.marks + ""))
        #expect(Set([etag, Etag(text: Self.otherMarks), Etag(text: Self.marks)]).count == 2)
        #expect(Etag(text: "\u{00E9}") != Etag(text: "e\u{0301}"))
    }

    @Test("X8: the path of a diary's field is compared by its bytes")
    func diaryFields() {
        #expect(DiaryField(path: Self.marks) == nil)
        for field in DiaryField.allCases { #expect(DiaryField(path: field.path) == field) }
        #expect(DiaryField(path: "texts") == nil)
    }
}
