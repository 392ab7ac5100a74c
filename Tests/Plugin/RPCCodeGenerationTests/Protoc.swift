import Foundation
import Subprocess

/// Runs protoc with this package's plugin on protos of the tests.
struct Protoc {
    /// The result of a run.
    struct Outcome {
        var succeeded: Bool
        /// Standard output, which `--encode` and `--decode` write to.
        var output: [UInt8]
        /// Standard error.
        var messages: String
    }

    static let goldenFolder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
    static let goldenProtos = goldenFolder.appending(path: "Proto")
    /// The package's own protos.
    static let ownProtos = URL(filePath: #filePath).appending(path: "../../../../Proto").standardized

    /// SwiftPM builds the plugin beside the program that runs the tests.
    private static let plugin = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "protoc-gen-pulseboard-swift")

    /// Runs protoc with these arguments, `input` on its standard input.
    ///
    /// It does not use Foundation's Process, which can crash with thousands of open descriptors, as in other tests.
    static func run(_ arguments: [String], input: [UInt8] = []) async throws -> Outcome {
        let result = try await Subprocess.run(
            .name("protoc"), arguments: Arguments(arguments), input: .array(input), output: .bytes(limit: 1 << 24),
            error: .string(limit: 1 << 20))
        return Outcome(
            succeeded: result.terminationStatus.isSuccess, output: result.standardOutput, messages: result.standardError)
    }

    /// Generates Swift for protos below `folder`. Returns the texts by path.
    static func generate(
        _ protos: [String], in folder: URL, parameter: String = "CModule=GoldenMessagesC,Import=ProtobufWellKnownTypes"
    ) async throws -> (outcome: Outcome, files: [String: String]) {
        try await withTemporaryFolder { output in
            let outcome = try await run(
                [
                    "-I\(folder.path())", "--plugin=protoc-gen-pulseboard-swift=\(plugin.path())",
                    "--pulseboard-swift_out=\(parameter):\(output.path())",
                ] + protos)
            return (outcome, try texts(below: output))
        }
    }

    /// Generates Swift for one proto given as text.
    static func generate(
        _ proto: String, parameter: String = "CModule=C"
    ) async throws -> (outcome: Outcome, files: [String: String]) {
        try await generate(["test.proto"], of: ["test.proto": proto], parameter: parameter)
    }

    /// Generates for `protos`, which are among the texts, given by path.
    static func generate(
        _ protos: [String], of texts: [String: String], parameter: String = "CModule=C"
    ) async throws -> (outcome: Outcome, files: [String: String]) {
        try await withTemporaryFolder { folder in
            for (path, text) in texts {
                let file = folder.appending(path: path)
                try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            return try await generate(protos, in: folder, parameter: parameter)
        }
    }

    /// The text of every file below `folder`, by its path inside it.
    static func texts(below folder: URL) throws -> [String: String] {
        var texts: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path()) where path.contains(".") {
            texts[path] = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        }
        return texts
    }

    /// Runs `body` with a temporary folder, and removes it afterwards.
    static func withTemporaryFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rpc-code-generation-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }
}
