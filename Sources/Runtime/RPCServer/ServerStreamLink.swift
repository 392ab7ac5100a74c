import ProtobufC
import RPCCore
import SocketTransport

/// Joins a streaming call's two halves, which handlers use on any thread, to its connection, which lives on its loop.
final class ServerStreamLink: StreamLink {
    private let id: CallID
    private let responseMetadata: ResponseMetadata?
    private let connection: LoopBound<ServerConnection>
    let maximumMessageByteCount: Int

    init(
        _ id: CallID, _ connection: LoopBound<ServerConnection>, responseMetadata: ResponseMetadata?, maximumMessageByteCount: Int
    ) {
        self.id = id
        self.connection = connection
        self.responseMetadata = responseMetadata
        self.maximumMessageByteCount = maximumMessageByteCount
    }

    var isOnLoop: Bool { connection.loop.inLoop }

    func execute(_ work: @escaping @Sendable () -> Void) { connection.loop.execute(work) }

    /// What our own service made is no fault of the caller's.
    var notEncodableCode: StatusCode { .internal }

    /// A client that sends what is no message has itself to blame.
    func undecodable(_ descriptor: MessageDescriptor, _ error: DecodingError) -> RPCError { .undecodable(descriptor, error) }

    func maySend() -> Bool { connection.value.maySend(on: id) }

    func send(_ message: borrowing PackableMessage) throws(RPCError) { try connection.value.send(message, on: id, responseMetadata) }

    func send(serialized message: [UInt8]) { connection.value.send(serialized: message, on: id, responseMetadata) }

    func consumed(_ byteCount: Int) { connection.value.consumed(byteCount, on: id) }

    /// A handler may give up waiting without giving up its call.
    func waitingTaskCancelled() {}
}
