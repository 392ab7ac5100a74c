import Testing

@testable import ProtobufC

@Suite struct EncodingTests {
    /// An output with a header before the message, like a wire protocol's send buffer.
    private struct Framed {
        var bytes: [UInt8] = []
        var calls = 0

        mutating func append(_ message: borrowing PackableMessage) {
            calls += 1
            let byteCount = message.byteCount
            bytes.append(UInt8(byteCount))
            let room = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount + 1, alignment: 1)
            defer { room.deallocate() }
            room[byteCount] = 0xEE
            message.pack(to: room.baseAddress.unsafelyUnwrapped)
            #expect(room[byteCount] == 0xEE)
            bytes.append(contentsOf: room.prefix(byteCount))
        }
    }

    @Test("The output is asked once, with the exact size, also for an empty message")
    func output() throws {
        var framed = Framed()
        try Scalars(int32Value: 150).withPackable { framed.append($0) }
        try Scalars().withPackable { framed.append($0) }
        #expect(framed.bytes == [3, 0x08, 0x96, 0x01, 0])
        #expect(framed.calls == 2)
    }

    @Test("A NUL in a string is an error with the path, and nothing is written")
    func nul() {
        var framed = Framed()
        #expect(throws: EncodingError.nulInString(field: "name")) { try Node(name: "a\0b").withPackable { framed.append($0) } }
        #expect(framed.calls == 0)
        let tree = Node(children: [Node(), Node(left: Node(choice: .text("\0")))])
        #expect(throws: EncodingError.nulInString(field: "children[1].left.text")) { try tree.serializedBytes() }
        #expect(throws: EncodingError.nulInString(field: "strings[1]")) {
            try Lists(strings: ["", "\0"]).serializedBytes()
        }
        #expect(throws: EncodingError.nulInString(field: "counts[0].key")) { try Node(counts: ["\0": 1]).serializedBytes() }
    }

    @Test("Nesting beyond what a decode takes is an error, not a stack overflow")
    func nesting() {
        let deep = (0..<300).reduce(Node()) { inner, _ in Node(children: [inner]) }
        let found = #expect(throws: EncodingError.self) { try deep.serializedBytes() }
        if case .nestingTooDeep(_, limit: 100)? = found {} else { Issue.record("\(String(describing: found))") }
    }

    @Test("−0.0 is written where 0.0 is not, and comes back as what it is, behind what the schema lacks too")
    func negativeZero() throws {
        #expect(try Scalars(floatValue: 0, doubleValue: 0).serializedBytes() == [])
        let float: [UInt8] = [0x5D, 0, 0, 0, 0x80]
        let double: [UInt8] = [0x61, 0, 0, 0, 0, 0, 0, 0, 0x80]
        var message = Scalars(floatValue: -0.0, doubleValue: -0.0)
        #expect(try message.serializedBytes() == float + double)
        message = try Scalars(serializedBytes: float + double)
        #expect(message.floatValue.sign == .minus && message.doubleValue.sign == .minus && message.unknownFields.isEmpty)
        #expect(try message.jsonString() == #"{"floatValue":-0,"doubleValue":-0}"#)
        message = try Scalars(jsonString: #"{"doubleValue":-0.0,"floatValue":-0}"#)
        #expect(message.unknownFields.isEmpty)
        #expect(try message.serializedBytes() == float + double)
        let unknown: [UInt8] = [0xA0, 0x06, 0x07]
        message = try Scalars(serializedBytes: unknown + double)
        #expect(try message.serializedBytes() == unknown + double)
        // Two of them behind many records: the second takes the room that the first has made.
        let many = (0..<1_000).flatMap { _ in unknown }
        message = try Scalars(serializedBytes: many + float + double)
        #expect(try message.serializedBytes() == many + float + double)
        let dynamic = try DynamicMessage(jsonUTF8Bytes: Array(#"{"doubleValue":-0.0,"floatValue":-0,"int32Value":1}"#.utf8), as: Scalars.descriptor)
        #expect(dynamic.serializedBytes == [0x08, 1] + float + double)
    }

    @Test("A large message takes several blocks and comes back whole")
    func large() throws {
        let children = (0..<5000).map { Node(name: "child \($0)", choice: .blob([UInt8](repeating: 7, count: $0 % 300))) }
        let message = Node(name: String(repeating: "x", count: 3 << 20), children: children)
        #expect(try message.throughTheWire() == message)
    }

    @Test("Maps are written in the order of their keys")
    func mapOrder() throws {
        let counts = Dictionary(uniqueKeysWithValues: (0..<50).map { ("key \($0)", Int32($0)) })
        let bytes = try Node(counts: counts).serializedBytes()
        for _ in 0..<5 {
            let shuffled = Dictionary(uniqueKeysWithValues: counts.shuffled().map { ($0.key, $0.value) })
            #expect(try Node(counts: shuffled).serializedBytes() == bytes)
        }
    }
}
