import Foundation
import GoldenMessages
import ProtobufC
import ProtobufWellKnownTypes
import Testing

/// The generated code: values to bytes and JSON and back, compared with protoc as the second implementation.
@Suite struct EverythingRoundTripTests {
    private static let registry = TypeRegistry([Golden_V1_Branch.self])

    @Test("a message with every field comes back equal from its bytes, and those are always the same")
    func bytes() throws {
        let message = try Golden_V1_Everything.example()
        let bytes = try message.serializedBytes()
        #expect(try Golden_V1_Everything(serializedBytes: bytes) == message)
        #expect(try Golden_V1_Everything.example().serializedBytes() == bytes)
    }

    @Test("protoc's bytes for the same message are read as that message, and protoc reads ours")
    func protocAgrees() async throws {
        let text = [UInt8](try Data(contentsOf: Protoc.goldenFolder.appending(path: "everything.txtpb")))
        let encoded = try await protoc("--encode", input: text)
        let message = try Golden_V1_Everything.example()
        #expect(try Golden_V1_Everything(serializedBytes: encoded) == message)

        let ours = try message.serializedBytes()
        #expect(try await protoc("--decode", input: ours) == protoc("--decode", input: encoded))
    }

    @Test("a message with every field comes back equal from its JSON")
    func json() throws {
        let message = try Golden_V1_Everything.example()
        for preserve in [false, true] {
            let options = JSONEncodingOptions(preserveProtoFieldNames: preserve, typeRegistry: Self.registry)
            let json = try message.jsonString(options: options)
            let back = try Golden_V1_Everything(
                jsonString: json, options: JSONDecodingOptions(typeRegistry: Self.registry))
            #expect(back == message, "\(json)")
        }
    }

    @Test("JSON has the names of enum values, of the lowest and the highest number too")
    func enumNames() throws {
        for (mood, name) in [(.high, "MOOD_HIGH"), (.low, "MOOD_LOW"), (.good, "MOOD_GOOD")] as [(Golden_V1_Everything.Mood, String)] {
            #expect(try Golden_V1_Everything(mood: mood).jsonString() == "{\"mood\":\"\(name)\"}")
        }
    }

    @Test("a message without any field set takes no bytes and comes back")
    func empty() throws {
        #expect(try Golden_V1_Everything().serializedBytes() == [])
        #expect(try Golden_V1_Everything(serializedBytes: []) == Golden_V1_Everything())
        #expect(try Golden_V1_Nothing(serializedBytes: Golden_V1_Nothing().serializedBytes()) == Golden_V1_Nothing())
    }

    @Test("an enum number that the schema lacks survives, alone, repeated, in a map and in a oneof")
    func unknownEnumNumbers() throws {
        var message = Golden_V1_Everything()
        message.mood = .unrecognized(77)
        message.manyMood = [.good, .unrecognized(-5)]
        message.moodByBool = [true: .unrecognized(1_000_000)]
        message.choice = .chosenMood(.unrecognized(78))
        let back = try Golden_V1_Everything(serializedBytes: message.serializedBytes())
        #expect(back == message)
        #expect(back.mood.rawValue == 77)
    }

    @Test("two names of one enum number are one value")
    func aliases() {
        #expect(Golden_V1_Everything.Mood.fine == .good)
        #expect(Golden_V1_Everything.Mood(rawValue: 2) == .good)
        #expect(Golden_V1_Everything.Mood() == .unspecified)
    }

    @Test("every member of a oneof comes back with its case, at its default value too", arguments: [
        .chosenInt32(0), .chosenInt32(-1), .chosenBool(false), .chosenString(""), .chosenString("가"), .chosenBytes([]),
        .chosenMood(.unspecified), .chosenInner(.init()), .chosenDouble(0), .chosenTime(.init()), nil,
    ] as [Golden_V1_Everything.OneOf_Choice?])
    func oneofs(choice: Golden_V1_Everything.OneOf_Choice?) throws {
        let message = Golden_V1_Everything(choice: choice)
        #expect(try Golden_V1_Everything(serializedBytes: message.serializedBytes()).choice == choice)
        let json = try message.jsonString()
        #expect(try Golden_V1_Everything(jsonString: json).choice == choice, "\(json)")
    }

    @Test("fields that a smaller schema lacks are kept and written back")
    func unknownFields() throws {
        let message = try Golden_V1_Everything.example()
        let small = try Golden_V1_Nothing(serializedBytes: message.serializedBytes())
        #expect(!small.unknownFields.isEmpty)
        #expect(try Golden_V1_Everything(serializedBytes: small.serializedBytes()) == message)
    }

    @Test("a map entry without key or value has their defaults; of equal keys the last one counts")
    func incompleteMapEntries() throws {
        // Field 42: an empty entry; field 41: {a: b}, then {a: c}.
        let bytes: [UInt8] = [
            0xD2, 0x02, 0, 0xCA, 0x02, 6, 0x0A, 1, 0x61, 0x12, 1, 0x62, 0xCA, 0x02, 6, 0x0A, 1, 0x61, 0x12, 1, 0x63,
        ]
        let message = try Golden_V1_Everything(serializedBytes: bytes)
        #expect(message.innerByInt32 == [0: .init()])
        #expect(message.stringByString == ["a": "c"])
    }

    @Test("a string with a NUL is not cut off: it is refused with the path of the field")
    func nulInStrings() throws {
        var message = Golden_V1_Everything(manyInner: [.init(), .init(innermost: .init(text: "a\0b"))])
        #expect(throws: EncodingError.nulInString(field: "many_inner[1].innermost.text")) {
            try message.serializedBytes()
        }
        message = Golden_V1_Everything(stringByString: ["k": "\0"])
        #expect(throws: EncodingError.nulInString(field: "string_by_string[0].value")) { try message.serializedBytes() }
        message = Golden_V1_Everything(choice: .chosenString("\0"))
        #expect(throws: EncodingError.nulInString(field: "chosen_string")) { try message.serializedBytes() }
    }

    private func protoc(_ direction: String, input: [UInt8]) async throws -> [UInt8] {
        let outcome = try await Protoc.run(
            ["-I\(Protoc.goldenProtos.path())", "\(direction)=golden.v1.Everything", "golden/v1/everything.proto"],
            input: input)
        try #require(outcome.succeeded, "\(outcome.messages)")
        return outcome.output
    }
}
