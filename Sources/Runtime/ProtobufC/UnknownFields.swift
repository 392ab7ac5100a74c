/// Fields that a peer sent and this schema lacks, as the wire bytes they came in.
///
/// They are written back after the known fields, in the order of arrival, so that an older program in the middle loses
/// nothing of a newer one's message. Only a decode makes a non-empty value, so the bytes are always well-formed records.
public struct UnknownFields: Sendable, Hashable {
    /// Tag and value of every unknown field, one after the other. Empty without any allocation when there is none.
    public let wireBytes: [UInt8]

    /// No unknown fields.
    @inlinable
    public init() {
        wireBytes = []
    }

    /// Takes records that a decode has checked.
    init(checkedWireBytes: [UInt8]) {
        wireBytes = checkedWireBytes
    }

    /// Whether the peer sent nothing that this schema lacks.
    @inlinable public var isEmpty: Bool { wireBytes.isEmpty }
}
