import RPCCore

extension MessageWriter {
    /// Writes a service's updates, each as a message, until they end. The next update is not made until the stream can take its message.
    func write<Updates: AsyncSequence>(each updates: Updates, as response: (Updates.Element) -> Element) async throws {
        var iterator = updates.makeAsyncIterator()
        while let update = try await iterator.next(isolation: nil) { try await write(response(update)) }
    }
}
