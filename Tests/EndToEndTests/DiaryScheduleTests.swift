import Foundation
import TestHarness
import Testing

/// Schedules of edits and faults with the built programs: two directories, a server, and `kill -9` of any of them at any instant.
///
/// `Tests/App/PulseBoardDiaryTests/SimulationTests.swift` plays many more schedules in one process, with faults between any two writes. Here the
/// programs and the kernel are real. The seed does not determine the instants of kills, so a seed repeats the same steps but not the same kills.
@Suite struct DiaryScheduleTests {
    /// The variable for the number of schedules and the first seed: `COUNT` or `COUNT@FIRST`.
    static let variable = "PULSEBOARD_DIARY_PROGRAM_SCHEDULES"
    private static let steps = 25

    @Test(
        "promises 1, 2, 8, 9, 10, 11, 14: whenever programs are killed, both directories end with the same entries and conflicts, and nothing acknowledged is lost")
    func schedules() async throws {
        let parts = (ProcessInfo.processInfo.environment[Self.variable] ?? "3").split(separator: "@").compactMap { UInt64($0) }
        let first = parts.count > 1 ? parts[1] : 0
        var kills = 0
        for seed in first..<(first + max(1, parts.first ?? 3)) {
            try await Household.with { household in
                var schedule = Schedule(household, seed)
                do {
                    try await schedule.play(Self.steps)
                } catch {
                    throw Failure(description: "\(error)\nTo see these steps again: \(Self.variable)=1@\(seed)")
                }
                kills += schedule.kills
            }
        }
        #expect(kills > 0)
    }

    struct Failure: Error, CustomStringConvertible { let description: String }

    private struct Schedule {
        let household: Household
        let directories: [String]
        var random: SeededRandom
        var server: ChildProcess?
        var texts = 0
        var written: Set<String> = []
        var covered: Set<String> = []
        var deleted: Set<String> = []
        var kills = 0

        init(_ household: Household, _ seed: UInt64) {
            self.household = household
            directories = ["here", "there"].map { household.root + "/" + $0 }
            random = SeededRandom(seed: seed)
        }

        mutating func play(_ steps: Int) async throws {
            server = try await household.startServer()
            _ = try await household.enter(as: "minji", username: "minji")
            for _ in 0..<steps { try await step() }
            try await finish()
        }

        private func diary(_ directory: Int, _ words: [String]) async throws -> Run {
            try await household.run(Programs.commandLine, arguments(directory, words), ["PULSEBOARD_SOCKET": household.socket])
        }

        private func arguments(_ directory: Int, _ words: [String]) -> [String] {
            ["diary"] + words + ["--directory", directories[directory], "--json", "--account", "minji"]
        }

        private mutating func step() async throws {
            let directory = random.below(2)
            switch random.below(100) {
            case 0..<55: try await edit(directory)
            case 55..<85: try await synchronize(directory)
            case 85..<93:
                if let running = server {
                    running.send(SIGKILL)
                    _ = try await running.ended()
                    server = nil
                    kills += 1
                }
            default: if server == nil { server = try await household.startServer() }
            }
        }

        private mutating func synchronize(_ directory: Int) async throws {
            let words = ["sync"]
            guard !random.chance(30) else { return try await kill(directory, words) }
            let run = try await diary(directory, words)
            guard run.exit == .status(0) || server == nil && run.exit == .status(78) else { throw Failure(description: "\(run)") }
        }

        /// Writes, changes or deletes an entry, depending on what the directory shows.
        private mutating func edit(_ directory: Int) async throws {
            let list = try await diary(directory, ["list", "--all"]).document()
            guard list["damaged"].elements.isEmpty else { throw Failure(description: "19: an entry cannot be read") }
            let entries = list["entries"].elements
            texts += 1
            let text = "text \(texts)"
            let offline = random.chance(50) ? ["--offline"] : []
            let pick = random.below(100)
            guard !entries.isEmpty, pick >= 35 else { return try await write(directory, ["write", text] + offline, text) }
            let entry = entries[random.below(entries.count)]
            guard let id = entry["id"].text, let shown = entry["text"].text else { throw Failure(description: "an entry without a text") }
            covered.insert(shown)
            if pick < 50 {
                let words = ["delete", id] + offline
                guard !random.chance(25) else { return try await kill(directory, words) }
                _ = try await diary(directory, words).document()
                deleted.insert(id)
            } else {
                try await write(directory, ["edit", id, "--text", text] + offline, text)
            }
        }

        private mutating func write(_ directory: Int, _ words: [String], _ text: String) async throws {
            guard !random.chance(25) else { return try await kill(directory, words) }
            guard try await diary(directory, words).document()["text"].text == text else { throw Failure(description: "7: \(words) is not shown") }
            written.insert(text)
        }

        /// Starts a command and kills it at some instant, perhaps after its end.
        private mutating func kill(_ directory: Int, _ words: [String]) async throws {
            let child = try household.start(Programs.commandLine, arguments(directory, words), ["PULSEBOARD_SOCKET": household.socket])
            for _ in 0..<random.below(16_000) { await Task.yield() }
            child.send(SIGKILL)
            if try await child.ended() == .signal(SIGKILL) { kills += 1 }
        }

        private mutating func finish() async throws {
            if server == nil { server = try await household.startServer() }
            for directory in [0, 1, 0, 1] { _ = try await diary(directory, ["sync"]).document() }
            let exports = [try await diary(0, ["export"]), try await diary(1, ["export"])].map(\.output)
            guard exports[0] == exports[1] else { throw Failure(description: "11: the directories differ:\n\(exports[0])\n\(exports[1])") }
            var found: Set<String> = []
            for line in exports[0].split(separator: "\n") {
                let entry = try JSON(String(line))
                if let text = entry["text"].text { found.insert(text) }
                found.formUnion(entry["conflicts"].elements.compactMap { $0["value"].text })
                if entry["deleted"] != true, let id = entry["id"].text, deleted.contains(id) { throw Failure(description: "8: \(id) is back") }
            }
            let lost = written.subtracting(covered).subtracting(found)
            guard lost.isEmpty else { throw Failure(description: "1, 9, 10: lost \(lost.sorted()) of\n\(exports[0])") }
            for directory in 0..<2 {
                let status = try await diary(directory, ["status"]).document()
                guard status["pending"] == 0, status["rejected"] == 0 else { throw Failure(description: "something waits: \(status)") }
            }
        }
    }
}
