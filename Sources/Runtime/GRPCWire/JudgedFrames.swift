/// How much has been judged of what nghttp2 has told of frames, so that each is judged once.
struct JudgedFrames {
    private var idle = 0
    private var passedOver = 0
    private var sent = 0
    var sentBeforePing = 0
    var resets = 0

    /// Frames that came since this was last asked and moved nothing, among them those that nghttp2 has passed over.
    mutating func idleFrames(begun frames: FrameCount, _ http2: HTTP2Session) -> Int {
        // What is still arriving will be told of.
        let passedOver = max(self.passedOver, frames.begun &- http2.reportedFrameCount - (frames.isInPayload ? 1 : 0))
        let new = http2.idleFrameCount &- idle + passedOver - self.passedOver
        idle = http2.idleFrameCount
        self.passedOver = passedOver
        return new
    }

    /// HEADERS and DATA frames that were sent since this was last asked: a client may answer each with windows.
    mutating func sentFrames(_ http2: HTTP2Session) -> Int {
        defer { sent = http2.sentCallFrameCount }
        return http2.sentCallFrameCount &- sent
    }
}
