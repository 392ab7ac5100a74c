import ProtobufC
import ProtobufWellKnownTypes
import PulseBoardMessages
import RPCCore
import StandardServiceMessages
import Testing

@testable import PulseBoardCLI

@Suite struct ReflectionTests {
    /// The service's own file; it imports two of Google's.
    private static let symbols = [PBAdminService.fullName: PBAdminService.file.name]

    private func run(_ channel: ReflectingChannel, _ words: String...) async throws -> (code: Int32, output: String, errors: String) {
        let program = try TestProgram(channel: channel)
        let code = try await program.run(arguments: ["rpc"] + words)
        return (code, program.standardOutput, program.standardError)
    }

    @Test("A server that sends one file at a time is asked for what that imports")
    func imports() async throws {
        let channel = ReflectingChannel(files: PBAdminService.file.withAllDependencies, symbols: Self.symbols)
        let answer = try await run(channel, "describe", "pulseboard.admin.v1.AdminService.Drain")
        #expect(answer.code == 0, "\(answer)")
        #expect(answer.output.contains("rpc Drain(DrainRequest) returns (DrainResponse);"))
        // This server knows the service but not the method.
        #expect(
            channel.questions == [
                .fileContainingSymbol("pulseboard.admin.v1.AdminService.Drain"), .fileContainingSymbol(PBAdminService.fullName),
                .fileByFilename("google/protobuf/duration.proto"), .fileByFilename("google/protobuf/timestamp.proto"),
            ])
    }

    @Test("Google's own files are known where a server does not describe them; others are not made up")
    func wellKnown() async throws {
        let known = ReflectingChannel(files: [PBAdminService.file], symbols: Self.symbols)
        #expect(try await run(known, "describe", PBAdminService.fullName).code == 0)
        let service = FileDescriptor(name: "lost.proto", dependencies: [], serialized: "\n\u{a}lost.proto\u{1a}\u{4}gone2\u{3}\n\u{1}S")
        let lost = try await run(ReflectingChannel(files: [service], symbols: ["S": "lost.proto"]), "describe", "S")
        #expect(lost.code == 64 + StatusCode.failedPrecondition.rawValue && lost.errors.contains("gone"), "\(lost)")
    }

    @Test("A server that makes up files without end is asked for a thousand")
    func endless() async throws {
        // Each file imports the next: name = 1, dependency = 3.
        @Sendable func file(_ number: Int) -> [UInt8] {
            let names = [(UInt8(0x0A), "\(number)"), (0x1A, "\(number + 1)")]
            return names.flatMap { [$0, UInt8($1.utf8.count)] + Array($1.utf8) }
        }
        let channel = ReflectingChannel { question in
            if case .fileByFilename(let name)? = question, let number = Int(name), number <= 2000 {
                return .fileDescriptorResponse(.init(fileDescriptorProto: [file(number)]))
            }
            return .fileDescriptorResponse(.init(fileDescriptorProto: [file(1)]))
        }
        let answer = try await run(channel, "describe", "a.B")
        #expect(answer.code == 64 + StatusCode.failedPrecondition.rawValue && answer.errors.contains("1000 files"), "\(answer)")
        #expect(channel.questions.count == 1000)
    }

    @Test("v1alpha is asked where v1 is not served")
    func older() async throws {
        let channel = ReflectingChannel(version: "v1alpha", files: [PBAdminService.file], symbols: Self.symbols)
        let answer = try await run(channel, "list", PBAdminService.fullName)
        #expect(answer.output.hasPrefix("pulseboard.admin.v1.AdminService/GetServerInfo\npulseboard.admin.v1.AdminService/Drain\n"), "\(answer)")
        let neither = try await run(ReflectingChannel(version: "v9", files: [], symbols: [:]), "list", "--json")
        #expect(neither.code == 64 + StatusCode.unimplemented.rawValue)
        #expect(neither.errors.contains("NO_REFLECTION"))
    }

    @Test("Answers that make no sense are failures, not crashes")
    func strange() async throws {
        let answers: [ReflectingChannel.Response.OneOf_MessageResponse?] = [
            nil, .listServicesResponse(.init()), .fileDescriptorResponse(.init()),
            .fileDescriptorResponse(.init(fileDescriptorProto: [[0xFF]])),
            .errorResponse(.init(errorCode: 0, errorMessage: "odd")), .errorResponse(.init(errorCode: 99, errorMessage: "odd")),
        ]
        for answer in answers {
            let result = try await run(ReflectingChannel { _ in answer }, "describe", "a.B")
            #expect(result.code > 64, "\(String(describing: answer)): \(result)")
            #expect(!result.errors.isEmpty)
        }
    }

    @Test("-H is sent with the questions and with the call, --auth sends the session's token")
    func metadata() async throws {
        let channel = ReflectingChannel(files: PBAdminService.file.withAllDependencies, symbols: Self.symbols)
        let program = try TestProgram(channel: channel)
        try program.signIn(token: "t-1")
        let words = ["rpc", "call", "pulseboard.admin.v1.AdminService/Drain", "-d", "{}"]
        #expect(try await program.run(arguments: words + ["-H", "Caller: me: and you", "-H", "x-empty:", "--auth"]) == 0)
        #expect(channel.options.count == 2)
        for options in channel.options {
            #expect(options.metadata["caller"] == "me: and you")
            #expect(options.metadata["x-empty"] == "")
            #expect(options.metadata["authorization"] == "Bearer t-1")
        }
        #expect(try await program.run(arguments: words + ["-H", "no colon"]) == 64)
        #expect(try await program.run(arguments: words + ["-H", ": value"]) == 64)
        #expect(try await program.run(arguments: words + ["--protocol", "http"]) == 64)
        #expect(try await program.run("rpc", "call", "nomethod") == 64)
    }

    @Test("The request becomes the message and the answer its JSON")
    func call() async throws {
        let channel = ReflectingChannel(files: PBAdminService.file.withAllDependencies, symbols: Self.symbols)
        let method = "pulseboard.admin.v1.AdminService/Drain"
        // The stub answers with the request's bytes. The request is empty here, so no field of the answer is set.
        let empty = try await run(channel, "call", method)
        #expect(empty.code == 0 && empty.output == "{}\n", "\(empty)")
        let defaults = try await run(channel, "call", method, "--emit-defaults")
        #expect(defaults.output.contains(#""pid": 0"#), "\(defaults)")
        let two = try await run(channel, "call", method, "-d", "{}{}")
        #expect(two.code == 64 + StatusCode.invalidArgument.rawValue && two.errors.contains("one request"), "\(two)")
        let wrong = try await run(channel, "call", method, "-d", #"{"gracePeriod":3}"#)
        #expect(wrong.code == 64 + StatusCode.invalidArgument.rawValue)
        #expect(wrong.errors.contains("grace_period") && wrong.errors.contains("rpc describe pulseboard.admin.v1.DrainRequest"), "\(wrong)")
    }

    @Test("What a server's strings could do to a terminal is written as escapes, and the JSON stays the same")
    func escapes() async throws {
        var info = PBServerInfo()
        info.version = "\u{9B}31m\u{7F}\u{202E}한글"
        let channel = ReflectingChannel(
            files: PBAdminService.file.withAllDependencies, symbols: Self.symbols, answer: .success(try info.serializedBytes()))
        let answer = try await run(channel, "call", "pulseboard.admin.v1.AdminService/GetServerInfo")
        #expect(answer.output == "{\n  \"version\": \"\\u009b31m\\u007f\\u202e한글\"\n}\n", "\(answer)")
        let read = try PBServerInfo(jsonString: answer.output)
        #expect(read.version == info.version)
    }

    @Test("A failure's detail whose JSON is no object stands under `value`, beside its type")
    func details() async throws {
        var second = Google_Protobuf_Duration()
        second.seconds = 1
        // The server does not describe the last two.
        let types = ["google.protobuf.Duration", "pulseboard.admin.v1.DrainResponse", "google.protobuf.Int64Value", "unknown.Type"]
        let details = try types.map { StatusDetail(typeURL: "type.googleapis.com/" + $0, value: try second.serializedBytes()) }
        let channel = ReflectingChannel(
            files: PBAdminService.file.withAllDependencies, symbols: Self.symbols,
            answer: .failure(RPCError(.aborted, "no", details: details)))
        let answer = try await run(channel, "call", "pulseboard.admin.v1.AdminService/Drain")
        #expect(answer.code == 64 + StatusCode.aborted.rawValue, "\(answer)")
        #expect(answer.errors.contains(#"{"@type":"type.googleapis.com/google.protobuf.Duration","value":"1s"}"#), "\(answer)")
        #expect(answer.errors.contains(#"{"@type":"type.googleapis.com/pulseboard.admin.v1.DrainResponse","pid":1}"#), "\(answer)")
        #expect(answer.errors.contains(#"{"@type":"type.googleapis.com/google.protobuf.Int64Value","value":"1"}"#), "\(answer)")
        #expect(answer.errors.contains(#"{"@type":"type.googleapis.com/unknown.Type","value":"CAE="}"#), "\(answer)")
    }

    @Test("A call that needs a session is advised with --auth, once")
    func needsSession() async throws {
        let channel = ReflectingChannel(
            files: PBAdminService.file.withAllDependencies, symbols: Self.symbols,
            answer: .failure(try RPCError.with(.unauthenticated, reason: "NOT_AUTHENTICATED")))
        let method = "pulseboard.admin.v1.AdminService/Drain"
        let without = try await run(channel, "call", method, "-d", "{}")
        #expect(without.code == 80 && without.errors.contains("Next: pulseboard rpc call --auth \(method) -d '{}'\n"), "\(without)")
        let program = try TestProgram(channel: channel)
        try program.signIn()
        #expect(try await program.run("rpc", "call", method, "--auth") == 80)
        #expect(!program.standardError.contains("Next: "), "\(program.standardError)")
    }

    @Test("Method names as people write them")
    func names() {
        #expect(WrittenMethodName("a.b.S/M") == WrittenMethodName("a.b.S.M"))
        #expect(WrittenMethodName("/a.b.S/M")?.service == "a.b.S")
        #expect(WrittenMethodName("S/M")?.method == "M")
        for text in ["", "M", "/", "S/", "/M", "a/b/c", "."] { #expect(WrittenMethodName(text) == nil, "\(text)") }
    }

    @Test("JSON objects are cut out of a text however they are laid out, whatever their strings hold")
    func documents() {
        func cut(_ parts: String...) -> [String] {
            var cutter = JSONDocuments()
            var documents = parts.flatMap { cutter.append($0) }
            if let rest = cutter.finish() { documents.append(rest) }
            return documents.map { $0.filter { !$0.isWhitespace } }
        }
        #expect(cut("{}{}\n{}") == ["{}", "{}", "{}"])
        #expect(cut(#"{"a":"}\"{"}"#, #"{"b":["#, "\n", "{}]}\n") == [#"{"a":"}\"{"}"#, #"{"b":[{}]}"#])
        #expect(cut(" \n\t\n") == [])
        #expect(cut("12\n", "{}") == ["12", "{}"])
        #expect(cut("{") == ["{"])
        #expect(cut("}{}") == ["}", "{}"])
        #expect(cut(#"{"a":"\\"}{"#) == [#"{"a":"\\"}"#, "{"])
    }
}
