import Testing

@testable import RPCCodeGeneration

@Suite struct SwiftNamesTests {
    @Test(arguments: [
        ("user_id", "userID"), ("id", "id"), ("image_url", "imageURL"), ("url", "url"), ("user_ids", "userIds"),
        ("https_port", "httpsPort"), ("camelCase", "camelCase"), ("UPPER", "upper"), ("HTTPServer", "httpServer"),
        ("GetMyProfile", "getMyProfile"), ("x2y_3z", "x2y3z"), ("_leading", "leading"), ("a__b_", "aB"),
    ])
    func lowerCamel(name: String, expected: String) {
        #expect(SwiftNames.lowerCamel(name) == expected)
    }

    @Test(arguments: [
        ("STATE_SIGNED_OUT", "State", "signedOut"), ("AUTH_STATE_READY", "AuthState", "ready"), ("OK", "Code", "ok"),
        ("MOOD_2ND", "Mood", "mood2nd"), ("STATELESS", "State", "stateless"), ("STATE", "State", "state"),
        ("NOT_FOUND", "Code", "notFound"), ("HTTP_CODE_OK", "HTTPCode", "ok"),
        ("ThirdValue", "State", "thirdValue"), ("USER_ID", "Key", "userID"),
    ])
    func enumCase(value: String, type: String, expected: String) {
        #expect(SwiftNames.enumCase(value, of: type) == expected)
    }

    @Test("a type called like a keyword, or like what each message has, gets a suffix unless a prefix is before it", arguments: [
        ("default", "", "defaultMessage"), ("class", "", "classMessage"), ("Type", "", "TypeMessage"), ("self", "", "selfMessage"),
        ("each", "", "eachMessage"), ("_", "", "_Message"), ("descriptor", "", "descriptorMessage"), ("default", "PB", "PBdefault"),
        ("Default", "", "Default"),
    ])
    func typeName(name: String, prefix: String, expected: String) {
        #expect(SwiftNames.type(name, prefix: prefix, suffix: "Message") == expected)
    }

    @Test("the suffix is written wherever the type is named")
    func typeSuffix() async throws {
        let proto = """
            syntax = "proto3";
            message default {
              enum case { Z = 0; } message class {}
              case c = 1; repeated default more = 2; map<string, class> named = 3; oneof pick { default d = 4; }
            }
            service S { rpc Get(default) returns (default.class); }
            """
        let (outcome, files) = try await Protoc.generate(proto)
        try #require(outcome.succeeded, "\(outcome.messages)")
        let text = files.values.sorted().joined()
        for line in [
            "public struct defaultMessage: Message {", "public enum caseEnum: ProtobufEnum {", "public struct classMessage: Message {",
            "public var c: defaultMessage.caseEnum = .init()", "public var more: [defaultMessage] = []",
            "public var named: [String: defaultMessage.classMessage] = [:]", "indirect case d(defaultMessage)",
            "of: C.Default.self,", "MethodDescriptor<defaultMessage, defaultMessage.classMessage>",
        ] {
            #expect(text.contains(line), "\(line)")
        }
    }

    @Test("with a package, a type may be called like a type of generated code, at the top level and in a message")
    func typeOfGeneratedCode() async throws {
        let proto = #"syntax = "proto3"; package p; option swift_prefix = ""; message Message { message String {} String text = 1; }"#
        let (outcome, files) = try await Protoc.generate(proto)
        try #require(outcome.succeeded, "\(outcome.messages)")
        let text = try #require(files["test.pb.swift"])
        #expect(text.contains("public struct MessageMessage: Message {"))
        #expect(text.contains("of: P__Message.self,"))
        #expect(text.contains("public var text: MessageMessage.StringMessage?"))
    }

    @Test("a C struct with the name of a Swift type is written with its module")
    func cType() async throws {
        let (outcome, files) = try await Protoc.generate(#"syntax = "proto3"; package p; message M { message P__M {} P__M inner = 1; }"#)
        try #require(outcome.succeeded, "\(outcome.messages)")
        let text = try #require(files["test.pb.swift"])
        #expect(text.contains("of: C.P__M.self,"))
        #expect(text.contains("of: P__M__PM.self,"))
    }

    @Test(arguments: [
        ("google.protobuf", nil, "Google_Protobuf_"), ("a_b.cD.v1", nil, "AB_CD_V1_"), ("", nil, ""),
        ("pulseboard.auth.v1", "PB", "PB"), ("a.b", "", ""),
    ])
    func prefix(package: String, swiftPrefix: String?, expected: String) {
        let file = FileSchema(path: "a.proto", package: package, syntax: "proto3", swiftPrefix: swiftPrefix)
        #expect(SwiftNames.prefix(of: file) == expected)
    }
}
