import RPCCore

/// The simulation's record of one call, on both sides.
final class SimulatedCall {
    let id: CallID
    let shape: CallShape
    /// The approximate number of messages.
    let length: Int
    /// Its readers take messages only in one of this many turns.
    let readerSlowness: Int

    // The client's side.
    var clientSent = 0
    var clientSentBytes = 0
    var clientHalfClosed = false
    var clientIsBlocked = false
    var clientReceived = 0
    var clientUnread: [Int] = []
    var clientReadBytes = 0
    var clientEnded = false
    var clientGaveUp = false

    // The server's side.
    var serverKnows = false
    var serverReceived = 0
    var serverUnread: [Int] = []
    var serverReadBytes = 0
    var serverHalfClosed = false
    var serverIsBlocked = false
    var serverSent = 0
    var serverSentBytes = 0
    var serverEnded = false
    /// The server's answer; `nil` if the wire protocol answered, or nobody.
    var answer: StatusCode?

    init(_ id: CallID, _ shape: CallShape, length: Int, readerSlowness: Int) {
        self.id = id
        self.shape = shape
        self.length = length
        self.readerSlowness = readerSlowness
    }

    var clientStreams: Bool { shape == .clientStreaming || shape == .bidirectionalStreaming }
    var serverStreams: Bool { shape == .serverStreaming || shape == .bidirectionalStreaming }
}

/// Messages that contain their number in the stream: a `BytesValue` of the number and zeros.
enum SimulatedMessage {
    static func value(_ number: Int, size: Int) -> [UInt8] {
        var value = [UInt8](repeating: 0, count: 4 + size)
        for index in 0..<4 { value[index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
        return value
    }

    static func serialized(_ value: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [0x0A]
        var length = value.count
        while length >= 0x80 {
            bytes.append(UInt8(length & 0x7F | 0x80))
            length >>= 7
        }
        bytes.append(UInt8(length))
        return bytes + value
    }

    /// The number in a received message; `nil` if it is not such a message.
    static func number(_ payload: RawSpan) -> Int? {
        payload.withUnsafeBytes { bytes in
            var index = 1
            while index < bytes.count, bytes[index] >= 0x80 { index += 1 }
            guard bytes.count >= index + 5, bytes[0] == 0x0A else { return nil }
            return (0..<4).reduce(0) { $0 | Int(bytes[index + 1 + $1]) << (8 * $1) }
        }
    }
}
