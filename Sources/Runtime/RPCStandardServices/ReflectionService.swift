import ProtobufC
import RPCCore
import ReflectionV1AlphaMessages
import StandardServiceMessages

/// gRPC's server reflection, version 1 and its older name v1alpha: describes the server's services to clients that do not know them.
///
/// A question without an answer gets an `error_response`. It never ends the call.
struct ReflectionService: Grpc_Reflection_V1_ServerReflectionHandler {
    typealias Request = Grpc_Reflection_V1_ServerReflectionRequest
    typealias Response = Grpc_Reflection_V1_ServerReflectionResponse

    /// The longest question that is answered, bytes of its texts and unknown fields. The answer repeats most of it twice, so without a limit some
    /// answers would be over the limit of one message, which ends the call. Names are much shorter.
    private static let longestRequest = 64 << 10

    /// The longest name that is looked up, bytes. Names of protobuf are ASCII, and no other name is looked up: hashing or comparing a text with many
    /// combining marks takes time that grows with the square of its length, and everybody may ask.
    private static let longestName = 1_024

    private let serviceNames: [String]
    private let index: ReflectionIndex

    /// - Parameters:
    ///   - serviceNames: full names of the server's services.
    ///   - files: the files that declare them.
    init(serviceNames: [String], files: [FileDescriptor]) {
        self.serviceNames = serviceNames.sorted()
        index = ReflectionIndex(files)
    }

    /// v1alpha has the messages of v1 under another package, so its wire form is the same and one handler answers both.
    static let v1alpha = MethodDescriptor<Request, Response>(
        service: Grpc_Reflection_V1alpha_ServerReflection.fullName, method: "ServerReflectionInfo",
        shape: .bidirectionalStreaming)

    /// Offers both versions.
    func registerBothVersions(on router: inout Router) {
        register(on: &router)
        router.registerBidirectionalStreaming(Self.v1alpha) {
            try await serverReflectionInfo($0, responses: $1, context: $2)
        }
    }

    func serverReflectionInfo(
        _ requests: MessageStream<Request>, responses: MessageWriter<Response>, context: CallContext
    ) async throws {
        for try await request in requests { try await responses.write(answer(request)) }
    }

    /// The answer to one question.
    func answer(_ request: Request) -> Response {
        guard request.textByteCount <= Self.longestRequest else {
            return Response(messageResponse: Self.error(.invalidArgument, "the request has more than \(Self.longestRequest) bytes"))
        }
        var response = Response(validHost: request.host, originalRequest: request)
        response.messageResponse = found(request)
        return response
    }

    private func found(_ request: Request) -> Response.OneOf_MessageResponse {
        guard request.name.utf8.count <= Self.longestName else {
            return Self.error(.notFound, "no name has more than \(Self.longestName) bytes")
        }
        guard request.name.utf8.allSatisfy({ $0 < 0x80 }) else { return Self.error(.notFound, "a name has only ASCII characters") }
        return
            switch request.messageRequest {
            case .fileByFilename(let name)?: files(index.file(named: name), "no file \(name)")
            case .fileContainingSymbol(let name)?: files(index.file(declaring: name), "nothing is called \(name)")
            case .fileContainingExtension(let wanted)?:
                files(
                    index.file(extending: wanted.containingType, number: wanted.extensionNumber),
                    "no extension \(wanted.extensionNumber) of \(wanted.containingType)")
            case .allExtensionNumbersOfType(let name)?: extensionNumbers(name)
            case .listServices?:
                .listServicesResponse(.init(service: serviceNames.map { Grpc_Reflection_V1_ServiceResponse(name: $0) }))
            case nil: Self.error(.invalidArgument, "the request asks for nothing that this server knows")
            }
    }

    /// The requested file, which clients expect first, and then all its imports.
    private func files(_ file: FileDescriptor?, _ absence: String) -> Response.OneOf_MessageResponse {
        guard let file else { return Self.error(.notFound, absence) }
        let files = file.withAllDependencies.reversed()
        return .fileDescriptorResponse(.init(fileDescriptorProto: files.map(\.serializedBytes)))
    }

    private func extensionNumbers(_ message: String) -> Response.OneOf_MessageResponse {
        guard let numbers = index.extensionNumbers(of: message) else {
            return Self.error(.notFound, "no message is called \(message)")
        }
        return .allExtensionNumbersResponse(.init(baseTypeName: message, extensionNumber: numbers))
    }

    private static func error(_ code: StatusCode, _ message: String) -> Response.OneOf_MessageResponse {
        .errorResponse(.init(errorCode: code.rawValue, errorMessage: message))
    }
}

extension Grpc_Reflection_V1_ServerReflectionRequest {
    /// Bytes of its texts and unknown fields. It is not encoded to learn its length, because that takes long on the event loop.
    fileprivate var textByteCount: Int {
        var count = host.utf8.count + name.utf8.count + unknownFields.wireBytes.count
        if case .fileContainingExtension(let wanted)? = messageRequest { count += wanted.unknownFields.wireBytes.count }
        return count
    }

    /// The name that it asks about; empty if it asks for the list of services, or for nothing.
    fileprivate var name: String {
        switch messageRequest {
        case .fileByFilename(let name)?, .fileContainingSymbol(let name)?, .allExtensionNumbersOfType(let name)?: name
        case .fileContainingExtension(let wanted)?: wanted.containingType
        case .listServices?, nil: ""
        }
    }
}
