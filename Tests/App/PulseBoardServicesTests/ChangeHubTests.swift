import PulseBoardDomain
import Testing

@testable import PulseBoardServices

@Suite("Change hub", .timeLimit(.minutes(5))) struct ChangeHubTests {
    @Test("an announcement wakes every watcher, whether they are few or more than are woken at once", arguments: [1, ChangeHub.wokenAtOnce, 1_000])
    func all(_ count: Int) async throws {
        let hub = ChangeHub(), topic = WatchedTopic.profile(of: UserID(bits: UUIDBits(high: 0xAA, low: 1)))
        let signals = (0..<count).map { _ in WatchSignal() }, other = WatchSignal()
        for signal in signals { try hub.add(signal, to: [topic]) }
        try hub.add(other, to: [.profile(of: UserID(bits: UUIDBits(high: 0xAA, low: 2)))])
        for _ in 0..<2 {
            hub.announce(topic)
            for signal in signals { #expect(try await signal.wait() == .change) }
        }
        other.raise(.heartbeat)
        #expect(try await other.wait() == .heartbeat)
    }
}
