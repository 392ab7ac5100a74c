import Testing

/// Schedules of edits and faults on real stores. A seed gives the same schedule everywhere, so a violation is replayed by its seed.
@Suite("Simulated diaries") struct SimulationTests {
    @Test(
        "promises 4, 5, 6, 7, 8, 9, 10, 11, 12, 18: whatever is lost, repeated, late, restarted, copied or a day ahead, all devices end with equal bytes and no text is lost",
        arguments: 0..<8)
    func schedules(part: UInt64) async throws {
        for seed in part * 12..<(part + 1) * 12 {
            var world = try await SimulatedWorld(seed: seed)
            for _ in 0..<60 { try await world.step() }
            try await world.finish()
            #expect(world.syncs > 0)
        }
    }
}
