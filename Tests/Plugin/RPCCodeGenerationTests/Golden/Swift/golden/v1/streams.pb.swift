// Written by protoc-gen-pulseboard-swift from golden/v1/streams.proto.
// Do not edit: change that file and generate again.

internal import GoldenMessagesC
import ProtobufC
import ProtobufWellKnownTypes

/// One thing that travels.
public struct GSItem: Message {
    /// `text`, field 1.
    public var text: String = ""
    /// Reached through the file that only forwards it.
    public var place: Golden_V1_Place = .init()
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        text: String = "",
        place: Golden_V1_Place = .init()
    ) {
        self.text = text
        self.place = place
    }

    public static let descriptor = MessageDescriptor(
        of: Golden__V1__Item.self,
        initializedBy: golden__v1__item__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Golden__V1__Item.self)
        self.text = MessageReader.string(message.pointee.text)
        self.place = MessageReader.enumeration(message.pointee.place)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Golden__V1__Item.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        if !self.text.isEmpty {
            message.pointee.text = try encoder.string(self.text, field: "text")
        }
        message.pointee.place = encoder.enumeration(self.place, as: Golden__V1__Place.self)
    }
}

/// How many things travelled.
public struct GSTotal: Message {
    /// `count`, field 1.
    public var count: Int32 = 0
    /// Their texts, in the order of arrival.
    public var texts: [String] = []
    public var unknownFields = UnknownFields()

    /// A message with every field at its default.
    public init() {}

    /// A message with the fields given; the others have their defaults.
    public init(
        count: Int32 = 0,
        texts: [String] = []
    ) {
        self.count = count
        self.texts = texts
    }

    public static let descriptor = MessageDescriptor(
        of: Golden__V1__Total.self,
        initializedBy: golden__v1__total__init)

    public init(unpacked: UnpackedStruct) {
        let message = unpacked.pointer(to: Golden__V1__Total.self)
        self.count = message.pointee.count
        self.texts = MessageReader.strings(message.pointee.n_texts, message.pointee.texts)
        self.unknownFields = unpacked.unknownFields
    }

    public func fill(_ blank: BlankStruct, with encoder: inout MessageEncoder) throws(EncodingError) {
        let message = blank.pointer(to: Golden__V1__Total.self)
        encoder.unknownFields(self.unknownFields, into: blank)
        message.pointee.count = self.count
        (message.pointee.n_texts, message.pointee.texts) = try encoder.strings(self.texts, field: "texts")
    }
}

/// `golden/v1/streams.proto` in protobuf's own terms, for server reflection.
public enum GSStreamsFile {
    /// The file with those that it imports.
    public static let descriptor = FileDescriptor(
        name: "golden/v1/streams.proto",
        dependencies: [
            imported1,
        ],
        serialized: """
            \n\u{17}golden/v1/streams.proto\u{12}\tgolden.v1\u{1a}\u{1a}golden/v1/forwarding.proto\"B\n\u{4}Ite\
            m\u{12}\u{12}\n\u{4}text\u{18}\u{1} \u{1}(\tR\u{4}text\u{12}&\n\u{5}place\u{18}\u{2} \u{1}(\u{e}2\
            \u{10}.golden.v1.PlaceR\u{5}place\"3\n\u{5}Total\u{12}\u{14}\n\u{5}count\u{18}\u{1} \u{1}(\u{5}R\
            \u{5}count\u{12}\u{14}\n\u{5}texts\u{18}\u{2} \u{3}(\tR\u{5}texts2\u{f3}\u{1}\n\u{c}ShapeService\
            \u{12}(\n\u{3}Ask\u{12}\u{f}.golden.v1.Item\u{1a}\u{10}.golden.v1.Total\u{12},\n\u{5}Watch\u{12}\
            \u{f}.golden.v1.Item\u{1a}\u{10}.golden.v1.Total0\u{1}\u{12}-\n\u{6}Upload\u{12}\u{f}.golden.v1.Ite\
            m\u{1a}\u{10}.golden.v1.Total(\u{1}\u{12}-\n\u{4}Chat\u{12}\u{f}.golden.v1.Item\u{1a}\u{10}.golden.\
            v1.Total(\u{1}0\u{1}\u{12}-\n\u{5}Plain\u{12}\u{f}.golden.v1.Item\u{1a}\u{f}.golden.v1.Item(\u{1}0\
            \u{1}2\u{9a}\u{2}\n\u{b}WordService\u{12}&\n\u{2}In\u{12}\u{f}.golden.v1.Item\u{1a}\u{f}.golden.v1.\
            Item\u{12}+\n\u{5}Where\u{12}\u{f}.golden.v1.Item\u{1a}\u{f}.golden.v1.Item0\u{1}\u{12},\n\u{6}Repe\
            at\u{12}\u{f}.golden.v1.Item\u{1a}\u{f}.golden.v1.Item(\u{1}\u{12}-\n\u{5}Defer\u{12}\u{f}.golden.v\
            1.Item\u{1a}\u{f}.golden.v1.Item(\u{1}0\u{1}\u{12},\n\u{4}Self\u{12}\u{f}.golden.v1.Item\u{1a}\u{f}\
            .golden.v1.Item(\u{1}0\u{1}\u{12}+\n\u{5}Init_\u{12}\u{f}.golden.v1.Item\u{1a}\u{f}.golden.v1.Item0\
            \u{1}2\u{9d}\u{4}\n\u{10}ParameterService\u{12}+\n\u{7}Request\u{12}\u{f}.golden.v1.Item\u{1a}\u{f}\
            .golden.v1.Item\u{12}.\n\u{8}Requests\u{12}\u{f}.golden.v1.Item\u{1a}\u{f}.golden.v1.Item(\u{1}\
            \u{12}.\n\u{8}Response\u{12}\u{f}.golden.v1.Item\u{1a}\u{f}.golden.v1.Item0\u{1}\u{12}1\n\tResponse\
            s\u{12}\u{f}.golden.v1.Item\u{1a}\u{f}.golden.v1.Item(\u{1}0\u{1}\u{12}-\n\u{7}Context\u{12}\u{f}.g\
            olden.v1.Item\u{1a}\u{f}.golden.v1.Item0\u{1}\u{12}/\n\u{7}Options\u{12}\u{f}.golden.v1.Item\u{1a}\
            \u{f}.golden.v1.Item(\u{1}0\u{1}\u{12}1\n\tRegister_\u{12}\u{f}.golden.v1.Item\u{1a}\u{f}.golden.v1\
            .Item(\u{1}0\u{1}\u{12},\n\u{6}Router\u{12}\u{f}.golden.v1.Item\u{1a}\u{f}.golden.v1.Item(\u{1}\
            \u{12}-\n\u{7}Channel\u{12}\u{f}.golden.v1.Item\u{1a}\u{f}.golden.v1.Item0\u{1}\u{12},\n\u{8}FullNa\
            me\u{12}\u{f}.golden.v1.Item\u{1a}\u{f}.golden.v1.Item\u{12}+\n\u{7}Methods\u{12}\u{f}.golden.v1.It\
            em\u{1a}\u{f}.golden.v1.ItemB\u{5}\u{ba}\u{2}\u{2}GSb\u{6}proto3
            """)

    /// `golden/v1/forwarding.proto`, of which nothing is used here.
    private static let imported1 = FileDescriptor(
        name: "golden/v1/forwarding.proto",
        dependencies: [
            Golden_V1_PlacesFile.descriptor,
        ],
        serialized: """
            \n\u{1a}golden/v1/forwarding.proto\u{12}\tgolden.v1\u{1a}\u{16}golden/v1/places.protoP\0b\u{6}proto\
            3
            """)
}
