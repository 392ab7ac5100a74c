import Foundation
import PulseBoardDomain
import Synchronization
import Testing

@testable import PulseBoardServices

@Suite("Diary service") struct DiaryServiceTests {
    let bench: Bench
    let device = DiaryDeviceID(bits: UUIDBits(high: 1, low: 7))

    init() async throws { bench = try await Bench() }

    private func entry(_ number: UInt64) -> DiaryEntryID { DiaryEntryID(bits: UUIDBits(high: 0xEE, low: number)) }

    private func content(_ text: String) -> DiaryContent { DiaryContent(stored: Timestamp(microseconds: 5), emotion: "calm", text: text) }

    private func creation(_ number: UInt64, time: Int64 = 5, text: String? = nil) -> NumberedDiaryMutation {
        let mutation = DiaryMutation(
            entryID: entry(number), stamp: DiaryStamp(time: time, device: device), kind: .create(content(text ?? "text \(number)")))
        return NumberedDiaryMutation(number: Int64(number), mutation: mutation)
    }

    @Test("B22: what breaks a rule is refused before the store is asked")
    func rules() async throws {
        let caller = try await bench.member(1_001, "minji")
        bench.counted.resetCalls()
        let long = content(String(repeating: "a", count: 10_001))
        await #expect(throws: RepositoryError.self) { try await bench.services.diaries.createEntry(entry(1), long, caller) }
        await #expect(throws: RepositoryError.self) {
            try await bench.services.diaries.registerDevice(device, name: "a\nb", caller)
        }
        await #expect(throws: RepositoryError.self) { try await bench.services.diaries.registerDevice(.server, name: "", caller) }
        await #expect(throws: RepositoryError.self) {
            try await bench.services.diaries.entries(DiaryFilter(emotion: "NO"), PageRequest(), caller)
        }
        let gap = [creation(1), creation(3)]
        await #expect(throws: RepositoryError.self) {
            try await bench.services.diaries.push(gap, confirmed: 0, from: device, caller)
        }
        let many = (1...101).map { creation($0) }
        await #expect(throws: RepositoryError.self) {
            try await bench.services.diaries.push(many, confirmed: 0, from: device, caller)
        }
        #expect(bench.counted.calls() == 0)
    }

    @Test("while pushes are checked, other work gets a thread between two of their mutations")
    func turnsOfChecks() async {
        let text = String(repeating: "a", count: 8 << 10)
        let mutations = (1...100).map { creation($0, text: text) }
        let ended = Atomic(0), endedBefore = Atomic(-1)
        // They occupy all threads for work that must not run on a loop.
        let checks = (0..<ProcessInfo.processInfo.activeProcessorCount).map { _ in
            Task(executorPreference: globalConcurrentExecutor) { @Sendable in
                _ = await DiaryPush.Item.check(mutations)
                ended.add(1, ordering: .relaxed)
            }
        }
        await Task(executorPreference: globalConcurrentExecutor) { @Sendable in
            endedBefore.store(ended.load(ordering: .relaxed), ordering: .relaxed)
        }.value
        for check in checks { await check.value }
        #expect(endedBefore.load(ordering: .relaxed) == 0)
    }

    @Test("promise 14: a mutation that breaks a rule is refused alone, with its reason, and the next still lands")
    func refusedAlone() async throws {
        let caller = try await bench.member(1_001, "minji")
        _ = try await bench.services.diaries.registerDevice(device, name: "laptop", caller)
        let bad = DiaryMutation(
            entryID: entry(2), stamp: DiaryStamp(time: 6, device: device),
            kind: .create(DiaryContent(stored: Timestamp(microseconds: 0), emotion: "NOT", text: "")))
        let answer = try await bench.services.diaries.push(
            [creation(1), NumberedDiaryMutation(number: 2, mutation: bad), creation(3)], confirmed: 0, from: device, caller)
        #expect(answer.results.map(\.outcome) == [.applied, .rejected(.emotionInvalid), .applied])
        #expect(answer.lastMutation == 3)
        #expect(try await bench.services.diaries.devices(caller).map(\.lastMutation) == [3])
    }

    @Test("a search that looks at much ends its page, and goes on with the token; a caller that has gone has nothing read")
    func boundedSearch() async throws {
        let caller = try await bench.member(1_001, "minji")
        // 3 MB in all, of which the oldest entry is the only one with the word.
        let long = String(repeating: "가", count: 9_999)
        for number in 1...100 {
            _ = try await bench.services.diaries.createEntry(
                entry(UInt64(number)),
                DiaryContent(stored: Timestamp(microseconds: Int64(number)), emotion: "calm", text: long + (number == 1 ? "z" : "a")), caller)
        }
        let filter = DiaryFilter(text: "z")
        let first = try await bench.services.diaries.entries(filter, PageRequest(), caller)
        #expect(first.items.isEmpty)
        let token = try #require(first.nextToken).text
        let second = try await bench.services.diaries.entries(filter, PageRequest(token: token), caller)
        #expect(second.items.map(\.id) == [entry(1)] && second.nextToken == nil)
        let services = bench.services
        let gone = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await services.diaries.entries(filter, PageRequest(), caller)
        }
        await #expect(throws: RepositoryError.cancelled) { try await gone.value }
    }

    @Test("a push that takes several transactions is answered as a whole")
    func longPush() async throws {
        let caller = try await bench.member(1_001, "minji")
        _ = try await bench.services.diaries.registerDevice(device, name: "laptop", caller)
        let first = DiaryStamp(time: 5, device: device)
        func edit(_ number: Int64, _ value: DiaryValue, after base: DiaryStamp) -> NumberedDiaryMutation {
            let mutation = DiaryMutation(
                entryID: entry(1), stamp: DiaryStamp(time: 5 + number, device: device),
                kind: .patch(DiaryPatch(values: [value.field: value], bases: [value.field: base])))
            return NumberedDiaryMutation(number: number, mutation: mutation)
        }
        _ = try await bench.services.diaries.push([creation(1)], confirmed: 0, from: device, caller)
        for number in 2...33 as ClosedRange<Int64> {
            _ = try await bench.services.diaries.push(
                [edit(number, .text(String(repeating: "가", count: 9_900) + "\(number)"), after: first)], confirmed: number - 1, from: device, caller)
        }
        bench.counted.resetCalls()
        let edits = (34...93 as ClosedRange<Int64>).map { number in
            edit(number, .time(Timestamp(microseconds: number)), after: number == 34 ? first : DiaryStamp(time: 4 + number, device: device))
        }
        let answer = try await bench.services.diaries.push(edits, confirmed: 33, from: device, caller)
        #expect(answer.results == edits.map { DiaryMutationResult(number: $0.number, outcome: .applied) })
        // Others may have changed the diary between the transactions.
        #expect(answer.lastMutation == 93 && answer.previousCursor.isEmpty && answer.nextCursor.isEmpty)
        #expect(bench.counted.calls() > 2)
    }

    /// What a user does often.
    enum Work: CaseIterable { case edits, looks, pushes }

    @Test("few edits of one user's entries, looks for pictures and pushes are in the store at once; the others wait", arguments: Work.allCases)
    func fewAtOnce(_ work: Work) async throws {
        let caller = try await bench.member(1_001, "minji")
        for number in 1...40 as ClosedRange<UInt64> { _ = try await bench.services.diaries.createEntry(entry(number), content("one"), caller) }
        let here = Mutex((now: 0, most: 0))
        let methods =
            switch work {
            case .edits: ["updateDiaryEntry", "deleteDiaryEntry"]
            case .looks: ["missingDiaryImages"]
            case .pushes: ["pushDiary"]
            }
        if work == .pushes { _ = try await bench.services.diaries.registerDevice(device, name: "", caller) }
        for method in methods {
            bench.counted.pause(method) {
                here.withLock { here in
                    here.now += 1
                    here.most = max(here.most, here.now)
                }
                for _ in 0..<100 { await Task.yield() }
                here.withLock { $0.now -= 1 }
            }
        }
        let services = bench.services, change = try DiaryChange(text: "two")
        let hash = try #require(DiaryImageHash(bytes: [UInt8](repeating: 1, count: 32)))
        let device = device, pushed = creation(1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...40 as ClosedRange<UInt64> {
                let id = entry(number)
                group.addTask {
                    switch work {
                    case .looks: #expect(try await services.diaryImages.missing([hash, hash], caller) == [hash])
                    // The same push again and again.
                    case .pushes: #expect(try await services.diaries.push([pushed], confirmed: 0, from: device, caller).lastMutation == 1)
                    case .edits where number.isMultiple(of: 2):
                        #expect(try await services.diaries.updateEntry(id, change, caller).content.text == "two")
                    case .edits: try await services.diaries.deleteEntry(id, caller)
                    }
                }
            }
            try await group.waitForAll()
        }
        let most =
            switch work {
            case .edits: DiaryService.editsAtOnce
            case .looks: DiaryImageService.looksAtOnce
            case .pushes: DiaryService.pushesAtOnce
            }
        #expect(here.withLock { $0.most } <= most)
        #expect(methods.reduce(0) { $0 + bench.counted.calls($1) } == 40)
    }

    @Test("B24: pages of a list fit their owner and filter only")
    func pages() async throws {
        let caller = try await bench.member(1_001, "minji"), other = try await bench.member(1_002, "jisoo")
        for number in 1...3 as ClosedRange<UInt64> { _ = try await bench.services.diaries.createEntry(entry(number), content("t"), caller) }
        let first = try await bench.services.diaries.entries(.all, PageRequest(size: 2), caller)
        #expect(first.items.map(\.id) == [entry(3), entry(2)])
        let token = try #require(first.nextToken).text
        #expect(try await bench.services.diaries.entries(.all, PageRequest(size: 2, token: token), caller).items.map(\.id) == [entry(1)])
        await #expect(throws: RepositoryError.invalidPageToken) {
            try await bench.services.diaries.entries(DiaryFilter(emotion: "calm"), PageRequest(size: 2, token: token), caller)
        }
        await #expect(throws: RepositoryError.invalidPageToken) {
            try await bench.services.diaries.entries(.all, PageRequest(size: 2, token: token), other)
        }
    }

    @Test("promise 13: a cursor of another owner is refused, and so is a forged one")
    func cursors() async throws {
        let caller = try await bench.member(1_001, "minji"), other = try await bench.member(1_002, "jisoo")
        for caller in [caller, other] { _ = try await bench.services.diaries.registerDevice(device, name: "", caller) }
        let cursor = try await bench.services.diaries.changes(for: device, after: "", limit: 0, caller).nextCursor
        for bad in [cursor, "AAAA", String(cursor.dropLast())] {
            await #expect(throws: RepositoryError.invalid(ValidationError(field: "cursor", reason: .invalidPageToken))) {
                try await bench.services.diaries.changes(for: device, after: bad, limit: 0, other)
            }
        }
        await #expect(throws: RepositoryError.self) { try await bench.services.diaries.changes(for: device, after: "", limit: -1, caller) }
    }

    @Test("B33: a watch begins with the diary as it is and tells each further change, of this owner alone; it ends with the session")
    func watch() async throws {
        let caller = try await bench.member(1_001, "minji"), other = try await bench.member(1_002, "jisoo")
        let diaries = bench.services.diaries
        _ = try await diaries.registerDevice(device, name: "", caller)
        _ = try await diaries.createEntry(entry(1), content("one"), caller)
        let output = TestOutput<DiaryChanges>(), device = device
        let watch = output.take { try await diaries.watch(for: device, after: "", limit: 0, caller, to: $0) }
        var updates = output.received.makeAsyncIterator()
        let first = try #require(await updates.next())
        #expect(first.rows.map(\.id) == [entry(1)])
        #expect(first.isComplete)
        // A watch does not report changes of another diary.
        _ = try await diaries.createEntry(entry(9), content("other"), other)
        _ = try await diaries.createEntry(entry(2), content("two"), caller)
        #expect(await updates.next()?.rows.map(\.id) == [entry(2)])
        // The watch also reports a change of only the last mutation's number.
        let known = DiaryMutation(entryID: entry(2), stamp: DiaryStamp(time: 3, device: device), kind: .create(content("again")))
        _ = try await diaries.push([NumberedDiaryMutation(number: 1, mutation: known), creation(3)].enumerated().map {
            NumberedDiaryMutation(number: Int64($0.offset) + 1, mutation: $0.element.mutation)
        }, confirmed: 0, from: device, caller)
        let third = try #require(await updates.next())
        #expect(third.rows.map(\.id) == [entry(3)])
        #expect(third.lastMutation == 2)
        try await bench.services.profiles.deleteProfile(caller)
        await #expect(throws: RepositoryError.notAuthenticated) { try await watch.value }
    }

    @Test("B33: a watch sends a page without rows every 25 s, from the same place")
    func heartbeat() async throws {
        let timer = TestTimer()
        let bench = try await Bench(timer: timer)
        let caller = try await bench.member(1_001, "minji")
        let diaries = bench.services.diaries, output = TestOutput<DiaryChanges>(), device = device
        _ = try await diaries.registerDevice(device, name: "", caller)
        _ = try await diaries.createEntry(entry(1), content("one"), caller)
        let watch = output.take { try await diaries.watch(for: device, after: "", limit: 0, caller, to: $0) }
        var updates = output.received.makeAsyncIterator()
        let first = try #require(await updates.next())
        for _ in 1...2 {
            await timer.somebodySleeps(for: .seconds(25))
            timer.advance(by: .seconds(25))
            let page = try #require(await updates.next())
            #expect(page.rows.isEmpty)
            #expect(page.isComplete)
            #expect(page.nextCursor == first.nextCursor)
        }
        watch.cancel()
        try await watch.value
    }

    @Test("watches whose readers have stopped keep no page of the user from others, and go on when the readers do")
    func stoppedReaders() async throws {
        let caller = try await bench.member(1_001, "minji")
        let diaries = bench.services.diaries, device = device
        _ = try await diaries.registerDevice(device, name: "", caller)
        for number in 1...3 as ClosedRange<UInt64> {
            _ = try await diaries.createEntry(entry(number), content(String(repeating: "가", count: 9_999)), caller)
        }
        // More than there are places. Each has taken one page of three, and waits with the next.
        let outputs = (0...DiaryService.pagesInMemory).map { _ in TestOutput<DiaryChanges>(room: 1) }
        let watches = outputs.map { $0.take { try await diaries.watch(for: device, after: "", limit: 1, caller, to: $0) } }
        for output in outputs { for await _ in output.stops { break } }
        #expect(try await diaries.entries(.all, PageRequest(), caller).items.count == 3)
        #expect(try await diaries.changes(for: device, after: "", limit: 0, caller).rows.count == 3)
        for (output, watch) in zip(outputs, watches) {
            output.read()
            var pages: [DiaryChanges] = []
            for await page in output.received {
                pages.append(page)
                if page.isComplete { break }
            }
            #expect(Set(pages.flatMap(\.rows).map(\.id)).count == 3)
            watch.cancel()
            try await watch.value
        }
    }

    @Test("pages that the readers of a user's watches have not taken are limited in number; the next watch waits")
    func unreadPages() async throws {
        let caller = try await bench.member(1_001, "minji")
        let diaries = bench.services.diaries, device = device
        _ = try await diaries.registerDevice(device, name: "", caller)
        let outputs = (0...DiaryService.unreadPagesOfWatches).map { _ in TestOutput<DiaryChanges>(room: 1) }
        var watches: [Task<Void, any Error>] = []
        for output in outputs.dropLast() {
            watches.append(output.take { try await diaries.watch(for: device, after: "", limit: 0, caller, to: $0) })
            for await _ in output.stops { break }
        }
        let last = try #require(outputs.last)
        watches.append(last.take { try await diaries.watch(for: device, after: "", limit: 0, caller, to: $0) })
        for _ in 0..<500 { await Task.yield() }
        // It has room, and nothing has come.
        #expect(await last.isReady)
        // A page that is asked for does not wait.
        _ = try await diaries.changes(for: device, after: "", limit: 0, caller)
        outputs[0].read()
        for await _ in last.received { break }
        for output in outputs { output.read() }
        for watch in watches {
            watch.cancel()
            try await watch.value
        }
    }

    @Test("a clock that is more than a day ahead is refused with the server's time")
    func skew() async throws {
        let caller = try await bench.member(1_001, "minji")
        _ = try await bench.services.diaries.registerDevice(device, name: "", caller)
        let ahead = bench.clock.now().advanced(by: .hours(25)).microseconds
        let error = await #expect(throws: RepositoryError.self) {
            try await bench.services.diaries.push([creation(1, time: ahead)], confirmed: 0, from: device, caller)
        }
        guard case .diary(.clockSkewed(let time, 0))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(time < bench.clock.now())
    }
}
