import Foundation
import GoldenMessages
import ProtobufC
import ProtobufWellKnownTypes
import Testing

/// proto3's `optional`: set and unset fields differ in Swift, on the wire and in JSON.
@Suite struct PresenceTests {
    /// Every field set to its default.
    private static let defaults = GPPresence(
        count: 0, offset: 0, ratio: 0, share: 0, flag: false, name: "", data: [], kind: .unspecified, time: Google_Protobuf_Timestamp(),
        inner: GPPresence(), default: 0)

    @Test("what is not set is nil and not written")
    func unset() throws {
        #expect(GPPresence().count == nil && GPPresence().name == nil && GPPresence().data == nil && GPPresence().kind == nil)
        #expect(try GPPresence().serializedBytes() == [])
        #expect(try GPPresence().jsonString() == "{}")
        #expect(try GPPresence(serializedBytes: []) == GPPresence())
    }

    @Test("what is set to its default is written and comes back, by bytes and by JSON")
    func setToDefault() throws {
        let bytes = try Self.defaults.serializedBytes()
        #expect(try GPPresence(serializedBytes: bytes) == Self.defaults)
        let json = try Self.defaults.jsonString()
        #expect(json == #"{"count":0,"offset":"0","ratio":0,"share":0,"flag":false,"name":"","data":"","kind":"KIND_UNSPECIFIED","#
            + #""time":"1970-01-01T00:00:00Z","inner":{},"default":0}"#)
        #expect(try GPPresence(jsonString: json) == Self.defaults)
    }

    @Test("every value comes back, one in another too; −0.0 everywhere it can be")
    func values() throws {
        let message = GPPresence(
            count: -1, offset: .min, ratio: -0.0, share: .infinity, flag: true, name: "이름", data: [0, 255], kind: .good,
            time: Google_Protobuf_Timestamp(seconds: 1), inner: GPPresence(count: 2, inner: GPPresence(name: "")), default: 7,
            choice: .text(""), plain: "p", plainRatio: -0.0, plainShare: -0.0, ratios: ["a": -0.0, "b": 1],
            others: [GPPresence(flag: false)])
        let back = try GPPresence(serializedBytes: message.serializedBytes())
        #expect(back == message)
        let read = try GPPresence(jsonString: message.jsonString())
        #expect(read == message)
        for copy in [back, read] {
            let zeros = [copy.ratio, copy.plainRatio, copy.ratios["a"], copy.plainShare.isZero ? Double(copy.plainShare) : nil]
            #expect(zeros.allSatisfy { $0?.sign == .minus })
        }
    }

    @Test("JSON null leaves a field unset")
    func null() throws {
        #expect(try GPPresence(jsonString: #"{"count":null,"name":null,"inner":null}"#) == GPPresence())
    }

    @Test("protoc agrees about what is set", arguments: [GPPresence(), defaults, GPPresence(count: 5, name: "a", inner: defaults)])
    func protocAgrees(_ message: GPPresence) async throws {
        func protoc(_ mode: String, _ input: [UInt8]) async throws -> [UInt8] {
            let outcome = try await Protoc.run(
                ["-I\(Protoc.goldenProtos.path())", "\(mode)=golden.v1.Presence", "golden/v1/presence.proto"], input: input)
            #expect(outcome.succeeded, "\(outcome.messages)")
            return outcome.output
        }
        let text = try await protoc("--decode", message.serializedBytes())
        #expect(try await GPPresence(serializedBytes: protoc("--encode", text)) == message)
    }

    @Test("reflection's descriptor says `optional`, as the file does")
    func descriptor() {
        let text = String(decoding: GPPresenceFile.descriptor.serializedBytes, as: UTF8.self)
        // The oneof that protoc makes from it keeps its name.
        #expect(text.contains("_count"))
    }
}
