import ProtobufWellKnownTypes
import Testing

@testable import ProtobufC

@Suite struct JSONWellKnownTests {
    static let registry = TypeRegistry([
        Node.self, WellKnown.self, Google_Protobuf_Any.self, Google_Protobuf_Duration.self, Google_Protobuf_Empty.self,
        Google_Protobuf_Struct.self,
    ])
    static let decoding = JSONDecodingOptions(typeRegistry: registry)
    static let encoding = JSONEncodingOptions(typeRegistry: registry)

    /// A canonical text that uses every field.
    static let everything = """
        {"timestamp":"2026-01-31T12:00:00.500Z","duration":"-1.000000001s","fieldMask":"user.displayName,etag",\
        "any":{"@type":"type.googleapis.com/pulseboard.test.Node","name":"inside","children":[{}]},"empty":{},\
        "structure":{"":null,"a":1,"b":{"c":[true,"x",{}]}},"value":"text","list":[null,1.5,[],{}],"boolValue":false,\
        "bytesValue":"","doubleValue":"NaN","floatValue":0,"int32Value":-1,"int64Value":"-1","stringValue":"",\
        "uint32Value":1,"uint64Value":"1","values":[null,{"a":"b"}],"nullChoice":null,\
        "anys":[{"@type":"a/google.protobuf.Duration","value":"3s"},{"@type":"a/google.protobuf.Empty"},\
        {"@type":"a/google.protobuf.Any","value":{"@type":"a/google.protobuf.Struct","value":{"x":[1]}}},{}],\
        "valuesByName":{"n":null,"z":0}}
        """

    private func read(_ text: String) throws -> WellKnown { try WellKnown(jsonString: text, options: Self.decoding) }

    private func error(_ text: String) -> JSONDecodingError? {
        #expect(throws: JSONDecodingError.self) { try WellKnown(jsonString: text, options: Self.decoding) }
    }

    private func isRefused(_ message: WellKnown) -> Bool {
        (try? message.jsonString(options: Self.encoding)) == nil
    }

    @Test("Every well-known type comes back as the same text, over JSON and over the wire")
    func everythingRoundTrips() throws {
        let message = try read(Self.everything)
        #expect(try message.jsonString(options: Self.encoding) == Self.everything)
        #expect(try WellKnown(serializedBytes: message.serializedBytes()).jsonString(options: Self.encoding) == Self.everything)
    }

    @Test("Timestamps", arguments: [
        ("1970-01-01T00:00:00Z", 0, 0), ("0001-01-01T00:00:00Z", -62_135_596_800, 0),
        ("9999-12-31T23:59:59.999999999Z", 253_402_300_799, 999_999_999), ("1969-12-31T23:59:59.900Z", -1, 900_000_000),
        ("2000-02-29T12:30:15.000001Z", 951_827_415, 1000), ("1900-02-28T23:59:59Z", -2_203_891_201, 0),
        ("2026-11-21T11:30:00.123456789Z", 1_795_260_600, 123_456_789),
    ] as [(String, Int64, Int32)])
    func timestamps(_ text: String, _ seconds: Int64, _ nanos: Int32) throws {
        let message = try read("{\"timestamp\":\"\(text)\"}")
        #expect(message.timestamp?.seconds == seconds)
        #expect(message.timestamp?.nanos == nanos)
        #expect(try message.jsonString() == "{\"timestamp\":\"\(text)\"}")
    }

    @Test("Every day of 800 years has the day before it as neighbour")
    func calendar() throws {
        var previous: String?
        for day in Int64(-146_097)...146_097 {
            let text = try #require(CivilTime.timestampText(seconds: day * 86_400 + 86_399, nanos: 0))
            #expect(text != previous)
            guard CivilTime.timestamp(text)?.seconds == day * 86_400 + 86_399 else {
                Issue.record("\(day): \(text)")
                return
            }
            previous = text
        }
    }

    @Test("Timestamps with an offset or a short fraction are read", arguments: [
        ("2026-01-01T09:00:00+09:00", 1_767_225_600, 0), ("2025-12-31T19:30:00.5-04:30", 1_767_225_600, 500_000_000),
        ("0001-01-01T01:00:00+01:00", -62_135_596_800, 0),
    ] as [(String, Int64, Int32)])
    func offsets(_ text: String, _ seconds: Int64, _ nanos: Int32) throws {
        let timestamp = try #require(try read("{\"timestamp\":\"\(text)\"}").timestamp)
        #expect(timestamp.seconds == seconds && timestamp.nanos == nanos)
    }

    @Test("Times that are none", arguments: [
        "", "2026-01-01", "2026-01-01T00:00:00", "2026-01-01t00:00:00Z", "2026-01-01T00:00:00z", "2026-01-01 00:00:00Z",
        "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
        "2026-01-32T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z",
        "2026-01-01T00:00:60Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.0000000001Z", "0000-01-01T00:00:00Z",
        "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+9:00",
        "2026-01-01T00:00:00ZZ", "+2026-01-01T00:00:00Z", "2026-1-01T00:00:00Z", "２026-01-01T00:00:00Z",
    ])
    func notTimes(_ text: String) {
        #expect(error("{\"timestamp\":\"\(text)\"}") == .invalidValue(field: "timestamp", reason: .invalidTimestamp))
    }

    @Test("Durations", arguments: [
        ("0s", 0, 0), ("315576000000s", 315_576_000_000, 0), ("-315576000000.999999999s", -315_576_000_000, -999_999_999),
        ("-0.500s", 0, -500_000_000), ("1.000001s", 1, 1000), ("3.000000001s", 3, 1),
    ] as [(String, Int64, Int32)])
    func durations(_ text: String, _ seconds: Int64, _ nanos: Int32) throws {
        let message = try read("{\"duration\":\"\(text)\"}")
        #expect(message.duration?.seconds == seconds)
        #expect(message.duration?.nanos == nanos)
        #expect(try message.jsonString() == "{\"duration\":\"\(text)\"}")
    }

    @Test("Durations that are none", arguments: [
        "", "s", "1", "1 s", "+1s", "1.s", ".5s", "1.0000000000s", "315576000001s", "-315576000001s", "1e3s", "--1s", "1S",
        "99999999999999999999s",
    ])
    func notDurations(_ text: String) {
        #expect(error("{\"duration\":\"\(text)\"}") == .invalidValue(field: "duration", reason: .invalidDuration))
    }

    @Test("Times and durations outside their range have no JSON form", arguments: [
        WellKnown(timestamp: .init(seconds: 253_402_300_800)), WellKnown(timestamp: .init(seconds: -62_135_596_801)),
        WellKnown(timestamp: .init(seconds: .min, nanos: .min)), WellKnown(timestamp: .init(nanos: -1)),
        WellKnown(timestamp: .init(nanos: 1_000_000_000)), WellKnown(duration: .init(seconds: 1, nanos: -1)),
        WellKnown(duration: .init(seconds: -1, nanos: 1)), WellKnown(duration: .init(seconds: .max)),
        WellKnown(duration: .init(seconds: .min)), WellKnown(duration: .init(nanos: .min)),
        WellKnown(fieldMask: .init(paths: ["fooBar"])), WellKnown(fieldMask: .init(paths: ["foo__bar"])),
        WellKnown(fieldMask: .init(paths: ["foo_3_bar"])), WellKnown(fieldMask: .init(paths: ["foo_"])),
        WellKnown(fieldMask: .init(paths: ["a,b"])), WellKnown(fieldMask: .init(paths: ["a b"])), WellKnown(fieldMask: .init(paths: ["a-b"])),
            WellKnown(fieldMask: .init(paths: ["é"])), WellKnown(fieldMask: .init(paths: ["\u{1}"])), WellKnown(value: .init()),
            WellKnown(value: .init(kind: .numberValue(.nan))),
        WellKnown(value: .init(kind: .numberValue(.infinity))), WellKnown(any: .init(typeURL: "a/x", value: [])),
        WellKnown(any: .init(typeURL: "pulseboard.test.Node", value: [])),
        WellKnown(any: .init(typeURL: "a/pulseboard.test.Node", value: [0x0A])), WellKnown(any: .init(typeURL: "", value: [1])),
    ])
    func noJSON(_ message: WellKnown) {
        #expect(isRefused(message))
    }

    @Test("Field masks", arguments: [("", []), ("a", ["a"]), ("fooBar.baz,q2", ["foo_bar.baz", "q2"])] as [(String, [String])])
    func fieldMasks(_ text: String, _ paths: [String]) throws {
        let message = try read("{\"fieldMask\":\"\(text)\"}")
        #expect(message.fieldMask?.paths == paths)
        #expect(try message.jsonString() == "{\"fieldMask\":\"\(text)\"}")
    }

    @Test("Field masks that are none", arguments: ["a_b", "a,,b", ",", "a b", "a\\u0000"])
    func notFieldMasks(_ text: String) {
        #expect(error("{\"fieldMask\":\"\(text)\"}") == .invalidValue(field: "field_mask", reason: .invalidFieldMask))
    }

    @Test("null is a value of Value and NullValue, and absence elsewhere")
    func null() throws {
        #expect(try read(#"{"value":null}"#).value?.kind == .nullValue(.init()))
        #expect(try read(#"{"valueChoice":null}"#).jsonString() == #"{"valueChoice":null}"#)
        #expect(try read(#"{"nullChoice":null}"#).jsonString() == #"{"nullChoice":null}"#)
        #expect(try read(#"{"nullChoice":"NULL_VALUE"}"#).jsonString() == #"{"nullChoice":null}"#)
        #expect(try read(#"{"timestamp":null,"any":null,"boolValue":null,"structure":null,"list":null,"nullValue":null}"#)
            == WellKnown())
        #expect(error(#"{"nullChoice":null,"textChoice":""}"#) == .duplicateOneof(field: "text_choice"))
    }

    @Test("Any", arguments: [
        (#"{"any":{"name":"x"}}"#, .invalidValue(field: "any", reason: .missingTypeURL)),
        (#"{"any":{"@type":""}}"#, .invalidValue(field: "any", reason: .missingTypeURL)),
        (#"{"any":{"@type":1}}"#, .invalidValue(field: "any", reason: .missingTypeURL)),
        (#"{"any":{"@type":"a/b"}}"#, .unknownType(field: "any", typeURL: "a/b")),
        (#"{"any":{"@type":"pulseboard.test.Node"}}"#, .unknownType(field: "any", typeURL: "pulseboard.test.Node")),
        (#"{"any":{"@type":"a/google.protobuf.Duration"}}"#, .invalidValue(field: "any", reason: .invalidAny)),
        (#"{"any":{"@type":"a/google.protobuf.Duration","value":"1s","x":1}}"#, .invalidValue(field: "any", reason: .invalidAny)),
        (#"{"any":{"@type":"a/pulseboard.test.Node","nme":""}}"#, .unknownField(field: "any.nme")),
        (#"{"any":[]}"#, .invalidValue(field: "any", reason: .wrongKind)),
    ] as [(String, JSONDecodingError)])
    func anyRefused(_ text: String, _ expected: JSONDecodingError) {
        #expect(error(text) == expected)
    }

    @Test("@type may stand anywhere, and Any holds the packed message")
    func anyOrder() throws {
        let message = try read(#"{"any":{"name":"x","@type":"t/pulseboard.test.Node"}}"#)
        #expect(message.any?.value == WireBytes().string(1, "x").bytes)
        #expect(message.any?.typeURL == "t/pulseboard.test.Node")
    }

    @Test("Empty inside Any is read as Go writes it too")
    func goEmpty() throws {
        let written = try read(#"{"any":{"@type":"a/google.protobuf.Empty","value":{}}}"#)
        #expect(try written.jsonString(options: Self.encoding) == #"{"any":{"@type":"a/google.protobuf.Empty"}}"#)
        #expect(error(#"{"any":{"@type":"a/google.protobuf.Empty","value":{"a":1}}}"#) == .unknownField(field: "any.value"))
    }

    @Test("Any inside Any inside Any … is an error in time, not a stack overflow")
    func nestedAny() throws {
        var bytes: [UInt8] = []
        for _ in 0..<300 { bytes = try Google_Protobuf_Any(typeURL: "a/google.protobuf.Any", value: bytes).serializedBytes() }
        let message = try WellKnown(serializedBytes: WireBytes().delimited(4, bytes).bytes)
        #expect(isRefused(message))
    }

    @Test("The wrappers alone are bare values")
    func bareWrappers() throws {
        #expect(try Google_Protobuf_StringValue(value: "a").jsonString() == "\"a\"")
        #expect(try Google_Protobuf_Int64Value(jsonString: "\"5\"").value == 5)
        #expect(try Google_Protobuf_Empty(jsonString: "{}") == Google_Protobuf_Empty())
        #expect(throws: JSONDecodingError.self) { try Google_Protobuf_Empty(jsonString: "{\"a\":1}") }
        #expect(throws: JSONDecodingError.self) { try Google_Protobuf_StringValue(jsonString: "null") }
    }
}
