import ProtobufWellKnownTypes
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore

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
        let times = text(Int(trouble.count).counted("call", "calls") + " failed", "실패한 호출 \(Int(trouble.count).grouped)건")
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

extension Invocation {
    /// Adds the calls of a method to the server's card: their number, failures, durations and bytes.
    func append(_ method: PBMethodStatus, to card: inout Card) {
        let count = method.ended.reduce(0) { $0 + $1.count }
        var parts = [text(count == 1 ? "1 call" : "\(Int(count).grouped) calls", "호출 \(Int(count).grouped)건")]
        if method.running > 0 { parts.append(text("\(Int(method.running).grouped) running", "실행 중 \(Int(method.running).grouped)건")) }
        for failed in method.ended where failed.code != StatusCode.ok.rawValue {
            parts.append("\(StatusCode(wireValue: failed.code).name) \(Int(failed.count).grouped)")
        }
        if count > 0 {
            parts.append("p50 \(latency(0.5, of: method)), p99 \(latency(0.99, of: method))")
            parts.append(text(
                "\(Self.size(method.requestBytes)) in, \(Self.size(method.responseBytes)) out",
                "수신 \(Self.size(method.requestBytes)), 송신 \(Self.size(method.responseBytes))"))
        }
        // The package is left out, because the services' own names differ.
        let name = method.method.split(separator: ".").last.map(String.init) ?? method.method
        card.append(name, parts.joined(separator: ", "))
    }

    /// The longest duration of a fraction of the calls, to a quarter of it, such as `≤ 1.3 ms`.
    private func latency(_ part: Double, of method: PBMethodStatus) -> String {
        let count = method.latencies.reduce(0) { $0 + $1.count }
        var left = Int64((Double(count) * part).rounded(.up))
        for bucket in method.latencies {
            left -= bucket.count
            guard left <= 0 else { continue }
            guard let bound = bucket.upperBound.flatMap({ Duration($0) }) else { return text("> 2 min", "2분 초과") }
            return "≤ " + Self.latency(bound)
        }
        return "–"
    }

    private static func latency(_ duration: Duration) -> String {
        let microseconds = duration.inSeconds * 1e6
        if microseconds < 1_000 { return microseconds.oneDecimal + " µs" }
        return microseconds < 1e6 ? (microseconds / 1e3).oneDecimal + " ms" : (microseconds / 1e6).oneDecimal + " s"
    }
}

extension PBAuthState.State {
    /// The name in proto3 JSON.
    var jsonName: String {
        switch self {
        case .unspecified: "STATE_UNSPECIFIED"
        case .signedOut: "STATE_SIGNED_OUT"
        case .needsProfile: "STATE_NEEDS_PROFILE"
        case .ready: "STATE_READY"
        case .withdrawing: "STATE_WITHDRAWING"
        case .unrecognized(let number): String(number)
        }
    }

    /// The state for a person.
    var phrase: Phrase {
        switch self {
        case .signedOut: Phrase("signed out", "로그아웃됨")
        case .needsProfile: Phrase("signed in, without a profile", "로그인됨, 프로필 없음")
        case .ready: Phrase("signed in", "로그인됨")
        case .withdrawing: Phrase("signed in, about to leave", "로그인됨, 탈퇴 예정")
        case .unspecified, .unrecognized: Phrase("unknown", "알 수 없음")
        }
    }
}

extension Invocation {
    /// A line with the next command for an account in this state; empty if there is none.
    func nextStep(for state: PBAuthState.State) -> String {
        let command: String
        switch state {
        case .signedOut: command = failureContext.command("auth login")
        case .needsProfile: command = failureContext.command("profile create --username \(failureContext.wordForName)")
        case .withdrawing: command = failureContext.command("account restore")
        case .ready, .unspecified, .unrecognized: return ""
        }
        return Phrase.next.text(in: language) + style.bold(command) + "\n"
    }
}
