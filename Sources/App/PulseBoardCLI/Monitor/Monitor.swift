import Foundation
import ProtobufWellKnownTypes
import PulseBoardMessages
import PulseBoardVocabulary
import RPCCore

/// Reads a server's status repeatedly and shows the changes: `admin monitor` and `admin top`.
struct Monitor {
    let invocation: Invocation
    let options: MonitorOptions

    /// Shows a frame for each reading, until the requested number is reached.
    func run(_ view: (MonitorFrame, TextStyle) -> String) async throws {
        let isLive = invocation.environment.outputIsTerminal && !invocation.isForProgram && !options.once
        if !options.once { invocation.environment.endOnInterrupt() }
        var screen = RedrawnScreen()
        var former: PBServerInfo?
        var isAway = false
        // The first reading has nothing to compare with.
        let looks = options.once ? 1 : options.count.map { $0 + 1 } ?? Int.max
        var look = 0
        while look < looks {
            if look > 0 || isAway { try await invocation.environment.wait(.seconds(options.interval)) }
            let info: PBServerInfo
            do throws(RPCError) {
                info = try await invocation.admin.getServerInfo(PBGetServerInfoRequest(), options: invocation.callOptions()).clamped
            } catch {
                // It is a failure if the server was never there, or refuses.
                guard former != nil, error.code == .unavailable || error.code == .deadlineExceeded else {
                    throw CommandFailure(error, about: .nothing, in: invocation.failureContext)
                }
                if !isAway { invocation.remarkLost() }
                isAway = true
                screen.leave()
                continue
            }
            if isAway { invocation.remarkReconnected() }
            isAway = false
            look += 1
            defer { former = info }
            // Another process has counted from its own start.
            let base = former.flatMap { $0.pid == info.pid && $0.startTime == info.startTime ? $0 : nil }
            guard options.once || base != nil else {
                if former != nil { look -= 1 }
                continue
            }
            let frame = MonitorFrame(now: info, former: options.once ? nil : base)
            if isLive {
                let size = invocation.environment.terminalSize()
                let style = TextStyle(isTerminal: true, variables: invocation.environment.variables, columns: size.columns)
                invocation.environment.write(screen.draw(view(frame, style), rows: size.rows), .standardOutput)
            } else if invocation.fields != nil || options.once {
                try invocation.show(document: frame.document) { view(frame, invocation.style) }
            } else if invocation.usesJSON {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                invocation.environment.writeJSON(String(decoding: try encoder.encode(frame.document), as: UTF8.self) + "\n")
            } else {
                invocation.environment.write(view(frame, invocation.style) + "\n", .standardOutput)
            }
        }
    }
}

/// What happened on a server between two readings, or since its start with only one reading.
struct MonitorFrame {
    let now: PBServerInfo
    let former: PBServerInfo?

    /// Seconds between the readings, by the server's clock.
    var seconds: Double {
        let end = now.uptime?.inSeconds ?? 0, begin = former?.uptime?.inSeconds ?? 0
        return max(end - begin, 0.001)
    }

    /// The figures of a method's calls.
    struct Method: Hashable {
        let name: String
        let running: Int64
        var calls: Int64 = 0
        var failed: Int64 = 0
        var bytes: Int64 = 0
        /// Calls by upper bounds of their time in nanoseconds, shortest first.
        var latencies: [(bound: Int64, count: Int64)] = []

        static func == (left: Method, right: Method) -> Bool { left.name == right.name && left.calls == right.calls }
        func hash(into hasher: inout Hasher) { hasher.combine(name) }

        /// The longest time, in nanoseconds, of a fraction of the calls; `nil` without calls.
        func quantile(_ part: Double) -> Int64? {
            let count = latencies.reduce(0) { $0 + $1.count }
            guard count > 0 else { return nil }
            var left = Int64((Double(count) * part).rounded(.up))
            for bucket in latencies {
                left -= bucket.count
                if left <= 0 { return bucket.bound }
            }
            return latencies.last?.bound
        }
    }

    /// Methods with ended or running calls, those with the most calls first.
    var methods: [Method] {
        let before = Dictionary((former?.methods ?? []).map { ($0.method, $0) }) { $1 }
        return now.methods.map { Self.method($0, since: before[$0.method]) }.filter { $0.calls > 0 || $0.running > 0 }
            .sorted { ($1.calls, $0.name) < ($0.calls, $1.name) }
    }

    private static func method(_ now: PBMethodStatus, since before: PBMethodStatus?) -> Method {
        let ended = { (status: PBMethodStatus?, failed: Bool) in
            (status?.ended ?? []).filter { !failed || $0.code != StatusCode.ok.rawValue }.reduce(Int64(0)) { $0 + $1.count }
        }
        let known = Dictionary((before?.latencies ?? []).map { (nanoseconds($0), $0.count) }) { $0 + $1 }
        return Method(
            name: now.method, running: now.running, calls: ended(now, false) - ended(before, false), failed: ended(now, true) - ended(before, true),
            bytes: now.requestBytes + now.responseBytes - (before?.requestBytes ?? 0) - (before?.responseBytes ?? 0),
            latencies: now.latencies.map { (nanoseconds($0), $0.count - (known[nanoseconds($0)] ?? 0)) }.filter { $0.1 > 0 })
    }

    private static func nanoseconds(_ bucket: PBLatencyBucket) -> Int64 {
        bucket.upperBound.map { $0.seconds * 1_000_000_000 + Int64($0.nanos) } ?? .max
    }

    /// What a user has used since the last reading, and uses now.
    struct User: Hashable {
        /// `uid 1000`, `gateway 0`, or empty for the sum of former users.
        let name: String
        let uid: UInt32?
        let connections: Int64
        let running: Int64
        let memory: Int64
        let calls: Int64
        let failed: Int64
        let bytes: Int64
    }

    /// Users with connections or calls, those with the most calls first.
    var users: [User] {
        let before = Dictionary((former?.users ?? []).map { (Self.name($0), $0) }) { $1 }
        return now.users.map { user in
            let past = before[Self.name(user)]
            return User(
                name: Self.name(user), uid: user.uid, connections: user.connections, running: user.runningCalls, memory: user.memoryBytes,
                calls: user.calls - (past?.calls ?? 0), failed: user.failedCalls - (past?.failedCalls ?? 0),
                bytes: user.requestBytes + user.responseBytes - (past?.requestBytes ?? 0) - (past?.responseBytes ?? 0))
        }.filter { $0.calls > 0 || $0.connections > 0 || $0.running > 0 }
            .sorted { ($1.calls, $1.running, $1.connections, $0.name) < ($0.calls, $0.running, $0.connections, $1.name) }
    }

    private static func name(_ user: PBUserStatus) -> String {
        if let uid = user.uid { return "uid \(uid)" }
        return user.gateway.map { "gateway \($0)" } ?? ""
    }

    /// The fraction of the time for which each event loop was busy, 0…1.
    var busyLoops: [Double] {
        now.loops.enumerated().map { index, loop in
            let before = former.flatMap { index < $0.loops.count ? $0.loops[index].busyTime?.inSeconds : nil } ?? 0
            return min(1, max(0, ((loop.busyTime?.inSeconds ?? 0) - before) / seconds))
        }
    }

    var commits: Int64 { (now.storeStatus?.commits ?? 0) - (former?.storeStatus?.commits ?? 0) }
    var writes: Int64 { (now.storeStatus?.writes ?? 0) - (former?.storeStatus?.writes ?? 0) }

    /// How often each limit has refused calls.
    var refusals: [(limit: String, userClass: String, count: Int64)] {
        let before = Dictionary((former?.refusals ?? []).map { ($0.limit + $0.userClass, $0.count) }) { $1 }
        return now.refusals.map { ($0.limit, $0.userClass, $0.count - (before[$0.limit + $0.userClass] ?? 0)) }.filter { $0.2 > 0 }
    }

    /// The frame as one JSON document.
    var document: MonitorDocument { MonitorDocument(self) }
}

/// A line of `admin monitor --json` and `admin top --json`.
struct MonitorDocument: Encodable {
    struct Method: Encodable {
        let method: String
        let calls: Int64, failed: Int64, running: Int64, bytes: Int64
        let callsPerSecond: Double
        let p50Microseconds: Double?, p99Microseconds: Double?
    }

    struct User: Encodable {
        let user: String
        let calls: Int64, failed: Int64, running: Int64, connections: Int64, memoryBytes: Int64, bytes: Int64
        let callsPerSecond: Double
    }

    struct Refusals: Encodable { let limit: String, userClass: String, count: Int64 }

    let seconds: Double
    let connections: Int32
    let runningCalls: Int32
    let busyLoops: [Double]
    let commits: Int64
    let writes: Int64
    let walBytes: Int64
    let methods: [Method]
    let users: [User]
    let refusals: [Refusals]

    init(_ frame: MonitorFrame) {
        let seconds = frame.seconds
        self.seconds = seconds
        connections = frame.now.connections
        runningCalls = frame.now.runningCalls
        busyLoops = frame.busyLoops
        commits = frame.commits
        writes = frame.writes
        walBytes = frame.now.storeStatus?.walBytes ?? 0
        methods = frame.methods.map { method in
            Method(
                method: method.name, calls: method.calls, failed: method.failed, running: method.running, bytes: method.bytes,
                callsPerSecond: Double(method.calls) / seconds, p50Microseconds: method.quantile(0.5).map { Double($0) / 1_000 },
                p99Microseconds: method.quantile(0.99).map { Double($0) / 1_000 })
        }
        users = frame.users.map { user in
            User(
                user: user.name, calls: user.calls, failed: user.failed, running: user.running, connections: user.connections,
                memoryBytes: user.memory, bytes: user.bytes, callsPerSecond: Double(user.calls) / seconds)
        }
        refusals = frame.refusals.map { Refusals(limit: $0.limit, userClass: $0.userClass, count: $0.count) }
    }
}

extension Google_Protobuf_Duration {
    fileprivate var inSeconds: Double { Double(seconds) + Double(nanos) / 1e9 }
}

/// A text that is redrawn in place at a terminal. Earlier output stays above it.
struct RedrawnScreen {
    /// Lines of the last text.
    private var lines = 0

    /// The bytes that draw a text in the place of the last one. Lines beyond the terminal's size are left out, because the terminal
    /// would scroll.
    mutating func draw(_ text: String, rows: Int) -> String {
        let kept = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(text.hasSuffix("\n") ? 1 : 0).prefix(max(1, rows - 1))
        // Move up to the first line of the last text, clear each line after its end, and clear everything below the last line.
        let up = lines > 0 ? "\u{1B}[\(lines)A" : ""
        lines = kept.count
        return up + "\r" + kept.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J"
    }

    /// Leaves the last text where it is, because something else was written below it.
    mutating func leave() { lines = 0 }
}
