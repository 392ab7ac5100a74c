import Foundation
import Testing

/// The plugin's whole output for the protos in `Golden/Proto`, compared with the committed files.
///
/// These files are also compiled in the target `GoldenMessages`, so they are valid Swift.
@Suite struct GoldenFileTests {
    static let protos = [
        "golden/v1/everything.proto", "golden/v1/names.proto", "golden/v1/places.proto", "golden/v1/presence.proto",
        "golden/v1/streams.proto", "golden/v1/wide.proto", "unpackaged.proto",
    ]

    @Test("protoc with the plugin writes exactly the committed files")
    func outputIsGolden() async throws {
        let (outcome, files) = try await Protoc.generate(Self.protos, in: Protoc.goldenProtos)
        try #require(outcome.succeeded, "\(outcome.messages)")
        let golden = try Protoc.texts(below: Protoc.goldenFolder.appending(path: "Swift"))
        #expect(files.keys.sorted() == golden.keys.sorted())
        for (path, text) in files {
            #expect(text == golden[path], "\(path) differs: run Scripts/generate and look at the difference")
        }
    }

    @Test("the output does not depend on which files are generated together, or in which order")
    func outputIsDeterministic() async throws {
        let together = try await Protoc.generate(Self.protos.reversed(), in: Protoc.goldenProtos).files
        var apart: [String: String] = [:]
        for proto in Self.protos {
            apart.merge(try await Protoc.generate([proto], in: Protoc.goldenProtos).files) { first, _ in first }
        }
        #expect(together == apart)
    }

    @Test("Visibility changes the access level of every declaration")
    func visibility() async throws {
        let parameter = "CModule=GoldenMessagesC,Import=ProtobufWellKnownTypes,Visibility=package"
        let (outcome, files) = try await Protoc.generate(Self.protos, in: Protoc.goldenProtos, parameter: parameter)
        #expect(outcome.succeeded)
        #expect(!files.isEmpty)
        for (path, text) in files {
            let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("///") }
            #expect(!code.contains { $0.contains("public ") }, "\(path)")
            #expect(code.contains { $0.hasPrefix("package ") }, "\(path)")
        }
    }
}
