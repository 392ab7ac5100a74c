import Testing

@testable import RPCCodeGeneration

/// protoc-c's rules for names of every form. The expected names come from the output of protoc-c 1.4.1.
@Suite struct ProtobufCNamesTests {
    @Test(arguments: [
        ("a_b.cD.E2.HTTPThing_x.my_Enum", "AB__CD__E2__HTTPThingX__MyEnum"),
        ("pulseboard.auth.v1.AuthState.State", "Pulseboard__Auth__V1__AuthState__State"),
        ("Unpackaged", "Unpackaged"),
    ])
    func types(fullName: String, expected: String) {
        #expect(ProtobufCNames.type(fullName) == expected)
    }

    @Test("types of protobuf-c.h have a capital after its prefix", arguments: [
        ("ProtobufCMessage", true), ("ProtobufC_Bool", false), ("ProtobufConfig", false), ("ProtobufC", false), ("ProtobufClient__Message", false),
    ])
    func library(type: String, isOfLibrary: Bool) {
        #expect(ProtobufCNames.isOfLibrary(type) == isOfLibrary)
    }

    @Test(arguments: [
        ("a_b.cD.E2.HTTPThing_x.inner_t", "a_b__c_d__e2__httpthing_x__inner_t__init"),
        ("a_b.cD.E2.HTTPThing_x.TheMapEntry", "a_b__c_d__e2__httpthing_x__the_map_entry__init"),
        ("p.my_Message", "p__my__message__init"),
    ])
    func initializers(fullName: String, expected: String) {
        #expect(ProtobufCNames.initializer(fullName) == expected)
    }

    @Test(arguments: [
        ("fooBarX", "foobarx"), ("HTTPServer", "httpserver"), ("user_id", "user_id"), ("case", "case_"), ("Int", "int_"),
        ("xor_eq", "xor_eq_"), ("nullptr", "nullptr"), ("alignas", "alignas"),
    ])
    func members(field: String, expected: String) {
        #expect(ProtobufCNames.member(field) == expected)
    }

    @Test func oneofs() {
        #expect(ProtobufCNames.caseMember("pickOne_Now") == "pick_one__now_case")
        #expect(ProtobufCNames.caseType("pickOne_Now", of: "p.my_Message") == "P__MyMessage__PickOneNowCase")
    }
}
