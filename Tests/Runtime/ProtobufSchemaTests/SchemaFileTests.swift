import GoldenMessages
import ProtobufC
import Testing

@testable import ProtobufSchema

@Suite struct SchemaFileTests {
    @Test("A file's declarations are found by their full names, wherever they are nested")
    func index() throws {
        let schema = Schema(
            try Golden_V1_EverythingFile.descriptor.withAllDependencies.map { try SchemaFile(serializedBytes: $0.serializedBytes) })
        guard case .message(let innermost)? = schema["golden.v1.Everything.Inner.Innermost"] else {
            Issue.record("no Innermost")
            return
        }
        #expect(innermost.fields.map(\.name) == ["text"])
        guard case .field(let field)? = schema["golden.v1.Everything.a_sint64"] else {
            Issue.record("no a_sint64")
            return
        }
        #expect(field.number == 6)
        #expect(field.type == .sint64)
        #expect(field.chosenJSONName == nil)
        guard case .enumValue(let value, of: let mood)? = schema["golden.v1.Everything.MOOD_LOW"] else {
            Issue.record("no MOOD_LOW")
            return
        }
        #expect(value.number == .min)
        #expect(mood.allowsAliases)
        #expect(schema["golden.v1.Everything.Nothing"] == nil)
        #expect(schema.file(declaring: "google.protobuf.Timestamp.seconds")?.name == "google/protobuf/timestamp.proto")
    }

    @Test("Bytes that are no file, or cut short, are refused or read; never do they stop the program")
    func damaged() throws {
        let bytes = Golden_V1_EverythingFile.descriptor.serializedBytes
        let imported = try Golden_V1_EverythingFile.descriptor.withAllDependencies.dropLast().map {
            try SchemaFile(serializedBytes: $0.serializedBytes)
        }
        #expect(throws: DecodingError.self) { try SchemaFile(serializedBytes: [0xFF]) }
        #expect(try SchemaFile(serializedBytes: []).name.isEmpty)
        for length in stride(from: 0, to: bytes.count, by: 61) {
            guard let file = try? SchemaFile(serializedBytes: Array(bytes.prefix(length))) else { continue }
            _ = try? SchemaTypes(Schema([file] + imported))
        }
        // Bytes throughout the file are changed. Every file that can still be read is built and used. There are few, because built
        // types are never freed.
        for index in stride(from: 0, to: bytes.count, by: 53) {
            var changed = bytes
            changed[index] ^= 0x15
            guard let file = try? SchemaFile(serializedBytes: changed), let types = try? SchemaTypes(Schema([file] + imported)),
                let descriptor = types["golden.v1.Everything"]
            else { continue }
            let message = try? DynamicMessage(serializedBytes: [0x08, 0x01, 0x72, 0x01, 0x61, 0x8A, 0x01, 0x00], as: descriptor)
            _ = try? message?.jsonUTF8Bytes()
        }
    }

    @Test("a name that protoc would refuse, one that is too long with its scope, and a path that is not ASCII are refused")
    func names() throws {
        func file(_ name: String, message: String = "M", field: String = "f", package: String = "p", type: String = "") -> [UInt8] {
            let field = Self.string(1, field) + Self.string(6, type)
            return Self.string(1, name) + Self.string(2, package) + Self.bytes(4, Self.string(1, message) + Self.bytes(2, field))
        }
        // With the package and the field, 512 bytes.
        let long = String(repeating: "a", count: 508)
        for accepted in [
            file("a/b.proto"), file("a.proto", message: "_M1", package: "p.q"), file("a.proto", package: ""), file("a.proto", message: long),
            file("a.proto", type: ".p.M"),
        ] {
            #expect(throws: Never.self) { try SchemaFile(serializedBytes: accepted) }
        }
        for refused in [
            file("\u{e9}.proto"), file(String(repeating: "a", count: 513)), file("a.proto", message: "M\u{316}"), file("a.proto", message: "1M"),
            file("a.proto", message: ""), file("a.proto", message: long + "a"), file("a.proto", field: "a.b"), file("a.proto", package: "p..q"),
            file("a.proto", type: "p.\u{301}"), file("a.proto", message: "M N"),
        ] {
            #expect(throws: DecodingError.malformed(field: "", reason: .schemaName)) { try SchemaFile(serializedBytes: refused) }
        }
    }

    private static func string(_ number: UInt8, _ text: String) -> [UInt8] { text.isEmpty ? [] : bytes(number, Array(text.utf8)) }

    /// One record of the wire form, with less than 16 KiB.
    private static func bytes(_ number: UInt8, _ value: [UInt8]) -> [UInt8] {
        [number << 3 | 2, UInt8(value.count & 0x7F | 0x80), UInt8(value.count >> 7)] + value
    }

    /// One record of the wire form, with less than 128 bytes.
    private static func record(_ number: UInt16, _ parts: [UInt8]...) -> [UInt8] {
        let content = parts.flatMap { $0 }
        let tag = number << 3 | 2
        let tagBytes: [UInt8] = tag < 0x80 ? [UInt8(tag)] : [UInt8(tag & 0x7F) | 0x80, UInt8(tag >> 7)]
        return tagBytes + [UInt8(content.count)] + content
    }

    private static func text(_ number: UInt16, _ text: String) -> [UInt8] { record(number, Array(text.utf8)) }

    /// `message M { M here = 1; M there = 2; map<string, M> map = 3; message In { M deep = 1; } In in = 4; }` with features of the file, of `here`,
    /// of `there` and of `In`. Each is a FeatureSet, in which 0x28, 1 says LENGTH_PREFIXED, and 0x28, 2 DELIMITED.
    private static func file(
        _ syntax: String, file: [UInt8] = [], here: [UInt8] = [], there: [UInt8] = [], in inside: [UInt8] = []
    ) throws -> SchemaFile {
        // A label of 1 is singular, 3 repeated; a type of 9 is a string, 11 a message.
        func field(_ name: String, _ number: UInt8, _ type: String, label: UInt8 = 1, options: [UInt8] = []) -> [UInt8] {
            let kind: [UInt8] = [0x18, number, 0x20, label, 0x28, type.isEmpty ? 9 : 11]
            return record(2, text(1, name), kind, text(6, type), options)
        }
        let entry = record(3, text(1, "MapEntry"), field("key", 1, ""), field("value", 2, ".M"), record(7, [0x38, 1]))
        let inner = record(3, text(1, "In"), field("deep", 1, ".M"), record(7, record(12, inside)))
        let message: [[UInt8]] = [
            text(1, "M"), field("here", 1, ".M", options: record(8, record(21, here))),
            field("there", 2, ".M", options: record(8, record(21, there))), field("map", 3, ".M.MapEntry", label: 3), field("in", 4, ".M.In"),
            entry, inner,
        ]
        let content = message.flatMap { $0 }
        // The message has more than 127 bytes.
        let long: [UInt8] = [0x22, UInt8(content.count & 0x7F) | 0x80, UInt8(content.count >> 7)]
        let parts: [[UInt8]] = [text(1, "m.proto"), long, content, record(8, record(50, file)), text(12, syntax)]
        return try SchemaFile(serializedBytes: parts.flatMap { $0 })
    }

    @Test("An edition's fields inherit their encoding, and those that are written between two tags are refused like groups")
    func delimited() throws {
        func delimited(_ file: SchemaFile) -> [String] {
            let message = file.messages[0]
            return (message.fields + message.messages.flatMap(\.fields)).filter(\.isDelimited).map(\.name)
        }
        let on: [UInt8] = [0x28, 2]
        let off: [UInt8] = [0x28, 1]
        #expect(try delimited(Self.file("editions")) == [])
        #expect(try delimited(Self.file("editions", there: on)) == ["there"])
        #expect(try delimited(Self.file("editions", there: [0x08, 1] + on + [0x10, 1])) == ["there"], "beside other features")
        #expect(try delimited(Self.file("editions", file: on, here: off)) == ["there", "in", "deep"])
        #expect(try delimited(Self.file("editions", file: on, here: off, in: off)) == ["there", "in"])
        #expect(try delimited(Self.file("editions", in: on)) == ["deep"])
        #expect(try delimited(Self.file("proto3", file: on, here: on)) == [], "only editions have features")

        let schema = Schema([try Self.file("editions", there: on)])
        let description = try #require(SchemaText.describing("M", in: schema))
        #expect(description.contains("  M there = 2 [features.message_encoding = DELIMITED];\n"), "\(description)")
        let type = try #require(try SchemaTypes(schema)["M"])
        let json = #"{"here":{"map":{"a":{}}}}"#
        #expect(String(decoding: try DynamicMessage(jsonUTF8Bytes: Array(json.utf8), as: type).jsonUTF8Bytes(), as: UTF8.self) == json)
        #expect(throws: JSONDecodingError.unknownField(field: "there")) {
            try DynamicMessage(jsonUTF8Bytes: Array(#"{"there":{}}"#.utf8), as: type)
        }
        // The server's group is an unknown field.
        let read = try DynamicMessage(serializedBytes: [0x13, 0x14, 0x0A, 0x00], as: type)
        #expect(String(decoding: try read.jsonUTF8Bytes(), as: UTF8.self) == #"{"here":{}}"#)
    }

    @Test("Files that are missing are named")
    func missing() {
        var schema = Schema([SchemaFile(name: "a", package: "", syntax: "proto3", dependencies: ["c", "b"])])
        #expect(schema.missingFile == "b")
        schema.add(SchemaFile(name: "b", package: "", syntax: "proto3", dependencies: []))
        #expect(schema.missingFile == "c")
        schema.add(SchemaFile(name: "c", package: "", syntax: "proto3", dependencies: ["a"]))
        #expect(schema.missingFile == nil)
    }
}

@Suite("What a file declares, read without decoding it") struct FileDeclarationsTests {
    private static let everything = Golden_V1_EverythingFile.descriptor

    @Test("The names are those of the decoded file", arguments: everything.withAllDependencies)
    func agreement(_ file: FileDescriptor) throws {
        let declarations = try file.declarations()
        let schema = Schema([try SchemaFile(serializedBytes: file.serializedBytes)])
        #expect(!(declarations.messages + declarations.others).isEmpty)
        for name in declarations.messages {
            guard case .message? = schema[name] else { Issue.record("\(name) is no message"); continue }
        }
        for name in declarations.others { #expect(schema[name] != nil, "\(name)") }
        #expect(Set(declarations.messages + declarations.others) == Set(schema.fullNames))
    }

    @Test("Damaged bytes are an error or fewer names, never the end of the program")
    func damaged() {
        let bytes = Self.everything.serializedBytes
        for index in stride(from: 0, to: bytes.count, by: 3) {
            var changed = bytes
            changed[index] ^= 0x81
            _ = try? FileDescriptor(name: "x", dependencies: [], serializedBytes: changed).declarations()
            _ = try? FileDescriptor(name: "x", dependencies: [], serializedBytes: Array(bytes.prefix(index))).declarations()
        }
        #expect(throws: DecodingError.self) {
            try FileDescriptor(name: "x", dependencies: [], serializedBytes: [0x22, 0x7F]).declarations()
        }
    }
}
