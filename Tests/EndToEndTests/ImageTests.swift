import Foundation
import Testing

/// Pictures through the built programs, with the real decoder.
@Suite("Pictures, end to end", .serialized, .timeLimit(.minutes(2)))
struct ImageTests {
    /// A PNG of 120 by 80 pixels.
    static let png = Data(
        base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAHgAAABQAQMAAADoVSPKAAAAA1BMVEUAgIBxQSaxAAAAEklEQVQ4y2NgGAWjYBSMgpEJAAUAAAEvwYmaAAAAAElFTkSuQmCC")!

    private func write(_ bytes: Data, to name: String, in house: Household) throws -> String {
        let path = house.root + "/" + name
        try bytes.write(to: URL(filePath: path))
        return path
    }

    @Test("B9, B20: a picture is uploaded, shown, fetched in every size, survives kill -9, and is cleared")
    func life() async throws {
        try await Household.withServer { house, server in
            _ = try await house.enter(as: "one", username: "first")
            _ = try await house.enter(as: "two", username: "second")
            let file = try write(Self.png, to: "photo.png", in: house)
            let shown = try await house.answer("profile", "image", "set", file, as: "one")
            let path = try #require(shown["image"]["path"].text)
            #expect(shown["image"]["contentType"] == "image/webp")
            #expect(try await house.answer("profile", "show", "@first", as: "two") == shown)

            server.send(SIGKILL)
            _ = try await server.ended()
            let next = try await house.startServer()
            for size in ["small", "medium", "large"] {
                let output = house.root + "/\(size).webp"
                let saved = try await house.answer("profile", "image", "get", "@first", "--size", size, "--output", output, as: "two")
                #expect(saved["path"].text == path)
                let bytes = try Data(contentsOf: URL(filePath: output))
                #expect(bytes.prefix(4) == Data("RIFF".utf8) && bytes[8..<12] == Data("WEBP".utf8))
            }
            let cleared = try await house.answer("profile", "image", "clear", as: "one")
            #expect(cleared["image"] == .null)
            let none = try await house.pulseboard("profile", "image", "get", "--output", house.root + "/none.webp", "--json", as: "one")
            #expect(none.exit == .notFound)
            #expect(try none.failure()["reason"] == "IMAGE_NOT_FOUND")
            next.send(SIGTERM)
            #expect(try await next.ended() == .success)
        }
    }

    @Test("C16: pictures that are made to cost much get a reason, and the server's memory rises by 16 MiB at most")
    func bombs() async throws {
        try await Household.withServer { house, server in
            _ = try await house.enter(as: "one", username: "first")
            // One picture is decoded first, so that everything is loaded.
            _ = try await house.answer("profile", "image", "set", try write(Self.png, to: "photo.png", in: house), as: "one")
            /// The server's peak memory in KiB.
            func peak() throws -> Int {
                let status = try String(contentsOfFile: "/proc/\(server.pid)/status", encoding: .utf8)
                return try #require(status.firstMatch(of: #/VmHWM:\s+(\d+) kB/#).flatMap { Int($0.1) })
            }
            let before = try peak()
            // The header of a JPEG with 65,535 times 65,535 pixels, and eight MiB that only begin like a JPEG.
            let header: [UInt8] = [
                0xFF, 0xD8, 0xFF, 0xC0, 0, 0x11, 8, 0xFF, 0xFF, 0xFF, 0xFF, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1, 0xFF, 0xDA, 0, 0x0C, 3, 1, 0, 2,
                0x11, 3, 0x11,
                0, 0x3F, 0, 0xFF, 0xD9,
            ]
            let large = try write(Data(header) + Data(count: 8 << 20 - header.count), to: "large.jpg", in: house)
            let wide = try write(Data(header), to: "wide.jpg", in: house)
            for file in [wide, large, wide, large] {
                let refused = try await house.pulseboard("profile", "image", "set", file, "--json", as: "one")
                #expect(refused.exit == .invalidArgument)
                #expect(try refused.failure()["reason"] == "IMAGE_DIMENSIONS", "\(refused)")
            }
            #expect(try peak() - before <= 16 << 10)
        }
    }

    /// The drawing of `profile show` with a protocol, without the profile itself.
    private func drawing(_ way: String, in house: Household) async throws -> Substring {
        _ = try await house.enter(as: "one", username: "first")
        _ = try await house.answer("profile", "image", "set", try write(Self.png, to: "photo.png", in: house), as: "one")
        let plain = try await house.pulseboard("profile", "show", as: "one")
        #expect(plain.output.contains(" bytes)") && !plain.output.contains("\u{1B}"), "\(plain)")
        let shown = try await house.pulseboard("profile", "show", "--image", way, as: "one")
        return shown.output[..<(try #require(shown.output.range(of: "@first\n")).lowerBound)]
    }

    /// The picture is of one color, #008080.
    private func expectTeal(_ levels: [Int], _ location: SourceLocation = #_sourceLocation) {
        #expect(levels.count == 3 && zip(levels, [0, 128, 128]).allSatisfy { abs($0 - $1) <= 6 }, "\(levels)", sourceLocation: location)
    }

    @Test("profile show draws the picture as kitty and iTerm2 take it, and other programs read that", arguments: ["kitty", "iterm2"])
    func drawn(way: String) async throws {
        try await Household.withServer { house, _ in
            let drawn = try await drawing(way, in: house)
            let file: String
            let format: [String]
            if way == "kitty" {
                let parts = drawn.matches(of: #/\x1B_G[^;]*;([^\x1B]*)\x1B\\/#).map { String($0.1) }
                file = try write(try #require(Data(base64Encoded: parts.joined())), to: "shown.rgba", in: house)
                format = ["-size", "80x80", "-depth", "8", "rgba:" + file]
            } else {
                let text = try #require(drawn.firstMatch(of: #/px:([^\x07]*)\x07/#)).1
                file = try write(try #require(Data(base64Encoded: String(text))), to: "shown.png", in: house)
                format = ["png:" + file]
            }
            let looked = try await house.run("/usr/bin/convert", format + ["-resize", "1x1", "-depth", "8", "txt:"])
            let color = try #require(looked.output.firstMatch(of: #/#([0-9A-F]{2})([0-9A-F]{2})([0-9A-F]{2})/#), "\(looked)")
            expectTeal([color.1, color.2, color.3].compactMap { Int($0, radix: 16) })
            let size = try await house.run("/usr/bin/identify", ["-format", "%wx%h"] + format)
            #expect(size.output == "80x80", "\(size)")
        }
    }

    @Test("profile show draws the picture as sixels: each pixel once, and together in the picture's color")
    func sixels() async throws {
        try await Household.withServer { house, _ in
            let drawn = try await drawing("sixel", in: house)
            #expect(drawn.hasPrefix("\u{1B}P0;1;0q\"1;1;80;80") && drawn.hasSuffix("-\u{1B}\\\n"))
            // ImageMagick reads sixels as black here, so the test decodes them itself: registers with red, green and blue, then runs.
            var colors: [Int: [Int]] = [:]
            for match in drawn.matches(of: #/#(\d+);2;(\d+);(\d+);(\d+)/#) {
                let register = try #require(Int(match.1))
                colors[register] = [match.2, match.3, match.4].compactMap { Int($0) }
            }
            var sums = [0, 0, 0]
            var pixels = 0
            for match in drawn.matches(of: #/#(\d+)((?:!\d+[?-~]|[?-~])+)\$/#) {
                let register = try #require(Int(match.1))
                let color = try #require(colors[register])
                for run in match.2.matches(of: #/(?:!(\d+))?([?-~])/#) {
                    let bits = try #require(run.2.utf8.first) - 63
                    let count = bits.nonzeroBitCount * (run.1.flatMap { Int($0) } ?? 1)
                    pixels += count
                    for channel in 0..<3 { sums[channel] += count * color[channel] }
                }
            }
            #expect(pixels == 80 * 80)
            expectTeal(sums.map { $0 * 255 / (100 * max(1, pixels)) })
        }
    }

    @Test("What is no picture is refused with its reason, in the caller's language, and changes nothing")
    func refused() async throws {
        try await Household.withServer { house, _ in
            let made = try await house.enter(as: "one", username: "first")
            let text = try write(Data("no picture".utf8), to: "notes.txt", in: house)
            let refused = try await house.pulseboard("profile", "image", "set", text, "--json", as: "one")
            #expect(refused.exit == .invalidArgument)
            #expect(try refused.failure()["reason"] == "IMAGE_FORMAT_UNSUPPORTED")
            let cut = try write(Self.png.prefix(Self.png.count / 2), to: "cut.png", in: house)
            let damaged = try await house.pulseboard("profile", "image", "set", cut, as: "one", language: "ko_KR.UTF-8")
            #expect(damaged.exit == .invalidArgument)
            #expect(damaged.errors.contains("사진이 손상되었습니다."))
            let absent = try await house.pulseboard("profile", "image", "set", house.root + "/absent.png", as: "one")
            #expect(absent.exit == .invalidArgument)
            #expect(try await house.answer("profile", "show", as: "one") == made)
        }
    }
}
