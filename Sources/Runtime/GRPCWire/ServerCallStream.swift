import RPCCore
import WireBytes

/// One call, as the server's side of the wire sees it.
final class ServerCallStream: OutboundBody {
    let id: CallID
    let head: RequestHead
    /// Nanoseconds that the client gives the call, from ``openedAt`` on; 0 means none, negative means already passed.
    let timeout: Int64
    /// The request's method; nil until its headers were accepted.
    var method: RegisteredMethod?
    /// (Unchecked in release builds: four accesses a call, 100 instructions each to check. What it calls while it changes knows no stream.)
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var assembler: MessageAssembler
    var pace = InboundPace()
    /// What the session has counted of an unfinished message.
    var countedUnfinished = 0
    /// The one message of a unary call, decompressed, until its client's half closes.
    var held: [UInt8]?
    /// What the session has counted of ``held``.
    var countedHeld = 0
    /// Whether the session counts it among those whose request is not whole.
    var isAwaited = false
    /// Since when it has been, or a message has been unfinished, by the client's doing, nanoseconds on the monotonic clock.
    var unfinishedSince: Int64 = 0
    /// Whether the client waits for more window, so that what is unfinished is so by this side's doing.
    var isHeldBack = false
    /// Bytes of the body that its headers announce and that have not come; nil where they announce none.
    var announcedRest: Int?
    /// It was answered before its request was whole, in HTTP's own words: what still comes of it is dropped.
    var isPassedOver = false
    /// Bytes that were dropped.
    var passedOverByteCount = 0
    /// Whether the host knows of the unary call.
    var isReported = false
    /// Messages received.
    var messageCount = 0
    /// Messages that came compressed before there was the call's metadata to note it in.
    var compressedCount = 0
    var responseMetadata: ResponseMetadata?
    /// When the headers came, nanoseconds on the monotonic clock.
    var openedAt: Int64 = 0
    /// What is sent of it.
    var body: OutboundBody { self }
    var hasSentHeaders = false
    /// What responses are compressed with when they are.
    var responseEncoding = MessageEncoding.identity
    /// The client sends no more.
    var isHalfClosed = false
    /// The call was answered, or is over for its client: nothing is reported or sent of it any more.
    var hasEnded = false

    init(_ id: CallID, _ head: RequestHead, timeout: Int64, messageLimit: Int) {
        self.id = id
        self.head = head
        self.timeout = timeout
        announcedRest = head.contentLength
        assembler = MessageAssembler(limit: messageLimit)
    }

    /// The method of a unary call of which its host does not know.
    var unreportedMethod: RegisteredMethod? { method?.shape == .unary && !isReported ? method : nil }
}

/// The messages of one stream that wait for nghttp2 to send them, as fast as the peer's window allows.
///
/// (Not final: a server's stream is one, as an object of its own for it would cost each call an allocation.)
class OutboundBody {
    /// Framed messages that were not sent yet. (Unchecked in release builds: nine accesses a call, 100 instructions each to check.
    /// What changes it calls nobody that knows of it.)
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    final var buffer = ByteBuffer()
    /// Nothing more will be appended.
    final var isFinished = false
    /// What is sent after the last byte; nil when the last DATA frame ends the stream.
    final var trailers: HeaderBlock?
    /// Whether nghttp2 has asked for bytes in vain and waits to be told of more.
    final var isDeferred = false
}

/// How much more of a stream its peer may send: as much as the reader takes.
///
/// Counted in bytes of DATA. Bytes of a message that is still arriving are granted at once only when the reader has taken what came before
/// (else a message larger than the window would never arrive); bytes of a message that waits for its reader are granted when it is taken.
struct InboundPace {
    /// Arrived, and not granted again.
    private(set) var owed = 0
    /// In messages that were delivered and not taken. Part of it may have been granted before the message was whole.
    private var unread = 0

    mutating func arrived(_ byteCount: Int) { owed += byteCount }

    mutating func delivered(_ byteCount: Int) { unread += byteCount }

    mutating func taken(_ byteCount: Int) { unread = max(0, unread - byteCount) }

    /// Bytes that the peer may send in place of those that came.
    /// - Parameters:
    ///   - unfinished: bytes of the message that is still arriving.
    ///   - slack: bytes that a reader may have taken without having said so.
    mutating func grant(unfinished: Int, slack: Int) -> Int {
        let kept = unread <= slack ? unread : unread + unfinished
        let granted = max(0, owed - kept)
        owed -= granted
        return granted
    }
}
