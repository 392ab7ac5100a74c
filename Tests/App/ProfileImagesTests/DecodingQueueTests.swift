import PulseBoardDomain
import Testing

@testable import ProfileImages

@Suite("Whose picture is decoded next")
struct DecodingQueueTests {
    private func user() -> UserID { .random(using: SystemRandomSource()) }

    /// Waits for a place in another task, and is in the queue when this returns.
    private func waiting(_ user: UserID, in queue: DecodingQueue, for time: Duration = .zero) async -> Task<Bool, Never> {
        let count = await queue.waitingCount
        let task = Task { await queue.enter(user, at: .now - time) }
        while await queue.waitingCount == count { await Task.yield() }
        return task
    }

    @Test("Two are decoded at a time, sixteen wait, and one more is told that the server is busy")
    func busy() async {
        let queue = DecodingQueue(places: 2, waitingPlaces: 16)
        let owner = user()
        #expect(await queue.enter(owner))
        #expect(await queue.enter(user()))
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<17 { group.addTask { await queue.enter(user()) } }
            // One of the seventeen finds no place to wait, and is the only one with an answer at once.
            #expect(await group.next() == false)
            for _ in 0..<16 {
                await queue.leave(owner, begin: .now)
                #expect(await group.next() == true)
            }
        }
    }

    @Test("A user who has used the decoder comes after all who have not, in their order, and is never refused for a free place")
    func order() async {
        let queue = DecodingQueue(places: 1, waitingPlaces: 4)
        let greedy = user(), holder = user()
        #expect(await queue.enter(greedy))
        await queue.leave(greedy, begin: .now - .seconds(4))
        #expect(await queue.enter(greedy))
        await queue.leave(greedy, begin: .now - .seconds(4))

        #expect(await queue.enter(holder))
        let late = await waiting(greedy, in: queue)
        let first = await waiting(user(), in: queue)
        let second = await waiting(user(), in: queue)
        await queue.leave(holder, begin: .now)
        #expect(await first.value)
        #expect(await queue.waitingCount == 2)
        await queue.leave(user(), begin: .now)
        #expect(await second.value)
        #expect(await queue.waitingCount == 1)
        await queue.leave(user(), begin: .now)
        #expect(await late.value)
    }

    @Test("Who waits long comes before newcomers")
    func patience() async {
        let queue = DecodingQueue(places: 1, waitingPlaces: 4)
        let user = user()
        #expect(await queue.enter(user))
        await queue.leave(user, begin: .now - .seconds(4))
        #expect(await queue.enter(self.user()))
        // Four seconds of use are made up for after 32 seconds.
        let patient = await waiting(user, in: queue, for: .seconds(40))
        let newcomer = await waiting(self.user(), in: queue)
        await queue.leave(self.user(), begin: .now)
        #expect(await patient.value)
        #expect(await queue.waitingCount == 1)
        await queue.leave(self.user(), begin: .now)
        #expect(await newcomer.value)
    }

    @Test("Who is cancelled gives up the place in the queue")
    func cancelled() async {
        let queue = DecodingQueue(places: 1, waitingPlaces: 1)
        #expect(await queue.enter(user()))
        let gone = await waiting(user(), in: queue)
        gone.cancel()
        #expect(await gone.value == false)
        #expect(await queue.waitingCount == 0)
        let next = await waiting(user(), in: queue)
        await queue.leave(user(), begin: .now)
        #expect(await next.value)
    }

    @Test("A full queue refuses the user who has used the decoder most, wherever in the queue")
    func refused() async {
        let queue = DecodingQueue(places: 1, waitingPlaces: 2)
        let greedy = user(), greediest = user()
        for (who, seconds) in [(greedy, 2), (greediest, 4)] {
            #expect(await queue.enter(who))
            await queue.leave(who, begin: .now - .seconds(seconds))
        }
        #expect(await queue.enter(user()))
        let displaced = await waiting(greediest, in: queue)
        let kept = await waiting(greedy, in: queue)
        let newcomer = Task { await queue.enter(user()) }
        #expect(await displaced.value == false)
        // Nobody in the queue has used more than these two.
        #expect(await queue.enter(greediest) == false)
        await queue.leave(user(), begin: .now)
        #expect(await newcomer.value)
        await queue.leave(user(), begin: .now)
        #expect(await kept.value)
    }
}
