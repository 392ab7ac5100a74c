import CProtobufC

extension Message {
    /// Lends the message to `body` in a form for every output: first its size is known, then its bytes are written in place.
    /// - Throws: ``EncodingError`` if a string contains a NUL, the message is too deep or too large, or there is no memory. Then `body` is not
    ///   called. Otherwise it is called once.
    @inlinable
    public func withPackable(_ body: (borrowing PackableMessage) -> Void) throws(EncodingError) {
        try withPackable(as: Self.descriptor, body)
    }

    /// The same for a caller that keeps the type's descriptor. (Swift looks up a static constant with a call into its runtime, each time.)
    /// - Parameter type: the value of ``Message/descriptor``.
    @inlinable
    package func withPackable(
        as type: MessageDescriptor, _ body: (borrowing PackableMessage) -> Void
    ) throws(EncodingError) {
        try withFilledStruct(as: type) { (message) throws(EncodingError) in try PackableMessage.withFilled(message, body) }
    }

    /// The message's wire bytes.
    /// - Throws: as ``withPackable(_:)``.
    @inlinable
    public func serializedBytes() throws(EncodingError) -> [UInt8] {
        var bytes: [UInt8] = []
        try withPackable { bytes = $0.bytes() }
        return bytes
    }

    /// Fills the C struct in an arena and lends it to `body`.
    @inlinable
    func withFilledStruct(
        as type: MessageDescriptor, _ body: (UnsafePointer<ProtobufCMessage>) throws(EncodingError) -> Void
    ) throws(EncodingError) {
        try withEncoder { (encoder) throws(EncodingError) in
            let message = try encoder.filled(self, as: type)
            try encoder.checkMemory()
            try body(UnsafePointer(message.assumingMemoryBound(to: ProtobufCMessage.self)))
        }
    }
}

/// Runs `body` with an encoder, and frees its memory afterwards.
@inlinable
func withEncoder(_ body: (inout MessageEncoder) throws(EncodingError) -> Void) throws(EncodingError) {
    // The message is already in this process's memory, so the budget only prevents overflows.
    try Arena.withArena(budget: Int.max >> 1) { (arena) throws(EncodingError) in
        var encoder = MessageEncoder(arena: arena)
        try body(&encoder)
    }
}

/// A message with a known size, as a C struct or as wire bytes. The sender makes room, and the wire bytes are written there
/// once.
///
/// It is lent for one call of a closure (``Message/withPackable(_:)``), and so not copyable. It has no Swift type of the message. So the code between
/// a handler and the socket is compiled once, and looks up no message type.
public struct PackableMessage: ~Copyable {
    private enum Form {
        case filled(UnsafePointer<ProtobufCMessage>)
        case packed(UnsafeRawPointer)
    }

    private let form: Form
    /// The number of wire bytes of the message; 0 if all fields have their defaults.
    public let byteCount: Int

    private init(_ form: Form, byteCount: Int) {
        self.form = form
        self.byteCount = byteCount
    }

    /// Lends the message in a filled struct to `body`.
    @usableFromInline
    static func withFilled(
        _ message: UnsafePointer<ProtobufCMessage>, _ body: (borrowing PackableMessage) -> Void
    ) throws(EncodingError) {
        let size = protobuf_c_message_get_packed_size(message)
        guard size <= Int(Int32.max) else { throw .tooLarge(byteCount: size) }
        body(PackableMessage(.filled(message), byteCount: size))
    }

    /// Lends a message that was packed before to `body`.
    public static func withPacked(_ bytes: [UInt8], _ body: (borrowing PackableMessage) -> Void) {
        bytes.withUnsafeBytes { buffer in
            // An empty array may have no address, but no byte of an empty message is read.
            let none = UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped
            body(PackableMessage(.packed(buffer.baseAddress ?? none), byteCount: buffer.count))
        }
    }

    /// Writes the message's ``byteCount`` bytes at `memory`.
    public borrowing func pack(to memory: UnsafeMutableRawPointer) {
        switch form {
        case .filled(let message): _ = protobuf_c_message_pack(message, memory.assumingMemoryBound(to: UInt8.self))
        case .packed(let bytes): memory.copyMemory(from: bytes, byteCount: byteCount)
        }
    }

    /// The message's wire bytes.
    public borrowing func bytes() -> [UInt8] {
        guard byteCount > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, initialized in
            // An array of a capacity above zero has an address.
            pack(to: UnsafeMutableRawPointer(buffer.baseAddress.unsafelyUnwrapped))
            initialized = byteCount
        }
    }
}

/// A message that is packed once and kept, for an answer that is sent often.
///
///     let answer = try PackedMessage(HelloReply(text: "Hello!"))
///     router.answerFromMemory(sayHello) { request, _ in request.name.isEmpty ? answer : nil }
public struct PackedMessage<Value: Message>: Sendable {
    /// The message's wire bytes.
    public let bytes: [UInt8]

    /// Packs a message.
    /// - Throws: as ``Message/withPackable(_:)``.
    @inlinable
    public init(_ message: Value) throws(EncodingError) { bytes = try message.serializedBytes() }

    /// Takes the result of ``Message/serializedBytes()`` of such a message. The bytes are not checked.
    public init(bytes: [UInt8]) { self.bytes = bytes }

    /// Lends the message to `body` in the form for every output.
    public func withPackable(_ body: (borrowing PackableMessage) -> Void) { PackableMessage.withPacked(bytes, body) }
}

/// Why a message cannot be written.
///
/// `field` is the path of field names from the outermost message, as in ``DecodingError``.
public enum EncodingError: Error, Sendable, Hashable {
    /// A string holds a NUL, at which protobuf-c would silently cut it off.
    case nulInString(field: String)

    /// Messages are nested deeper than ``DecodingOptions/maximumNestingDepth``.
    case nestingTooDeep(field: String, limit: Int)

    /// The wire form takes `byteCount` bytes, more than the 2 GiB − 1 that a protobuf message may have.
    case tooLarge(byteCount: Int)

    /// The system has no memory left.
    case outOfMemory
}

extension EncodingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .nulInString(let field): "\(field): a string holds a NUL"
        case .nestingTooDeep(let field, let limit): "\(field): nested deeper than \(limit) messages"
        case .tooLarge(let byteCount): "the message takes \(byteCount) bytes, more than 2 GiB"
        case .outOfMemory: "out of memory"
        }
    }

    /// The same error seen from the message that holds the field `component`.
    @usableFromInline
    func inside(_ component: String) -> EncodingError {
        switch self {
        case .nulInString(let field): .nulInString(field: component.joinedPath(field))
        case .nestingTooDeep(let field, let limit): .nestingTooDeep(field: component.joinedPath(field), limit: limit)
        case .tooLarge, .outOfMemory: self
        }
    }
}
