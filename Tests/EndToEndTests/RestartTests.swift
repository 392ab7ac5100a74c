import Foundation
import Testing

/// Successive servers on one socket, while clients call without pauses.
@Suite("Restart under load, end to end", .serialized, .timeLimit(.minutes(10)))
struct RestartTests {
    /// The number of restarts: 5, or the value of a variable for a soak test.
    private static let restarts =
        ProcessInfo.processInfo.environment["PULSEBOARD_TEST_RESTARTS"].flatMap { Int($0) } ?? 5
    /// Calls that must succeed between two restarts.
    private static let callsBetween = 500

    @Test("No call fails, however often the server is restarted under load")
    func restarts() async throws {
        try await Household.with { house in
            let holder = try house.holdSocket()
            var server = try await house.startServer(handed: holder)
            let load = try await CallLoad(house.socket, channelCount: 4, tasksPerChannel: 4)
            #expect(await load.continues(for: Self.callsBetween))
            for number in 0..<Self.restarts where load.outcome.current.failures.isEmpty {
                // Alternates between a restart, one server after the other, and a roll-over, where the next server waits for the store.
                let next: ChildProcess
                if number % 2 == 0 {
                    server.send(SIGTERM)
                    #expect(try await server.ended() == .status(0), "\(server.progress.current.errorText)")
                    next = try await house.startServer(handed: holder)
                } else {
                    next = try house.launchServer(handed: holder)
                    server.send(SIGTERM)
                    #expect(try await server.ended() == .status(0), "\(server.progress.current.errorText)")
                    _ = try await house.ready(next)
                }
                server = next
                #expect(await load.continues(for: Self.callsBetween), "the load goes on after restart \(number + 1)")
            }
            let outcome = await load.end()
            #expect(outcome.failures.isEmpty, "\(outcome.failures.count) of \(outcome.succeeded) calls: \(outcome.failures.prefix(10))")
            #expect(outcome.succeeded >= Self.callsBetween * (Self.restarts + 1))
        }
    }
}
