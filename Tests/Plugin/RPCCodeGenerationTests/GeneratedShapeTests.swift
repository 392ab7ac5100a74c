import GoldenMessages
import ProtobufC
import Testing

/// Recursive messages and unusual names, as compiled code.
@Suite struct GeneratedShapeTests {
    @Test("a message that holds itself is a value: it comes back equal, and a copy does not change with it")
    func recursion() throws {
        let leaf = Golden_V1_Tree(label: "leaf")
        let tree = Golden_V1_Tree(
            label: "root", left: leaf, right: Golden_V1_Branch(tree: leaf), children: [leaf, leaf], named: ["a": leaf],
            other: .twin(leaf))
        var copy = tree
        #expect(try Golden_V1_Tree(serializedBytes: tree.serializedBytes()) == tree)
        #expect(try Golden_V1_Tree(jsonString: tree.jsonString()) == tree)
        copy.left?.label = "changed"
        #expect(copy != tree)
        #expect(tree.left?.label == "leaf")
        copy.left = nil
        #expect(copy.left == nil)
    }

    @Test("fields named like words of Swift and C come back")
    func words() throws {
        let words = GPWords(
            self_: 1, init_: 2, type: 3, description_: 4, descriptor_: 5, unknownFields_: 6, hashValue_: 7, fill_: 8, in: 9,
            func: 10, let: 11, class: 12, default: 13, while: ["w"], int: "i", namespace: [1], protocol: 17, message: 18,
            pointer: 19, encoder: 20, serializedBytes_: [21], jsonString_: "j", switch: ["s": 23], operator: .nil("n"))
        #expect(try GPWords(serializedBytes: words.serializedBytes()) == words)
        #expect(try GPWords(jsonString: words.jsonString()) == words)
        #expect(try GPWords(serializedBytes: words.serializedBytes()).switch == ["s": 23])
    }

    @Test("names in unusual letter case come back; types named like Swift's own get a suffix")
    func letterCase() throws {
        let thing = GPHTTPThing_x(
            userID: "u", id: "i", url: "l", imageURL: "m", userIds: ["a", "b"], camelCase: "c", upper: "U", httpServer: "h",
            x2y3z: "x", pickOne: .otherName(3), e: .thirdValue)
        #expect(try GPHTTPThing_x(serializedBytes: thing.serializedBytes()) == thing)
        let names = GPNames(
            string: GPNames.StringMessage(string: "s"), type: GPNames.TypeMessage(string: .init(string: "t")),
            protocol: .unrecognized_)
        #expect(try GPNames(serializedBytes: names.serializedBytes()) == names)
    }

    @Test("a type without package is told apart from its C struct")
    func unpackaged() throws {
        let message = Unpackaged(text: "outer", inner: Unpackaged(text: "inner", kind: .other), others: ["a": Unpackaged()])
        #expect(try Unpackaged(serializedBytes: message.serializedBytes()) == message)
        #expect(Unpackaged.descriptor.fullName == "Unpackaged")
    }

    @Test("descriptors carry the full name")
    func fullNames() {
        #expect(Golden_V1_Everything.Inner.Innermost.descriptor.fullName == "golden.v1.Everything.Inner.Innermost")
        #expect(GPNames.StringMessage.descriptor.fullName == "golden.v1.Names.String")
    }

    @Test("a struct has little more room than its C struct, however many submessages its fields could have")
    func room() throws {
        #expect(MemoryLayout<GWWideLeaf>.size == 168)
        #expect(MemoryLayout<GWWideMiddle>.size <= 264)
        #expect(MemoryLayout<GWWide>.size <= 264)
        var wide = GWWide()
        #expect(wide.a == nil)
        wide.a = GWWideMiddle(a: GWWideLeaf(a: "one"), last: .j(GWWideLeaf(j: "two")))
        wide.j = GWWideMiddle(last: .number(3))
        wide.b = GWWideMiddle()
        let back = try GWWide(serializedBytes: try wide.serializedBytes())
        #expect(back == wide)
        #expect(back.a?.a?.a == "one" && back.b != nil && back.c == nil)
        wide.b = nil
        #expect(back != wide)
        // Two bytes of the wire each.
        let wides = try GWWides(serializedBytes: [UInt8](repeating: 0, count: 20_000).indices.map { $0 % 2 == 0 ? 0x0A : 0 })
        #expect(wides.wides.count == 10_000 && wides.wides.allSatisfy { $0 == GWWide() })
    }
}
