import ProtobufC
import ProtobufWellKnownTypes
import RPCCore

/// `bench.Bench`: what comes in goes out, through decode and encode. On the wire a `BytesValue` is `message { bytes data = 1; }`.
enum EchoService {
    static let service = "bench.Bench"
    /// Its handler never waits.
    static let synchronous = MethodDescriptor<Google_Protobuf_BytesValue, Google_Protobuf_BytesValue>(
        service: service, method: "Echo", shape: .unary)
    /// Its handler may wait, and does not.
    static let asynchronous = MethodDescriptor<Google_Protobuf_BytesValue, Google_Protobuf_BytesValue>(
        service: service, method: "EchoAsync", shape: .unary)

    static func router() -> Router {
        var router = Router()
        router.registerSynchronous(synchronous) { request, _ in request }
        router.register(asynchronous) { request, _ in request }
        return router
    }
}
