import RPCCore

/// One call, as the client's side of the wire sees it.
final class ClientCallStream {
    let id: CallID
    let shape: CallShape
    let body: OutboundBody
    var assembler: MessageAssembler
    var pace = InboundPace()
    /// Header blocks that have been read and not acted upon: nghttp2 may be several ahead.
    var heads: [ResponseHead] = []
    var hasHeaders = false
    var encoding = MessageEncoding.identity
    let compression: RequestCompression?
    /// Where it is noted which responses came compressed.
    let responseMetadata: ResponseMetadata?
    /// The one response of a unary or client-streaming call, until its status has come.
    var held: [UInt8]?
    /// The call is over: nothing is reported or sent of it any more.
    var hasEnded = false

    init(_ id: CallID, _ shape: CallShape, _ options: CallOptions, body: OutboundBody, messageLimit: Int) {
        self.id = id
        self.shape = shape
        compression = options.requestCompression
        responseMetadata = options.responseMetadata
        self.body = body
        assembler = MessageAssembler(limit: messageLimit)
    }

    var takesOneResponse: Bool { shape == .unary || shape == .clientStreaming }
}
