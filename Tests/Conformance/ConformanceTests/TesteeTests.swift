import ConformanceMessages
import Foundation
import ProtobufC
import Subprocess
import Testing

private typealias Request = Conformance_ConformanceRequest
private typealias Answer = Conformance_ConformanceResponse.OneOf_Result

/// The program that Google's runner tests, without the runner, which needs Google's sources: `Scripts/conformance`.
@Suite struct TesteeTests {
    /// SwiftPM builds it beside the program that runs the tests.
    private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "conformance-testee").path(percentEncoded: false)
    private static let wide = ProtobufTestMessages_Proto3_TestAllTypesProto3.descriptor.fullName

    private static func ask(
        _ payload: Request.OneOf_Payload, for format: Conformance_WireFormat, type: String = Self.wide,
        _ category: Conformance_TestCategory = .unspecifiedTest
    ) -> Request {
        Request(payload: payload, requestedOutputFormat: format, messageType: type, testCategory: category)
    }

    /// Requests and their answers. The text of an error or of what is skipped does not count.
    private static func conversation() -> [(request: Request, answer: Answer)] {
        let one: [UInt8] = [0x08, 1]
        return [
            // The runner first asks which tests are expected to fail.
            (ask(.protobufPayload([]), for: .protobuf, type: "conformance.FailureSet"), .protobufPayload([])),
            (ask(.protobufPayload(one), for: .protobuf), .protobufPayload(one)),
            (ask(.protobufPayload(one), for: .json), .jsonPayload(#"{"optionalInt32":1}"#)),
            (ask(.jsonPayload(#"{"optionalInt32": 1}"#), for: .protobuf), .protobufPayload(one)),
            (ask(.jsonPayload(#"{ "optional_string": "a" }"#), for: .json), .jsonPayload(#"{"optionalString":"a"}"#)),
            // A field without its value, and an object without its end.
            (ask(.protobufPayload([0x08]), for: .protobuf), .parseError("")),
            (ask(.jsonPayload(#"{"optionalInt32": 1"#), for: .json), .parseError("")),
            // A field that the type does not have.
            (ask(.jsonPayload(#"{"unknown": 1}"#), for: .protobuf, .jsonTest), .parseError("")),
            (ask(.jsonPayload(#"{"unknown": 1}"#), for: .protobuf, .jsonIgnoreUnknownParsingTest), .protobufPayload([])),
            // What the project does not have: a type, and the text format both ways.
            (ask(.protobufPayload(one), for: .protobuf, type: "test.Unknown"), .skipped("")),
            (ask(.protobufPayload(one), for: .textFormat), .skipped("")),
            (ask(.textPayload("optional_int32: 1"), for: .protobuf, .textFormatTest), .skipped("")),
        ]
    }

    @Test(
        "the program of the conformance suite reads, writes, refuses and skips, with generated messages and with those made at run time",
        arguments: [[], ["--dynamic"]] as [[String]])
    func answers(_ arguments: [String]) async throws {
        let conversation = Self.conversation()
        var input: [UInt8] = []
        for (request, _) in conversation { input += Self.framed(try request.serializedBytes()) }
        // And bytes that are no request.
        input += Self.framed([0x0A])
        let result = try await Subprocess.run(
            .path(.init(Self.program)), arguments: Arguments(arguments), input: .array(input), output: .bytes(limit: 1 << 20),
            error: .string(limit: 1 << 16))
        #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
        var answers: [Answer?] = []
        for bytes in Self.messages(in: result.standardOutput) {
            answers.append(Self.withoutText(try Conformance_ConformanceResponse(serializedBytes: bytes).result))
        }
        let expected: [Answer?] = conversation.map { $0.answer } + [.runtimeError("")]
        #expect(answers == expected)
    }

    private static func withoutText(_ answer: Answer?) -> Answer? {
        switch answer {
        case .parseError: .parseError("")
        case .runtimeError: .runtimeError("")
        case .skipped: .skipped("")
        default: answer
        }
    }

    // MARK: Frames: the length of a message in four bytes, little-endian, and the message

    private static func framed(_ message: [UInt8]) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: message.count >> (8 * $0)) } + message
    }

    private static func messages(in bytes: [UInt8]) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        var rest = bytes[...]
        while rest.count >= 4 {
            let length = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            messages.append(Array(rest.dropFirst(4).prefix(length)))
            rest = rest.dropFirst(4 + length)
        }
        return messages
    }
}
