import ProtobufWellKnownTypes
import Testing

@testable import ProtobufC

/// Texts with half a million combining marks in a row. Swift compares and hashes a text in the canonical order of its marks, which takes minutes
/// for these. So each test fails by its time where a text is compared so.
@Suite(.timeLimit(.minutes(1))) struct JSONCombiningMarksTests {
    /// 1 MiB: a letter, and marks of two classes in turn.
    private static let marks = "a" + String(repeating: "\u{301}\u{323}", count: 1 << 18)

    @Test("instead of a number")
    func number() {
        #expect(throws: JSONDecodingError.invalidValue(field: "double_value", reason: .notANumber)) {
            try Scalars(jsonString: "{\"doubleValue\":\"\(Self.marks)\"}")
        }
    }

    @Test("instead of the key of a map by bool")
    func mapKey() {
        let error = #expect(throws: JSONDecodingError.self) { try Node(jsonString: "{\"names\":{\"\(Self.marks)\":\"\"}}") }
        if case .invalidValue(_, .invalidMapKey)? = error {} else { Issue.record("another error") }
    }

    @Test("in a field mask")
    func fieldMask() {
        #expect(throws: JSONDecodingError.invalidValue(field: "field_mask", reason: .invalidFieldMask)) {
            try WellKnown(jsonString: "{\"fieldMask\":\"\(Self.marks)\"}")
        }
    }

    @Test("in the type URL of an Any that is read")
    func readAny() {
        let error = #expect(throws: JSONDecodingError.self) {
            try WellKnown(jsonString: "{\"any\":{\"@type\":\"a/\(Self.marks)\"}}", options: JSONWellKnownTests.decoding)
        }
        if case .unknownType? = error {} else { Issue.record("another error") }
    }

    @Test("in the type URL of an Any that is written")
    func writtenAny() {
        let message = WellKnown(any: Google_Protobuf_Any(typeURL: "a/" + Self.marks, value: [1]))
        let error = #expect(throws: JSONEncodingError.self) { try message.jsonString(options: JSONWellKnownTests.encoding) }
        if case .unknownType? = error {} else { Issue.record("another error") }
    }
}
