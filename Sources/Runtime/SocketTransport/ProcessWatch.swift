import CLinuxSockets
import Dispatch
import Glibc

/// Waits for the end of a process that is no child, such as the server behind a socket.
///
/// The process is held by a descriptor (pidfd_open(2), Linux 5.3), so that its id, in use again, is never taken for it.
public final class ProcessWatch: Sendable {
    private let descriptor: Int32

    /// Nil when there is no such process, or none that can be seen from here, as from another pid namespace.
    public init?(pid: Int32) {
        let descriptor = pulse_pidfd_open(pid)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Returns once the process has ended. Does not hear cancellation.
    public func ended() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
            source.setEventHandler { source.cancel() }
            // Not before: the descriptor is the source's until then.
            source.setCancelHandler { continuation.resume() }
            source.activate()
        }
    }
}
