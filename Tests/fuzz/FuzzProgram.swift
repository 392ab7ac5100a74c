#if DEBUG || FUZZING
import Foundation
import FuzzTargets

/// Runs one target on files, or under libFuzzer, or writes its seeds.
///
///     fuzz list
///     fuzz seeds TARGET FOLDER                     one file an input
///     fuzz replay TARGET FILE…                     once each
///     fuzz run TARGET [libFuzzer's arguments]      where it was built with libFuzzer
///     fuzz cost TARGET [libFuzzer's arguments]     the same, after inputs that cost much for their length
enum FuzzProgram {
    /// Performs every command except `run` and `cost`, and ends the process.
    static func act(_ words: [String]) throws -> Never {
        if words.count == 2, words[1] == "list" {
            print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
            exit(0)
        }
        let target = target(words)
        switch words[1] {
        case "seeds" where words.count == 4:
            let folder = URL(filePath: words[3])
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (number, seed) in target.seeds().enumerated() { try Data(seed).write(to: folder.appending(path: "seed-\(number)")) }
        case "replay":
            for file in words.dropFirst(3) {
                let bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
                target.run(bytes.span.bytes)
            }
        default: usage()
        }
        exit(0)
    }

    static func target(_ words: [String]) -> FuzzTarget {
        guard words.count > 2, let target = FuzzTarget.all.first(where: { $0.name == words[2] }) else { usage() }
        return target
    }

    private static func usage() -> Never {
        print("usage: fuzz list | seeds TARGET FOLDER | replay TARGET FILE… | run TARGET … | cost TARGET … (the last two as Scripts/fuzz builds it)")
        exit(64)
    }
}
#endif

#if !FUZZING
@main
enum Main {
    static func main() throws {
        #if DEBUG
        try FuzzProgram.act(CommandLine.arguments)
        #endif
    }
}
#endif
