import PulseBoardDomain
import Testing

@testable import PulseBoardServices

@Suite("SessionCache") struct SessionCacheTests {
    @Test("the end of one session in memory leaves the user's others; the end of all leaves other users'")
    func sessionIndex() {
        let cache = SessionCache(capacity: 4)
        func key(_ number: UInt8) -> SessionToken.Key {
            let text = [UInt8](repeating: number, count: SessionToken.textLength)
            guard let key = SessionToken.Key(text.span) else { preconditionFailure("as long as a token") }
            return key
        }
        func caller(_ number: UInt64, of user: UInt64) -> Caller {
            Caller(session: Session(
                id: SessionID(bits: UUIDBits(high: 1, low: number)), userID: UserID(bits: UUIDBits(high: 2, low: user)), account: .unix(uid: 1),
                createTime: Timestamp(microseconds: 0), expireTime: Timestamp(microseconds: 1)))
        }
        func fill(_ number: UInt8, of user: UInt64) {
            cache.fill(caller(UInt64(number), of: user), token: key(number), ticket: cache.ticket())
        }
        for number in 1...3 as ClosedRange<UInt8> { fill(number, of: 7) }
        fill(4, of: 8)
        cache.beginEnding([SessionID(bits: UUIDBits(high: 1, low: 2))])
        #expect((1...4).map { cache.caller(key($0), .bounded) != nil } == [true, false, true, true])
        fill(2, of: 7)
        #expect(cache.caller(key(2), .bounded) == nil)
        cache.didEnd([SessionID(bits: UUIDBits(high: 1, low: 2))])
        fill(2, of: 7)
        // One more than the capacity. The evicted session is not found by its user either.
        fill(5, of: 9)
        #expect(cache.count == 4)
        let user = UserID(bits: UUIDBits(high: 2, low: 7))
        cache.beginEndingSessions(of: user)
        fill(1, of: 7)
        #expect((1...3).allSatisfy { cache.caller(key($0), .bounded) == nil })
        #expect(cache.caller(key(5), .bounded)?.sessionID == SessionID(bits: UUIDBits(high: 1, low: 5)))
        cache.didEndSessions(of: user)
        fill(1, of: 7)
        #expect(cache.caller(key(1), .bounded) != nil)
    }
}
