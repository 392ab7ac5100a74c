import Logging
import ProtobufWellKnownTypes
import PulseBoardMessages
import RPCCore
import StoreSQLite
import Synchronization
import Testing

@Suite("Diary over a socket") struct DiaryTests {
    private static let device = "00000000-0000-4000-8000-00000000000d"
    private func id(_ number: Int) -> String { "00000000-0000-4000-8000-00000000000\(number)" }

    private func entry(_ number: Int, _ text: String, emotion: String = "calm") -> PBDiaryEntry {
        PBDiaryEntry(id: id(number), entryTime: Google_Protobuf_Timestamp(seconds: 1_767_500_000, nanos: 0), emotion: emotion, text: text)
    }

    private func mutation(_ number: Int, _ entry: Int, _ time: Int64, _ change: PBDiaryMutation.OneOf_Change) -> PBDiaryMutation {
        PBDiaryMutation(
            number: Int64(number), entryID: id(entry), stamp: PBDiaryStamp(time: time, deviceID: Self.device), change: change)
    }

    private func failure<Answer>(_ body: () async throws(RPCError) -> Answer) async -> RPCError? {
        do throws(RPCError) {
            _ = try await body()
            return nil
        } catch { return error }
    }

    @Test("B22, B35: an entry is made, read, listed, found, changed and deleted")
    func online() async throws {
        try await TestBoard.with { board in
            let member = try await board.enter("minji")
            let made = try await board.diaries.createDiaryEntry(PBCreateDiaryEntryRequest(entry: entry(1, "비가 왔다")), options: member.options)
            #expect(made.text == "비가 왔다")
            #expect(made.createTime != nil && !made.etag.isEmpty)
            #expect(try await board.diaries.getDiaryEntry(PBGetDiaryEntryRequest(id: id(1)), options: member.options) == made)
            let found = try await board.diaries.listDiaryEntries(PBListDiaryEntriesRequest(query: "비가"), options: member.options)
            #expect(found.entries == [made])
            let none = PBListDiaryEntriesRequest(startTime: Google_Protobuf_Timestamp(seconds: 1_767_500_001, nanos: 0))
            #expect(try await board.diaries.listDiaryEntries(none, options: member.options).entries.isEmpty)
            let changed = try await board.diaries.updateDiaryEntry(
                PBUpdateDiaryEntryRequest(
                    entry: PBDiaryEntry(id: id(1), text: "개었다"), updateMask: Google_Protobuf_FieldMask(paths: ["text"]), etag: made.etag),
                options: member.options)
            #expect(changed.text == "개었다" && changed.emotion == "calm")
            for _ in 0..<2 { _ = try await board.diaries.deleteDiaryEntry(PBDeleteDiaryEntryRequest(id: id(1)), options: member.options) }
            let error = await failure { () throws(RPCError) in
                try await board.diaries.getDiaryEntry(PBGetDiaryEntryRequest(id: id(1)), options: member.options)
            }
            #expect(error?.code == .notFound)
            #expect(error?.reason == "DIARY_ENTRY_NOT_FOUND")
            let mask = await failure { () throws(RPCError) in
                try await board.diaries.updateDiaryEntry(
                    PBUpdateDiaryEntryRequest(
                        entry: PBDiaryEntry(id: id(1)), updateMask: Google_Protobuf_FieldMask(paths: ["etag", "nonsense"])),
                    options: member.options)
            }
            #expect(mask?.reason == "FIELD_READ_ONLY")
        }
    }

    @Test("promises 5, 9: a push, its repetition, and what a pull then has")
    func synchronising() async throws {
        try await TestBoard.with { board in
            let member = try await board.enter("minji")
            _ = try await board.diaries.registerDiaryDevice(
                PBRegisterDiaryDeviceRequest(deviceID: Self.device, name: "laptop"), options: member.options)
            let base = PBDiaryStamp(time: 5, deviceID: Self.device)
            let edit = PBDiaryPatch(
                entry: PBDiaryEntry(text: "late"), updateMask: Google_Protobuf_FieldMask(paths: ["text"]),
                bases: [PBDiaryFieldStamp(field: "text", stamp: base)])
            let seen = ["entry_time", "emotion", "text"].map { PBDiaryFieldStamp(field: $0, stamp: base) }
            let push = PBPushDiaryMutationsRequest(
                deviceID: Self.device,
                mutations: [
                    mutation(1, 1, 5, .create(entry(1, "first"))), mutation(2, 1, 6, .delete(PBDiaryDelete(seen: seen))),
                    mutation(3, 1, 7, .patch(edit)),
                ])
            let answer = try await board.diaries.pushDiaryMutations(push, options: member.options)
            #expect(answer.results.map(\.outcome) == [.applied, .applied, .conflict])
            #expect(!answer.previousCursor.isEmpty && !answer.nextCursor.isEmpty)
            let again = try await board.diaries.pushDiaryMutations(push, options: member.options)
            #expect(again.results == answer.results && again.lastMutation == answer.lastMutation)
            // Others may have changed the diary since.
            #expect(again.previousCursor.isEmpty && again.nextCursor.isEmpty)
            let changes = try await board.diaries.pullDiaryChanges(PBPullDiaryChangesRequest(deviceID: Self.device), options: member.options)
            #expect(changes.complete && changes.lastMutation == 3)
            #expect(changes.rows.map(\.entry) == [nil])
            #expect(changes.rows.first?.conflicts.map(\.value?.text) == ["late"])
            let gap = await failure { () throws(RPCError) in
                try await board.diaries.pushDiaryMutations(
                    PBPushDiaryMutationsRequest(deviceID: Self.device, mutations: [mutation(9, 2, 9, .create(entry(2, "x")))]),
                    options: member.options)
            }
            #expect(gap?.code == .failedPrecondition)
            #expect(gap?.errorInfo?.metadata == ["last_mutation": "3"])
        }
    }

    @Test("no log line, no error and no search ever shows a word of a diary, whatever goes wrong")
    func privacy() async throws {
        let canary = "kanarienvogel"
        let lines = Lines()
        var logger = Logger(label: "test") { _ in RecordingLog(lines: lines) }
        logger.logLevel = .trace
        var told: [String] = []
        try await TestBoard.with(logger: logger) { board in
            let owner = try await board.enter("minji"), other = try await board.enter("jisoo")
            let note: (RPCError?) -> Void = { error in
                told.append("\(error?.message ?? "no error") \(error?.details.map { String(decoding: $0.value, as: UTF8.self) } ?? [])")
            }
            _ = try await board.diaries.registerDiaryDevice(
                PBRegisterDiaryDeviceRequest(deviceID: Self.device, name: canary), options: owner.options)
            _ = try await board.diaries.createDiaryEntry(
                PBCreateDiaryEntryRequest(entry: entry(1, "my \(canary)", emotion: canary)), options: owner.options)
            // An existing id, a text and an emotion that break rules, a long text, a mutation without a base, an etag, a query.
            for bad in [
                entry(1, "other \(canary)"), entry(2, "\(canary)\u{1B}"), entry(3, "", emotion: "\(canary)1"),
                entry(4, String(repeating: canary, count: 1_000))
            ] {
                note(await failure { () throws(RPCError) in
                    try await board.diaries.createDiaryEntry(PBCreateDiaryEntryRequest(entry: bad), options: owner.options)
                })
            }
            note(await failure { () throws(RPCError) in
                try await board.diaries.pushDiaryMutations(
                    PBPushDiaryMutationsRequest(
                        deviceID: Self.device,
                            mutations: [
                                mutation(
                                    1, 5, 5, .patch(PBDiaryPatch(entry: entry(5, canary), updateMask: Google_Protobuf_FieldMask(paths: [canary]))))
                            ]),
                    options: owner.options)
            })
            note(await failure { () throws(RPCError) in
                try await board.diaries.listDiaryEntries(
                    PBListDiaryEntriesRequest(query: String(repeating: canary, count: 20)), options: owner.options)
            })
            note(await failure { () throws(RPCError) in
                try await board.diaries.getDiaryEntry(PBGetDiaryEntryRequest(id: canary), options: owner.options)
            })
            // Somebody else asks for everything.
            note(await failure { () throws(RPCError) in
                try await board.diaries.getDiaryEntry(PBGetDiaryEntryRequest(id: id(1)), options: other.options)
            })
            #expect(try await board.diaries.listDiaryEntries(PBListDiaryEntriesRequest(query: canary), options: other.options).entries.isEmpty)
            #expect(try await board.diaries.listDiaryDevices(PBListDiaryDevicesRequest(), options: other.options).devices.isEmpty)
            #expect(try await board.profiles.searchProfiles(PBSearchProfilesRequest(query: "kan"), options: other.options).users.isEmpty)
            #expect(told.count == 8)
            #expect(!told.contains { $0.hasPrefix("no error") })
        }
        let all = lines.all + told
        #expect(lines.all.count > 10)
        #expect(!all.contains { $0.contains(canary) }, "\(all.filter { $0.contains(canary) })")
    }
}

extension RPCError {
    fileprivate var errorInfo: Google_Rpc_ErrorInfo? {
        details.first { $0.typeURL.hasSuffix("google.rpc.ErrorInfo") }.flatMap { try? Google_Rpc_ErrorInfo(serializedBytes: $0.value) }
    }
}

/// Everything that was logged, with its metadata.
private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func append(_ line: String) { lines.withLock { $0.append(line) } }
}

private struct RecordingLog: LogHandler {
    let lines: Lines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.append("\(event.level) \(event.message) \(metadata) \(event.metadata ?? [:])") }
}
