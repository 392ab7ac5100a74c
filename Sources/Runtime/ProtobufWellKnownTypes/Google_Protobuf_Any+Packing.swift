import ProtobufC

extension Google_Protobuf_Any {
    /// A message in its wire form, with its full name behind `type.googleapis.com/`, which every implementation knows.
    /// - Throws: ``ProtobufC/EncodingError`` when the message cannot be written.
    public init<Content: Message>(packing message: Content) throws(EncodingError) {
        self.init(
            typeURL: "type.googleapis.com/" + Content.descriptor.fullName, value: try message.serializedBytes())
    }

    /// The full name of the packed message: what follows the last slash of `typeURL`. Empty when there is no slash.
    public var messageName: Substring {
        guard let slash = typeURL.lastIndex(of: "/") else { return "" }
        return typeURL[typeURL.index(after: slash)...]
    }

    /// Whether a `Content` is packed.
    public func holds<Content: Message>(_ type: Content.Type) -> Bool {
        messageName == Content.descriptor.fullName
    }

    /// The packed message, or nil when it is not a `Content`.
    /// - Throws: ``ProtobufC/DecodingError`` when it says it is one and does not decode.
    public func unpack<Content: Message>(as type: Content.Type = Content.self) throws(DecodingError) -> Content? {
        holds(type) ? try Content(serializedBytes: value) : nil
    }
}
