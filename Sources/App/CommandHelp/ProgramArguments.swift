#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The words after the program's name.
///
/// They come from `/proc/self/cmdline`. Swift looks for them beside the environment, and finds none if a preloaded library (`LD_PRELOAD`) has moved
/// the environment: then all options would be passed over in silence.
public struct ProgramArguments: Sendable {
    /// The arguments, with invalid UTF-8 repaired.
    public let words: [String]
    /// Whether all of them are valid UTF-8. If one is not, a part of its text would be lost.
    public let areValid: Bool

    /// The arguments of this process. Without `/proc`, what Swift finds.
    public static var current: ProgramArguments {
        guard let bytes = words(ofFile: "/proc/self/cmdline")?.dropFirst() else {
            return ProgramArguments(words: Array(CommandLine.arguments.dropFirst()), areValid: true)
        }
        return ProgramArguments(
            words: bytes.map { String(decoding: $0, as: UTF8.self) },
            areValid: bytes.allSatisfy { String(validating: $0, as: UTF8.self) != nil })
    }

    /// The words of a file in which each ends with a zero byte; `nil` if it cannot be read or is empty.
    private static func words(ofFile path: String) -> [ArraySlice<UInt8>]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        guard bytes.last == 0 else { return nil }
        return bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
    }
}
