import ProtobufC
import ProtobufWellKnownTypes
import Testing

@testable import ProtobufSchema

/// The JSON of messages whose types are made at run time, where generated messages take another way.
@Suite struct DynamicJSONTests {
    /// The type `a.M` with these fields and inner types, beside the enum `a.E` and the types of google.protobuf.
    private func messageType(
        _ fields: [SchemaField], inner: [SchemaMessage] = [], values: [SchemaEnum.Value] = [.init(name: "E_ONE", number: 1)]
    ) throws -> MessageDescriptor {
        var file = SchemaFile(name: "a.proto", package: "a", syntax: "proto2", dependencies: [])
        file.messages = [SchemaMessage(name: "M", fullName: "a.M", fields: fields, messages: inner)]
        file.enums = [SchemaEnum(name: "E", fullName: "a.E", values: values)]
        let known = [
            Google_Protobuf_AnyFile.descriptor, Google_Protobuf_DurationFile.descriptor, Google_Protobuf_EmptyFile.descriptor,
            Google_Protobuf_FieldMaskFile.descriptor, Google_Protobuf_StructFile.descriptor, Google_Protobuf_TimestampFile.descriptor,
            Google_Protobuf_WrappersFile.descriptor,
        ]
        let files = try known.map { try SchemaFile(serializedBytes: $0.serializedBytes) }
        return try #require(try SchemaTypes(Schema(files + [file]))["a.M"])
    }

    private func field(_ name: String, _ number: Int32, _ type: SchemaFieldType, _ label: SchemaField.Label = .singular) -> SchemaField {
        var field = SchemaField(name: name, fullName: "a.M." + name, number: number, type: type)
        field.label = label
        return field
    }

    private func json(of message: DynamicMessage) throws -> String { String(decoding: try message.jsonUTF8Bytes(), as: UTF8.self) }

    /// A message of one map, with an entry of the key `k` and no value.
    private func entryWithoutValue(of type: String) throws -> DynamicMessage {
        let key = SchemaField(name: "key", fullName: "a.M.MEntry.key", number: 1, type: .string)
        let value = SchemaField(name: "value", fullName: "a.M.MEntry.value", number: 2, type: .message(type))
        let entry = SchemaMessage(name: "MEntry", fullName: "a.M.MEntry", fields: [key, value], isMapEntry: true)
        let message = try messageType([field("m", 1, .message("a.M.MEntry"), .repeated)], inner: [entry])
        return try DynamicMessage(serializedBytes: [0x0A, 0x03, 0x0A, 0x01, 0x6B], as: message)
    }

    @Test("A map entry without a value has an empty message for a value, in the form of its type", arguments: [
        ("a.M", "{}"), ("google.protobuf.Timestamp", "\"1970-01-01T00:00:00Z\""), ("google.protobuf.Duration", "\"0s\""),
        ("google.protobuf.FieldMask", "\"\""), ("google.protobuf.Struct", "{}"), ("google.protobuf.ListValue", "[]"),
        ("google.protobuf.Any", "{}"), ("google.protobuf.Empty", "{}"), ("google.protobuf.BoolValue", "false"),
        ("google.protobuf.Int32Value", "0"), ("google.protobuf.UInt64Value", "\"0\""), ("google.protobuf.DoubleValue", "0"),
        ("google.protobuf.StringValue", "\"\""), ("google.protobuf.BytesValue", "\"\""),
    ])
    func emptyValue(type: String, expected: String) throws {
        let message = try entryWithoutValue(of: type)
        #expect(try json(of: message) == "{\"m\":{\"k\":\(expected)}}")
        let back = try DynamicMessage(jsonUTF8Bytes: message.jsonUTF8Bytes(), as: message.descriptor)
        #expect(try json(of: back) == json(of: message))
    }

    @Test("A Value that is not set has no JSON form there either")
    func unsetValue() throws {
        let message = try entryWithoutValue(of: "google.protobuf.Value")
        #expect(throws: JSONEncodingError.invalidValue(field: "m[k]")) { try message.jsonUTF8Bytes() }
    }

    @Test("null is no value of a required field, unless the field takes null; neither is a name of an enum that is ignored")
    func requiredNull() throws {
        func read(_ text: String, _ needed: SchemaFieldType) throws -> DynamicMessage {
            let options = JSONDecodingOptions(ignoreUnknownFields: true)
            return try DynamicMessage(jsonUTF8Bytes: Array(text.utf8), as: messageType([field("needed", 1, needed, .required)]), options: options)
        }
        for needed: SchemaFieldType in [.int32, .string, .message("google.protobuf.Duration"), .enumeration("a.E")] {
            #expect(throws: JSONDecodingError.missingRequiredField(field: "needed")) { try read(#"{"needed":null}"#, needed) }
        }
        #expect(throws: JSONDecodingError.missingRequiredField(field: "needed")) { try read(#"{"needed":"E_NEW"}"#, .enumeration("a.E")) }
        for (text, needed) in [
            (#"{"needed":0}"#, .int32), (#"{"needed":"E_ONE"}"#, .enumeration("a.E")),
            (#"{"needed":null}"#, .enumeration("google.protobuf.NullValue")), (#"{"needed":null}"#, .message("google.protobuf.Value")),
        ] as [(String, SchemaFieldType)] {
            #expect(try json(of: read(text, needed)) == text)
        }
    }

    @Test("A closed enum has all its numbers, the lowest and the highest too, and no other")
    func enumNumbers() throws {
        let numbers: [Int32] = [.min, -7, 0, 1, 2, 9, .max]
        let values = numbers.enumerated().map { index, number in SchemaEnum.Value(name: "E_\(index)", number: number) }
        let type = try messageType([field("e", 1, .enumeration("a.E"))], values: values)
        func text(_ number: Int32) throws -> String {
            try json(of: DynamicMessage(jsonUTF8Bytes: Array("{\"e\":\(number)}".utf8), as: type))
        }
        for (index, number) in numbers.enumerated() { #expect(try text(number) == "{\"e\":\"E_\(index)\"}") }
        for number: Int32 in [.min + 1, -8, -1, 3, 8, 10, .max - 1] { #expect(try text(number) == "{}") }
    }
}
