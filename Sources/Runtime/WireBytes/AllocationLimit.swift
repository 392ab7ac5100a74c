/// The largest piece of memory that a ``ByteBuffer`` asks for in the current task: as much as there is, unless a test says less, to see what
/// happens when there is none. Only large pieces are looked at (above 256 KiB), so that it costs no call anything.
package enum AllocationLimit {
    @TaskLocal package static var byteCount = Int.max
}
