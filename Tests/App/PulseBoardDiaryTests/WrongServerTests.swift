import Logging
import ProtobufWellKnownTypes
import PulseBoardDiary
import PulseBoardDomain
import PulseBoardMessages
import RPCClient
import RPCCore
import RPCServer
import SocketTransport
import Synchronization
import Testing

/// A server that is broken or hostile, over a socket. What it says must not harm the diary of a device.
@Suite("A diary whose server answers wrongly") struct WrongServerTests {
    private static let device = "00000000-0000-4000-8000-00000000000d"

    /// Runs `body` with a diary whose server answers each pull with `page`.
    private func with(
        _ page: @escaping @Sendable (PBPullDiaryChangesRequest) -> PBDiaryChanges, _ body: (DiaryFile, CombinedDiaryRepository) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        var router = Router()
        router.register(PBDiaryService.Methods.registerDiaryDevice) { request, _ in PBDiaryDevice(id: request.deviceID) }
        router.register(PBDiaryService.Methods.pullDiaryChanges) { request, _ in page(request) }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let server = try Server(Server.Configuration(loopCount: 1), router: router, interceptors: [], logger: logger)
        server.start(on: try ListeningSocket(path: directory.path + "/s"))
        let channel = try Channel(Channel.Configuration(socketPath: directory.path + "/s"))
        let user = UserID(bits: UUIDBits(high: 1, low: 1))
        let file = try directory.diary("here")
        let result: Result<Void, any Error>
        do {
            try await file.attach(to: user)
            try await body(file, CombinedDiaryRepository(file, server: DiaryClient(channel: channel, user: user) { CallOptions() }))
            result = .success(())
        } catch { result = .failure(error) }
        await channel.close()
        await server.shutdown(gracePeriod: .zero)
        try result.get()
    }

    private static func row(
        text: String = "x", emotion: String = "calm", stamp: Int64 = 5, createTime: Int64 = 5, conflict: PBDiaryConflict? = nil
    ) -> PBDiaryRow {
        let stamp = PBDiaryStamp(time: stamp, deviceID: device)
        return PBDiaryRow(
            entryID: entryID(1).description,
            entry: PBDiaryEntry(entryTime: Google_Protobuf_Timestamp(seconds: 7, nanos: 0), emotion: emotion, text: text),
            stamps: ["entry_time", "emotion", "text"].map { PBDiaryFieldStamp(field: $0, stamp: stamp) }, createTime: createTime,
            conflicts: conflict.map { [$0] } ?? [])
    }

    private static let late = PBDiaryConflict(
        field: "text", stamp: PBDiaryStamp(time: .min, deviceID: device), value: PBDiaryEntry(text: "late"))

    @Test(
        "a row that breaks a rule of edits is not understood, and nothing is stored; a correct one is taken later",
        arguments: [
            row(stamp: .min), row(stamp: -5), row(stamp: .max), row(createTime: .min), row(createTime: .max), row(emotion: "NO"),
            row(text: String(repeating: "x", count: 10_001)), row(text: "\u{1B}[2J"), row(text: "e\u{301}"), row(conflict: late),
        ])
    func wrongRow(_ wrong: PBDiaryRow) async throws {
        let isCorrect = Mutex(false)
        try await with { _ in
            PBDiaryChanges(rows: [isCorrect.withLock { $0 } ? Self.row() : wrong], nextCursor: "a", complete: true)
        } _: { file, diary in
            await #expect(throws: DiaryError.answerNotUnderstood) { try await diary.synchronize() }
            #expect(try await file.texts() == [])
            isCorrect.withLock { $0 = true }
            try await diary.synchronize()
            #expect(try await file.texts() == ["x"])
        }
    }

    @Test("a number that no edit has is not understood", arguments: [Int64.max, -1])
    func wrongNumber(_ number: Int64) async throws {
        try await with { _ in
            PBDiaryChanges(rows: [Self.row()], nextCursor: "a", complete: true, lastMutation: number)
        } _: { file, diary in
            await #expect(throws: DiaryError.answerNotUnderstood) { try await diary.synchronize() }
            let texts = try await file.texts()
            #expect(texts == [])
        }
    }

    @Test("a page that is not complete and has no other cursor is not read for ever", arguments: ["", "a"])
    func samePage(_ cursor: String) async throws {
        let pulls = Mutex(0)
        try await with { _ in
            let isOver = pulls.withLock { pulls in
                pulls += 1
                return pulls > 100
            }
            return PBDiaryChanges(rows: [Self.row()], nextCursor: cursor, complete: isOver)
        } _: { file, diary in
            await #expect(throws: DiaryError.answerNotUnderstood) { try await diary.synchronize() }
            #expect(pulls.withLock { $0 } <= 2)
            let texts = try await file.texts()
            #expect(texts == [])
        }
    }
}
