import RPCCore

extension MessageWriter {
    /// Writes the updates of a service, one message after the other, until the service ends them. The next update is not made until its message can
    /// be written.
    func write<Updates: AsyncSequence>(each updates: Updates, as response: (Updates.Element) -> Element) async throws {
        var iterator = updates.makeAsyncIterator()
        while let update = try await iterator.next(isolation: nil) { try await write(response(update)) }
    }
}
