import RPCCore
import SocketTransport

/// Tells observers which calls have ended on one event loop. Loop-bound.
///
/// What ends while a part of a burst is worked on is told when the part is done: the calls of a method together, with one look at the clock.
final class CallEnds {
    /// The loop's number, from 0.
    let loop: Int
    /// What has ended and was not told. (Unchecked in release builds: four accesses a call, 100 instructions each to check. What is called meanwhile knows
    /// nothing of it.)
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var part = PartEnds()

    init(loop: Int) { self.loop = loop }

    /// Whether calls have ended that were not told.
    var areWaiting: Bool { part.count > 0 }

    /// Notes the end of a call, to be told with the others of this part.
    /// - Parameter startedAt: when its request was read, nanoseconds on the monotonic clock.
    @inline(__always)
    func note(
        _ target: CallContext.Target, _ code: StatusCode, _ requestByteCount: Int, _ responseByteCount: Int, startedAt: Int64, _ peer: ConnectionPeer, _ account: UserAccount
    ) {
        if part.count == PartEnds.limit { tell(from: peer.origin, account) }
        part.note(
            EndedCall(code: code, requestByteCount: requestByteCount, responseByteCount: responseByteCount, nanoseconds: startedAt), of: target)
    }

    /// Tells of a call that ended outside of any part.
    @inline(never)
    func tell(
        _ target: CallContext.Target, _ code: StatusCode, _ requestByteCount: Int, _ responseByteCount: Int, startedAt: Int64, _ peer: ConnectionPeer, _ account: UserAccount
    ) {
        let call = EndedCall(
            code: code, requestByteCount: requestByteCount, responseByteCount: responseByteCount, nanoseconds: MonotonicClock.now() - startedAt)
        account.loopCalls[loop].add(
            calls: 1, failed: code == .ok ? 0 : 1, requestBytes: requestByteCount, responseBytes: responseByteCount)
        let calls: InlineArray<1, EndedCall> = [call]
        target.observer?.callsEnded(calls.span, from: peer.origin, onLoop: loop)
    }

    /// Tells the observers of what has ended in this part, all of it on one connection.
    func tell(from origin: CallOrigin, _ account: UserAccount) { part.tell(from: origin, account.loopCalls[loop], onLoop: loop) }
}

/// The calls that have ended in one part of a burst. (Not copyable, so that nothing copies its two kilobytes to lend them. What each call does here
/// is inlined, and the rest is not, which would cost each call a dozen instructions for the registers.)
private struct PartEnds: ~Copyable {
    /// Calls that are kept, at most. A part has sixteen, or more where many are refused.
    static let limit = 64

    /// The first of these have ended. Until they are told, they have the time of their start.
    private var calls = InlineArray<64, EndedCall>(repeating: EndedCall(code: .ok, requestByteCount: 0, responseByteCount: 0, nanoseconds: 0))
    private(set) var count = 0
    /// The method of the last calls, and the index of the first of them.
    private var target: CallContext.Target?
    private var start = 0
    /// Methods of calls before those, each with the index behind its last call.
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
