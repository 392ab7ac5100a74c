import Glibc
import PulseBoardDomain

/// Decides whose picture is decoded next. A few are decoded at a time, and a few more wait.
///
/// The user who has used the decoder least comes first. If too many wait, the one who has used it most is refused. So users who keep the decoder
/// busy, even all at once, delay others by the pictures that are being decoded now, and take no place from them. On a server with free places nobody
/// waits, whatever they have used.
actor DecodingQueue {
    /// Use counts half after this time.
    static let halfLife = Duration.seconds(300)
    /// Maximum users whose use is remembered. Beyond them, those who used least are forgotten.
    static let rememberedUsers = 1_024

    private struct Waiter {
        let user: UserID
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
    private var uses: [UserID: Use] = [:]

    init(places: Int, waitingPlaces: Int) {
        free = places
        self.waitingPlaces = waitingPlaces
    }

    /// Waits for a place. Returns `false` if too many wait who have used the decoder no more than this user.
    func enter(_ user: UserID) async -> Bool {
        if free > 0 {
            free -= 1
            return true
        }
        if waiting.count >= waitingPlaces {
            let now = ContinuousClock.now
            guard let most = waiting.indices.max(by: { use(waiting[$0].user, now) < use(waiting[$1].user, now) }),
                use(waiting[most].user, now) > use(user, now)
            else { return false }
            waiting.remove(at: most).continuation.resume(returning: false)
        }
        // The task that leaves hands over its place.
        return await withCheckedContinuation { waiting.append(Waiter(user: user, continuation: $0)) }
    }

    /// Gives a place back.
    /// - Parameter begin: when the user got the place.
    func leave(_ user: UserID, begin: ContinuousClock.Instant) {
        let now = ContinuousClock.now
        uses[user] = Use(seconds: use(user, now) + (now - begin) / .seconds(1), instant: now)
        forget(now)
        // `min` takes the first of equals, so equal users come in their order.
        guard let next = waiting.indices.min(by: { use(waiting[$0].user, now) < use(waiting[$1].user, now) }) else {
            free += 1
            return
        }
        waiting.remove(at: next).continuation.resume(returning: true)
    }

    /// How many wait for a place.
    var waitingCount: Int { waiting.count }

    private func use(_ user: UserID, _ now: ContinuousClock.Instant) -> Double { uses[user]?.seconds(at: now) ?? 0 }

    /// Keeps half of the remembered users, those who used most, when there are too many.
    private func forget(_ now: ContinuousClock.Instant) {
        guard uses.count > Self.rememberedUsers else { return }
        let most = uses.sorted { $0.value.seconds(at: now) > $1.value.seconds(at: now) }.prefix(Self.rememberedUsers / 2)
        uses = Dictionary(uniqueKeysWithValues: most.map { ($0.key, $0.value) })
    }
}
