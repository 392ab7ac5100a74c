import PulseBoardDomain
import PulseBoardServices
import PulseBoardVocabulary
import RPCCore
import RPCServer
import SocketTransport

/// Formats a report of the server as OpenMetrics text (version 1.0.0), the format of Prometheus.
///
/// Names, units and labels never change, because alert rules and dashboards depend on them (docs/observing.md). Methods that nobody has called are
/// absent.
public struct OpenMetricsText {
    /// The content type for a scraper.
    public static let contentType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

    private var lines = ""

    /// Makes the text. It ends with `# EOF`.
    public static func text(of report: ServerReport) -> String {
        var text = OpenMetricsText()
        text.server(report)
        text.process(report.process)
        text.calls(report.summary.methods)
        text.users(report)
        text.loops(report.loopTurns)
        if let store = report.storeStatus { text.store(store) }
        text.caches(report.caches)
        text.issuers(report.issuers)
        return text.lines + "# EOF\n"
    }

    // MARK: Families

    private mutating func server(_ report: ServerReport) {
        family("pulseboard_build", "info", "The program and its store.")
        sample("pulseboard_build_info", ["version": report.summary.version, "store": report.summary.store], "1")
        family("pulseboard_connections", "gauge", "Open connections.")
        sample("pulseboard_connections", [:], "\(report.summary.connections)")
        family("pulseboard_calls_running", "gauge", "Calls whose handlers are running.")
        sample("pulseboard_calls_running", [:], "\(report.summary.runningCalls)")
        family("pulseboard_draining", "gauge", "1 once the end has begun.")
        sample("pulseboard_draining", [:], report.isDraining ? "1" : "0")
        family("pulseboard_client_memory_bytes", "gauge", "What the server holds for all clients.", unit: "bytes")
        sample("pulseboard_client_memory_bytes", [:], "\(report.clientMemoryBytes)")
    }

    private mutating func process(_ process: ProcessFigures) {
        family("process_start_time_seconds", "gauge", "When the process began.", unit: "seconds")
        sample("process_start_time_seconds", [:], Self.seconds(microseconds: process.startTime.microseconds))
        family("process_cpu_seconds", "counter", "Processor time that the process has taken.", unit: "seconds")
        sample("process_cpu_seconds_total", [:], Self.seconds(microseconds: process.cpuTime.microseconds))
        family("process_resident_memory_bytes", "gauge", "Memory of the process in RAM.", unit: "bytes")
        sample("process_resident_memory_bytes", [:], "\(process.residentBytes)")
        family("process_open_fds", "gauge", "Open descriptors.")
        sample("process_open_fds", [:], "\(process.openDescriptors)")
        family("process_max_fds", "gauge", "Descriptors that the process may open.")
        sample("process_max_fds", [:], "\(process.descriptorLimit)")
    }

    private mutating func calls(_ methods: [String: CallMetrics.Figures]) {
        let sorted = methods.sorted { $0.key < $1.key }
        family("pulseboard_calls", "counter", "Calls that have ended, by their code.")
        for (method, figures) in sorted {
            for (code, count) in figures.ended.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                sample("pulseboard_calls_total", Self.labels(method).merging(["code": code.name]) { $1 }, "\(count)")
            }
        }
        family("pulseboard_request_bytes", "counter", "Bytes of the requests of ended calls.", unit: "bytes")
        for (method, figures) in sorted { sample("pulseboard_request_bytes_total", Self.labels(method), "\(figures.requestByteCount)") }
        family("pulseboard_response_bytes", "counter", "Bytes of their responses.", unit: "bytes")
        for (method, figures) in sorted { sample("pulseboard_response_bytes_total", Self.labels(method), "\(figures.responseByteCount)") }
        family("pulseboard_handlers_waiting", "gauge", "Handlers that run and wait for something.")
        for (method, figures) in sorted { sample("pulseboard_handlers_waiting", Self.labels(method), "\(figures.waitingHandlers)") }
        family("pulseboard_call_duration_seconds", "histogram", "How long ended calls took.", unit: "seconds")
        for (method, figures) in sorted { histogram(figures, Self.labels(method)) }
    }

    /// Upper bounds of the histogram's buckets: powers of four from 4 µs to 68 s. They are bounds of ``LatencyHistogram`` too, so the counts are
    /// exact.
    private static let bounds: [Int64] = stride(from: 12, through: 36, by: 2).map { 1 << $0 }

    private mutating func histogram(_ figures: CallMetrics.Figures, _ labels: [String: String]) {
        var counted = 0
        var buckets = figures.latencies.buckets[...]
        for bound in Self.bounds {
            while let bucket = buckets.first, let upper = bucket.upperBound, upper <= .nanoseconds(bound) {
                counted += bucket.count
                buckets.removeFirst()
            }
            sample("pulseboard_call_duration_seconds_bucket", labels.merging(["le": Self.seconds(nanoseconds: bound)]) { $1 }, "\(counted)")
        }
        // Calls may have ended between the two readings.
        let count = max(figures.endedCount, counted)
        sample("pulseboard_call_duration_seconds_bucket", labels.merging(["le": "+Inf"]) { $1 }, "\(count)")
        sample("pulseboard_call_duration_seconds_count", labels, "\(count)")
        sample("pulseboard_call_duration_seconds_sum", labels, Self.seconds(microseconds: figures.totalDuration.wholeMicroseconds))
    }

    private mutating func users(_ report: ServerReport) {
        var classes: [UserClass: UserUsage] = [:]
        for user in report.users {
            // Without a principal it is the sum of former users. They were local: gateways are few and keep their own entries.
            let userClass = user.principal?.userClass(own: report.uid) ?? .local
            var sum = classes[userClass] ?? UserUsage()
            sum.connections += user.connections
            sum.runningCalls += user.runningCalls
            sum.heldByteCount += user.heldByteCount
            sum.calls += user.calls
            sum.failedCalls += user.failedCalls
            classes[userClass] = sum
        }
        let sorted = UserClass.allCases.map { ($0.rawValue, classes[$0] ?? UserUsage()) }
        family("pulseboard_user_connections", "gauge", "Open connections by class of user.")
        for (name, sum) in sorted { sample("pulseboard_user_connections", ["class": name], "\(sum.connections)") }
        family("pulseboard_user_calls_running", "gauge", "Calls whose handlers are running, by class of user.")
        for (name, sum) in sorted { sample("pulseboard_user_calls_running", ["class": name], "\(sum.runningCalls)") }
        family("pulseboard_user_memory_bytes", "gauge", "What the server holds for clients, by class of user.", unit: "bytes")
        for (name, sum) in sorted { sample("pulseboard_user_memory_bytes", ["class": name], "\(sum.heldByteCount)") }
        family("pulseboard_user_calls", "counter", "Calls that have ended, by class of user.")
        for (name, sum) in sorted { sample("pulseboard_user_calls_total", ["class": name], "\(sum.calls)") }
        family("pulseboard_refusals", "counter", "What a limit has refused, by limit and class of user.")
        for refused in report.refusals {
            sample("pulseboard_refusals_total", ["class": refused.userClass.rawValue, "limit": refused.limit.rawValue], "\(refused.count)")
        }
    }

    private mutating func loops(_ loops: [LoopTurns]) {
        family("pulseboard_loop_turn_duration_seconds", "histogram", "How long the turns of an event loop took.", unit: "seconds")
        for (number, turns) in loops.enumerated() {
            histogram(
                "pulseboard_loop_turn_duration_seconds", ["loop": "\(number)"], bounds: LoopTurns.bounds.map { Self.seconds(nanoseconds: Int64($0)) },
                counts: turns.counts.map(Int64.init), sum: Self.seconds(nanoseconds: Int64(turns.nanoseconds)))
        }
    }

    private mutating func commits(_ figures: CommitFigures, writes: Int64) {
        family("pulseboard_store_commit_writes", "histogram", "Writes in a transaction.")
        histogram(
            "pulseboard_store_commit_writes", [:], bounds: CommitFigures.sizes.map { "\($0).0" }, counts: figures.bySize + [0], sum: "\(writes)")
        family("pulseboard_store_commit_duration_seconds", "histogram", "How long a transaction took to be made durable.", unit: "seconds")
        histogram(
            "pulseboard_store_commit_duration_seconds", [:], bounds: CommitFigures.bounds.map { Self.seconds(nanoseconds: $0) },
            counts: figures.byTime, sum: Self.seconds(nanoseconds: figures.nanoseconds))
    }

    /// - Parameters:
    ///   - bounds: the upper bounds of all buckets but the last, which has none.
    ///   - counts: the count of each bucket.
    private mutating func histogram(_ name: String, _ labels: [String: String], bounds: [String], counts: [Int64], sum: String) {
        var counted: Int64 = 0
        for (bound, count) in zip(bounds + ["+Inf"], counts) {
            counted += count
            sample(name + "_bucket", labels.merging(["le": bound]) { $1 }, "\(counted)")
        }
        sample(name + "_count", labels, "\(counted)")
        sample(name + "_sum", labels, sum)
    }

    private mutating func store(_ status: StoreStatus) {
        family("pulseboard_store_bytes", "gauge", "Length of the database and of its log.", unit: "bytes")
        sample("pulseboard_store_bytes", ["file": "database"], "\(status.databaseBytes)")
        sample("pulseboard_store_bytes", ["file": "wal"], "\(status.walBytes)")
        if let free = status.freeBytes {
            family("pulseboard_store_free_bytes", "gauge", "What the file system has left.", unit: "bytes")
            sample("pulseboard_store_free_bytes", [:], "\(free)")
        }
        family("pulseboard_store_up", "gauge", "0 while the store cannot do its work.")
        sample("pulseboard_store_up", [:], status.trouble == nil ? "1" : "0")
        family("pulseboard_store_changes_up", "gauge", "0 while changes by other servers are unknown.")
        sample("pulseboard_store_changes_up", [:], status.changesTrouble == nil ? "1" : "0")
        family("pulseboard_store_failed_accesses", "gauge", "Reads and writes that failed in the present trouble, or in the last one.")
        if let trouble = status.trouble ?? status.lastTrouble {
            sample("pulseboard_store_failed_accesses", ["reason": Reason(trouble.failure).rawValue], "\(trouble.count)")
        }
        if let last = status.lastCommitTime {
            family("pulseboard_store_last_commit_timestamp_seconds", "gauge", "When a write was last made durable.", unit: "seconds")
            sample("pulseboard_store_last_commit_timestamp_seconds", [:], Self.seconds(microseconds: last.microseconds))
        }
        family("pulseboard_store_commits", "counter", "Transactions that were made durable.")
        sample("pulseboard_store_commits_total", [:], "\(status.commits)")
        family("pulseboard_store_writes", "counter", "Writes in those transactions.")
        sample("pulseboard_store_writes_total", [:], "\(status.writes)")
        if let archive = status.archive {
            family(
                "pulseboard_store_archive_up", "gauge", "0 while what is committed cannot be archived, or the archive has a gap after the newest backup.")
            sample("pulseboard_store_archive_up", [:], archive.problem == nil ? "1" : "0")
            if let last = archive.lastTime {
                family("pulseboard_store_archive_last_timestamp_seconds", "gauge", "When the last commit was made that is archived.", unit: "seconds")
                sample("pulseboard_store_archive_last_timestamp_seconds", [:], Self.seconds(microseconds: last.microseconds))
            }
        }
        guard let figures = status.commitFigures else { return }
        commits(figures, writes: status.writes)
        family("pulseboard_store_checkpoints", "counter", "Copies of the log into the database, by whether all of it could be copied.")
        sample("pulseboard_store_checkpoints_total", ["result": "complete"], "\(status.completeCheckpoints)")
        sample("pulseboard_store_checkpoints_total", ["result": "partial"], "\(status.checkpoints - status.completeCheckpoints)")
    }

    private mutating func caches(_ caches: [CacheUsage]) {
        family("pulseboard_cache_entries", "gauge", "Entries held in memory.")
        for cache in caches { sample("pulseboard_cache_entries", ["cache": cache.name], "\(cache.entries)") }
        family("pulseboard_cache_lookups", "counter", "Answers from memory (hit), and questions to the store because memory had none (miss).")
        for cache in caches {
            sample("pulseboard_cache_lookups_total", ["cache": cache.name, "result": "hit"], "\(cache.hits)")
            sample("pulseboard_cache_lookups_total", ["cache": cache.name, "result": "miss"], "\(cache.misses)")
        }
    }

    private mutating func issuers(_ issuers: [IssuerStatus]) {
        guard !issuers.isEmpty else { return }
        family("pulseboard_issuer_keys", "gauge", "Keys that an issuer's ID tokens may be signed with.")
        for issuer in issuers { sample("pulseboard_issuer_keys", ["issuer": issuer.name], "\(issuer.keyCount)") }
        family("pulseboard_issuer_keys_timestamp_seconds", "gauge", "When an issuer's keys were last written.", unit: "seconds")
        for issuer in issuers {
            guard let time = issuer.keysTime else { continue }
            sample("pulseboard_issuer_keys_timestamp_seconds", ["issuer": issuer.name], Self.seconds(microseconds: time.microseconds))
        }
    }

    // MARK: Lines

    private mutating func family(_ name: String, _ type: String, _ help: String, unit: String? = nil) {
        lines += "# TYPE \(name) \(type)\n"
        if let unit { lines += "# UNIT \(name) \(unit)\n" }
        lines += "# HELP \(name) \(help)\n"
    }

    private mutating func sample(_ name: String, _ labels: [String: String], _ value: String) {
        lines += name
        if !labels.isEmpty {
            lines += "{" + labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",") + "}"
        }
        lines += " \(value)\n"
    }

    private static func escaped(_ text: String) -> String {
        guard text.contains(where: { $0 == "\\" || $0 == "\"" || $0.isNewline }) else { return text }
        return text.reduce(into: "") { result, character in
            switch character {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case _ where character.isNewline: result += "\\n"
            default: result.append(character)
            }
        }
    }

    /// The labels `service` and `method` of `service/method`.
    private static func labels(_ path: String) -> [String: String] {
        let parts = path.split(separator: "/", maxSplits: 1)
        return ["service": String(parts[0]), "method": parts.count > 1 ? String(parts[1]) : ""]
    }

    private static func seconds(microseconds: Int64) -> String { decimal(microseconds, digits: 6) }
    private static func seconds(nanoseconds: Int64) -> String { decimal(nanoseconds, digits: 9) }

    /// Divides exactly by 10 to the power of `digits`. The result has at least one decimal.
    private static func decimal(_ value: Int64, digits: Int) -> String {
        var scale: Int64 = 1
        for _ in 0..<digits { scale *= 10 }
        var fraction = String(value.magnitude % scale.magnitude)
        fraction = String(repeating: "0", count: digits - fraction.count) + fraction
        while fraction.count > 1, fraction.last == "0" { fraction.removeLast() }
        return (value < 0 ? "-" : "") + "\(value.magnitude / scale.magnitude).\(fraction)"
    }
}

extension Duration {
    fileprivate var wholeMicroseconds: Int64 { Int64(self / .microseconds(1)) }
}
