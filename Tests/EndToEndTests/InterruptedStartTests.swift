import Dispatch
import Foundation
import Testing

/// A server that is killed while it starts leaves a data directory that the next server can open.
///
/// Each round interrupts one or several successive starts, at a random instant of the start, by SIGKILL and SIGTERM in turn. Then the next
/// start must serve. Each run has a few rounds. The figures in docs/reliability.md come from `PULSEBOARD_TEST_INTERRUPTED_STARTS=2000 swift
/// test --filter EndToEndTests.InterruptedStartTests`.
@Suite("Interrupted starts", .serialized, .timeLimit(.minutes(120)))
struct InterruptedStartTests {
    private static let rounds = ProcessInfo.processInfo.environment["PULSEBOARD_TEST_INTERRUPTED_STARTS"].flatMap { Int($0) } ?? 4

    @Test(
        "0 of the restarts fail: a first start, and one that brings a database of each earlier version to this one",
        arguments: 0...FormerDatabase.olderSchemas)
    func interrupted(_ migrations: Int) async throws {
        try await Household.with { house in
            let original = house.root + "/original.sqlite"
            if migrations > 0 { try FormerDatabase.make(at: original, migrations: migrations) }
            let longest = try await duration(house, original)
            let people = migrations > 0 ? "\(FormerDatabase.people)" : "0"
            let follows = migrations > 0 ? "\(FormerDatabase.follows)" : "0"
            var failures: [String] = []
            for round in 0..<Self.rounds {
                try prepare(house, original)
                for _ in 0..<Int.random(in: 1...3) {
                    let server = try house.launchServer()
                    await pass(.nanoseconds(Int.random(in: 0...longest)))
                    server.send(round % 2 == 0 ? SIGKILL : SIGTERM)
                    _ = try await server.ended()
                }
                let server = try house.launchServer()
                guard (try? await house.ready(server)) != nil else {
                    failures.append("round \(round): \(server.progress.current.errorText)")
                    continue
                }
                server.send(SIGTERM)
                #expect(try await server.ended() == .status(0))
                #expect(try FormerDatabase.contents(of: house.data + "/pulseboard.sqlite") == ["ok", people, follows, follows, people])
            }
            #expect(failures.isEmpty, "\(failures.count) of \(Self.rounds) restarts failed: \(failures.first ?? "")")
        }
    }

    /// Prepares a data directory that is missing, or has only the original database.
    private func prepare(_ house: Household, _ original: String) throws {
        try? FileManager.default.removeItem(atPath: house.data)
        guard FileManager.default.fileExists(atPath: original) else { return }
        try FileManager.default.createDirectory(atPath: house.data, withIntermediateDirectories: false)
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: original + suffix) {
            try FileManager.default.copyItem(atPath: original + suffix, toPath: house.data + "/pulseboard.sqlite" + suffix)
        }
    }

    /// The duration of an uninterrupted start in nanoseconds.
    private func duration(_ house: Household, _ original: String) async throws -> Int {
        try prepare(house, original)
        let begin = ContinuousClock.now
        let server = try await house.startServer()
        let duration = begin.duration(to: .now)
        server.send(SIGTERM)
        _ = try await server.ended()
        return Int(duration / .nanoseconds(1))
    }

    /// Waits for a time. The test needs random instants, so there is no event to wait for.
    private func pass(_ time: DispatchTimeInterval) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + time) { continuation.resume() }
        }
    }
}
