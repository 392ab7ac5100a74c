import CProtobufC
internal import ProtobufCTestMessages
import Testing

@testable import ProtobufC

@Suite struct HostileBytesTests {
    private func error(_ bytes: [UInt8], options: DecodingOptions = DecodingOptions()) -> DecodingError? {
        #expect(throws: DecodingError.self) { try Node(serializedBytes: bytes, options: options) }
    }

    @Test("A NUL in a string is an error with the field's path, never a shorter string")
    func nul() {
        #expect(error(WireBytes().string(1, "admin\0x").bytes) == .nulInString(field: "name"))
        let nested = WireBytes().message(3, WireBytes()).message(2, WireBytes()).message(3, WireBytes().string(5, "\0"))
        #expect(error(nested.bytes) == .nulInString(field: "children[1].text"))
        let deep = WireBytes().message(7, WireBytes().message(11, WireBytes().string(1, "0123456\u{0}89")))
        #expect(error(deep.bytes) == .nulInString(field: "branch.counts[0].key"))
        #expect(throws: DecodingError.nulInString(field: "strings[2]")) {
            try Lists(serializedBytes: WireBytes().string(14, "a").string(14, "").string(14, "\0").bytes)
        }
    }

    @Test("Bytes fields may hold anything")
    func bytesFields() throws {
        #expect(try Node(serializedBytes: WireBytes().delimited(6, [0, 0xFF]).bytes).choice == .blob([0, 0xFF]))
    }

    @Test("Invalid UTF-8 is an error", arguments: [
        [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xE1, 0x80],
        [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xE1, 0x80, 0x41],
    ] as [[UInt8]])
    func invalidUTF8(_ text: [UInt8]) {
        for padding in 0...17 {
            let prefix = [UInt8](repeating: 0x61, count: padding)
            #expect(error(WireBytes().delimited(1, prefix + text).bytes) == .invalidUTF8(field: "name"))
            #expect(error(WireBytes().delimited(1, prefix + text + prefix).bytes) == .invalidUTF8(field: "name"))
        }
    }

    @Test("The text check agrees with the standard library on every four bytes of interest")
    func textCheckAgrees() {
        let interesting: [UInt8] = [
            0x00, 0x01, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
            0xF0, 0xF1, 0xF4, 0xF5, 0xFF,
        ]
        for first in interesting {
            for second in interesting {
                for third in interesting {
                    for fourth in interesting {
                        let bytes = [first, second, third, fourth]
                        let expected: TextCheck =
                            String(validating: bytes, as: UTF8.self) == nil
                            ? .invalidUTF8 : bytes.contains(0) ? .containsNUL : .valid
                        let found = bytes.withUnsafeBufferPointer { TextCheck.of($0.baseAddress!, count: 4) }
                        // If there are two faults, the first one is reported.
                        let agrees = found == expected || (expected == .invalidUTF8 && found == .containsNUL && bytes.contains(0))
                        if !agrees { Issue.record("\(bytes): \(found), expected \(expected)") }
                    }
                }
            }
        }
    }

    @Test("Nesting: the limit itself passes, one more does not", arguments: [0, 1, 32, 100])
    func nesting(_ limit: Int) throws {
        func nested(_ levels: Int) -> [UInt8] {
            (0..<levels).reduce(WireBytes()) { inner, _ in WireBytes().message(2, inner) }.bytes
        }
        let options = DecodingOptions(maxNestingDepth: limit)
        #expect(throws: Never.self) { try Node(serializedBytes: nested(limit), options: options) }
        let path = [String](repeating: "left", count: limit + 1).joined(separator: ".")
        #expect(error(nested(limit + 1), options: options) == .nestingTooDeep(field: path, limit: limit))
    }

    @Test("A limit above what the stack holds is lowered; ten thousand levels are an error")
    func absurdNesting() {
        var bytes: [UInt8] = []
        for _ in 0..<10_000 { bytes = [0x12] + WireBytes.varint(UInt64(bytes.count)) + bytes }
        let found = error(bytes, options: DecodingOptions(maxNestingDepth: .max))
        if case .nestingTooDeep(_, limit: 100) = found {} else { Issue.record("\(String(describing: found))") }
    }

    @Test("Unknown submessages are not looked into, however deep")
    func unknownNesting() throws {
        let inner = (0..<200).reduce(WireBytes()) { inner, _ in WireBytes().message(100, inner) }
        #expect(try Node(serializedBytes: inner.bytes).unknownFields.wireBytes == inner.bytes)
    }

    @Test("1 MiB of empty submessages is over the budget")
    func overBudget() {
        let bytes = [UInt8](repeating: 0, count: 1 << 20).enumerated().map { $0.offset % 2 == 0 ? UInt8(0x1A) : 0 }
        #expect(error(bytes) == .overBudget(limit: (8 << 20) + (8 << 20)))
        #expect(error(bytes, options: DecodingOptions(arenaBudget: 1 << 16)) == .overBudget(limit: 1 << 16))
    }

    @Test("Merging is within the budget too: a submessage sent in half a million parts")
    func mergeOverBudget() {
        let nested = (0..<20).reduce(WireBytes().raw([0x12, 0, 0x12, 0])) { inner, _ in
            WireBytes().message(2, inner).message(2, WireBytes().delimited(100, [UInt8](repeating: 1, count: 50_000)))
        }
        #expect(error(nested.bytes, options: DecodingOptions(arenaBudget: 4 << 20)) == .overBudget(limit: 4 << 20))
    }

    @Test("A budget of nothing still has the first block on the stack, and no more")
    func tinyBudget() throws {
        let options = DecodingOptions(arenaBudget: 0)
        #expect(try Node(serializedBytes: WireBytes().string(1, "a").bytes, options: options).name == "a")
        let long = WireBytes().string(1, String(repeating: "a", count: 2000)).bytes
        #expect(error(long, options: options) == .overBudget(limit: 0))
    }

    @Test("A megabyte of packed numbers is within the default budget")
    func packedWithinBudget() throws {
        let bytes = WireBytes().delimited(2, [UInt8](repeating: 1, count: 1 << 20)).bytes
        #expect(try Lists(serializedBytes: bytes).int64s.count == 1 << 20)
    }

    @Test("Each break of the wire format has its name", arguments: [
        ([0x20], "number", .truncated), ([0x88], "", .truncated), ([0x0A, 0x05, 0x61], "name", .truncated),
        ([0x0A], "name", .truncated), ([0x0A, 0x80], "name", .truncated), ([0x51, 1, 2, 3], "ratio", .truncated),
        ([0x00, 0x00], "", .fieldNumberOutOfRange), ([0x80, 0x00, 0x01], "", .fieldNumberOutOfRange),
        ([0x80, 0x80, 0x80, 0x80, 0x10, 0x00], "", .fieldNumberOutOfRange),
        ([0x80, 0x80, 0x80, 0x80, 0x80, 0x01], "", .tagTooLong),
        ([0x20] + [UInt8](repeating: 0x80, count: 10) + [0], "number", .varintTooLong),
        ([0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F], "name", .lengthOutOfRange),
        ([0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0x07], "name", .truncated),
        ([0x0A, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01], "name", .lengthOutOfRange),
        ([0x0C], "name", .group), ([0xA4, 0x06], "#100", .group), ([0x0B, 0x14], "name", .group), ([0x0B, 0x13, 0x0C], "name", .group),
        ([0x0B], "name", .truncated), ([0xA3, 0x06, 0x08], "#100", .truncated),
        ([UInt8](repeating: 0x0B, count: 101) + [UInt8](repeating: 0x0C, count: 101), "name", .group),
        ([0x0E], "name", .unknownWireType), ([0xA7, 0x06], "#100", .unknownWireType), ([0x0B, 0x0E, 0x0C], "name", .unknownWireType),
    ] as [([UInt8], String, Malformation)])
    func malformed(_ bytes: [UInt8], _ field: String, _ reason: Malformation) {
        #expect(error(bytes) == .malformed(field: field, reason: reason))
    }

    @Test("Packed fields: half an element, an endless varint, a packed string", arguments: [
        (WireBytes().delimited(7, [1, 2, 3]), Malformation.packedLength),
        (WireBytes().delimited(12, [1, 2, 3, 4]), .packedLength),
        (WireBytes().delimited(1, [0x80]), .truncated),
        (WireBytes().delimited(1, [UInt8](repeating: 0x80, count: 11)), .varintTooLong),
    ])
    func packed(_ bytes: WireBytes, _ reason: Malformation) {
        let found = #expect(throws: DecodingError.self) { try Lists(serializedBytes: bytes.bytes) }
        if case .malformed(_, reason)? = found {} else { Issue.record("\(String(describing: found))") }
    }

    @Test("A record that its field cannot have, and a group, is an unknown field, in its order, and everything else is read", arguments: [
        // A known field with another wire type: a varint, 8 bytes, 4 bytes, a text instead of a number.
        [0x08, 0x01], [0x09, 1, 2, 3, 4, 5, 6, 7, 8], [0x0D, 1, 2, 3, 4], [0x22, 0x02, 0x61, 0x62], [0x4A, 0x01, 0x01], [0x4D, 1, 0, 0, 0],
        // A number instead of a message, single and repeated.
        [0x10, 0x01], [0x18, 0x01],
        // Groups: empty, with a known number, with an unknown number, nested, with a text that looks like its end.
        [0x0B, 0x0C], [0x13, 0x08, 0x01, 0x14], [0xA3, 0x06, 0xA4, 0x06], [0xA3, 0x06, 0x0B, 0x0C, 0xA4, 0x06],
        [0xA3, 0x06, 0x0A, 0x02, 0xA4, 0x06, 0xA4, 0x06], [UInt8](repeating: 0x0B, count: 100) + [UInt8](repeating: 0x0C, count: 100),
        // A real unknown field with the number under which such records are hidden from protobuf-c.
        [0x18, 0x01] + [0xFA, 0xE1, 0x09, 0x02, 0x08, 0x01],
    ] as [[UInt8]])
    func strangers(_ record: [UInt8]) throws {
        let unknown = [0xA0, 0x06, 0x07] as [UInt8]
        let known = WireBytes().string(1, "a").bytes
        let message = try Node(serializedBytes: known + unknown + record + unknown)
        #expect(message == { var node = Node(name: "a"); node.unknownFields = message.unknownFields; return node }())
        #expect(message.unknownFields.wireBytes == unknown + record + unknown)
        #expect(try message.serializedBytes() == known + unknown + record + unknown)
        // Also in nested messages: single, repeated, in a map's value, in a oneof, in a part of a message that came in parts.
        let inner = known + record
        for outer in [WireBytes().delimited(2, inner), WireBytes().delimited(3, inner).delimited(3, inner)] {
            #expect(try Node(serializedBytes: outer.bytes).serializedBytes() == outer.bytes)
        }
        let parts = WireBytes().delimited(2, inner).delimited(2, WireBytes().varint(4, 5).bytes)
        let merged = try Node(serializedBytes: parts.bytes)
        #expect(merged.left?.name == "a" && merged.left?.choice == .number(5) && merged.left?.unknownFields.wireBytes == record)
    }

    @Test("A map's key whose marks take long to order is refused; a long key of real text, and the same marks in another field, are read")
    func mapKeys() throws {
        let marks = "a" + String(repeating: "\u{301}\u{323}", count: 1_000)
        let entry = WireBytes().message(11, WireBytes().string(1, marks))
        #expect(error(entry.bytes) == .malformed(field: "counts[0].key", reason: .mapKeyMarks))
        #expect(error(WireBytes().message(7, entry).bytes) == .malformed(field: "branch.counts[0].key", reason: .mapKeyMarks))
        #expect(throws: JSONDecodingError.self) { try Node(jsonUTF8Bytes: Array("{\"counts\":{\"\(marks)\":1}}".utf8)) }
        #expect(try Node(serializedBytes: WireBytes().string(1, marks).bytes).name.utf8.count == marks.utf8.count)
        let words = String(repeating: "Vie\u{302}\u{323}t Nam \u{1112}\u{1161}\u{11AB} ", count: 100)
        #expect(try Node(serializedBytes: WireBytes().message(11, WireBytes().string(1, words).varint(2, 5)).bytes).counts == [words: 5])
    }

    @Test("Every prefix of a good message is read or refused, and a refusal is never protobuf-c's alone")
    func prefixes() throws {
        let bytes = try SampleMessages.tree.serializedBytes()
        for count in 0..<bytes.count {
            do {
                _ = try Node(serializedBytes: Array(bytes[..<count]))
            } catch {
                if case .malformed(_, .refusedByParser) = error { Issue.record("prefix of \(count) bytes") }
            }
        }
    }

    @Test("Errors describe themselves with the path")
    func descriptions() {
        #expect(DecodingError.nulInString(field: "users[3].name").description == "users[3].name: a string holds a NUL")
        #expect(DecodingError.malformed(field: "", reason: .truncated).description == "message: malformed wire bytes: they end too early")
        // No client sees the name of a Swift case.
        let reasons: [Malformation] = [
            .truncated, .tagTooLong, .fieldNumberOutOfRange, .varintTooLong, .lengthOutOfRange, .group, .unknownWireType, .packedLength,
            .mapKeyMarks, .messageTooLarge, .refusedByParser,
        ]
        for reason in reasons { #expect(reason.description.contains(" ")) }
        #expect(Set(reasons.map(\.description)).count == reasons.count)
        #expect(EncodingError.nulInString(field: "a.b").description == "a.b: a string holds a NUL")
    }
}

@Suite("Required fields (proto2)") struct RequiredFieldTests {
    private let descriptor = MessageDescriptor(
        of: Pulseboard__Test__Required.self, initializedBy: pulseboard__test__required__init)

    private func unpack(_ bytes: WireBytes) throws(DecodingError) -> String {
        var summary = ""
        try bytes.bytes.withUnsafeBufferPointer { (buffer) throws(DecodingError) in
            _ = try withUnpacked(buffer, as: descriptor, options: DecodingOptions()) { unpacked, _ in
                let message = unpacked.assumingMemoryBound(to: Pulseboard__Test__Required.self).pointee
                summary = "\(MessageReader.string(message.name)) \(message.count) \(MessageReader.string(message.label))"
            }
        }
        return summary
    }

    @Test("Absence is an error with the path, at every level")
    func missing() throws {
        #expect(throws: DecodingError.missingRequiredField(field: "name")) { try unpack(WireBytes()) }
        let inner = WireBytes().string(1, "a").message(4, WireBytes().varint(2, 1))
        #expect(throws: DecodingError.missingRequiredField(field: "inner.name")) { try unpack(inner) }
        let others = WireBytes().string(1, "a").message(5, WireBytes().string(1, "b")).message(5, WireBytes())
        #expect(throws: DecodingError.missingRequiredField(field: "others[1].name")) { try unpack(others) }
    }

    @Test("Defaults stand in for what is absent")
    func defaults() throws {
        #expect(try unpack(WireBytes().string(1, "a")) == "a 7 none")
    }

    @Test("A submessage in two parts is complete when the parts together are")
    func mergedParts() throws {
        let bytes = WireBytes().string(1, "a").message(4, WireBytes().string(1, "b")).message(4, WireBytes().varint(2, 3))
        #expect(try unpack(bytes) == "a 7 none")
    }
}
