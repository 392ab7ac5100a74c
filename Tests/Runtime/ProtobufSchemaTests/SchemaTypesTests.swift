import GoldenMessages
import ProtobufC
import ProtobufWellKnownTypes
import Testing

@testable import ProtobufSchema

@Suite("Types made at run time do what generated ones do") struct SchemaTypesTests {
    private static func schema(_ file: FileDescriptor) throws -> Schema {
        Schema(try file.withAllDependencies.map { try SchemaFile(serializedBytes: $0.serializedBytes) })
    }

    /// Runs the same JSON through a generated type and the same type made from its descriptor.
    private func bothWays<Generated: Message>(
        _ type: Generated.Type, _ json: String, _ file: FileDescriptor
    ) throws -> (generated: Generated, dynamic: DynamicMessage, types: SchemaTypes) {
        let types = try SchemaTypes(try Self.schema(file))
        let descriptor = try #require(types[Generated.descriptor.fullName])
        let registry = JSONDecodingOptions(typeRegistry: types.registry)
        return (
            try Generated(jsonString: json, options: registry),
            try DynamicMessage(jsonUTF8Bytes: Array(json.utf8), as: descriptor, options: registry), types
        )
    }

    @Test(
        "Every kind of field: the same bytes from JSON, the same JSON from bytes",
        arguments: [
            "{}",
            #"{"aInt32":-1,"aInt64":"-9007199254740993","aUint32":4294967295,"aUint64":"18446744073709551615","aSint32":-2147483648}"#,
            #"{"aSint64":"-3","aFixed32":7,"aFixed64":"8","aSfixed32":-9,"aSfixed64":"-10","aFloat":1.5,"aDouble":"-Infinity"}"#,
            #"{"aBool":true,"aString":"한글 \n","aBytes":"AAECAw==","mood":"MOOD_FINE"}"#,
            #"{"mood":"MOOD_LOW","inner":{"innermost":{"text":"deep"},"moods":["MOOD_HIGH",77,"MOOD_2ND"]}}"#,
            #"{"manyInt32":[1,-2,3],"manyUint64":["1"],"manySint32":[-1],"manyFixed64":["2"],"manyFloat":[0.5],"manyDouble":[1e300]}"#,
            #"{"manyBool":[true,false],"manyString":["","a"],"manyBytes":["","/w=="],"manyInner":[{},{"moods":["MOOD_GOOD"]}]}"#,
            #"{"unpackedInt32":[1,2,300]}"#,
        ])
    func everyField(_ json: String) throws {
        let (generated, dynamic, _) = try bothWays(Golden_V1_Everything.self, json, Golden_V1_EverythingFile.descriptor)
        #expect(try generated.serializedBytes() == dynamic.serializedBytes)
        #expect(try generated.jsonUTF8Bytes() == dynamic.jsonUTF8Bytes())
        let all = JSONEncodingOptions(alwaysPrintDefaults: true, preserveProtoFieldNames: true, prettyPrinted: true)
        #expect(try generated.jsonString(options: all) == String(decoding: dynamic.jsonUTF8Bytes(options: all), as: UTF8.self))
    }

    @Test("A message passes through as bytes, whatever it is, in a call's place for a message")
    func opaque() throws {
        let json = #"{"aInt32":5,"aString":"x","manyInt32":[1,2],"inner":{"moods":[1]}}"#
        let (generated, dynamic, _) = try bothWays(Golden_V1_Everything.self, json, Golden_V1_EverythingFile.descriptor)
        let opaque = OpaqueMessage(dynamic)
        #expect(try opaque.serializedBytes() == generated.serializedBytes())
        #expect(try OpaqueMessage(serializedBytes: dynamic.serializedBytes).wireBytes == dynamic.serializedBytes)
        #expect(try OpaqueMessage().serializedBytes() == [])
        #expect(throws: DecodingError.self) { try OpaqueMessage(serializedBytes: [0x0A, 0x05]) }
    }

    @Test("Any is resolved through the schema's own types")
    func any() throws {
        let types = try SchemaTypes(try Self.schema(Golden_V1_EverythingFile.descriptor))
        let descriptor = try #require(types["google.protobuf.Any"])
        let json = #"{"@type":"type.googleapis.com/golden.v1.Everything","aString":"inside"}"#
        let message = try DynamicMessage(
            jsonUTF8Bytes: Array(json.utf8), as: descriptor, options: JSONDecodingOptions(typeRegistry: types.registry))
        let written = try message.jsonUTF8Bytes(options: JSONEncodingOptions(typeRegistry: types.registry))
        #expect(String(decoding: written, as: UTF8.self) == json)
    }

    private static let stranger = Google_Protobuf_Any(typeURL: "a/nobody.Knows", value: [0xFF])

    /// An Any as JSON.
    private func json(_ any: Google_Protobuf_Any, showsBytes: @escaping @Sendable (String) -> Bool = { _ in false }) throws -> String {
        let types = try SchemaTypes(try Self.schema(Golden_V1_EverythingFile.descriptor))
        let descriptor = try #require(types["google.protobuf.Any"])
        var options = JSONEncodingOptions(typeRegistry: types.registry)
        options.showsBytes = showsBytes
        let message = try DynamicMessage(serializedBytes: any.serializedBytes(), as: descriptor)
        return String(decoding: try message.jsonUTF8Bytes(options: options), as: UTF8.self)
    }

    @Test("An Any of a chosen type that nobody describes is shown as type URL and bytes, and what cannot be read is an error")
    func bytesOfAny() throws {
        let showsBytes: @Sendable (String) -> Bool = { $0 == Self.stranger.typeURL }
        #expect(throws: JSONEncodingError.unknownType(field: "", typeURL: "a/nobody.Knows")) { try json(Self.stranger) }
        let other = Google_Protobuf_Any(typeURL: "a/other.Stranger", value: [])
        #expect(throws: JSONEncodingError.unknownType(field: "", typeURL: "a/other.Stranger")) { try json(other, showsBytes: showsBytes) }
        let shown = #"{"@type":"a/nobody.Knows","value":"/w=="}"#
        #expect(try json(Self.stranger, showsBytes: showsBytes) == shown)
        let inside = Google_Protobuf_Any(typeURL: "b/google.protobuf.Any", value: try Self.stranger.serializedBytes())
        #expect(try json(inside, showsBytes: showsBytes) == #"{"@type":"b/google.protobuf.Any","value":"# + shown + "}")
        let damaged = Google_Protobuf_Any(typeURL: "a/golden.v1.Everything", value: [0xFF])
        #expect(throws: JSONEncodingError.self) { try json(damaged, showsBytes: showsBytes) }
        // JSON shows no more than a hundred levels.
        let deep = try (0..<300).reduce(Self.stranger) { inner, _ in
            Google_Protobuf_Any(typeURL: "b/google.protobuf.Any", value: try inner.serializedBytes())
        }
        #expect(throws: JSONEncodingError.self) { try json(deep, showsBytes: showsBytes) }
    }

    @Test("Each Any of a type that is not described can be shown as bytes, also one whose type URL names no type; the others are shown as usual")
    func bytesOfEachAny() throws {
        for typeURL in ["nobody.Knows", "a/", "", "a/" + String(repeating: "x", count: 1_001)] {
            let packed = Google_Protobuf_Any(typeURL: typeURL, value: [0xFF])
            #expect(try json(packed, showsBytes: { _ in true }) == "{\"@type\":\"\(typeURL)\",\"value\":\"/w==\"}")
        }
        #expect(try json(Google_Protobuf_Any(), showsBytes: { _ in true }) == "{}")
        for typeURL in ["a/nobody.Knows", "a/other.Stranger", "/?stand-in"] {
            let packed = Google_Protobuf_Any(typeURL: typeURL, value: [])
            #expect(try json(packed, showsBytes: { _ in true }) == "{\"@type\":\"\(typeURL)\",\"value\":\"\"}")
        }
        // The field `a_int32`.
        let known = Google_Protobuf_Any(typeURL: "a/golden.v1.Everything", value: [0x08, 0x05])
        #expect(try json(known, showsBytes: { _ in true }) == #"{"@type":"a/golden.v1.Everything","aInt32":5}"#)
    }

    @Test("Bytes from the wire pass the same checks: no NUL, no broken UTF-8, no endless nesting")
    func checks() throws {
        let types = try SchemaTypes(try Self.schema(Golden_V1_EverythingFile.descriptor))
        let descriptor = try #require(types["golden.v1.Everything"])
        #expect(throws: DecodingError.nulInString(field: "a_string")) {
            try DynamicMessage(serializedBytes: [0x72, 0x01, 0x00], as: descriptor)
        }
        #expect(throws: DecodingError.invalidUTF8(field: "a_string")) {
            try DynamicMessage(serializedBytes: [0x72, 0x01, 0xFF], as: descriptor)
        }
    }

    // MARK: What generated types cannot have

    /// Types with fields of proto2 and proto3 that protoc-c refuses or that the generator does not support.
    private func types(_ syntax: String, _ fields: [SchemaField], oneofs: [String] = []) throws(SchemaFault) -> MessageDescriptor? {
        var file = SchemaFile(name: "a.proto", package: "a", syntax: syntax, dependencies: [])
        file.messages = [SchemaMessage(name: "M", fullName: "a.M", fields: fields, oneofs: oneofs)]
        file.enums = [SchemaEnum(name: "E", fullName: "a.E", values: [.init(name: "E_ONE", number: 1)])]
        return try SchemaTypes(Schema([file]))["a.M"]
    }

    private func field(_ name: String, _ number: Int32, _ type: SchemaFieldType) -> SchemaField {
        SchemaField(name: name, fullName: "a.M." + name, number: number, type: type)
    }

    private func roundTrip(_ json: String, _ descriptor: MessageDescriptor?) throws -> String {
        let message = try DynamicMessage(jsonUTF8Bytes: Array(json.utf8), as: try #require(descriptor))
        let read = try DynamicMessage(serializedBytes: message.serializedBytes, as: message.descriptor)
        return String(decoding: try read.jsonUTF8Bytes(), as: UTF8.self)
    }

    @Test("proto3 optional, and proto2: a default that was set is kept, one that was not is not made up")
    func presence() throws {
        let scalars: [(String, SchemaFieldType, String)] = [
            ("n", .int32, "0"), ("d", .double, "0"), ("b", .bool, "false"), ("s", .string, "\"\""), ("y", .bytes, "\"\""),
            ("e", .enumeration("a.E"), "\"E_ONE\""),
        ]
        for (name, type, value) in scalars {
            var optional = field(name, 1, type)
            optional.oneofIndex = 0
            optional.isProto3Optional = true
            let ofProto3 = try types("proto3", [optional], oneofs: ["_" + name])
            #expect(try roundTrip("{\"\(name)\":\(value)}", ofProto3) == "{\"\(name)\":\(value)}")
            #expect(try roundTrip("{}", ofProto3) == "{}")
            let ofProto2 = try types("proto2", [field(name, 1, type)])
            #expect(try roundTrip("{\"\(name)\":\(value)}", ofProto2) == "{\"\(name)\":\(value)}")
            #expect(try roundTrip("{}", ofProto2) == "{}")
        }
    }

    @Test("proto2 required: its absence is an error, its default value is not")
    func required() throws {
        var needed = field("needed", 1, .int32)
        needed.label = .required
        let descriptor = try #require(try types("proto2", [needed]))
        #expect(try roundTrip(#"{"needed":0}"#, descriptor) == #"{"needed":0}"#)
        #expect(throws: DecodingError.missingRequiredField(field: "needed")) {
            try DynamicMessage(serializedBytes: [], as: descriptor)
        }
        #expect(throws: JSONDecodingError.missingRequiredField(field: "needed")) {
            try DynamicMessage(jsonUTF8Bytes: Array("{}".utf8), as: descriptor)
        }
    }

    @Test("A oneof of members of every width holds the one that came last")
    func oneof() throws {
        let members = [
            field("small", 1, .int32), field("wide", 2, .bytes), field("text", 3, .string), field("self", 4, .message("a.M")),
        ].map { member in
            var member = member
            member.oneofIndex = 0
            return member
        }
        let descriptor = try types("proto3", members, oneofs: ["choice"])
        for json in [#"{"small":0}"#, #"{"wide":"AQID"}"#, #"{"text":""}"#, #"{"self":{"self":{"small":3}}}"#] {
            #expect(try roundTrip(json, descriptor) == json)
        }
        // small, then wide, then text: the last one counts.
        let bytes: [UInt8] = [0x08, 0x01, 0x12, 0x01, 0x07, 0x1A, 0x01, 0x61]
        let message = try DynamicMessage(serializedBytes: bytes, as: try #require(descriptor))
        #expect(String(decoding: try message.jsonUTF8Bytes(), as: UTF8.self) == #"{"text":"a"}"#)
    }

    @Test("A chosen JSON name is written, and read beside the name of the file")
    func jsonName() throws {
        var named = field("some_name", 1, .int32)
        named.chosenJSONName = "@other"
        let descriptor = try types("proto3", [named])
        #expect(try roundTrip(#"{"@other":1}"#, descriptor) == #"{"@other":1}"#)
        #expect(try roundTrip(#"{"some_name":1}"#, descriptor) == #"{"@other":1}"#)
        #expect(throws: JSONDecodingError.unknownField(field: "someName")) { try roundTrip(#"{"someName":1}"#, descriptor) }
    }

    @Test("Packing follows the option, else the syntax")
    func packing() throws {
        var numbers = field("n", 1, .uint32)
        numbers.label = .repeated
        func bytes(_ syntax: String, _ isPacked: Bool?) throws -> [UInt8] {
            var numbers = numbers
            numbers.isPacked = isPacked
            let descriptor = try #require(try types(syntax, [numbers]))
            return try DynamicMessage(jsonUTF8Bytes: Array(#"{"n":[1,2]}"#.utf8), as: descriptor).serializedBytes
        }
        let packed: [UInt8] = [0x0A, 0x02, 0x01, 0x02]
        let apart: [UInt8] = [0x08, 0x01, 0x08, 0x02]
        #expect(try bytes("proto3", nil) == packed)
        #expect(try bytes("proto3", false) == apart)
        #expect(try bytes("proto2", nil) == apart)
        #expect(try bytes("proto2", true) == packed)
        #expect(try bytes("editions", nil) == packed)
    }

    // MARK: Schemas that no protoc would write

    @Test("An enum of proto2 holds no numbers but its own: others are unknown fields; one of proto3 holds them", arguments: [
        // A single field, its last value, a packed list, a list in parts, a map's value: each with 1, which is known, and 9.
        ([0x08, 0x09], #"{}"#, #"{"one":9}"#), ([0x08, 0x01, 0x08, 0x09], #"{"one":"E_ONE"}"#, #"{"one":9}"#),
        ([0x12, 0x03, 0x01, 0x09, 0x01], #"{"many":["E_ONE","E_ONE"]}"#, #"{"many":["E_ONE",9,"E_ONE"]}"#),
        ([0x10, 0x09, 0x10, 0x01], #"{"many":["E_ONE"]}"#, #"{"many":[9,"E_ONE"]}"#), ([0x12, 0x01, 0x09], #"{}"#, #"{"many":[9]}"#),
        ([0x1A, 0x04, 0x08, 0x05, 0x10, 0x09, 0x1A, 0x04, 0x08, 0x06, 0x10, 0x01], #"{"map":{"6":"E_ONE"}}"#, #"{"map":{"5":9,"6":"E_ONE"}}"#),
    ] as [([UInt8], String, String)])
    func closedEnums(_ bytes: [UInt8], _ closed: String, _ open: String) throws {
        for (syntax, expected) in [("proto2", closed), ("proto3", open)] {
            var many = field("many", 2, .enumeration("a.E"))
            many.label = .repeated
            var map = field("map", 3, .message("a.M.MapEntry"))
            map.label = .repeated
            var file = SchemaFile(name: "a.proto", package: "a", syntax: syntax, dependencies: [])
            let key = SchemaField(name: "key", fullName: "a.M.MapEntry.key", number: 1, type: .int32)
            let value = SchemaField(name: "value", fullName: "a.M.MapEntry.value", number: 2, type: .enumeration("a.E"))
            let entry = SchemaMessage(name: "MapEntry", fullName: "a.M.MapEntry", fields: [key, value], isMapEntry: true)
            let fields = [field("one", 1, .enumeration("a.E")), many, map]
            file.messages = [SchemaMessage(name: "M", fullName: "a.M", fields: fields, messages: [entry])]
            file.enums = [SchemaEnum(name: "E", fullName: "a.E", values: [.init(name: "E_ONE", number: 1)])]
            let type = try #require(try SchemaTypes(Schema([file]))["a.M"])
            let message = try DynamicMessage(serializedBytes: bytes, as: type)
            #expect(String(decoding: try message.jsonUTF8Bytes(), as: UTF8.self) == expected, "\(syntax)")
            #expect(message.serializedBytes == bytes)
        }
    }

    @Test("A record that its field cannot have, and a group, say nothing in JSON and stay in the bytes")
    func strangers() throws {
        let type = try #require(try types("proto3", [field("n", 1, .int32), field("t", 2, .string)]))
        let bytes: [UInt8] = [0x0D, 1, 0, 0, 0, 0x08, 0x05, 0x10, 0x01, 0x1B, 0x0A, 0x01, 0x61, 0x1C, 0x12, 0x01, 0x62]
        let message = try DynamicMessage(serializedBytes: bytes, as: type)
        #expect(String(decoding: try message.jsonUTF8Bytes(), as: UTF8.self) == #"{"n":5,"t":"b"}"#)
        #expect(message.serializedBytes == bytes)
        #expect(try OpaqueMessage(message).serializedBytes() == bytes)
        let known: [UInt8] = [0x08, 0x05, 0x12, 0x01, 0x62]
        #expect(try message.normalized().serializedBytes == known + [0x0D, 1, 0, 0, 0, 0x10, 0x01, 0x1B, 0x0A, 0x01, 0x61, 0x1C])
    }

    @Test("A schema that cannot be is refused, and nothing is built on it")
    func faults() throws {
        #expect(throws: SchemaFault.missingType(field: "a.M.m", type: "a.None")) { try types("proto3", [field("m", 1, .message("a.None"))]) }
        #expect(throws: SchemaFault.missingType(field: "a.M.e", type: "a.M")) { try types("proto3", [field("e", 1, .enumeration("a.M"))]) }
        // protobuf reserves 19,000 to 19,999 for its implementations; protoc refuses them too.
        for numbers: [Int32] in [[0], [-1], [1 << 29], [5, 5], [19_000], [19_999]] {
            #expect(throws: SchemaFault.self) { try types("proto3", numbers.enumerated().map { field("f\($0)", $1, .int32) }) }
        }
        var lost = field("lost", 1, .int32)
        lost.oneofIndex = 3
        #expect(throws: SchemaFault.badOneof(field: "a.M.lost")) { try types("proto3", [lost]) }
        lost.oneofIndex = -1
        #expect(throws: SchemaFault.badOneof(field: "a.M.lost")) { try types("proto3", [lost]) }
        var file = SchemaFile(name: "a.proto", package: "", syntax: "proto3", dependencies: [])
        file.messages = [SchemaMessage(name: "M", fullName: "M"), SchemaMessage(name: "M", fullName: "M")]
        #expect(throws: SchemaFault.duplicateType("M")) { try SchemaTypes(Schema([file])) }
    }

    @Test("An entry whose key and value share a oneof is no map's: only one of them is there to be read")
    func falseMapEntry() throws {
        var file = SchemaFile(name: "a.proto", package: "a", syntax: "proto3", dependencies: [])
        let parts = [("key", SchemaFieldType.string), ("value", .int64)].enumerated().map { index, part in
            var part = SchemaField(name: part.0, fullName: "a.M.CountsEntry." + part.0, number: Int32(index + 1), type: part.1)
            part.oneofIndex = 0
            return part
        }
        var counts = field("counts", 1, .message("a.M.CountsEntry"))
        counts.label = .repeated
        var message = SchemaMessage(name: "M", fullName: "a.M", fields: [counts])
        message.messages = [SchemaMessage(name: "CountsEntry", fullName: "a.M.CountsEntry", fields: parts, oneofs: ["either"])]
        file.messages = [message]
        let descriptor = try #require(try SchemaTypes(Schema([file]))["a.M"])
        let read = try DynamicMessage(serializedBytes: [0x0A, 0x02, 0x10, 0x05], as: descriptor)
        #expect(String(decoding: try read.jsonUTF8Bytes(), as: UTF8.self) == #"{"counts":[{"value":"5"}]}"#)
    }

    @Test("A Value that holds a Value where it should hold an object is none: JSON would be read into it without end")
    func falseValue() throws {
        var file = SchemaFile(name: "t.proto", package: "google.protobuf", syntax: "proto3", dependencies: [])
        let name = "google.protobuf.Value"
        let kinds: [(String, SchemaFieldType)] = [
            ("null_value", .enumeration("google.protobuf.NullValue")), ("number_value", .double), ("string_value", .string),
            ("bool_value", .bool), ("struct_value", .message(name)), ("list_value", .message(name)),
        ]
        let fields = kinds.enumerated().map { index, kind in
            var field = SchemaField(name: kind.0, fullName: "\(name).\(kind.0)", number: Int32(index + 1), type: kind.1)
            field.oneofIndex = 0
            return field
        }
        file.messages = [SchemaMessage(name: "Value", fullName: name, fields: fields, oneofs: ["kind"])]
        file.enums = [SchemaEnum(name: "NullValue", fullName: "google.protobuf.NullValue", values: [.init(name: "NULL_VALUE", number: 0)])]
        let descriptor = try SchemaTypes(Schema([file]))[name]
        let json = #"{"structValue":{"listValue":{"stringValue":"x"}}}"#
        #expect(try roundTrip(json, descriptor) == json)
    }

    @Test("A stranger under a well-known name is taken for what it is, not for what it is called")
    func falseTimestamp() throws {
        var file = SchemaFile(name: "t.proto", package: "google.protobuf", syntax: "proto3", dependencies: [])
        let text = SchemaField(name: "seconds", fullName: "google.protobuf.Timestamp.seconds", number: 1, type: .string)
        file.messages = [SchemaMessage(name: "Timestamp", fullName: "google.protobuf.Timestamp", fields: [text])]
        let descriptor = try SchemaTypes(Schema([file]))["google.protobuf.Timestamp"]
        #expect(try roundTrip(#"{"seconds":"x"}"#, descriptor) == #"{"seconds":"x"}"#)
    }
}
