import Glibc
import RPCCore
import Testing

@testable import RPCServer

@Suite struct PastUsersTests {
    private func usage(of principal: Principal) -> UserUsage {
        var usage = UserUsage(principal: principal)
        usage.calls = 1
        return usage
    }

    @Test("the local user who left first is added to the sum of others; the server's own users and gateways stay apart")
    func capacity() {
        var past = PastUsers()
        // One fewer for root.
        let kept: Set<Principal> = Set([.uid(0), .uid(geteuid()), .listener(1)])
        for principal in kept { past.add(usage(of: principal)) }
        // Neither is one of the uids above.
        let uids = (0..<UInt32(PastUsers.capacity)).map { 3_000_000_000 + $0 }
        for uid in uids { past.add(usage(of: .uid(uid))) }
        #expect(past.all.count == PastUsers.capacity)
        for principal in kept { #expect(past.all[principal]?.calls == 1, "\(principal)") }
        let sum = past.others.calls + past.all.values.reduce(0) { $0 + $1.calls }
        #expect(past.others.calls > 0 && sum == kept.count + uids.count)
        #expect(past.all[.uid(uids[0])] == nil && past.all[.uid(uids[uids.count - 1])]?.calls == 1)
        // Who comes back and leaves again is the last one.
        past.add(usage(of: .uid(uids[500])))
        for uid in 3_100_000_000..<3_100_000_400 as Range<UInt32> { past.add(usage(of: .uid(uid))) }
        #expect(past.all[.uid(uids[500])]?.calls == 2 && past.all[.uid(uids[400])] == nil)
    }
}
