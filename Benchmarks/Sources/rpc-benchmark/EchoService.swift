import ProtobufC
import ProtobufWellKnownTypes
import RPCCore

/// `bench.Bench` decodes each request and encodes it again as the answer. On the wire a `BytesValue` is `message { bytes data =
/// 1; }`.
enum EchoService {
    static let service = "bench.Bench"
    /// Its handler never waits.
    static let synchronous = MethodDescriptor<Google_Protobuf_BytesValue, Google_Protobuf_BytesValue>(
        service: service, method: "Echo", shape: .unary)
    /// Its handler could wait, but does not.
    static let asynchronous = MethodDescriptor<Google_Protobuf_BytesValue, Google_Protobuf_BytesValue>(
        service: service, method: "EchoAsync", shape: .unary)

    /// The request's first four bytes (little-endian) are the number of messages to send. Each message is the rest of the
    /// request.
    static let download = MethodDescriptor<Google_Protobuf_BytesValue, Google_Protobuf_BytesValue>(
        service: service, method: "Download", shape: .serverStreaming)
    /// Reads all messages, and answers with an empty message.
    static let upload = MethodDescriptor<Google_Protobuf_BytesValue, Google_Protobuf_BytesValue>(
        service: service, method: "Upload", shape: .clientStreaming)

    static func router() -> Router {
        var router = Router()
        router.registerSynchronous(synchronous) { request, _ in request }
        router.register(asynchronous) { request, _ in request }
        router.registerServerStreaming(download) { request, responses, _ in
            let count = request.value.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            let message = Google_Protobuf_BytesValue(value: Array(request.value.dropFirst(4)))
            for _ in 0..<count { try await responses.write(message) }
        }
        router.registerClientStreaming(upload) { requests, _ in
            for try await _ in requests {}
            return Google_Protobuf_BytesValue()
        }
        return router
    }
}
