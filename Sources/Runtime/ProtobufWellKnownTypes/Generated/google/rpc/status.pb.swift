// Written by protoc-gen-pulseboard-swift from google/rpc/status.proto.
// Do not edit: change that file and generate again.

internal import WellKnownTypesC
import ProtobufC

/// The end of a call: a code, a text for developers, and typed details.
public struct Google_Rpc_Status: Message {
    /// A value of `google.rpc.Code`.
    public var code: Int32 = 0
    /// For developers, in English. A text for users is a `LocalizedMessage` among the details.
    public var message: String = ""
    /// Messages of `error_details.proto`, each at most once.
    public var details: [Google_Protobuf_Any] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        code: Int32 = 0,
        message: String = "",
        details: [Google_Protobuf_Any] = []
    ) {
        self.code = code
        self.message = message
        self.details = details
    }

    public static let descriptor = MessageDescriptor(
        of: Google__Rpc__Status.self,
        initializedBy: google__rpc__status__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Google__Rpc__Status.self)
        self.code = message.pointee.code
        self.message = MessageReader.string(message.pointee.message)
        self.details = MessageReader.messages(message.pointee.n_details, message.pointee.details)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Google__Rpc__Status.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.code = self.code
        if !self.message.isEmpty {
            message.pointee.message = try encoder.string(self.message, field: "message")
        }
        (message.pointee.n_details, message.pointee.details) = try encoder.messages(
            self.details, as: Google__Protobuf__Any.self, field: "details")
    }
}

/// `google/rpc/status.proto` in protobuf's own terms, for server reflection.
public enum Google_Rpc_StatusFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "google/rpc/status.proto",
        dependencies: [
            Google_Protobuf_AnyFile.descriptor,
        ],
        serialized: """
            \n\u{17}google/rpc/status.proto\u{12}\ngoogle.rpc\u{1a}\u{19}google/protobuf/any.proto\"f\n\u{6}Sta\
            tus\u{12}\u{12}\n\u{4}code\u{18}\u{1} \u{1}(\u{5}R\u{4}code\u{12}\u{18}\n\u{7}message\u{18}\u{2} \
            \u{1}(\tR\u{7}message\u{12}.\n\u{7}details\u{18}\u{3} \u{3}(\u{b}2\u{14}.google.protobuf.AnyR\u{7}d\
            etailsb\u{6}proto3
            """)
}
