import ArgumentParser
import InteropMessages
import RPCClient
import RPCCore

/// Runs one case of gRPC's interoperability tests against any server of `grpc.testing.TestService`.
@main struct InteropClient: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "interop-client", abstract: "Run one of gRPC's interoperability test cases over a Unix socket.",
        discussion: "Cases: \(InteropCase.all.map(\.name).joined(separator: ", ")).\nThose that ttrpc cannot express: "
            + "\(InteropCase.all.filter(\.needsGRPC).map(\.name).joined(separator: ", ")).")

    @Option(help: "The server's socket.") var socket: String
    @Option(help: "The case, or “all” for all that the protocol can express.") var testCase: String
    @Option(name: .customLong("protocol"), help: "What is spoken on the socket.") var wireProtocol = WireProtocol.grpc

    func validate() throws {
        guard testCase != "all" else { return }
        guard let known = InteropCase.all.first(where: { $0.name == testCase }) else { throw ValidationError("there is no case \(testCase)") }
        if known.needsGRPC, wireProtocol == .ttrpc { throw ValidationError("ttrpc cannot express \(testCase)") }
    }

    func run() async throws {
        var configuration = Channel.Configuration(socketPath: socket)
        configuration.wireProtocol = wireProtocol
        let channel = try Channel(configuration)
        let outcome = await runCases(channel)
        await channel.close()
        if case .failure(let failure) = outcome {
            print(failure)
            throw ExitCode.failure
        }
    }

    private func runCases(_ channel: Channel) async -> Result<Void, InteropFailure> {
        for each in InteropCase.all where each.name == testCase || (testCase == "all" && (wireProtocol == .grpc || !each.needsGRPC)) {
            do {
                // On the channel's executor, a message is in the connection's output when its write returns.
                try await Task(executorPreference: channel.executor) { try await each.run(Grpc_Testing_TestServiceClient(channel: channel)) }.value
                print("\(each.name): ok")
            } catch let failure as InteropFailure {
                return .failure(InteropFailure("\(each.name): \(failure)"))
            } catch {
                return .failure(InteropFailure("\(each.name): \(error)"))
            }
        }
        return .success(())
    }
}

extension WireProtocol: ExpressibleByArgument {
    public init?(argument: String) {
        guard let found = Self.allCases.first(where: { "\($0)" == argument }) else { return nil }
        self = found
    }

    public static var allValueStrings: [String] { allCases.map { "\($0)" } }
    public var defaultValueDescription: String { "\(self)" }
}

/// A difference between a server's behaviour and the case.
struct InteropFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// - Throws: ``InteropFailure`` when the two differ.
    static func check<Value: Equatable>(_ what: String, _ value: Value, _ expected: Value) throws {
        guard value == expected else { throw InteropFailure("\(what) is \(value), not \(expected)") }
    }
}
