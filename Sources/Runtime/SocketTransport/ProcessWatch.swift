import CLinuxSockets
import Dispatch
import Glibc

/// Waits for the end of a process that is not a child, such as the server of a socket.
///
/// It holds the process by a descriptor (pidfd_open(2), Linux 5.3). So another process that gets the same id later is not confused with it.
public final class ProcessWatch: Sendable {
    private let descriptor: Int32

    /// Nil if there is no such process, or if it cannot be seen, for example from another pid namespace.
    public init?(pid: Int32) {
        let descriptor = pulse_pidfd_open(pid)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Returns when the process has ended. Ignores cancellation.
    public func ended() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
            source.setEventHandler { source.cancel() }
            // Not earlier, because the source uses the descriptor until then.
            source.setCancelHandler { continuation.resume() }
            source.activate()
        }
    }
}
