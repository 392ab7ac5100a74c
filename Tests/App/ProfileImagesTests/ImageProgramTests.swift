import Foundation
import PulseBoardDomain
import Subprocess
import Testing

@testable import ProfileImages

@Suite("Decoding of pictures")
struct ImageProgramTests {
    let folder: PictureFolder
    let program: ImageProgram

    init() throws {
        folder = try PictureFolder()
        program = ImageProgram(program: imageProgram, uploadsIn: folder.path, patience: .seconds(600))
    }

    /// A wide picture: red, then green, then blue, so that its middle square shows a third of green between two sixths.
    static let stripes = [
        "-size", "600x300", "xc:red", "-fill", "lime", "-draw", "rectangle 200,0 399,299", "-fill", "blue", "-draw", "rectangle 400,0 599,299"
    ]

    @Test("Every format that people upload becomes three squares of WebP in sRGB", arguments: [
        ("plain.jpg", ["-quality", "90"]), ("progressive.jpg", ["-interlace", "JPEG"]), ("four-inks.jpg", ["-colorspace", "CMYK"]),
        ("plain.png", []), ("sixteen-bit.png", ["-depth", "16"]), ("palette.png", ["-colors", "8", "-type", "Palette"]),
        ("interlaced.png", ["-interlace", "PNG"]), ("lossy.webp", []), ("lossless.webp", ["-define", "webp:lossless=true"]),
    ])
    func formats(name: String, options: [String]) async throws {
        let result = try await Subprocess.run(
            .name("convert"), arguments: Arguments(Self.stripes + options + [name]), workingDirectory: .init(folder.path), output: .discarded,
            error: .string(limit: 4096))
        try #require(result.terminationStatus.isSuccess, "\(result.standardError)")
        let variants = try await program.variants(of: try folder.bytes(of: name))
        #expect(try await folder.sides(of: variants[.small]) == "WEBP 96x96")
        #expect(try await folder.sides(of: variants[.medium]) == "WEBP 300x300")
        #expect(try await folder.sides(of: variants[.large]) == "WEBP 300x300")
        let colors = try await folder.colors(of: variants[.medium], at: [(20, 150), (150, 150), (280, 150)])
        #expect(colors[0].isNear(Color(red: 255, green: 0, blue: 0)), "\(colors)")
        #expect(colors[1].isNear(Color(red: 0, green: 255, blue: 0)), "\(colors)")
        #expect(colors[2].isNear(Color(red: 0, green: 0, blue: 255)), "\(colors)")
    }

    @Test("A gray picture stays gray, and a large one is made smaller")
    func grayAndLarge() async throws {
        let variants = try await program.variants(
            of: try await folder.picture("gray.png", "-size", "2200x2100", "xc:gray(128)", "-colorspace", "Gray"))
        #expect(try await folder.sides(of: variants[.small]) == "WEBP 96x96")
        #expect(try await folder.sides(of: variants[.medium]) == "WEBP 400x400")
        #expect(try await folder.sides(of: variants[.large]) == "WEBP 1024x1024")
        let color = try await folder.colors(of: variants[.large], at: [(500, 500)])[0]
        #expect(color.isNear(Color(red: 128, green: 128, blue: 128), within: 2), "\(color)")
    }

    @Test("The first frame of an animation is taken")
    func animation() async throws {
        let variants = try await program.variants(
            of: try await folder.picture("moving.webp", "-delay", "10", "-size", "200x200", "xc:red", "xc:blue"))
        let color = try await folder.colors(of: variants[.small], at: [(50, 50)])[0]
        #expect(color.isNear(Color(red: 255, green: 0, blue: 0)), "\(color)")
    }

    @Test("Transparent pixels stay transparent and do not darken their neighbors")
    func transparency() async throws {
        let variants = try await program.variants(
            of: try await folder.picture(
                "half.png", "-size", "1000x1000", "xc:none", "-fill", "yellow", "-draw", "rectangle 500,0 999,999"))
        try folder.write(variants[.small], to: "half.webp")
        try await folder.run("convert", "half.webp", "-depth", "8", "rgba:pixels")
        let pixels = try folder.bytes(of: "pixels")
        let row = stride(from: 48 * 96 * 4, to: 49 * 96 * 4, by: 4).map { Array(pixels[$0..<$0 + 4]) }
        #expect(row[10][3] == 0)
        #expect(row[90][3] == 255)
        #expect(row.allSatisfy { $0[3] < 128 || ($0[0] > 240 && $0[1] > 240) }, "a border as bright as the rest: \(row[46..<50])")
    }

    @Test("Noise, also of the transparency, is stored in every size and stays within the sizes' bytes", arguments: ["300x300", "1200x1100"])
    func noise(size: String) async throws {
        let picture = try await folder.picture("noise.png", "-size", size, "xc:gray", "-alpha", "set", "-channel", "RGBA", "+noise", "Random")
        let variants = try await program.variants(of: picture)
        for size in ImageSize.allCases { #expect(variants[size].count <= size.maximumBytes) }
        try folder.write(variants[.large], to: "large.webp")
        let transparency = try await folder.run("convert", "large.webp", "-alpha", "extract", "-format", "%[fx:minima] %[fx:maxima]", "info:")
        #expect(transparency == "0 1")
    }

    @Test("C15: all eight orientations come out upright", arguments: [
        (1, []), (2, ["-flop"]), (3, ["-rotate", "180"]), (4, ["-flip"]), (5, ["-transpose"]), (6, ["-rotate", "270"]),
        (7, ["-transverse"]), (8, ["-rotate", "90"]),
    ])
    func orientations(number: Int, stored: [String]) async throws {
        for name in ["turned.jpg", "turned.png", "turned.webp"] {
            let quarters = [
                "-size", "400x400", "xc:white", "-fill", "red", "-draw", "rectangle 0,0 199,199", "-fill", "lime", "-draw",
                "rectangle 200,0 399,199", "-fill", "blue", "-draw", "rectangle 200,200 399,399",
            ]
            let made = try await Subprocess.run(
                .name("convert"), arguments: Arguments(quarters + stored + [name]), workingDirectory: .init(folder.path), output: .discarded)
            try #require(made.terminationStatus.isSuccess)
            try await folder.run("exiftool", "-q", "-overwrite_original", "-n", "-Orientation=\(number)", name)
            let variants = try await program.variants(of: try folder.bytes(of: name))
            let colors = try await folder.colors(of: variants[.small], at: [(20, 20), (76, 20), (76, 76), (20, 76)])
            #expect(colors[0].isNear(Color(red: 255, green: 0, blue: 0)), "\(name) \(colors)")
            #expect(colors[1].isNear(Color(red: 0, green: 255, blue: 0)), "\(name) \(colors)")
            #expect(colors[2].isNear(Color(red: 0, green: 0, blue: 255)), "\(name) \(colors)")
            #expect(colors[3].isNear(Color(red: 255, green: 255, blue: 255)), "\(name) \(colors)")
        }
    }

    @Test("C14: no variant holds the upload's EXIF, place or text", arguments: ["told.jpg", "told.png", "told.webp"])
    func metadata(name: String) async throws {
        // Always the same picture: a random one holds one of the shorter words by chance now and then.
        _ = try await folder.picture(name, "-seed", "1", "-size", "300x300", "plasma:")
        try await folder.run(
            "exiftool", "-q", "-overwrite_original", "-n", "-GPSLatitude=37.5", "-GPSLatitudeRef=N", "-GPSLongitude=127", "-GPSLongitudeRef=E",
            "-Artist=Kim Minji", "-XMP-dc:Description=secret words", name)
        let input = try folder.bytes(of: name)
        #expect(String(decoding: input, as: UTF8.self).contains("secret words"))
        let variants = try await program.variants(of: input)
        for size in ImageSize.allCases {
            let text = String(decoding: variants[size], as: UTF8.self)
            for word in ["Exif", "EXIF", "GPS", "XMP", "Kim Minji", "secret words", "ICCP"] { #expect(!text.contains(word), "\(size): \(word)") }
        }
    }

    @Test("Colors of a wide profile are converted: Display P3's red is outside of sRGB's")
    func profile() async throws {
        // ImageMagick's P3 profile is not installed everywhere, so this profile swaps red and green.
        var input = try await folder.picture("swapped.png", "-size", "200x200", "xc:rgb(255,0,0)")
        let profile = SwappedProfile.bytes
        input = try PNG.adding(profile: profile, to: input)
        let variants = try await program.variants(of: input)
        let color = try await folder.colors(of: variants[.small], at: [(50, 50)])[0]
        #expect(color.green > 200 && color.red < 60, "red under a profile whose red is green: \(color)")
    }

    // MARK: What is refused

    @Test("A picture that takes too long to decode ends with SIGXCPU: SIGKILL, which the hard limit sends, would mean that memory is short")
    func processorTime() async throws {
        let process = Process(), input = Pipe()
        process.executableURL = URL(filePath: imageProgram)
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        defer {
            // Without input it ends.
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
        // The program sets its limits before it reads.
        var limits: [Substring] = []
        while limits.isEmpty || limits.contains("unlimited") {
            let all = try String(contentsOfFile: "/proc/\(process.processIdentifier)/limits", encoding: .utf8)
            limits = all.split(separator: "\n").first { $0.hasPrefix("Max cpu time") }?.split(separator: " ").dropFirst(3).map(\.self) ?? []
            await Task.yield()
        }
        let seconds = limits.compactMap { Int($0) }
        #expect(seconds.count == 2 && seconds[0] < seconds[1], "\(limits)")
    }

    @Test("The signal at the limit of processor time refuses the picture, and the one of a lack of memory asks to try again", arguments: [
        ("XCPU", ImageRefusal.invalid), ("KILL", .busy),
    ])
    func signals(name: String, refusal: ImageRefusal) async throws {
        try await makeProgram("program", of: "kill -\(name) $$")
        let program = ImageProgram(program: folder.path + "/program", uploadsIn: folder.path, patience: .seconds(600))
        await #expect(throws: refusal) { try await program.variants(of: Array("GIF89a".utf8)) }
    }

    @Test("A damaged byte near the end of a PNG, and a JPEG with less data than its size needs, are found")
    func damagedEnd() async throws {
        var png = try await folder.picture("end.png", "-size", "64x64", "plasma:", "-define", "png:exclude-chunk=all")
        // The end chunk has twelve bytes, and the picture's own chunk ends with a checksum of four, behind the four of zlib.
        png[png.count - 12 - 4 - 6] ^= 1
        await #expect(throws: ImageRefusal.invalid) { try await program.variants(of: png) }

        var jpeg = try await folder.picture("end.jpg", "-size", "64x64", "plasma:", "-interlace", "none")
        let frame = try #require(jpeg.indices.dropLast(1).first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
        // The height is after the marker, the length and the precision.
        (jpeg[frame + 5], jpeg[frame + 6]) = (4, 0)
        await #expect(throws: ImageRefusal.invalid) { try await program.variants(of: jpeg) }
    }

    @Test("A program that cannot work says nothing of the picture", arguments: [70, 74, 126, 127])
    func unusable(code: Int) async throws {
        try await makeProgram("program", of: "exit \(code)")
        let program = ImageProgram(program: folder.path + "/program", uploadsIn: folder.path, patience: .seconds(600))
        let refusal = ImageRefusal.unavailable(detail: "\(folder.path)/program ended with the code \(code)")
        await #expect(throws: refusal) { try await program.variants(of: Array("GIF89a".utf8)) }
    }

    @Test("Other formats, and nothing at all, are refused as such", arguments: [[], Array("GIF89a".utf8), Array("%PDF-1.4".utf8), [0xff, 0xd8]])
    func unsupported(bytes: [UInt8]) async throws {
        await #expect(throws: ImageRefusal.formatUnsupported) { try await program.variants(of: bytes) }
    }

    @Test("A picture that was cut off is damaged, in every format", arguments: ["cut.jpg", "cut.png", "cut.webp"])
    func cutOff(name: String) async throws {
        let whole = try await folder.picture(name, "-size", "500x500", "plasma:")
        await #expect(throws: ImageRefusal.invalid) { try await program.variants(of: Array(whole.prefix(whole.count / 2))) }
    }

    @Test("C16: headers of 65,535 times 65,535 pixels are refused by their headers")
    func hugeHeaders() async throws {
        await #expect(throws: ImageRefusal.dimensions) { try await program.variants(of: PNG.bytes(width: 65_535, height: 65_535, data: [1, 2, 3])) }
        var jpeg = try await folder.picture("small.jpg", "-size", "32x32", "xc:red")
        let start = try #require(jpeg.indices.first { jpeg[$0...].starts(with: [0xff, 0xc0]) })
        jpeg.replaceSubrange(start + 5..<start + 9, with: [0xff, 0xff, 0xff, 0xff])
        await #expect(throws: ImageRefusal.dimensions) { try await program.variants(of: jpeg) }
        jpeg.replaceSubrange(start + 5..<start + 9, with: [0x40, 0, 0x40, 0])
        await #expect(throws: ImageRefusal.dimensions) { try await program.variants(of: jpeg) }
    }

    @Test("C16: a JPEG of thousands of scans is refused, one of many decodes")
    func scans() async throws {
        let picture = try await folder.picture("scans.jpg", "-size", "1200x1200", "xc:gray", "-interlace", "JPEG")
        let last = try #require(picture.indices.last { picture[$0...].starts(with: [0xff, 0xda]) })
        let scan = picture[last..<picture.count - 2]
        func bytes(scans: Int) -> [UInt8] { Array(picture.dropLast(2)) + (0..<scans).flatMap { _ in scan } + [0xff, 0xd9] }
        await #expect(throws: ImageRefusal.invalid) { try await program.variants(of: bytes(scans: 5000)) }
        _ = try await program.variants(of: bytes(scans: 20))
    }

    @Test("C16: a large JPEG may have fewer scans than a small one, because each goes through the whole picture")
    func scansOfLargePictures() async throws {
        let picture = try await folder.picture("large-scans.jpg", "-size", "5000x5000", "xc:gray", "-interlace", "JPEG")
        let last = try #require(picture.indices.last { picture[$0...].starts(with: [0xff, 0xda]) })
        let scan = picture[last..<picture.count - 2]
        let bomb = Array(picture.dropLast(2)) + (0..<40).flatMap { _ in scan } + [0xff, 0xd9]
        await #expect(throws: ImageRefusal.invalid) { try await program.variants(of: bomb) }
        _ = try await program.variants(of: picture)
    }

    @Test("C16: chunks that promise or inflate to more than there is room for are refused")
    func chunks() async throws {
        let profileBomb = try await folder.deflated(zeros: 300_000_000)
        await #expect(throws: ImageRefusal.invalid) {
            try await program.variants(of: PNG.bytes(width: 8, height: 8, before: [("iCCP", [97, 0, 0] + profileBomb)], data: [1]))
        }
        var promise = PNG.bytes(width: 8, height: 8, data: [])
        promise = Array(promise.prefix(33)) + [0x7f, 0xff, 0xff, 0xff] + Array("tEXt".utf8) + [UInt8](repeating: 97, count: 1000)
        await #expect(throws: ImageRefusal.invalid) { try await program.variants(of: promise) }
    }

    @Test("An upload of more than 8 MiB ends where it becomes too large")
    func tooLarge() async throws {
        let upload = try await program.beginUpload(of: .random(using: SystemRandomSource()))
        let chunk = [UInt8](repeating: 0, count: 1 << 20)
        for _ in 0..<8 { try await upload.append(chunk) }
        await #expect(throws: ImageRefusal.tooLarge) { try await upload.append([0]) }
    }

    // MARK: The sandbox

    @Test("C17: a decoder that opens a file is killed, and only its upload fails")
    func sandbox() async throws {
        // A library that replaces libwebp's encoder does what an exploited decoder could do.
        let source = """
            #include <fcntl.h>
            int WebPEncode(const void *config, void *picture) { return open("/etc/passwd", O_RDONLY) >= 0; }
            """
        try folder.write(Array(source.utf8), to: "break-out.c")
        try await folder.run("cc", "-shared", "-fPIC", "-o", "break-out.so", "break-out.c")
        let picture = try await folder.picture("plain.png", "-size", "32x32", "xc:red")
        let result = try await Subprocess.run(
            .path(.init(imageProgram)), environment: .custom(["LD_PRELOAD": folder.path + "/break-out.so"]), input: .array(picture),
            output: .bytes(limit: 1 << 20), error: .discarded)
        #expect(result.terminationStatus == .signaled(SIGSYS))
        #expect(result.standardOutput.isEmpty)
        _ = try await program.variants(of: picture)
    }

    @Test("C16: a decoder that goes on and on has at most five seconds of CPU, and its end is the picture's fault")
    func endlessDecoder() async throws {
        // A library that stands in for the C library tells what the program asks of it.
        let source = """
            #include <stdint.h>
            #include <stdio.h>
            int setrlimit(int resource, const uint64_t *limits) {
                if (resource == 0) dprintf(1, "%d %d ", (int)limits[0], (int)limits[1]);
                return 0;
            }
            """
        try folder.write(Array(source.utf8), to: "limits.c")
        try await folder.run("cc", "-shared", "-fPIC", "-o", "limits.so", "limits.c")
        let result = try await Subprocess.run(
            .path(.init(imageProgram)), environment: .custom(["LD_PRELOAD": folder.path + "/limits.so"]), input: .array(Array("GIF89a".utf8)),
            output: .bytes(limit: 1 << 20), error: .discarded)
        let words = String(decoding: result.standardOutput, as: UTF8.self).split(separator: " ").prefix(2).map(String.init)
        let limits = words.compactMap { Int($0) }
        #expect(limits.count == 2 && limits.allSatisfy { (1...5).contains($0) }, "\(words)")

        // How the system ends a program at its limit.
        try await makeProgram("endless", of: "kill -XCPU $$")
        await #expect(throws: ImageRefusal.invalid) {
            try await ImageProgram(program: folder.path + "/endless", uploadsIn: folder.path, patience: .seconds(600)).variants(of: [1])
        }
    }

    /// Makes a program of a command of the shell. Another process writes its file. If this process did, a program that another test starts at that
    /// moment could hold the file open, and the kernel would refuse to run it (ETXTBSY).
    private func makeProgram(_ name: String, of command: String) async throws {
        try folder.write(Array("#!/bin/sh\n\(command)\n".utf8), to: name + ".sh")
        try await folder.run("install", "-m", "755", name + ".sh", name)
    }

    @Test("A decoder that the kernel kills is busy: its picture may be good")
    func killedDecoder() async throws {
        try await makeProgram("killed", of: "kill -KILL $$")
        await #expect(throws: ImageRefusal.busy) {
            try await ImageProgram(program: folder.path + "/killed", uploadsIn: folder.path, patience: .seconds(600)).variants(of: [1])
        }
    }

    @Test("A program that is missing is the server's fault, not the picture's")
    func missingProgram() async throws {
        let absent = ImageProgram(program: folder.path + "/absent", uploadsIn: folder.path)
        await #expect {
            try await absent.variants(of: [1])
        } throws: { error in
            if case .unavailable? = error as? ImageRefusal { true } else { false }
        }
    }

    @Test("An answer that is not the program's is refused: cut off, too long, or of another size", arguments: [
        [], [9], [0], [0, 96, 0, 0, 0], [0, 96, 0, 0, 0, 255, 255, 255, 127], [0, 97, 0, 0, 0, 1, 0, 0, 0, 5],
        [0] + [96, 0, 0, 0, 1, 0, 0, 0, 5] + [96, 0, 0, 0, 1, 0, 0, 0, 5] + [96, 0, 0, 0, 1, 0, 0, 0, 5] + [1],
    ] as [[UInt8]])
    func answers(bytes: [UInt8]) {
        #expect(throws: ImageRefusal.invalid) { try ImageProgram.variants(in: bytes) }
    }
}
