import PulseBoardDomain
import Synchronization
import Testing

@testable import PulseBoardServices

/// One user's pages in memory are limited; other users do not wait for them.
@Suite("Places of pages", .timeLimit(.minutes(5))) struct PagePlacesTests {
    private let places = PagePlaces()

    private func user(_ number: UInt64) -> UserID { UserID(bits: UUIDBits(high: 0xAA, low: number)) }

    @Test("the read that finds no place waits until one is free, and nobody else does")
    func inTurn() async throws {
        var taken: [PagePlaces.Place] = []
        for _ in 0..<PagePlaces.limit { taken.append(try await places.take(user(1))) }
        let hasPlace = Atomic(false)
        async let next: Void = {
            let place = try await places.take(user(1))
            hasPlace.store(true, ordering: .releasing)
            withExtendedLifetime(place) {}
        }()
        _ = try await places.take(user(2))
        for _ in 0..<100 { await Task.yield() }
        let isEarly = hasPlace.load(ordering: .acquiring)
        #expect(!isEarly)
        taken.removeLast()
        try await next
        let came = hasPlace.load(ordering: .acquiring)
        #expect(came)
        taken.removeAll()
        #expect(places.userCount == 0)
    }

    @Test("a cancelled read leaves the line, whether it waits already or not")
    func cancelled() async throws {
        var taken: [PagePlaces.Place] = []
        for _ in 0..<PagePlaces.limit { taken.append(try await places.take(user(1))) }
        let waiting = Task { [places] in try await places.take(user(1)) }
        for _ in 0..<100 { await Task.yield() }
        waiting.cancel()
        await #expect(throws: RepositoryError.cancelled) { try await waiting.value }
        let late = Task { [places] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await places.take(user(1))
        }
        await #expect(throws: RepositoryError.cancelled) { try await late.value }
        taken.removeAll()
        #expect(places.userCount == 0)
    }
}
