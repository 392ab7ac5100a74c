// Written by protoc-gen-pulseboard-swift from google/protobuf/duration.proto.
// Do not edit: change that file and generate again.

internal import WellKnownTypesC
import ProtobufC

/// `google.protobuf.Duration`.
public struct Google_Protobuf_Duration: Message {
    /// `seconds`, field 1.
    public var seconds: Int64 = 0
    /// `nanos`, field 2.
    public var nanos: Int32 = 0
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        seconds: Int64 = 0,
        nanos: Int32 = 0
    ) {
        self.seconds = seconds
        self.nanos = nanos
    }

    public static let descriptor = MessageDescriptor(
        of: Google__Protobuf__Duration.self,
        initializedBy: google__protobuf__duration__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Google__Protobuf__Duration.self)
        self.seconds = message.pointee.seconds
        self.nanos = message.pointee.nanos
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Google__Protobuf__Duration.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.seconds = self.seconds
        message.pointee.nanos = self.nanos
    }
}

/// `google/protobuf/duration.proto` in protobuf's own terms, for server reflection.
public enum Google_Protobuf_DurationFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "google/protobuf/duration.proto",
        dependencies: [],
        serialized: """
            \n\u{1e}google/protobuf/duration.proto\u{12}\u{f}google.protobuf\":\n\u{8}Duration\u{12}\u{18}\n\
            \u{7}seconds\u{18}\u{1} \u{1}(\u{3}R\u{7}seconds\u{12}\u{14}\n\u{5}nanos\u{18}\u{2} \u{1}(\u{5}R\
            \u{5}nanosB\u{83}\u{1}\n\u{13}com.google.protobufB\rDurationProtoP\u{1}Z1google.golang.org/protobuf\
            /types/known/durationpb\u{f8}\u{1}\u{1}\u{a2}\u{2}\u{3}GPB\u{aa}\u{2}\u{1e}Google.Protobuf.WellKnow\
            nTypesb\u{6}proto3
            """)
}
