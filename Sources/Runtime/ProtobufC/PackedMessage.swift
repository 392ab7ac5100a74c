/// A message in wire bytes that are kept: packed once, for an answer that is given often.
public struct PackedMessage<Value: Message>: Sendable {
    /// The message's wire bytes.
    public let bytes: [UInt8]

    /// Packs a message.
    /// - Throws: as ``Message/withPackable(_:)``.
    @inlinable
    public init(_ message: Value) throws(EncodingError) { bytes = try message.serializedBytes() }

    /// Takes what ``Message/serializedBytes()`` of such a message gave. That it did is not checked: whoever receives it would notice.
    public init(bytes: [UInt8]) { self.bytes = bytes }

    /// Lends the message to `body` in the form that any output takes.
    public func withPackable(_ body: (borrowing PackableMessage) -> Void) { PackableMessage.withPacked(bytes, body) }
}
