import ArgumentParser
import Glibc

/// Measures the streams alone, with a running server, for `Benchmarks/run`: one line of JSON for each.
struct Streams: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measure one-way streams of a server that `serve` has started.")

    @Option(help: "Path of the server's socket.")
    var socket: String

    @Option(help: "Messages of 64 bytes in one run; larger ones are fewer.")
    var messages = 1_000_000

    func run() async throws {
        for byteCount in [64, 4096] {
            for direction in StreamWorkload.Direction.allCases {
                let workload = StreamWorkload(direction: direction, byteCount: byteCount)
                let count = messages * 64 / max(64, byteCount / 4)
                // Warm-up.
                _ = try await workload.run(socket: socket, count: count / 10)
                let rate = try await workload.run(socket: socket, count: count)
                print("{\"direction\":\"\(direction.rawValue)\",\"bytes\":\(byteCount),\"messages_per_second\":\(Int(rate))}")
            }
        }
        // A line end does not flush a pipe.
        fflush(nil)
    }
}
