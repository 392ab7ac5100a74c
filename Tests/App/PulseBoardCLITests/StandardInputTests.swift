import Foundation
import TestHarness
import Testing

@testable import PulseBoardCLI

@Suite("Standard input") struct StandardInputTests {
    private func withInput(_ bytes: [UInt8], _ body: (StandardInput) async throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        try Data(bytes).write(to: URL(filePath: directory.path + "/input"))
        let descriptor = open(directory.path + "/input", O_RDONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        try await body(StandardInput(descriptor: descriptor))
    }

    private func lines(of input: StandardInput) -> ([String], String?) {
        var lines: [String] = []
        while let line = input.readLine() { lines.append(line) }
        #expect(input.readLine() == nil)
        return (lines, input.problem)
    }

    @Test("is cut at line ends, and the last line needs none", arguments: [
        ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\r\n\nb", ["a", "", "b"]), ("가\n\n", ["가", ""]),
        (String(repeating: "x", count: 200_000) + "\ny", [String(repeating: "x", count: 200_000), "y"]),
    ] as [(String, [String])])
    func cut(_ text: String, _ expected: [String]) async throws {
        try await withInput(Array(text.utf8)) { input in
            let (lines, problem) = lines(of: input)
            #expect(lines == expected)
            #expect(problem == nil)
        }
    }

    @Test("that is not valid UTF-8 ends before that line, so that no text is stored with a part of it lost")
    func invalid() async throws {
        for ending in [[0x0A, 0x62, 0x0A], []] as [[UInt8]] {
            try await withInput([0x61, 0x0A, 0x63, 0xE9] + ending) { input in
                #expect(input.readLine() == "a" && input.problem == nil)
                #expect(input.readLine() == nil && input.problem == "Not valid UTF-8")
                // A shell goes on after the command that has failed.
                #expect(input.readLine() == (ending.isEmpty ? nil : "b"))
                #expect(input.problem == (ending.isEmpty ? "Not valid UTF-8" : nil))
            }
            try await withInput([0x61, 0x0A, 0x63, 0xE9] + ending) { input in
                #expect(await input.nextLine() == "a")
                #expect(await input.nextLine() == nil, "the line is not passed over")
                #expect(input.problem == "Not valid UTF-8")
            }
        }
    }

    @Test("that cannot be read says why: a directory, a descriptor that is not open")
    func failing() throws {
        let descriptor = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        let (lines, problem) = lines(of: StandardInput(descriptor: descriptor))
        close(descriptor)
        #expect(lines.isEmpty)
        #expect(problem == "Is a directory")
        #expect(self.lines(of: StandardInput(descriptor: -1)).1 == "Bad file descriptor")
    }

    @Test("that a cancelled task has waited for is the next reader's")
    func cancelled() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        defer {
            close(reading)
            close(writing)
        }
        func isRead() -> Bool {
            var count: Int32 = -1
            return ioctl(reading, UInt(FIONREAD), &count) == 0 && count == 0
        }
        let input = StandardInput(descriptor: reading)
        #expect(write(writing, "first\ncom", 9) == 9)
        #expect(await input.nextLine() == "first")
        let waiting = Task { await input.nextLine() }
        #expect(write(writing, "ma", 2) == 2)
        await until { isRead() }
        waiting.cancel()
        #expect(await waiting.value == nil)
        #expect(write(writing, "nd\n", 3) == 3)
        #expect(input.readLine() == "command")
        #expect(input.problem == nil)
    }

    @Test("of a terminal goes on after Ctrl-D, which ends one text")
    func terminal() throws {
        // A pseudo-terminal (pty(7)). Foundation does not show its functions.
        let typing = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(typing >= 0)
        defer { close(typing) }
        let setLock: UInt = 0x4004_5431, getNumber: UInt = 0x8004_5430
        var lock: Int32 = 0, number: Int32 = 0
        try #require(ioctl(typing, setLock, &lock) == 0 && ioctl(typing, getNumber, &number) == 0)
        let reading = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(reading >= 0)
        defer { close(reading) }
        let input = StandardInput(descriptor: reading)
        #expect(write(typing, "first\n\u{4}second\n", 14) == 14)
        #expect(input.readLine() == "first")
        #expect(input.readLine() == nil)
        #expect(input.readLine() == "second")
        #expect(input.problem == nil)
    }
}
