import ProtobufC
import ProtobufSchema
import ProtobufWellKnownTypes
import RPCCore
import StandardServiceMessages

/// Asks a server what it serves, by gRPC's server reflection: version 1, or v1alpha if the server is older.
///
/// All questions use one call. ``schema`` keeps the answers.
struct ReflectionClient {
    typealias Request = Grpc_Reflection_V1_ServerReflectionRequest
    typealias Response = Grpc_Reflection_V1_ServerReflectionResponse
    private typealias Call = BidirectionalStream<Request, Response>

    private let channel: any CallChannel
    private let options: CallOptions
    private var call: (stream: Call, answers: MessageStream<Response>.AsyncIterator)?
    private var isOlder = false
    /// Maximum files that are requested. No real schema has as many, but a malicious server could invent files without end.
    private static let maximumFileCount = 1000
    /// The files that were known before, and those that the server has sent.
    private(set) var schema: Schema
    private let knownFileCount: Int

    /// - Parameter schema: files that the server has sent before. It is not asked for them again.
    init(channel: any CallChannel, options: CallOptions, knowing schema: Schema = Schema()) {
        self.channel = channel
        self.options = options
        self.schema = schema
        knownFileCount = schema.files.count
    }

    /// Ends the call.
    mutating func finish() {
        call?.stream.finishWriting()
        call = nil
    }

    /// Full names of all services, in the server's order.
    mutating func serviceNames() async throws(RPCError) -> [String] {
        guard case .listServicesResponse(let list) = try await ask(.listServices("*")) else { throw Self.strangeAnswer }
        return list.service.map(\.name)
    }

    /// Loads the file that declares a full name, with all its imports.
    /// - Throws: `NOT_FOUND` if the server does not know the name.
    mutating func load(_ fullName: String) async throws(RPCError) {
        guard schema[fullName] == nil else { return }
        try add(try await ask(.fileContainingSymbol(fullName)))
        // Some servers send a file with all its imports, others only the file.
        while let missing = schema.missingFile {
            guard schema.files.count < Self.maximumFileCount else {
                throw RPCError(.failedPrecondition, "the server describes \(fullName) in more than \(Self.maximumFileCount) files")
            }
            do throws(RPCError) {
                try add(try await ask(.fileByFilename(missing)))
            } catch where error.code == .notFound {
                // Not every server has protobuf's own files. They are the same everywhere.
                guard let known = WellKnownFiles.schema.files[missing] else {
                    throw RPCError(.failedPrecondition, "the server describes no \(missing), which its own files import")
                }
                schema.add(known)
            }
            guard schema.files[missing] != nil else { throw Self.strangeAnswer }
        }
        guard schema[fullName] != nil else { throw RPCError(.notFound, "the server describes no \(fullName)") }
    }

    private mutating func add(_ answer: Response.OneOf_MessageResponse) throws(RPCError) {
        guard case .fileDescriptorResponse(let response) = answer else { throw Self.strangeAnswer }
        for bytes in response.fileDescriptorProto {
            do throws(DecodingError) {
                schema.add(try SchemaFile(serializedBytes: bytes))
            } catch {
                throw RPCError(.internal, "the server describes itself with a damaged file: \(error)")
            }
        }
    }

    /// The answer to one question.
    /// - Throws: the server's error.
    private mutating func ask(_ question: Request.OneOf_MessageRequest) async throws(RPCError) -> Response.OneOf_MessageResponse {
        do throws(RPCError) {
            return try await answer(to: question)
        } catch where error.code == .unimplemented && !isOlder && schema.files.count == knownFileCount {
            isOlder = true
            call = nil
            return try await answer(to: question)
        }
    }

    private mutating func answer(to question: Request.OneOf_MessageRequest) async throws(RPCError) -> Response.OneOf_MessageResponse {
        var (stream, answers) = call ?? open()
        // If the call has failed already, reading gives the reason.
        try? await stream.write(Request(messageRequest: question))
        guard let answer = try await answers.next()?.messageResponse else { throw Self.strangeAnswer }
        call = (stream, answers)
        guard case .errorResponse(let error) = answer else { return answer }
        let code = StatusCode(wireValue: error.errorCode)
        throw RPCError(code == .ok ? .unknown : code, error.errorMessage)
    }

    private func open() -> (stream: Call, answers: MessageStream<Response>.AsyncIterator) {
        let package = isOlder ? "grpc.reflection.v1alpha" : "grpc.reflection.v1"
        // Both versions have the same messages with the same numbers.
        let stream = channel.bidirectionalStream(
            MethodDescriptor<Request, Response>(
                service: package + ".ServerReflection", method: "ServerReflectionInfo", shape: .bidirectionalStreaming),
            options: options)
        return (stream, stream.responses.makeAsyncIterator())
    }

    private static let strangeAnswer = RPCError(.internal, "the server's answer is not what reflection was asked for")
}

/// The files of `google.protobuf` and `google.rpc` that this program contains.
enum WellKnownFiles {
    private static let all: [FileDescriptor] = [
        Google_Protobuf_AnyFile.descriptor, Google_Protobuf_DurationFile.descriptor, Google_Protobuf_EmptyFile.descriptor,
        Google_Protobuf_FieldMaskFile.descriptor, Google_Protobuf_StructFile.descriptor,
        Google_Protobuf_TimestampFile.descriptor, Google_Protobuf_WrappersFile.descriptor, Google_Rpc_StatusFile.descriptor,
        Google_Rpc_ErrorDetailsFile.descriptor,
    ]

    /// The types of error details, for errors of any server.
    static let errorDetails = TypeRegistry([
        Google_Rpc_ErrorInfo.self, Google_Rpc_RetryInfo.self, Google_Rpc_BadRequest.self, Google_Rpc_RequestInfo.self,
        Google_Rpc_ResourceInfo.self, Google_Rpc_Help.self, Google_Rpc_LocalizedMessage.self,
    ])

    /// The files as the server would describe them.
    static let schema = Schema(all.compactMap { try? SchemaFile(serializedBytes: $0.serializedBytes) })

    /// All types in them.
    static let registry: TypeRegistry = (try? SchemaTypes(schema))?.registry ?? TypeRegistry()
}

extension Invocation {
    /// Asks the server by reflection, and turns errors into failures with text.
    func reflecting<Answer>(
        _ options: CallOptions, _ body: (inout ReflectionClient) async throws(RPCError) -> Answer
    ) async throws(CommandFailure) -> Answer {
        var client = ReflectionClient(channel: channel, options: options)
        defer { client.finish() }
        do throws(RPCError) {
            return try await body(&client)
        } catch where error.code == .unimplemented {
            throw CommandFailure.noReflection(in: failureContext)
        } catch {
            throw CommandFailure(unanswered: error, in: self)
        }
    }

    /// The files that declare `symbol`, with all their imports.
    ///
    /// Some servers know their types but not the members of a type. Then it asks for the type that contains the symbol.
    func schema(of symbol: String, _ options: CallOptions) async throws(CommandFailure) -> Schema {
        let schema = try await reflecting(options) { (client) async throws(RPCError) -> Schema in
            do throws(RPCError) {
                try await client.load(symbol)
            } catch where error.code == .notFound || error.code == .invalidArgument {
                guard let dot = symbol.lastIndex(of: ".") else { return client.schema }
                do throws(RPCError) {
                    try await client.load(String(symbol[..<dot]))
                } catch where error.code == .notFound {
                    return client.schema
                }
            }
            return client.schema
        }
        guard schema[symbol] != nil else { throw CommandFailure.unknownSymbol(symbol, in: failureContext) }
        return schema
    }
}
