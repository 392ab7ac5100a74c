import ProtobufC
import Synchronization

/// The metadata of a response: before the first message, and after the last.
///
/// gRPC has both. ttrpc has neither, so a handler's context has no `ResponseMetadata` there. A handler finds it in its ``CallContext``:
///
///     context.responseMetadata?.initial.append("seoul-1", for: "x-served-by")
///
/// A caller gets both with the answer: ``CallResponse``.
public final class ResponseMetadata: Sendable {
    private let state = Mutex(State())

    private struct State {
        var initial = Metadata()
        var trailing = Metadata()
        var compressesMessages = false
        var receivedCompressedCount = 0
        var hasBegun = false
        var kept: [any AnyObject & Sendable] = []
    }

    public init() {}

    /// Sent before the first response. Values that are set later are not sent.
    public var initial: Metadata {
        get { state.withLock { $0.initial } }
        set { state.withLock { $0.initial = newValue } }
    }

    /// Sent with the status, after the last response.
    public var trailing: Metadata {
        get { state.withLock { $0.trailing } }
        set { state.withLock { $0.trailing = newValue } }
    }

    /// Whether responses of a handler are compressed from now on, if the client accepts compression. Default: false,
    /// because on a local socket compressing takes longer than sending. It runs on the call's event loop, so a response of some MiB delays other
    /// calls. To use it, set it before the first response. It may be changed between responses.
    public var compressesMessages: Bool {
        get { state.withLock { $0.compressesMessages } }
        set { state.withLock { $0.compressesMessages = newValue } }
    }

    /// Keeps an object as long as the call's stream: a session holds the response's metadata until the stream has closed.
    func keep(_ object: any AnyObject & Sendable) { state.withLock { $0.kept.append(object) } }

    /// Takes what is kept, for a session whose output waits for the socket longer than the stream is there.
    package func takeKept() -> [any AnyObject & Sendable] {
        state.withLock { state in
            defer { state.kept = [] }
            return state.kept
        }
    }

    /// Whether the server has begun to answer: its metadata has come, or a message. For callers only.
    package var hasBegun: Bool { state.withLock { $0.hasBegun } }

    /// Notes the metadata with which a server begins its answer.
    package func begin(_ metadata: Metadata) {
        state.withLock {
            $0.initial = metadata
            $0.hasBegun = true
        }
    }

    /// Notes the first message. On ttrpc, no metadata comes before it.
    package func begin() { state.withLock { $0.hasBegun = true } }

    /// Takes the values of another one. If a call has several attempts, the metadata of the last one counts.
    package func take(_ other: ResponseMetadata) {
        let taken = other.state.withLock { $0 }
        state.withLock { $0 = taken }
    }

    /// How many compressed messages have arrived so far: requests for a handler, responses for a caller.
    public var receivedCompressedCount: Int { state.withLock { $0.receivedCompressedCount } }

    /// Counts messages that have arrived compressed.
    package func receivedCompressed(_ count: Int = 1) { state.withLock { $0.receivedCompressedCount += count } }
}

/// A complete answer: the message and its metadata.
///
///     let response = try await greeter.response(from: Greeter.Methods.sayHello, to: HelloRequest(name: "world"))
///     print(response.message.text, response.metadata["x-served-by"] ?? "")
///
/// Only gRPC has metadata in answers. Over ttrpc, both are empty.
public struct CallResponse<Message: Sendable>: Sendable {
    /// The response message.
    public var message: Message
    /// The metadata that the server sent before the message.
    public var metadata: Metadata
    /// The metadata that the server sent with the status, after the message.
    public var trailingMetadata: Metadata

    /// A response made by hand, for example in a test without a server.
    public init(_ message: Message, metadata: Metadata = Metadata(), trailingMetadata: Metadata = Metadata()) {
        self.message = message
        self.metadata = metadata
        self.trailingMetadata = trailingMetadata
    }
}

extension CallChannel {
    /// Makes a unary call and returns its answer with the metadata.
    /// - Throws: ``RPCError`` as ``unary(_:_:options:)``; ``RPCError/trailingMetadata`` has the metadata of the failure.
    public func response<Request: ProtobufC.Message, Response: ProtobufC.Message>(
        from method: MethodDescriptor<Request, Response>, to request: Request, options: CallOptions = CallOptions()
    ) async throws(RPCError) -> CallResponse<Response> {
        var options = options
        let metadata = options.responseMetadata ?? ResponseMetadata()
        options.responseMetadata = metadata
        let message = try await unary(method, request, options: options)
        return CallResponse(message, metadata: metadata.initial, trailingMetadata: metadata.trailing)
    }
}
