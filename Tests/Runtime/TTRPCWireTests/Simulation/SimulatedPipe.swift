import RPCCore
import TestHarness

/// One direction of a simulated connection. Frames enter whole or in parts, and bytes leave in pieces of any size.
struct SimulatedPipe {
    /// Converts a frame to what another implementation would have sent or read. An empty list drops the frame.
    typealias Habit = @Sendable ([TestFrame], inout SeededRandom) -> [TestFrame]

    /// Frame types that may enter.
    let kinds: Set<UInt8>
    /// `nil` between two ends of the project: then the bytes pass unchanged.
    let habit: Habit?
    private var entering: [UInt8] = []
    private var bytes: [UInt8] = []
    private var head = 0

    init(kinds: Set<UInt8>, habit: Habit?) {
        self.kinds = kinds
        self.habit = habit
    }

    var count: Int { bytes.count - head }
    /// Whether the bytes that entered end with a whole frame.
    var isWhole: Bool { entering.isEmpty }

    /// Takes the output of a session. Returns an error in it, if there is one.
    mutating func enter(_ written: [UInt8], _ random: inout SeededRandom) -> String? {
        entering += written
        var offset = 0
        var frames: [TestFrame] = []
        while entering.count - offset >= 10 {
            let length = Int(entering[offset]) << 24 | Int(entering[offset + 1]) << 16 | Int(entering[offset + 2]) << 8 | Int(entering[offset + 3])
            guard entering.count - offset >= 10 + length else { break }
            let kind = entering[offset + 8]
            let flags = entering[offset + 9]
            guard kinds.contains(kind) else { return "a frame of type \(kind) was sent to a peer that did not ask for it" }
            // A message never comes together with an end, because ttrpc-go's server treats that as an error.
            if kind == 3, flags != 0, flags != 5 || length != 0 { return "Data with flags \(flags) and \(length) bytes was sent" }
            if habit != nil {
                let id = entering[(offset + 4)..<(offset + 8)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                frames.append(
                    TestFrame(streamID: id, kind: kind, flags: flags, data: Array(entering[(offset + 10)..<(offset + 10 + length)])))
            }
            offset += 10 + length
        }
        if let habit {
            for frame in habit(frames, &random) { bytes += frame.bytes }
        } else {
            bytes += entering[..<offset]
        }
        entering.removeFirst(offset)
        return nil
    }

    /// The next bytes, at most `count`, as from a read.
    mutating func leave(_ count: Int) -> [UInt8] {
        let end = head + min(count, self.count)
        let taken = Array(bytes[head..<end])
        head = end
        if head == bytes.count {
            bytes.removeAll(keepingCapacity: true)
            head = 0
        }
        return taken
    }
}

/// How other implementations differ from the project's.
enum ForeignHabits {
    private static let ask = Array([0x0A, 0x0B] + "pulse-ttrpc".utf8)

    /// Another client: it uses no extensions of ttrpc. `opening` says whether it opens streams in its own way, and closes them
    /// with the last message.
    static func client(_ opening: Bool) -> SimulatedPipe.Habit {
        { frames, random in
            let known = frames.filter { $0.kind <= 3 }.map { frame in
                var frame = frame
                if frame.kind == 1, let at = frame.data.firstRange(of: ask)?.lowerBound {
                    // The pair follows its tag and length, and is the last field.
                    frame.data.removeSubrange((at - 2)...)
                }
                if opening, frame.kind == 1, frame.flags == 2, random.next() % 2 == 0 { frame.flags = 6 }
                return frame
            }
            return opening ? closingWithMessages(known, &random) : known
        }
    }

    /// Another server: sometimes it sends the last message and the end in one frame, or an OK Response as the end.
    static let server: SimulatedPipe.Habit = { frames, random in
        closingWithMessages(frames, &random).map { frame in
            guard frame.kind == 3, frame.flags == 5, random.next() % 4 == 0 else { return frame }
            return TestFrame(streamID: frame.streamID, kind: 2, flags: 0, data: [])
        }
    }

    private static func closingWithMessages(_ frames: [TestFrame], _ random: inout SeededRandom) -> [TestFrame] {
        var result: [TestFrame] = []
        for frame in frames {
            if frame.kind == 3, frame.flags == 5, let last = result.last, last.kind == 3, last.flags == 0,
                last.streamID == frame.streamID, random.next() % 2 == 0
            {
                result[result.count - 1].flags = 1
            } else {
                result.append(frame)
            }
        }
        return result
    }
}
