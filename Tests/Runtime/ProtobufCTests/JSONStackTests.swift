import ProtobufWellKnownTypes
import Testing

@testable import ProtobufC

/// Deep messages are written as JSON on a small stack, also where only every second level is a message of its own.
@Suite struct JSONStackTests {
    /// Bytes. Less than the 256 KiB of free stack that the documentation asks for, and less than either message takes on one stack in a debug
    /// build.
    private static let stack = 192 << 10
    /// As many as fit into 100 levels.
    private static let count = 50

    /// The JSON of a message, written on a thread with that stack.
    private func json(of message: some Message, options: JSONEncodingOptions = JSONEncodingOptions()) -> String? {
        var text: String?
        let ran = StackNeed.onNewStack(byteCount: Self.stack) { text = try? message.jsonString(options: options) }
        #expect(ran)
        return text
    }

    @Test("Fifty messages, each in a map of the next")
    func maps() {
        var node = Node()
        for _ in 0..<Self.count { node = Node(nodesByID: [1: node]) }
        let opening = String(repeating: #"{"nodesById":{"1":"#, count: Self.count)
        #expect(json(of: node) == opening + "{}" + String(repeating: "}}", count: Self.count))
    }

    @Test("Fifty messages, each in an Any in the next")
    func anys() throws {
        var packed = try Google_Protobuf_Any(packing: WellKnown())
        for _ in 1..<Self.count { packed = try Google_Protobuf_Any(packing: WellKnown(any: packed)) }
        let type = #"{"@type":"type.googleapis.com/pulseboard.test.WellKnown""#
        let opening = String(repeating: type + #","any":"#, count: Self.count - 1)
        let options = JSONEncodingOptions(typeRegistry: TypeRegistry([WellKnown.self]))
        #expect(json(of: packed, options: options) == opening + type + String(repeating: "}", count: Self.count))
    }
}
