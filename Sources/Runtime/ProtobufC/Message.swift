/// A protobuf message: a Swift value whose wire form is made and read by protobuf-c.
///
/// Conformances are written by `protoc-gen-pulseboard-swift`; nobody writes one by hand. The value owns all it holds;
/// the protobuf-c struct exists only inside one decode or encode, in an arena.
public protocol Message: Sendable, Hashable {
    /// A message with every field at its default.
    init()

    /// What protobuf-c knows of this type: full name, fields, size.
    static var descriptor: MessageDescriptor { get }

    /// Fields that the peer sent and this schema lacks, kept so that decode → encode loses nothing.
    var unknownFields: UnknownFields { get set }

    /// Copies the fields out of an unpacked protobuf-c struct that has passed the wire checks.
    ///
    /// For generated code only. `pointer` must point at this type's protobuf-c struct.
    init(unpacked pointer: UnsafeRawPointer)

    /// Writes the fields into a protobuf-c struct that its `message_init` has already set up.
    ///
    /// For generated code only. What the struct points at is allocated by `encoder` and lives as long as it does.
    /// - Throws: ``EncodingError`` when a string holds a NUL, which protobuf-c would silently cut off.
    func fill(_ pointer: UnsafeMutableRawPointer, with encoder: inout MessageEncoder) throws(EncodingError)
}
