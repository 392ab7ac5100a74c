import Subprocess
import struct SystemPackage.FilePath

/// The pixels of a square picture, for drawing in a terminal.
public struct PicturePixels: Hashable, Sendable {
    /// The number of rows, and of pixels in a row; at most 1,024.
    public let side: Int
    /// Four bytes for each pixel, row by row: red, green, blue, alpha.
    public let rgba: [UInt8]

    public init(side: Int, rgba: [UInt8]) {
        self.side = side
        self.rgba = rgba
    }

    /// Reads the answer of `pulseboard-image` to a request for pixels.
    init?(answer: [UInt8]) {
        guard answer.count > 5, answer[0] == 0 else { return nil }
        let side = answer[1..<5].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard (1...Self.largestSide).contains(side), answer.count == 5 + side * side * 4 else { return nil }
        self.init(side: side, rgba: Array(answer[5...]))
    }

    fileprivate static let largestSide = 1_024

    /// Decodes a picture in `pulseboard-image`, a sandboxed program, because pictures are not trusted.
    /// - Parameter program: the path of that program.
    /// - Returns: `nil` if the bytes are not a picture, or the program does not exist.
    public static func decoding(_ picture: [UInt8], with program: String) async -> PicturePixels? {
        let result = try? await Subprocess.run(
            .path(FilePath(program)), arguments: ["--pixels"], environment: .custom([:]), input: .array(picture),
            output: .bytes(limit: 5 + largestSide * largestSide * 4), error: .discarded)
        guard let result, case .exited(0) = result.terminationStatus else { return nil }
        return PicturePixels(answer: result.standardOutput)
    }
}
