import CLinuxSockets
import Dispatch
import Glibc
import Synchronization

/// A serial Dispatch queue with one read source on an epoll descriptor that holds all sockets of the loop.
///
/// With many connections, one source for the whole set is much faster than one for each socket (`docs/performance.md`). When no event is ready,
/// the loop waits for a while before it returns to Dispatch, because arming a Dispatch source again costs several system calls.
public final class EventLoop: @unchecked Sendable {
    // Sendable: every `var` is touched only on `queue`, which is serial (in `turn`, or after `preconditionInLoop`).
    // Other threads use only `inbox`, a Mutex, and the Atomics `owner` and `working`.

    /// How long an idle loop waits before it returns to Dispatch, nanoseconds. It is longer than a tick of the kernel (4 ms at 250 Hz), because a
    /// shorter timer has to be programmed into the processor for each wait.
    static let lingerNanoseconds = 10_000_000
    /// The loop's shared read buffer, bytes. A connection reads at most this much a turn, so that none starves the others.
    static let readBufferByteCount = 256 * 1024

    let queue: DispatchQueue
    let epoll: Int32
    private let wake: Int32
    private let alarm: Int32
    private let source: any DispatchSourceRead
    private let owner = Atomic<UInt>(0)
    /// See ``isAtWork``.
    let working = Atomic(false)
    private let inbox = Mutex(Inbox())

    // Unchecked in release builds, like those below: there are several accesses an event, and each check is expensive. No other code runs during an
    // access.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var ready = ReadyWork()
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var members = EventMembers()
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var unflushed: [Connection] = []
    /// The time that each user may work in a turn.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    var turnShares = TurnShares()
    /// The time at which the last piece of work ended, nanoseconds. 0 if that time may be too old.
    var lastClock: Int64 = 0
    private var timers: TimerWheel
    /// Timers that are due and have not acted yet.
    private var dueTimers = DueTimers()
    private var alarmSetFor = Int64.max
    private var stopped = false
    var idlePolling = IdlePolling()
    /// See ``runAtOnce(_:)``.
    private var runsNextJobAtOnce = false
    let readBuffer: UnsafeMutableRawBufferPointer
    private let turnCounts = LoopTurnCounts()

    /// The durations of its turns since the start. Any thread.
    public var turns: LoopTurns { turnCounts.turns }

    /// Rounds of ready work between two checks of the sockets and timers. So a task that yields forever does not block them.
    static let roundsPerLook = 64

    /// Pieces of ready work between two readings of the clock.
    private static let workPerClock = 2
    /// Time of the present turn that ready work has taken, nanoseconds.
    private var readyNanoseconds: Int64 = 0

    /// Work for the loop: a job of a Swift task, or a closure.
    enum Work: Sendable {
        case job(UnownedJob, on: UnownedTaskExecutor)
        case closure(@Sendable () -> Void)
    }

    /// Work that other threads have given to the loop.
    private struct Inbox {
        var work: [(work: Work, executor: ConnectionExecutor?)] = []
        /// Whether the epoll set is gone. Then new work runs on the queue directly.
        var isClosed = false
    }

    /// Starts a loop. It lives until ``stop()``.
    /// - Throws: ``SocketError`` when the process is out of descriptors.
    public init(label: String) throws(SocketError) {
        ProcessMemory.prepare()
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw .system("epoll_create1") }
        wake = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        alarm = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        guard wake >= 0, alarm >= 0 else {
            let error = SocketError.system("eventfd")
            for descriptor in [epoll, wake, alarm] where descriptor >= 0 { close(descriptor) }
            throw error
        }
        // Before the source is made, because Dispatch stops the process if a source is dropped that was never activated.
        guard Self.control(epoll, EPOLL_CTL_ADD, wake, EPOLLIN.rawValue, EventMembers.wakeToken),
            Self.control(epoll, EPOLL_CTL_ADD, alarm, EPOLLIN.rawValue, EventMembers.alarmToken)
        else {
            let error = SocketError.system("epoll_ctl")
            for descriptor in [epoll, wake, alarm] { close(descriptor) }
            throw error
        }
        queue = DispatchQueue(label: label)
        source = DispatchSource.makeReadSource(fileDescriptor: epoll, queue: queue)
        timers = TimerWheel(now: MonotonicClock.now())
        readBuffer = .allocate(byteCount: Self.readBufferByteCount, alignment: 16)
        source.setEventHandler { self.turn() }
        source.setCancelHandler { [epoll, wake, alarm, readBuffer] in
            for descriptor in [epoll, wake, alarm] { close(descriptor) }
            readBuffer.deallocate()
        }
        source.activate()
    }

    /// Whether the current thread is running this loop.
    public var inLoop: Bool { owner.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Whether the loop does something at this moment, and does not wait for events. (A loop that was woken but has no processor yet still counts as
    /// waiting.) Any thread.
    package var isAtWork: Bool { working.load(ordering: .relaxed) }

    /// Stops the program if the current thread is not running this loop, because loop-bound state would be shared.
    public func preconditionInLoop() { precondition(inLoop, "loop-bound state used off its event loop") }

    /// Runs a closure on the loop, soon. If called on the loop, that is in the present turn, or in a later one if ready work has used its time of the
    /// turn.
    public func execute(_ closure: @escaping @Sendable () -> Void) { enqueue(.closure(closure)) }

    /// Takes work of an executor's connection, or of nobody.
    func enqueue(_ work: Work, of executor: ConnectionExecutor? = nil) {
        if inLoop { return ready.append(work, to: executor?.line) }
        let isClosed = inbox.withLock { inbox in
            guard !inbox.isClosed else { return true }
            inbox.work.append((work, executor))
            // Under the lock, so that the descriptor cannot be closed, and its number used again, in between.
            if inbox.work.count == 1 { signalWake() }
            return false
        }
        if isClosed { queue.async { self.runStopped(work) } }
    }

    /// Runs work of a loop that has stopped, for tasks that have not ended yet.
    private func runStopped(_ work: Work) {
        owner.store(UInt(pthread_self()), ordering: .relaxed)
        defer { owner.store(0, ordering: .relaxed) }
        run(work)
        runReady()
        continueStopped()
    }

    /// Runs the ready work that is left after the stop, in turns of the queue.
    private func continueStopped() {
        guard let share = ready.takeShare(), let work = ready.popFirst(of: share) else { return }
        ready.putBack(share)
        queue.async { self.runStopped(work) }
    }

    /// Closes all of the loop's sockets and ends its timers; returns when that is done. Tasks that prefer the loop still run to
    /// their end, on its queue.
    public func stop() async {
        await withCheckedContinuation { continuation in
            stop { continuation.resume() }
        }
    }

    /// As ``stop()``, for callers that do not wait, such as a deinit: `stopped` is called on the loop when it is done.
    public func stop(then stopped: @escaping @Sendable () -> Void) {
        execute {
            self.stopInLoop()
            stopped()
        }
    }

    private func stopInLoop() {
        guard !stopped else { return }
        for member in members.all { member.loopStopped() }
        endTurns()
        stopped = true
        // The timers' actions may hold the loop itself.
        timers.removeAll()
        for timer in dueTimers.removeAll() { timers.remove(timer) }
        let left = inbox.withLock { inbox in
            inbox.isClosed = true
            let left = inbox.work
            inbox.work = []
            return left
        }
        for (work, executor) in left { ready.append(work, to: executor?.line) }
        source.cancel()
    }

    // MARK: The turn

    private func turn() {
        owner.store(UInt(pthread_self()), ordering: .relaxed)
        working.store(true, ordering: .relaxed)
        defer {
            working.store(false, ordering: .relaxed)
            owner.store(0, ordering: .relaxed)
        }
        var events = [epoll_event](repeating: epoll_event(), count: 256)
        // The end of one turn is the beginning of the pause before the next, so that the clock is read once a turn.
        var ended = MonotonicClock.now()
        repeat {
            let hasWork = !ready.isEmpty || turnShares.hasWaiting || !dueTimers.isEmpty
            lastClock = 0
            let count = wait(for: &events, hasWork: hasWork, since: ended)
            if count <= 0, !hasWork { return }
            let began = lastClock > 0 ? lastClock : ended
            turnShares.nextTurn()
            readyNanoseconds = 0
            for index in 0..<max(0, count) { dispatch(events[index]) }
            fireDueTimers()
            giveTurns()
            runReady()
            flushUnflushed()
            ended = MonotonicClock.now()
            turnCounts.record(ended - began)
        } while !stopped
        endTurns()
        continueStopped()
    }

    /// Ends what waits for a turn. Not only the listed shares: the loop may stop in the turn of another.
    private func endTurns() {
        for share in turnShares.all {
            while let taker = share.popFirst() { taker.turnsHaveEnded() }
        }
    }

    /// Lets waiting connections work, each user's for as long as that user may.
    private func giveTurns() {
        var usersLeft = turnShares.waitingCount
        while usersLeft > 0, let share = turnShares.takeWaiting() {
            usersLeft -= 1
            while share.hasTime(in: turnShares.turn), let taker = share.popFirst() { taker.takeTurn() }
            turnShares.putBack(share)
        }
    }

    /// Whether so much ready work waits that the work of others behind it would be late.
    var hasMuchReadyWork: Bool { ready.count >= Self.muchReadyWork }

    /// The pieces of ready work.
    var readyCount: Int { ready.count }

    /// The time, nanoseconds. If a piece of work has just ended, the time of its end.
    var clock: Int64 { lastClock > 0 ? lastClock : readClock() }

    /// The time, nanoseconds, read from the clock.
    func readClock() -> Int64 {
        lastClock = MonotonicClock.now()
        return lastClock
    }

    private func dispatch(_ event: epoll_event) {
        switch event.data.u64 {
        case EventMembers.wakeToken:
            drain(wake)
            let work = inbox.withLock { inbox in
                let work = inbox.work
                inbox.work.removeAll(keepingCapacity: true)
                return work
            }
            for (work, executor) in work { ready.append(work, to: executor?.line) }
            lastClock = 0
        case EventMembers.alarmToken:
            drain(alarm)
            alarmSetFor = .max
            for timer in timers.takeDue(at: MonotonicClock.now()) { dueTimers.append(timer) }
            setAlarm()
            lastClock = 0
        case let token:
            // Nil if an earlier event of this batch closed the socket.
            members[token]?.handle(events: event.events)
        }
        runReady()
    }

    /// Runs work that became ready in this turn, and work that it makes ready, up to a limit. The rest runs after the next check of the sockets.
    func runReady(rounds limit: Int = roundsPerLook) {
        guard !ready.isEmpty else { return }
        var rounds = 0
        var begin = clock
        // Work that has used its part of the turn continues in the next turn, however many events this one has.
        while !ready.isEmpty, rounds < limit, readyNanoseconds < TurnShare.allowance {
            let end = runRound(from: begin, until: begin + TurnShare.allowance - readyNanoseconds)
            readyNanoseconds += end - begin
            begin = end
            rounds += 1
        }
    }

    /// Runs the work that is ready now, each user's for a slice. What this makes ready waits for the next round.
    /// - Returns: the time at the end.
    private func runRound(from begin: Int64, until end: Int64) -> Int64 {
        var now = begin
        var usersLeft = ready.userCount
        while usersLeft > 0, now < end, let share = ready.takeShare() {
            usersLeft -= 1
            run(share, until: ready.userCount > 0 ? min(now + ReadyWork.slice, end) : end)
            ready.putBack(share)
            now = readClock()
        }
        return now
    }

    /// Runs a user's ready work until a time: as many pieces as are ready now.
    private func run(_ share: TurnShare, until end: Int64) {
        let count = share.readyCount
        for index in 1...count {
            guard let work = ready.popFirst(of: share) else { return }
            run(work)
            if index % Self.workPerClock == 0, index < count, readClock() > end { return }
        }
    }

    private func run(_ work: Work) {
        switch work {
        case .job(let job, let executor): job.runSynchronously(on: executor)
        case .closure(let closure): closure()
        }
    }

    private func flushUnflushed() {
        while !unflushed.isEmpty {
            let batch = unflushed
            unflushed.removeAll(keepingCapacity: true)
            for connection in batch { connection.flushAnnounced() }
        }
    }

    /// Notes that a connection has output to write before the turn ends.
    func flushLater(_ connection: Connection) { unflushed.append(connection) }

    private func signalWake() {
        var one: UInt64 = 1
        _ = write(wake, &one, 8)
    }

    private func drain(_ descriptor: Int32) {
        var value: UInt64 = 0
        _ = read(descriptor, &value, 8)
    }

    // MARK: Members

    /// Adds a descriptor to the set; `events` are epoll's. Nil, with `errno`, if the kernel has no memory for it, or if the user watches too many
    /// descriptors. Not after the loop has stopped.
    func add(_ descriptor: Int32, _ events: UInt32, _ member: any EventMember) -> UInt64? {
        let token = members.insert(member)
        if control(EPOLL_CTL_ADD, descriptor, events, token) { return token }
        members.remove(token)
        return nil
    }

    func change(_ descriptor: Int32, _ events: UInt32, _ token: UInt64) {
        let isDone = control(EPOLL_CTL_MOD, descriptor, events, token)
        precondition(isDone, "epoll_ctl on a descriptor that is not ours: errno \(errno)")
    }

    /// Forgets a member. Its descriptor leaves the set when it is closed.
    func forget(_ token: UInt64) { members.remove(token) }

    /// Forgets a member and removes its descriptor from the set. For a descriptor whose open file other processes hold too. Closing it alone
    /// would leave the file in the set, and its events would wake the loop forever.
    func remove(_ descriptor: Int32, _ token: UInt64) {
        let isDone = control(EPOLL_CTL_DEL, descriptor, 0, token)
        precondition(isDone, "epoll_ctl on a descriptor that is not ours: errno \(errno)")
        forget(token)
    }

    private func control(_ operation: Int32, _ descriptor: Int32, _ events: UInt32, _ token: UInt64) -> Bool {
        Self.control(epoll, operation, descriptor, events, token)
    }

    private static func control(_ epoll: Int32, _ operation: Int32, _ descriptor: Int32, _ events: UInt32, _ token: UInt64) -> Bool {
        var event = epoll_event(events: events, data: epoll_data_t(u64: token))
        return epoll_ctl(epoll, operation, descriptor, &event) == 0
    }

    // MARK: Timers

    /// Calls `action` on the loop after `deadline` (nanoseconds on ``MonotonicClock``), up to 1 ms late. Never after the loop
    /// has stopped. On the loop only.
    public func schedule(at deadline: Int64, _ action: @escaping () -> Void) -> LoopTimer { schedule(at: deadline, for: nil, action) }

    /// - Parameter share: the user whose timers take turns with those of others.
    func schedule(at deadline: Int64, for share: TurnShare?, _ action: @escaping () -> Void) -> LoopTimer {
        preconditionInLoop()
        let timer = LoopTimer(deadline: deadline, for: share, action: action)
        guard !stopped else {
            timers.remove(timer)
            return timer
        }
        timers.insert(timer)
        setAlarm()
        return timer
    }

    /// Cancels a timer before it fires. On the loop only.
    public func cancel(_ timer: LoopTimer) {
        preconditionInLoop()
        timers.remove(timer)
    }

    /// The most ready work that may wait when timers or ended calls make more.
    static let muchReadyWork = 64
    /// A user's timers that act in each turn of the user, however much work waits.
    static let fewestTimers = 8

    /// Lets due timers act for as long as one user's connections may work in a turn. The others act in the next turns: a client can give thousands of
    /// calls the same deadline. The end of a call makes ready work, and that of others comes behind it. So timers also wait for ready work.
    private func fireDueTimers() {
        guard !dueTimers.isEmpty else { return }
        let end = readClock() + TurnShare.allowance
        fire(until: end) { dueTimers.popCommon() }
        var usersLeft = dueTimers.userCount
        while usersLeft > 0, !stopped, lastClock <= end, let share = dueTimers.takeShare() {
            usersLeft -= 1
            fire(until: dueTimers.userCount > 0 ? min(lastClock + ReadyWork.slice, end) : end) { share.dueTimers.popFirst() }
            dueTimers.putBack(share)
        }
        if !stopped { runReady() }
    }

    /// Lets timers act until a time, or until much ready work waits.
    private func fire(until end: Int64, _ next: () -> LoopTimer?) {
        var count = 0
        while !stopped, let timer = next() {
            timer.fire()
            count += 1
            guard readClock() <= end, count < Self.fewestTimers || !hasMuchReadyWork else { return }
        }
    }

    /// Sets the timer descriptor, unless it is already set for an earlier time. With equal timeouts this is one system call a timeout, and not one a
    /// call.
    private func setAlarm() {
        guard !stopped, let look = timers.nextLook(), look < alarmSetFor else { return }
        alarmSetFor = look
        var setting = itimerspec()
        setting.it_value = timespec(tv_sec: Int(look / 1_000_000_000), tv_nsec: Int(look % 1_000_000_000))
        timerfd_settime(alarm, Int32(TFD_TIMER_ABSTIME), &setting, nil)
    }
}

extension EventLoop {
    /// The number of processors that this process may use, read once.
    package static let processorCount = max(1, Int(pulse_processor_count()))

    /// Whether a peer on this machine can work at the same time as a loop. On a single processor, polling and early writes would take time from the
    /// peer.
    static var hasPeersBeside: Bool { processorCount > 1 }

    /// The default number of loops of a local server: one for every two processors, because the clients run on the same machine.
    ///
    /// On two processors, one loop is faster than two and needs less CPU: more calls are in one burst, and the client has a processor. Only handlers
    /// that compute for long need more loops.
    public static var localDefaultCount: Int { max(1, processorCount / 2) }
}

/// A task that prefers this executor resumes on the loop. So a handler's answer needs no change of thread.
extension EventLoop: TaskExecutor {
    public func enqueue(_ job: consuming ExecutorJob) {
        enqueue(UnownedJob(job), on: asUnownedTaskExecutor(), of: nil)
    }

    /// Takes a job of an executor whose tasks run on this loop.
    func enqueue(_ job: UnownedJob, on executor: UnownedTaskExecutor, of connection: ConnectionExecutor?) {
        // In this order, because only the loop may read its state.
        guard inLoop, runsNextJobAtOnce else { return enqueue(.job(job, on: executor), of: connection) }
        runsNextJobAtOnce = false
        job.runSynchronously(on: executor)
    }

    /// Runs `body`. The first job of a task that `body` makes ready for this loop runs at once and not at the end of the turn. On the loop only, and
    /// outside of any task.
    public func runAtOnce(_ body: () -> Void) {
        preconditionInLoop()
        runsNextJobAtOnce = true
        body()
        runsNextJobAtOnce = false
    }
}
