// Written by protoc-gen-pulseboard-swift from google/protobuf/any.proto.
// Do not edit: change that file and generate again.

internal import WellKnownTypesC
import ProtobufC

/// `google.protobuf.Any`.
public struct Google_Protobuf_Any: Message {
    /// `type_url`, field 1.
    public var typeURL: String = ""
    /// `value`, field 2.
    public var value: [UInt8] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        typeURL: String = "",
        value: [UInt8] = []
    ) {
        self.typeURL = typeURL
        self.value = value
    }

    public static let descriptor = MessageDescriptor(
        of: Google__Protobuf__Any.self,
        initializedBy: google__protobuf__any__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Google__Protobuf__Any.self)
        self.typeURL = MessageReader.string(message.pointee.type_url)
        self.value = MessageReader.bytes(message.pointee.value)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Google__Protobuf__Any.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.typeURL.isEmpty {
            message.pointee.type_url = try encoder.string(self.typeURL, field: "type_url")
        }
        if !self.value.isEmpty {
            message.pointee.value = encoder.bytes(self.value)
        }
    }
}

/// `google/protobuf/any.proto` in protobuf's own terms, for server reflection.
public enum Google_Protobuf_AnyFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "google/protobuf/any.proto",
        dependencies: [],
        serialized: """
            \n\u{19}google/protobuf/any.proto\u{12}\u{f}google.protobuf\"6\n\u{3}Any\u{12}\u{19}\n\u{8}type_url\
            \u{18}\u{1} \u{1}(\tR\u{7}typeUrl\u{12}\u{14}\n\u{5}value\u{18}\u{2} \u{1}(\u{c}R\u{5}valueBv\n\
            \u{13}com.google.protobufB\u{8}AnyProtoP\u{1}Z,google.golang.org/protobuf/types/known/anypb\u{a2}\
            \u{2}\u{3}GPB\u{aa}\u{2}\u{1e}Google.Protobuf.WellKnownTypesb\u{6}proto3
            """)
}
