import ProtobufC

extension Google_Protobuf_Any {
    /// Packs a message. The type URL is `type.googleapis.com/` and the full name, which every implementation knows.
    /// - Throws: ``ProtobufC/EncodingError`` when the message cannot be written.
    public init<Content: Message>(packing message: Content) throws(EncodingError) {
        self.init(
            typeURL: "type.googleapis.com/" + Content.descriptor.fullName, value: try message.serializedBytes())
    }

    /// The full name of the packed message: the text after the last slash of `typeURL`. Empty if there is no slash.
    public var messageName: Substring {
        guard let slash = typeURL.lastIndex(of: "/") else { return "" }
        return typeURL[typeURL.index(after: slash)...]
    }

    /// Whether a `Content` is packed.
    public func holds<Content: Message>(_ type: Content.Type) -> Bool {
        messageName == Content.descriptor.fullName
    }

    /// The packed message, or nil if it is not a `Content`.
    /// - Throws: ``ProtobufC/DecodingError`` if its type is `Content` but its bytes cannot be decoded.
    public func unpack<Content: Message>(as type: Content.Type = Content.self) throws(DecodingError) -> Content? {
        holds(type) ? try Content(serializedBytes: value) : nil
    }
}
