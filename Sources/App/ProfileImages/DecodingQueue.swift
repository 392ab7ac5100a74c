import Glibc
import PulseBoardDomain

/// Decides whose picture is decoded next. A few are decoded at a time, and a few more wait.
///
/// The user who has used the decoder least comes first. If too many wait, the one who has used it most is refused. So users who keep the decoder
/// busy, even all at once, delay others by the pictures that are being decoded now, and take no place from them. Waiting makes up for use, so nobody
/// waits without end. On a server with free places nobody waits, whatever they have used.
actor DecodingQueue {
    /// Use counts half after this time.
    static let halfLife = Duration.seconds(300)
    /// Maximum users whose use is remembered. Beyond them, those who used least are forgotten.
    static let rememberedUsers = 1_024

    /// The seconds of waiting that make up for one second of use.
    static let waitForUse = 8.0

    private struct Waiter {
        let number: Int
        let user: UserID
        let since: ContinuousClock.Instant
        let continuation: CheckedContinuation<Bool, Never>
    }

    /// How long a user's pictures were decoded, seconds, as of an instant.
    private struct Use {
        var seconds: Double
        var instant: ContinuousClock.Instant

        func seconds(at now: ContinuousClock.Instant) -> Double { seconds * exp2(-((now - instant) / halfLife)) }
    }

    private var free: Int
    private let waitingPlaces: Int
    /// In the order of their coming.
    private var waiting: [Waiter] = []
    private var lastNumber = 0
    private var uses: [UserID: Use] = [:]

    init(places: Int, waitingPlaces: Int) {
        free = places
        self.waitingPlaces = waitingPlaces
    }

    /// Waits for a place. Returns `false` if too many wait who come before this user, or if the task is cancelled.
    /// - Parameter now: the present time. Tests give another.
    func enter(_ user: UserID, at now: ContinuousClock.Instant = .now) async -> Bool {
        if free > 0 {
            free -= 1
            return true
        }
        if waiting.count >= waitingPlaces {
            guard let last = waiting.indices.max(by: { rank(waiting[$0], now) < rank(waiting[$1], now) }), rank(waiting[last], now) > use(user, now)
            else { return false }
            waiting.remove(at: last).continuation.resume(returning: false)
        }
        lastNumber += 1
        let number = lastNumber
        return await withTaskCancellationHandler {
            // The task that leaves hands over its place.
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(returning: false) }
                waiting.append(Waiter(number: number, user: user, since: now, continuation: continuation))
            }
        } onCancel: {
            Task { await self.cancel(number) }
        }
    }

    private func cancel(_ number: Int) {
        guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
        waiting.remove(at: index).continuation.resume(returning: false)
    }

    /// Gives a place back.
    /// - Parameter begin: when the user got the place.
    func leave(_ user: UserID, begin: ContinuousClock.Instant) {
        let now = ContinuousClock.now
        uses[user] = Use(seconds: use(user, now) + (now - begin) / .seconds(1), instant: now)
        forget(now)
        // `min` takes the first of equals, so equal users come in their order.
        guard let next = waiting.indices.min(by: { rank(waiting[$0], now) < rank(waiting[$1], now) }) else {
            free += 1
            return
        }
        waiting.remove(at: next).continuation.resume(returning: true)
    }

    /// How many wait for a place.
    var waitingCount: Int { waiting.count }

    private func use(_ user: UserID, _ now: ContinuousClock.Instant) -> Double { uses[user]?.seconds(at: now) ?? 0 }

    /// The lowest comes first: what the user has used, less what waiting makes up for, seconds.
    private func rank(_ waiter: Waiter, _ now: ContinuousClock.Instant) -> Double {
        use(waiter.user, now) - (now - waiter.since) / .seconds(1) / Self.waitForUse
    }

    /// Keeps half of the remembered users, those who used most, when there are too many.
    private func forget(_ now: ContinuousClock.Instant) {
        guard uses.count > Self.rememberedUsers else { return }
        let most = uses.sorted { $0.value.seconds(at: now) > $1.value.seconds(at: now) }.prefix(Self.rememberedUsers / 2)
        uses = Dictionary(uniqueKeysWithValues: most.map { ($0.key, $0.value) })
    }
}
