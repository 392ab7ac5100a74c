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

    @Test(arguments: [
        ("google.protobuf", nil, "Google_Protobuf_"), ("a_b.cD.v1", nil, "AB_CD_V1_"), ("", nil, ""),
        ("pulseboard.auth.v1", "PB", "PB"), ("a.b", "", ""),
    ])
    func prefix(package: String, swiftPrefix: String?, expected: String) {
        let file = FileSchema(path: "a.proto", package: package, syntax: "proto3", swiftPrefix: swiftPrefix)
        #expect(SwiftNames.prefix(of: file) == expected)
    }
}
