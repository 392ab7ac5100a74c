import ProtobufC
import ProtobufWellKnownTypes
import Testing

@Suite struct AnyTests {
    private static let info = Google_Rpc_ErrorInfo(
        reason: "USERNAME_DUPLICATED", domain: "pulseboard", metadata: ["username": "주영"])

    @Test("a packed message carries its full name and comes back as its own type only")
    func packing() throws {
        let packed = try Google_Protobuf_Any(packing: Self.info)
        #expect(packed.typeURL == "type.googleapis.com/google.rpc.ErrorInfo")
        #expect(try packed.unpack() == Self.info)
        #expect(packed.holds(Google_Rpc_ErrorInfo.self))
        #expect(!packed.holds(Google_Rpc_BadRequest.self))
        #expect(try packed.unpack(as: Google_Rpc_BadRequest.self) == nil)
    }

    @Test("only what follows the last slash is the name", arguments: [
        ("type.googleapis.com/a.B", "a.B"), ("/a.B", "a.B"), ("host/path/a.B", "a.B"), ("a.B", ""), ("", ""), ("a.B/", ""),
    ])
    func names(typeURL: String, name: String) {
        #expect(Google_Protobuf_Any(typeURL: typeURL).messageName == name)
    }

    @Test("a name with half a million combining marks is compared in time, though Swift orders them to compare texts", .timeLimit(.minutes(1)))
    func marks() throws {
        let packed = Google_Protobuf_Any(typeURL: "a/g" + String(repeating: "\u{301}\u{323}", count: 1 << 18))
        let holds = packed.holds(Google_Rpc_ErrorInfo.self)
        #expect(!holds)
        let unpacked = try packed.unpack(as: Google_Rpc_ErrorInfo.self)
        #expect(unpacked == nil)
    }

    @Test("bytes that do not decode as the type they claim are an error")
    func damaged() throws {
        let damaged = Google_Protobuf_Any(typeURL: "type.googleapis.com/google.rpc.ErrorInfo", value: [0x0A, 5, 0x61])
        #expect(throws: DecodingError.self) { try damaged.unpack(as: Google_Rpc_ErrorInfo.self) }
    }

    @Test("a status with details comes back from its bytes")
    func status() throws {
        let retry = Google_Rpc_RetryInfo(retryDelay: Google_Protobuf_Duration(.milliseconds(250)))
        let status = Google_Rpc_Status(
            code: Google_Rpc_Code.alreadyExists.rawValue, message: "taken",
            details: [try Google_Protobuf_Any(packing: Self.info), try Google_Protobuf_Any(packing: retry)])
        let back = try Google_Rpc_Status(serializedBytes: status.serializedBytes())
        #expect(back == status)
        #expect(try back.details[1].unpack(as: Google_Rpc_RetryInfo.self)?.retryDelay == retry.retryDelay)
    }
}
