import RPCCore

/// A message whose inflation was interrupted, and the input after it.
struct InflatingMessage {
    let stream: ServerCallStream
    let inflation: Inflation
    /// Later bytes of the same stream that came with it.
    let rest: [UInt8]

    var heldByteCount: Int { inflation.heldByteCount + rest.count }
}

/// Compressed requests of calls that take one. Each part of a burst does a limited amount of this work.
extension ServerSession {
    public var hasUnfinishedWork: Bool { inflating != nil || hasKeptEvents }

    /// - Parameter input: the bytes after the message, of the same stream.
    func inflate(
        _ stream: ServerCallStream, _ payload: UnsafeRawBufferPointer, _ input: UnsafeRawBufferPointer, _ events: any ServerCallEvents
    ) {
        do throws(MessageEncoding.Failure) {
            let inflation = try Inflation(stream.head.encoding, limit: limits.maximumMessageByteCount)
            var rest = payload
            let isWhole = try inflate(inflation) { (inflation, budget) throws(MessageEncoding.Failure) in
                try inflation.advance(&rest, by: budget)
            }
            if isWhole { return finish(stream, inflation, input, events) }
            inflation.keep(rest)
            stream.assembler.forgetSpent()
            inflating = InflatingMessage(stream: stream, inflation: inflation, rest: Array(input))
        } catch {
            violation(stream, .notInflated(error), events)
        }
    }

    /// Continues with the message whose inflation was interrupted, and then with the input after it.
    func goOnInflating(_ events: any ServerCallEvents) throws(ProtocolViolation) {
        guard let message = inflating.take() else { return }
        let stream = message.stream
        if !stream.hasEnded {
            do throws(MessageEncoding.Failure) {
                let isWhole = try inflate(message.inflation) { (inflation, budget) throws(MessageEncoding.Failure) in
                    try inflation.advance(by: budget)
                }
                guard isWhole else { return inflating = message }
                message.rest.withUnsafeBytes { finish(stream, message.inflation, $0, events) }
            } catch {
                violation(stream, .notInflated(error), events)
            }
        }
        if !stream.hasEnded { message.rest.withUnsafeBytes { readMessages(stream, $0, events) } }
    }

    private func inflate(
        _ inflation: Inflation, _ advance: (Inflation, Int) throws(MessageEncoding.Failure) -> Bool
    ) throws(MessageEncoding.Failure) -> Bool {
        let before = inflation.work
        defer { noteInflated(inflation.work - before) }
        return try advance(inflation, max(0, Inflation.pieceWork - inflationWork))
    }

    private func finish(
        _ stream: ServerCallStream, _ inflation: Inflation, _ input: UnsafeRawBufferPointer, _ events: any ServerCallEvents
    ) {
        guard let method = stream.method else { return }
        noteCompressed(stream)
        deliver(stream, method, inflation.message.bytes, input.isEmpty && http2.endComesNext(stream.id), events)
    }

    /// Counts a compressed message for the handler.
    func noteCompressed(_ stream: ServerCallStream) {
        if let metadata = stream.responseMetadata { metadata.receivedCompressed() } else { stream.compressedCount += 1 }
    }
}

extension RPCError {
    static func notInflated(_ failure: MessageEncoding.Failure) -> RPCError {
        switch failure {
        case .malformed: RPCError(.internal, "the message cannot be decompressed")
        case .oversized(let limit): limitReached(.messageSize, "the message has more than the \(limit) bytes that are possible")
        case .bomb: limitReached(.compressionRatio, "the message becomes more than \(Inflation.maximumRatio) times its size")
        case .padded: limitReached(.compressionRatio, "the message is compressed to more than \(Inflation.maximumPadding) times its size")
        case .noMemory: limitReached(.outOfMemory, "there is no memory to decompress the message")
        }
    }
}
