import ProtobufWellKnownTypes
import RPCClient
import RPCCore
import SocketTransport

/// One stream in one direction: the messages a second.
struct StreamWorkload: Sendable {
    /// Which side writes.
    enum Direction: String, Sendable, CaseIterable {
        case download, upload
    }

    let direction: Direction
    let byteCount: Int

    /// Sends `count` messages. Returns messages a second.
    func run(socket: String, count: Int) async throws -> Double {
        let channel = try Channel(socketPath: socket)
        let start = MonotonicClock.now()
        let message = [UInt8](repeating: 0x2A, count: byteCount)
        switch direction {
        case .download:
            let number = (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
            var received = 0
            for try await _ in channel.serverStream(
                EchoService.download, Google_Protobuf_BytesValue(value: number + message), options: CallOptions())
            {
                received += 1
            }
            precondition(received == count, "messages were lost")
        case .upload:
            let stream = channel.clientStream(EchoService.upload, options: CallOptions())
            let request = Google_Protobuf_BytesValue(value: message)
            for _ in 0..<count { try await stream.write(request) }
            _ = try await stream.finish()
        }
        let seconds = Double(MonotonicClock.now() - start) / 1e9
        await channel.close()
        return Double(count) / seconds
    }
}
