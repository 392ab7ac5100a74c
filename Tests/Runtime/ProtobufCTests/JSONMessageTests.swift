import Testing

@testable import ProtobufC

@Suite struct JSONMessageTests {
    @Test("Every scalar type has its canonical form")
    func scalars() throws {
        #expect(try SampleMessages.highScalars.jsonString() == """
            {"int32Value":2147483647,"int64Value":"9223372036854775807","uint32Value":4294967295,\
            "uint64Value":"18446744073709551615","sint32Value":2147483647,"sint64Value":"9223372036854775807",\
            "fixed32Value":4294967295,"fixed64Value":"18446744073709551615","sfixed32Value":2147483647,\
            "sfixed64Value":"9223372036854775807","floatValue":3.4028235e+38,"doubleValue":1.7976931348623157e+308,\
            "boolValue":true,"stringValue":"안녕 \u{10FFFF} \\u0001","bytesValue":"AP8A","moodValue":"MOOD_SAD"}
            """)
    }

    @Test("JSON round trips", arguments: [SampleMessages.highScalars, SampleMessages.lowScalars, Scalars()])
    func scalarRoundTrip(_ message: Scalars) throws {
        for pretty in [false, true] {
            for proto in [false, true] {
                let options = JSONEncodingOptions(preserveProtoFieldNames: proto, prettyPrinted: pretty)
                #expect(try Scalars(jsonString: message.jsonString(options: options)) == message)
            }
        }
    }

    @Test("Lists, trees, maps and oneofs round trip")
    func roundTrip() throws {
        #expect(try Lists(jsonString: SampleMessages.lists.jsonString()) == SampleMessages.lists)
        #expect(try Node(jsonString: SampleMessages.tree.jsonString()) == SampleMessages.tree)
    }

    @Test("Maps are objects sorted by key; a set oneof shows its default; unknown enum numbers stay numbers")
    func forms() throws {
        let node = Node(choice: .number(0), counts: ["b": 2, "": 0, "a": 1], nodesByID: [10: Node(), -2: Node(name: "x"), 9: Node()])
        #expect(try node.jsonString() == """
            {"number":0,"counts":{"":0,"a":1,"b":2},"nodesById":{"-2":{"name":"x"},"9":{},"10":{}}}
            """)
        #expect(try Lists(moods: [.happy, .unrecognized(9)]).jsonString() == #"{"moods":["MOOD_HAPPY",9]}"#)
        #expect(try Scalars(floatValue: 0.1, doubleValue: -1e21).jsonString() == #"{"floatValue":0.1,"doubleValue":-1e+21}"#)
        #expect(try Lists(floats: [.nan, .infinity, -.infinity, 1, -0.0]).jsonString()
            == #"{"floats":["NaN","Infinity","-Infinity",1,-0]}"#)
    }

    @Test("Defaults are printed on demand, but no submessage and no oneof")
    func defaults() throws {
        let options = JSONEncodingOptions(alwaysPrintDefaults: true, preserveProtoFieldNames: true)
        #expect(try Node().jsonString(options: options)
            == #"{"name":"","children":[],"counts":{},"nodes_by_id":{},"names":{},"last_field":0}"#)
        #expect(try Scalars().jsonString(options: options).contains(#""bytes_value":"","mood_value":"MOOD_UNSPECIFIED"}"#))
    }

    @Test("Pretty printing")
    func pretty() throws {
        let node = Node(name: "a", children: [Node(), Node(name: "b")], counts: ["k": 1])
        #expect(try node.jsonString(options: JSONEncodingOptions(prettyPrinted: true)) == """
            {
              "name": "a",
              "children": [
                {},
                {
                  "name": "b"
                }
              ],
              "counts": {
                "k": 1
              }
            }
            """)
    }

    @Test("Both forms of a name are read, and null is the default")
    func namesAndNull() throws {
        #expect(try Scalars(jsonString: #"{"int32_value":1,"int64Value":null,"bytesValue":null}"#) == Scalars(int32Value: 1))
        #expect(try Node(jsonString: #" { "left" : null , "children":null,"counts":null,"number":null,"text":"a" } "#)
            == Node(choice: .text("a")))
    }

    @Test("Integers written otherwise", arguments: [
        ("1.0", 1), ("1e2", 100), ("1.5e1", 15), ("-2147483648", Int32.min), ("2147483647.000", .max), ("\"12\"", 12),
        ("\"1e1\"", 10), ("0e999999999999999999999", 0), ("-0", 0), ("1000e-3", 1), ("0.001e3", 1), ("21474836470e-1", .max),
    ])
    func integers(_ text: String, _ value: Int32) throws {
        #expect(try Scalars(jsonString: "{\"int32Value\":\(text)}").int32Value == value)
    }

    @Test("64-bit integers lose no digit, quoted or not")
    func longIntegers() throws {
        let message = try Scalars(jsonString: #"{"int64Value":-9223372036854775808,"uint64Value":"18446744073709551615"}"#)
        #expect(message == Scalars(int64Value: .min, uint64Value: .max))
    }

    @Test("Floating point: names, quoted numbers, tiny and large ones")
    func floatingPoint() throws {
        let read = try Lists(jsonString: #"{"doubles":["NaN","-Infinity","1.5",1e-400,4.9e-324,-0],"floats":["Infinity",3.4028235e38]}"#)
        #expect(read.doubles[0].isNaN)
        #expect(read.doubles[1...] == [-.infinity, 1.5, 0, .leastNonzeroMagnitude, 0])
        #expect(read.doubles[5].sign == .minus)
        #expect(read.floats == [.infinity, .greatestFiniteMagnitude])
    }

    @Test("Base64: both alphabets, padded or not", arguments: [
        ("", []), ("AA==", [0]), ("AA", [0]), ("+/8=", [0xFB, 0xFF]), ("-_8", [0xFB, 0xFF]), ("-_8=", [0xFB, 0xFF]),
        ("AQID", [1, 2, 3]), ("AQIDBA", [1, 2, 3, 4]),
        // Unused bits that are set, which other implementations accept.
        ("AB==", [0]), ("AAB=", [0, 0]), ("-_9", [0xFB, 0xFF]),
    ] as [(String, [UInt8])])
    func base64(_ text: String, _ bytes: [UInt8]) throws {
        #expect(try Scalars(jsonString: "{\"bytesValue\":\"\(text)\"}").bytesValue == bytes)
    }

    @Test("Strings: escapes, surrogate pairs, characters beyond them")
    func strings() throws {
        let node = try Node(jsonString: #"{"name":"\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00é한"}"#)
        #expect(node.name == "\"\\/\u{8}\u{C}\n\r\té😀é한")
        #expect(try Node(jsonString: node.jsonString()) == node)
    }

    @Test("What the schema lacks is passed over on demand, enum names too")
    func ignoreUnknown() throws {
        let options = JSONDecodingOptions(ignoreUnknownFields: true)
        let lists = try Lists(jsonString: #"{"x":[{"y":1}],"moods":["MOOD_SAD","MOOD_NEW",1],"int32s":[1]}"#, options: options)
        #expect(lists == Lists(int32s: [1], moods: [.sad, .happy]))
        #expect(try Scalars(jsonString: #"{"moodValue":"MOOD_NEW"}"#, options: options) == Scalars())
        #expect(try Node(jsonString: #"{"mood":"MOOD_NEW"}"#, options: options) == Node())
    }

    @Test("Names that are only canonically equivalent are different names")
    func canonicalEquivalence() throws {
        #expect(throws: Never.self) {
            try JSONDecodingOptions.parse("{\"\u{E9}\":1,\"e\u{301}\":2}")
        }
    }

    @Test("A hundred thousand fields in one object are read in passable time")
    func manyMembers() throws {
        let members = (0..<100_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        #expect(try Node(jsonString: "{\"counts\":{\(members)}}").counts.count == 100_000)
    }
}

extension JSONDecodingOptions {
    /// Parses text without a message.
    static func parse(_ text: String, nestingLimit: Int = 64) throws(JSONDecodingError) -> JSONValue {
        try Array(text.utf8).withUnsafeBufferPointer { (buffer) throws(JSONDecodingError) in
            try JSONParser.parse(buffer, nestingLimit: nestingLimit)
        }
    }
}
