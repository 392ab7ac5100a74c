import RPCCore
import Testing

/// The values that interceptors put into a context.
@Suite("Values of a call's context") struct CallContextTests {
    private enum Account: CallContextKey { typealias Value = String }
    private enum Attempt: CallContextKey { typealias Value = Int }
    /// A key with the same value type as `Account`.
    private enum Tenant: CallContextKey { typealias Value = String }

    private let context = CallContext(peer: nil, metadata: Metadata(), deadline: .never, method: "test.Test/Call")

    @Test("each key has a value of its own, the last one that was set")
    func keys() {
        var context = context
        #expect(context[Account.self] == nil)
        context[Account.self] = "kim"
        context[Attempt.self] = 1
        #expect(context[Account.self] == "kim")
        #expect(context[Attempt.self] == 1)
        #expect(context[Tenant.self] == nil)
        context[Account.self] = "lee"
        #expect(context[Account.self] == "lee")
        #expect(context[Attempt.self] == 1)
    }

    @Test("a value that is taken back is gone, and the others stay")
    func takenBack() {
        var context = context
        context[Account.self] = "kim"
        context[Attempt.self] = 1
        context[Account.self] = nil
        #expect(context[Account.self] == nil)
        #expect(context[Attempt.self] == 1)
        context[Account.self] = "lee"
        #expect(context[Account.self] == "lee")
    }

    @Test("a copy keeps what it had when the other is changed")
    func copies() {
        var one = context
        one[Account.self] = "kim"
        var other = one
        other[Account.self] = "lee"
        other[Attempt.self] = 2
        #expect(one[Account.self] == "kim")
        #expect(one[Attempt.self] == nil)
        #expect(other[Account.self] == "lee")
    }
}
