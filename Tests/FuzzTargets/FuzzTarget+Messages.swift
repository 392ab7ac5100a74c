#if DEBUG || FUZZING
import GoldenMessages
import ProtobufC
import ProtobufWellKnownTypes
import ProtobufSchema
import PulseBoardMessages

extension FuzzTarget {
    /// The message types, chosen by the input's first byte.
    private static let types: [any Message.Type] = [
        Golden_V1_Everything.self, Google_Protobuf_Struct.self, Google_Protobuf_Any.self, Google_Protobuf_Timestamp.self, Google_Rpc_Status.self,
        PBProfile.self, PBUpdateProfileRequest.self, PBSignInRequest.self,
    ]

    private static func type(_ input: RawSpan) -> (any Message.Type, [UInt8])? {
        guard input.byteCount > 0 else { return nil }
        return (types[Int(input.unsafeLoad(fromByteOffset: 0, as: UInt8.self)) % types.count], input.extracting(1..<input.byteCount).copied)
    }

    /// A decoded message is the same after encoding and decoding.
    static let messages = FuzzTarget("messages", seeds: { everything.map { [0] + $0.bytes } }) { input in
        guard let (type, bytes) = type(input) else { return }
        decodeTwice(type, bytes)
    }

    private static func decodeTwice<M: Message>(_ type: M.Type, _ bytes: [UInt8]) {
        // Asked of bytes that nobody has checked. The answer means nothing if they are no message.
        _ = M.descriptor.decodesByCopying(bytes.span.bytes)
        guard let message = try? M(serializedBytes: bytes), let encoded = try? message.serializedBytes() else { return }
        guard let again = try? M(serializedBytes: encoded) else { return require(false, "what was encoded is refused") }
        require((try? again.serializedBytes()) == encoded, "a message changes on its second way")
    }

    /// A parsed message is written the same twice.
    static let json = FuzzTarget("json", seeds: { everything.map { [0] + $0.json } + wellKnownJSON.map { [1] + Array($0.utf8) } }) { input in
        guard let (type, bytes) = type(input) else { return }
        readTwice(type, bytes)
    }

    private static func readTwice<M: Message>(_ type: M.Type, _ text: [UInt8]) {
        guard let message = try? M(jsonUTF8Bytes: text), let written = try? message.jsonUTF8Bytes() else { return }
        guard let again = try? M(jsonUTF8Bytes: written) else { return require(false, "what was written is refused") }
        require((try? again.jsonUTF8Bytes()) == written, "a text changes on its second way")
    }

    /// A file descriptor from outside: its types are made, and a message of each is decoded.
    static let schemas = FuzzTarget("schemas", seeds: { descriptors }) { input in
        guard let file = try? SchemaFile(serializedBytes: input.copied) else { return }
        let schema = Schema([file])
        guard let types = try? SchemaTypes(schema) else { return }
        for message in file.messages.prefix(8) {
            _ = SchemaText.describing(message.fullName, in: schema)
            guard let descriptor = types[message.fullName] else { continue }
            // Field 1 with every wire type, as a packed list, and as a nested message.
            for bytes: [UInt8] in [[], [0x08, 0x01], [0x0A, 0x02, 0x08, 0x01], [0x0D, 0, 0, 0, 0], [0x09, 0, 0, 0, 0, 0, 0, 0, 0], [0x0A, 0x00]] {
                guard let read = try? DynamicMessage(serializedBytes: bytes, as: descriptor) else { continue }
                _ = try? read.jsonUTF8Bytes()
            }
            _ = try? DynamicMessage(jsonUTF8Bytes: Array("{}".utf8), as: descriptor)
        }
    }

    // MARK: seeds

    private static let wellKnownJSON = [
        #"{"a":[1,-2.5e3,true,null,"\ud83d\ude00\n",{"b":{}}]}"#, #"{"@type":"type.googleapis.com/google.protobuf.Duration","value":"1.5s"}"#,
    ]

    private static var everything: [(bytes: [UInt8], json: [UInt8])] {
        let texts = [
            #"{"aInt32":-1,"aInt64":"-9007199254740993","aUint32":4294967295,"aUint64":"18446744073709551615","aSint32":-2147483648}"#,
            #"{"aSint64":"-3","aFixed32":7,"aFixed64":"8","aSfixed32":-9,"aSfixed64":"-10","aFloat":1.5,"aDouble":"-Infinity"}"#,
            #"{"aBool":true,"aString":"한글 \n","aBytes":"AAECAw==","mood":"MOOD_FINE"}"#,
            #"{"mood":"MOOD_LOW","inner":{"innermost":{"text":"deep"},"moods":["MOOD_HIGH",77,"MOOD_2ND"]}}"#,
            #"{"manyInt32":[1,-2,3],"manyUint64":["1"],"manySint32":[-1],"manyFixed64":["2"],"manyFloat":[0.5],"manyDouble":[1e300]}"#,
            #"{"manyBool":[true,false],"manyString":["","a"],"manyBytes":["","/w=="],"manyInner":[{},{"moods":["MOOD_GOOD"]}]}"#,
        ]
        return texts.compactMap { text in
            guard let message = try? Golden_V1_Everything(jsonString: text), let bytes = try? message.serializedBytes() else { return nil }
            return (bytes, Array(text.utf8))
        }
    }

    private static var descriptors: [[UInt8]] {
        Golden_V1_EverythingFile.descriptor.withAllDependencies.map(\.serializedBytes)
    }
}
#endif
