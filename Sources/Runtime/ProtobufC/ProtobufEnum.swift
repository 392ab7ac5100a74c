/// A protobuf enum: open, so that a value added by a newer peer is kept as its number.
///
/// Generated as a Swift enum with every declared case and `unrecognized(Int32)`.
public protocol ProtobufEnum: Sendable, Hashable, RawRepresentable where RawValue == Int32 {
    /// The zero value, which proto3 makes the default.
    init()

    /// Makes the declared case of that number, or `unrecognized`; never fails although the protocol of the standard library
    /// says it may.
    init?(rawValue: Int32)
}

extension ProtobufEnum {
    /// The value for a number from the wire.
    @inlinable
    init(number: Int32) {
        self = Self(rawValue: number) ?? Self()
    }
}
