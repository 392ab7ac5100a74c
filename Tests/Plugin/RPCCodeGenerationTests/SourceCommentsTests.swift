import Testing

@testable import RPCCodeGeneration

@Suite struct SourceCommentsTests {
    @Test("the blank behind // goes, deeper indentation and inner empty lines stay, outer empty lines go")
    func lines() {
        #expect(SourceComments.lines(of: "\n One.\n\n   indented  \n two\n\n") == ["One.", "", "  indented", "two"])
        #expect(SourceComments.lines(of: "") == [])
        #expect(SourceComments.lines(of: "\n \n") == [])
    }

    @Test("CR LF and CR end a line too, as they do in Swift")
    func carriageReturns() {
        #expect(SourceComments.lines(of: " One.\r\n\r\n   indented\r\n two\r three\r\n") == ["One.", "", "  indented", "two", "three"])
    }

    @Test("every line of a file from Windows is a comment in Swift")
    func windows() async throws {
        let lines = [#"syntax = "proto3";"#, "// One,", "// two.", "message M {}", ""]
        let (outcome, files) = try await Protoc.generate(lines.joined(separator: "\r\n"))
        try #require(outcome.succeeded, "\(outcome.messages)")
        let text = try #require(files["test.pb.swift"])
        #expect(text.contains("/// One,\n/// two.\npublic struct M: Message {"))
        #expect(!text.utf8.contains(UInt8(ascii: "\r")))
    }
}
