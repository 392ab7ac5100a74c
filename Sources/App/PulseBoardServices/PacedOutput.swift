import PulseBoardDomain

/// Where the parts of a long answer go, such as pages of a diary or parts of a picture. Its reader may be slow, or may have stopped.
///
///     actor CollectedBytes: PacedOutput {
///         private(set) var bytes: [UInt8] = []
///         var isReady: Bool { true }
///         func waitUntilReady() {}
///         func handOver(_ part: [UInt8]) { bytes += part }
///     }
public protocol PacedOutput<Part> {
    associatedtype Part: Sendable

    /// Whether the reader has room for a part.
    var isReady: Bool { get async }

    /// Waits until ``isReady``, or until nothing more can be sent.
    /// - Throws: when the reader is gone.
    func waitUntilReady() async throws

    /// Takes a part, and does not wait for the reader. What the reader has no room for counts as memory of the reader's connection.
    func handOver(_ part: Part) async throws
}

extension UserPlaces {
    /// Takes a place for the next part of an output, when the output has room for it. So a reader who has stopped holds no place, and the user's
    /// other calls do not wait for it. Keep the place until the part is handed over.
    /// - Throws: `cancelled`, and what the output throws.
    func take(_ user: UserID, for output: some PacedOutput) async throws -> Place {
        while true {
            try await output.waitUntilReady()
            let place = try await take(user)
            // Other parts may have used the room while this one waited for its place.
            if await output.isReady { return place }
        }
    }
}

/// The limits of the parts that one user's long answers have in memory.
///
/// A reader who has stopped keeps one part, and no place for making one. So the user's other calls do not wait for that reader.
struct PacedParts: Sendable {
    /// Parts that are being made.
    let made: UserPlaces
    /// Parts that their readers have not taken yet.
    let unread: UserPlaces

    /// Makes a part when the output has room for it and hands it over. Returns when the reader has taken it.
    /// - Parameter make: makes the part; `nil` if there is none.
    /// - Throws: `cancelled`, and what `make` and the output throw.
    func send<Output: PacedOutput>(to output: Output, of user: UserID, _ make: () async throws -> Output.Part?) async throws {
        let unread = try await unread.take(user, for: output)
        defer { withExtendedLifetime(unread) {} }
        do {
            let place = try await made.take(user, for: output)
            defer { withExtendedLifetime(place) {} }
            guard let part = try await make() else { return }
            try await output.handOver(part)
        }
        try await output.waitUntilReady()
    }
}
