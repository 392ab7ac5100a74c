import RPCCore
import SocketTransport

/// Reports ended calls of one event loop to observers. Loop-bound.
///
/// Calls that end during a part of a burst are reported at the end of the part, by method. So the clock is read once.
final class CallEnds {
    /// The loop's number, from 0.
    let loop: Int
    /// Ended calls that are not reported yet. (Unchecked in release builds: an access for each observed call, and each check is expensive. No other
    /// code runs during an access but that of observers, who cannot reach it.)
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var part = PartEnds()

    init(loop: Int) { self.loop = loop }

    /// Whether there are ended calls that are not reported yet.
    var areWaiting: Bool { part.count > 0 }

    /// Adds an ended call, to be reported with the others of this part.
    /// - Parameter startedAt: when its request was read, nanoseconds on the monotonic clock.
    @inline(__always)
    func note(
        _ target: CallContext.Target, _ code: StatusCode, _ requestByteCount: Int, _ responseByteCount: Int, startedAt: Int64, _ peer: ConnectionPeer,
        _ account: UserAccount
    ) {
        if part.count == PartEnds.limit { tell(from: peer.origin, account) }
        part.note(
            EndedCall(code: code, requestByteCount: requestByteCount, responseByteCount: responseByteCount, nanoseconds: startedAt), of: target)
    }

    /// Reports a call that ended outside of a part.
    @inline(never)
    func tell(
        _ target: CallContext.Target, _ code: StatusCode, _ requestByteCount: Int, _ responseByteCount: Int, startedAt: Int64, _ peer: ConnectionPeer,
        _ account: UserAccount
    ) {
        let call = EndedCall(
            code: code, requestByteCount: requestByteCount, responseByteCount: responseByteCount, nanoseconds: MonotonicClock.now() - startedAt)
        account.loopCalls[loop].add(
            calls: 1, failed: code == .ok ? 0 : 1, requestBytes: requestByteCount, responseBytes: responseByteCount)
        let calls: InlineArray<1, EndedCall> = [call]
        target.observer?.callsEnded(calls.span, from: peer.origin, onLoop: loop)
    }

    /// Reports the calls that have ended in this part. All of them belong to one connection.
    func tell(from origin: CallOrigin, _ account: UserAccount) { part.tell(from: origin, account.loopCalls[loop], onLoop: loop) }
}

/// The calls that have ended in one part of a burst. (Not copyable, so that its two kilobytes are never copied. Only the code that every call runs is
/// inlined.)
private struct PartEnds: ~Copyable {
    /// The most calls that are kept. A part has about sixteen, or more if many are refused.
    static let limit = 64

    /// The ended calls are at the front. Until they are reported, they have the time of their start.
    private var calls = InlineArray<64, EndedCall>(repeating: EndedCall(code: .ok, requestByteCount: 0, responseByteCount: 0, nanoseconds: 0))
    private(set) var count = 0
    /// The method of the last calls, and the index of the first of them.
    private var target: CallContext.Target?
    private var start = 0
    /// Methods of earlier calls, each with the index after its last call.
    private var earlier: [(target: CallContext.Target, end: Int)] = []

    @inline(__always)
    mutating func note(_ call: EndedCall, of target: CallContext.Target) {
        if self.target !== target { change(to: target) }
        calls[count] = call
        count &+= 1
    }

    @inline(never)
    private mutating func change(to next: CallContext.Target) {
        if let target, count > start { earlier.append((target, count)) }
        target = next
        start = count
    }

    @inline(never)
    mutating func tell(from origin: CallOrigin, _ user: UserCalls, onLoop loop: Int) {
        let now = MonotonicClock.now()
        var (failed, requests, responses) = (0, 0, 0)
        for index in 0..<count {
            calls[index].nanoseconds = now &- calls[index].nanoseconds
            requests &+= calls[index].requestByteCount
            responses &+= calls[index].responseByteCount
            if calls[index].code != .ok { failed &+= 1 }
        }
        user.add(calls: count, failed: failed, requestBytes: requests, responseBytes: responses)
        if !earlier.isEmpty { tellEarlier(from: origin, onLoop: loop) }
        target?.observer?.callsEnded(calls.span.extracting(start..<count), from: origin, onLoop: loop)
        count = 0
        start = 0
    }

    private mutating func tellEarlier(from origin: CallOrigin, onLoop loop: Int) {
        var start = 0
        for run in earlier {
            run.target.observer?.callsEnded(calls.span.extracting(start..<run.end), from: origin, onLoop: loop)
            start = run.end
        }
        earlier.removeAll(keepingCapacity: true)
    }
}
