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
        let server = try Server(Server.Configuration(loopCount: 1), router: router, logger: Logger(label: "test"))
        let socket = InProcessSocket()
        server.start(on: socket)
        let told = Mutex(0)
        try await withChannel(Channel.Configuration(target: .inProcess(socket))) { channel in
            let client = DiaryClient(channel: channel, user: .random(using: SystemRandomSource())) { CallOptions() }
            await #expect(throws: DiaryError.unavailable(detail: "the server has ended the watch")) {
                try await client.watch(after: "", for: .random(using: SystemRandomSource())) { () throws(DiaryError) in told.withLock { $0 += 1 } }
            }
        }
        await server.shutdown(gracePeriod: .zero)
        #expect(told.withLock { $0 } == 4)
    }
}
