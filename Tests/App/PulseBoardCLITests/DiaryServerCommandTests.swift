import Foundation
import ProtobufWellKnownTypes
import PulseBoardMessages
import RPCCore
import Synchronization
import Testing

@testable import PulseBoardCLI

/// Commands of the diary whose result depends on what a server says.
@Suite struct DiaryServerCommandTests {
    private static let minji = "4042ae86-239a-4720-92e3-d9838f068d5d"
    private static let device = "00000000-0000-4000-8000-00000000000d"

    private static let registers: [String: StubChannel.Handler] = [
        "RegisterDiaryDevice": { (_, _) throws(RPCError) in PBDiaryDevice() }
    ]

    /// A program of somebody who is signed in.
    private func signedIn(_ handlers: [String: StubChannel.Handler], variables: [String: String] = [:]) throws -> TestProgram {
        let program = try TestProgram(handlers, variables: variables)
        try program.signIn(userID: Self.minji)
        return program
    }

    private func json(_ text: String) throws -> Any { try JSONSerialization.jsonObject(with: Data(text.utf8)) }

    @Test("B34: a directory whose server does not answer stays without an account, and nothing limits what is written into it")
    func unattached() async throws {
        let program = try signedIn(["RegisterDiaryDevice": { (_, _) throws(RPCError) in throw RPCError(.unavailable, "gone") }])
        #expect(try await program.run("diary", "write", "local") == 0)
        #expect(try await program.run("diary", "sync") == 78)
        #expect(try await program.run("diary", "status") == 0)
        #expect(program.standardOutput.hasSuffix("entries 1 · on this device only\n"))
    }

    @Test("the exit code of a refusal is 64 and the server's code", arguments: [
        (StatusCode.permissionDenied, 71), (.failedPrecondition, 73), (.invalidArgument, 67), (.dataLoss, 79),
    ] as [(StatusCode, Int32)])
    func exitCode(_ code: StatusCode, _ exit: Int32) async throws {
        let program = try signedIn(["RegisterDiaryDevice": { (_, _) throws(RPCError) in throw RPCError(code, "no") }])
        #expect(try await program.run("diary", "sync") == exit)
    }

    @Test("a server whose disk is full has answered, and is not said to be away")
    func fullStore() async throws {
        let failure = try RPCError.with(.unavailable, reason: "STORE_FULL")
        let program = try signedIn(["RegisterDiaryDevice": { (_, _) throws(RPCError) in throw failure }])
        #expect(try await program.run("diary", "sync") == 78)
        #expect(program.standardError == "Error: The server's disk is full. Try again once there is room.\n", "\(program.standardError)")
    }

    @Test("an attempt to synchronize after a write ends, however much there is to read")
    func attempt() async throws {
        let pages = Atomic<Int>(0)
        let handlers: [String: StubChannel.Handler] = Self.registers.merging([
            "PushDiaryMutations": StubChannel.answer(PBPushDiaryMutationsRequest.self) { (request, _) throws(RPCError) in
                PBPushDiaryMutationsResponse(results: request.mutations.map { PBMutationResult(number: $0.number, outcome: .applied) })
            },
            "PullDiaryChanges": StubChannel.answer(PBPullDiaryChangesRequest.self) { (request, options) throws(RPCError) in
                if request.cursor.isEmpty, pages.load(ordering: .relaxed) == 0 {
                    pages.add(1, ordering: .relaxed)
                    return PBDiaryChanges(nextCursor: "start", complete: true)
                }
                // A diary without an end. Only the timeout ends reading it.
                if options.timeout.map({ $0 <= .zero }) ?? false { throw RPCError(.deadlineExceeded, "late") }
                return PBDiaryChanges(nextCursor: "page \(pages.add(1, ordering: .relaxed).newValue)")
            },
        ]) { $1 }
        let program = try signedIn(handlers)
        #expect(try await program.run("diary", "sync") == 0)
        #expect(try await program.run("diary", "write", "one") == 0)
        #expect(try await program.run("diary", "list") == 0)
        #expect(program.standardOutput.contains(" one "))
    }

    @Test("devices are listed, this directory's is marked, and one is removed by the beginning of its id")
    func devices() async throws {
        let other = "5e1f0000-0000-4000-8000-000000000001"
        let handlers: [String: StubChannel.Handler] = [
            "ListDiaryDevices": { (_, _) throws(RPCError) in
                PBListDiaryDevicesResponse(devices: [Self.device, other].map { id in
                    PBDiaryDevice(id: id, name: "phone", lastMutation: 3, seenTime: Google_Protobuf_Timestamp(seconds: 1_700_000_000, nanos: 0))
                })
            },
            "DeleteDiaryDevice": { (_, _) throws(RPCError) in PBDeleteDiaryDeviceResponse() },
        ]
        let program = try signedIn(handlers)
        #expect(try await program.run("diary", "devices") == 0)
        #expect(program.standardOutput.contains("5e1f0000  phone  2023-11-15 07:13"), "\(program.standardOutput)")
        #expect(try await program.run("diary", "devices", "--remove", "5e") == 0)
        let removed = program.channel.calls.compactMap { ($0.request as? PBDeleteDiaryDeviceRequest)?.deviceID }
        #expect(removed == [other])
        #expect(try await program.run("diary", "devices", "--remove", "ff") == 69)
        #expect(program.standardError.contains("no such device"))
        let korean = try signedIn(handlers, variables: ["LANG": "ko_KR.UTF-8"])
        #expect(try await korean.run("diary", "devices", "--remove", "") == 69)
        #expect(korean.standardError.contains("그런 기기가 없습니다."))
        let list = try signedIn(handlers)
        #expect(try await list.run("diary", "devices", "--json") == 0)
        let documents = try #require(try json(list.standardOutput) as? [[String: Any]])
        #expect(documents.map { $0["isThis"] as? Bool } == [false, false])
    }

    @Test("promise 14: a rejected entry is shown with its whole text, made again as a new entry, or forgotten")
    func rejected() async throws {
        let text = "a long text of which nothing may be cut, because it is nowhere else\nin two lines"
        let isFull = Atomic<Bool>(true)
        let last = Atomic<Int64>(0)
        let program = try signedIn(Self.registers.merging([
            "PushDiaryMutations": StubChannel.answer(PBPushDiaryMutationsRequest.self) { (request, _) throws(RPCError) in
                last.store(request.mutations.last?.number ?? 0, ordering: .relaxed)
                let isFull = isFull.load(ordering: .relaxed)
                return PBPushDiaryMutationsResponse(results: request.mutations.map {
                    PBMutationResult(number: $0.number, outcome: isFull ? .rejected : .applied, reason: isFull ? "DIARY_FULL" : "")
                })
            },
            "PullDiaryChanges": { (_, _) throws(RPCError) in
                PBDiaryChanges(nextCursor: "c", complete: true, lastMutation: last.load(ordering: .relaxed))
            },
        ]) { $1 })
        #expect(try await program.run("diary", "sync") == 0)
        for text in [text, "another one"] {
            #expect(try await program.run("diary", "write", text, "--emotion", "calm") == 72)
            #expect(program.standardError.hasSuffix("Error: The diary is full. Delete entries first.\nNext: pulseboard diary rejected\n"))
        }
        #expect(try await program.run("diary", "rejected", "--restore", "1") == 72)
        #expect(program.standardError.hasSuffix("Next: pulseboard diary rejected\n"))
        #expect(try await program.run("diary", "rejected") == 0)
        #expect(program.standardOutput.contains(text))
        #expect(program.standardOutput.contains("The diary is full."))
        isFull.store(false, ordering: .relaxed)
        // It has a new number, because it was made again and refused again.
        #expect(try await program.run("diary", "rejected", "--restore", "3", "--offline") == 0, "\(program.standardError)")
        #expect(program.standardOutput.hasSuffix(text + "\n"))
        #expect(try await program.run("diary", "rejected", "--restore", "1") == 69)
        #expect(program.standardError.contains("There is no such rejected edit."))
        #expect(try await program.run("diary", "rejected", "--forget", "2") == 0)
        #expect(program.standardOutput.hasSuffix("Nothing was rejected.\n"))
        #expect(try await program.run("diary", "rejected", "--forget", "2", "--restore", "2") == 64)
        #expect(try await program.run("diary", "status", "--json") == 0)
    }

    /// A server that has a deleted entry with two texts that lost.
    private static func conflicts() -> [String: StubChannel.Handler] {
        let conflicts = [(5, "first"), (6, "second")].map { time, text in
            PBDiaryConflict(field: "text", stamp: PBDiaryStamp(time: Int64(time), deviceID: device), value: PBDiaryEntry(text: text))
        }
        let row = PBDiaryRow(entryID: "3f2a0000-0000-4000-8000-000000000001", createTime: 5, conflicts: conflicts)
        return registers.merging([
            "PullDiaryChanges": { (_, _) throws(RPCError) in PBDiaryChanges(rows: [row], nextCursor: "c", complete: true) }
        ]) { $1 }
    }

    @Test("promise 9: an edit of a deleted entry is named by its stamp, and is taken into a new entry; the other one keeps its name")
    func settle() async throws {
        let program = try signedIn(Self.conflicts())
        #expect(try await program.run("diary", "sync") == 0, "\(program.standardError)")
        #expect(try await program.run("diary", "conflicts", "--json") == 0)
        let start = try #require(program.standardOutput.firstIndex(of: "["))
        let entries = try #require(try json(String(program.standardOutput[start...])) as? [[String: Any]])
        let kept = try #require(entries.first?["conflicts"] as? [[String: String]])
        let names = try kept.map { try #require($0["id"]) }
        #expect(kept.map { $0["value"] } == ["first", "second"])
        #expect(Set(names).count == 2)
        // A number of the list, or too little of a name, names nothing: another edit may have its place by now.
        for wrong in ["1", String(names[0].prefix(3))] {
            #expect(try await program.run("diary", "settle", "3f2a", wrong, "--take", "--offline") == 69)
        }
        #expect(try await program.run("diary", "settle", "3f2a", String(names[1].prefix(4)), "--take", "--offline") == 0, "\(program.standardError)")
        #expect(program.standardError.contains("It is in the new entry "))
        #expect(program.standardOutput.contains(String(names[0].prefix(4)) + "  text   first"), "\(program.standardOutput)")
        #expect(try await program.run("diary", "list") == 0)
        #expect(program.standardOutput.contains(" second "))
        #expect(try await program.run("diary", "settle", "3f2a", names[1], "--forget", "--offline") == 69)
        #expect(try await program.run("diary", "settle", "3f2a", names[0], "--forget", "--offline") == 0)
        #expect(program.standardOutput.hasSuffix("No conflicts.\n"))
    }

    @Test("--month and --day exclude each other")
    func monthAndDay() async throws {
        let program = try TestProgram()
        #expect(try await program.run("diary", "list", "--month", "2026-11", "--day", "2026-11-21") == 64)
        #expect(program.standardError.contains("cannot be used together"))
    }

    @Test("the editor loses no text: a draft stays when it fails, empty lines at the end are no change, and options are checked first")
    func editor() async throws {
        let home = try TestProgram()
        let directory = home.home.path + "/diary"
        func run(succeeds: Bool, typed: String, _ arguments: String...) async throws -> (Int32, TestProgram) {
            let edit: @Sendable (String, String) -> Bool = { path, _ in
                let present = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
                return FileManager.default.createFile(atPath: path, contents: Data((present + typed).utf8)) && succeeds
            }
            let program = try TestProgram(typed: [], variables: ["EDITOR": "ed"], edit: edit)
            return (try await program.run(arguments: ["diary"] + arguments + ["--directory", directory]), program)
        }
        func drafts() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasPrefix("draft") }
        }
        let (failed, program) = try await run(succeeds: false, typed: "an hour's work", "write")
        #expect(failed == 73)
        let draft = try #require(try drafts().first)
        #expect(program.standardError.contains("Your text is kept in \(directory)/\(draft)"))
        #expect(try String(contentsOfFile: directory + "/" + draft, encoding: .utf8) == "an hour's work")
        #expect(try await run(succeeds: true, typed: "x", "write", "--emotion", "NOT GOOD").0 == 67)
        #expect(try drafts() == [draft])
        #expect(try await home.run("diary", "write", "ends with lines\n\n", "--directory", directory) == 0)
        let list = try TestProgram()
        #expect(try await list.run("diary", "list", "--json", "--directory", directory) == 0)
        let entries = try #require((try json(list.standardOutput) as? [String: Any])?["entries"] as? [[String: Any]])
        let id = try #require(entries.first?["id"] as? String)
        let (unchanged, same) = try await run(succeeds: true, typed: "", "edit", id)
        #expect(unchanged == 65)
        #expect(same.standardError.contains("Nothing was changed."))
        #expect(try await run(succeeds: true, typed: "and more\n", "edit", id).0 == 0)
        #expect(try drafts() == [draft])
    }

    @Test("a saved picture is its owner's alone, also in the place of a file that others could read")
    func savedPicture() async throws {
        let program = try TestProgram()
        let folder = program.home.path + "/saved"
        let png = program.home.path + "/a.png"
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1]).write(to: URL(filePath: png))
        #expect(try await program.run("diary", "write", "sea", "--image", png) == 0)
        #expect(try await program.run("diary", "list", "--json") == 0)
        let start = try #require(program.standardOutput.firstIndex(of: "{"))
        let entries = try #require((try json(String(program.standardOutput[start...])) as? [String: Any])?["entries"] as? [[String: Any]])
        let id = try #require(entries.first?["id"] as? String)
        let saved = folder + "/\(id.prefix(8))-1.png"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        #expect(FileManager.default.createFile(atPath: saved, contents: Data(count: 50), attributes: [.posixPermissions: 0o644]))
        #expect(try await program.run("diary", "show", id, "--save-images", folder) == 0)
        #expect(try Data(contentsOf: URL(filePath: saved)) == Data(contentsOf: URL(filePath: png)))
        #expect(try FileManager.default.attributesOfItem(atPath: saved)[.posixPermissions] as? Int == 0o600)
    }
}
