import PulseBoardDomain
import Synchronization

/// Refuses an upload by the number of bytes that its header announces, before the first of them.
/// - Throws: `invalid` for the field `size_bytes`.
func requireSize(_ byteCount: Int64, limit: Int) throws(RepositoryError) {
    guard byteCount > 0 else { throw .invalid("size_bytes", .imageEmpty) }
    guard byteCount <= limit else { throw .invalid("size_bytes", .imageTooLarge, limit: limit) }
}

/// What the header of an upload announces.
public struct UploadHeader: Hashable, Sendable {
    /// How many bytes will come.
    public let byteCount: Int64
    /// The SHA-256 of the bytes; empty for none.
    public let sha256: [UInt8]

    public init(byteCount: Int64, sha256: [UInt8]) {
        self.byteCount = byteCount
        self.sha256 = sha256
    }
}

extension ImageUpload {
    /// Receives the header and the bytes of an upload.
    ///
    /// - Parameters:
    ///   - header: waits for the header. This time counts as one without bytes.
    ///   - limit: maximum bytes that the header may announce.
    ///   - place: the place of this upload.
    ///   - timer: measures ``ImageLimits/uploadInterval``.
    /// - Throws: `invalid` for a number of bytes that no picture may have; `hashMismatch` for a wrong hash or number of bytes; `tooSlow` for a header
    ///   or bytes that do not come in time; `busy` if the place was given to another upload; `tooLarge`, `unavailable`; and what `header` and
    ///   `chunks` throw.
    func receive<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks, announcedBy header: @escaping @Sendable () async throws -> UploadHeader, limit: Int, in place: UploadPlace,
        timer: any Clock<Duration>
    ) async throws -> UploadHeader where Chunks.Element == [UInt8] {
        let received = try await withThrowingTaskGroup(of: UploadHeader?.self) { group in
            group.addTask {
                let header = try await self.header(header, limit, place)
                try await self.receive(chunks, header.byteCount, header.sha256, place)
                return header
            }
            group.addTask {
                try await place.requireProgress(timer)
                return nil
            }
            group.addTask {
                try await place.waitUntilLost()
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        // The other two tasks only throw.
        guard let received else { throw ImageRefusal.busy }
        place.hasReceivedAll()
        return received
    }

    private func header(
        _ header: @Sendable () async throws -> UploadHeader, _ limit: Int, _ place: UploadPlace
    ) async throws -> UploadHeader {
        do {
            let header = try await header()
            try requireSize(header.byteCount, limit: limit)
            return header
        } catch let error as RepositoryError {
            place.wasRefused()
            throw error
        }
    }

    private func receive<Chunks: AsyncSequence>(
        _ chunks: Chunks, _ byteCount: Int64, _ sha256: [UInt8], _ place: UploadPlace
    ) async throws where Chunks.Element == [UInt8] {
        var received: Int64 = 0
        for try await chunk in chunks {
            received += Int64(chunk.count)
            guard received <= byteCount else { throw ImageRefusal.hashMismatch }
            place.hasReceived(chunk.count)
            try await append(chunk)
        }
        guard received == byteCount else { throw ImageRefusal.hashMismatch }
        if !sha256.isEmpty, await self.sha256 != sha256 { throw ImageRefusal.hashMismatch }
    }
}

/// The place of one upload, and what has come of it.
final class UploadPlace: Sendable {
    let user: UserID
    private let beginTime: Timestamp
    /// How long it keeps its place, however slow it is.
    private let headStart: Timestamp.Interval
    private let receivedCount = Atomic<Int64>(0)
    private let isReceiving = Atomic(true)
    private let isRefused = Atomic(false)
    private let isGivenAway = Atomic(false)
    /// Ends when the place is lost.
    private let untilLost: AsyncStream<Void>
    private let loss: AsyncStream<Void>.Continuation

    init(_ user: UserID, at time: Timestamp, headStart: Timestamp.Interval) {
        self.user = user
        self.headStart = headStart
        beginTime = time
        (untilLost, loss) = AsyncStream<Void>.makeStream()
    }

    func hasReceived(_ byteCount: Int) { receivedCount.add(Int64(byteCount), ordering: .relaxed) }

    /// The header was wrong. That says nothing about how fast the user sends.
    func wasRefused() { isRefused.store(true, ordering: .relaxed) }

    /// A wrong header that comes this soon takes no place from others.
    private static let promptly = Timestamp.Interval.seconds(1)

    /// Whether the user has begun an upload and not completed it.
    func isUnfinished(at now: Timestamp) -> Bool {
        let isForgiven = isRefused.load(ordering: .relaxed) && now < beginTime.advanced(by: Self.promptly)
        return !isComplete && !isForgiven
    }

    /// From now on the upload keeps its place: it only waits for the server.
    func hasReceivedAll() { isReceiving.store(false, ordering: .relaxed) }

    /// Whether everything has come.
    var isComplete: Bool { !isReceiving.load(ordering: .relaxed) }

    /// Whether another upload has the place, and this one is about to end.
    var isLost: Bool { isGivenAway.load(ordering: .relaxed) }

    /// Ends the upload, because another one has its place.
    func lose() {
        isGivenAway.store(true, ordering: .relaxed)
        loss.finish()
    }

    /// Throws `busy` once another upload has the place.
    func waitUntilLost() async throws {
        for await _ in untilLost {}
        try Task.checkCancellation()
        throw ImageRefusal.busy
    }

    /// Throws `tooSlow` after the first interval in which too little came.
    func requireProgress(_ timer: any Clock<Duration>) async throws {
        var counted: Int64 = 0
        while true {
            try await timer.sleep(for: ImageLimits.uploadInterval)
            let received = receivedCount.load(ordering: .relaxed)
            guard received - counted >= ImageLimits.uploadProgress else { throw ImageRefusal.tooSlow }
            counted = received
        }
    }

    /// Bytes a second up to now; nil while the upload may not lose its place.
    func rate(at now: Timestamp) -> Double? {
        let age = now.microseconds - beginTime.microseconds
        guard !isComplete, !isLost, age >= headStart.microseconds else { return nil }
        return Double(receivedCount.load(ordering: .relaxed)) * 1e6 / Double(max(1, age))
    }
}

/// The users who are uploading now, for a profile or a diary. One upload at a time limits a user's memory, disk space and decoding. The program
/// decodes two pictures at a time, so a user must never have two.
///
/// All users together have a limit too. An upload has an open file from its beginning on, and the store needs descriptors as well. At the limit, a
/// new upload takes the place of the slowest one that is older than ``ImageLimits/uploadHeadStart``. Otherwise users who send a byte now and then
/// could keep everybody else out. A user whose last upload did not complete has no head start. Otherwise such users could begin again and again.
final class UploadingUsers: Sendable {
    /// Maximum users whose unfinished uploads are remembered.
    private static let remembered = 4_096
    /// How long they are remembered.
    private static let memory = Timestamp.Interval.seconds(600)

    private struct State {
        var places: [UserID: UploadPlace] = [:]
        /// When the last upload of a user ended without all of its bytes.
        var unfinished = ClockCache<UserID, Timestamp>(capacity: UploadingUsers.remembered)
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: maximum users who upload at once (``ServicesConfiguration/uploadsAtOnce``). Some more may be about to end
    ///   (``mostLost(of:)``).
    init(limit: Int) { self.limit = limit }

    /// Maximum uploads beyond the limit that have lost their places, and are about to end.
    static func mostLost(of limit: Int) -> Int { max(1, limit / 16) }

    /// - Returns: `nil` if the user uploads already, or too many users do.
    func begin(_ user: UserID, at now: Timestamp) -> UploadPlace? {
        state.withLock { state in
            guard state.places[user] == nil else { return nil }
            if state.places.count >= limit {
                let lost = state.places.values.count { $0.isLost }
                if state.places.count - lost >= limit {
                    guard lost < Self.mostLost(of: limit), let slowest = Self.slowest(of: state.places.values, at: now) else { return nil }
                    slowest.lose()
                }
            }
            let isSuspect = state.unfinished.value(for: user).map { now < $0.advanced(by: Self.memory) } ?? false
            let place = UploadPlace(user, at: now, headStart: isSuspect ? Timestamp.Interval(microseconds: 0) : ImageLimits.uploadHeadStart)
            state.places[user] = place
            return place
        }
    }

    func end(_ place: UploadPlace, at now: Timestamp) {
        state.withLock { state in
            state.places[place.user] = nil
            if place.isComplete { state.unfinished.remove(place.user) }
            if place.isUnfinished(at: now) { _ = state.unfinished.insert(now, for: place.user) }
        }
    }

    private static func slowest(of places: some Sequence<UploadPlace>, at now: Timestamp) -> UploadPlace? {
        var slowest: (place: UploadPlace, rate: Double)?
        for place in places {
            guard let rate = place.rate(at: now) else { continue }
            if slowest.map({ rate < $0.rate }) ?? true { slowest = (place, rate) }
        }
        return slowest?.place
    }
}
