import PulseBoardDomain

/// What a directory needs of a server to synchronize with it. ``DiaryClient`` is the implementation over a channel.
public protocol DiaryServer: Sendable {
    /// The owner of the diary. A directory of another account sends it nothing.
    var user: UserID { get }

    /// Registers a device, or renames it.
    func register(_ device: DiaryDeviceID, name: String) async throws(DiaryError)

    /// Sends edits.
    func push(_ mutations: [NumberedDiaryMutation], confirmed: Int64, from device: DiaryDeviceID) async throws(DiaryError) -> DiaryPushReply

    /// Reads a page of changes after a cursor. An empty cursor begins with the first change. A page that is not complete has another cursor.
    func pull(after cursor: String, for device: DiaryDeviceID) async throws(DiaryError) -> DiaryReadPage

    /// Performs a call to this server, and work on the directory that the call does not depend on. Both are done when it returns.
    ///
    /// By default they run at the same time. A server whose calls must have a fixed order may perform one after the other.
    /// - Returns: the answer of the call.
    func overlap<Answer: Sendable>(
        _ call: @escaping @Sendable () async -> Result<Answer, DiaryError>, with work: () async -> Void
    ) async -> Result<Answer, DiaryError>

    /// Returns which of these pictures the server does not have.
    func missingImages(_ hashes: [DiaryImageHash]) async throws(DiaryError) -> [DiaryImageHash]

    /// Sends a picture's bytes.
    /// - Throws: `pictureNotTaken` if the server answers but cannot take it now, or if the picture does not arrive in time.
    func upload(_ image: DiaryImage, _ bytes: [UInt8]) async throws(DiaryError)

    /// Reads a picture's bytes, and checks that they are the picture.
    /// - Throws: `diary(.imageNotFound)`.
    func download(_ image: DiaryImage) async throws(DiaryError) -> [UInt8]

    /// Calls `changed` at once, and then whenever there may be changes after the cursor. It ends only by throwing.
    func watch(
        after cursor: String, for device: DiaryDeviceID, _ changed: @Sendable () async throws(DiaryError) -> Void
    ) async throws(DiaryError)
}

extension DiaryServer {
    public func overlap<Answer: Sendable>(
        _ call: @escaping @Sendable () async -> Result<Answer, DiaryError>, with work: () async -> Void
    ) async -> Result<Answer, DiaryError> {
        async let answer = call()
        await work()
        return await answer
    }
}

/// A server's answer to sent edits.
public struct DiaryPushReply: Hashable, Sendable {
    /// A result for each edit, in their order.
    public let results: [DiaryMutationResult]
    /// The cursors before and after the edits; `nil` if the server does not say that there is nothing else between them.
    public let span: Span?

    public init(results: [DiaryMutationResult], span: Span? = nil) {
        self.results = results
        self.span = span
    }

    /// Two cursors between which there are only the edits of one push.
    public struct Span: Hashable, Sendable {
        /// The cursor that a complete page would have had before the edits.
        public let before: String
        /// The cursor after the edits.
        public let after: String

        public init(before: String, after: String) {
            self.before = before
            self.after = after
        }
    }

    /// The answer to two pushes, one directly after the other.
    func followed(by next: DiaryPushReply) -> DiaryPushReply {
        var both: Span?
        // Otherwise another device has written between them.
        if let span, let other = next.span, span.after == other.before { both = Span(before: span.before, after: other.after) }
        return DiaryPushReply(results: results + next.results, span: both)
    }
}

/// A page of changes from a server.
public struct DiaryReadPage: Hashable, Sendable {
    public let rows: [DiaryRowChange]
    /// The cursor after this page.
    public let nextCursor: String
    /// Whether this is the last page.
    public let isComplete: Bool
    /// The number of the device's last edit that the rows contain.
    public let lastMutation: Int64

    public init(rows: [DiaryRowChange], nextCursor: String, isComplete: Bool, lastMutation: Int64) {
        self.rows = rows
        self.nextCursor = nextCursor
        self.isComplete = isComplete
        self.lastMutation = lastMutation
    }
}
