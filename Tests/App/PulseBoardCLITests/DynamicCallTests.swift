import ProtobufC
import ProtobufWellKnownTypes
import PulseBoardMessages
import RPCCore
import Synchronization
import Testing

@testable import PulseBoardCLI

@Suite("Calls by reflection") struct DynamicCallTests {
    @Test("A request that cannot be sent fails the call, which the server does not take for whole", arguments: [
        (RefusingChannel.upload, #"{"chunk":"AA=="}{"chunk":"AQ=="}{"chunk":"Ag=="}"#), (RefusingChannel.check, "{}{}{}"),
    ])
    func refusedRequest(_ method: String, _ requests: String) async throws {
        let channel = RefusingChannel()
        let program = try TestProgram(channel: channel)
        let code = try await program.run("rpc", "call", method, "-d", requests)
        #expect(code == 64 + StatusCode.resourceExhausted.rawValue, "\(program.standardError)")
        #expect(program.standardError.contains("RESOURCE_EXHAUSTED") && program.standardError.contains("the message is too large"))
        #expect(program.standardOutput.isEmpty, "the call has no answer")
        #expect(channel.writtenCount == 2 && channel.isCancelled)
    }

    @Test("Ctrl-C while a call waits for input fails a call of many requests and one answer, and ends a conversation without a word", arguments: [
        (RefusingChannel.upload, true), (RefusingChannel.check, false),
    ])
    func interrupted(_ method: String, _ isFailure: Bool) async throws {
        let channel = RefusingChannel()
        let (waiting, pressed) = AsyncStream<Void>.makeStream()
        let (endless, input) = AsyncStream<Void>.makeStream()
        let hasLeft = Atomic<Bool>(false)
        let program = try TestProgram(
            typed: ["rpc call \(method) -d @"], variables: ["TERM": "dumb"], channel: channel, outputIsTerminal: true,
            nextLine: {
                pressed.finish()
                // Ends when the task is cancelled.
                for await _ in endless {}
                hasLeft.store(true, ordering: .relaxed)
                return nil
            },
            interrupted: { for await _ in waiting {} })
        #expect(try await program.run("shell") == 0)
        #expect(program.standardError.contains("CANCELLED") == isFailure, "\(program.standardError)")
        #expect(!program.standardOutput.contains("{"), "the call has no answer")
        let isFree = hasLeft.load(ordering: .relaxed)
        #expect(isFree, "the input is the shell's again")
        #expect(!isFailure || channel.isCancelled)
        input.finish()
    }

    // MARK: Any

    private static let drain = "type.googleapis.com/pulseboard.admin.v1.DrainResponse"
    private static let stranger = "type.googleapis.com/nobody.Knows"

    /// One record of the wire form, with less than 16 KiB.
    private static func record(_ number: UInt8, _ parts: [UInt8]...) -> [UInt8] {
        let content = parts.flatMap { $0 }
        let low = UInt8(content.count & 0x7F)
        let length = content.count < 128 ? [low] : [low | 0x80, UInt8(content.count >> 7)]
        return [number << 3 | 2] + length + content
    }

    private static func text(_ number: UInt8, _ text: String) -> [UInt8] { record(number, Array(text.utf8)) }

    /// A file with `message Holder { Any one = 1; repeated Any many = 2; }` and `service S { rpc M(Holder) returns (Holder); }`.
    private static let file: FileDescriptor = {
        // Number, label and type of a field: 1 is optional, 3 repeated, 11 a message.
        let one = record(2, text(1, "one"), [0x18, 1, 0x20, 1, 0x28, 11], text(6, ".google.protobuf.Any"))
        let many = record(2, text(1, "many"), [0x18, 2, 0x20, 3, 0x28, 11], text(6, ".google.protobuf.Any"))
        let method = record(2, text(1, "M"), text(2, ".t.Holder"), text(3, ".t.Holder"))
        let parts: [[UInt8]] = [
            text(1, "holder.proto"), text(2, "t"), text(3, "google/protobuf/any.proto"), record(4, text(1, "Holder"), one, many),
            record(6, text(1, "S"), method), text(12, "proto3"),
        ]
        return FileDescriptor(name: "holder.proto", dependencies: [], serializedBytes: parts.flatMap { $0 })
    }()

    /// A server whose service imports only `Any`. It also knows `DrainResponse`, and answers with the given bytes or with the request.
    private static func server(version: String = "v1", answer: [UInt8]? = nil) -> ReflectingChannel {
        ReflectingChannel(
            version: version, files: [file, Google_Protobuf_AnyFile.descriptor] + PBAdminService.file.withAllDependencies,
            symbols: ["t.S": "holder.proto", "pulseboard.admin.v1.DrainResponse": PBAdminService.file.name],
            answer: answer.map { Result<[UInt8], RPCError>.success($0) })
    }

    private static func any(_ typeURL: String, _ value: [UInt8]) throws -> [UInt8] {
        try Google_Protobuf_Any(typeURL: typeURL, value: value).serializedBytes()
    }

    @Test("An Any in an answer is shown by its type, which the server is asked for once", arguments: ["v1", "v1alpha"])
    func foreignAny(_ version: String) async throws {
        let one = try Self.any(Self.drain, [0x08, 0x01])
        let channel = Self.server(version: version, answer: Self.record(1, one) + Self.record(2, one))
        let program = try TestProgram(channel: channel)
        #expect(try await program.run("rpc", "call", "t.S/M") == 0, "\(program.standardError)")
        #expect(
            program.standardOutput == """
                {
                  "one": {
                    "@type": "\(Self.drain)",
                    "pid": 1
                  },
                  "many": [
                    {
                      "@type": "\(Self.drain)",
                      "pid": 1
                    }
                  ]
                }

                """)
        #expect(channel.questions.count { $0 == .fileContainingSymbol("pulseboard.admin.v1.DrainResponse") } == 1)
        #expect(channel.questions.count { $0 == .fileByFilename("google/protobuf/any.proto") } == 1, "\(channel.questions)")
    }

    @Test("An Any of a type that the server does not know is shown as type and bytes, and the others as usual")
    func strangeAny() async throws {
        let unknown = try Self.any(Self.stranger, [1, 2])
        let inside = try Self.any("type.googleapis.com/google.protobuf.Any", try Self.any(Self.stranger, []))
        let known = try Self.any(Self.drain, [0x08, 0x01])
        let channel = Self.server(answer: Self.record(1, unknown) + Self.record(2, known) + Self.record(2, inside))
        let program = try TestProgram(channel: channel)
        #expect(try await program.run("rpc", "call", "t.S/M") == 0, "\(program.standardError)")
        #expect(
            program.standardOutput == """
                {
                  "one": {
                    "@type": "\(Self.stranger)",
                    "value": "AQI="
                  },
                  "many": [
                    {
                      "@type": "\(Self.drain)",
                      "pid": 1
                    },
                    {
                      "@type": "type.googleapis.com/google.protobuf.Any",
                      "value": {
                        "@type": "\(Self.stranger)",
                        "value": ""
                      }
                    }
                  ]
                }

                """)
        #expect(channel.questions.count { $0 == .fileContainingSymbol("nobody.Knows") } == 1)
    }

    @Test("An Any in a request may be of any type that the server knows, and of no other")
    func sentAny() async throws {
        func call(_ type: String) async throws -> (code: Int32, program: TestProgram) {
            let program = try TestProgram(channel: Self.server())
            return (try await program.run("rpc", "call", "t.S/M", "-d", "{\"one\":{\"@type\":\"\(type)\",\"pid\":7}}"), program)
        }
        let known = try await call(Self.drain)
        #expect(known.code == 0 && known.program.standardOutput.contains("\"pid\": 7"), "\(known.program.standardError)")
        let unknown = try await call(Self.stranger)
        #expect(unknown.code == 64 + StatusCode.invalidArgument.rawValue)
        #expect(unknown.program.standardError.contains("one: unknown type \(Self.stranger)"), "\(unknown.program.standardError)")
    }

    private static let stringValue = "type.googleapis.com/google.protobuf.StringValue"

    /// Questions about types that the service's files do not have.
    private static func foreignQuestions(_ channel: ReflectingChannel) -> [ReflectingChannel.Request.OneOf_MessageRequest] {
        channel.questions.filter { $0 != .fileContainingSymbol("t.S") && $0 != .fileByFilename("google/protobuf/any.proto") }
    }

    @Test("A type of google.protobuf or google.rpc is known, also where the server does not describe it, and the server is not asked")
    func wellKnownAny() async throws {
        let status = "type.googleapis.com/google.rpc.Status"
        let hi = try Self.any(Self.stringValue, Self.text(1, "hi"))
        // Field 3 is `details`.
        let failure = try Self.any(status, Self.record(3, Self.any(Self.stranger, [1])))
        let channel = Self.server(answer: Self.record(1, hi) + Self.record(2, failure))
        let program = try TestProgram(channel: channel)
        #expect(try await program.run("rpc", "call", "t.S/M") == 0, "\(program.standardError)")
        #expect(
            program.standardOutput == """
                {
                  "one": {
                    "@type": "\(Self.stringValue)",
                    "value": "hi"
                  },
                  "many": [
                    {
                      "@type": "\(status)",
                      "details": [
                        {
                          "@type": "\(Self.stranger)",
                          "value": "AQ=="
                        }
                      ]
                    }
                  ]
                }

                """)
        #expect(Self.foreignQuestions(channel) == [.fileContainingSymbol("nobody.Knows")])
        let sender = try TestProgram(channel: Self.server())
        let code = try await sender.run("rpc", "call", "t.S/M", "-d", "{\"one\":{\"@type\":\"\(Self.stringValue)\",\"value\":\"hi\"}}")
        #expect(code == 0 && sender.standardOutput.contains("\"value\": \"hi\""), "\(sender.standardError)")
    }

    @Test("After a hundred questions about types, an Any is shown as type URL and bytes, as is one whose type URL names no type")
    func manyStrangers() async throws {
        let nameless: [String] = ["nobody.Knows", "a/", "", "a/" + String(repeating: "x", count: 1_001)]
        for url in nameless { #expect(CallTypes.name(in: url) == nil) }
        let urls = (0..<150).map { "a/nobody.N\($0)" } + nameless
        let anys = try urls.flatMap { Self.record(2, try Self.any($0, [1])) }
        let hi = try Self.record(2, Self.any(Self.stringValue, Self.text(1, "hi")))
        let channel = Self.server(answer: anys + hi)
        let program = try TestProgram(channel: channel)
        #expect(try await program.run("rpc", "call", "t.S/M") == 0, "\(program.standardError)")
        let output = program.standardOutput
        for url in urls { #expect(output.contains("      \"@type\": \"\(url)\",\n      \"value\": \"AQ==\"\n")) }
        #expect(output.contains("      \"@type\": \"\(Self.stringValue)\",\n      \"value\": \"hi\"\n"))
        #expect(Self.foreignQuestions(channel).count == 100)
    }

    @Test("The two directions of a call have a hundred questions about types together")
    func sharedQuestions() async throws {
        let channel = Self.server()
        let schema = ReflectionClient(channel: channel, options: CallOptions()).schema
        var requests = try CallTypes(schema, channel: channel, options: CallOptions())
        var answers = requests
        for number in 0..<80 {
            _ = await requests.learn("a/nobody.N\(number)")
            _ = await answers.learn("a/nobody.M\(number)")
        }
        #expect(channel.questions.count == 100)
    }

    @Test("After a failure of reflection, which may be a timeout, the server is asked for no more types")
    func failingReflection() async throws {
        let answer = try (0..<5).flatMap { Self.record(2, try Self.any("a/nobody.N\($0)", [1])) }
        let channel = ReflectingChannel(unary: .success(answer)) { question in
            let file: FileDescriptor
            switch question {
            case .fileContainingSymbol("t.S")?: file = Self.file
            case .fileByFilename("google/protobuf/any.proto")?: file = Google_Protobuf_AnyFile.descriptor
            default: return .errorResponse(.init(errorCode: StatusCode.deadlineExceeded.rawValue, errorMessage: "too late"))
            }
            return .fileDescriptorResponse(.init(fileDescriptorProto: [file.serializedBytes]))
        }
        let program = try TestProgram(channel: channel)
        #expect(try await program.run("rpc", "call", "t.S/M") == 0, "\(program.standardError)")
        for number in 0..<5 { #expect(program.standardOutput.contains("\"a/nobody.N\(number)\"")) }
        #expect(Self.foreignQuestions(channel).count == 1)
    }

    @Test("The parts of an Any may come apart, in any order")
    func partsOfAny() async throws {
        let parts = Self.record(1, Self.record(2, [1])) + Self.record(1, Self.text(1, Self.stranger))
        let program = try TestProgram(channel: Self.server(answer: parts))
        #expect(try await program.run("rpc", "call", "t.S/M") == 0, "\(program.standardError)")
        #expect(program.standardOutput.contains("\"@type\": \"\(Self.stranger)\",\n    \"value\": \"AQ==\"\n"), "\(program.standardOutput)")
    }
}
