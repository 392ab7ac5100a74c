import PulseBoardDomain
import Testing

@testable import PulseBoardServices

@Suite("Checking a username while it is typed") struct UsernameTypingTests {
    let bench: Bench
    let timer = TestTimer()
    let keyboard = Keyboard()
    let caller: Caller
    let answers: Recording<UsernameCheckProgress>

    init() async throws {
        bench = try await Bench(timer: timer)
        caller = try await bench.member(1000, "taken")
        bench.counted.resetCalls()
        answers = Recording(
            bench.services.profiles.checkUsernames(keyboard, try await bench.member(1001, "typist")))
        bench.counted.resetCalls()
        await keyboard.isRead()
    }

    @Test("B19: the store is asked after 400 ms without typing, and only about the last text")
    func debounce() async throws {
        for text in ["al", "ali", "alic"] {
            await keyboard.type(text)
            #expect(await answers.next() == .checking(text: text, normalized: text))
            timer.advance(by: .milliseconds(399))
        }
        await keyboard.type("alice")
        #expect(await answers.next() == .checking(text: "alice", normalized: "alice"))
        timer.advance(by: .milliseconds(400))
        let answer = try #require(await answers.verdict())
        #expect(answer.text == "alice")
        #expect(answer.isAvailable)
        #expect(bench.counted.calls("checkUsername") == 1)
    }

    @Test("B18, B19: a malformed text is answered at once, without the store, and is forgotten once typed over")
    func malformed() async throws {
        await keyboard.type("a")
        let short = try #require(await answers.verdict())
        #expect(short.text == "a")
        #expect(short.violations.map(\.reason) == [.usernameTooShort])
        await keyboard.type("")
        #expect(await answers.verdict()?.violations.map(\.reason) == [.usernameEmpty])
        #expect(bench.counted.calls("checkUsername") == 0)
        await keyboard.type("taken")
        await timer.somebodySleeps(for: .milliseconds(400))
        timer.advance(by: .milliseconds(400))
        let taken = try #require(await answers.verdict())
        #expect(taken.text == "taken")
        #expect(taken.violations.map(\.reason) == [.usernameDuplicated])
    }

    @Test("a text with too many bytes is answered at once, and its repetition passed over without looking at its characters")
    func longTexts() async throws {
        let hostile = "a" + String(repeating: "\u{0301}\u{0323}", count: 250_000)
        await keyboard.type(hostile)
        #expect(await answers.verdict()?.violations.map(\.reason) == [.usernameTooLong])
        await keyboard.type(hostile)
        await keyboard.type("a")
        #expect(await answers.verdict()?.text == "a")
    }

    @Test("X12: of a text with more than 4 KiB, a stream keeps the beginning, up to a whole scalar, and its answer names it")
    func beginningOfLongText() async throws {
        let long = String(repeating: "가", count: 1 << 20)
        await keyboard.type(long)
        let answer = try #require(await answers.verdict())
        #expect(answer.text == String(repeating: "가", count: 4096 / 3))
        #expect(answer.violations.map(\.reason) == [.usernameTooLong])
        // Another length is another text, and has an answer of its own.
        await keyboard.type(long + "가")
        #expect(await answers.verdict()?.text == answer.text)
        let longest = String(repeating: "a", count: 4096)
        await keyboard.type(longest)
        #expect(await answers.verdict()?.text == longest)
    }

    @Test("B19: a repeated text neither restarts the pause nor is answered again")
    func duplicates() async throws {
        await keyboard.type("alice")
        await timer.somebodySleeps(for: .milliseconds(400))
        timer.advance(by: .milliseconds(300))
        await keyboard.type("alice")
        timer.advance(by: .milliseconds(100))
        #expect(await answers.verdict()?.text == "alice")
        await keyboard.type("alice")
        keyboard.end()
        #expect(await answers.verdict() == nil)
        #expect(bench.counted.calls("checkUsername") == 1)
        #expect(await answers.ending() == nil)
    }

    @Test("B30, X12: an answer for a text that was typed over meanwhile is never given")
    func stale() async throws {
        let (keyboard, counted) = (keyboard, bench.counted)
        counted.pause("checkUsername") {
            counted.pause("checkUsername", nil)
            await keyboard.type("alice")
        }
        await keyboard.type("taken")
        await timer.somebodySleeps(for: .milliseconds(400))
        timer.advance(by: .milliseconds(400))
        // "alice" is typed while the store is asked about "taken".
        await timer.somebodySleeps(for: .milliseconds(400))
        timer.advance(by: .milliseconds(400))
        let answer = try #require(await answers.verdict())
        #expect(answer.text == "alice")
        #expect(answer.isAvailable)
        #expect(counted.calls("checkUsername") == 2)
    }

    @Test("what was typed last is answered when the typing ends, without a pause")
    func end() async throws {
        await keyboard.type("alic")
        await keyboard.type("alice")
        keyboard.end()
        #expect(await answers.verdict()?.text == "alice")
        #expect(await answers.verdict() == nil)
        #expect(await answers.ending() == nil)
    }

    @Test("without a text there is no answer")
    func nothing() async throws {
        keyboard.end()
        #expect(await answers.verdict() == nil)
        #expect(await answers.ending() == nil)
    }

    @Test("X21: the answers end with the session")
    func signOut() async throws {
        await keyboard.type("a")
        #expect(await answers.verdict() != nil)
        let typist = try await bench.caller(1001)
        try await bench.services.auth.signOut(typist, allSessions: true)
        #expect(await answers.ending() == .notAuthenticated)
    }

    @Test("a well-formed text is said to be checked at once, before the pause and its verdict")
    func checking() async throws {
        await keyboard.type("alice")
        #expect(await answers.next() == .checking(text: "alice", normalized: "alice"))
        await timer.somebodySleeps(for: .milliseconds(400))
        #expect(bench.counted.calls("checkUsername") == 0)
        timer.advance(by: .milliseconds(400))
        guard case .checked(let verdict)? = await answers.next() else { throw NoVerdict() }
        #expect(verdict.text == "alice")
        // A malformed text gets its verdict at once.
        await keyboard.type("a")
        guard case .checked(let short)? = await answers.next() else { throw NoVerdict() }
        #expect(short.text == "a")
    }

    @Test("B4, B29: a name that the store cannot judge is an answer, and the typing goes on")
    func failure() async throws {
        let full = RepositoryError.storeUnavailable(.full, detail: "disk")
        bench.counted.fail("checkUsername", with: full)
        await keyboard.type("alice")
        #expect(await answers.next() == .checking(text: "alice", normalized: "alice"))
        await timer.somebodySleeps(for: .milliseconds(400))
        timer.advance(by: .milliseconds(400))
        #expect(await answers.next() == .failed(text: "alice", full))
        bench.counted.fail("checkUsername", with: nil)
        // The same text, because it has no verdict yet.
        await keyboard.type("alice")
        #expect(await answers.next() == .checking(text: "alice", normalized: "alice"))
        await timer.somebodySleeps(for: .milliseconds(400))
        timer.advance(by: .milliseconds(400))
        #expect(await answers.verdict()?.isAvailable == true)
        await keyboard.type("alic")
        keyboard.end()
        #expect(await answers.verdict()?.text == "alic")
        #expect(await answers.ending() == nil)
    }
}

private struct NoVerdict: Error {}
