import Testing

@testable import RPCCodeGeneration

/// What cannot be generated for is refused with a text that names the place, and then no file is written.
@Suite struct RefusalTests {
    /// A proto, and what protoc must print about it.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var proto: String
        var parameter = "CModule=C"
        var message: String
    }

    static let cases: [Case] = [
        Case(
            testDescription: "proto2", proto: #"syntax = "proto2"; message M { optional int32 a = 1; }"#,
            message: "test.proto: its syntax is proto2; only proto3 is supported"),
        Case(
            testDescription: "no syntax, which means proto2", proto: "message M {}",
            message: "test.proto: its syntax is proto2; only proto3 is supported"),
        Case(
            testDescription: "proto3 optional", proto: #"syntax = "proto3"; message M { optional int32 a = 1; }"#,
            message: "optional"),
        Case(
            testDescription: "a message type of a proto2 file",
            proto: #"""
                syntax = "proto3"; import "google/protobuf/descriptor.proto";
                message M { google.protobuf.FileDescriptorSet set = 1; }
                """#,
            message: "M.set: the type google.protobuf.FileDescriptorSet is of a proto2 file"),
        Case(
            testDescription: "a field that C cannot have beside the struct's own",
            proto: #"syntax = "proto3"; message M { string base = 1; }"#,
            message: "M.base: protoc-c's struct member `base` does not compile"),
        Case(
            testDescription: "a field called like another one's count",
            proto: #"syntax = "proto3"; message M { repeated int32 a = 1; int32 n_a = 2; }"#,
            message: "M.n_a: in protoc-c's struct it would be called `n_a`, as `a` is"),
        Case(
            testDescription: "two fields of one Swift name",
            proto: #"syntax = "proto3"; message M { int32 user_id = 1; oneof userID { int32 b = 2; } }"#,
            message: "M: two of its fields would be called `userID` in Swift"),
        Case(
            testDescription: "two enum values of one Swift name",
            proto: #"syntax = "proto3"; enum E { E_1 = 0; E_E1 = 1; }"#,
            message: "E.E_E1: it would be called `e1` in Swift, as another value is"),
        Case(
            testDescription: "a method for which protoc-c's stub does not compile",
            proto: #"syntax = "proto3"; message M {} service S { rpc Delete(M) returns (M); }"#,
            message: "S.Delete: protoc-c's stub for a method of this name does not compile"),
        Case(
            testDescription: "a streaming method for which it does not either",
            proto: #"syntax = "proto3"; message M {} service S { rpc Register(stream M) returns (stream M); }"#,
            message: "S.Register: protoc-c's stub for a method of this name does not compile"),
        Case(
            testDescription: "two methods of one Swift name, of whatever shapes",
            proto: #"""
                syntax = "proto3"; package p; message M {}
                service S { rpc GetIt(M) returns (M); rpc get_it(stream M) returns (M); }
                """#,
            message: "p.S.get_it: it would be called `getIt` in Swift, as another method is"),
        Case(
            testDescription: "a message called like what a service gives rise to",
            proto: #"""
                syntax = "proto3"; package p; option swift_prefix = "X";
                message SHandler {} service S { rpc Get(SHandler) returns (SHandler); }
                """#,
            message: "p.S: in Swift, p.SHandler takes the name `XSHandler` too; rename one"),
        Case(
            testDescription: "a service called like a type that generated code uses",
            proto: #"syntax = "proto3"; message M {} service Router { rpc Get(M) returns (M); }"#,
            message: "Router: in Swift it would hide the type `Router`; rename it or set swift_prefix"),
        Case(
            testDescription: "no C module", proto: #"syntax = "proto3";"#, parameter: "Visibility=public",
            message: "parameter: CModule is missing"),
        Case(
            testDescription: "an unknown parameter", proto: #"syntax = "proto3";"#, parameter: "CModule=C,Colour=red",
            message: "parameter: `Colour` is unknown"),
        Case(
            testDescription: "an unknown access level", proto: #"syntax = "proto3";"#,
            parameter: "CModule=C,Visibility=open", message: "Visibility is public, package or internal, not `open`"),
    ]

    @Test(arguments: cases)
    func refused(_ item: Case) async throws {
        let (outcome, files) = try await Protoc.generate(item.proto, parameter: item.parameter)
        #expect(!outcome.succeeded)
        #expect(outcome.messages.contains(item.message), "\(outcome.messages)")
        #expect(files.isEmpty)
    }

    @Test("proto3 optional is refused by the generator too, for a caller other than protoc")
    func optional() throws {
        let field = FieldSchema(name: "a", number: 1, type: .bool, oneofIndex: 0, isProto3Optional: true)
        let message = MessageSchema(name: "M", fullName: "p.M", fields: [field], oneofs: [OneofSchema(name: "_a")])
        let file = FileSchema(path: "p.proto", package: "p", syntax: "proto3", messages: [message])
        let context = GenerationContext(
            file: file, parameters: try GeneratorParameters(parsing: "CModule=C"), index: TypeIndex(files: [file]))
        let problem = "protoc-c has no proto3 `optional`; use a `oneof` of this one field, whose wire form is the same"
        #expect(throws: GenerationError(at: "p.M.a", problem)) { try FileGenerator(context: context).files() }
    }

    @Test("bytes that are no request are answered with an error, not with files")
    func garbage() {
        #expect(throws: GenerationError.self) { try CodeGeneratorRequest(serializedBytes: [0xFF, 0xFF]) }
        // `error` is field 1 of the response, and `supported_features` (0) the only other one set.
        let response = CodeGenerator.response(to: [0xFF, 0xFF])
        #expect(response.first == 0x0A)
        #expect(response.suffix(2) == [0x10, 0x00])
        #expect(String(decoding: response, as: UTF8.self).contains("not a google.protobuf.compiler.CodeGeneratorRequest"))
    }
}
