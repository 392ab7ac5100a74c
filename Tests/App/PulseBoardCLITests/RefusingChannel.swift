import ProtobufC
import PulseBoardMessages
import RPCCore
import Synchronization

/// A server of pictures and usernames with reflection, for tests of `pulseboard rpc call` with streams. The client's side takes one request of a
/// call, and refuses the others, as it does if they are too large.
final class RefusingChannel: UnaryChannel {
    static let upload = PBProfileImageService.fullName + "/UploadProfileImage"
    static let check = PBProfileService.fullName + "/CheckUsernames"

    private let reflection = ReflectingChannel(
        files: PBProfileService.file.withAllDependencies + PBProfileImageService.file.withAllDependencies,
        symbols: [PBProfileService.fullName: PBProfileService.file.name, PBProfileImageService.fullName: PBProfileImageService.file.name])
    private let written = Atomic<Int>(0)
    private let cancelled = Atomic<Bool>(false)

    /// How many requests were written, the refused ones included.
    var writtenCount: Int { written.load(ordering: .relaxed) }
    /// Whether a call with a stream of requests was cancelled.
    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    func unary<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, _ request: Request, options: CallOptions
    ) async throws(RPCError) -> Response {
        throw RPCError(.unimplemented, method.path)
    }

    private func write() throws(RPCError) {
        guard written.wrappingAdd(1, ordering: .relaxed).newValue > 1 else { return }
        throw RPCError(.resourceExhausted, "the message is too large")
    }

    /// Answers nothing. The call ends when it is cancelled.
    func bidirectionalStream<Request: Message, Response: Message>(
        _ method: MethodDescriptor<Request, Response>, options: CallOptions
    ) -> BidirectionalStream<Request, Response> {
        guard [Self.check, Self.upload].contains(method.path) else { return reflection.bidirectionalStream(method, options: options) }
        let (running, call) = AsyncStream<Void>.makeStream()
        return BidirectionalStream(
            requests: MessageWriter { [self] (_: Request) throws(RPCError) in try write() },
            responses: MessageStream { () async throws(RPCError) -> Response? in
                for await _ in running {}
                throw RPCError(.cancelled, "the call was cancelled")
            }, finishWriting: {},
            cancel: { [self] in
                cancelled.store(true, ordering: .relaxed)
                call.finish()
            })
    }
}
