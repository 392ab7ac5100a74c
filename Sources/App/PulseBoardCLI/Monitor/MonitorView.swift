import CommandHelp
import Foundation
import PulseBoardMessages

/// The text of a frame: a few lines about the server, and a table of methods or users.
enum MonitorView {
    /// The table of `admin monitor`.
    static func methods(_ frame: MonitorFrame, _ style: TextStyle, _ invocation: Invocation) -> String {
        var table = Table([
            .init(invocation.text("METHOD", "메서드"), narrowest: 20), .init(invocation.text("CALLS/S", "초당 호출"), .right),
            .init(invocation.text("ERRORS/S", "초당 오류"), .right, isOptional: true),
            .init("p50", .right, isOptional: true), .init("p99", .right, isOptional: true),
            .init(invocation.text("RUNNING", "실행 중"), .right, isOptional: true),
            .init(invocation.text("BYTES/S", "초당 바이트"), .right, isOptional: true),
        ])
        let seconds = frame.seconds
        for method in frame.methods {
            // The package is left out, because the services' own names differ.
            let name = method.name.split(separator: ".").last.map(String.init) ?? method.name
            table.append([
                name, rate(method.calls, seconds), rate(method.failed, seconds), latency(method.quantile(0.5)), latency(method.quantile(0.99)),
                Int(method.running).grouped, Invocation.size(perSecond(method.bytes, seconds)),
            ])
        }
        return head(frame, style, invocation) + "\n"
            + (frame.methods.isEmpty ? invocation.text("No calls.", "호출이 없습니다.") + "\n" : table.rendered(style))
            + people(frame, style, invocation)
    }

    /// The table of `admin top`.
    static func users(_ frame: MonitorFrame, _ style: TextStyle, _ invocation: Invocation) -> String {
        var table = Table([
            .init(invocation.text("USER", "사용자")), .init(invocation.text("CALLS/S", "초당 호출"), .right),
            .init(invocation.text("ERRORS/S", "초당 오류"), .right, isOptional: true),
            .init(invocation.text("RUNNING", "실행 중"), .right, isOptional: true),
            .init(invocation.text("CONNECTIONS", "연결"), .right, isOptional: true),
            .init(invocation.text("MEMORY", "메모리"), .right, isOptional: true),
            .init(invocation.text("BYTES/S", "초당 바이트"), .right, isOptional: true),
            .init(invocation.text("CALLS", "호출"), .right, isOptional: true),
        ])
        let seconds = frame.seconds
        for user in frame.users {
            table.append([
                name(user, invocation), rate(user.calls, seconds), rate(user.failed, seconds), Int(user.running).grouped,
                Int(user.connections).grouped, Invocation.size(user.memory), Invocation.size(perSecond(user.bytes, seconds)),
                Int(user.calls).grouped,
            ])
        }
        var text = head(frame, style, invocation) + "\n" + table.rendered(style)
        for refused in frame.refusals {
            text += style.red(invocation.text(
                "refused by \(refused.limit) (\(refused.userClass)): \(Int(refused.count).grouped)",
                "\(refused.limit) 한도로 거절(\(refused.userClass)): \(Int(refused.count).grouped)").safeForTerminal) + "\n"
        }
        return text
    }

    /// The server, its load and its store.
    private static func head(_ frame: MonitorFrame, _ style: TextStyle, _ invocation: Invocation) -> String {
        let info = frame.now, seconds = frame.seconds
        let all = frame.methods.reduce((calls: Int64(0), failed: Int64(0))) { ($0.calls + $1.calls, $0.failed + $1.failed) }
        let busy = frame.busyLoops.map { "\(Int(($0 * 100).rounded())) %" }.joined(separator: " ")
        let first = "pulseboardd \(info.version.safeForTerminal)  " + invocation.text(
            "process \(info.pid), \(counted(info.connections, "connection")), \(counted(info.runningCalls, "call")) running, loops busy \(busy)",
            "프로세스 \(info.pid), 연결 \(Int(info.connections).grouped)개, 실행 중인 호출 \(Int(info.runningCalls).grouped)건, 루프 사용 \(busy)")
        let store = info.storeStatus
        let trouble = store?.trouble.map { style.red($0.reason.safeForTerminal) + "\n" } ?? ""
        let second = invocation.text(
            "\(rate(all.calls, seconds)) calls/s, \(rate(all.failed, seconds)) errors/s, \(rate(frame.commits, seconds)) commits/s, \(rate(frame.writes, seconds)) writes/s, WAL \(Invocation.size(store?.walBytes ?? 0))",
            "초당 호출 \(rate(all.calls, seconds)), 오류 \(rate(all.failed, seconds)), 커밋 \(rate(frame.commits, seconds)), 쓰기 \(rate(frame.writes, seconds)), WAL \(Invocation.size(store?.walBytes ?? 0))")
        let columns = style.columns ?? .max
        // A line is broken before it is emphasized, because escape sequences take no columns.
        return style.bold(first.wrapped(to: columns)) + "\n" + second.wrapped(to: columns) + "\n" + trouble
    }

    /// The users' table, those with the most connections first.
    private static func people(_ frame: MonitorFrame, _ style: TextStyle, _ invocation: Invocation) -> String {
        let connected = frame.users.filter { $0.connections > 0 }.sorted { ($1.connections, $0.name) < ($0.connections, $1.name) }
        guard !connected.isEmpty else { return "" }
        let shown = connected.prefix(8).map { "\(name($0, invocation)) \(Int($0.connections).grouped)" }.joined(separator: ", ")
        let more = connected.count > 8 ? ", …" : ""
        return "\n" + (invocation.text("connections: ", "연결: ") + shown + more).safeForTerminal.wrapped(to: style.columns ?? .max) + "\n"
    }

    /// The user as people read it: a uid with its name on this machine.
    private static func name(_ user: MonitorFrame.User, _ invocation: Invocation) -> String {
        if let uid = user.uid { return invocation.environment.userName(uid).map { "\($0) (\(uid))" } ?? "uid \(uid)" }
        return user.name.isEmpty ? invocation.text("others before", "이전의 다른 사용자") : user.name
    }

    /// `1 connection`, `2 connections`.
    private static func counted(_ number: Int32, _ thing: String) -> String { "\(Int(number).grouped) \(thing)\(number == 1 ? "" : "s")" }

    /// A rate per second, with a decimal if it is small.
    private static func rate(_ count: Int64, _ seconds: Double) -> String {
        let rate = Double(count) / seconds
        return rate == 0 ? "0" : rate < 100 ? rate.oneDecimal : Int(perSecond(count, seconds)).grouped
    }

    /// A rate per second. It saturates, because little time may have passed.
    private static func perSecond(_ count: Int64, _ seconds: Double) -> Int64 {
        Int64(exactly: (Double(count) / seconds).rounded()) ?? (count < 0 ? .min : .max)
    }

    private static func latency(_ nanoseconds: Int64?) -> String {
        guard let nanoseconds else { return "–" }
        guard nanoseconds < .max else { return "> 2 min" }
        let microseconds = Double(nanoseconds) / 1_000
        if microseconds < 1_000 { return microseconds.oneDecimal + " µs" }
        return microseconds < 1e6 ? (microseconds / 1e3).oneDecimal + " ms" : (microseconds / 1e6).oneDecimal + " s"
    }
}
