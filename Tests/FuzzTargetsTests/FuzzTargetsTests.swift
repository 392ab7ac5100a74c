import Foundation
import TestHarness
import Testing

@testable import FuzzTargets

/// The targets of `make fuzz` with their seeds, with mutations of these, and with every input that ever broke a target.
@Suite struct FuzzTargetsTests {
    @Test("every target has seeds, and takes them all", arguments: FuzzTarget.all.map(\.name))
    func seeds(_ name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let seeds = target.seeds()
        #expect(seeds.count > 2)
        #expect(seeds.contains { $0.count > 20 })
        for seed in seeds { target.run(seed.span.bytes) }
    }

    @Test("every target takes mutations of its seeds, the same in each run", arguments: FuzzTarget.all.map(\.name))
    func mutations(_ name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let seeds = target.seeds()
        var random = SeededRandom(seed: 0x5015_EB0A_2D00_0002)
        for _ in 0..<2_000 {
            var bytes = seeds.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes[at] ^= 1 << UInt8.random(in: 0...7, using: &random)
                case 1: bytes[at] = .random(in: 0...255, using: &random)
                case 2: bytes.insert(.random(in: 0...255, using: &random), at: at)
                case 3: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...8, using: &random)))
                default: bytes += (seeds.randomElement(using: &random) ?? []).prefix(200)
                }
            }
            target.run(bytes.span.bytes)
        }
    }

    /// The files are `Tests/Vectors/fuzz/<target>/<what it was>`, as libFuzzer writes them.
    @Test("what once broke a target breaks it no more", arguments: FuzzTarget.all.map(\.name))
    func findings(_ name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(path: "Vectors/fuzz/\(name)")
        for file in (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? [] {
            let bytes = [UInt8](try Data(contentsOf: file))
            target.run(bytes.span.bytes)
        }
    }
}
