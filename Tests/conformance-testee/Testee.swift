import ConformanceMessages
import Foundation
import ProtobufC
import ProtobufSchema
import ProtobufWellKnownTypes

/// Answers the requests of Google's conformance runner.
struct Testee {
    private typealias Request = Conformance_ConformanceRequest
    private typealias Result = Conformance_ConformanceResponse.OneOf_Result

    /// The types made at run time, if those are tested; otherwise `nil`.
    private let types: SchemaTypes?
    private let registry: TypeRegistry

    /// - Parameter descriptors: the path of a `google.protobuf.FileDescriptorSet` with further types.
    init(isDynamic: Bool, descriptors: String?) throws {
        guard isDynamic else {
            types = nil
            registry = TypeRegistry([
                ProtobufTestMessages_Proto3_TestAllTypesProto3.self, ProtobufTestMessages_Proto3_ForeignMessage.self,
                Google_Protobuf_Any.self, Google_Protobuf_Duration.self, Google_Protobuf_Empty.self, Google_Protobuf_FieldMask.self,
                Google_Protobuf_ListValue.self, Google_Protobuf_Struct.self, Google_Protobuf_Timestamp.self, Google_Protobuf_Value.self,
                Google_Protobuf_BoolValue.self, Google_Protobuf_BytesValue.self, Google_Protobuf_DoubleValue.self,
                Google_Protobuf_FloatValue.self, Google_Protobuf_Int32Value.self, Google_Protobuf_Int64Value.self,
                Google_Protobuf_StringValue.self, Google_Protobuf_UInt32Value.self, Google_Protobuf_UInt64Value.self,
            ])
            return
        }
        var schema = Schema()
        for file in ProtobufTestMessages_Proto3_TestMessagesProto3File.descriptor.withAllDependencies {
            schema.add(try SchemaFile(serializedBytes: file.serializedBytes))
        }
        if let descriptors {
            for file in try Self.files(ofSet: [UInt8](Data(contentsOf: URL(filePath: descriptors)))) {
                schema.add(try SchemaFile(serializedBytes: file))
            }
        }
        let types = try SchemaTypes(schema)
        self.types = types
        registry = types.registry
    }

    /// The files of a FileDescriptorSet, whose only field is `repeated FileDescriptorProto file = 1`.
    private static func files(ofSet bytes: [UInt8]) -> [[UInt8]] {
        var files: [[UInt8]] = []
        var index = 0
        while index < bytes.count {
            index += 1
            var length = 0
            for shift in stride(from: 0, to: 35, by: 7) {
                defer { index += 1 }
                length |= Int(bytes[index] & 0x7F) << shift
                if bytes[index] < 0x80 { break }
            }
            files.append(Array(bytes[index..<index + length]))
            index += length
        }
        return files
    }

    /// The answer to a request, both in wire form.
    func answer(to bytes: [UInt8]) -> [UInt8] {
        var response = Conformance_ConformanceResponse()
        do {
            response.result = result(of: try Request(serializedBytes: bytes))
        } catch {
            response.result = .runtimeError("the request cannot be read: \(error)")
        }
        do {
            return try response.serializedBytes()
        } catch {
            response.result = .runtimeError("the answer cannot be written: \(error)")
            return (try? response.serializedBytes()) ?? []
        }
    }

    private func result(of request: Request) -> Result {
        // The runner first asks for the tests that are expected to fail: there are none.
        if request.messageType == "conformance.FailureSet" { return .protobufPayload([]) }
        guard request.requestedOutputFormat == .protobuf || request.requestedOutputFormat == .json else {
            return .skipped("there is no text format")
        }
        if let types {
            guard let type = types[request.messageType] else { return .skipped("no such type: \(request.messageType)") }
            return result(of: request, Dynamic(type: type))
        }
        guard request.messageType == ProtobufTestMessages_Proto3_TestAllTypesProto3.descriptor.fullName else {
            return .skipped("only proto3 is generated for")
        }
        return result(of: request, Generated<ProtobufTestMessages_Proto3_TestAllTypesProto3>())
    }

    private func result<Codec: TestedCodec>(of request: Request, _ codec: Codec) -> Result {
        let message: Codec.Value
        do {
            switch request.payload {
            case .protobufPayload(let bytes): message = try codec.read(bytes)
            case .jsonPayload(let text):
                let options = JSONDecodingOptions(
                    ignoreUnknownFields: request.testCategory == .jsonIgnoreUnknownParsingTest, typeRegistry: registry)
                message = try codec.read(json: Array(text.utf8), options)
            default: return .skipped("there is no text format")
            }
        } catch {
            return .parseError("\(error)")
        }
        do {
            guard request.requestedOutputFormat == .json else { return .protobufPayload(try codec.write(message)) }
            let json = try codec.json(message, JSONEncodingOptions(typeRegistry: registry))
            return .jsonPayload(String(decoding: json, as: UTF8.self))
        } catch {
            return .serializeError("\(error)")
        }
    }
}

/// Reads and writes messages of one type.
private protocol TestedCodec {
    associatedtype Value
    func read(_ bytes: [UInt8]) throws -> Value
    func read(json: [UInt8], _ options: JSONDecodingOptions) throws -> Value
    func write(_ message: Value) throws -> [UInt8]
    func json(_ message: Value, _ options: JSONEncodingOptions) throws -> [UInt8]
}

private struct Generated<Value: Message>: TestedCodec {
    func read(_ bytes: [UInt8]) throws -> Value { try Value(serializedBytes: bytes) }
    func read(json: [UInt8], _ options: JSONDecodingOptions) throws -> Value { try Value(jsonUTF8Bytes: json, options: options) }
    func write(_ message: Value) throws -> [UInt8] { try message.serializedBytes() }
    func json(_ message: Value, _ options: JSONEncodingOptions) throws -> [UInt8] { try message.jsonUTF8Bytes(options: options) }
}

private struct Dynamic: TestedCodec {
    let type: MessageDescriptor

    func read(_ bytes: [UInt8]) throws -> DynamicMessage { try DynamicMessage(serializedBytes: bytes, as: type) }
    func read(json: [UInt8], _ options: JSONDecodingOptions) throws -> DynamicMessage {
        try DynamicMessage(jsonUTF8Bytes: json, as: type, options: options)
    }
    func write(_ message: DynamicMessage) throws -> [UInt8] { try message.normalized().serializedBytes }
    func json(_ message: DynamicMessage, _ options: JSONEncodingOptions) throws -> [UInt8] { try message.jsonUTF8Bytes(options: options) }
}
