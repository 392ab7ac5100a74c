import PulseBoardDomain

/// The state of a picture. The store keeps the numbers.
package enum ImageState: Int64 {
    /// Its bytes are being written.
    case writing = 0
    /// Its bytes are durable, and it waits for its profile.
    case staged = 1
    /// A profile shows it.
    case attached = 2
    /// Its bytes are to be removed.
    case discarded = 3
}

extension SQLStore {
    public func beginImage(_ id: ImageID, of owner: UserID, expiring expireTime: Timestamp) async throws(RepositoryError) {
        try await write { connection throws(RepositoryError) in
            try connection.lock(owner)
            var statement = try connection.statement("INSERT INTO image (owner, image_id, state, expire_time) VALUES (?, ?, ?, ?)")
            try statement.bind(owner)
            try statement.bind(id)
            try statement.bind(ImageState.writing.rawValue)
            try statement.bind(expireTime)
            try statement.run()
        }
    }

    public func stageImage(
        _ id: ImageID, of owner: UserID, at time: Timestamp, expiring expireTime: Timestamp
    ) async throws(RepositoryError) {
        try await write { connection throws(RepositoryError) in
            try connection.lock(owner)
            var former = try connection.statement("UPDATE image SET state = ?, expire_time = ? WHERE owner = ? AND state = ?")
            try former.bind(ImageState.discarded.rawValue)
            try former.bind(time)
            try former.bind(owner)
            try former.bind(ImageState.staged.rawValue)
            try former.run()
            try Self.move(id, of: owner, from: .writing, to: .staged, at: time, expiring: expireTime, connection)
        }
    }

    public func discardedImages(at time: Timestamp, limit: Int) async throws(RepositoryError) -> [DiscardedImage] {
        let housekeeping = housekeeping
        let mayBeSome = try await read { connection throws(RepositoryError) in
            let judged = housekeeping.judged(time)
            guard judged.isTrusted else { return false }
            var statement = try connection.statement(Self.expiredSQL)
            try statement.bind(judged.end)
            try statement.bind(1)
            return try statement.step()
        }
        guard mayBeSome, !Task.isCancelled else { return [] }
        // Discarding in a write ensures that no profile can attach one of them any more.
        return try await write { connection throws(RepositoryError) in
            try connection.lock(.housekeeping)
            // The clock may have jumped since the read.
            let judged = try housekeeping.judged(time, connection)
            guard judged.isTrusted else { return [] }
            var statement = try connection.statement(Self.expiredSQL)
            try statement.bind(judged.end)
            try statement.bind(Int64(limit))
            var images: [DiscardedImage] = [], damaged: String?
            while try statement.step() {
                if let owner = statement.identifier(0, as: UserID.self), let id = statement.identifier(1, as: ImageID.self) {
                    images.append(DiscardedImage(id: id, owner: owner))
                } else {
                    damaged = statement.key(1)
                }
            }
            // A row that names no picture must not keep the others.
            if images.isEmpty, let damaged { throw .corruptRow(table: "image", key: damaged) }
            var discarded: [DiscardedImage] = []
            for image in images {
                var change = try connection.statement(
                    "UPDATE image SET state = ? WHERE owner = ? AND image_id = ? AND state <> ? AND expire_time <= ?")
                try change.bind(ImageState.discarded.rawValue)
                try change.bind(image.owner)
                try change.bind(image.id)
                try change.bind(ImageState.attached.rawValue)
                try change.bind(judged.end)
                try change.run()
                // A profile may have attached it a moment ago, or an upload may have ended and given it more time.
                if connection.changes == 1 { discarded.append(image) }
            }
            return discarded
        }
    }

    /// Uses the index of pictures that are in no profile.
    private static let expiredSQL = """
        SELECT owner, image_id FROM image
        WHERE expire_time <= ? AND state <> \(ImageState.attached.rawValue) ORDER BY expire_time LIMIT ?
        """

    public func forgetImage(_ image: DiscardedImage) async throws(RepositoryError) {
        try await write { connection throws(RepositoryError) in
            // Without a lock of the owner, who may have been purged: a lock would make a row of the owner again.
            var statement = try connection.statement("DELETE FROM image WHERE owner = ? AND image_id = ? AND state <> ?")
            try statement.bind(image.owner)
            try statement.bind(image.id)
            try statement.bind(ImageState.attached.rawValue)
            try statement.run()
        }
    }

    // MARK: In the transactions of profiles

    /// Checks that a profile's new picture can be attached, before anything is changed: other users' writes share the transaction, and a write
    /// that fails after a change makes all of them run again.
    /// - Throws: `imageNotStaged`.
    static func requireStaged(
        _ image: ImageID?, insteadOf former: ImageID?, of owner: UserID, at time: Timestamp, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        guard let image, image != former else { return }
        var statement = try connection.statement("SELECT 1 FROM image WHERE owner = ? AND image_id = ? AND state = ? AND expire_time > ?")
        try statement.bind(owner)
        try statement.bind(image)
        try statement.bind(ImageState.staged.rawValue)
        try statement.bind(time)
        guard try statement.step() else { throw .imageNotStaged }
    }

    /// Attaches a staged picture to a profile, and discards the former one.
    /// - Throws: `imageNotStaged`.
    static func replaceImage(
        _ former: ImageID?, by image: ImageID?, of owner: UserID, at time: Timestamp, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        guard former != image else { return }
        if let image { try move(image, of: owner, from: .staged, to: .attached, at: time, expiring: time, connection) }
        if let former {
            // A missing row must not prevent a change of the profile.
            var statement = try connection.statement("UPDATE image SET state = ?, expire_time = ? WHERE owner = ? AND image_id = ?")
            try statement.bind(ImageState.discarded.rawValue)
            try statement.bind(time)
            try statement.bind(owner)
            try statement.bind(former)
            try statement.run()
        }
    }

    /// Discards all pictures of a user who withdraws.
    ///
    /// The files of one that is being written may come after this. So its row stays until its time for that is over.
    static func discardImages(of owner: UserID, at time: Timestamp, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        var statement = try connection.statement(
            "UPDATE image SET state = ?1, expire_time = CASE WHEN state = ?2 THEN expire_time ELSE ?3 END WHERE owner = ?4")
        try statement.bind(ImageState.discarded.rawValue)
        try statement.bind(ImageState.writing.rawValue)
        try statement.bind(time)
        try statement.bind(owner)
        try statement.run()
    }

    public func hasAttachedImages() async throws(RepositoryError) -> Bool {
        try await read { connection throws(RepositoryError) in
            var statement = try connection.statement("SELECT 1 FROM image WHERE state = ? LIMIT 1")
            try statement.bind(ImageState.attached.rawValue)
            return try statement.step()
        }
    }

    /// Moves an unexpired picture from one state to another.
    /// - Throws: `imageNotStaged` if there is no such picture.
    private static func move(
        _ id: ImageID, of owner: UserID, from state: ImageState, to next: ImageState, at time: Timestamp, expiring expireTime: Timestamp,
        _ connection: borrowing SQLConnection
    ) throws(RepositoryError) {
        var statement = try connection.statement(
            "UPDATE image SET state = ?, expire_time = ? WHERE owner = ? AND image_id = ? AND state = ? AND expire_time > ?")
        try statement.bind(next.rawValue)
        try statement.bind(expireTime)
        try statement.bind(owner)
        try statement.bind(id)
        try statement.bind(state.rawValue)
        try statement.bind(time)
        try statement.run()
        guard connection.changes == 1 else { throw .imageNotStaged }
    }
}
