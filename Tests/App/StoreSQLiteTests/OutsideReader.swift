import Foundation

/// Another process that has begun to read a database and holds its snapshot until it is ended.
final class OutsideReader {
    private let process = Process()
    private let input = Pipe()

    init(_ path: String) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.arguments = ["-readonly", path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data("BEGIN; SELECT count(*) FROM profile; SELECT 'begun';\n".utf8))
        // The snapshot is taken when the first answer is there.
        _ = try output.fileHandleForReading.read(upToCount: 1)
    }

    /// Ends the process and its snapshot.
    func end() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
