import RPCCore
import WireBytes

/// The state of one call on the server's side.
final class ServerCallStream: OutboundBody {
    let id: CallID
    let head: RequestHead
    /// Nanoseconds that the client gives the call, from ``openedAt`` on; 0 means none, negative means already passed.
    let timeout: Int64
    /// The request's method; nil until its headers were accepted.
    var method: RegisteredMethod?
    /// (Unchecked in release builds: four accesses a call, and each check is expensive. Code that it calls does not know the stream.)
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var assembler: MessageAssembler
    var pace = InboundPace()
    /// Bytes of an incomplete message that the session has counted.
    var countedUnfinished = 0
    /// The one message of a unary call, decompressed, until its client's half closes.
    var held: [UInt8]?
    /// Bytes of ``held`` that the session has counted.
    var countedHeld = 0
    /// Whether the session waits for its single request.
    var isAwaited = false
    /// When the client began an incomplete request or message, nanoseconds on the monotonic clock; 0 if the last message of a stream is complete.
    var unfinishedSince: Int64 = 0
    /// Whether the client waits for more window, so that its message is incomplete because of this side.
    var isHeldBack = false
    /// Bytes of the announced body that have not come yet; nil if the headers announce no length.
    var announcedRest: Int?
    /// Whether it was answered with an HTTP status before its request was complete. The rest of the request is dropped.
    var dropsRest = false
    /// Bytes that came after the call had ended, and were dropped.
    var droppedByteCount = 0
    /// Whether the host knows of the unary call.
    var isReported = false
    /// Messages received.
    var messageCount = 0
    /// The number of compressed messages that came before the call's metadata was made.
    var compressedCount = 0
    /// Decompresses the messages of a stream when they are taken.
    var decompressor: (any MessageDecompressor)?
    var responseMetadata: ResponseMetadata?
    /// When the headers came, nanoseconds on the monotonic clock.
    var openedAt: Int64 = 0
    /// The messages to be sent.
    var body: OutboundBody { self }
    var hasSentHeaders = false
    /// The encoding for compressed responses.
    var responseEncoding = MessageEncoding.identity
    /// Whether the rest of a message was dropped.
    var isTorn = false
    /// Whether the client has closed its half.
    var isHalfClosed = false
    /// Whether the call was answered, or is over for its client. Then no event of it is reported and nothing of it is sent.
    var hasEnded = false

    init(_ id: CallID, _ head: RequestHead, timeout: Int64, messageLimit: Int) {
        self.id = id
        self.head = head
        self.timeout = timeout
        announcedRest = head.contentLength
        assembler = MessageAssembler(limit: messageLimit)
    }

    /// The method of a unary call that was not reported to the host.
    var unreportedMethod: RegisteredMethod? { method?.shape == .unary && !isReported ? method : nil }
}

/// The messages of one stream that wait for nghttp2, which sends them as the peer's window permits.
///
/// (Not final: `ServerCallStream` inherits from it, because a separate object would cost each call an allocation.)
class OutboundBody {
    /// Framed messages that were not sent yet. (Unchecked in release builds: nine accesses a call, and each check is expensive.
    /// Code that changes it calls no code that knows it.)
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    final var buffer = ByteBuffer()
    /// Bytes that were sent since the buffer was empty. If there are any, a part of the first waiting message may have been sent.
    final var sentOfWaiting = 0
    /// The ``sentOfWaiting`` at which the client has taken enough since the last check (``ServerSession/neglectedStreams(unlessTaken:)``); 0 if
    /// nothing waited then, or if the buffer has been empty since.
    final var enough = 0
    /// Bytes at the front of the buffer that nghttp2 has packed into a frame, which waits until there is room for it. They must stay.
    final var packedByteCount = 0
    /// Whether no more messages will be appended.
    final var isFinished = false
    /// The trailers after the last byte; nil if the last DATA frame ends the stream.
    final var trailers: HeaderBlock?
    /// Whether nghttp2 has asked for bytes and got none. It must be told when there are more.
    final var isDeferred = false
}

/// How many more bytes the peer of a stream may send: as many as the reader takes.
///
/// It counts bytes of DATA. Bytes of an incomplete message are granted again at once if the reader has taken all earlier messages.
/// (Otherwise a message larger than the window would never arrive.) Bytes of a message that waits for its reader are granted when it is taken.
struct InboundPace {
    /// Bytes that have arrived and were not granted again.
    private(set) var owed = 0
    /// Bytes of messages that were delivered and not taken. A part may have been granted before the message was complete.
    private var unread = 0

    mutating func arrived(_ byteCount: Int) { owed += byteCount }

    mutating func delivered(_ byteCount: Int) { unread += byteCount }

    mutating func taken(_ byteCount: Int) { unread = max(0, unread - byteCount) }

    /// Whether the reader has not taken what was delivered.
    func isBehind(slack: Int) -> Bool { unread > slack }

    /// The number of bytes to grant to the peer now.
    /// - Parameters:
    ///   - unfinished: bytes of the incomplete message.
    ///   - slack: bytes that a reader may have taken without reporting them yet.
    mutating func grant(unfinished: Int, slack: Int) -> Int {
        let kept = isBehind(slack: slack) ? unread + unfinished : unread
        let granted = max(0, owed - kept)
        owed -= granted
        return granted
    }
}
