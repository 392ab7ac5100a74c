import Foundation

/// Runs protoc with the plugin that this package has just built, on protos of the tests.
struct Protoc {
    /// What a run left behind.
    struct Outcome {
        var succeeded: Bool
        /// Standard output, which `--encode` and `--decode` write to.
        var output: Data
        /// Standard error.
        var messages: String
    }

    static let goldenFolder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
    static let goldenProtos = goldenFolder.appending(path: "Proto")
    /// The package's own protos.
    static let ownProtos = URL(filePath: #filePath).appending(path: "../../../Proto").standardized

    /// SwiftPM puts the plugin beside the program that runs the tests.
    private static let plugin = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "protoc-gen-pulseboard-swift")

    /// Runs protoc with these arguments, `input` on its standard input.
    static func run(_ arguments: [String], input: Data = Data()) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["protoc"] + arguments
        let (standardInput, output, messages) = (Pipe(), Pipe(), Pipe())
        (process.standardInput, process.standardOutput, process.standardError) = (standardInput, output, messages)
        try process.run()
        try standardInput.fileHandleForWriting.write(contentsOf: input)
        try standardInput.fileHandleForWriting.close()
        // protoc writes a line or two of messages, which the pipe holds until standard output has ended.
        let written = try output.fileHandleForReading.readToEnd() ?? Data()
        let problems = try messages.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Outcome(
            succeeded: process.terminationStatus == 0, output: written, messages: String(decoding: problems, as: UTF8.self))
    }

    /// Generates Swift for protos below `folder` and gives the texts by path.
    static func generate(
        _ protos: [String], in folder: URL, parameter: String = "CModule=GoldenMessagesC,Import=ProtobufWellKnownTypes"
    ) throws -> (outcome: Outcome, files: [String: String]) {
        try withTemporaryFolder { output in
            let outcome = try run(
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
    ) throws -> (outcome: Outcome, files: [String: String]) {
        try withTemporaryFolder { folder in
            try Data(proto.utf8).write(to: folder.appending(path: "test.proto"))
            return try generate(["test.proto"], in: folder, parameter: parameter)
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

    /// Gives `body` a folder of its own, which is gone afterwards.
    static func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rpc-code-generation-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }
}
