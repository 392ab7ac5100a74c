import Foundation
import Testing

/// protoc-c's C through the plugin: messages without stubs, as one Clang module.
@Suite struct CFilesTests {
    @Test("methods called like words of C need no C; headers stand below include, with the module's map")
    func methods() async throws {
        let (outcome, files) = try await Protoc.generate(
            """
            syntax = "proto3"; package p;
            message M { string delete = 1; optional int32 register = 2; }
            service S { rpc Delete(M) returns (M); rpc Register(M) returns (stream M); rpc Init(M) returns (M); rpc Default(M) returns (M); }
            """, parameter: "Language=C,CModule=Some_C")
        try #require(outcome.succeeded, "\(outcome.messages)")
        #expect(files.keys.sorted() == ["include/module.modulemap", "include/test.pb-c.h", "test.pb-c.c"])
        #expect(files["include/module.modulemap"] == "module Some_C {\n    header \"test.pb-c.h\"\n    export *\n}\n")
        let header = try #require(files["include/test.pb-c.h"])
        #expect(!header.contains("ProtobufCService"))
        // A oneof with one field: only so can protoc-c's C express that a field is not set.
        #expect(header.contains("P__M__RegisterCase _register_case;"))
    }

    @Test("aliases that differ in letter case are one name in C")
    func aliases() async throws {
        let (outcome, files) = try await Protoc.generate(
            #"syntax = "proto3"; enum E { option allow_alias = true; A = 0; MOO = 2; moo = 2; } message M { E e = 1; }"#,
            parameter: "Language=C,CModule=C")
        try #require(outcome.succeeded, "\(outcome.messages)")
        let header = try #require(files["include/test.pb-c.h"])
        #expect(header.components(separatedBy: "E__MOO = 2").count == 2)
        #expect(try #require(files["test.pb-c.c"]).contains("\"moo\""))
    }

    @Test("C is also written for proto2, for programs without Swift")
    func proto2() async throws {
        let (outcome, files) = try await Protoc.generate(
            #"syntax = "proto2"; message M { required int32 a = 1; }"#, parameter: "Language=C,CModule=C")
        #expect(outcome.succeeded, "\(outcome.messages)")
        #expect(files.count == 3)
    }
}
