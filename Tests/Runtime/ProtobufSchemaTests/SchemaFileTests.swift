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
