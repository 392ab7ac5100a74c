import Logging
import PulseBoardDomain
import PulseBoardMessages
import RPCClient
import RPCCore
import RPCServer
import SocketTransport
import Synchronization
import Testing

@testable import PulseBoardDiary

/// The client beside a server that answers what a test says.
@Suite("The diary's client")
struct DiaryClientTests {
    @Test("a watch tells of its first page and of every change, and of no page that only says that the watch lives")
    func heartbeats() async throws {
        func page(_ cursor: String, _ mutation: Int64, rows: Int = 0) -> PBDiaryChanges {
            PBDiaryChanges(rows: (0..<rows).map { _ in PBDiaryRow() }, nextCursor: cursor, complete: true, lastMutation: mutation)
        }
        let pages = [
            page("a", 1), page("a", 1),  // the first, and a heartbeat
            page("b", 1), page("b", 1),  // another place
            page("b", 2), page("b", 2),  // an own edit
            page("b", 2, rows: 1), page("b", 2),  // a row
        ]
        var router = Router()
        router.registerServerStreaming(PBDiaryService.Methods.watchDiary) { _, writer, _ in
            for page in pages { try await writer.write(page) }
        }
        let told = Mutex(0)
        try await withClient(router) { client in
            await #expect(throws: DiaryError.unavailable(detail: "the server has ended the watch")) {
                try await client.watch(after: "", for: .random(using: SystemRandomSource())) { () throws(DiaryError) in told.withLock { $0 += 1 } }
            }
        }
        #expect(told.withLock { $0 } == 4)
    }

    @Test("on a slow line, a push that was not complete in time is sent in smaller ones, and its answer is that of one push")
    func slowLine() async throws {
        let sizes = Mutex<[Int]>([])
        var router = Router()
        router.register(PBDiaryService.Methods.pushDiaryMutations) { request, _ throws(RPCError) in
            sizes.withLock { $0.append(request.mutations.count) }
            guard request.mutations.count <= 40 else { throw RPCError(.deadlineExceeded, "the request was not complete in time") }
            let first = request.mutations.first?.number ?? 0, last = request.mutations.last?.number ?? 0
            return PBPushDiaryMutationsResponse(
                results: request.mutations.map { PBMutationResult(number: $0.number, outcome: .applied) },
                previousCursor: "\(first - 1)", nextCursor: "\(last)")
        }
        let edits = edits(100, of: 1000)
        try await withClient(router) { client in
            let reply = try await client.push(edits, confirmed: 0, from: .random(using: SystemRandomSource()))
            #expect(reply.results.map(\.number) == edits.map(\.number))
            #expect(reply.span == DiaryPushReply.Span(before: "0", after: "100"))
        }
        let sent = sizes.withLock { $0 }
        #expect(sent.prefix(2) == [100, 25])
        #expect(sent.filter { $0 <= 40 }.reduce(0, +) == 100)
    }

    @Test("one edit that was not complete in time is not sent again, and neither is a push that failed at once for another reason")
    func noSmallerPush() async throws {
        let calls = Mutex(0)
        for (count, code) in [(1, StatusCode.deadlineExceeded), (100, .unavailable)] {
            var router = Router()
            router.register(PBDiaryService.Methods.pushDiaryMutations) { _, _ throws(RPCError) in
                calls.withLock { $0 += 1 }
                throw RPCError(code, "no")
            }
            let edits = edits(count, of: 10_000)
            try await withClient(router) { client in
                await #expect(throws: DiaryError.unavailable(detail: "no")) {
                    try await client.push(edits, confirmed: 0, from: .random(using: SystemRandomSource()))
                }
            }
        }
        #expect(calls.withLock { $0 } == 2)
    }

    @Test("a picture that does not arrive in time holds only its entries, as one that the server does not take now")
    func slowPicture() async throws {
        var router = Router()
        router.registerClientStreaming(PBDiaryService.Methods.uploadDiaryImage) { _, _ throws(RPCError) in
            throw RPCError(.deadlineExceeded, "too slow")
        }
        let bytes = [UInt8](repeating: 7, count: 100_000)
        let image = DiaryImage(hash: try #require(DiaryImageHash(of: bytes)), contentType: "image/png", byteCount: bytes.count)
        try await withClient(router) { client in
            await #expect(throws: DiaryError.pictureNotTaken(reason: "IMAGE_TOO_SLOW")) { try await client.upload(image, bytes) }
        }
    }

    /// New entries, each with a text of so many characters.
    private func edits(_ count: Int, of characters: Int) -> [NumberedDiaryMutation] {
        (1...Int64(count)).map { number in
            let stamp = DiaryStamp(time: number, device: .random(using: SystemRandomSource()))
            let kind = DiaryMutation.Kind.create(content(String(repeating: "r", count: characters)))
            return NumberedDiaryMutation(
                number: number, mutation: DiaryMutation(entryID: .random(using: SystemRandomSource()), stamp: stamp, kind: kind))
        }
    }

    /// Runs with a client of a server with these methods.
    private func withClient(_ router: Router, _ body: (DiaryClient) async throws -> Void) async throws {
        let server = try Server(Server.Configuration(loopCount: 1), router: router, logger: Logger(label: "test"))
        let socket = InProcessSocket()
        server.start(on: socket)
        try await withChannel(Channel.Configuration(target: .inProcess(socket))) { channel in
            try await body(DiaryClient(channel: channel, user: .random(using: SystemRandomSource())) { CallOptions() })
        }
        await server.shutdown(gracePeriod: .zero)
    }
}
