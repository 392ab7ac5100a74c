import Testing

@testable import ProtobufC

@Suite struct WireRoundTripTests {
    @Test("Every scalar type keeps its largest and smallest value", arguments: [
        SampleMessages.highScalars, SampleMessages.lowScalars, Scalars(),
    ])
    func scalars(_ message: Scalars) throws {
        #expect(try message.throughTheWire() == message)
    }

    @Test("Known bytes: protobuf's own encoding of a message")
    func knownBytes() throws {
        #expect(try Scalars(int32Value: 150).serializedBytes() == [0x08, 0x96, 0x01])
        #expect(try Scalars(int32Value: -1).serializedBytes() == [0x08] + [UInt8](repeating: 0xFF, count: 9) + [0x01])
        #expect(try Scalars(stringValue: "testing").serializedBytes() == [0x72, 0x07] + Array("testing".utf8))
        #expect(try Scalars(sint32Value: -2).serializedBytes() == [0x28, 0x03])
        #expect(try Lists(int32s: [3, 270, 86942]).serializedBytes() == [0x0A, 0x06, 0x03, 0x8E, 0x02, 0x9E, 0xA7, 0x05])
        #expect(try Scalars().serializedBytes() == [])
    }

    @Test("NaN and the infinities pass")
    func notANumber() throws {
        let message = try Scalars(floatValue: .nan, doubleValue: .nan).throughTheWire()
        #expect(message.floatValue.isNaN && message.doubleValue.isNaN)
        #expect(try Scalars(floatValue: -.infinity, doubleValue: .infinity).throughTheWire()
            == Scalars(floatValue: -.infinity, doubleValue: .infinity))
    }

    @Test("Repeated fields of every type keep order and values; unknown enum numbers stay")
    func lists() throws {
        #expect(try SampleMessages.lists.throughTheWire() == SampleMessages.lists)
    }

    @Test("Nesting, recursion, maps and every oneof member, also at its default")
    func tree() throws {
        #expect(try SampleMessages.tree.throughTheWire() == SampleMessages.tree)
    }

    @Test("A repeated number field is read packed, unpacked and mixed")
    func packedAndUnpacked() throws {
        let bytes = WireBytes().varint(1, 1).delimited(1, [2, 3]).varint(1, 4).delimited(1, []).delimited(17, [5, 6]).bytes
        let message = try Lists(serializedBytes: bytes)
        #expect(message.int32s == [1, 2, 3, 4])
        #expect(message.unpacked == [5, 6])
    }

    @Test("A varint of ten bytes in a 32-bit field keeps its low bits")
    func longVarint() throws {
        let bytes: [UInt8] = [0x08] + [UInt8](repeating: 0xFF, count: 9) + [0x01]
        #expect(try Scalars(serializedBytes: bytes).int32Value == -1)
        #expect(try Scalars(serializedBytes: [0x18] + bytes.dropFirst()).uint32Value == .max)
    }

    @Test("Overlong tags and lengths mean what they say")
    func overlong() throws {
        #expect(try Scalars(serializedBytes: [0x88, 0x80, 0x00, 0x05]).int32Value == 5)
        #expect(try Scalars(serializedBytes: [0x72, 0x81, 0x80, 0x00, 0x61]).stringValue == "a")
    }

    @Test("Any non-zero varint is true")
    func trueValues() throws {
        #expect(try Scalars(serializedBytes: WireBytes().varint(13, 1 << 40).bytes).boolValue)
        #expect(try Lists(serializedBytes: WireBytes().delimited(13, [0x80, 0x01, 0x80, 0x00, 0x02]).bytes).bools
            == [true, false, true])
    }

    @Test("Unknown fields of every wire type survive, in order, at every level")
    func unknownFields() throws {
        let unknown = WireBytes().varint(100, 7).tag(101, 1).raw([1, 2, 3, 4, 5, 6, 7, 8]).string(102, "x\0\u{FF}")
            .tag(103, 5).raw([9, 9, 9, 9]).delimited(100, [])
        let bytes = WireBytes().string(1, "root").message(2, unknown).raw(unknown.bytes).bytes
        let message = try Node(serializedBytes: bytes)
        #expect(message.unknownFields.wireBytes == unknown.bytes)
        #expect(message.left?.unknownFields.wireBytes == unknown.bytes)
        #expect(try message.serializedBytes() == bytes)
    }

    @Test("A message without unknown fields says so")
    func noUnknownFields() throws {
        #expect(try SampleMessages.tree.throughTheWire().unknownFields.isEmpty)
    }
}

@Suite("What protobuf-c merges wrongly") struct SubmessageMergeTests {
    @Test("The parts of a submessage sent twice are merged: scalars, unknown fields, lists, deeper submessages")
    func mergesParts() throws {
        let first = WireBytes().string(1, "first").varint(100, 1).message(3, WireBytes().string(1, "a"))
            .message(2, WireBytes().varint(536_870_911, 5))
        let second = WireBytes().varint(101, 2).message(3, WireBytes().string(1, "b"))
            .message(2, WireBytes().string(1, "deep"))
        let message = try Node(serializedBytes: WireBytes().message(2, first).string(1, "root").message(2, second).bytes)
        let left = try #require(message.left)
        #expect(message.name == "root")
        #expect(left.name == "first")
        #expect(left.children == [Node(name: "a"), Node(name: "b")])
        #expect(left.left == Node(name: "deep", lastField: 5))
        #expect(left.unknownFields.wireBytes == WireBytes().varint(100, 1).varint(101, 2).bytes)
    }

    @Test("Two empty submessages with an unset oneof are one (protobuf-c alone refuses them)")
    func unsetOneof() throws {
        #expect(try Node(serializedBytes: [0x12, 0x00, 0x12, 0x00]) == Node(left: Node()))
    }

    @Test("A oneof's submessage is merged with itself, but not across another member")
    func oneofMember() throws {
        let a = WireBytes().message(7, WireBytes().string(1, "a"))
        let b = WireBytes().message(7, WireBytes().varint(536_870_911, 2))
        #expect(try Node(serializedBytes: (a.raw(b.bytes)).bytes).choice == .branch(Node(name: "a", lastField: 2)))
        #expect(try Node(serializedBytes: a.string(5, "x").raw(b.bytes).bytes).choice == .branch(Node(lastField: 2)))
        #expect(try Node(serializedBytes: a.raw(b.bytes).string(5, "x").bytes).choice == .text("x"))
        #expect(try Node(serializedBytes: a.varint(4, 9).bytes).choice == .number(9))
    }

    @Test("A map entry whose value is sent twice is merged; of equal keys the last counts")
    func mapEntries() throws {
        let entry = WireBytes().varint(1, 5).message(2, WireBytes().string(1, "n")).message(2, WireBytes().varint(4, 1))
        let later = WireBytes().varint(1, 6).message(2, WireBytes().string(1, "old"))
        let last = WireBytes().varint(1, 6)
        let message = try Node(serializedBytes: WireBytes().message(12, entry).message(12, later).message(12, last).bytes)
        #expect(message.nodesByID == [5: Node(name: "n", choice: .number(1)), 6: Node()])
    }

    @Test("The last of several values of a singular field counts")
    func lastValue() throws {
        let bytes = WireBytes().string(14, "a").string(14, "b").varint(1, 1).varint(1, 2).delimited(15, [1]).delimited(15, [])
        #expect(try Scalars(serializedBytes: bytes.bytes) == Scalars(int32Value: 2, stringValue: "b"))
    }
}
