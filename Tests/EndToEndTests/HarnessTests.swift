import Foundation
import Testing

/// Tests of the harness itself: it must fail when nothing was seen.
@Suite("End-to-end harness", .timeLimit(.minutes(1)))
struct HarnessTests {
    private func shell(_ script: String) throws -> ChildProcess {
        try ChildProcess("/bin/sh", ["-c", script], environment: ["WORD": "told"])
    }

    @Test("Exit status, end by signal, both outputs and the environment are told as they are")
    func ends() async throws {
        let run = try shell("printf 'out $WORD '; echo \"$WORD\"; echo err >&2; exit 7")
        #expect(try await run.ended() == .status(7))
        #expect(run.progress.current.outputText == "out $WORD told\n")
        #expect(run.progress.current.errorText == "err\n")
        #expect(try await shell("kill -9 $$").ended() == .signal(SIGKILL))
        #expect(throws: SystemError.self) { try ChildProcess("/nonexistent", [], environment: [:]) }
    }

    @Test("More output than a pipe holds arrives whole")
    func muchOutput() async throws {
        let run = try shell("yes 0123456789 | head -n 100000; yes e | head -n 100000 >&2")
        #expect(try await run.ended() == .status(0))
        #expect(run.progress.current.output.count == 1_100_000)
        #expect(run.progress.current.errors.count == 200_000)
        #expect(run.progress.current.outputLines.count == 100_000)
    }

    @Test("A running program is watched and signalled; an incomplete line is no line")
    func running() async throws {
        let run = try shell("echo ready; printf part; kill -STOP $$")
        let ready = await run.progress.first { $0.outputText.hasSuffix("part") ? $0.outputLines : nil }
        #expect(ready == ["ready"])
        #expect(run.progress.current.exit == nil)
        run.send(SIGKILL)
        #expect(try await run.ended() == .signal(SIGKILL))
        run.send(SIGKILL)
    }

    @Test("A wait that is cancelled ends")
    func cancelled() async throws {
        let run = try shell("exec sleep 600")
        let waiting = Task { try await run.ended() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        run.send(SIGKILL)
        #expect(try await run.ended() == .signal(SIGKILL))
    }

    @Test("A household leaves neither processes nor files behind, also when its test throws")
    func household() async throws {
        struct Thrown: Error {}
        var left: (root: String, child: ChildProcess)?
        await #expect(throws: Thrown.self) {
            try await Household.with { house in
                left = (house.root, try house.start("/bin/sleep", ["600"]))
                throw Thrown()
            }
        }
        #expect(left?.child.progress.current.exit == .signal(SIGKILL))
        #expect(left.map { access($0.root, F_OK) } == -1)
    }
}
