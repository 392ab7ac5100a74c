import CommandHelp
import PulseBoardDiary
import PulseBoardDomain
import PulseBoardVocabulary
import RPCCore

/// The devices of a diary on its server.
extension DiaryInvocation {
    /// Lists the devices.
    func showDevices() async throws {
        let devices = try await devices()
        let own = try await translating { () throws(DiaryError) in try await file.status().device }
        try invocation.show(document: devices.map { DeviceDocument($0, isThis: $0.id == own) }) {
            var table = Table([
                .init("ID", isWhole: true), .init(invocation.text("NAME", "이름")),
                .init(invocation.text("LAST SEEN", "마지막 사용"), isWhole: true), .init(""),
            ])
            for device in devices {
                table.append([
                    String(device.id.description.prefix(8)), device.name, short(device.seenTime),
                    device.id == own ? invocation.text("this directory", "이 디렉터리") : "",
                ])
            }
            return table.rendered(invocation.style)
        }
    }

    /// Removes the device whose id begins with a text.
    func removeDevice(_ text: String) async throws {
        let prefix = text.lowercased()
        let found = try await devices().filter { !prefix.isEmpty && $0.id.description.hasPrefix(prefix) }
        guard found.count == 1, let device = found.first else {
            throw CommandFailure(
                code: found.isEmpty ? .notFound : .invalidArgument, reason: Reason.identifierInvalid.rawValue,
                message: found.isEmpty
                    ? invocation.text("The diary has no such device.", "그런 기기가 없습니다.")
                    : invocation.text("Several devices begin with \(prefix). Give more of the id.", "\(prefix)(으)로 시작하는 기기가 여러 대입니다. 더 길게 적어 주세요."),
                nextCommand: invocation.failureContext.command("diary devices"))
        }
        let client = try await client()
        try await translating { () throws(DiaryError) in try await client.remove(device.id) }
        try invocation.show(document: ["removed": device.id.description]) { invocation.text("Removed.", "지웠습니다.") + "\n" }
    }

    private func devices() async throws(CommandFailure) -> [DiaryDevice] {
        let client = try await client()
        return try await translating { () throws(DiaryError) in try await client.devices() }
    }
}

/// A device as JSON.
private struct DeviceDocument: Encodable {
    let id: String
    let name: String
    let seenTime: String
    /// Whether it is the directory of the command.
    let isThis: Bool

    init(_ device: DiaryDevice, isThis: Bool) {
        id = device.id.description
        name = device.name
        seenTime = UTCTime.text(seconds: device.seenTime.wholeSeconds)
        self.isThis = isThis
    }
}
