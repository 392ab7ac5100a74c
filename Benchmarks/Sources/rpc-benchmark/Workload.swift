import ProtobufWellKnownTypes
import RPCClient
import RPCCore
import SocketTransport

/// One mix of connections, calls in flight and message size.
struct Workload: Sendable {
    let connections: Int
    let inFlight: Int
    let byteCount: Int
    let isSynchronous: Bool

    var name: String { "\(connections)×\(inFlight)" }

    /// The results of one run of a workload.
    struct Measurement: Sendable {
        let callsPerSecond: Double
        /// Microseconds.
        let median: Double
        /// Microseconds.
        let percentile99: Double
    }

    /// Makes `calls` calls and checks every answer.
    func run(socket: String, calls: Int) async throws -> Measurement {
        let method = isSynchronous ? EchoService.synchronous : EchoService.asynchronous
        let request = Google_Protobuf_BytesValue(value: [UInt8](repeating: 0x2A, count: byteCount))
        let perWorker = max(1, calls / (connections * inFlight))
        var channels: [Channel] = []
        for _ in 0..<connections { channels.append(try Channel(socketPath: socket)) }
        let start = MonotonicClock.now()
        var latencies = try await withThrowingTaskGroup(of: [Int64].self) { group in
            for channel in channels {
                for _ in 0..<inFlight {
                    group.addTask(executorPreference: channel.executor) {
                        var latencies: [Int64] = []
                        latencies.reserveCapacity(perWorker)
                        for _ in 0..<perWorker {
                            let sent = MonotonicClock.now()
                            let answer = try await channel.unary(method, request, options: CallOptions())
                            latencies.append(MonotonicClock.now() - sent)
                            guard answer == request else { throw RPCError(.dataLoss, "the echo differs from the call") }
                        }
                        return latencies
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let seconds = Double(MonotonicClock.now() - start) / 1e9
        for channel in channels { await channel.close() }
        latencies.sort()
        return Measurement(
            callsPerSecond: Double(latencies.count) / seconds, median: Double(latencies[latencies.count / 2]) / 1e3,
            percentile99: Double(latencies[latencies.count * 99 / 100]) / 1e3)
    }
}
