import ProtobufWellKnownTypes
import Testing

@testable import ProtobufC

@Suite struct JSONRejectionTests {
    @Test("Text that is not JSON", arguments: [
        ("", 0, .unexpectedEnd), (" ", 1, .unexpectedEnd), ("{", 1, .unexpectedEnd), ("{}x", 2, .unexpectedCharacter),
        ("{} {}", 3, .unexpectedCharacter), ("{\"name\":\"a\",}", 12, .unexpectedCharacter),
        ("{name:1}", 1, .unexpectedCharacter), ("{'name':1}", 1, .unexpectedCharacter),
        ("{\"name\" \"a\"}", 8, .unexpectedCharacter), ("[1,]", 3, .unexpectedCharacter), ("[1 2]", 3, .unexpectedCharacter),
        ("[01]", 2, .unexpectedCharacter), ("[+1]", 1, .unexpectedCharacter), ("[.5]", 1, .unexpectedCharacter),
        ("[1.]", 1, .unexpectedCharacter), ("[1e]", 1, .unexpectedCharacter), ("[-]", 1, .unexpectedCharacter),
        ("[0x1]", 2, .unexpectedCharacter), ("[NaN]", 1, .unexpectedCharacter), ("[Infinity]", 1, .unexpectedCharacter),
        ("[tru]", 4, .unexpectedCharacter), ("[nul", 4, .unexpectedEnd), ("[True]", 1, .unexpectedCharacter),
        ("[\"a", 3, .unexpectedEnd), ("[\"a\n\"]", 3, .controlCharacterInString), ("[\"\u{0}\"]", 2, .controlCharacterInString),
        ("[\"\\x\"]", 3, .invalidEscape), ("[\"\\u12\"]", 6, .invalidEscape), ("[\"\\u12g4\"]", 6, .invalidEscape),
        ("[\"\\ud83d\"]", 8, .unpairedSurrogate), ("[\"\\ude00\"]", 8, .unpairedSurrogate),
        ("[\"\\ud83d\\u0041\"]", 14, .unpairedSurrogate), ("[\"\\ud83dx\"]", 8, .unpairedSurrogate),
        ("{\"a\":1,\"a\":2}", 7, .duplicateName), ("{\"a\":1,\"\\u0061\":2}", 7, .duplicateName), ("\u{FEFF}{}", 0, .unexpectedCharacter),
        ("/**/{}", 0, .unexpectedCharacter), ("[1]\u{0}", 3, .unexpectedCharacter),
    ] as [(String, Int, JSONSyntaxFault)])
    func syntax(_ text: String, _ offset: Int, _ reason: JSONSyntaxFault) {
        #expect(throws: JSONDecodingError.syntax(offset: offset, reason: reason)) { try JSONDecodingOptions.parse(text) }
    }

    @Test("Invalid UTF-8 anywhere in the text")
    func invalidUTF8() {
        #expect(throws: JSONDecodingError.syntax(offset: 0, reason: .invalidUTF8)) {
            try Node(jsonUTF8Bytes: Array("{\"name\":\"".utf8) + [0xC0, 0x80] + Array("\"}".utf8))
        }
    }

    @Test("Nesting is counted as on the wire: what is read from JSON is read from its wire form, under the same limit", arguments: [0, 10, 32, 100])
    func nesting(_ limit: Int) throws {
        func nested(_ levels: Int) -> String { String(repeating: "{\"left\":", count: levels) + "{}" + String(repeating: "}", count: levels) }
        func maps(_ levels: Int) -> String { String(repeating: "{\"a\":", count: levels) + "1" + String(repeating: "}", count: levels) }
        func lists(_ levels: Int) -> String { String(repeating: "[", count: levels) + String(repeating: "]", count: levels) }
        let json = JSONDecodingOptions(maxNestingDepth: limit)
        let wire = DecodingOptions(maxNestingDepth: limit)
        func check<M: Message>(_ type: M.Type, _ text: (Int) -> String, upTo levels: Int) throws {
            if levels > 0 || M.self == Node.self {
                let message = try M(jsonString: text(levels), options: json)
                #expect(try M(serializedBytes: message.serializedBytes(), options: wire) == message)
                #expect(try message.jsonString() == text(levels))
            }
            #expect(throws: JSONDecodingError.nestingTooDeep(limit: limit)) { try M(jsonString: text(levels + 1), options: json) }
        }
        try check(Node.self, nested, upTo: limit)
        // A nested list is a Value in a ListValue in a Value. An object also has the entry of a map.
        try check(Google_Protobuf_Value.self, lists, upTo: limit / 2 + (limit.isMultiple(of: 2) ? 0 : 1))
        try check(Google_Protobuf_Value.self, maps, upTo: limit / 3)
    }

    @Test("A hundred thousand levels do not crash, and neither do they where nobody reads them")
    func absurdNesting() {
        #expect(throws: JSONDecodingError.nestingTooDeep(limit: 66)) { try Node(jsonString: String(repeating: "[", count: 100_000)) }
        let absurd = JSONDecodingOptions(ignoreUnknownFields: true, maxNestingDepth: .max)
        #expect(throws: JSONDecodingError.nestingTooDeep(limit: 202)) {
            try Node(jsonString: "{\"x\":" + String(repeating: "[", count: 100_000), options: absurd)
        }
    }

    @Test("Values that do not fit their field", arguments: [
        (#"{"int32Value":2147483648}"#, "int32Value", .outOfRange), (#"{"int32Value":-2147483649}"#, "int32Value", .outOfRange),
        (#"{"int32Value":1.5}"#, "int32Value", .notAnInteger), (#"{"int32Value":1e-1}"#, "int32Value", .notAnInteger),
        (#"{"int32Value":1e99}"#, "int32Value", .outOfRange), (#"{"int32Value":1e99999999999999999999}"#, "int32Value", .outOfRange),
        (#"{"int32Value":1e-99999999999999999999}"#, "int32Value", .notAnInteger),
        (#"{"int32Value":1e-9223372036854775808}"#, "int32Value", .notAnInteger),
        (#"{"int32Value":0.1e-9223372036854775807}"#, "int32Value", .notAnInteger),
        (#"{"int32Value":0.1e-4611686018427387902}"#, "int32Value", .notAnInteger),
        (#"{"int32Value":10e9223372036854775807}"#, "int32Value", .outOfRange),
        (#"{"int32Value":10e4611686018427387902}"#, "int32Value", .outOfRange),
        (#"{"int32Value":"1 "}"#, "int32Value", .notAnInteger), (#"{"int32Value":""}"#, "int32Value", .notAnInteger),
        (#"{"int32Value":"0x1"}"#, "int32Value", .notAnInteger), (#"{"int32Value":"01"}"#, "int32Value", .notAnInteger),
        (#"{"int32Value":true}"#, "int32Value", .wrongKind), (#"{"int32Value":[]}"#, "int32Value", .wrongKind),
        (#"{"uint32Value":-1}"#, "uint32Value", .outOfRange), (#"{"uint32Value":4294967296}"#, "uint32Value", .outOfRange),
        (#"{"int64Value":"9223372036854775808"}"#, "int64Value", .outOfRange),
        (#"{"uint64Value":"18446744073709551616"}"#, "uint64Value", .outOfRange),
        (#"{"floatValue":3.5e38}"#, "floatValue", .outOfRange), (#"{"doubleValue":1e309}"#, "doubleValue", .outOfRange),
        (#"{"doubleValue":"inf"}"#, "doubleValue", .notANumber), (#"{"doubleValue":"0x1p1"}"#, "doubleValue", .notANumber),
        (#"{"doubleValue":"nan"}"#, "doubleValue", .notANumber), (#"{"doubleValue":" 1"}"#, "doubleValue", .notANumber),
        (#"{"boolValue":"true"}"#, "boolValue", .wrongKind), (#"{"boolValue":1}"#, "boolValue", .wrongKind),
        (#"{"stringValue":1}"#, "stringValue", .wrongKind), (#"{"bytesValue":1}"#, "bytesValue", .wrongKind),
        (#"{"bytesValue":"A"}"#, "bytesValue", .notBase64), (#"{"bytesValue":"AA="}"#, "bytesValue", .notBase64),
        (#"{"bytesValue":"A A="}"#, "bytesValue", .notBase64), (#"{"bytesValue":"AB="}"#, "bytesValue", .notBase64),
        (#"{"bytesValue":"AAAA===="}"#, "bytesValue", .notBase64), (#"{"bytesValue":"===="}"#, "bytesValue", .notBase64),
        (#"{"moodValue":"HAPPY"}"#, "moodValue", .unknownEnumValue), (#"{"moodValue":"MOOD_SAD\u0000x"}"#, "moodValue", .unknownEnumValue),
        (#"{"moodValue":"1"}"#, "moodValue", .unknownEnumValue), (#"{"moodValue":1.5}"#, "moodValue", .notAnInteger),
        (#"{"moodValue":true}"#, "moodValue", .wrongKind),
    ] as [(String, String, JSONValueFault)])
    func scalars(_ text: String, _ field: String, _ reason: JSONValueFault) {
        let path = field.replacingCamelCase
        #expect(throws: JSONDecodingError.invalidValue(field: path, reason: reason)) { try Scalars(jsonString: text) }
    }

    @Test("Shapes that do not fit", arguments: [
        ("[]", .invalidValue(field: "", reason: .wrongKind)), ("null", .invalidValue(field: "", reason: .wrongKind)),
        (#"{"left":[]}"#, .invalidValue(field: "left", reason: .wrongKind)),
        (#"{"children":{}}"#, .invalidValue(field: "children", reason: .wrongKind)),
        (#"{"children":[{},null]}"#, .invalidValue(field: "children[1]", reason: .nullElement)),
        (#"{"children":[{},{"left":{"name":1}}]}"#, .invalidValue(field: "children[1].left.name", reason: .wrongKind)),
        (#"{"counts":[]}"#, .invalidValue(field: "counts", reason: .wrongKind)),
        (#"{"counts":{"a":null}}"#, .invalidValue(field: "counts[a]", reason: .nullElement)),
        (#"{"nodesById":{"x":{}}}"#, .invalidValue(field: "nodes_by_id[x]", reason: .invalidMapKey)),
        (#"{"nodesById":{"01":{}}}"#, .invalidValue(field: "nodes_by_id[01]", reason: .invalidMapKey)),
        (#"{"nodesById":{"1.0":{}}}"#, .invalidValue(field: "nodes_by_id[1.0]", reason: .invalidMapKey)),
        (#"{"nodesById":{"9223372036854775808":{}}}"#, .invalidValue(field: "nodes_by_id[9223372036854775808]", reason: .outOfRange)),
        (#"{"names":{"True":""}}"#, .invalidValue(field: "names[True]", reason: .invalidMapKey)),
        (#"{"nope":1}"#, .unknownField(field: "nope")), (#"{"left":{"Name":""}}"#, .unknownField(field: "left.Name")),
        (#"{"nodes_by_id":{},"nodesById":{}}"#, .duplicateField(field: "nodes_by_id")),
        (#"{"number":1,"text":""}"#, .duplicateOneof(field: "text")),
        (#"{"name":"a\u0000b"}"#, .nulInString(field: "name")),
        (#"{"left":{"counts":{"\u0000":1}}}"#, .nulInString(field: "left.counts[\u{0}].key")),
    ] as [(String, JSONDecodingError)])
    func shapes(_ text: String, _ expected: JSONDecodingError) {
        let found = #expect(throws: JSONDecodingError.self) { try Node(jsonString: text) }
        if case .nulInString = expected, case .nulInString? = found { return }
        #expect(found == expected)
    }

    @Test("A name given twice is found among many names too", arguments: [2, 11, 12, 13, 40])
    func duplicateAmongMany(_ count: Int) throws {
        let names = (0..<count).map { "\"k\($0)\":0" }
        #expect(throws: Never.self) { try JSONDecodingOptions.parse("{\(names.joined(separator: ","))}") }
        for again in [names[0], names[count - 1]] {
            let found = #expect(throws: JSONDecodingError.self) {
                try JSONDecodingOptions.parse("{\((names + [again]).joined(separator: ","))}")
            }
            if case .syntax(_, .duplicateName)? = found {} else { Issue.record("\(String(describing: found))") }
        }
    }

    @Test("A field's name must be whole", arguments: ["int32Valu", "int32Value_", "int32_valu", "int32_valuee", "Int32Value", "int32value", ""])
    func almostNames(_ name: String) {
        #expect(throws: JSONDecodingError.unknownField(field: name)) { try Scalars(jsonString: "{\"\(name)\":1}") }
    }

    @Test("Small text, large message: over the budget")
    func overBudget() {
        let text = "{\"children\":[" + [String](repeating: "{}", count: 200_000).joined(separator: ",") + "]}"
        let found = #expect(throws: JSONDecodingError.self) { try Node(jsonString: text) }
        if case .overBudget? = found {} else { Issue.record("\(String(describing: found))") }
    }
}

extension String {
    /// `int32Value` → `int32_value`.
    fileprivate var replacingCamelCase: String {
        reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
    }
}
