/// Where a message's wire bytes go: an array, or a wire protocol's own send buffer.
///
/// The size is known before the first byte is written, so a wire protocol can write its envelope header and then give the
/// message room in its buffer, without a copy in between.
public protocol MessageOutput: ~Copyable {
    /// Appends `byteCount` bytes that `write` puts at the address it is given. Called exactly once per message, also for
    /// one of zero bytes; `write` fills all of it and keeps no pointer.
    mutating func append(byteCount: Int, _ write: (UnsafeMutableRawPointer) -> Void)
}
