import Foundation

/// PNG files made chunk by chunk, for contents that no real program writes.
enum PNG {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    /// A picture of eight bits of red, green and blue.
    static func bytes(width: UInt32, height: UInt32, before: [(String, [UInt8])] = [], data: [UInt8]) -> [UInt8] {
        let header = bigEndian(width) + bigEndian(height) + [8, 2, 0, 0, 0]
        let chunks = [("IHDR", header)] + before + [("IDAT", data), ("IEND", [])]
        return signature + chunks.flatMap { chunk($0.0, $0.1) }
    }

    /// The picture with an ICC profile before its data.
    static func adding(profile: [UInt8], to picture: [UInt8]) throws -> [UInt8] {
        // The data is stored and not compressed: a zlib stream of blocks of at most 65,535 bytes.
        var stream: [UInt8] = [0x78, 0x01]
        stream += [1] + littleEndian(UInt16(profile.count)) + littleEndian(~UInt16(profile.count)) + profile
        stream += bigEndian(adler32(profile))
        // ImageMagick's own color chunks would contradict the profile.
        var rest = picture.dropFirst(8), kept: [UInt8] = []
        while rest.count >= 12 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            let whole = rest.prefix(length + 12)
            let name = String(decoding: whole.dropFirst(4).prefix(4), as: UTF8.self)
            if !["gAMA", "cHRM", "sRGB", "iCCP"].contains(name) { kept += whole }
            if name == "IHDR" { kept += chunk("iCCP", Array("made".utf8) + [0, 0] + stream) }
            rest = rest.dropFirst(length + 12)
        }
        return signature + kept
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return bigEndian(UInt32(data.count)) + body + bigEndian(crc32(body))
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0 as UInt32) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
        }
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var a: UInt32 = 1, b: UInt32 = 0
        for byte in bytes { a = (a + UInt32(byte)) % 65_521; b = (b + a) % 65_521 }
        return b << 16 | a
    }
}

func bigEndian(_ number: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
func littleEndian(_ number: UInt16) -> [UInt8] { [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)] }

/// An ICC profile of sRGB with red and green exchanged. A decoder that ignores the profile shows the wrong colors.
enum SwappedProfile {
    static let bytes: [UInt8] = {
        func fixed(_ value: Double) -> [UInt8] { bigEndian(UInt32(bitPattern: Int32((value * 65_536).rounded()))) }
        func place(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] { Array("XYZ ".utf8) + [0, 0, 0, 0] + fixed(x) + fixed(y) + fixed(z) }
        let curve = Array("curv".utf8) + [0, 0, 0, 0] + bigEndian(1) + [0x02, 0x33, 0, 0]  // gamma 2.2
        let text = Array("desc".utf8) + [0, 0, 0, 0] + bigEndian(5) + Array("made\0".utf8) + [UInt8](repeating: 0, count: 78)
        let tags: [(String, [UInt8])] = [
            ("desc", text), ("wtpt", place(0.9642, 1, 0.8249)), ("rXYZ", place(0.3851, 0.7169, 0.0971)), ("gXYZ", place(0.4361, 0.2225, 0.0139)),
            ("bXYZ", place(0.1431, 0.0606, 0.7141)), ("rTRC", curve), ("gTRC", curve), ("bTRC", curve), ("cprt", Array("text".utf8) + [0, 0, 0, 0, 0])
        ]
        var table: [UInt8] = bigEndian(UInt32(tags.count)), data: [UInt8] = []
        for (name, value) in tags {
            table += Array(name.utf8) + bigEndian(UInt32(128 + 4 + tags.count * 12 + data.count)) + bigEndian(UInt32(value.count))
            data += value + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
        }
        var header = bigEndian(UInt32(128 + table.count + data.count)) + [0, 0, 0, 0] + [2, 0x10, 0, 0]
        header += Array("mntrRGB XYZ ".utf8) + [UInt8](repeating: 0, count: 12) + Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
        header += fixed(0.9642) + fixed(1) + fixed(0.8249)
        return header + [UInt8](repeating: 0, count: 128 - header.count) + table + data
    }()
}

extension PictureFolder {
    /// Many zeros as a deflate stream. Python makes the stream, so that the test does not hold the zeros in memory.
    func deflated(zeros count: Int) async throws -> [UInt8] {
        let program =
            "import sys, zlib; c = zlib.compressobj(9); b = bytes(1 << 20)\nopen('zeros', 'wb').write(b''.join(c.compress(b) for _ in range(\(count) >> 20)) + c.flush())"
        try await run("python3", "-c", program)
        return try bytes(of: "zeros")
    }
}
