import ArgumentParser
import Foundation
import RPCClient
import SocketTransport

/// Measures the whole table.
struct Measure: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Start an echo server and measure every workload (default).")

    @Option(help: "Runs of each workload; the median is printed.")
    var runs = 5

    @Option(help: "Calls in one run, about.")
    var calls = 100_000

    func run() async throws {
        let directory = NSTemporaryDirectory() + "rpc-benchmark-\(getpid())"
        let socket = directory + "/echo.sock"
        let server = Process()
        server.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        server.arguments = ["serve", "--socket", socket]
        let input = Pipe()
        let output = Pipe()
        server.standardInput = input
        server.standardOutput = output
        try server.run()
        defer {
            try? input.fileHandleForWriting.close()
            server.waitUntilExit()
            try? FileManager.default.removeItem(atPath: directory)
        }
        // The line "ready".
        _ = output.fileHandleForReading.availableData

        print("CONN×CALLS   BYTES  HANDLER          CALLS/S   P50 µs   P99 µs   (medians of \(runs) runs)")
        for byteCount in [64, 4096, 262_144] {
            for (connections, inFlight) in [(1, 1), (1, 64), (16, 1), (16, 16)] {
                for isSynchronous in [true, false] {
                    let workload = Workload(
                        connections: connections, inFlight: inFlight, byteCount: byteCount, isSynchronous: isSynchronous)
                    try await report(workload, socket)
                }
            }
        }
        print("STREAM        BYTES  MESSAGES/S, one stream, one way")
        for byteCount in [64, 4096] {
            for direction in StreamWorkload.Direction.allCases { try await report(direction, byteCount, socket) }
        }
    }

    private func report(_ direction: StreamWorkload.Direction, _ byteCount: Int, _ socket: String) async throws {
        let workload = StreamWorkload(direction: direction, byteCount: byteCount)
        let count = calls * 10 * 64 / max(64, byteCount / 4)
        _ = try await workload.run(socket: socket, count: count / 10)
        var measured: [Double] = []
        for _ in 0..<runs { measured.append(try await workload.run(socket: socket, count: count)) }
        print(
            String(
                format: "%-12@  %6d  %10.0f", direction.rawValue as NSString, byteCount, measured.sorted()[measured.count / 2]))
        fflush(nil)
    }

    private func report(_ workload: Workload, _ socket: String) async throws {
        let calls = max(200, calls * 64 / max(64, workload.byteCount / 16))
        // Warm-up.
        _ = try await workload.run(socket: socket, calls: calls / 10)
        var measured: [Workload.Measurement] = []
        for _ in 0..<runs { measured.append(try await workload.run(socket: socket, calls: calls)) }
        func median(_ value: (Workload.Measurement) -> Double) -> Double { measured.map(value).sorted()[measured.count / 2] }
        let kind = workload.isSynchronous ? "synchronous" : "async"
        defer { fflush(nil) }
        print(
            String(
                format: "%10@  %6d  %-12@  %10.0f  %7.1f  %7.1f", workload.name as NSString, workload.byteCount, kind as NSString,
                median(\.callsPerSecond), median(\.median), median(\.percentile99)))
    }
}
