import Testing

@testable import SocketTransport

@Suite struct EventMembersTests {
    private final class Member: EventMember {
        func handle(events: UInt32) {}
        func loopStopped() {}
    }

    @Test("an event for a closed socket's slot does not reach the socket that now has the slot")
    func staleToken() {
        var members = EventMembers()
        let first = Member(), second = Member()
        let token = members.insert(first)
        #expect(members[token] === first)
        members.remove(token)
        #expect(members[token] == nil)
        let reused = members.insert(second)
        #expect(reused & 0xFFFF_FFFF == token & 0xFFFF_FFFF)
        #expect(members[token] == nil)
        #expect(members[reused] === second)
        // Removing with a stale token removes nothing.
        members.remove(token)
        #expect(members[reused] === second)
        #expect(members.all.count == 1)
    }

    @Test func manyComeAndGo() {
        var members = EventMembers()
        var tokens: [UInt64] = []
        for round in 0..<10 {
            for _ in 0..<100 { tokens.append(members.insert(Member())) }
            #expect(Set(tokens).count == tokens.count)
            if round % 2 == 1 {
                for token in tokens { members.remove(token) }
                #expect(members.all.isEmpty)
                tokens = []
            }
        }
        #expect(!tokens.contains(EventMembers.wakeToken))
        #expect(!tokens.contains(EventMembers.alarmToken))
    }
}
