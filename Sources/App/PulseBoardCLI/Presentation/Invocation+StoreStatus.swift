import PulseBoardMessages
import PulseBoardVocabulary

extension Invocation {
    /// Adds the store's status to the server's card.
    func append(_ status: PBStoreStatus, to card: inout Card) {
        card.append(text("database", "데이터베이스"), status.path)
        card.append(text("size", "크기"), Self.size(status.databaseBytes))
        // A database on its own server has these figures there.
        if status.freeBytes > 0 || status.walBytes > 0 {
            card.append(text("log (WAL)", "로그(WAL)"), Self.size(status.walBytes))
            card.append(text("free space", "남은 공간"), Self.size(status.freeBytes))
        }
        if !status.archiveDirectory.isEmpty {
            let words = status.archiveProblem.isEmpty
                ? status.archiveDirectory
                    + (status.archiveTime == nil ? "" : text(", up to \(time(status.archiveTime))", ", \(time(status.archiveTime))까지"))
                : status.archiveDirectory + " [\(status.archiveProblem)]"
            card.append(text("archive", "보관"), words)
        }
        let commit = status.lastCommitTime == nil ? text("none since the start", "시작 이후 없음") : time(status.lastCommitTime)
        card.append(text("last commit", "마지막 커밋"), commit)
        if let trouble = status.trouble {
            card.append(text("failing", "장애"), words(trouble))
        } else {
            card.append(text("last error", "마지막 오류"), status.lastTrouble.map(words) ?? text("none since the start", "시작 이후 없음"))
        }
    }

    /// Adds the status of the pictures' directory to the server's card.
    func append(_ status: PBImageDirectoryStatus, to card: inout Card) {
        let free = text("\(status.path), \(Self.size(status.freeBytes)) free", "\(status.path), 남은 공간 \(Self.size(status.freeBytes))")
        card.append(text("pictures", "사진"), status.trouble.map { free + " – " + words($0) } ?? free)
    }

    /// Adds the hits of a cache to the server's card.
    func append(_ cache: PBCacheStatus, to card: inout Card) {
        let lookups = cache.hits + cache.misses
        let held = text(
            "\(Int(cache.entries).grouped) of \(Int(cache.capacity).grouped)", "\(Int(cache.capacity).grouped)개 중 \(Int(cache.entries).grouped)개")
        let share = lookups == 0 ? "–" : (100 * Double(cache.hits) / Double(lookups)).oneDecimal + " %"
        let found = text(
            "found \(share) of \(Int(lookups).grouped)", "조회 \(Int(lookups).grouped)건 중 \(share) 적중")
        card.append(text("cache: ", "캐시: ") + cache.name, held + ", " + found)
    }

    /// A failure of the store as text, followed by the database's own text.
    private func words(_ trouble: PBStoreTrouble) -> String {
        let meaning = (Reason(rawValue: trouble.reason) ?? .unavailable).text().text(in: language)
        let times = text("\(Int(trouble.count).grouped) calls failed", "실패한 호출 \(Int(trouble.count).grouped)건")
        let since = text("since \(time(trouble.startTime))", "\(time(trouble.startTime))부터")
        return "\(meaning) [\(trouble.reason); \(since); \(times); \(trouble.detail)]"
    }

    /// A size in its unit, such as `58.2 MiB`.
    static func size(_ bytes: Int64) -> String {
        var value = Double(bytes)
        for unit in ["B", "KiB", "MiB", "GiB"] {
            if value < 1_024 { return (unit == "B" ? String(bytes) : value.oneDecimal) + " " + unit }
            value /= 1_024
        }
        return value.oneDecimal + " TiB"
    }
}
