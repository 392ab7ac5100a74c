import Testing

@testable import RPCCodeGeneration

@Suite struct SourceCommentsTests {
    @Test("the blank behind // goes, deeper indentation and inner empty lines stay, outer empty lines go")
    func lines() {
        #expect(SourceComments.lines(of: "\n One.\n\n   indented  \n two\n\n") == ["One.", "", "  indented", "two"])
        #expect(SourceComments.lines(of: "") == [])
        #expect(SourceComments.lines(of: "\n \n") == [])
    }
}
