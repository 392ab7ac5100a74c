import CProtobufC

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
