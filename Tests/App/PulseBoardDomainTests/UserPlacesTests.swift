import Synchronization
import Testing

@testable import PulseBoardDomain

/// What one user has under way is limited; other users do not wait for it.
@Suite("Places of a user", .timeLimit(.minutes(5))) struct UserPlacesTests {
    private let places = UserPlaces(limit: 8)

    private func user(_ number: UInt64) -> UserID { UserID(bits: UUIDBits(high: 0xAA, low: number)) }

    @Test("the read that finds no place waits until one is free, and nobody else does")
    func inTurn() async throws {
        var taken: [UserPlaces.Place] = []
        for _ in 0..<places.limit { taken.append(try await places.take(user(1))) }
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
        var taken: [UserPlaces.Place] = []
        for _ in 0..<places.limit { taken.append(try await places.take(user(1))) }
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

    @Test("calls that wait and leave, again and again, do not fill the line")
    func leaving() async throws {
        let place = UserPlaces(limit: 1), taken = try await place.take(user(1))
        let first = Task.immediate { @Sendable in try await place.take(user(1)) }
        for _ in 0..<2_000 {
            let waiting = Task.immediate { @Sendable in try await place.take(user(1)) }
            waiting.cancel()
            await #expect(throws: RepositoryError.cancelled) { try await waiting.value }
        }
        #expect(place.lineLength(of: user(1)) < 100)
        withExtendedLifetime(taken) {}
        first.cancel()
        _ = await first.result
    }

    @Test("those who wait come in their order, whoever leaves meanwhile")
    func order() async throws {
        let places = UserPlaces(limit: 1)
        var place: UserPlaces.Place? = try await places.take(user(1))
        let came = Mutex<[Int]>([])
        var waiting: [Task<Void, any Error>] = []
        for number in 0..<200 {
            waiting.append(
                Task.immediate { @Sendable [places] in
                    let place = try await places.take(user(1))
                    came.withLock { $0.append(number) }
                    withExtendedLifetime(place) {}
                })
        }
        for number in stride(from: 0, to: 200, by: 3) { waiting[number].cancel() }
        for number in stride(from: 0, to: 200, by: 3) { await #expect(throws: RepositoryError.cancelled) { try await waiting[number].value } }
        withExtendedLifetime(place) {}
        place = nil
        for number in 0..<200 where number % 3 != 0 { try await waiting[number].value }
        #expect(came.withLock { $0 } == (0..<200).filter { $0 % 3 != 0 })
        #expect(places.userCount == 0)
    }
}
