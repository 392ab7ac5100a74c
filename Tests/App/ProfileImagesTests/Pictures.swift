import Foundation
import PulseBoardDomain
import Subprocess
import Testing

@testable import ProfileImages

/// The program from the same build as the tests.
let imageProgram = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    .appending(path: "pulseboard-image").path

/// A folder of pictures made by ImageMagick. It is removed with the test.
final class PictureFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "pictures-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Runs a tool in the folder and returns what it prints. A tool that is missing fails the test: `Scripts/setup test` installs it.
    @discardableResult
    func run(_ tool: String, _ arguments: String...) async throws -> String {
        let result = try await Subprocess.run(
            .name(tool), arguments: Arguments(arguments), workingDirectory: .init(path), output: .string(limit: 1 << 20),
            error: .string(limit: 1 << 16))
        try #require(result.terminationStatus.isSuccess, "\(tool) \(arguments): \(result.standardError)")
        return result.standardOutput
    }

    /// Makes a picture with ImageMagick and returns its bytes.
    func picture(_ name: String, _ arguments: String...) async throws -> [UInt8] {
        let result = try await Subprocess.run(
            .name("convert"), arguments: Arguments(arguments + [name]), workingDirectory: .init(path), output: .discarded,
            error: .string(limit: 1 << 16))
        try #require(result.terminationStatus.isSuccess, "convert \(arguments): \(result.standardError)")
        return try bytes(of: name)
    }

    func bytes(of name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path).appending(path: name))) }

    func write(_ bytes: [UInt8], to name: String) throws { try Data(bytes).write(to: URL(filePath: path).appending(path: name)) }

    /// The colors of some pixels of a picture, as `RRGGBB` in hexadecimal, opaque or not.
    func colors(of bytes: [UInt8], at places: [(x: Int, y: Int)]) async throws -> [Color] {
        try write(bytes, to: "looked-at.webp")
        var colors: [Color] = []
        for place in places {
            let text = try await run("convert", "looked-at.webp", "-crop", "1x1+\(place.x)+\(place.y)", "-depth", "8", "rgba:pixel")
            _ = text
            let pixel = try self.bytes(of: "pixel")
            try #require(pixel.count == 4)
            colors.append(Color(red: Int(pixel[0]), green: Int(pixel[1]), blue: Int(pixel[2])))
        }
        return colors
    }

    /// The sides of a picture in pixels.
    func sides(of bytes: [UInt8]) async throws -> String {
        try write(bytes, to: "measured.webp")
        return try await run("identify", "-format", "%m %wx%h", "measured.webp")
    }
}

struct Color: CustomStringConvertible {
    let red, green, blue: Int

    /// Whether no channel differs by more than a lossy format can cause.
    func isNear(_ other: Color, within distance: Int = 12) -> Bool {
        abs(red - other.red) <= distance && abs(green - other.green) <= distance && abs(blue - other.blue) <= distance
    }

    var description: String { "\(red),\(green),\(blue)" }
}

extension ImageProgram {
    /// Uploads a picture in chunks and decodes it.
    func variants(of bytes: [UInt8]) async throws(ImageRefusal) -> ImageVariants {
        let upload = try await beginUpload(of: .random(using: SystemRandomSource()))
        for start in stride(from: 0, to: bytes.count, by: 100_000) {
            try await upload.append(Array(bytes[start..<min(start + 100_000, bytes.count)]))
        }
        return try await upload.decoded()
    }
}
