import CLinuxSockets
import Dispatch
import Glibc
import TestHarness
import Testing

@testable import SocketTransport

/// One user's connections, however many, never delay another user's by more than a turn's allowance.
@Suite struct FairTurnTests {
    /// Handles one byte a visit, for as long as `work` takes, and leaves the rest.
    private final class SlowHandler: ConnectionHandler {
        private(set) var received: [UInt8] = []
        private let work: (SlowHandler, Connection) -> Void
        private let onClosed: (SlowHandler) -> Void

        init(onClosed: @escaping (SlowHandler) -> Void = { _ in }, _ work: @escaping (SlowHandler, Connection) -> Void) {
            self.work = work
            self.onClosed = onClosed
        }

        var outputByteCount: Int { 0 }
        func withOutput(_ write: (RawSpan) -> Int) {}

        func received(_ bytes: RawSpan, on connection: Connection) {
            var taken = 0
            repeat {
                received.append(bytes.unsafeLoad(fromByteOffset: taken, as: UInt8.self))
                taken += 1
                work(self, connection)
            } while taken < bytes.byteCount && connection.mayGoOn
            if taken < bytes.byteCount { connection.leave(bytes.byteCount - taken) }
        }

        func closed(_ connection: Connection) { onClosed(self) }
    }

    private static func accept(_ path: String, _ loop: EventLoop, _ attach: @escaping @Sendable (AcceptedSocket) -> Void) async throws {
        let socket = try ListeningSocket(path: path)
        await withCheckedContinuation { continuation in
            loop.execute {
                _ = Listener(socket, loop: loop) { accepted in
                    attach(accepted)
                    return true
                }
                continuation.resume()
            }
        }
    }

    @Test("thousands of a user's timers that are due together hold up neither another user's nor the server's own")
    func timers() async throws {
        final class Order { var fired: [String] = [] }
        let loop = try EventLoop(label: "test")
        let fired: [String] = await withCheckedContinuation { continuation in
            loop.execute {
                let due = MonotonicClock.now() + 5_000_000, order = Order(), many = TurnShare(1), other = TurnShare(2)
                func schedule(_ name: String, for share: TurnShare?) {
                    _ = loop.schedule(at: due, for: share) {
                        order.fired.append(name)
                        // As much work as the end of a call.
                        let end = MonotonicClock.now() + 10_000
                        while MonotonicClock.now() < end {}
                        if order.fired.count == 2_002 { continuation.resume(returning: order.fired) }
                    }
                }
                schedule("own", for: nil)
                schedule("other", for: other)
                for _ in 0..<2_000 { schedule("many", for: many) }
            }
        }
        #expect(try #require(fired.firstIndex(of: "own")) == 0)
        #expect(try #require(fired.firstIndex(of: "other")) < 100)
        await loop.stop()
    }

    @Test("a user who comes again while something of the user's still runs gets the same share")
    func shareOfReturningUser() {
        var shares = TurnShares()
        var held: TurnShare? = shares.join(7)
        shares.leave(shares.join(7))
        if let held { shares.leave(held) }
        for _ in 0..<TurnShares.turnsPerLook { shares.nextTurn() }
        let again = shares.join(7)
        #expect(again === held)
        shares.leave(again)
        // Many come and go once.
        for user in 100..<200 as Range<UInt64> { shares.leave(shares.join(user)) }
        #expect(shares.userCount == 101)
        for _ in 0..<4 * TurnShares.turnsPerLook { shares.nextTurn() }
        #expect(shares.userCount == 1)
        held = nil
        withExtendedLifetime(again) {}
    }

    @Test("what a connection leaves comes again, in order and before what is sent later")
    func leftBytes() async throws {
        let directory = TestDirectory()
        let loop = try EventLoop(label: "test")
        let done = Event()
        let sent = [UInt8](0..<20)
        let seen = LoopBound(Box<[UInt8]>([]), to: loop)
        try await Self.accept(directory.socketPath, loop) { accepted in
            accepted.attach(to: loop, handler: SlowHandler { handler, _ in
                spendAllowance()
                guard handler.received.count == sent.count else { return }
                seen.value.value = handler.received
                done.fire()
            })
        }
        let client = try connectedSocket(to: directory.socketPath)
        #expect(write(client, Array(sent[..<12]), 12) == 12)
        #expect(write(client, Array(sent[12...]), 8) == 8)
        await done.wait()
        #expect(await seen.onLoop { $0.value } == sent)
        close(client)
        await loop.stop()
    }

    @Test(
        "who has little work is served within two turns while ten connections of another user, or of the same, have work without end",
        arguments: [2, 1] as [UInt64])
    func users(_ victim: UInt64) async throws {
        let directory = TestDirectory()
        let loop = try EventLoop(label: "test")
        let done = Event()
        let busy = 10
        let state = LoopBound(Turns(), to: loop)
        let victims = try connectedPair()
        loop.execute {
            let handler = SlowHandler { _, _ in
                state.value.visitsWhenServed = state.value.visits
                done.fire()
            }
            state.value.victim = Connection(
                descriptor: victims.server, peer: SocketPeer(of: victims.server)!, loop: loop, side: .server, user: victim, handler: handler)
        }
        try await Self.accept(directory.socketPath, loop) { accepted in
            accepted.attach(to: loop, user: 1, handler: SlowHandler { _, _ in
                spendAllowance()
                state.value.visits += 1
                // Now all of them have work left, and the victim calls.
                if state.value.visits == 3 * busy {
                    state.value.visitsWhenCalled = state.value.visits
                    #expect(write(victims.client, [7], 1) == 1)
                }
            })
        }
        var clients: [Int32] = []
        for _ in 0..<busy {
            let client = try connectedSocket(to: directory.socketPath)
            #expect(write(client, [UInt8](repeating: 1, count: 200), 200) == 200)
            clients.append(client)
        }
        await done.wait()
        let waited = await state.onLoop { $0.visitsWhenServed - $0.visitsWhenCalled }
        #expect(waited <= 2)
        for client in clients + [victims.client] { close(client) }
        await loop.stop()
    }

    @Test("after eight connections with little work, one with much has its turn")
    func sparse() {
        var shares = TurnShares()
        let share = shares.join(1)
        let much = (0..<3).map { _ in Taker() }, little = (0..<20).map { _ in Taker() }
        for taker in much { shares.wait(taker, in: share, .last) }
        for taker in little { shares.wait(taker, in: share, .sparse) }
        var order: [ObjectIdentifier] = []
        while let taker = share.popFirst() { order.append(ObjectIdentifier(taker)) }
        var expected = little
        for (index, taker) in zip([8, 17, 22], much) { expected.insert(taker, at: index) }
        #expect(order == expected.map { ObjectIdentifier($0) })
        // Each of the three has had its turn once.
        #expect(share.round == 2)
        shares.wait(much[0], in: share, .last)
        _ = share.popFirst()
        #expect(share.round == 3)
    }

    @Test("the end of many connections takes turns too: another user is served within two while ten of a process that exits are closed")
    func manyEnds() async throws {
        let loop = try EventLoop(label: "test")
        let (victims, leavers) = (try connectedPair(), try (0..<10).map { _ in try connectedPair() })
        let (served, ended) = (Event(), Event())
        let closed = LoopBound(Box(0), to: loop)
        let closedWhenServed = LoopBound(Box(0), to: loop)
        loop.execute {
            for pair in leavers {
                let handler = SlowHandler { _ in
                    // Ending its calls takes time.
                    spendAllowance()
                    closed.value.value += 1
                    if closed.value.value == leavers.count { ended.fire() }
                } _: { _, _ in }
                _ = Connection(
                    descriptor: pair.server, peer: SocketPeer(of: pair.server)!, loop: loop, side: .server, user: 1, handler: handler)
            }
            let victim = SlowHandler { _, _ in
                closedWhenServed.value.value = closed.value.value
                served.fire()
            }
            _ = Connection(
                descriptor: victims.server, peer: SocketPeer(of: victims.server)!, loop: loop, side: .server, user: 2, handler: victim)
        }
        // On the loop, so that it sees all of it at once.
        loop.execute {
            for pair in leavers { close(pair.client) }
            #expect(write(victims.client, [7], 1) == 1)
        }
        await served.wait()
        await ended.wait()
        #expect(await closedWhenServed.onLoop { $0.value } <= 2)
        close(victims.client)
        await loop.stop()
    }

    @Test("what a peer had sent before it closed its socket is dropped, as soon as the close is noticed", arguments: [0, 2])
    func gonePeer(sliceCountBefore: Int) async throws {
        let loop = try EventLoop(label: "test")
        let pair = try connectedPair()
        let sent = [UInt8](0..<20)
        #expect(write(pair.client, sent, sent.count) == sent.count)
        // A process that another test starts at this moment may hold a copy of the descriptor for an instant. So this waits until the end is there.
        @Sendable func closeClient() {
            close(pair.client)
            var end = pollfd(fd: pair.server, events: 0, revents: 0)
            #expect(poll(&end, 1, -1) == 1 && end.revents & Int16(POLLHUP) != 0)
        }
        if sliceCountBefore == 0 { closeClient() }
        let worked: [UInt8] = await withCheckedContinuation { continuation in
            loop.execute {
                // Each byte takes longer than a slice.
                let handler = SlowHandler { continuation.resume(returning: $0.received) } _: { handler, _ in
                    if handler.received.count == sliceCountBefore { closeClient() }
                    spendAllowance()
                }
                _ = Connection(descriptor: pair.server, peer: SocketPeer(of: pair.server)!, loop: loop, side: .server, user: 1, handler: handler)
            }
        }
        #expect(worked == Array(sent.prefix(sliceCountBefore)))
        await loop.stop()
    }

    @Test("a peer that closed only its writing end gets all of its bytes worked on")
    func halfClosedPeer() async throws {
        let loop = try EventLoop(label: "test")
        let pair = try connectedPair()
        let sent = [UInt8](0..<20)
        #expect(write(pair.client, sent, sent.count) == sent.count)
        #expect(shutdown(pair.client, Int32(SHUT_WR)) == 0)
        let worked: [UInt8] = await withCheckedContinuation { continuation in
            loop.execute {
                let handler = SlowHandler { continuation.resume(returning: $0.received) } _: { _, _ in spendAllowance() }
                _ = Connection(descriptor: pair.server, peer: SocketPeer(of: pair.server)!, loop: loop, side: .server, user: 1, handler: handler)
            }
        }
        #expect(worked == sent)
        close(pair.client)
        await loop.stop()
    }

    /// Has much to write, reports that once, and writes as fast as it is called.
    private final class Writer: ConnectionHandler {
        private var left: Int
        private let wrote: (Int) -> Void
        private let bytes = [UInt8](repeating: 7, count: 8 << 20)

        init(_ byteCount: Int, _ wrote: @escaping (Int) -> Void) {
            left = byteCount
            self.wrote = wrote
        }

        var outputByteCount: Int { left }
        var outputHighWater: Int { .max }

        func withOutput(_ write: (RawSpan) -> Int) {
            let written = bytes.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[..<min(left, $0.count)]).bytes) }
            left -= written
            wrote(written)
        }

        func received(_ bytes: RawSpan, on connection: Connection) {}
        func closed(_ connection: Connection) {}
    }

    @Test("large output is written in slices: another user is served in between, and all of it arrives")
    func largeOutput() async throws {
        let loop = try EventLoop(label: "test")
        let readers = try connectedPair()
        let byteCount = 8 << 20
        let writes = LoopBound(Box<[Int]>([]), to: loop)
        loop.execute {
            let writer = Writer(byteCount) { count in
                // As slow as a busy kernel.
                spendAllowance()
                writes.value.value.append(count)
            }
            let connection = Connection(
                descriptor: readers.server, peer: SocketPeer(of: readers.server)!, loop: loop, side: .server, user: 1, handler: writer)
            connection.outputIsReady()
        }
        // The client reads on a separate thread, because it blocks.
        let received = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var received = 0
                var buffer = [UInt8](repeating: 0, count: 1 << 20)
                _ = fcntl(readers.client, F_SETFL, 0)
                while received < byteCount {
                    let count = read(readers.client, &buffer, buffer.count)
                    guard count > 0 else { break }
                    received += count
                }
                continuation.resume(returning: received)
            }
        }
        #expect(received == byteCount)
        let largest = await writes.onLoop { $0.value.max() ?? 0 }
        #expect(largest <= 128 << 10)
        close(readers.client)
        await loop.stop()
    }

    @Test("a user whose only connection has work without end is listed once a turn, however long that goes on")
    func listedOnce() {
        var shares = TurnShares()
        let share = shares.join(1)
        let taker = Taker()
        shares.wait(taker, in: share, .last)
        for _ in 0..<100 {
            shares.nextTurn()
            #expect(shares.waitingCount == 1)
            guard let share = shares.takeWaiting() else { return }
            // As in the loop: the one that waited becomes the last, and waits again.
            if let taker = share.popFirst() { shares.wait(taker, in: share, .last) }
            shares.putBack(share)
        }
    }

    @Test("who closes and connects again in one turn goes on with what is left of it")
    func reconnecting() {
        var shares = TurnShares()
        shares.nextTurn()
        let first = shares.join(1)
        #expect(first.hasTime(in: shares.turn))
        first.use(TurnShare.allowance)
        shares.leave(first)
        let second = shares.join(1)
        #expect(!second.hasTime(in: shares.turn))
        shares.leave(second)
        shares.nextTurn()
        #expect(shares.join(1).hasTime(in: shares.turn))
    }

    @Test("work that is left is done in steps, also by a connection that has closed, and before the loop is gone")
    func leftWork() async throws {
        let loop = try EventLoop(label: "test")
        let pair = try connectedPair()
        let done = Event()
        let counts = LoopBound(Turns(), to: loop)
        loop.execute {
            let connection = Connection(
                descriptor: pair.server, peer: SocketPeer(of: pair.server)!, loop: loop, side: .server, user: 1, handler: Writer(0) { _ in })
            connection.close()
            connection.workLater {
                spendAllowance()
                counts.value.visits += 1
                // Other work is done between two steps.
                if counts.value.visits == 1 { loop.execute { counts.value.visitsWhenServed = counts.value.visits } }
                if counts.value.visits == 5 { done.fire() }
                return counts.value.visits < 5
            }
        }
        await done.wait()
        #expect(await counts.onLoop { $0.visitsWhenServed } < 5)
        let last = LoopBound(Turns(), to: loop)
        await withCheckedContinuation { continuation in
            loop.execute {
                let share = loop.turnShares.join(2)
                loop.turnShares.wait(LeftWork(on: loop, in: share) {
                    last.value.visits += 1
                    return last.value.visits < 1_000_000
                }, in: share, .last)
                continuation.resume()
            }
        }
        await loop.stop()
        #expect(await last.onLoop { $0.visits } == 1_000_000)
        close(pair.client)
    }

    /// Echoes its input a little at a time: some in this turn, some in a later one, some after other work.
    private final class Echo: ConnectionHandler {
        private var output: [UInt8] = []
        private var parts = 0

        var outputByteCount: Int { output.count }

        func withOutput(_ write: (RawSpan) -> Int) {
            let written = output.withUnsafeBytes { write($0.bytes) }
            output.removeFirst(written)
        }

        func received(_ bytes: RawSpan, on connection: Connection) {
            var taken = 0
            repeat {
                let end = min(bytes.byteCount, taken + 512)
                output += bytes.extracting(taken..<end).withUnsafeBytes { Array($0) }
                taken = end
                parts += 1
                // Sometimes the slice, or the user's allowance of the turn, is used up.
                if parts % 7 == 0 { spend(TurnShare.slice) }
                if parts % 31 == 0 { spend(TurnShare.allowance) }
                if parts % 5 == 0 { connection.writeEarly() }
            } while taken < bytes.byteCount && connection.mayGoOn && !connection.isClosed
            if taken < bytes.byteCount, !connection.isClosed { connection.leave(bytes.byteCount - taken) }
        }

        func closed(_ connection: Connection) {}
    }

    @Test("no event is lost among connections that leave bytes, wait for their turn, write late and close: every byte comes back")
    func nothingIsLost() async throws {
        let loop = try EventLoop(label: "test")
        let accepted = LoopBound(Box<[Connection]>([]), to: loop)
        let sent = await withTaskGroup(of: Bool.self) { group in
            for user in 0..<12 {
                guard let pair = try? connectedPair() else { return false }
                loop.execute {
                    accepted.value.value.append(Connection(
                            descriptor: pair.server, peer: SocketPeer(of: pair.server)!, loop: loop, side: .server, user: UInt64(user % 3),
                            handler: Echo()))
                }
                group.addTask {
                    await withCheckedContinuation { continuation in
                        // On a separate thread, because it blocks.
                        DispatchQueue(label: "client").async { continuation.resume(returning: Self.exchange(pair.client, seed: user)) }
                    }
                }
            }
            return await group.reduce(true) { $0 && $1 }
        }
        #expect(sent)
        await loop.stop()
    }

    /// Sends bursts of different lengths and reads each back. Returns false if the server has closed.
    private static func exchange(_ client: Int32, seed: Int) -> Bool {
        defer { close(client) }
        _ = fcntl(client, F_SETFL, 0)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        for round in 0..<150 {
            let length = (round * 2_741 + seed * 911) % 9_000 + 1
            let burst = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ round) }
            guard write(client, burst, length) == length else { return false }
            var back: [UInt8] = []
            while back.count < length {
                let count = read(client, &buffer, buffer.count)
                guard count > 0 else { return false }
                back += buffer[..<count]
            }
            guard back == burst else { return false }
        }
        return true
    }

    private final class Taker: TurnTaker {
        func takeTurn() {}
        func turnsHaveEnded() {}
    }

    private final class Turns {
        var visits = 0
        var visitsWhenCalled = 0
        var visitsWhenServed = 0
        var victim: Connection?
    }
}

extension LoopBound {
    /// Runs a closure with the value on the loop, and returns its result.
    func onLoop<Result: Sendable>(_ body: @escaping @Sendable (Value) -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            loop.execute { continuation.resume(returning: body(value)) }
        }
    }
}
