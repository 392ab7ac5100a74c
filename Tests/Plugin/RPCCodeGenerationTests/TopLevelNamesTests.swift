import Testing

@testable import RPCCodeGeneration

@Suite struct TopLevelNamesTests {
    @Test("the enum of a file's descriptor has the file's prefix and name", arguments: [
        ("google/rpc/error_details.proto", "google.rpc", nil, "Google_Rpc_ErrorDetailsFile"),
        ("pulseboard/auth/v1/auth.proto", "pulseboard.auth.v1", "PB", "PBAuthFile"),
        ("a.proto", "", nil, "AFile"), ("my-own.v2.proto", "", "", "MyOwnV2File"), ("2nd.proto", "", nil, "_2ndFile"),
        ("user_id.proto", "p", nil, "P_UserIDFile"),
    ] as [(String, String, String?, String)])
    func fileDescriptor(path: String, package: String, prefix: String?, expected: String) {
        let file = FileSchema(path: path, package: package, syntax: "proto3", swiftPrefix: prefix)
        #expect(TopLevelNames(file).fileDescriptor == expected)
    }

    @Test("it gets _ behind it where the file declares a type of that name")
    func takenName() {
        var file = FileSchema(path: "upload.proto", package: "", syntax: "proto3")
        file.messages = [MessageSchema(name: "UploadFile", fullName: "UploadFile")]
        #expect(TopLevelNames(file).fileDescriptor == "UploadFile_")
        file.services = [ServiceSchema(name: "UploadFile_", fullName: "UploadFile_")]
        #expect(TopLevelNames(file).fileDescriptor == "UploadFile__")
    }
}
