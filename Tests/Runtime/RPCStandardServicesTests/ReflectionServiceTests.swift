import GoldenMessages
import ProtobufC
import ProtobufSchema
import RPCCore
import StandardServiceMessages
import Testing

@testable import RPCStandardServices

@Suite struct ReflectionServiceTests {
    private typealias Request = Grpc_Reflection_V1_ServerReflectionRequest
    private typealias Answer = Grpc_Reflection_V1_ServerReflectionResponse.OneOf_MessageResponse

    /// A file with extensions, which the plugin does not generate: `base.proto`, extended in `more.proto`.
    private static let extended: FileDescriptor = {
        let base = FileDescriptor(
            name: "base.proto", dependencies: [],
            serialized: "\n\u{a}base.proto\u{12}\u{1}b\"\u{d}\n\u{4}Base*\u{5}\u{8}d\u{10}\u{c8}\u{1}")
        return FileDescriptor(
            name: "more.proto", dependencies: [base],
            serialized: "\n\u{a}more.proto\u{12}\u{1}m\u{1a}\u{a}base.proto:\u{16}\n\u{5}extra\u{12}\u{7}.b.Base\u{18}g \u{1}(\u{5}")
    }()

    private let service = ReflectionService(
        serviceNames: ["z.Z", Grpc_Health_V1_Health.fullName], files: [GSStreamsFile.descriptor, Self.extended, Grpc_Health_V1_Health.file])

    private func ask(_ question: Request.OneOf_MessageRequest?) -> Answer? {
        service.answer(Request(host: "h", messageRequest: question)).messageResponse
    }

    /// Names of the files in an answer.
    private func files(_ answer: Answer?) throws -> [String] {
        guard case .fileDescriptorResponse(let response)? = answer else { return [] }
        return try response.fileDescriptorProto.map { try SchemaFile(serializedBytes: $0).name }
    }

    private func errorCode(_ answer: Answer?) -> Int32? {
        guard case .errorResponse(let error)? = answer else { return nil }
        return error.errorCode
    }

    @Test("a name with more than 1,024 bytes is not looked up, whatever kind of name it is")
    func longNames() {
        for count in [1_024, 1_025] {
            let name = String(repeating: "\u{0301}", count: count / 2) + String(repeating: "a", count: count % 2)
            let questions: [Request.OneOf_MessageRequest] = [
                .fileByFilename(name), .fileContainingSymbol(name), .allExtensionNumbersOfType(name),
                .fileContainingExtension(.init(containingType: name, extensionNumber: 1)),
            ]
            for question in questions {
                guard case .errorResponse(let error)? = ask(question) else {
                    Issue.record("\(question)")
                    continue
                }
                #expect(error.errorCode == 5)
                #expect((error.errorMessage == "no name has more than 1024 bytes") == (count > 1_024))
            }
        }
    }

    @Test("An answer gives host and question back")
    func envelope() {
        for name in ["none", "한", String(repeating: "a", count: 2_000)] {
            let request = Request(host: "somewhere", messageRequest: .fileByFilename(name))
            let response = service.answer(request)
            #expect(response.validHost == "somewhere")
            #expect(response.originalRequest == request)
        }
    }

    @Test("Services are listed by name")
    func listServices() throws {
        let answer = ask(.listServices("*"))
        guard case .listServicesResponse(let list)? = answer else { throw RPCError(.internal, "\(String(describing: answer))") }
        #expect(list.service.map(\.name) == ["grpc.health.v1.Health", "z.Z"])
    }

    @Test("A file comes first, what it imports behind it")
    func fileByName() throws {
        #expect(try files(ask(.fileByFilename("more.proto"))) == ["more.proto", "base.proto"])
        #expect(try files(ask(.fileByFilename("base.proto"))) == ["base.proto"])
        #expect(try files(ask(.fileByFilename("golden/v1/streams.proto"))).first == "golden/v1/streams.proto")
    }

    @Test(
        "A file is found by whatever it declares",
        arguments: [
            "grpc.health.v1.Health", "grpc.health.v1.Health.Check", "grpc.health.v1.HealthCheckRequest",
            "grpc.health.v1.HealthCheckRequest.service", "grpc.health.v1.HealthCheckResponse.ServingStatus",
            "grpc.health.v1.HealthCheckResponse.SERVING",
        ])
    func fileBySymbol(_ symbol: String) throws {
        #expect(try files(ask(.fileContainingSymbol(symbol))) == ["grpc/health/v1/health.proto"])
    }

    @Test("Extensions are found by the message that they extend")
    func extensions() throws {
        #expect(try files(ask(.fileContainingSymbol("m.extra"))) == ["more.proto", "base.proto"])
        #expect(
            try files(ask(.fileContainingExtension(.init(containingType: "b.Base", extensionNumber: 103))))
                == ["more.proto", "base.proto"])
        #expect(ask(.allExtensionNumbersOfType("b.Base")) == .allExtensionNumbersResponse(.init(baseTypeName: "b.Base", extensionNumber: [103])))
        #expect(
            ask(.allExtensionNumbersOfType("grpc.health.v1.HealthCheckRequest"))
                == .allExtensionNumbersResponse(.init(baseTypeName: "grpc.health.v1.HealthCheckRequest", extensionNumber: [])))
    }

    @Test("What is not there is an error in the answer, never the end of the call")
    func unknown() {
        #expect(errorCode(ask(.fileByFilename("nowhere.proto"))) == StatusCode.notFound.rawValue)
        #expect(errorCode(ask(.fileByFilename(""))) == StatusCode.notFound.rawValue)
        #expect(errorCode(ask(.fileContainingSymbol(".grpc.health.v1.Health"))) == StatusCode.notFound.rawValue)
        #expect(errorCode(ask(.fileContainingSymbol("grpc.health.v1"))) == StatusCode.notFound.rawValue)
        #expect(errorCode(ask(.fileContainingExtension(.init(containingType: "b.Base", extensionNumber: -1)))) == StatusCode.notFound.rawValue)
        #expect(errorCode(ask(.fileContainingExtension(.init()))) == StatusCode.notFound.rawValue)
        #expect(errorCode(ask(.allExtensionNumbersOfType("m.extra"))) == StatusCode.notFound.rawValue)
        #expect(errorCode(ask(.allExtensionNumbersOfType("none.Such"))) == StatusCode.notFound.rawValue)
        #expect(errorCode(ask(nil)) == StatusCode.invalidArgument.rawValue)
    }

    @Test("A question that is too long to be repeated is answered all the same, without it")
    func longQuestion() throws {
        let name = String(repeating: "x", count: 2 << 20)
        let requests: [Request] = [
            Request(messageRequest: .fileByFilename(name)), Request(messageRequest: .allExtensionNumbersOfType(name)),
            Request(host: name, messageRequest: .listServices("*")),
        ]
        for request in requests {
            let response = service.answer(request)
            #expect(errorCode(response.messageResponse) == StatusCode.invalidArgument.rawValue)
            #expect(try response.serializedBytes().count < 1000)
        }
    }

    @Test("One stream answers question after question, in order, and ends with its caller's side")
    func stream() async throws {
        let requests = ["base.proto", "none", "more.proto"].map { Request(messageRequest: .fileByFilename($0)) }
        let (answers, continuation) = AsyncStream<Grpc_Reflection_V1_ServerReflectionResponse>.makeStream()
        try await service.serverReflectionInfo(
            MessageStream(requests), responses: MessageWriter { continuation.yield($0) },
            context: CallContext(peer: nil, metadata: Metadata(), deadline: .never, method: "reflect"))
        continuation.finish()
        var questions: [Request?] = []
        for await answer in answers { questions.append(answer.originalRequest) }
        #expect(questions == requests)
    }

    @Test("All that a file of the plugin imports is there, well-known types among it")
    func closure() throws {
        let files = Golden_V1_EverythingFile.descriptor.withAllDependencies
        let schema = Schema(try files.map { try SchemaFile(serializedBytes: $0.serializedBytes) })
        #expect(schema.missingFile == nil)
        #expect(schema.files.keys.contains("google/protobuf/timestamp.proto"))
    }
}
