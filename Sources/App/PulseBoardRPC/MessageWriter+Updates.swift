import RPCCore

extension MessageWriter {
    /// Writes what a service has to tell, one message after the other, until the service ends it; one that cannot be written yet
    /// holds the next one back where it is made.
    func write<Updates: AsyncSequence>(each updates: Updates, as response: (Updates.Element) -> Element) async throws {
        var iterator = updates.makeAsyncIterator()
        while let update = try await iterator.next(isolation: nil) { try await write(response(update)) }
    }
}
