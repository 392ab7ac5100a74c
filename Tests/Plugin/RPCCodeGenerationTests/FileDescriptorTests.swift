import Foundation
import GoldenMessages
import ProtobufC
import ProtobufWellKnownTypes
import Testing

@testable import RPCCodeGeneration

/// The descriptors in generated files for server reflection, compared with protoc's.
@Suite struct FileDescriptorTests {
    @Test("a generated descriptor and all that it imports are protoc's, byte for byte", arguments: [
        Golden_V1_EverythingFile.descriptor, GSStreamsFile.descriptor, GPNamesFile.descriptor, UnpackagedFile.descriptor,
        Google_Rpc_ErrorDetailsFile.descriptor, Google_Rpc_StatusFile.descriptor, Google_Rpc_CodeFile.descriptor,
        Google_Protobuf_EmptyFile.descriptor,
    ])
    func protocAgrees(file: FileDescriptor) async throws {
        let expected = try await descriptorSet([
            "-I\(Protoc.goldenProtos.path())", "-I\(Protoc.ownProtos.path())", "--include_imports", file.name,
        ])
        #expect(Self.set(of: file.withAllDependencies.map(\.serializedBytes)) == expected)
    }

    @Test("a file stands behind all that it imports, and nothing twice")
    func order() {
        #expect(GSStreamsFile.descriptor.withAllDependencies.map(\.name) == [
            "golden/v1/places.proto", "golden/v1/forwarding.proto", "golden/v1/streams.proto",
        ])
        let base = FileDescriptor(name: "base", dependencies: [], serializedBytes: [1])
        let left = FileDescriptor(name: "left", dependencies: [base], serializedBytes: [2])
        let right = FileDescriptor(name: "right", dependencies: [base, left], serializedBytes: [3])
        let top = FileDescriptor(name: "top", dependencies: [right, left], serializedBytes: [4])
        #expect(top.withAllDependencies == [base, left, right, top])
    }

    @Test("a service leads to the file that declares it")
    func services() {
        #expect(GSShapeService.file == GSStreamsFile.descriptor)
        #expect(GSShapeService.file.name == "golden/v1/streams.proto")
        #expect(GPNameService.file.name == "golden/v1/names.proto")
    }

    @Test("comments and positions go; custom options and all else stay")
    func withoutSource() async throws {
        try await Protoc.withTemporaryFolder { folder in
            try Data(Self.annotated.utf8).write(to: folder.appending(path: "test.proto"))
            let arguments = ["-I\(folder.path())", "test.proto"]
            let given = try await descriptorSet(arguments + ["--include_source_info"])
            let expected = try await descriptorSet(arguments)
            #expect(given.count > expected.count)
            // A set of one file contains only that file, as field 1. In a request the files are field 15.
            let request = [0x7A] + given.dropFirst()
            let files = try CodeGeneratorRequest(serializedBytes: request).files
            #expect(Self.set(of: files.map(\.serialized)) == expected)
        }
    }

    @Test("a file imported for its options alone, and what that one imports, need no Swift of their own")
    func optionsOnly() async throws {
        let (outcome, files) = try await Protoc.generate(Self.annotated)
        try #require(outcome.succeeded, "\(outcome.messages)")
        let lines = try #require(files["test.pb.swift"]).split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(lines.contains("private static let imported1 = FileDescriptor("))
        #expect(lines.contains(#"name: "google/protobuf/descriptor.proto","#))
        #expect(!lines.contains { $0.contains("File.descriptor") })
    }

    @Test("a file refers to the descriptor of another one by the name that it has in their module")
    func renamed() async throws {
        let (outcome, files) = try await Protoc.generate(
            ["image.proto", "upload.proto"],
            of: [
                "image.proto": #"syntax = "proto3"; package p; message Image {}"#,
                "upload.proto": #"syntax = "proto3"; package p; import "image.proto"; message ImageFile { Image image = 1; }"#,
            ])
        try #require(outcome.succeeded, "\(outcome.messages)")
        #expect(try #require(files["image.pb.swift"]).contains("public enum P_ImageFile_ {"))
        let text = try #require(files["upload.pb.swift"])
        #expect(text.contains("public struct P_ImageFile: Message {"))
        #expect(text.contains("P_ImageFile_.descriptor,"))
    }

    @Test("a file of services alone has a descriptor, and needs no C module for it")
    func servicesOnly() async throws {
        let (outcome, files) = try await Protoc.generate(
            #"""
            syntax = "proto3"; import "google/protobuf/empty.proto";
            service S { rpc Ping(google.protobuf.Empty) returns (google.protobuf.Empty); }
            """#)
        try #require(outcome.succeeded, "\(outcome.messages)")
        let text = try #require(files["test.pb.swift"])
        #expect(text.contains("public enum TestFile {"))
        #expect(text.contains("Google_Protobuf_EmptyFile.descriptor,"))
        #expect(!text.contains("import C\n"))
        #expect(try #require(files["test.rpc.swift"]).contains("static var file: FileDescriptor { TestFile.descriptor }"))
    }

    @Test("a file that declares nothing has no Swift")
    func nothing() async throws {
        let (outcome, files) = try await Protoc.generate(#"syntax = "proto3"; import public "google/protobuf/empty.proto";"#)
        #expect(outcome.succeeded)
        #expect(files.isEmpty)
    }

    @Test("an import that protoc did not describe is refused, for a caller other than protoc")
    func missingImport() throws {
        let file = FileSchema(
            path: "p.proto", package: "p", syntax: "proto3", dependencies: ["q.proto"],
            messages: [MessageSchema(name: "M", fullName: "p.M")])
        let context = GenerationContext(
            file: file, parameters: try GeneratorParameters(parsing: "CModule=C"), index: TypeIndex(files: [file]), names: TopLevelNames([file]))
        #expect(throws: GenerationError(at: "p.proto", "it imports q.proto, which is not among the files protoc gave")) {
            try FileGenerator(context: context).files()
        }
    }

    /// Custom options need the proto2 file descriptor.proto, for which no Swift is generated.
    private static let annotated = #"""
        syntax = "proto3";
        package p;
        import "google/protobuf/descriptor.proto";
        extend google.protobuf.FieldOptions { string unit = 50001; }
        // A comment.
        message M {
          int32 length = 1 [(unit) = "mm", json_name = "Länge"];  // Another one.
          reserved 2, 5 to 9;
          reserved "width";
        }
        """#

    /// The `FileDescriptorSet` that protoc writes.
    private func descriptorSet(_ arguments: [String]) async throws -> [UInt8] {
        let outcome = try await Protoc.run(arguments + ["--descriptor_set_out=/dev/stdout"])
        try #require(outcome.succeeded, "\(outcome.messages)")
        return outcome.output
    }

    /// The wire form of a `FileDescriptorSet`, whose field 1 are the files.
    private static func set(of files: [[UInt8]]) -> [UInt8] {
        files.flatMap { [0x0A] + varint($0.count) + $0 }
    }

    private static func varint(_ number: Int) -> [UInt8] {
        number < 0x80 ? [UInt8(number)] : [UInt8(number & 0x7F) | 0x80] + varint(number >> 7)
    }
}
