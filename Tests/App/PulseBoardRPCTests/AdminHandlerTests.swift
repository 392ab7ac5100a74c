import Dispatch
import Foundation
import Logging
import PulseBoardDomain
import PulseBoardMessages
import PulseBoardRPC
import RPCClient
import RPCCore
import RPCServer
import SocketTransport
import Testing

/// `AdminService` over a socket, with reports of the test.
@Suite("Administration", .timeLimit(.minutes(2)))
struct AdminHandlerTests {
    @Test("a disk that hangs delays reports and no other call, and the number of waiting reports is limited")
    func hangingDisk() async throws {
        let disk = HangingDisk()
        let (drains, drain) = AsyncStream<Duration>.makeStream()
        let handler = AdminHandler(
            administers: { _ in true }, gracePeriod: { .seconds(7) },
            summary: { ServerSummary(version: "1", pid: 42, store: "none", connections: 3, runningCalls: 18, methods: [:]) },
            report: { summary in
                disk.wait()
                return ServerReport(
                    summary, startTime: Timestamp(microseconds: 0), uptime: .zero, isDraining: false, socket: "", isSocketHandedOver: false,
                    storeStatus: nil, caches: [])
            },
            drain: { drain.yield($0) }, setLogLevel: { _ in .info })
        try await Self.serve(handler) { admin in
            await withTaskGroup(of: StatusCode.self) { group in
                for number in 0...AdminHandler.mostReports {
                    group.addTask {
                        do throws(RPCError) {
                            if number % 2 == 0 {
                                _ = try await admin.getServerInfo(PBGetServerInfoRequest())
                            } else {
                                _ = try await admin.getMetrics(PBGetMetricsRequest())
                            }
                            return .ok
                        } catch {
                            return error.code
                        }
                    }
                }
                let first = await group.next()
                #expect(first == .resourceExhausted)
                // The server has one event loop. It answers this call while all the others wait.
                let answer = try? await admin.drain(PBDrainRequest())
                #expect(answer?.pid == 42 && answer?.connections == 3 && answer?.runningCalls == 17)
                disk.mend()
                for await code in group { #expect(code == .ok) }
            }
            let info = try await admin.getServerInfo(PBGetServerInfoRequest())
            #expect(info.pid == 42 && info.store == "none" && info.runningCalls == 17)
        }
        drain.finish()
        var periods: [Duration] = []
        for await period in drains { periods.append(period) }
        #expect(periods == [.seconds(7)])
    }

    /// Runs `body` with a client of the handler.
    private static func serve(_ handler: AdminHandler, _ body: (PBAdminServiceClient) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.path + "/pb-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let server = try Server(Server.Configuration(loopCount: 1), services: [handler], logger: logger)
        server.start(on: try ListeningSocket(path: directory + "/s"))
        let channel = try Channel(socketPath: directory + "/s")
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(PBAdminServiceClient(channel: channel)))
        } catch {
            result = .failure(error)
        }
        await channel.close()
        await server.shutdown(gracePeriod: .zero)
        try result.get()
    }
}

/// A disk that hangs until it is mended.
private final class HangingDisk: Sendable {
    private let isMended = DispatchSemaphore(value: 0)

    func wait() {
        isMended.wait()
        // For the next one who waits.
        isMended.signal()
    }

    func mend() { isMended.signal() }
}
