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

    @Test("a deprecated field gives no warning in the code that uses every member")
    func deprecated() async throws {
        let (outcome, files) = try await Protoc.generate(
            #"syntax = "proto3"; message M { string old = 1 [deprecated = true]; repeated int32 many = 2 [deprecated = true]; }"#,
            parameter: "Language=C,CModule=C")
        try #require(outcome.succeeded, "\(outcome.messages)")
        #expect(try #require(files["include/test.pb-c.h"]).contains("DEPRECATED") == false)
    }

    @Test("aliases that differ in letter case are two names in C")
    func aliases() async throws {
        let (outcome, files) = try await Protoc.generate(
            #"syntax = "proto3"; enum E { option allow_alias = true; A = 0; MOO = 2; moo = 2; } message M { E e = 1; }"#,
            parameter: "Language=C,CModule=C")
        try #require(outcome.succeeded, "\(outcome.messages)")
        let header = try #require(files["include/test.pb-c.h"])
        #expect(header.contains("  E__MOO = 2,\n  E__moo = 2\n"))
        #expect(try #require(files["test.pb-c.c"]).contains("\"moo\""))
    }

    @Test("an enumerator that a oneof and an enum have with the same number is in the header once, also as the last of its enum", arguments: [
        "enum Kind { NOT_SET = 0; }", "enum Kind { NOT_SET = 0; OTHER = 1; }", "enum Kind { NOT_SET = 0; A = 1; }",
    ])
    func enumeratorOfTwo(_ kind: String) async throws {
        let proto = "syntax = \"proto3\"; message Foo { \(kind) oneof kind { int32 b = 2; int32 _a = 1; } Kind k = 3; }"
        let (outcome, files) = try await Protoc.generate(proto, parameter: "Language=C,CModule=C")
        try #require(outcome.succeeded, "\(outcome.messages)")
        let lines = try #require(files["include/test.pb-c.h"]).split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("  FOO__KIND__NOT_SET = 0") }.count == 1)
        #expect(lines.filter { $0.hasPrefix("  FOO__KIND__A = 1") }.count == 1)
        // The macro behind the last enumerator begins with a comma.
        for (line, next) in zip(lines, lines.dropFirst()) where next.contains("PROTOBUF_C__FORCE_ENUM_TO_BE_INT_SIZE") {
            #expect(!line.hasSuffix(","), "\(line)")
        }
        let swift = try await Protoc.generate(proto)
        #expect(swift.outcome.succeeded, "\(swift.outcome.messages)")
    }

    @Test("options that change protoc-c's names and types, or that leave out names, change nothing")
    func options() async throws {
        // protobuf-c's options, under names of the test. protoc-c knows them by their numbers.
        let proto = #"""
            syntax = "proto3"; package p; import "google/protobuf/descriptor.proto";
            option optimize_for = CODE_SIZE;
            option (file).c_package = "other";
            message FileStyle { string c_package = 6; }
            message FieldStyle { bool string_as_bytes = 1; }
            extend google.protobuf.FileOptions { FileStyle file = 1019; }
            extend google.protobuf.FieldOptions { FieldStyle field = 1019; }
            message M { string name = 1 [(field).string_as_bytes = true]; }
            """#
        let (outcome, files) = try await Protoc.generate(proto, parameter: "Language=C,CModule=C")
        try #require(outcome.succeeded, "\(outcome.messages)")
        let header = try #require(files["include/test.pb-c.h"])
        #expect(header.contains("struct  P__M\n"))
        #expect(header.contains("  char *name;\n"))
        let source = try #require(files["test.pb-c.c"])
        #expect(source.contains(#"  "p.M","#))
        #expect(source.contains(#"    "name","#))
    }

    @Test("the header of an import is included if a type of it is used, also through `import public`, and not for options alone")
    func includes() async throws {
        let (outcome, files) = try await Protoc.generate(
            ["test.proto", "forward.proto"],
            of: [
                "pattern.proto": #"syntax = "proto3"; package r; message Pattern { string text = 1; }"#,
                "rules.proto": #"""
                    syntax = "proto3"; package r; import "google/protobuf/descriptor.proto"; import "pattern.proto";
                    extend google.protobuf.FieldOptions { Pattern pattern = 50001; }
                    """#,
                "leaf.proto": #"syntax = "proto3"; package p; message Leaf {}"#,
                "forward.proto": #"syntax = "proto3"; package p; import public "leaf.proto"; import "google/protobuf/any.proto";"#,
                "test.proto": #"""
                    syntax = "proto3"; package p;
                    import "rules.proto"; import "forward.proto"; import "google/protobuf/empty.proto"; import "google/protobuf/descriptor.proto";
                    extend google.protobuf.MessageOptions { string note = 50002; }
                    message M { option (note) = "x"; string name = 1 [(r.pattern).text = "a*"]; Leaf leaf = 2; }
                    service S { rpc Ping(M) returns (google.protobuf.Empty); }
                    """#,
            ], parameter: "Language=C,CModule=C")
        try #require(outcome.succeeded, "\(outcome.messages)")
        func included(in path: String) throws -> [Substring] {
            try #require(files[path]).split(separator: "\n").filter { $0.hasPrefix("#include \"") }
        }
        #expect(try included(in: "include/forward.pb-c.h") == ["#include \"leaf.pb-c.h\""])
        #expect(try included(in: "include/test.pb-c.h") == ["#include \"forward.pb-c.h\"", "#include \"google/protobuf/empty.pb-c.h\""])
    }

    @Test("C is also written for proto2, for programs without Swift")
    func proto2() async throws {
        let (outcome, files) = try await Protoc.generate(
            #"syntax = "proto2"; message M { required int32 a = 1; }"#, parameter: "Language=C,CModule=C")
        #expect(outcome.succeeded, "\(outcome.messages)")
        #expect(files.count == 3)
    }
}
