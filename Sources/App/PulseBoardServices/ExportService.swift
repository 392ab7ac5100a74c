import PulseBoardDomain
import Synchronization

/// Exports everything that is stored about a user.
///
///     try await services.exports.export(caller) { record in
///         if case .profile(let profile) = record { print(profile.username) }
///     }
///
/// An export is not a snapshot: it is read in batches by key, so a long one blocks nothing. Changes made meanwhile may or may not be in it. A diary
/// entry that changes meanwhile may come twice; the last one counts. An export contains no tokens, no hashes of tokens, and of other users only
/// ids and names (C22).
public struct ExportService: Sendable {
    private let store: any PulseBoardStore
    private let images: ImageService?
    private let watches: WatchDependencies
    private let configuration: ServicesConfiguration
    private let exporting = ExportingUsers()

    init(store: any PulseBoardStore, images: ImageService?, watches: WatchDependencies, configuration: ServicesConfiguration) {
        self.store = store
        self.images = images
        self.watches = watches
        self.configuration = configuration
    }

    /// How many follows, events or diary entries are read at once.
    static let batch = 1_000
    /// An incomplete export counts towards the daily limit if it has written more records than this.
    static let uncountedRecords = 1_000

    /// Exports everything about the caller. It passes each record to `output` and waits until `output` returns.
    ///
    /// A user has ten exports in 24 hours. An export that completes counts. One that fails or is cancelled counts if it has written more than
    /// ``uncountedRecords``. Otherwise a client could export without limit, and leave out the end.
    ///
    /// - Throws: `rateLimited` while another export of the caller runs, and for more than 10 in 24 hours;
    ///   `profileRequired`, `withdrawing`; `watchLimit` if the user has too many watches; `notAuthenticated` when the caller's session ends;
    ///   `shuttingDown`; and what `output` throws.
    public func export(_ caller: Caller, to output: (ExportedRecord) async throws -> Void) async throws {
        // It refuses the next batch once the session has ended or the services shut down.
        let watch = try Watch([], by: caller, watches)
        let begin = configuration.clock.now()
        if let wait = exporting.begin(caller.userID, at: begin) { throw RepositoryError.rateLimited(retryAfter: wait) }
        var recordCount = 0
        var isComplete = false
        // One export of a user runs at a time, so it is early enough to count it at its end.
        defer { exporting.end(caller.userID, counting: isComplete || recordCount > Self.uncountedRecords ? begin : nil) }
        func write(_ record: ExportedRecord) async throws {
            try await output(record)
            recordCount += 1
        }
        func goOn() async throws(RepositoryError) {
            watch.wake()
            guard let reasons = try await watch.wait() else { throw .shuttingDown }
            try await watch.requireSession(reasons)
        }
        for identity in try await store.identities(of: caller.userID) { try await write(.identity(identity)) }
        for session in try await store.sessions(of: caller.userID, endingAfter: configuration.clock.now()) {
            try await write(.session(session, isCurrent: session.id == caller.sessionID))
        }
        var profile = try await ownProfile(caller)
        for name in try await store.usernames(of: caller.userID) { try await write(.username(name)) }
        try await exportDiary(of: caller.userID, goOn, write)
        if profile != nil {
            let pictures = try await pictures(of: &profile, caller)
            if let profile { try await write(.profile(profile)) }
            for picture in pictures { try await write(.image(picture.size, picture.bytes)) }
            for direction in [ExportedRecord.Direction.following, .followers] {
                var cursor: FollowCursor?
                repeat {
                    try await goOn()
                    let entries = try await follows(direction, of: caller.userID, after: cursor)
                    for entry in entries { try await write(.follow(direction, entry)) }
                    cursor = entries.count == Self.batch ? entries.last?.cursor : nil
                } while cursor != nil
            }
            var position: FollowEventPosition?
            repeat {
                try await goOn()
                let events = try await store.keptFollowEvents(of: caller.userID, after: position, limit: Self.batch)
                for event in events { try await write(.event(event)) }
                position = events.count == Self.batch ? events.last?.position : nil
            } while position != nil
        }
        isComplete = true
    }

    /// Reads every size of the profile's picture, and the profile again if the picture was replaced meanwhile. So the sizes are of one picture, and
    /// it is the profile's. A size whose file is lost is left out, because people must get the rest of their data.
    private func pictures(
        of profile: inout Profile?, _ caller: Caller
    ) async throws(RepositoryError) -> [(size: ImageSize, bytes: [UInt8])] {
        guard let images else { return [] }
        while let id = profile?.image {
            var pictures: [(size: ImageSize, bytes: [UInt8])] = []
            for size in ImageSize.allCases {
                let bytes = try await images.stored(OwnedImage(owner: caller.userID, id: id), size)
                if let bytes { pictures.append((size, bytes)) }
            }
            profile = try await ownProfile(caller)
            if profile?.image == id { return pictures }
        }
        return []
    }

    private func exportDiary(
        of owner: UserID, _ goOn: () async throws(RepositoryError) -> Void, _ write: (ExportedRecord) async throws -> Void
    ) async throws {
        // In the order of changes. An entry that changes moves to the end, so it may be read twice but is never missed. In the order of times, a new
        // time could move an entry from the pages that are not read yet to those that are.
        var position: DiaryPosition?
        var isComplete = false
        while !isComplete {
            try await goOn()
            let page = try await store.diaryChanges(of: owner, for: nil, after: position, limit: Self.batch)
            for change in page.rows {
                if let entry = change.row.entry(change.id) { try await write(.diaryEntry(entry)) }
                if !change.row.conflicts.isEmpty { try await write(.diaryConflicts(change)) }
            }
            position = page.next
            isComplete = page.isComplete
        }
        var hash: DiaryImageHash?
        repeat {
            try await goOn()
            let images = try await store.diaryImages(of: owner, after: hash, limit: Self.batch)
            for image in images {
                for part in 0..<image.partCount {
                    try await goOn()
                    // A picture without an entry may be removed meanwhile.
                    guard let bytes = try await self.part(part, of: image, owner) else { break }
                    try await write(.diaryImage(image, offset: image.range(ofPart: part).lowerBound, bytes))
                }
            }
            hash = images.count == Self.batch ? images.last?.hash : nil
        } while hash != nil
        let devices = try await store.diaryDevices(of: owner)
        for device in devices { try await write(.diaryDevice(device)) }
    }

    private func part(_ part: Int, of image: DiaryImage, _ owner: UserID) async throws(RepositoryError) -> [UInt8]? {
        do throws(RepositoryError) {
            return try await store.diaryImagePart(part, of: image.hash, of: owner)
        } catch .diary(.imageNotFound) {
            return nil
        }
    }

    private func ownProfile(_ caller: Caller) async throws(RepositoryError) -> Profile? {
        do throws(RepositoryError) {
            return try await store.profile(of: caller.userID, viewer: caller.userID)
        } catch .userNotFound {
            return nil
        } catch {
            throw error
        }
    }

    private func follows(
        _ direction: ExportedRecord.Direction, of user: UserID, after cursor: FollowCursor?
    ) async throws(RepositoryError) -> [FollowListEntry] {
        switch direction {
        case .following: try await store.following(of: user, viewer: user, after: cursor, limit: Self.batch)
        case .followers: try await store.followers(of: user, viewer: user, after: cursor, limit: Self.batch)
        }
    }
}

/// One record of an export.
public enum ExportedRecord: Hashable, Sendable {
    /// The direction of a follow.
    public enum Direction: Hashable, Sendable {
        /// The caller follows the other side.
        case following
        /// The other side follows the caller.
        case followers
    }

    case identity(Identity)
    case session(Session, isCurrent: Bool)
    case profile(Profile)
    /// The present username, a held one or the reserved one.
    case username(ClaimedUsername)
    /// The picture in one size, as WebP.
    case image(ImageSize, [UInt8])
    case follow(Direction, FollowListEntry)
    case event(FollowEvent)
    case diaryEntry(DiaryEntry)
    case diaryConflicts(DiaryRowChange)
    case diaryDevice(DiaryDevice)
    /// Some of a picture's original bytes.
    case diaryImage(DiaryImage, offset: Int, [UInt8])
}

/// Who is exporting now, and each user's counted exports of the last 24 hours. A restart forgets them.
private final class ExportingUsers: Sendable {
    /// Maximum exports of a user in 24 hours.
    static let mostADay = 10
    /// Maximum users who are remembered. Beyond it, users without an export in the last 24 hours are forgotten; if there are none, a new user
    /// has to wait.
    private static let mostUsers = 65_536

    private struct User {
        var isExporting = false
        /// When the counted exports of the last 24 hours began.
        var begins: [Timestamp] = []
    }

    private let users = Mutex<[UserID: User]>([:])

    /// - Returns: how long the user has to wait; `nil` if the export may begin.
    func begin(_ id: UserID, at now: Timestamp) -> Timestamp.Interval? {
        let day = Timestamp.Interval.days(1)
        let dayAgo = now.advanced(by: Timestamp.Interval(microseconds: -day.microseconds))
        return users.withLock { users in
            var user = users[id] ?? User()
            guard !user.isExporting else { return .seconds(1) }
            // Instants that are later than now are from before the clock was set back.
            user.begins.removeAll { $0 <= dayAgo || $0 > now }
            if user.begins.count >= Self.mostADay, let first = user.begins.first {
                return Timestamp.Interval(microseconds: first.advanced(by: day).microseconds - now.microseconds)
            }
            if users.count >= Self.mostUsers, users[id] == nil {
                users = users.filter { entry in entry.value.isExporting || entry.value.begins.contains { $0 > dayAgo } }
                guard users.count < Self.mostUsers else { return .seconds(60) }
            }
            user.isExporting = true
            users[id] = user
            return nil
        }
    }

    /// - Parameter begin: when the export began; `nil` if it does not count.
    func end(_ id: UserID, counting begin: Timestamp?) {
        users.withLock { users in
            guard var user = users[id] else { return }
            user.isExporting = false
            if let begin { user.begins.append(begin) }
            users[id] = user.begins.isEmpty ? nil : user
        }
    }
}
