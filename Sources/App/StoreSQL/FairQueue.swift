import PulseBoardDomain

/// Queued accesses to a database, each of a user. The user whose accesses have taken least time comes next.
///
/// This is start-time fair queueing. Each user with queued accesses has a time, to which the duration of each of the user's accesses is added. The
/// earliest time is next, and a user who comes new begins with the time of the access that was begun last. So a user with thousands of accesses,
/// or with slow ones, delays another user's next access by those that are being performed, and by no queued one. Accesses of one user stay in their
/// order.
///
/// Some lanes perform the accesses in batches. A user's accesses are in at most ``lanesOfUser`` batches at once, so that a lane is free for
/// others while all of a user's accesses are slow.
package struct FairQueue {
    /// An access that a lane has taken. The lane gives it to ``end(_:times:)``.
    package struct Taken: Sendable {
        package let access: any QueuedAccess
        fileprivate let user: UserID?
        /// The duration that was added to the user's time, nanoseconds.
        fileprivate let assumed: Int64
    }

    private struct Line {
        var accesses = MovingArray()
        /// The user's time, nanoseconds.
        var time: Int64
        /// How long one of the user's accesses takes, nanoseconds: what the last ones took.
        var duration = FairQueue.firstDuration
        /// Batches with accesses of the user.
        var lanes = 0
        /// Whether `waiting` has the line.
        var isWaiting = false

        /// Whether nothing of the user is queued or under way.
        var isIdle: Bool { accesses.isEmpty && lanes == 0 }

        /// Removes and returns the first access, unless it is assumed to take longer than `budget` nanoseconds.
        mutating func take(within budget: Int64) -> (access: any QueuedAccess, assumed: Int64)? {
            guard duration <= budget, let access = accesses.popFirst() else { return nil }
            isWaiting = false
            time += duration
            return (access, duration)
        }

        /// Notes that `waiting` has the line. - Returns: the user's time, which is not before the queue's.
        mutating func join(at now: Int64) -> Int64 {
            isWaiting = true
            time = max(time, now)
            return time
        }

        /// Replaces the assumed duration of an access by its own, both in nanoseconds.
        mutating func charge(_ own: Int64, insteadOf assumed: Int64) {
            time += own - assumed
            duration = max(1_000, (duration * 3 + own) / 4)
        }
    }

    /// Accesses in their order. Taking the first one moves no others.
    private struct MovingArray {
        private var elements: [(any QueuedAccess)?] = []
        private var head = 0

        var isEmpty: Bool { head == elements.count }

        /// Where the elements are in memory.
        var address: UInt { elements.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }

        mutating func append(_ access: any QueuedAccess) { elements.append(access) }

        mutating func popFirst() -> (any QueuedAccess)? {
            guard head < elements.count else { return nil }
            let first = elements[head].take()
            head += 1
            if head == elements.count {
                elements.removeAll(keepingCapacity: true)
                head = 0
            } else if head >= 64, head * 2 >= elements.count {
                elements.removeFirst(head)
                head = 0
            }
            return first
        }

        mutating func putBack(_ access: any QueuedAccess) {
            if head > 0 {
                head -= 1
                elements[head] = access
            } else {
                // Room for more of the same batch, so that they do not move all elements again.
                elements.insert(contentsOf: repeatElement(nil, count: 64), at: 0)
                head = 63
                elements[head] = access
            }
        }
    }

    /// The assumed duration of an access of a user of whom nothing is known, nanoseconds.
    private static let firstDuration: Int64 = 7_000
    /// The fewest lines at which users without accesses are forgotten.
    private static let fewestLines = 2_048
    /// Maximum users without accesses that are remembered then because their time has not come.
    private static let mostDebtors = 2_048

    /// Maximum batches at once that have accesses of one user. Accesses without a user are not limited.
    private let lanesOfUser: Int
    private var lines: [UserID?: Line] = [:]
    /// How many lines there may be before some are forgotten.
    private var mostLines = FairQueue.fewestLines
    /// The users with queued accesses. It is a heap: the earliest time is first. The first one is never at ``lanesOfUser``. Others may have reached
    /// it since they were added. They are removed when they would be first.
    private var waiting: [Entry] = []
    private var lastEntry: UInt64 = 0
    /// The time of the access that was taken last.
    private var now: Int64 = 0

    /// How many accesses are queued.
    package private(set) var count = 0

    /// The users of whom it knows anything.
    var rememberedUsers: Int { lines.count }

    /// The address of a user's queue in memory. It is another one after the queue was copied.
    func address(of user: UserID?) -> UInt? { lines[user]?.accesses.address }

    /// - Parameter lanes: how many lanes take batches. One of them stays free for other users, if there are several.
    package init(lanes: Int) { lanesOfUser = max(1, lanes - 1) }

    /// Whether ``takeBatch(_:budget:)`` returns anything.
    package var hasWork: Bool { !waiting.isEmpty }

    /// Queues an access of a user, or of the server itself (`nil`).
    package mutating func append(_ access: any QueuedAccess, of user: UserID?) {
        if lines.count >= mostLines { forget() }
        count += 1
        lines[user, default: Line(time: now)].accesses.append(access)
        wait(user)
    }

    /// Removes and returns accesses: at most `limit`, and only one if it is assumed to take longer than `budget`.
    package mutating func takeBatch(_ limit: Int, budget: Duration) -> [Taken] {
        var batch: [Taken] = []
        var users: Set<UserID?> = []
        var left = budget.nanoseconds
        while batch.count < limit, let first = waiting.first, let time = lines[first.user]?.time {
            let user = first.user
            // Those of this batch may give it more.
            guard users.contains(user) || !isAtLimit(user) else {
                removeFirst()
                continue
            }
            guard first.time == time else {
                // A batch of the user has ended meanwhile.
                popFirst()
                push(user)
                continue
            }
            // The line is changed in its place: with a copy of it, the whole queue in it would be copied.
            guard let (access, assumed) = lines[user]?.take(within: batch.isEmpty ? .max : left) else { break }
            popFirst()
            now = max(now, time)
            batch.append(Taken(access: access, user: user, assumed: assumed))
            left -= assumed
            if users.insert(user).inserted { lines[user]?.lanes += 1 }
            // Until the batch is complete, more accesses of the same user may join it.
            if lines[user]?.accesses.isEmpty == false { push(user) }
        }
        count -= batch.count
        while let first = waiting.first, isAtLimit(first.user) { removeFirst() }
        return batch
    }

    /// Removes the first user from `waiting`. The end of one of the user's batches adds the user again.
    private mutating func removeFirst() {
        lines[waiting[0].user]?.isWaiting = false
        popFirst()
    }

    /// Ends a batch.
    /// - Parameter times: how long the first accesses took. The others were not performed, and are queued again before the others of their user.
    package mutating func end(_ batch: [Taken], times: [Duration]) {
        for (taken, time) in zip(batch, times) {
            // The server's own accesses are few. They count as short ones.
            if taken.user != nil { lines[taken.user]?.charge(time.nanoseconds, insteadOf: taken.assumed) }
        }
        for taken in batch.dropFirst(times.count).reversed() {
            count += 1
            lines[taken.user]?.accesses.putBack(taken.access)
            lines[taken.user]?.time -= taken.assumed
        }
        for user in Set(batch.map(\.user)) {
            lines[user]?.lanes -= 1
            wait(user)
            if let line = lines[user], line.isIdle, line.time <= now { lines[user] = nil }
        }
    }

    private func isAtLimit(_ user: UserID?) -> Bool { user != nil && lines[user]?.lanes ?? 0 >= lanesOfUser }

    /// Adds a user to `waiting`, if the user has accesses that may be taken.
    private mutating func wait(_ user: UserID?) {
        guard let line = lines[user], !line.isWaiting, !line.accesses.isEmpty, !isAtLimit(user) else { return }
        push(user)
    }

    /// Forgets users without accesses, first those whose time has come. Another user has taken more than others, and would be as good as new. Of
    /// these the ``mostDebtors`` with the latest times are remembered.
    private mutating func forget() {
        lines = lines.filter { !$1.isIdle || $1.time > now }
        let debts = lines.values.lazy.filter(\.isIdle).map(\.time).sorted()
        if debts.count > Self.mostDebtors {
            let least = debts[debts.count - Self.mostDebtors]
            // Of those with this very time some may be too many.
            var room = Self.mostDebtors
            lines = lines.filter { _, line in
                guard line.isIdle else { return true }
                guard line.time >= least, room > 0 else { return false }
                room -= 1
                return true
            }
        }
        mostLines = max(Self.fewestLines, 2 * lines.count)
    }

    // MARK: The heap

    private struct Entry {
        let user: UserID?
        let time: Int64
        /// Users with the same time come in their order.
        let number: UInt64

        static func < (one: Entry, other: Entry) -> Bool { (one.time, one.number) < (other.time, other.number) }
    }

    private mutating func push(_ user: UserID?) {
        guard let time = lines[user]?.join(at: now) else { return }
        lastEntry += 1
        waiting.append(Entry(user: user, time: time, number: lastEntry))
        var index = waiting.count - 1
        while index > 0, waiting[index] < waiting[(index - 1) / 2] {
            waiting.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func popFirst() {
        waiting.swapAt(0, waiting.count - 1)
        waiting.removeLast()
        sink(0)
    }

    private mutating func sink(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < waiting.count && waiting[child] < waiting[least] { least = child }
            guard least != index else { return }
            waiting.swapAt(index, least)
            index = least
        }
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
