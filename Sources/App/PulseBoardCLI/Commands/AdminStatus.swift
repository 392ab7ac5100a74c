import ArgumentParser
import PulseBoardMessages
import RPCCore

/// `pulseboard admin status`
struct AdminStatus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say how the server is: version, process, load, store.")

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await options.run { invocation in
            let info = try await invocation.translatingErrors(about: .nothing) { () async throws(RPCError) in
                try await invocation.admin.getServerInfo(PBGetServerInfoRequest(), options: invocation.callOptions())
            }
            try invocation.show(info) { Self.card(info, invocation).rendered(invocation.style) }
        }
    }

    private static func card(_ info: PBServerInfo, _ invocation: Invocation) -> Card {
        let state = info.draining
            ? invocation.text("ending: finishes its last calls", "종료 중: 마지막 호출을 마치고 있습니다")
            : info.storeStatus?.trouble == nil
                ? invocation.text("serving", "서비스 중")
                : invocation.text("not serving: the store fails", "서비스 불가: 저장소 장애")
        let socket = info.socketHandedOver
            ? info.socket + invocation.text(" (handed over)", " (넘겨받음)")
            : info.socket
        var card = Card(title: "pulseboardd " + info.version)
        card.append(invocation.text("state", "상태"), state)
        card.append(invocation.text("process", "프로세스"), String(info.pid))
        card.append(invocation.text("started", "시작"), invocation.time(info.startTime))
        card.append(invocation.text("uptime", "가동 시간"), span(info.uptime?.seconds ?? 0, invocation))
        card.append(invocation.text("connections", "연결"), Int(info.connections).grouped)
        card.append(invocation.text("running calls", "실행 중인 호출"), Int(info.runningCalls).grouped)
        card.append(invocation.text("socket", "소켓"), socket)
        if !info.remoteSocket.isEmpty { card.append(invocation.text("remote socket", "원격 소켓"), info.remoteSocket) }
        card.append(invocation.text("store", "저장소"), info.store)
        if let status = info.storeStatus { invocation.append(status, to: &card) }
        for cache in info.caches { invocation.append(cache, to: &card) }
        return card
    }

    /// A span of seconds in its largest units, such as `1 d 2 h 3 min 4 s`; units before the first that counts are left out.
    private static func span(_ seconds: Int64, _ invocation: Invocation) -> String {
        let parts = [
            (seconds / 86_400, invocation.text(" d", "일")), (seconds / 3_600 % 24, invocation.text(" h", "시간")),
            (seconds / 60 % 60, invocation.text(" min", "분")), (seconds % 60, invocation.text(" s", "초")),
        ]
        let first = parts.firstIndex { $0.0 > 0 } ?? parts.count - 1
        return parts[first...].map { String($0.0) + $0.1 }.joined(separator: " ")
    }
}
