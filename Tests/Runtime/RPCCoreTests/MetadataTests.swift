import RPCCore
import Testing

@Suite struct MetadataTests {
    @Test func keysAreFoldedAndOrderIsKept() {
        var metadata = Metadata()
        metadata.append("1", for: "B")
        metadata.append("2", for: "a")
        metadata.append("3", for: "b")
        #expect(metadata.map(\.key) == ["b", "a", "b"])
        #expect(metadata.map(\.value) == ["1", "2", "3"])
        #expect(metadata["b"] == "1")
        #expect(metadata.values(for: "b") == ["1", "3"])
        #expect(metadata["c"] == nil)
        #expect(metadata.values(for: "c").isEmpty)
        #expect(metadata.count == 3)
    }

    @Test func setReplacesAllValuesOfAKey() {
        var metadata: Metadata = ["a": "1", "b": "2", "a": "3"]
        metadata.set("4", for: "A")
        #expect(metadata.map(\.key) == ["b", "a"])
        #expect(metadata.values(for: "a") == ["4"])
    }

    @Test func aValueMayBeEmptyOrBeyondASCII() {
        let metadata: Metadata = ["name": "김철수", "empty": ""]
        #expect(metadata["name"] == "김철수")
        #expect(metadata["empty"] == "")
    }

    @Test("a key that is not ASCII costs a look-up nothing, however long it is")
    func hostileKeys() {
        // Half a million combining marks: if they were compared as characters, this test would take an hour.
        let hostile = String(repeating: "\u{0301}\u{0323}", count: 250_000)
        var metadata = Metadata()
        metadata.append("1", for: hostile)
        metadata.append("2", for: "key")
        #expect(metadata["key"] == "2")
        #expect(metadata["none"] == nil)
        #expect(metadata.values(for: "key") == ["2"])
        metadata.set("3", for: "key")
        #expect(metadata["key"] == "3")
        #expect(metadata.count == 2)
    }

    @Test("a pair counts with its real memory: short texts lie in the array, longer ones are objects")
    func memory() {
        let short: Metadata = ["key": "0123456789abcde"], long: Metadata = ["0123456789abcdef": "0123456789abcdef"]
        #expect(short.heldByteCount == 32)
        #expect(long.heldByteCount == 32 + 64 + 64)
    }
}
