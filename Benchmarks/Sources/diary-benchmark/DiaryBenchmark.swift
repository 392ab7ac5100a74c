import ArgumentParser
import Foundation
import PulseBoardDiary
import PulseBoardDomain
import RPCClient
import RPCCore

/// Measures a diary on a device, and its synchronisation with a server and other devices. Each measurement prints one
/// line of JSON.
@main
struct DiaryBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diary-benchmark",
        abstract: "Measure a diary's saves, lists and synchronisation with a server that runs already.",
        subcommands: [Save.self, List.self, FirstSync.self, Live.self])
}

/// The options for a device's directory and its session.
struct DeviceOptions: ParsableArguments {
    @Option(help: "An empty directory for the devices.") var directory: String

    /// The diary in a device's directory.
    func file(_ name: String) throws -> DiaryFile { try DiaryFile(directory: directory + "/" + name) }
}

struct ServerOptions: ParsableArguments {
    @Option(help: "The server's socket; a comma between those of several devices.") var socket: String
    @Option(help: "The token of the session.") var token: String
    @Option(help: "Whose session it is.") var user: String

    /// A device of the account, with its own connection.
    func diary(_ file: DiaryFile, device: Int = 0) async throws -> CombinedDiaryRepository {
        guard let id = UserID(text: user) else { throw ValidationError("--user is no user id") }
        try await file.attach(to: id)
        let sockets = socket.split(separator: ",").map(String.init)
        let channel = try Channel(Channel.Configuration(socketPath: sockets[min(device, sockets.count - 1)]))
        var options = CallOptions()
        options.metadata.append("Bearer " + token, for: "authorization")
        return CombinedDiaryRepository(file, server: DiaryClient(channel: channel, user: id) { [options] in options })
    }
}

/// A text of a hundred characters, a typical line or two.
func text(_ number: Int) -> String { "\(number) " + String(repeating: "오늘은 비가 왔다. ", count: 9) }

/// The content of an entry. Entries are a third of a day apart.
func content(_ number: Int) throws -> DiaryContent {
    try DiaryContent(entryTime: Timestamp(microseconds: 1_700_000_000_000_000 + Int64(number) * 28_800_000_000), emotion: "calm", text: text(number))
}

/// A random id, as a device makes them.
func newIdentifier() -> DiaryEntryID {
    DiaryEntryID(bits: UUIDBits(high: UInt64.random(in: .min ... .max), low: UInt64.random(in: .min ... .max)))
}

extension Duration {
    var microseconds: Double { Double(components.seconds) * 1e6 + Double(components.attoseconds) / 1e12 }
}

/// Prints a measurement: median and 99th percentile of the durations, and other figures.
func report(_ measure: String, _ durations: [Duration], _ others: [String: Double] = [:]) {
    let sorted = durations.map(\.microseconds).sorted()
    var figures = others
    if !sorted.isEmpty {
        figures["p50_us"] = sorted[sorted.count / 2]
        figures["p99_us"] = sorted[sorted.count * 99 / 100]
    }
    let fields = figures.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \(($0.value * 10).rounded() / 10)" }
    print("{" + (["\"measure\": \"\(measure)\""] + fields).joined(separator: ", ") + "}")
}
