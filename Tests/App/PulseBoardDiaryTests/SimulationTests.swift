import Foundation
import PulseBoardDomain
import Synchronization
import Testing

/// Schedules of edits and faults on real stores (`SimulatedWorld`). A violation names its seed.
@Suite("Simulated diaries") struct SimulationTests {
    /// The variable that selects other schedules: `SEED` or `FIRST-LAST`, optionally with `:STEPS` after it.
    static let variable = "PULSEBOARD_DIARY_SCHEDULES"

    private struct Schedules {
        var seeds: ClosedRange<UInt64> = 0...119
        var steps = 500

        init(_ text: String?) {
            guard let text else { return }
            let parts = text.split(separator: ":")
            let ends = parts.first?.split(separator: "-").compactMap { UInt64($0) } ?? []
            if let first = ends.first, let last = ends.last, first <= last { seeds = first...last }
            if parts.count > 1, let count = Int(parts[1]) { steps = count }
        }
    }

    @Test(
        """
        promises 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 17, 18, 20: with calls lost, repeated and late, kills and power cuts between any two \
        writes, clocks a day apart, copied directories and strangers, all devices end with equal bytes and nothing that was written is lost
        """)
    func schedules() async throws {
        let schedules = Schedules(ProcessInfo.processInfo.environment[Self.variable])
        let progress = Progress(first: schedules.seeds.lowerBound)
        let (last, steps) = (schedules.seeds.upperBound, schedules.steps)
        try await withThrowingTaskGroup(of: Void.self) { group in
            // Worlds sometimes wait for their threads, so there are more worlds than processors.
            for _ in 0..<(2 * ProcessInfo.processInfo.activeProcessorCount) {
                group.addTask {
                    while let seed = progress.nextSeed(through: last) { progress.add(try await Self.play(seed, steps)) }
                }
            }
            try await group.waitForAll()
        }
        // A schedule in which nothing happens proves nothing.
        let seen = progress.events
        print("schedules: \(seen.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", "))")
        guard schedules.seeds.count >= 100 else { return }
        for event in [
            SimulatedWorld.Event.edit, .synchronization, .ownChanges, .deviceKill, .serverKill, .lostAnswer, .repeated, .conflict, .rename,
            .copy, .resync, .skew, .picture, .held, .refusedPicture
        ] {
            #expect(seen[event, default: 0] > 0, "\(event)")
        }
    }

    /// The shared state of concurrent worlds.
    private final class Progress: Sendable {
        private let next: Mutex<UInt64>
        private let seen = Mutex<[SimulatedWorld.Event: Int]>([:])

        init(first: UInt64) { next = Mutex(first) }

        func nextSeed(through last: UInt64) -> UInt64? {
            next.withLock { next in
                guard next <= last else { return nil }
                defer { next += 1 }
                return next
            }
        }

        func add(_ events: [SimulatedWorld.Event: Int]) { seen.withLock { $0.merge(events) { $0 + $1 } } }
        var events: [SimulatedWorld.Event: Int] { seen.withLock { $0 } }
    }

    private static func play(_ seed: UInt64, _ steps: Int) async throws -> [SimulatedWorld.Event: Int] {
        let world = try await SimulatedWorld(seed: seed, steps: steps)
        do {
            for _ in 0..<steps { try await world.step() }
            try await world.finish()
        } catch let violation as SimulatedWorld.Violation { throw violation } catch { throw world.violation("\(error)") }
        return world.events
    }
}
