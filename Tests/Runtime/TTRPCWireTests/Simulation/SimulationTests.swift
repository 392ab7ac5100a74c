import Foundation
import RPCCore
import TestHarness
import Testing

@testable import TTRPCWire

/// Connects both sessions and runs more than a million steps of everything that two ends can do. Each run prints its seed.
/// `PULSEBOARD_FUZZ_SEED` repeats a run; `PULSEBOARD_SIMULATION_STEPS` sets the steps of each pair of ends.
@Suite struct SimulationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seed = environment["PULSEBOARD_FUZZ_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0 ... .max)
    private static let steps = environment["PULSEBOARD_SIMULATION_STEPS"].flatMap(Int.init) ?? 350_000

    @Test("each call ends once on each side, in order and whole, within its window, and leaves nothing behind",
        arguments: SimulatedConnection.Ends.allCases)
    func simulate(_ ends: SimulatedConnection.Ends) {
        print("simulation seed \(Self.seed)")
        var random = SeededRandom(seed: Self.seed)
        var steps = 0
        var connections = 0
        var calls = 0
        var waits = 0
        while steps < Self.steps {
            connections += 1
            let connection = SimulatedConnection(
                ends, serverLimit: random.next() % 4 == 0 ? 20_000 : TTRPCLimits.maximumDataLength,
                random: SeededRandom(seed: random.next()))
            let count = 200 + Int(random.next() % 8_000)
            let drainsAt = random.next() % 3 == 0 ? Int(random.next() % UInt64(count)) : Int.max
            var taken = 0
            while taken < count, connection.violations.isEmpty {
                if taken == drainsAt { connection.server.drain() }
                connection.step(mayOpen: !connection.client.needsRenewal)
                taken += 1
            }
            // One connection in five is lost without settling.
            if random.next() % 5 != 0, connection.violations.isEmpty { settle(connection, drained: drainsAt < count) }
            steps += taken
            calls += connection.calls.count
            waits += connection.waits
            guard connection.violations.isEmpty else {
                Issue.record("seed \(Self.seed), connection \(connections) of \(ends), step \(taken): \(connection.violations)")
                return
            }
        }
        print("simulated \(ends): \(connections) connections, \(calls) calls, \(steps) steps, \(waits) waits at a window")
        #expect(calls > connections, "something was simulated")
        #expect((waits > 0) == (ends == .ours), "windows were reached")
    }

    /// Lets everything arrive and be read, then ends open calls. Then nobody may wait, and nothing may be left.
    private func settle(_ connection: SimulatedConnection, drained: Bool) {
        letArrive(connection)
        for call in connection.open where !call.clientEnded && !call.serverEnded {
            connection.check(
                !call.clientIsBlocked || call.clientHalfClosed,
                "the client waits to write \(call.id), of which all was read")
            connection.check(
                !call.serverIsBlocked,
                "the server waits to write \(call.id), of which all was read")
        }
        for call in connection.open { connection.answer(call) }
        letArrive(connection)
        connection.check(connection.open.isEmpty, "\(connection.open.map(\.id)) have not ended")
        connection.check(connection.client.streams.isEmpty, "the client remembers \(connection.client.streams.keys)")
        connection.check(connection.server.streams.isEmpty, "the server remembers \(connection.server.streams.keys)")
        // A client asks for the notice with its first call. The server does not get it if that call was too large to read.
        let isTold = drained && connection.ends == .ours && connection.calls[1]?.serverKnows == true
        connection.check(connection.drainNotices == (isTold ? 1 : 0), "told \(connection.drainNotices) times of the drain")
        connection.check(connection.client.needsRenewal == isTold, "the client goes on with a connection that drains")
    }

    private func letArrive(_ connection: SimulatedConnection) {
        var isMoving = true
        while isMoving {
            connection.write(.max)
            connection.deliverToServer(.max)
            connection.deliverToClient(.max)
            for call in connection.open { connection.read(call, all: true) }
            isMoving = connection.toServer.count + connection.toClient.count > 0
                || connection.client.outputByteCount + connection.server.outputByteCount > 0
        }
    }
}
