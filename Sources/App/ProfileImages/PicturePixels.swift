import Subprocess
import struct SystemPackage.FilePath

/// A square picture as terminals draw it.
public struct PicturePixels: Hashable, Sendable {
    /// Pixels of a row, and rows; at most 1,024.
    public let side: Int
    /// Four bytes a pixel, row by row: red, green, blue, and how opaque it is.
    public let rgba: [UInt8]

    public init(side: Int, rgba: [UInt8]) {
        self.side = side
        self.rgba = rgba
    }

    /// What `pulseboard-image` says about a picture when it is asked for pixels.
    init?(answer: [UInt8]) {
        guard answer.count > 5, answer[0] == 0 else { return nil }
        let side = answer[1..<5].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard (1...Self.largestSide).contains(side), answer.count == 5 + side * side * 4 else { return nil }
        self.init(side: side, rgba: Array(answer[5...]))
    }

    fileprivate static let largestSide = 1_024

    /// Decodes a picture in `pulseboard-image`, which can do nothing but read, compute and write: a picture comes from somebody else.
    /// - Parameter program: that program's path.
    /// - Returns: `nil` for what is no picture, and where there is no such program.
    public static func decoding(_ picture: [UInt8], with program: String) async -> PicturePixels? {
        let result = try? await Subprocess.run(
            .path(FilePath(program)), arguments: ["--pixels"], environment: .custom([:]), input: .array(picture),
            output: .bytes(limit: 5 + largestSide * largestSide * 4), error: .discarded)
        guard let result, case .exited(0) = result.terminationStatus else { return nil }
        return PicturePixels(answer: result.standardOutput)
    }
}
