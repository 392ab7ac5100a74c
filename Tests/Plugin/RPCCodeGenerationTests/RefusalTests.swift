import Foundation
import Testing

@testable import RPCCodeGeneration

/// Unsupported files are refused with a text that names the place, and no file is written.
@Suite struct RefusalTests {
    /// A proto, and the error that protoc must print.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var proto: String
        var parameter = "CModule=C"
        var message: String
    }

    static let cases: [Case] = [
        Case(
            testDescription: "proto2", proto: #"syntax = "proto2"; message M { optional int32 a = 1; }"#,
            message: "test.proto:1: its syntax is proto2; only proto3 is supported"),
        Case(
            testDescription: "proto2, behind a comment", proto: "// One.\n\nsyntax = \"proto2\";\nmessage M {}",
            message: "test.proto:3: its syntax is proto2; only proto3 is supported"),
        Case(
            testDescription: "no syntax, which means proto2", proto: "message M {}",
            message: "test.proto:1: its syntax is proto2; only proto3 is supported"),
        Case(
            testDescription: "a group, at which protoc-c would crash",
            proto: "syntax = \"proto2\";\nmessage Outer { message M {\n  optional group G = 1 { optional int32 a = 1; }\n} }",
            parameter: "Language=C,CModule=C", message: "test.proto:3: Outer.M.g: protoc-c has no groups"),
        Case(
            testDescription: "a message type of a proto2 file",
            proto: #"""
                syntax = "proto3"; import "google/protobuf/descriptor.proto";
                message M { google.protobuf.FileDescriptorSet set = 1; }
                """#,
            message: "test.proto:2: M.set: the type google.protobuf.FileDescriptorSet is of a proto2 file"),
        Case(
            testDescription: "a field that C cannot have beside the struct's own",
            proto: #"syntax = "proto3"; message M { string base = 1; }"#,
            message: "M.base: protoc-c's struct member `base` does not compile"),
        Case(
            testDescription: "a field called like a macro that protobuf-c's header defines",
            proto: #"syntax = "proto3"; message M { bool static_assert = 1; }"#,
            message: "M.static_assert: protoc-c's struct member `static_assert` does not compile"),
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
            testDescription: "a service called like a property of clients",
            proto: #"syntax = "proto3"; message M {} service channel { rpc Ping(M) returns (M); }"#,
            message: "channel: generated code has a local `channel`, which would hide it; rename it or set swift_prefix"),
        Case(
            testDescription: "a package that begins with a digit in Swift",
            proto: #"syntax = "proto3"; package _1.api; message M {}"#,
            message: "test.proto: no name in Swift begins with `1_Api_`, which comes from its package; set swift_prefix"),
        Case(
            testDescription: "a message called like a macro of C", proto: #"syntax = "proto3"; message NULL {}"#,
            message: "NULL: its type in C cannot be called `NULL`; rename it, or give the file another package"),
        Case(
            testDescription: "a message without a name in C", proto: #"syntax = "proto3"; message _ {}"#,
            message: "_: its type in C cannot be called ``; rename it, or give the file another package"),
        Case(
            testDescription: "a message called like a type of protobuf-c", proto: #"syntax = "proto3"; message ProtobufCMessage {}"#,
            message: "ProtobufCMessage: its type in C cannot be called `ProtobufCMessage`; rename it, or give the file another package"),
        Case(
            testDescription: "a method with the Swift name of its service",
            proto: #"syntax = "proto3"; message M {} service ping { rpc Ping(M) returns (M); }"#,
            message: "ping.Ping: in Swift it would have the name of its service, `ping`"),
        Case(
            testDescription: "two types of one C name",
            proto: "syntax = \"proto3\"; package t;\nmessage FooBar {}\nmessage Foo_Bar {}",
            message: "test.proto:2: t.FooBar: in protoc-c's C it would be called `T__FooBar`, as t.Foo_Bar is"),
        Case(
            testDescription: "two types whose C functions have one name",
            proto: #"syntax = "proto3"; message A { enum B { Z = 0; } } message A_B {}"#,
            message: "A.B: in protoc-c's C it would be called `a__b`, as A_B is"),
        Case(
            testDescription: "a type called like the C type of a oneof",
            proto: #"syntax = "proto3"; message M { oneof kind { int32 a = 1; } message KindCase {} }"#,
            message: "M.KindCase: in protoc-c's C it would be called `M__KindCase`, as M.kind is"),
        Case(
            testDescription: "an enum that would change which field of a oneof counts as set by default, because C has one name for both",
            proto: "syntax = \"proto3\";\nmessage Foo { enum Kind { ZERO = 0; NOT_SET = 3; }\noneof kind { int32 a = 1; int32 b = 3; } Kind k = 5; }",
            message: "test.proto:3: Foo.kind: protoc-c's C would use the name `FOO__KIND__NOT_SET` for it and for Foo.Kind.NOT_SET; rename one"),
        Case(
            testDescription: "two fields of oneofs that have one name in C",
            proto: #"syntax = "proto3"; message Foo { oneof a { int32 b_c = 1; } oneof a_b { int32 c = 2; } }"#,
            message: "test.proto:1: Foo.b_c: protoc-c's C would use the name `FOO__A_B_C` for it and for Foo.c; rename one"),
        Case(
            testDescription: "an enum and a oneof whose sizes have one name in C",
            proto: #"syntax = "proto3"; message Foo { oneof kind { int32 a = 1; } message Kind { enum Case { Z = 0; } } }"#,
            message: "Foo.kind: protoc-c's C would use the name `_FOO__KIND__CASE_IS_INT_SIZE` for it and for Foo.Kind.Case; rename one"),
        Case(
            testDescription: "a message without a package that is called like a type of generated code, which its C struct would hide",
            proto: #"syntax = "proto3"; message Message { string text = 1; }"#,
            message: "test.proto:1: Message: its C type would be called `Message`, like a type that generated code uses; give the file a package"),
        Case(
            testDescription: "one whose C struct alone is called so",
            proto: #"syntax = "proto3"; message string { int32 a = 1; }"#,
            message: "test.proto:1: string: its C type would be called `String`, like a type that generated code uses; give the file a package"),
        Case(
            testDescription: "a type called like the C module, which has the struct of another type without package",
            proto: #"syntax = "proto3"; message M { message C {} }"#,
            message: "M: a message or enum is called `C` in Swift, as the C module is"),
        Case(
            testDescription: "two types of one Swift name in a message",
            proto: #"syntax = "proto3"; message M { message String {} message StringMessage {} }"#,
            message: "M.StringMessage: it would be called `StringMessage` in Swift, as another type or a field of its message is"),
        Case(
            testDescription: "two methods of one Swift name, of whatever shapes",
            proto: #"""
                syntax = "proto3"; package p; message M {}
                service S { rpc GetIt(M) returns (M); rpc get_it(stream M) returns (M); }
                """#,
            message: "test.proto:2: p.S.get_it: it would be called `getIt` in Swift, as another method is"),
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
            testDescription: "a service called like a keyword of Swift",
            proto: #"syntax = "proto3"; message M {} service default { rpc Get(M) returns (M); }"#,
            message: "default: `default` is a keyword of Swift; rename it or set swift_prefix"),
        Case(
            testDescription: "no C module", proto: #"syntax = "proto3";"#, parameter: "Visibility=public",
            message: "parameter: CModule is missing"),
        Case(
            testDescription: "a C module that is no module's name", proto: #"syntax = "proto3";"#, parameter: "CModule=Hello C",
            message: "parameter: CModule takes the name of a module, not `Hello C`"),
        Case(
            testDescription: "an import that is no module's name", proto: #"syntax = "proto3";"#, parameter: "CModule=C,Import=Foo-Bar",
            message: "parameter: Import takes the name of a module, not `Foo-Bar`"),
        Case(
            testDescription: "an import that is a keyword", proto: #"syntax = "proto3";"#, parameter: "CModule=C,Import=import",
            message: "parameter: Import takes the name of a module, not `import`"),
        Case(
            testDescription: "a C module with a dot", proto: #"syntax = "proto3";"#, parameter: "CModule=A.B",
            message: "parameter: CModule takes the name of a module, not `A.B`"),
        Case(
            testDescription: "a prefix that cannot begin a name", proto: #"syntax = "proto3"; option swift_prefix = "1"; message M {}"#,
            message: "no name in Swift begins with `1`, its `option swift_prefix`"),
        Case(
            testDescription: "an unknown parameter", proto: #"syntax = "proto3";"#, parameter: "CModule=C,Colour=red",
            message: "parameter: `Colour` is unknown"),
        Case(
            testDescription: "an unknown language", proto: #"syntax = "proto3";"#, parameter: "CModule=C,Language=Ada",
            message: "Language is Swift or C, not `Ada`"),
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

    @Test("names that clash in C are refused for C too", arguments: cases.filter { $0.message.contains("protoc-c's C ") })
    func clashInC(_ item: Case) async throws {
        var item = item
        item.parameter = "Language=C,CModule=C"
        try await refused(item)
    }

    /// Uses of a type in a scope where Swift finds another one by that name. Its C struct would be read as that of the other.
    static let hidden: [Case] = [
        Case(
            testDescription: "by a message in the same message",
            proto: """
                syntax = "proto3"; message Status { int64 code = 1; }
                message Report { message Status { string text = 1; }
                .Status outer = 1; }
                """,
            message: "test.proto:3: Report.outer: its type Status cannot be called `Status` in Swift, because `Status` means Report.Status there"),
        Case(
            testDescription: "by an enum in an outer message, from a map",
            proto: """
                syntax = "proto3"; message Code { message Inner {} }
                message M { enum Code { Z = 0; } message N { map<string, .Code.Inner> codes = 1; } }
                """,
            message: "test.proto:2: M.N.codes: its type Code.Inner cannot be called `Code.Inner` in Swift, because `Code` means M.Code there"),
        Case(
            testDescription: "by the enum of a oneof, in that enum",
            proto: #"syntax = "proto3"; message OneOf_Kind {} message M { oneof kind { OneOf_Kind a = 1; } }"#,
            message: "M.a: its type OneOf_Kind cannot be called `OneOf_Kind` in Swift, because `OneOf_Kind` means M.kind there"),
        Case(
            testDescription: "by a type with the name of the message that it is in",
            proto: #"syntax = "proto3"; message Status { enum Status { Z = 0; } repeated Status all = 1; }"#,
            message: "Status.all: its type Status.Status cannot be called `Status.Status` in Swift"),
    ]

    @Test("a type that another one hides is refused where it is used", arguments: hidden)
    func hiddenType(_ item: Case) async throws { try await refused(item) }

    @Test("so is a type whose Swift name is taken in another file too")
    func sameNameInAnotherFile() {
        let files = ["a", "b"].map { package in
            FileSchema(
                path: package + ".proto", package: package, syntax: "proto3", swiftPrefix: "X",
                messages: [MessageSchema(name: "Status", fullName: package + ".Status")])
        }
        let error = #expect(throws: GenerationError.self) { try TypeIndex(files: files).entry("a.Status", usedAt: "b.M.status") }
        #expect(error?.description.contains("`XStatus` means b.Status there") == true)
    }

    @Test("a Swift name that a declaration of another file in the module takes is refused; in modules of their own, both files are generated for")
    func sameNameInTheModule() async throws {
        let texts = [
            "image.proto": "syntax = \"proto3\"; package media.v1;\nmessage UploadClient {}",
            "upload.proto": #"syntax = "proto3"; package media.v1; message M {} service Upload { rpc Put(M) returns (M); }"#,
        ]
        let (outcome, files) = try await Protoc.generate(["image.proto", "upload.proto"], of: texts)
        let message = "image.proto:2: media.v1.UploadClient: in Swift, media.v1.Upload of upload.proto takes the name `Media_V1_UploadClient` too"
        #expect(!outcome.succeeded)
        #expect(outcome.messages.contains(message), "\(outcome.messages)")
        #expect(files.isEmpty)
        for path in texts.keys {
            let alone = try await Protoc.generate([path], of: texts)
            #expect(alone.outcome.succeeded, "\(alone.outcome.messages)")
        }
    }

    @Test("a prefix of any letters is taken")
    func prefixOfLetters() async throws {
        let proto = #"syntax = "proto3"; option swift_prefix = "한"; message M {}"#
        let (outcome, files) = try await Protoc.generate(proto, parameter: "CModule=C,Import=Grüße")
        #expect(outcome.succeeded && files["test.pb.swift"]?.contains("struct 한M") == true, "\(outcome.messages)")
    }

    @Test("two files of one name in one run are refused, because a Swift module takes only one of them")
    func sameName() async throws {
        let texts = ["x/a.proto": #"syntax = "proto3"; package x; message A {}"#, "y/a.proto": #"syntax = "proto3"; package y; message A {}"#]
        let (outcome, files) = try await Protoc.generate(["x/a.proto", "y/a.proto"], of: texts)
        #expect(!outcome.succeeded && files.isEmpty)
        #expect(outcome.messages.contains("y/a.proto: x/a.proto has the same name"), "\(outcome.messages)")
        #expect(try await Protoc.generate(["x/a.proto"], of: texts).outcome.succeeded)
    }

    @Test("a type that is not hidden where it is used is generated for")
    func notHidden() async throws {
        let proto = """
            syntax = "proto3"; message Status {}
            message Report { message Status {} Status inner = 1; message Line { Status inner = 1; } } message Other { Status outer = 1; }
            """
        let (outcome, files) = try await Protoc.generate(proto)
        try #require(outcome.succeeded, "\(outcome.messages)")
        let text = try #require(files["test.pb.swift"])
        #expect(text.components(separatedBy: "public var inner: Report.Status?\n").count == 3)
        #expect(text.contains("public var outer: Status?\n"))
    }

    /// Current versions of protoc do not pass such a file to a plugin that does not ask for it.
    @Test("editions are refused with file and line, for Swift and for C")
    func editions() throws {
        let file = FileSchema(path: "p.proto", package: "p", syntax: "editions", lines: ["p.proto": 4])
        let context = GenerationContext(
            file: file, parameters: try GeneratorParameters(parsing: "CModule=C"), index: TypeIndex(files: [file]), names: TopLevelNames([file]))
        let swift = #expect(throws: GenerationError.self) { try FileGenerator(context: context).files() }
        #expect(swift?.located(in: file).description == "p.proto:4: its syntax is editions; only proto3 is supported")
        let request = try CodeGeneratorRequest(serializedBytes: [])
        let c = #expect(throws: GenerationError.self) {
            try CFiles([file], module: "C").files(request) { _ throws(GenerationError) in throw GenerationError(at: "protoc-c", "was run") }
        }
        #expect(c?.description == "p.proto:4: its syntax is editions; protoc-c knows proto2 and proto3")
    }

    @Test("when protoc-c fails, its failure is told")
    func protocCFails() {
        // A request for no file, with the parameter (field 2) that asks for C.
        let request: [UInt8] = [0x12, 20] + Array("Language=C,CModule=C".utf8)
        let response = CodeGenerator.response(to: request) { _ throws(GenerationError) in
            throw GenerationError(at: "protoc-gen-c", "it crashed with signal 6")
        }
        #expect(String(decoding: response, as: UTF8.self).contains("protoc-gen-c: it crashed with signal 6"))
    }

    @Test("bytes that are no request are answered with an error, not with files")
    func garbage() {
        #expect(throws: GenerationError.self) { try CodeGeneratorRequest(serializedBytes: [0xFF, 0xFF]) }
        // `error` is field 1 of the response, and `supported_features` (proto3's optional, 1) the only other one set.
        let response = CodeGenerator.response(to: [0xFF, 0xFF]) { bytes throws(GenerationError) in bytes }
        #expect(response.first == 0x0A)
        #expect(response.suffix(2) == [0x10, 0x01])
        #expect(String(decoding: response, as: UTF8.self).contains("not a google.protobuf.compiler.CodeGeneratorRequest"))
    }
}
