import ProtobufC
import RPCCore
import StandardServiceMessages
import Synchronization

/// A server with reflection, for tests of `pulseboard rpc`. Without a given answer, it answers a unary call with the call's request.
final class ReflectingChannel: UnaryChannel {
    typealias Request = Grpc_Reflection_V1_ServerReflectionRequest
    typealias Response = Grpc_Reflection_V1_ServerReflectionResponse

    /// The version of reflection that it serves.
    private let version: String
    private let answer: @Sendable (Request.OneOf_MessageRequest?) -> Response.OneOf_MessageResponse?
    private let given: Result<[UInt8], RPCError>?
    private let asked = Mutex<[Request.OneOf_MessageRequest]>([])
    private let received = Mutex<[CallOptions]>([])

    init(
        version: String = "v1", unary given: Result<[UInt8], RPCError>? = nil,
        _ answer: @escaping @Sendable (Request.OneOf_MessageRequest?) -> Response.OneOf_MessageResponse?
    ) {
        self.version = version
        self.given = given
        self.answer = answer
    }

    /// A server that sends each file without its imports, and knows these files.
    convenience init(
        version: String = "v1", files: [FileDescriptor], symbols: [String: String], answer given: Result<[UInt8], RPCError>? = nil
    ) {
        self.init(version: version, unary: given) { question in
            let name: String? =
                switch question {
                case .fileByFilename(let name)?: name
                case .fileContainingSymbol(let symbol)?: symbols[symbol]
                default: nil
                }
            guard let file = files.first(where: { $0.name == name }) else {
                return .errorResponse(.init(errorCode: StatusCode.notFound.rawValue, errorMessage: "none"))
            }
            return .fileDescriptorResponse(.init(fileDescriptorProto: [file.serializedBytes]))
        }
    }

    /// The questions in order.
    var questions: [Request.OneOf_MessageRequest] { asked.withLock { $0 } }
    /// The options of every call.
    var options: [CallOptions] { received.withLock { $0 } }

    func unary<Asked: Message, Answer: Message>(
        _ method: MethodDescriptor<Asked, Answer>, _ request: Asked, options: CallOptions
    ) async throws(RPCError) -> Answer {
        received.withLock { $0.append(options) }
        let failure: RPCError
        do {
            return try Answer(serializedBytes: try given?.get() ?? request.serializedBytes())
        } catch let error as RPCError {
            failure = error
        } catch {
            failure = RPCError(.internal, "\(error)")
        }
        throw failure
    }

    func bidirectionalStream<Asked: Message, Answer: Message>(
        _ method: MethodDescriptor<Asked, Answer>, options: CallOptions
    ) -> BidirectionalStream<Asked, Answer> {
        received.withLock { $0.append(options) }
        let isServed = method.service == "grpc.reflection.\(version).ServerReflection"
        let waiting = Mutex<[Request]>([])
        return BidirectionalStream(
            requests: MessageWriter { request in
                guard let request = request as? Request else { return }
                waiting.withLock { $0.append(request) }
            },
            responses: MessageStream { [self] () throws(RPCError) in
                guard isServed else { throw RPCError(.unimplemented, method.path) }
                guard let request = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return nil }
                if let question = request.messageRequest { asked.withLock { $0.append(question) } }
                return Response(originalRequest: request, messageResponse: answer(request.messageRequest)) as? Answer
            }, finishWriting: {}, cancel: {})
    }
}
