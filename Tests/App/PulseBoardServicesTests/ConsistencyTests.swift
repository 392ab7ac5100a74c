import Testing

@testable import PulseBoardServices

@Suite("Consistency as callers say it") struct ConsistencyTextTests {
    @Test("a token is what it was written as", arguments: [0, 255], [0, 1, Int64.max])
    func tokens(_ bucket: Int, _ number: Int64) {
        let token = ConsistencyToken(bucket: bucket, number: number)
        #expect(Consistency(text: "\(token)") == .after(token))
        #expect("\(token)".utf8.count <= 25)
    }

    @Test("`latest` is known, and everything else refused, whatever its length", arguments: [
            "", "Latest", "latest ", "1", "1.2", "1.2.3.4", "2.1.1", "1.256.1", "1.-1.1", "1.1.-1", "1.1.9223372036854775808", "1.01.1", "1.1.+1",
            "1.1.1 ", " 1.1.1",
        "1..1", "1.1.", "１.1.1", String(repeating: "1", count: 1 << 20),
    ])
    func refused(_ text: String) {
        #expect(Consistency(text: text) == nil)
        #expect(Consistency(text: "latest") == .latest)
    }
}
