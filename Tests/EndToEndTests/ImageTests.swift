import Foundation
import Testing

/// Pictures through the built programs, with the real decoder.
@Suite("Pictures, end to end", .serialized, .timeLimit(.minutes(2)))
struct ImageTests {
    /// A PNG of 120 by 80 pixels.
    private static let png = Data(base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAHgAAABQAQMAAADoVSPKAAAAA1BMVEUAgIBxQSaxAAAAEklEQVQ4y2NgGAWjYBSMgpEJAAUAAAEvwYmaAAAAAElFTkSuQmCC")!

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
