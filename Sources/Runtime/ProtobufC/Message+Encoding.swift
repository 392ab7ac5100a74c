import CProtobufC

extension Message {
    /// Lends the message to `body` in a form that any output can take: its size first, then its bytes, written in place.
    /// - Throws: ``EncodingError`` when a string holds a NUL, or the message is too deep or too large. `body` was not called then;
    ///   otherwise it is called once.
    @inlinable
    public func withPackable(_ body: (borrowing PackableMessage) -> Void) throws(EncodingError) {
        try withFilledStruct { (message) throws(EncodingError) in try PackableMessage.withFilled(message, body) }
    }

    /// The message's wire bytes.
    /// - Throws: as ``withPackable(_:)``.
    @inlinable
    public func serializedBytes() throws(EncodingError) -> [UInt8] {
        var bytes: [UInt8] = []
        try withPackable { bytes = $0.bytes() }
        return bytes
    }

    /// Fills the C struct in an arena and hands it to `body`; it is gone afterwards.
    @inlinable
    func withFilledStruct(
        _ body: (UnsafePointer<ProtobufCMessage>) throws(EncodingError) -> Void
    ) throws(EncodingError) {
        try withEncoder { (encoder) throws(EncodingError) in
            let message = try encoder.filled(self)
            try encoder.checkMemory()
            try body(UnsafePointer(message.assumingMemoryBound(to: ProtobufCMessage.self)))
        }
    }
}

/// Runs `body` with an encoder whose memory is gone when it returns.
@inlinable
func withEncoder(_ body: (inout MessageEncoder) throws(EncodingError) -> Void) throws(EncodingError) {
    // What is encoded is already in this process's memory, so the budget only keeps the sums from overflowing.
    try Arena.withArena(budget: Int.max >> 1) { (arena) throws(EncodingError) in
        var encoder = MessageEncoder(arena: arena)
        try body(&encoder)
    }
}

/// A message in its C struct, or in wire bytes already, with its size known: whoever sends it makes room, and its wire bytes are written there
/// once.
///
/// Lent for one call of a closure (``Message/withPackable(_:)``), and so not copyable. It knows no Swift type any more: what stands between a
/// handler and the socket is compiled once, not looked up for each message type in each call.
public struct PackableMessage: ~Copyable {
    private enum Form {
        case filled(UnsafePointer<ProtobufCMessage>)
        case packed(UnsafeRawPointer)
    }

    private let form: Form
    /// Wire bytes of the message; 0 for one whose fields all have their defaults.
    public let byteCount: Int

    private init(_ form: Form, byteCount: Int) {
        self.form = form
        self.byteCount = byteCount
    }

    /// Lends to `body` the message in a filled struct.
    @usableFromInline
    static func withFilled(
        _ message: UnsafePointer<ProtobufCMessage>, _ body: (borrowing PackableMessage) -> Void
    ) throws(EncodingError) {
        let size = protobuf_c_message_get_packed_size(message)
        guard size <= Int(Int32.max) else { throw .tooLarge(byteCount: size) }
        body(PackableMessage(.filled(message), byteCount: size))
    }

    /// Lends to `body` a message that was packed before.
    public static func withPacked(_ bytes: [UInt8], _ body: (borrowing PackableMessage) -> Void) {
        bytes.withUnsafeBytes { buffer in
            // An empty array may have no address, and of an empty message no byte is read.
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

/// Why a message cannot be written.
///
/// `field` is the path of field names from the outermost message, as in ``DecodingError``.
public enum EncodingError: Error, Sendable, Hashable {
    /// A string holds a NUL, at which protobuf-c would silently cut it off.
    case nulInString(field: String)

    /// Messages lie inside each other deeper than ``DecodingOptions/maximumNestingDepth``.
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
