import DiarySealing
import PulseBoardDomain

/// The place of a sealed piece of a diary. A piece is sealed for its place, so it cannot be opened at another one.
enum DiaryPlace {
    case entry(DiaryKey, DiaryEntryID)
    case conflict(DiaryKey, DiaryEntryID, field: UInt8, stamp: [UInt8])
    case imagePart(DiaryKey, sha256: [UInt8], part: Int64)
    case result(DiaryKey, DiaryDeviceID, mutation: Int64)

    var bytes: [UInt8] {
        switch self {
        case .entry(let diary, let id): [1] + diary.bits.bytes + id.bits.bytes
        case .conflict(let diary, let id, let field, let stamp): [2] + diary.bits.bytes + id.bits.bytes + [field] + stamp
        case .imagePart(let diary, let sha256, let part): [3] + diary.bits.bytes + sha256 + part.bigEndianBytes
        case .result(let diary, let device, let mutation): [4] + diary.bits.bytes + device.bits.bytes + mutation.bigEndianBytes
        }
    }
}

/// Seals and opens what the store keeps of diaries.
///
/// The table `diary_seal` lists every key with which something may be sealed. If the file lacks one of them, all diaries are locked. So nothing is
/// reported as damaged by mistake, and nothing is written without sealing.
package struct DiaryVault: Sendable {
    /// Seals and opens single pieces.
    package let seal: DiarySeal
    /// Keys that are in use and that the file lacks.
    package let missingKeys: Set<DiaryKeys.ID>
    /// Keys that were in use when the store was opened, and the one that seals from now on.
    package let keysAtStart: Set<DiaryKeys.ID>

    package init(seal: DiarySeal, missingKeys: Set<DiaryKeys.ID>, keysAtStart: Set<DiaryKeys.ID> = []) {
        self.seal = seal
        self.missingKeys = missingKeys
        self.keysAtStart = keysAtStart
    }

    /// - Throws: `diary(.locked)`.
    func requireUnlocked() throws(RepositoryError) {
        guard missingKeys.isEmpty else { throw .diary(.locked) }
    }

    // MARK: One piece

    func sealed(_ bytes: [UInt8], at place: DiaryPlace) throws(RepositoryError) -> [UInt8] {
        // The bytes of the place are not made in vain.
        guard seal.isSealing else { return bytes }
        do throws(DiarySealError) { return try seal.seal(bytes, at: place.bytes) } catch { throw .diary(.locked) }
    }

    /// Opens a piece; `nil` if it is damaged.
    /// - Throws: `diary(.locked)`.
    func opened(_ bytes: [UInt8], at place: DiaryPlace) throws(RepositoryError) -> [UInt8]? {
        do throws(DiarySealError) { return try seal.open(bytes, at: place.bytes) } catch .damaged { return nil } catch { throw .diary(.locked) }
    }

    /// Opens bytes if they are sealed, and returns others unchanged. Unsealed bytes never begin with the mark.
    func openedIfSealed(_ bytes: [UInt8], at place: DiaryPlace) throws(RepositoryError) -> [UInt8]? {
        DiarySeal.key(of: bytes) == nil ? bytes : try opened(bytes, at: place)
    }

    /// Whether a piece is not sealed with the newest key.
    /// - Parameter isSealed: whether the piece is sealed; otherwise its first byte is not the mark.
    private func isStale(_ bytes: [UInt8]?, isSealed: Bool) -> Bool {
        ((isSealed ? bytes.flatMap(DiarySeal.key(of:)) : nil) ?? DiaryKeys.ID.none) != seal.keys.newest
    }

    // MARK: Opening the store

    /// Reads which keys are in use, and records the one that seals from now on. Call it in a write, before anything else.
    ///
    /// Several servers may have one database. Then another one may have written with any key of the file, or without one, after the last sweep had
    /// passed. It could do so until it was started again, and this may be that start. So every start sweeps again, and until the end of that sweep
    /// every key of the file counts as in use.
    package static func open(_ keys: DiaryKeys, _ connection: borrowing SQLConnection) throws(RepositoryError) -> DiaryVault {
        try connection.lock(.housekeeping)
        var known: [DiaryKeys.ID: Bool] = [:]
        do {
            let query = try connection.statement("SELECT key_id, is_current FROM diary_seal")
            while try query.step() {
                guard let id = query.blob(0), let isCurrent = query.integer(1) else { throw .corruptRow(table: "diary_seal", key: query.key(0)) }
                known[DiaryKeys.ID(bytes: id)] = isCurrent == 1
            }
        }
        let missing = Set(known.keys).subtracting(keys.ids).subtracting([.none])
        let atStart = keys.isConfigured || !known.isEmpty ? Set(known.keys).union(known.isEmpty ? [.none] : []).union([keys.newest]) : []
        let vault = DiaryVault(seal: DiarySeal(keys), missingKeys: missing, keysAtStart: atStart)
        let isShared = keys.isConfigured && connection.hasOtherWriters
        guard missing.isEmpty, isShared || known[keys.newest] != true, keys.isConfigured || !known.isEmpty else { return vault }
        // Existing data may be unsealed.
        if known.isEmpty || isShared { try note(.none, isCurrent: false, connection) }
        if isShared { for key in keys.ids { try note(key, isCurrent: false, connection) } }
        try connection.run("UPDATE diary_seal SET is_current = 0")
        try note(keys.newest, isCurrent: true, connection)
        return vault
    }

    private static func note(_ id: DiaryKeys.ID, isCurrent: Bool, _ connection: borrowing SQLConnection) throws(RepositoryError) {
        var statement = try connection.statement(
            """
            INSERT INTO diary_seal (key_id, is_current, place, position) VALUES (?, ?, 0, ?)
            ON CONFLICT (key_id) DO UPDATE SET is_current = excluded.is_current, place = excluded.place, position = excluded.position
            """)
        try statement.bind(id.bytes)
        try statement.bind(isCurrent ? 1 : 0)
        try statement.bind([])
        try statement.run()
    }

    // MARK: Sealing everything with the newest key

    /// The tables with sealed pieces, in the order of the sweep.
    private enum Place: Int64 {
        case entries, conflicts, imageParts, results

        var table: String {
            switch self {
            case .entries: "diary_entry"
            case .conflicts: "diary_conflict"
            case .imageParts: "diary_image_part"
            case .results: "diary_result"
            }
        }

        /// The columns of the key. Those in ``integers`` hold numbers, the others bytes.
        var key: [String] {
            switch self {
            case .entries: ["diary", "entry_id"]
            case .conflicts: ["diary", "entry_id", "field", "stamp"]
            case .imageParts: ["diary", "sha256", "part"]
            case .results: ["diary", "device_id", "mutation"]
            }
        }

        static let integers: Set<String> = ["field", "part", "mutation"]

        /// The sealed columns. The last one shows whether the row is sealed, and with which key.
        var piece: String {
            switch self {
            case .entries: "change, \(DiaryRecord.rowColumns)"
            case .conflicts: "value"
            // Only the beginning, which names the key. A sweep may find nothing to do in gigabytes.
            case .imageParts: "is_sealed, substr(bytes, 1, \(DiarySeal.overhead))"
            case .results: "fingerprint"
            }
        }
    }

    /// A part of a row's key.
    private enum KeyPart {
        case integer(Int64), bytes([UInt8])

        func bind(to statement: inout SQLStatement) throws(RepositoryError) {
            switch self {
            case .integer(let number): try statement.bind(number)
            case .bytes(let bytes): try statement.bind(bytes)
            }
        }
    }

    /// Maximum bytes that one step seals again.
    private static let bytesPerStep = 1 << 20

    /// Seals the next rows with the newest key. At the end, the other keys are forgotten.
    /// - Returns: whether there is more to do.
    ///
    /// A row is written only if it has not changed since it was read. If its owner has changed it meanwhile, it is sealed with the newest key
    /// already.
    func sealMore(_ connection: borrowing SQLConnection, rows: Int64) throws(RepositoryError) -> Bool {
        guard missingKeys.isEmpty, let (number, position) = try progress(connection), let place = Place(rawValue: number) else { return false }
        let next = try sealMore(of: place, after: position, limit: rows, connection)
        var note = try connection.statement("UPDATE diary_seal SET place = ?, position = ? WHERE is_current = 1")
        try note.bind(next == nil ? number + 1 : number)
        try note.bind(next ?? [])
        try note.run()
        guard next == nil, Place(rawValue: number + 1) == nil else { return true }
        try connection.run("DELETE FROM diary_seal WHERE is_current = 0")
        return false
    }

    /// The place of the sweep; `nil` if nothing is to be sealed, or another server's key is the newest.
    private func progress(_ connection: borrowing SQLConnection) throws(RepositoryError) -> (place: Int64, position: [UInt8])? {
        let query = try connection.statement("SELECT place, position, key_id FROM diary_seal WHERE is_current = 1")
        guard try query.step(), let place = query.integer(0), let position = query.blob(1), query.blob(2) == seal.keys.newest.bytes else {
            return nil
        }
        return (place, position)
    }

    /// - Returns: the key of the last row that was looked at, as bytes; `nil` at the end of the table.
    private func sealMore(
        of place: Place, after position: [UInt8], limit: Int64, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> [UInt8]? {
        let keys = place.key.joined(separator: ", "), marks = place.key.map { _ in "?" }.joined(separator: ", ")
        let isFirst = position.isEmpty
        var updates: [(key: [KeyPart], change: Int64, row: DiaryRow?, piece: [UInt8])] = []
        var last: [UInt8]?
        do {
            var query = try connection.statement(
                "SELECT \(place.piece), \(keys) FROM \(place.table)\(isFirst ? "" : " WHERE (\(keys)) > (\(marks))") ORDER BY \(keys) LIMIT ?")
            if !isFirst { for part in try Self.parts(of: position, place) { try part.bind(to: &query) } }
            try query.bind(limit)
            var bytes = 0
            while bytes < Self.bytesPerStep, try query.step() {
                let first: CInt =
                    switch place {
                    case .entries: DiaryRecord.rowColumnCount + 1
                    case .imageParts: 2
                    case .conflicts, .results: 1
                    }
                let key = try Self.key(query, from: first, place)
                last = Self.bytes(of: key)
                if let update = try updateIfReadable(of: place, query, key) {
                    bytes += place == .imageParts ? DiaryLimits.imagePartBytes : update.piece.count + (update.row?.byteCount ?? 0)
                    updates.append((key, update.change, update.row, update.piece))
                }
            }
        }
        let condition = place.key.map { "\($0) = ?" }.joined(separator: " AND ")
        for (key, change, row, piece) in updates {
            switch place {
            case .entries:
                guard let row, case .bytes(let diary) = key[0], case .bytes(let entry) = key[1], let diaryBits = UUIDBits(bytes: diary),
                    let entryBits = UUIDBits(bytes: entry)
                else { continue }
                var statement = try connection.statement(
                    "UPDATE diary_entry SET emotion = ?, body = ?, images = ?, sealed = ? WHERE \(condition) AND change = ?")
                try DiaryRecord.bindContent(of: row, DiaryEntryID(bits: entryBits), in: DiaryKey(bits: diaryBits), self, to: &statement)
                for part in key { try part.bind(to: &statement) }
                try statement.bind(change)
                try statement.run()
            case .conflicts, .imageParts, .results:
                let columns =
                    switch place {
                    case .conflicts: "value = ?"
                    case .imageParts: "bytes = ?, is_sealed = ?"
                    case .entries, .results: "fingerprint = ?"
                    }
                guard let piece = place == .imageParts ? try sealedPart(key, condition, connection) : piece else { continue }
                var statement = try connection.statement("UPDATE \(place.table) SET \(columns) WHERE \(condition)")
                try statement.bind(piece)
                if place == .imageParts { try statement.bind(seal.isSealing ? 1 : 0) }
                for part in key { try part.bind(to: &statement) }
                try statement.run()
            }
        }
        return last
    }

    /// The new contents of a row; `nil` if it is sealed with the newest key, or cannot be read. A row that cannot be read stays, and is reported when
    /// somebody reads it.
    private func updateIfReadable(
        of place: Place, _ query: borrowing SQLStatement, _ key: [KeyPart]
    ) throws(RepositoryError) -> (change: Int64, row: DiaryRow?, piece: [UInt8])? {
        do throws(RepositoryError) { return try update(of: place, query, key) } catch {
            // No key that is in use is missing, so the row names one that never was.
            guard case .diary(.locked) = error else { throw error }
            return nil
        }
    }

    private func update(
        of place: Place, _ query: borrowing SQLStatement, _ key: [KeyPart]
    ) throws(RepositoryError) -> (change: Int64, row: DiaryRow?, piece: [UInt8])? {
        guard case .bytes(let diaryBytes) = key[0], let diary = UUIDBits(bytes: diaryBytes).map(DiaryKey.init(bits:)),
            case .bytes(let second) = key[1]
        else { return nil }
        let bits = UUIDBits(bytes: second)
        switch place {
        case .entries:
            let sealed = query.blob(DiaryRecord.rowColumnCount)
            guard isStale(sealed, isSealed: sealed != nil), let change = query.integer(0), let bits,
                let row = try DiaryRecord.row(query, DiaryEntryID(bits: bits), in: diary, self, from: 1), !row.isDeleted
            else { return nil }
            return (change, row, [])
        case .conflicts:
            guard let value = query.blob(0), isStale(value, isSealed: true), let bits, case .integer(let field) = key[2],
                case .bytes(let stamp) = key[3]
            else { return nil }
            let at = DiaryPlace.conflict(diary, DiaryEntryID(bits: bits), field: UInt8(truncatingIfNeeded: field), stamp: stamp)
            guard let plain = try openedIfSealed(value, at: at) else { return nil }
            return (0, nil, try sealed(plain, at: at))
        case .imageParts:
            guard let isSealed = query.integer(0), let begin = query.blob(1), isStale(begin, isSealed: isSealed == 1) else { return nil }
            return (0, nil, [])
        case .results:
            guard let fingerprint = query.blob(0), isStale(fingerprint, isSealed: true), let bits, case .integer(let mutation) = key[2] else {
                return nil
            }
            let at = DiaryPlace.result(diary, DiaryDeviceID(bits: bits), mutation: mutation)
            guard let plain = try openedIfSealed(fingerprint, at: at) else { return nil }
            return (0, nil, try sealed(plain, at: at))
        }
    }

    /// The bytes of a part of a picture, sealed with the newest key; `nil` if it is gone or cannot be read.
    private func sealedPart(
        _ key: [KeyPart], _ condition: String, _ connection: borrowing SQLConnection
    ) throws(RepositoryError) -> [UInt8]? {
        guard case .bytes(let diaryBytes) = key[0], let diary = UUIDBits(bytes: diaryBytes).map(DiaryKey.init(bits:)),
            case .bytes(let sha256) = key[1], case .integer(let part) = key[2]
        else { return nil }
        var query = try connection.statement("SELECT is_sealed, bytes FROM diary_image_part WHERE \(condition)")
        for part in key { try part.bind(to: &query) }
        guard try query.step(), let isSealed = query.integer(0), let bytes = query.blob(1) else { return nil }
        let at = DiaryPlace.imagePart(diary, sha256: sha256, part: part)
        let plain: [UInt8]?
        do throws(RepositoryError) { plain = isSealed == 1 ? try opened(bytes, at: at) : bytes } catch {
            guard case .diary(.locked) = error else { throw error }
            plain = nil
        }
        return try plain.map { plain throws(RepositoryError) in try sealed(plain, at: at) }
    }

    // MARK: Keys of rows

    private static func key(
        _ query: borrowing SQLStatement, from column: CInt, _ place: Place
    ) throws(RepositoryError) -> [KeyPart] {
        var parts: [KeyPart] = []
        for (index, name) in place.key.enumerated() {
            let number = column + CInt(index)
            let part = Place.integers.contains(name) ? query.integer(number).map(KeyPart.integer) : query.blob(number).map(KeyPart.bytes)
            guard let part else { throw .corruptRow(table: place.table, key: query.key(column)) }
            parts.append(part)
        }
        return parts
    }

    /// Encodes a key: numbers in eight bytes, byte strings after their length.
    private static func bytes(of key: [KeyPart]) -> [UInt8] {
        key.flatMap { part in
            switch part {
            case .integer(let number): number.bigEndianBytes
            case .bytes(let bytes): [UInt8(truncatingIfNeeded: bytes.count)] + bytes
            }
        }
    }

    private static func parts(of bytes: [UInt8], _ place: Place) throws(RepositoryError) -> [KeyPart] {
        var rest = bytes[...]
        var parts: [KeyPart] = []
        for name in place.key {
            let count = Place.integers.contains(name) ? 8 : rest.popFirst().map(Int.init) ?? .max
            guard rest.count >= count else { throw .corruptRow(table: "diary_seal", key: "position") }
            let part = Array(rest.prefix(count))
            rest = rest.dropFirst(count)
            parts.append(Place.integers.contains(name) ? .integer(part.reduce(0) { $0 << 8 | Int64($1) }) : .bytes(part))
        }
        return parts
    }
}
