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
        #expect(TopLevelNames([file]).fileDescriptor(of: file) == expected)
    }

    @Test("it gets _ behind it where the file declares a type of that name")
    func takenName() {
        var file = FileSchema(path: "upload.proto", package: "", syntax: "proto3")
        file.messages = [MessageSchema(name: "UploadFile", fullName: "UploadFile")]
        #expect(TopLevelNames([file]).fileDescriptor(of: file) == "UploadFile_")
        file.services = [ServiceSchema(name: "UploadFile_", fullName: "UploadFile_")]
        #expect(TopLevelNames([file]).fileDescriptor(of: file) == "UploadFile__")
    }

    @Test("and where another file of the module declares one, in whatever order they come; a file of another module does not count")
    func takenInAnotherFile() {
        let message = MessageSchema(name: "ImageFile", fullName: "media.v1.ImageFile")
        let image = FileSchema(path: "image.proto", package: "media.v1", syntax: "proto3")
        let upload = FileSchema(path: "upload.proto", package: "media.v1", syntax: "proto3", messages: [message])
        for files in [[image, upload], [upload, image]] {
            let names = TopLevelNames(files)
            #expect(names.fileDescriptor(of: image) == "Media_V1_ImageFile_")
            #expect(names.fileDescriptor(of: upload) == "Media_V1_UploadFile")
        }
        #expect(TopLevelNames([image]).fileDescriptor(of: image) == "Media_V1_ImageFile")
        #expect(TopLevelNames([upload]).fileDescriptor(of: image) == "Media_V1_ImageFile")
    }

    @Test("and where the descriptor of another file has that name: the first of the paths has it whole")
    func takenByAnotherDescriptor() {
        let files = ["b_c.proto", "b-c.proto"].enumerated().map { index, path in
            FileSchema(
                path: path, package: "", syntax: "proto3", messages: [MessageSchema(name: "M\(index)", fullName: "M\(index)")])
        }
        for files in [files, Array(files.reversed())] {
            let names = TopLevelNames(files).fileDescriptor(of:)
            #expect(files.map(names).sorted() == ["BCFile", "BCFile_"])
            #expect(files.filter { $0.path == "b-c.proto" }.map(names) == ["BCFile"])
        }
    }
}
